"""What template.yaml says of itself: its parameters, and how many functions its queues start at once."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from .stage import ROOT

PATH = ROOT / "template.yaml"
CODE = "CodeUri: target/lambda/bootstrap/"


# The same in C, many times faster, where it was built.
_Safe = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Reader(_Safe):
    """Takes a tag of CloudFormation's for the value behind it: nothing that is looked at here is computed."""


def _untagged(reader: Any, _suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return reader.construct_scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return reader.construct_sequence(node, deep=True)
    return reader.construct_mapping(node, deep=True)


_Reader.add_multi_constructor("!", _untagged)


@dataclass(frozen=True)
class Template:
    text: str
    parameters: dict[str, dict]
    resources: dict[str, dict]

    @staticmethod
    def parse(text: str) -> "Template":
        read = yaml.load(text, Loader=_Reader)  # a SafeLoader
        return Template(text, read.get("Parameters", {}), read.get("Resources", {}))

    @staticmethod
    def read(path: Path = PATH) -> "Template":
        return Template.parse(path.read_text())

    def with_code(self, bucket: str, key: str) -> str:
        """The template that is deployed: the same, with the package's address."""
        if self.text.count(CODE) != 1:
            raise ValueError(f"the template has '{CODE}' {self.text.count(CODE)} times, not once")
        return self.text.replace(CODE, f"CodeUri: s3://{bucket}/{key}")

    def released(self, given: dict[str, str]) -> dict[str, str]:
        """With the parameter `Release`, where the template has it: what changes exactly when anything deployed does, since
        only then SAM makes a new version of a function."""
        if "Release" not in self.parameters:
            return given
        said = [f"{name}={value}" for name, value in sorted(given.items()) if name != "Release"]
        return {**given, "Release": hashlib.sha256("\n".join([self.text, *said]).encode()).hexdigest()}

    def at_once(self, given: dict[str, str]) -> dict[str, int]:
        """How many of a function its queue may have running, by the function's name in the template."""

        def number(said: Any) -> int:
            return int(given.get(said, self.parameters[said]["Default"]) if said in self.parameters else said)

        return {
            name: number(event["Properties"].get("ScalingConfig", {}).get("MaximumConcurrency", 0))
            for name, resource in self.resources.items()
            for event in resource.get("Properties", {}).get("Events", {}).values()
            if event["Type"] == "SQS"
        }

    def taken_back_by(self) -> set[str]:
        """The alarms that stop a release which takes over step by step."""
        functions = (resource.get("Properties", {}) for resource in self.resources.values())
        preferences = (function["DeploymentPreference"] for function in functions if "DeploymentPreference" in function)
        # What is behind `!If`: the condition, the alarms where it holds, and those where it does not.
        return {alarm for preference in preferences for alarm in preference["Alarms"][1]}

    def problems(self, given: dict[str, str], made: set[str]) -> list[str]:
        """What is wrong with the parameters of a stage, in one line each."""
        found = [f"{name} is no parameter of the template." for name in given if name not in self.parameters]
        for name, spec in self.parameters.items():
            if name in given:
                found += (f"{name} = '{given[name]}': {why}" for why in _wrong(spec, given[name]))
            elif "Default" not in spec and name not in made:
                found.append(f"{name} is missing: {spec.get('Description', 'see template.yaml')}")
        return found


def _wrong(spec: dict, value: str) -> list[str]:
    meaning = f" {spec['Description']}" if "Description" in spec else ""
    allowed = spec.get("AllowedValues")
    if allowed and value not in map(str, allowed):
        return [f"one of {', '.join(map(str, allowed))} is wanted.{meaning}"]
    if "AllowedPattern" in spec and not re.fullmatch(spec["AllowedPattern"], value):
        return [f"it has to look like {spec['AllowedPattern']}.{meaning}"]
    if not int(spec.get("MinLength", 0)) <= len(value) <= int(spec.get("MaxLength", 4096)):
        return [f"it is too short or too long.{meaning}"]
    if spec.get("Type") == "Number":
        try:
            number = float(value)
        except ValueError:
            return [f"a number is wanted.{meaning}"]
        if not float(spec.get("MinValue", "-inf")) <= number <= float(spec.get("MaxValue", "inf")):
            return [f"it is out of bounds.{meaning}"]
    return []
