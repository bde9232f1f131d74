"""What has to be there before anything is deployed. All of it is looked at, and all that is missing is told at once; what can
be made is made on the way (a certificate's request, a domain's introduction to SES)."""

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field

from botocore.exceptions import BotoCoreError, ClientError

from . import customer_key, domain, package, secrets, sender, stack, table
from .aws import EDGE_REGION, Aws
from .stage import ALL_AT_ONCE, MADE, ROOT, SHIFT, Stage
from .template import Template

# Besides what the queues start: for people, and for AWS itself.
SPARE = 20
# What AWS wants left when some is reserved.
UNRESERVED = 100
# Where Safaricom gives what it gives.
SANDBOX = "sandbox.safaricom.co.ke"


@dataclass
class Findings:
    # Nothing is deployed while there is one of these.
    problems: list[str] = field(default_factory=list)
    # What works, and is not as it should be for people's money.
    warnings: list[str] = field(default_factory=list)

    def weigh(self, stage: Stage, *found: str) -> None:
        """What production must have, and a trial may go without."""
        (self.problems if stage.production else self.warnings).extend(found)


def look(stage: Stage, template: Template, aws: Aws) -> Findings:
    found = Findings()
    _tools(found)
    _parameters(stage, template, found)
    if not account(stage, aws, found):
        return found
    for check in (_region, _key, _secrets, _table, _certificate, _sender, _at_once, _safaricom, _off, _ringing):
        _tried(check, stage, template, aws, found)
    return found


def _tried(check: Callable, stage: Stage, template: Template, aws: Aws, found: Findings) -> None:
    try:
        check(stage, template, aws, found)
    except ClientError as error:
        found.problems.append(
            f"AWS refuses to tell ({error.operation_name}): {error.response['Error'].get('Message', error)}"
        )
    except BotoCoreError as error:
        found.problems.append(f"AWS does not answer: {error}")


def _tools(found: Findings) -> None:
    asked = subprocess.run(["infra/needs.sh"], cwd=ROOT, capture_output=True, text=True, check=False)
    found.problems += [
        line.removeprefix("needed first: ") + " is not on this machine." for line in asked.stderr.splitlines()
    ]
    if shutil.which("rustup") is None and shutil.which("cargo"):
        found.warnings.append(
            "rustup is not here: the functions run on arm64, so Rust's standard library for aarch64 has to be there."
        )

    if package.commit().endswith("+"):
        found.warnings.append(
            "Files differ from what git has: what is deployed can be gone back to, but not be found in the history."
        )


def _parameters(stage: Stage, template: Template, found: Findings) -> None:
    where = f"stages/{stage.name}.toml, [parameters]: "
    found.problems += [where + problem for problem in template.problems(stage.parameters, MADE)]
    if stage.parameters.get("CertificateArn") and not stage.domain:
        found.problems.append(f"{where}CertificateArn without DomainName: which domain is it for?")
    if not stage.domain:
        found.weigh(
            stage,
            f"{where}without DomainName the address is one of CloudFront's; M-Pesa and players need one that stays.",
        )


def account(stage: Stage, aws: Aws, found: Findings) -> bool:
    try:
        account = aws.client("sts").get_caller_identity()["Account"]
    except (BotoCoreError, ClientError) as error:
        found.problems.append(
            f"AWS does not know who is asking ({error}). Log in first: aws configure sso, then export AWS_PROFILE=… "
            "(docs/deploy.md, 'An account')."
        )
        return False
    if account != stage.account:
        found.problems.append(
            f"These credentials are of the account {account}, and the stage {stage.name} is in {stage.account}. "
            "Take others (AWS_PROFILE), or mend the stage's file."
        )
        return False
    return True


