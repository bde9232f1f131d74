"""A stack, by change sets: made or changed, or found as it should be. Whatever state a run that was broken off has left
it in, the next run goes on from there.

A change set that takes away or replaces what holds data is refused unless it is allowed by name.
"""

import time
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from botocore.exceptions import ClientError

from .aws import Refused

SETTLED = {
    "CREATE_COMPLETE",
    "UPDATE_COMPLETE",
    "UPDATE_ROLLBACK_COMPLETE",
    "IMPORT_COMPLETE",
    "IMPORT_ROLLBACK_COMPLETE",
}
# The first creation failed: such a stack can only be deleted.
STILLBORN = {"ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED"}
HOLD_DATA = {"AWS::DynamoDB::Table", "AWS::SQS::Queue", "AWS::S3::Bucket", "AWS::KMS::Key"}
NO_CHANGES = ("didn't contain changes", "No updates are to be performed")
CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]
# CloudFront alone may take a quarter of an hour.
LIMIT_SECONDS = 3600


class Outcome(Enum):
    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


def describe(cloudformation: Any, name: str) -> dict | None:
    try:
        return cloudformation.describe_stacks(StackName=name)["Stacks"][0]
    except ClientError as error:
        if "does not exist" in str(error):
            return None
        raise


def outputs(cloudformation: Any, name: str) -> dict[str, str]:
    found = describe(cloudformation, name) or {}
    return {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", [])}


def parameters(cloudformation: Any, name: str) -> dict[str, str]:
    """As they are deployed; those that are not echoed are asterisks."""
    found = describe(cloudformation, name) or {}
    return {given["ParameterKey"]: given["ParameterValue"] for given in found.get("Parameters", [])}


def of_type(cloudformation: Any, name: str, kind: str) -> dict[str, str]:
    """The names in the template of all resources of a type, by those that AWS knows them by."""
    pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=name)
    return {
        made["PhysicalResourceId"]: made["LogicalResourceId"]
        for page in pages
        for made in page["StackResourceSummaries"]
        if made["ResourceType"] == kind and "PhysicalResourceId" in made
    }


def apply(
    cloudformation: Any,
    name: str,
    template: str,
    given: dict[str, str],
    *,
    may_replace: bool = False,
    leaving: Collection[str] = (),
    say: Callable[[str], None] = print,
    pause: float = 5,
) -> Outcome:
    """Brings the stack `name` to this template (its address in a bucket of the stack's region, or itself) and these parameters.
    `leaving`: what may leave it, since it is kept."""
    exists = _ready(cloudformation, name, say, pause)
    began = datetime.now(UTC)
    change_set = _change_set(cloudformation, name, template, given, exists, pause)
    if change_set is None:
        return Outcome.UNCHANGED
    lost = [] if may_replace else _lost(cloudformation, change_set, leaving)
    if lost:
        cloudformation.delete_change_set(ChangeSetName=change_set)
        raise Refused(
            f"This would take away or replace what holds data: {', '.join(lost)}. Nothing was changed. "
            "If it is meant (what is in it is copied, or not wanted), run the same command with REPLACE=yes."
        )
    say(
        f"{'Changing' if exists else 'Making'} the stack {name}: minutes, where the distribution changes a quarter of an hour."
    )
    cloudformation.execute_change_set(ChangeSetName=change_set)
    status = wait(cloudformation, name, pause)
    if status not in {"CREATE_COMPLETE", "UPDATE_COMPLETE"}:
        raise Refused(
            f"The stack {name} could not be {'changed' if exists else 'made'} ({status}), and is as it was before. Why:",
            *failures(cloudformation, name, began),
            "Mend that and run the same command again: it goes on from here.",
        )
    return Outcome.UPDATED if exists else Outcome.CREATED


def delete(cloudformation: Any, name: str, pause: float = 5) -> None:
    """Takes the stack away. What its template retains stays."""
    began = datetime.now(UTC)
    stack = describe(cloudformation, name)
    if stack is None:
        return
    # A deleted stack is found by its id only.
    cloudformation.delete_stack(StackName=stack["StackId"])
    status = wait(cloudformation, stack["StackId"], pause)
    if status not in {None, "DELETE_COMPLETE"}:
        raise Refused(
            f"The stack {name} could not be deleted ({status}). Why:",
            *failures(cloudformation, stack["StackId"], began),
            "Mend that and run the same command again.",
        )


