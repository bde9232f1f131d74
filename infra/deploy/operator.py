"""The operator's commands on a deployed table, by the same code as the local run's: given to the binary `local`, which gets
a deployed function's settings and the operator's own credentials."""

import getpass
import os
import subprocess
import sys

from . import stack
from .aws import Aws, Refused
from .commands import own_account
from .stage import ROOT, Stage

PROGRAM = ["cargo", "run", "--locked", "--quiet", "-p", "local", "--"]
ACTS = ("admin", "no-admin", "lost-second-factor")


def run(stage: Stage, aws: Aws, act: str, email: str) -> None:
    own_account(stage, aws)
    if not email:
        raise Refused(f"Whose account? make {act} STAGE={stage.name} EMAIL=wanjiku@example.co.ke")
    _local(stage, aws, act, email)


def paybill_address(stage: Stage, aws: Aws, *, registered: bool = False) -> None:
    """Shows where M-Pesa is to confirm payments to the paybill, for Safaricom's people to register it. `registered`: they have,
    and it is noted as if M-Pesa had taken it. The address holds a secret: it is in no file, no log and no command line."""
    own_account(stage, aws)
    if registered:
        _local(stage, aws, "paybill-registered", given=_typed())
    elif sys.stdout.isatty():
        _local(stage, aws, "paybill-address")
    else:
        raise Refused("The address holds a secret, and is shown on a terminal only.")


def _typed() -> str:
    if sys.stdin.isatty():
        return getpass.getpass("The ConfirmationURL that Safaricom has registered (unseen): ")
    return sys.stdin.read()


def _local(stage: Stage, aws: Aws, *words: str, given: str | None = None) -> None:
    command, env = [*PROGRAM, "deployed", *words], {**os.environ, **settings(stage, aws)}
    if subprocess.run(command, cwd=ROOT, env=env, input=given, text=True, check=False).returncode:
        raise Refused(f"{words[0]} was not done: what it says is above.")


def settings(stage: Stage, aws: Aws) -> dict[str, str]:
    """Those of the deployed functions, which are the same for all, and who is asking."""
    resources = aws.client("cloudformation").describe_stack_resource
    function = resources(StackName=stage.stack, LogicalResourceId="SignUpFunction")["StackResourceDetail"][
        "PhysicalResourceId"
    ]
    deployed = aws.client("lambda").get_function_configuration(FunctionName=function)["Environment"]["Variables"]
    if "TableName" not in stack.outputs(aws.client("cloudformation"), stage.stack):
        raise Refused(f"{stage.name} is not deployed to its end: make deploy STAGE={stage.name} first.")
    own = aws.session.get_credentials().get_frozen_credentials()
    token = {"AWS_SESSION_TOKEN": own.token} if own.token else {}
    return {
        **deployed,
        "AWS_REGION": stage.region,
        "AWS_ACCESS_KEY_ID": own.access_key,
        "AWS_SECRET_ACCESS_KEY": own.secret_key,
        **token,
    }
