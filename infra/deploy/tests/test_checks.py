import boto3
import pytest
from botocore.exceptions import ClientError
from deploy import checks, domain, secrets, sender
from deploy.aws import Aws
from deploy.stage import parse
from deploy.template import Template

from .conftest import SESSION

TEMPLATE = Template.parse("""
Parameters:
  MailFrom: { Type: String }
  DarajaBaseUrl: { Type: String }
  DarajaShortcode: { Type: String }
  DarajaPartyB: { Type: String, Default: '' }
  PaybillNumber: { Type: String, Default: '' }
  B2cShortcode: { Type: String, Default: '' }
  FloatTakesIn: { Type: String, Default: 'true' }
  DomainName: { Type: String, Default: '' }
  CertificateArn: { Type: String, Default: '' }
  ReservedConcurrency: { Type: Number, Default: 0 }
  PromptsAtOnce: { Type: Number, Default: 0 }
  Many: { Type: Number, Default: 2 }
  ReleaseShift: { Type: String, Default: AllAtOnce }
  Backups: { Type: String, Default: 'false' }
  KeyArn: { Type: String, Default: '' }
Resources:
  One:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        Queue: { Type: SQS, Properties: { ScalingConfig: { MaximumConcurrency: 29 } } }
  Two:
    Type: AWS::Serverless::Function
    Properties:
      ReservedConcurrentExecutions: 5
      Events:
        Queue: { Type: SQS, Properties: { ScalingConfig: { MaximumConcurrency: !Ref Many } } }
  Prompting:
    Type: AWS::Serverless::Function
    Properties:
      ReservedConcurrentExecutions: !If [BoundsPrompts, !Ref PromptsAtOnce, !Ref AWS::NoValue]
  Shifted:
    Type: AWS::Serverless::Function
    Properties:
      DeploymentPreference: { Type: !Ref ReleaseShift, Alarms: !If [ShiftsReleases, [!Ref Errors, !Ref Doubt], []] }
""")
GIVEN = {
    "MailFrom": "no-reply@play.example",
    "DarajaBaseUrl": "https://sandbox.safaricom.co.ke",
    "DarajaShortcode": "174379",
}


def stage(*, account="123456789012", region="eu-west-1", production=False, **parameters):
    given = {key: value for key, value in {**GIVEN, **parameters}.items() if value is not None}
    return parse("test", {"account": account, "region": region, "production": production, "parameters": given})


class Everything:
    """An account in which nothing is missing, unless a test takes it away."""

    def __init__(self, client, monkeypatch):
        self.aws = Aws("eu-west-1", SESSION)
        ssm = client("ssm")
        secrets.make_missing(ssm, "/fpl-leagues-test")
        for name in secrets.SAFARICOMS:
            secrets.put(ssm, "/fpl-leagues-test", name, "given")
        self.limit, self.sandbox, self.verified, self.deployed = 1000, False, True, False
        monkeypatch.setattr(sender, "in_sandbox", lambda _: self.sandbox)
        monkeypatch.setattr(sender, "problems", lambda *_: [] if self.verified else ["MailFrom: not verified"])
        real = self.aws.client

        def of(service):
            return self if service in {"lambda", "cloudformation"} else real(service)

        monkeypatch.setattr(self.aws, "client", of)

    def describe_stacks(self, StackName=None):
        if StackName is None or self.deployed:
            return {"Stacks": [{}]}
        raise ClientError({"Error": {"Code": "ValidationError", "Message": "does not exist"}}, "DescribeStacks")

    def get_paginator(self, call):
        assert call == "list_stack_resources"
        return self

    def paginate(self, StackName):
        of = {"Errors": "AWS::CloudWatch::Alarm", "Others": "AWS::CloudWatch::Alarm", "Queue": "AWS::SQS::Queue"}
        made = [
            {"LogicalResourceId": name, "PhysicalResourceId": f"{StackName}-{name}-1", "ResourceType": kind}
            for name, kind in of.items()
        ]
        return [{"StackResourceSummaries": made}]

    def get_account_settings(self):
        return {"AccountLimit": {"ConcurrentExecutions": self.limit}}

    def look(self, **of):
        found = checks.look(stage(**of), TEMPLATE, self.aws)
        # What this machine lacks is another matter.
        return [told for told in found.problems if "not on this machine" not in told], [
            told for told in found.warnings if not told.startswith(("rustup", "Files differ"))
        ]


@pytest.fixture
def account(client, monkeypatch):
    return Everything(client, monkeypatch)


