"""What SAM makes of the template as it is, with the parameters that AWS gives it: what CloudFormation gets."""

import json
import logging
import re

import pytest
from deploy.stage import ALL_AT_ONCE, ROOT, SHIFT
from deploy.template import PATH, Template
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


def test_an_alarm_stops_what_takes_over_step_by_step_and_nothing_else(one):
    names = ["ApiErrorsAlarm", "FunctionErrorsAlarm", "PaymentsInDoubtAlarm"]
    assert Template.read().taken_back_by() == set(names)
    stopped = {"Enabled": True, "Alarms": [{"Name": {"Ref": name}} for name in names]}
    for name, group in of_kind(one, "AWS::CodeDeploy::DeploymentGroup").items():
        assert group["AlarmConfiguration"] == {"Fn::If": ["ShiftsReleases", stopped, {}]}, name
    shift = one["Parameters"]["ReleaseShift"]
    assert (SHIFT, shift["Default"]) == ("ReleaseShift", ALL_AT_ONCE)


def test_no_schedule_runs_before_the_address_is_known(one):
    # The draw's rule has a name: sync-gameweek sets its time.
    schedules = [rule for rule in of_kind(one, "AWS::Events::Rule").values() if "Name" not in rule]
    assert len(schedules) == 8
    for rule in schedules:
        assert rule["State"] == {"Fn::If": ["KnowsOrigin", "ENABLED", "DISABLED"]}


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
