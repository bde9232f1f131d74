import re
import tomllib

import pytest
from deploy import stage
from deploy.aws import Refused
from deploy.template import Template

SOUND = {"account": "123456789012", "region": "eu-west-1"}
TEMPLATE = Template.parse("""
Parameters:
  MailFrom: { Type: String, AllowedPattern: '[^@]+@[^@]+', Description: Where mails come from. }
  Mode: { Type: String, Default: a, AllowedValues: [a, b] }
  Percent: { Type: Number, Default: 10, MinValue: 0, MaxValue: 100 }
  Many: { Type: Number, Default: 5, MinValue: 2 }
  EdgeSecret: { Type: String, NoEcho: true }
Globals:
  Function:
    CodeUri: target/lambda/bootstrap/
Resources:
  One:
    Type: AWS::Serverless::Function
    Properties:
      Role: !GetAtt Role.Arn
      Events:
        Queue: { Type: SQS, Properties: { Queue: !GetAtt Q.Arn, ScalingConfig: { MaximumConcurrency: !Ref Many } } }
  Two:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        Queue: { Type: SQS, Properties: { ScalingConfig: { MaximumConcurrency: 2 } } }
        Time: { Type: Schedule, Properties: { Schedule: rate(1 minute) } }
""")


def test_the_example_is_a_stage_whose_parameters_the_template_takes():
    example = stage.read("example")
    assert example.stack == "fpl-leagues-example"
    assert Template.read().problems(example.parameters, stage.MADE | {"CertificateArn"}) == []


def test_what_the_example_has_behind_a_hash_is_taken_as_well():
    text = re.sub(r"^# (\w+ = )", r"\1", (stage.STAGES / "example.toml").read_text(), flags=re.MULTILINE)
    every = stage.parse("example", tomllib.loads(text))
    assert {"DomainName", "ReservedConcurrency", "ReleaseShift", "Backups", "KeyArn", "Tracing"} <= every.parameters.keys()
    assert Template.read().problems(every.parameters, stage.MADE | {"CertificateArn"}) == []


def test_names_follow_from_the_stages_name():
    test = stage.parse("test", SOUND)
    assert (test.stack, test.secrets_prefix) == ("fpl-leagues-test", "/fpl-leagues-test")
    assert test.artifacts == "fpl-leagues-artifacts-123456789012-eu-west-1"


@pytest.mark.parametrize("name", ["", "../x", "Test", "a b", "1st", "production-two"])
def test_a_name_that_is_none_is_refused(name, tmp_path):
    with pytest.raises(Refused, match="STAGE names the installation"):
        stage.read(name, tmp_path)


def test_the_longest_name_leaves_a_functions_name_the_whole_stacks(tmp_path):
    longest = "production-13"
    (tmp_path / f"{longest}.toml").write_text('account = "123456789012"\nregion = "eu-west-1"\n')
    assert len(stage.read(longest, tmp_path).stack) == 25
    with pytest.raises(Refused, match="13 at the most"):
        stage.read(f"{longest}4", tmp_path)


def test_a_stage_that_is_not_there_is_named_with_those_that_are(tmp_path):
    (tmp_path / "live.toml").touch()
    with pytest.raises(Refused, match="Known: live.*cp stages/example.toml stages/test.toml"):
        stage.read("test", tmp_path)


def test_a_file_that_is_no_toml_is_refused(tmp_path):
    (tmp_path / "test.toml").write_text("account = 12 34")
    with pytest.raises(Refused, match="cannot be read"):
        stage.read("test", tmp_path)


def test_everything_that_is_wrong_is_told_at_once():
    wrong = {
        "account": 123,
        "regoin": "eu-west-1",
        "production": "yes",
        "requests_per_five_minutes": 0,
        "parameters": {"EdgeSecret": "x"},
    }
    with pytest.raises(Refused) as refused:
        stage.parse("test", wrong)
    told = "\n".join(refused.value.reasons)
    for word in ("'regoin'", "account =", "region is missing", "production is true", "requests_per_five", "EdgeSecret"):
        assert word in told


def test_parameters_are_text_for_cloudformation():
    given = {"A": 174379, "B": True, "C": ["x", "y"], "D": "z"}
    assert stage.parse("test", {**SOUND, "parameters": given}).parameters == {
        "A": "174379",
        "B": "true",
        "C": "x,y",
        "D": "z",
    }


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, ["MailFrom is missing: Where mails come from."]),
        ({"MailFrom": "nobody"}, ["MailFrom = 'nobody': it has to look like [^@]+@[^@]+. Where mails come from."]),
        ({"MailFrom": "a@b", "Mode": "c"}, ["Mode = 'c': one of a, b is wanted."]),
        ({"MailFrom": "a@b", "Percent": "101"}, ["Percent = '101': it is out of bounds."]),
        ({"MailFrom": "a@b", "Percent": "ten"}, ["Percent = 'ten': a number is wanted."]),
        ({"MailFrom": "a@b", "MailForm": "a@b"}, ["MailForm is no parameter of the template."]),
        ({"MailFrom": "a@b", "Mode": "b", "Percent": "100"}, []),
    ],
)
def test_a_parameter_that_the_template_would_refuse_is_told_before(given, told):
    assert TEMPLATE.problems(given, {"EdgeSecret"}) == told


def test_nothing_is_deployed_without_a_helpline():
    template = Template.read()
    assert any(line.startswith("Helpline is missing: A helpline") for line in template.problems({}, stage.MADE))
    wrong = [line for line in template.problems({"Helpline": ""}, stage.MADE) if line.startswith("Helpline")]
    assert wrong and "has to look like" in wrong[0]


def test_what_the_queues_start_is_known():
    assert TEMPLATE.at_once({}) == {"One": 5, "Two": 2}
    assert TEMPLATE.at_once({"Many": "40"}) == {"One": 40, "Two": 2}
    assert sum(Template.read().at_once({}).values()) >= 20


def test_the_deployed_template_names_the_package():
    assert "CodeUri: s3://bucket/functions/1.zip\n" in TEMPLATE.with_code("bucket", "functions/1.zip")
    assert "CodeUri: s3://bucket/1.zip" in Template.read().with_code("bucket", "1.zip")


def test_a_release_is_another_as_soon_as_anything_deployed_is():
    text = "Parameters: { Release: { Type: String }, MailFrom: { Type: String } }\n"
    of = Template.parse(text).released
    one = of({"MailFrom": "a@b"})
    assert len(one["Release"]) == 64
    assert of(one) == one == of({"MailFrom": "a@b"})
    assert of({"MailFrom": "c@d"})["Release"] != one["Release"]
    assert Template.parse(text + "# another package").released({"MailFrom": "a@b"})["Release"] != one["Release"]
    assert TEMPLATE.released({"MailFrom": "a@b"}) == {"MailFrom": "a@b"}
