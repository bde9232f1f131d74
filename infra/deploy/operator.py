"""The operator's commands on a deployed table, by the same code as the local run's: given to the binary `local`, which gets
a deployed function's settings and the operator's own credentials."""

import os
import subprocess

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
    words = [*PROGRAM, "deployed", act, email]
    if subprocess.run(words, cwd=ROOT, env={**os.environ, **settings(stage, aws)}, check=False).returncode:
        raise Refused(f"{act} was not done: what it says is above.")


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