def _region(stage: Stage, _template: Template, aws: Aws, found: Findings) -> None:
    known = aws.session.get_available_regions("lambda")
    if stage.region not in known:
        found.problems.append(
            f"stages/{stage.name}.toml: there is no region {stage.region}. Known: {', '.join(known)}."
        )
        return
    # Answers in every region that the account may use.
    aws.client("cloudformation").describe_stacks()


def _key(stage: Stage, _template: Template, aws: Aws, found: Findings) -> None:
    arn = stage.parameters.get("KeyArn")
    if arn:
        found.problems += customer_key.problems(aws.client("kms"), arn, stage.region)


def _secrets(stage: Stage, _template: Template, aws: Aws, found: Findings) -> None:
    there = secrets.there(aws.client("ssm"), stage.secrets_prefix)
    lost = [name for name in secrets.RANDOM if name not in there]
    if lost and stack.describe(aws.client("cloudformation"), stage.stack) is not None:
        found.problems.append(
            f"Secrets of a stage that is deployed are gone: {', '.join(lost)}. Restore them, or know what you do "
            f"(docs/runbook.md, 'Secrets') and make new ones: make secrets STAGE={stage.name}"
        )
    asked = [name for name in secrets.SAFARICOMS if name not in there]
    if asked:
        found.problems.append(
            f"What only Safaricom gives is missing: {', '.join(asked)}. make secrets STAGE={stage.name} asks for it."
        )


def _table(stage: Stage, template: Template, aws: Aws, found: Findings) -> None:
    name = stage.parameters.get("ExistingTableName")
    if name:
        dynamodb = aws.client("dynamodb")
        found.problems += table.problems(dynamodb, name, template.resources["Table"]["Properties"])
        found.weigh(stage, *table.unkept(dynamodb, name))


def _certificate(stage: Stage, _template: Template, aws: Aws, found: Findings) -> None:
    if not stage.domain:
        return
    acm = aws.at_the_edge("acm")
    arn = stage.parameters.get("CertificateArn")
    if arn:
        wrong = domain.wrong_with(acm, arn, stage.domain)
        if wrong:
            found.problems.append(wrong)
    elif domain.issued(acm, stage.domain) is None:
        asked = domain.ask_for(acm, stage.domain)
        found.problems.append(f"{stage.domain} has no certificate in {EDGE_REGION} yet; one is asked for. {asked}")


def _sender(stage: Stage, _template: Template, aws: Aws, found: Findings) -> None:
    ses = aws.client("sesv2")
    if "MailFrom" in stage.parameters:
        found.problems += sender.problems(ses, stage.parameters["MailFrom"])
    if sender.in_sandbox(ses):
        found.weigh(
            stage,
            "SES is in its sandbox here: mails reach verified addresses only, so nobody else can reset a password. "
            f"Ask for production access (a day): SES console, {stage.region}, 'Get set up'.",
        )


def _at_once(stage: Stage, template: Template, aws: Aws, found: Findings) -> None:
    limit = aws.client("lambda").get_account_settings()["AccountLimit"]["ConcurrentExecutions"]
    by_queue = template.at_once(stage.parameters)
    queues = sum(by_queue.values())
    reserved = {
        name: str(resource["Properties"]["ReservedConcurrentExecutions"])
        for name, resource in template.resources.items()
        if "ReservedConcurrentExecutions" in resource.get("Properties", {})
    }
    prompting = [name for name, of in reserved.items() if "PromptsAtOnce" in of]
    reserving = [name for name in reserved if name not in prompting]
    each = int(stage.parameters.get("ReservedConcurrency", 0))
    kept = len(reserving) * each + len(prompting) * int(stage.parameters.get("PromptsAtOnce", 0))
    for name in reserving:
        if 0 < each < by_queue.get(name, 0):
            found.problems.append(
                f"{name} has {each} executions kept for it (ReservedConcurrency), and its queue starts {by_queue[name]}: "
                "the others would be refused, and their messages end as dead letters. Keep more, or start fewer."
            )
    wanted = max(queues + SPARE, kept + UNRESERVED if kept else 0)
    if limit < wanted:
        found.weigh(
            stage,
            f"This account runs {limit} functions at once, and {wanted} are wanted (the queues alone start {queues}): requests "
            "are refused when it is busy. Ask for 1,000, which costs nothing: aws service-quotas request-service-quota-increase "
            f"--service-code lambda --quota-code L-B99A9384 --desired-value 1000 --region {stage.region}",
        )


