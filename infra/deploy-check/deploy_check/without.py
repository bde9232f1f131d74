"""Things taken away from the template, one at a time: each makes a named step of the check fail, or the check is worth nothing."""

from collections.abc import Callable
from dataclasses import dataclass

from . import short, watched


@dataclass
class Without:
    what: str
    take: Callable[[dict], None]
    """Takes it out of the translated template's resources."""
    steps: tuple
    """Those that are played; the last one has to fail."""
    because: str
    """And to say so."""


def _grant(resources: dict) -> None:
    for statement in resources["StartDepositRole"]["Properties"]["Policies"][0]["PolicyDocument"]["Statement"]:
        if any(action.startswith("sqs:") for action in statement["Action"]):
            statement["Action"] = ["sqs:GetQueueUrl"]


def _route(resources: dict) -> None:
    paths = resources["Api"]["Properties"]["Body"]["paths"]
    del paths["/api/deposits"]


def _redrive(resources: dict) -> None:
    del resources["PaymentsQueue"]["Properties"]["RedrivePolicy"]


def _schedule(resources: dict) -> None:
    rules = [name for name, of in resources.items() if of["Type"] == "AWS::Events::Rule" and name.startswith("SyncGameweek")]
    assert rules, "sync-gameweek has no rule"
    for name in rules:
        resources[name]["Properties"]["State"] = "DISABLED"


ALL = (
    Without(
        "start-deposit's right to send to its queue", _grant, (short.the_schedules, short.a_deposit), "POST /api/deposits: 503"
    ),
    Without("the route POST /api/deposits", _route, (short.the_schedules, short.a_deposit), "POST /api/deposits: 404"),
    Without("the payments queue's dead letters", _redrive, (watched.a_dead_letter,), "no dead letter comes of ['PaymentsQueue']"),
    Without("sync-gameweek's schedule", _schedule, (short.the_schedules,), "the first minute's schedule runs"),
)
