"""What the documents say of the deployment, held against it: figures, the table of leaks, and the runbook's commands."""

import re

from deploy import secrets
from deploy.stage import ROOT
from deploy.template import Template

DEPLOY = (ROOT / "docs/deploy.md").read_text()
RUNBOOK = (ROOT / "docs/runbook.md").read_text()
TEMPLATE = Template.read()
# What an operator has set before typing: the runbook's first paragraph says so, or its section.
SET = {"STAGE", "STACK", "URL", "TABLE", "TOKEN"}


def of_kind(kind):
    return {name: of["Properties"] for name, of in TEMPLATE.resources.items() if of["Type"] == kind}


def section(text, title):
    return text.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_how_much_the_queues_start_is_said():
    assert f"the queues alone start {sum(TEMPLATE.at_once({}).values())})" in DEPLOY


def test_the_costs_are_reckoned_with_what_there_is():
    functions = len(of_kind("AWS::Serverless::Function"))
    looked_at = 0
    for alarm in of_kind("AWS::CloudWatch::Alarm").values():
        metrics = alarm.get("Metrics", [alarm])
        looked_at += sum("MetricStat" in metric or "MetricName" in metric for metric in metrics)
    for said in (
        f"Lambda asks {len(TEMPLATE.at_once({}))} queues",
        f"{looked_at} of their own − 10 free; errors and throttles of each of {functions} functions",
    ):
        assert said in DEPLOY, f"docs/deploy.md, the table of costs, has to say: {said}"


def test_the_costs_add_up():
    rows = section(DEPLOY, "What it costs").split("|---|---|---|---|\n")[1].split("\n\n")[0].splitlines()
    rows = [[cell.strip(" *") for cell in row.strip("|").split("|")] for row in rows]
    sums = next(at for at, row in enumerate(rows) if row[0] == "sum")
    # The first one is of calls, not of money.
    for column in (1, 2, 3):
        total = sum(float(row[column]) for row in rows[1:sums])
        assert abs(total - float(rows[sums][column])) <= 0.5, (column, total)


def test_every_secret_has_a_row_where_a_leak_is_dealt_with():
    rows = [row for row in section(RUNBOOK, "A leak").splitlines() if row.startswith("|")]
    named = {name for row in rows for name in re.findall(r"`([a-z0-9-]+)`", row.split("|")[1])}
    assert named == set(secrets.NAMES)


def test_a_command_of_the_runbook_uses_nothing_that_is_set_nowhere():
    """Each variable is set in its own block or one of the section before it, or at the runbook's beginning."""
    head = RUNBOOK.split("\n|")[0]
    assert SET == set(re.findall(r"(?:^|\s)([A-Z]+)=", head)) | set(re.findall(r"^`([A-Z]+)` is", head, re.MULTILINE))
    for text in RUNBOOK.split("\n## ")[1:]:
        title, known = text.splitlines()[0], set(SET)
        for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
            known |= set(re.findall(r"(?:^|[\s;])([A-Z_]+)=", block)) | set(re.findall(r"\bfor ([A-Z_]+) in", block))
            used = set(re.findall(r"\$\{?([A-Z_]+)", block))
            assert used <= known, f"{title}: {sorted(used - known)} is set nowhere"