def test_where_nothing_is_missing_nothing_is_told(account):
    problems, warnings = account.look()
    assert problems == []
    assert [told for told in warnings if "DomainName" not in told] == []


def test_all_that_is_missing_is_told_at_once(account, client):
    account.limit, account.verified, account.sandbox = 10, False, True
    client("ssm").delete_parameter(Name="/fpl-leagues-test/daraja-passkey")
    problems, _ = account.look(production=True, MailFrom=None, Nonsense="1", DomainName="play.example")
    told = "\n".join(problems)
    for word in (
        "MailFrom is missing",
        "Nonsense is no parameter",
        "daraja-passkey",
        "no certificate in us-east-1",
        "in its sandbox here",
        "10 functions at once, and 51",
        "nobody could pay",
    ):
        assert word in told, word


def test_a_trial_may_go_without_what_production_must_have(account):
    account.limit, account.sandbox = 10, True
    problems, warnings = account.look()
    assert problems == []
    assert len(warnings) == 3


def test_another_account_is_refused_before_anything_is_asked_of_it(account):
    problems, _ = account.look(account="999999999999")
    assert any("of the account 123456789012, and the stage test is in 999999999999" in told for told in problems)


def test_who_is_not_logged_in_is_told_how(client, monkeypatch):
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    aws = Aws("eu-west-1", boto3.session.Session())
    found = checks.look(stage(), TEMPLATE, aws)
    assert any("aws configure sso" in told for told in found.problems)


def test_a_region_that_is_none_is_told(account):
    problems, _ = account.look(region="eu-west-9")
    assert any("no region eu-west-9" in told for told in problems)


def test_the_sandboxs_shortcodes_are_not_taken_to_m_pesa(account):
    problems, _ = account.look(DarajaBaseUrl="https://api.safaricom.co.ke")
    assert any("shortcodes of its sandbox" in told for told in problems)


def test_where_payouts_have_an_account_of_their_own_it_is_said_whether_payments_come_into_it(account):
    def told(**given):
        problems, _ = account.look(**given)
        return [problem for problem in problems if "FloatTakesIn is not said" in problem]

    (problem,) = told(PaybillNumber="174379", DarajaPartyB="174379", B2cShortcode="600992")
    assert problem.startswith("stages/test.toml, [parameters]: withdrawals are paid from 600992 (B2cShortcode)")
    for said in ("true", "false"):
        assert told(B2cShortcode="600992", FloatTakesIn=said) == []
    for paid_to in ("PaybillNumber", "DarajaPartyB", "DarajaShortcode"):
        assert told(**{paid_to: "600992"}, B2cShortcode="600992") == []


def test_what_is_reserved_needs_a_larger_account(account):
    account.limit = 103
    assert account.look()[1] == [told for told in account.look()[1] if "DomainName" in told]
    _, warnings = account.look(ReservedConcurrency="5")
    assert any("103 functions at once, and 105" in told for told in warnings)
    _, warnings = account.look(PromptsAtOnce="150")
    assert any("103 functions at once, and 250" in told for told in warnings)


def test_a_queue_starts_no_more_than_is_kept_for_its_function(account):
    problems, _ = account.look(ReservedConcurrency="5", Many="6")
    assert any("Two has 5 executions kept for it" in told and "starts 6" in told for told in problems)
    problems, _ = account.look(ReservedConcurrency="5")
    assert not any("executions kept" in told for told in problems)


def test_a_production_stage_is_told_which_switches_are_off(account):
    off = {"ReservedConcurrency is off", "PromptsAtOnce is off", "ReleaseShift is off", "Backups is off"}

    def told(**given):
        _, warnings = account.look(**given)
        return {warning.split(":")[0] for warning in warnings} & off

    assert told(production=True) == off
    assert told(production=True, ReservedConcurrency="5") == off - {"ReservedConcurrency is off"}
    on = {"ReservedConcurrency": "5", "PromptsAtOnce": "50", "ReleaseShift": "Canary10Percent10Minutes"}
    assert told(production=True, **on) == {"Backups is off"}
    assert told(production=True, **on, Backups="true") == set()
    assert told() == set()