def _off(stage: Stage, template: Template, _aws: Aws, found: Findings) -> None:
    """What is worth its price where people's money is, and nothing has by itself."""
    if not stage.production:
        return
    for name, off, what in (
        ("ReservedConcurrency", "0", "a crowd of readers can take executions from M-Pesa's callbacks and from jobs with money"),
        ("PromptsAtOnce", "0", "where M-Pesa is slow, prompts can take the executions of all other calls"),
        (SHIFT, ALL_AT_ONCE, "a release takes over at once, and no alarm takes it back by itself"),
        ("Backups", "false", "the table's copies reach back 35 days, and go with the table"),
    ):
        if name in template.parameters and str(stage.parameters.get(name, off)) == off:
            found.warnings.append(f"{name} is off: {what} (docs/deploy.md, \"Switches for production\").")


def _ringing(stage: Stage, template: Template, aws: Aws, found: Findings) -> None:
    """Which alarms ring, and what to do where one of them would stop the release."""
    cloudformation = aws.client("cloudformation")
    if stack.describe(cloudformation, stage.stack) is None:
        return
    names = stack.of_type(cloudformation, stage.stack, "AWS::CloudWatch::Alarm")
    pages = aws.client("cloudwatch").get_paginator("describe_alarms").paginate(StateValue="ALARM")
    known = {alarm["AlarmName"] for page in pages for alarm in page["MetricAlarms"]} & names.keys()
    ringing = sorted(names[name] for name in known)
    if ringing:
        found.warnings.append(f"Alarms that ring: {', '.join(ringing)}. docs/runbook.md says what to do.")
    stopping = [name for name in ringing if name in template.taken_back_by()]
    if stopping and stage.shifts:
        found.problems.append(
            f"Of the alarms that ring {', '.join(stopping)} would stop this release, which takes over step by step ({SHIFT}). "
            f"Mend the cause and wait until it rings no more, or bring the release all at once: make deploy STAGE={stage.name} "
            f"ANYWAY=yes. make rollback STAGE={stage.name} goes back whatever rings."
        )


def _safaricom(stage: Stage, _template: Template, _aws: Aws, found: Findings) -> None:
    """Shortcodes of the address that they are used at, and whether players' payments come into the account of payouts."""
    address = stage.parameters.get("DarajaBaseUrl", "")
    shortcodes = [value for name, value in stage.parameters.items() if re.search("Shortcode|PartyB|Paybill", name)]
    if stage.production and SANDBOX in address:
        found.problems.append("A production stage with M-Pesa's sandbox (DarajaBaseUrl): nobody could pay.")
    if SANDBOX not in address and set(shortcodes) & {"174379", "600992"}:
        found.problems.append(
            "M-Pesa's own address with shortcodes of its sandbox (174379, 600992): they are nobody's there."
        )
    float_of = stage.parameters.get("B2cShortcode")
    paid_to = {stage.parameters.get(name) for name in ("PaybillNumber", "DarajaPartyB", "DarajaShortcode")}
    if float_of and float_of not in paid_to and "FloatTakesIn" not in stage.parameters:
        found.problems.append(
            f"stages/{stage.name}.toml, [parameters]: withdrawals are paid from {float_of} (B2cShortcode), players pay to another "
            "shortcode, and FloatTakesIn is not said. FloatTakesIn = false where their payments stay in another account, or the "
            "books would miss them every night; FloatTakesIn = true where M-Pesa brings them into this one."
        )
