"""What SAM makes of the template as it is, with the parameters that AWS gives it: what CloudFormation gets."""

import json
import logging
import re

import pytest
from deploy.stage import ROOT
from deploy.template import PATH
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

SHIFTED = {"JoinLeague", "ReceiveStkCallback", "SettleLeague", "SettlePayment", "StartEntryPayment"}
# CloudFormation takes a million bytes after the translation, and 500 resources.
BYTES, RESOURCES = 900_000, 480
# It complains that nobody collects its count of its own use.
logging.getLogger("samtranslator").setLevel(logging.CRITICAL)


class NoPolicies:
    def load(self):
        return {}


def translated(release):
    template = yaml_parse(PATH.read_text().replace("target/lambda/bootstrap/", "s3://bucket/key"))
    return transform(template, {"Release": release}, NoPolicies())


@pytest.fixture(scope="module")
def one():
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("AWS_DEFAULT_REGION", "eu-west-1")
        yield translated("a" * 64)


def of_kind(template, kind):
    return {name: of["Properties"] for name, of in template["Resources"].items() if of["Type"] == kind}


def test_cloudformation_takes_it_whole(one):
    assert len(one["Resources"]) < RESOURCES, "a second stack is due"
    assert len(json.dumps(one)) < BYTES
    said = re.search(r"the stack has some (\d+), and a test", (ROOT / "docs/decisions.md").read_text())
    assert said and abs(int(said[1]) - len(one["Resources"])) <= 10, f"docs/decisions.md: it has {len(one['Resources'])}"


def test_each_function_that_moves_money_shifts_by_a_group_of_its_own(one):
    assert of_kind(one, "AWS::CodeDeploy::DeploymentGroup").keys() == {f"{name}FunctionDeploymentGroup" for name in SHIFTED}
    assert len(of_kind(one, "AWS::CodeDeploy::Application")) == 1


def test_a_release_makes_new_versions_and_the_aliases_follow(one, monkeypatch):
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")

    def versions(template):
        aliases = of_kind(template, "AWS::Lambda::Alias")
        assert aliases.keys() == {f"{name}FunctionAliaslive" for name in SHIFTED}
        named = {alias["FunctionVersion"]["Fn::GetAtt"][0] for alias in aliases.values()}
        assert named == of_kind(template, "AWS::Lambda::Version").keys()
        return named

    first, second = versions(one), versions(translated("b" * 64))
    assert len(first) == len(second) == len(SHIFTED) and not first & second
