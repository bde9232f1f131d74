"""destroy: takes a stage away, unless other people's money is in it. Each step may be done again."""

import os
import re
import sys
from typing import Any

from . import checks, money, secrets, stack, web
from .aws import Aws, Refused
from .commands import own_account
from .stage import Stage


def destroy(stage: Stage, aws: Aws, *, everything: bool = False) -> None:
    """The tables stay, and the secrets, unless everything is to go."""
    own_account(stage, aws)
    cloudformation = aws.client("cloudformation")
    outputs = stack.outputs(cloudformation, stage.stack)
    tables = tables_of(stage, aws.client("dynamodb"), outputs.get("TableName"))
    # Once the stack is gone, nothing says it any more.
    of_sandbox = is_sandbox(stage, aws)
    if of_sandbox:
        print(
            "What its wallets hold is not looked at: it was paid to M-Pesa's sandbox. Whether the sandbox takes money from a "
            "real phone is not known; who misses money has to ask Safaricom."
        )
    else:
        refuse_where_money_is(stage, aws, tables, "and nothing was deleted")
    say_what_goes(stage, aws)
    if everything and not of_sandbox:
        say_what_is_unclaimed(aws, tables)
    confirmed(stage)
    take_stack(stage, aws, outputs.get("WebBucket"))
    if everything:
        if not of_sandbox:
            # Until the functions were gone, people could pay in.
            refuse_where_money_is(stage, aws, tables, "which has come in since: the tables stay")
        for table in tables:
            take_table(aws.client("dynamodb"), table)
        take_secrets(stage, aws.client("ssm"))
    else:
        for table in tables:
            print(
                f'The table {table} stays, with all that is in it. To use it again: ExistingTableName = "{table}" in the stage\'s file.'
            )
        print(
            f"The secrets stay under {stage.secrets_prefix} in SSM ({stage.region}). EVERYTHING=yes takes these away too."
        )
    for vault in vaults_of(stage, aws.client("backup")):
        print(
            f"The backup vault {vault} stays with its copies of the table, whatever goes, and costs by what is in it. "
            "To take it away: delete its recovery points, then the vault, in the console of AWS Backup."
        )
    print(f"What was deployed stays in the bucket {stage.artifacts}.")


def tables_of(stage: Stage, dynamodb: Any, in_use: str | None) -> list[str]:
    """The one in use, and those that a stack of this stage has left behind: they bear its name."""
    pages = dynamodb.get_paginator("list_tables").paginate()
    own = {name for page in pages for name in page["TableNames"] if name.startswith(f"{stage.stack}-Table-")}
    return sorted(own | ({in_use} if in_use else set()))


def vaults_of(stage: Stage, backup: Any) -> list[str]:
    """Those of this stage's stacks, the ones of before too: its name and the end of the stack's id."""
    pages = backup.get_paginator("list_backup_vaults").paginate()
    names = (vault["BackupVaultName"] for page in pages for vault in page["BackupVaultList"])
    return sorted(name for name in names if re.fullmatch(rf"{re.escape(stage.stack)}-[0-9a-f]{{12}}", name))


def say_what_goes(stage: Stage, aws: Aws) -> None:
    """Before the name is typed: what nobody gets back afterwards."""
    if stack.describe(aws.client("cloudformation"), stage.stack) is not None:
        print(
            "The functions' logs go with the stack, and with them the security log of a year. Export first what has to be kept "
            "(docs/runbook.md, 'Closing for a season')."
        )


def say_what_is_unclaimed(aws: Aws, tables: list[str]) -> None:
    """No account is owed it, but who paid may ask for it, and the table is what knows of it."""
    for table in tables:
        payments = money.unclaimed(aws.client("dynamodb"), table)
        if payments:
            print(f"Payments to the paybill that nobody has claimed, known to {table} alone: {', '.join(payments)}.")


def is_sandbox(stage: Stage, aws: Aws) -> bool:
    return checks.SANDBOX in stack.parameters(aws.client("cloudformation"), stage.stack).get("DarajaBaseUrl", "")


def refuse_where_money_is(stage: Stage, aws: Aws, tables: list[str], what: str) -> None:
    found = [f"  - {table}: {reason}" for table in tables for reason in money.reasons(aws.client("dynamodb"), table)]
    if found:
        raise Refused(
            f"There is other people's money in {stage.name}, {what}:",
            *found,
            "Pay it back first (docs/runbook.md, 'Closing for a season').",
        )


def confirmed(stage: Stage) -> None:
    """A production stage's name is typed, or stands in CONFIRM."""
    if not stage.production:
        return
    typed = os.environ.get("CONFIRM")
    if not typed and sys.stdin.isatty():
        typed = input(f"This takes the production stage {stage.name} away. Type its name: ")
    if typed != stage.name:
        raise Refused(f"Nothing was deleted: {stage.name} is a production stage, and its name was not typed.")


def take_stack(stage: Stage, aws: Aws, page: str | None) -> None:
    cloudformation = aws.client("cloudformation")
    if stack.describe(cloudformation, stage.stack) is None:
        print(f"There is no stack {stage.stack}.")
    else:
        cloudformation.update_termination_protection(StackName=stage.stack, EnableTerminationProtection=False)
        if page:
            web.empty(aws.client("s3"), page)
        print(f"Deleting {stage.stack}: the distribution takes a quarter of an hour.")
        stack.delete(cloudformation, stage.stack)
    stack.delete(aws.at_the_edge("cloudformation"), stage.web_acl_stack)


def take_table(dynamodb: Any, table: str) -> None:
    dynamodb.update_table(TableName=table, DeletionProtectionEnabled=False)
    dynamodb.get_waiter("table_exists").wait(TableName=table)
    dynamodb.delete_table(TableName=table)
    print(f"The table {table} is deleted.")


def take_secrets(stage: Stage, ssm: Any) -> None:
    for name in sorted(secrets.there(ssm, stage.secrets_prefix)):
        ssm.delete_parameter(Name=f"{stage.secrets_prefix}/{name}")
    print(f"The secrets under {stage.secrets_prefix} are deleted.")