def test_an_alarm_that_would_stop_the_release_is_named_with_what_to_do(account, client):
    watch = client("cloudwatch")

    def ring(name, state="ALARM"):
        watch.put_metric_alarm(
            AlarmName=name,
            MetricName="Any",
            Namespace="Any",
            Period=60,
            EvaluationPeriods=1,
            Threshold=0,
            ComparisonOperator="GreaterThanThreshold",
        )
        watch.set_alarm_state(AlarmName=name, StateValue=state, StateReason="a test")

    def told(**given):
        problems, warnings = account.look(**given)
        return problems, [warning for warning in warnings if "ring" in warning]

    shift = {"ReleaseShift": "Canary10Percent10Minutes"}
    ring("fpl-leagues-test-Errors-1")
    assert told(**shift) == ([], []), "nothing is deployed"
    account.deployed = True
    ring("fpl-leagues-test-Errors-1", "OK")
    ring("fpl-leagues-test-Others-1")
    ring("fpl-leagues-other-Errors-1")
    note = "Alarms that ring: Others. docs/runbook.md says what to do."
    assert told(**shift) == ([], [note]), "it stops nothing"
    ring("fpl-leagues-test-Errors-1")
    (problem,), (note,) = told(**shift)
    assert note.startswith("Alarms that ring: Errors, Others.")
    assert problem.startswith("Of the alarms that ring Errors would stop this release")
    assert "make deploy STAGE=test ANYWAY=yes" in problem and "make rollback STAGE=test" in problem
    for all_at_once in ({}, {"ReleaseShift": "AllAtOnce"}):
        assert told(**all_at_once) == ([], [note])


def test_a_secret_of_a_deployed_stage_that_is_gone_is_not_made_anew(account, client):
    client("ssm").delete_parameter(Name="/fpl-leagues-test/draw-key")
    assert account.look()[0] == []
    account.deployed = True
    problems, _ = account.look()
    assert any("gone: draw-key" in told for told in problems)


def test_a_key_of_ones_own_is_there_is_on_and_is_in_the_stages_region(account, client):
    kms = client("kms")
    key = kms.create_key()["KeyMetadata"]
    assert account.look(KeyArn=key["Arn"])[0] == []
    elsewhere = client("kms", "eu-west-2").create_key()["KeyMetadata"]["Arn"]
    signs = kms.create_key(KeyUsage="SIGN_VERIFY", KeySpec="RSA_2048")["KeyMetadata"]["Arn"]
    nowhere = key["Arn"][:-36] + "0f0f0f0f-0000-0000-0000-000000000000"
    kms.disable_key(KeyId=key["KeyId"])
    for arn, told in {
        elsewhere: "the key is in eu-west-2, and the stage in eu-west-1",
        nowhere: "there is no such key in eu-west-1",
        signs: "a key for RSA_2048, and a symmetric one is wanted",
        key["Arn"]: "the key is Disabled, not Enabled",
    }.items():
        problems, _ = account.look(KeyArn=arn)
        assert [told in problem for problem in problems] == [True], (arn, problems)
    assert account.look(KeyArn="mine")[0] == [], "the template's pattern refuses it, and nothing breaks here"


def test_a_certificate_is_asked_for_once_and_its_record_told(account, client):
    for _ in range(2):
        problems, _ = account.look(DomainName="play.example")
        assert any("no certificate" in told and "CNAME" in told for told in problems)
    acm = client("acm", "us-east-1")
    found = acm.list_certificates()["CertificateSummaryList"]
    assert len(found) == 1


@pytest.mark.parametrize(
    ("name", "of", "covered"),
    [
        ("play.example", "play.example", True),
        ("Play.Example", "play.example", True),
        ("*.example", "play.example", True),
        ("*.example", "a.play.example", False),
        ("example", "play.example", False),
        ("*.play.example", "play.example", False),
    ],
)
def test_which_certificate_is_good_for_a_domain(name, of, covered):
    assert domain.covers(name, of) is covered


def test_a_certificate_of_another_region_or_domain_is_told(client):
    acm = client("acm", "us-east-1")
    elsewhere = client("acm").request_certificate(DomainName="play.example")["CertificateArn"]
    another = acm.request_certificate(DomainName="other.example")["CertificateArn"]
    assert "us-east-1 only" in domain.wrong_with(acm, elsewhere, "play.example")
    assert "it is for other.example" in domain.wrong_with(acm, another, "play.example")
    assert "no such certificate" in domain.wrong_with(
        acm, f"{another[:-36]}{'0' * 8}-0000-0000-0000-{'0' * 12}", "play.example"
    )


def test_a_sender_that_ses_does_not_know_is_introduced_with_its_records(client):
    ses = client("sesv2")
    (told,) = sender.problems(ses, "no-reply@play.example")
    assert "play.example" in told
    assert [found["IdentityName"] for found in ses.list_email_identities()["EmailIdentities"]] == ["play.example"]
