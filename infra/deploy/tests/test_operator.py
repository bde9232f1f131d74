import io
from types import SimpleNamespace

import pytest
from deploy import operator, stack
from deploy.aws import Aws, Refused
from deploy.stage import parse

from .conftest import SESSION

STAGE = parse("test", {"account": "123456789012", "region": "eu-west-1"})


class Deployed:
    """A stack with one function that is looked at."""

    def describe_stack_resource(self, StackName, LogicalResourceId):
        assert (StackName, LogicalResourceId) == ("fpl-leagues-test", "SignUpFunction")
        return {"StackResourceDetail": {"PhysicalResourceId": "sign-up-1"}}

    def get_function_configuration(self, FunctionName):
        assert FunctionName == "sign-up-1"
        return {"Environment": {"Variables": {"TABLE_NAME": "t", "MAILS_QUEUE_URL": "https://mails"}}}


@pytest.fixture
def run(client, monkeypatch):
    aws, ran, given = Aws("eu-west-1", SESSION), [], []
    real = aws.client
    deployed = Deployed()
    monkeypatch.setattr(aws, "client", lambda name: deployed if name in {"cloudformation", "lambda"} else real(name))
    monkeypatch.setattr(stack, "describe", lambda *_: {"Outputs": [{"OutputKey": "TableName", "OutputValue": "t"}]})
    status = SimpleNamespace(returncode=0)

    def start(words, env, **how):
        ran.append((words, env))
        given.append(how["input"])
        return status

    monkeypatch.setattr(operator.subprocess, "run", start)
    return SimpleNamespace(
        act=lambda *of: operator.run(STAGE, aws, *of),
        address=lambda **how: operator.paybill_address(STAGE, aws, **how),
        ran=ran,
        given=given,
        status=status,
    )


def test_the_local_runs_command_gets_a_deployed_functions_settings_and_the_operators_own_credentials(run):
    run.act("admin", "wanjiku@example.co.ke")
    ((words, env),) = run.ran
    assert words[-3:] == ["deployed", "admin", "wanjiku@example.co.ke"]
    assert (env["TABLE_NAME"], env["MAILS_QUEUE_URL"], env["AWS_REGION"]) == ("t", "https://mails", "eu-west-1")
    assert env["AWS_ACCESS_KEY_ID"] == SESSION.get_credentials().access_key
    assert env["AWS_SECRET_ACCESS_KEY"] not in words


def test_what_the_command_refuses_is_refused(run):
    run.status.returncode = 1
    with pytest.raises(Refused, match="was not done"):
        run.act("admin", "nobody@example.co.ke")


def test_nobody_is_asked_for_by_name(run):
    with pytest.raises(Refused, match="Whose account"):
        run.act("no-admin", "")
    assert run.ran == []


@pytest.mark.parametrize("shown", [True, False])
def test_the_paybills_address_is_shown_on_a_terminal_and_goes_into_no_file(run, monkeypatch, shown):
    monkeypatch.setattr("sys.stdout", SimpleNamespace(isatty=lambda: shown, write=lambda _: None, flush=lambda: None))
    if not shown:
        with pytest.raises(Refused, match="on a terminal only"):
            run.address()
    else:
        run.address()
    assert [words[-2:] for words, _ in run.ran] == [["deployed", "paybill-address"]] * shown


def test_the_address_that_safaricom_registered_is_handed_on_and_is_in_no_command_line(run, monkeypatch):
    address = "https://play.example/hooks/c2b/confirm/1b"
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("getpass.getpass", lambda _: address)
    run.address(registered=True)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{address}\n"))
    run.address(registered=True)
    assert [given.strip() for given in run.given] == [address, address]
    assert all(words[-2:] == ["deployed", "paybill-registered"] for words, _ in run.ran)
    run.status.returncode = 1
    with pytest.raises(Refused, match="paybill-registered was not done"):
        run.address(registered=True)