def wait(cloudformation: Any, name: str, pause: float = 5) -> str | None:
    """Until nothing is under way. The state it then has; `None`: there is no such stack."""
    until = time.monotonic() + LIMIT_SECONDS
    while True:
        stack = describe(cloudformation, name)
        if stack is None:
            return None
        status = stack["StackStatus"]
        if status == "REVIEW_IN_PROGRESS" or not status.endswith("_IN_PROGRESS"):
            return status
        if time.monotonic() > until:
            raise Refused(
                f"The stack {name} has been {status} for an hour. Look at it in the console; then run this again."
            )
        time.sleep(pause)


def failures(cloudformation: Any, name: str, since: datetime) -> list[str]:
    """What failed since then, the first first: that is the cause, the rest is what was cancelled with it."""
    found = []
    for page in cloudformation.get_paginator("describe_stack_events").paginate(StackName=name):
        for event in page["StackEvents"]:
            if event["Timestamp"] < since:
                return found[::-1]
            reason = event.get("ResourceStatusReason", "")
            if event["ResourceStatus"].endswith("_FAILED") and "cancelled" not in reason:
                found.append(f"  {event['LogicalResourceId']} ({event['ResourceType']}): {reason}")
    return found[::-1]


def _ready(cloudformation: Any, name: str, say: Callable[[str], None], pause: float) -> bool:
    """Ends what another run has left. Whether the stack exists, and can be changed."""
    status = wait(cloudformation, name, pause)
    if status in STILLBORN:
        say(f"The stack {name} was never finished ({status}): it is deleted and made anew.")
        delete(cloudformation, name, pause)
        return False
    if status == "UPDATE_ROLLBACK_FAILED":
        say(f"The last change of {name} was not undone to its end: that is done first.")
        cloudformation.continue_update_rollback(StackName=name)
        status = wait(cloudformation, name, pause)
    if status == "UPDATE_FAILED":
        say(f"The last change of {name} failed and stands half done: it is undone first.")
        cloudformation.rollback_stack(StackName=name)
        status = wait(cloudformation, name, pause)
    if status in {None, "REVIEW_IN_PROGRESS"}:
        return False
    if status == "DELETE_FAILED":
        raise Refused(f"The stack {name} is half deleted. Finish that first: make destroy.")
    if status not in SETTLED:
        raise Refused(
            f"The stack {name} is {status}: nothing can be changed in that state. Look at its events in the console."
        )
    return True


def _change_set(
    cloudformation: Any, name: str, template: str, given: dict[str, str], exists: bool, pause: float
) -> str | None:
    """`None`: there is nothing to change."""
    where = "TemplateURL" if template.startswith(("https://", "http://")) else "TemplateBody"
    try:
        made = cloudformation.create_change_set(
            StackName=name,
            ChangeSetName=f"deploy-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}",
            ChangeSetType="UPDATE" if exists else "CREATE",
            Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in sorted(given.items())],
            Capabilities=CAPABILITIES,
            **{where: template},
        )["Id"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "ValidationError":
            raise
        raise Refused(
            f"CloudFormation does not take the template or its parameters: {error.response['Error']['Message']}"
        ) from error
    while True:
        change_set = cloudformation.describe_change_set(ChangeSetName=made, StackName=name)
        if change_set["Status"] == "CREATE_COMPLETE":
            return made
        if change_set["Status"] == "FAILED":
            break
        time.sleep(pause)
    reason = change_set.get("StatusReason", "")
    cloudformation.delete_change_set(ChangeSetName=made, StackName=name)
    if exists and any(words in reason for words in NO_CHANGES):
        return None
    if not exists:
        delete(cloudformation, name, pause)
    raise Refused(f"CloudFormation does not take the template or its parameters: {reason}")


def _lost(cloudformation: Any, change_set: str, leaving: Collection[str]) -> list[str]:
    lost = []
    for page in cloudformation.get_paginator("describe_change_set").paginate(ChangeSetName=change_set):
        for change in page["Changes"]:
            what = change["ResourceChange"]
            removed = what["Action"] == "Remove"
            stays = removed and what["LogicalResourceId"] in leaving and what.get("PolicyAction") == "Retain"
            if (removed or what.get("Replacement") == "True") and not stays and what["ResourceType"] in HOLD_DATA:
                lost.append(what["LogicalResourceId"])
    return lost
