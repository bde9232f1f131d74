"""A stage: one installation of the product, as stages/<name>.toml describes it. There are no secrets in that file."""

import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

from .aws import Refused

ROOT = Path(__file__).resolve().parents[2]
STAGES = ROOT / "stages"
# CloudFormation keeps 25 characters or so of a stack's name in the name that it makes for a function, and "fpl-leagues-" are
# twelve of them: under a longer name ApiRole's "<stack>-*" would be no function's, and every call of the API a 500.
NAME = re.compile(r"[a-z][a-z0-9-]{0,12}")
KNOWN = {"account", "region", "production", "web_acl", "requests_per_five_minutes", "parameters"}
# The parameter that says how a release takes over, and its value that no alarm stops.
SHIFT, ALL_AT_ONCE = "ReleaseShift", "AllAtOnce"
# What the command itself finds or makes.
MADE = {
    "AccessTokenPublicKeys",
    "EdgeSecret",
    "EdgeSecretHashes",
    "SecretsPrefix",
    "SecretsVersion",
    "PublicOrigin",
    "WebAclArn",
    "Release",
}


@dataclass(frozen=True)
class Stage:
    name: str
    account: str
    region: str
    production: bool = False
    web_acl: bool = False
    requests_per_five_minutes: int = 5000
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def stack(self) -> str:
        return f"fpl-leagues-{self.name}"

    @property
    def web_acl_stack(self) -> str:
        return f"{self.stack}-web-acl"

    @property
    def secrets_prefix(self) -> str:
        return f"/{self.stack}"

    @property
    def artifacts(self) -> str:
        """The bucket of what was deployed; the account's stages share it."""
        return f"fpl-leagues-artifacts-{self.account}-{self.region}"

    @property
    def domain(self) -> str:
        return self.parameters.get("DomainName", "")

    @property
    def shifts(self) -> bool:
        """Whether a release takes over step by step, and is stopped by an alarm that rings."""
        return self.parameters.get(SHIFT, ALL_AT_ONCE) != ALL_AT_ONCE

    def all_at_once(self) -> "Stage":
        """For a release that takes over whatever rings."""
        return replace(self, parameters={**self.parameters, SHIFT: ALL_AT_ONCE})


def read(name: str, folder: Path = STAGES) -> Stage:
    if not NAME.fullmatch(name):
        raise Refused(
            "STAGE names the installation, in small letters, digits and hyphens, 13 at the most: make deploy STAGE=test. "
            f"Known: {known(folder)}."
        )
    path = folder / f"{name}.toml"
    if not path.is_file():
        raise Refused(
            f"There is no {path.name} in stages/. Known: {known(folder)}. "
            f"Make one: cp stages/example.toml stages/{name}.toml, and fill it in."
        )
    try:
        described = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"stages/{path.name} cannot be read: {error}.") from error
    return parse(name, described)


def known(folder: Path) -> str:
    return ", ".join(sorted(path.stem for path in folder.glob("*.toml") if path.stem != "example")) or "none"


def parse(name: str, described: dict) -> Stage:
    where = f"stages/{name}.toml"
    wrong = [f"{where}: '{key}' means nothing here." for key in described.keys() - KNOWN]
    account, region = described.get("account"), described.get("region")
    if not isinstance(account, str) or not re.fullmatch(r"\d{12}", account):
        wrong.append(
            f'{where}: account = "the twelve digits of the AWS account" is missing (aws sts get-caller-identity).'
        )
    if not isinstance(region, str) or not re.fullmatch(r"[a-z]{2}(-[a-z]+)+-\d", region):
        wrong.append(f'{where}: region is missing, for example region = "eu-west-1".')
    for key in ("production", "web_acl"):
        if not isinstance(described.get(key, False), bool):
            wrong.append(f"{where}: {key} is true or false, without quotes.")
    rate = described.get("requests_per_five_minutes", 5000)
    if not isinstance(rate, int) or isinstance(rate, bool) or rate < 100:
        wrong.append(f"{where}: requests_per_five_minutes is a whole number, 100 at the least.")
    given = described.get("parameters", {})
    wrong += [f"{where}: {key} is made by the command and is not set by hand." for key in given if key in MADE]
    if wrong:
        raise Refused(*wrong)
    return Stage(
        name,
        account,
        region,
        described.get("production", False),
        described.get("web_acl", False),
        rate,
        {key: text(value) for key, value in given.items()},
    )


def text(value: object) -> str:
    """A parameter as CloudFormation takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(text(item) for item in value)
    return str(value)
