"""deploy, rollback, secrets: what each does, step by step. Each step may be done again."""

import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from . import checks, customer_key, domain, package, secrets, stack, table, web
from .aws import Aws, Refused
from .releases import Release, Releases
from .stage import Stage
from .template import Template

WEB_ACL = Path(__file__).parent / "web-acl.yaml"
TRY_SECONDS = 20


def deploy(stage: Stage, aws: Aws, *, may_replace: bool = False, anyway: bool = False) -> None:
    """`anyway`: whatever alarm rings, which then takes nothing back."""
    if anyway:
        stage = stage.all_at_once()
    template = Template.read()
    check(stage, template, aws)
    package.build()
    s3 = aws.client("s3")
    package.bucket(s3, stage.artifacts, stage.region)
    code = package.zipped({"bootstrap": package.BINARY.read_bytes()}, executable=True)
    page = package.zipped(package.folder(package.PAGE))
    code_key = package.keep(s3, stage.artifacts, "functions", "zip", code)
    deployed = template.with_code(stage.artifacts, code_key).encode()
    release = Release(
        commit=package.commit(),
        template=package.keep(s3, stage.artifacts, "templates", "yaml", deployed),
        page=package.keep(s3, stage.artifacts, "pages", "zip", page),
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        parameters=stage.parameters,
    )
    releases = Releases(s3, stage.artifacts, stage.name)
    bring(
        stage,
        aws,
        release,
        Template.parse(deployed.decode()),
        package.PAGE,
        may_replace=may_replace,
        before_stack=releases.coming,
    )
    noted = releases.note(release)
    print(f"Release {noted.number} ({noted.commit}) is live.")
    leave_web_acl(stage, aws)
    ending(stage, aws)


def check(stage: Stage, template: Template, aws: Aws) -> None:
    """Looks at everything, and goes on only if nothing is missing."""
    found = checks.look(stage, template, aws)
    for warning in found.warnings:
        print(f"Note: {warning}")
    if found.problems:
        count = f"{len(found.problems)} things are" if len(found.problems) > 1 else "One thing is"
        raise Refused(f"{count} missing; nothing was deployed:", *(f"  - {problem}" for problem in found.problems))


def bring(
    stage: Stage,
    aws: Aws,
    release: Release,
    template: Template,
    page: Path,
    *,
    may_replace: bool = False,
    before_stack: Callable[[], None] = lambda: None,
) -> None:
    """Stack first, then the page: an old page works with the new API, the other way round it may not."""
    cloudformation = aws.client("cloudformation")
    ssm = aws.client("ssm")
    made = secrets.make_missing(ssm, stage.secrets_prefix, stage.parameters.get("KeyArn", ""))
    if made:
        print(f"Made at random, unseen: {', '.join(made)}.")
    url = address(aws, stage, release.template)
    given = parameters(stage, aws, template, release.parameters)
    if not may_replace:
        table.left(stack.parameters(cloudformation, stage.stack), given)
    left = customer_key.leave_others(ssm, stage.secrets_prefix, given.get("KeyArn", ""))
    if left:
        print(f"Encrypted with a key that is not this stage's any more, and now with SSM's own: {', '.join(left)}.")
    # The stack's own stays then, outside of the stack: the template retains it.
    leaving = {"Table"} if given.get("ExistingTableName") else set()

    def apply() -> stack.Outcome:
        given_now = template.released(given)
        return stack.apply(cloudformation, stage.stack, url, given_now, may_replace=may_replace, leaving=leaving)

    before_stack()
    outcome = apply()
    if "PublicOrigin" in given and not stage.domain:
        origin = stack.outputs(cloudformation, stage.stack)["Url"]
        if given["PublicOrigin"] != origin:
            print("The distribution has its address now: the functions are told.")
            given["PublicOrigin"] = origin
            apply()
    print(f"The stack {stage.stack} is {outcome.value}.")
    moved = customer_key.come_under(ssm, stage.secrets_prefix, given.get("KeyArn", ""))
    if moved:
        print(f"Encrypted with the stage's key now: {', '.join(moved)}.")
    existing, key = given.get("ExistingTableName", ""), given.get("KeyArn", "")
    if existing and table.come_under(aws.client("dynamodb"), aws.client("kms"), existing, key):
        print(f"The table {existing} comes under {'the key of the stage' if key else 'a key of AWS'} now, which takes minutes.")
    protect(cloudformation, stage)
    outputs = stack.outputs(cloudformation, stage.stack)
    origin = f"https://{stage.domain}" if stage.domain else outputs["Url"]
    s3 = aws.client("s3")
    interrupted = web.begin(s3, stage.artifacts, stage.name)
    changed = web.upload(s3, outputs["WebBucket"], page, origin, datetime.now(UTC))
    caller = f"{stage.name}-{release.page}-{datetime.now(UTC):%Y%m%d%H%M%S}"
    stale = [web.EVERYTHING] if interrupted else changed
    web.invalidate(aws.client("cloudfront"), outputs["DistributionId"], stale, caller)
    web.end(s3, stage.artifacts, stage.name)
    print(f"The page: {len(changed)} files changed." if changed else "The page is unchanged.")


def address(aws: Aws, stage: Stage, key: str) -> str:
    """Of a template in the bucket, as CloudFormation wants it."""
    endpoint = aws.client("s3").meta.endpoint_url
    if endpoint.endswith(".amazonaws.com"):
        return f"https://{stage.artifacts}.s3.{stage.region}.amazonaws.com/{key}"
    return f"{endpoint}/{stage.artifacts}/{key}"


def parameters(stage: Stage, aws: Aws, template: Template, before: dict[str, str] | None = None) -> dict[str, str]:
    """The stage's, with what the command makes itself; of these what the template has. `before`: a former release's, for
    what its template has and the stage has no more."""
    ssm = aws.client("ssm")
    secret, hashes = secrets.edge(ssm, stage.secrets_prefix)
    deployed = stack.outputs(aws.client("cloudformation"), stage.stack)
    made = {
        "AccessTokenPublicKeys": secrets.get(ssm, stage.secrets_prefix, secrets.PUBLIC_HALF),
        "EdgeSecret": secret,
        "EdgeSecretHashes": hashes,
        "SecretsPrefix": stage.secrets_prefix,
        "SecretsVersion": secrets.version(ssm, stage.secrets_prefix),
        "PublicOrigin": "" if stage.domain else deployed.get("Url", ""),
        "WebAclArn": web_acl(stage, aws) if stage.web_acl else "",
    }
    if stage.domain and "CertificateArn" not in stage.parameters:
        made["CertificateArn"] = domain.issued(aws.at_the_edge("acm"), stage.domain) or ""
    known = {**(before or {}), **stage.parameters, **made}
    return {name: value for name, value in known.items() if name in template.parameters}


def web_acl(stage: Stage, aws: Aws) -> str:
    """The firewall before the distribution. It has to be in us-east-1, and so is a stack of its own."""
    given = {"RequestsPerFiveMinutes": str(stage.requests_per_five_minutes)}
    cloudformation = aws.at_the_edge("cloudformation")
    # The bucket is in the stage's region: the template goes along.
    stack.apply(cloudformation, stage.web_acl_stack, WEB_ACL.read_text(), given)
    return stack.outputs(cloudformation, stage.web_acl_stack)["Arn"]


def leave_web_acl(stage: Stage, aws: Aws) -> None:
    """One that was switched off costs as much as before: it goes, once no distribution names it."""
    cloudformation = aws.at_the_edge("cloudformation")
    if not stage.web_acl and stack.describe(cloudformation, stage.web_acl_stack) is not None:
        stack.delete(cloudformation, stage.web_acl_stack)
        print(f"The firewall is switched off: its stack {stage.web_acl_stack} is deleted.")


def protect(cloudformation: object, stage: Stage) -> None:
    """Nobody deletes a production stack by a click."""
    cloudformation.update_termination_protection(StackName=stage.stack, EnableTerminationProtection=stage.production)


def ending(stage: Stage, aws: Aws) -> None:
    """Where it is, and what only people can do now."""
    outputs = stack.outputs(aws.client("cloudformation"), stage.stack)
    origin = f"https://{stage.domain}" if stage.domain else outputs["Url"]
    print(f"\n{origin}\n")
    left = [_answers(origin, outputs, stage), *_unconfirmed(aws, outputs)]
    left.append(
        "M-Pesa is told the paybill's address within the hour by itself; the log of register-paybill says when. It works once "
        "Safaricom has put the paybill live (docs/runbook.md, 'Going live with Safaricom')."
    )
    left.append(
        f"The first admin: sign up on the page, then make admin STAGE={stage.name} EMAIL=…; two of them with full safeguards."
    )
    print("Left to do:")
    for step in filter(None, left):
        print(f"  - {step}")


def _answers(origin: str, outputs: dict[str, str], stage: Stage) -> str:
    try:
        with urllib.request.urlopen(f"{origin}/healthz", timeout=TRY_SECONDS) as answer:
            return "" if answer.status == 200 else f"{origin} answers {answer.status}: look at the logs."
    except urllib.error.HTTPError as error:
        return f"{origin}/healthz answers {error.code}: the functions' logs say why."
    except OSError as error:
        if stage.domain:
            target = outputs.get("DistributionDomain", outputs["Url"].removeprefix("https://"))
            return f"{origin} does not answer yet ({error}). In the domain's DNS: {stage.domain} CNAME {target} (Route 53: an alias)."
        return f"{origin} does not answer yet ({error}): try again in some minutes."


def _unconfirmed(aws: Aws, outputs: dict[str, str]) -> list[str]:
    if "AlarmsTopic" not in outputs:
        return []
    pages = aws.client("sns").get_paginator("list_subscriptions_by_topic").paginate(TopicArn=outputs["AlarmsTopic"])
    known = [found for page in pages for found in page["Subscriptions"]]
    waiting = [found["Endpoint"] for found in known if found["SubscriptionArn"] == "PendingConfirmation"]
    if not known:
        return ["Nobody is told of alarms: no address is subscribed to the topic."]
    return [
        f"{address} has a mail by AWS: its link has to be pressed, or no alarm reaches anybody." for address in waiting
    ]


def rollback(stage: Stage, aws: Aws, wanted: int | None = None, *, may_replace: bool = False) -> None:
    """The release before the live one, whole: functions, template and page belong together. All at once: step by step, the
    alarm that it is to silence would stop it."""
    own_account(stage, aws)
    stage = stage.all_at_once()
    s3 = aws.client("s3")
    releases = Releases(s3, stage.artifacts, stage.name)
    release = releases.before(wanted)
    print(f"Back to release {release.number} ({release.commit}), deployed {release.at}.")

    def kept(key: str) -> bytes:
        return s3.get_object(Bucket=stage.artifacts, Key=key)["Body"].read()

    with tempfile.TemporaryDirectory() as folder:
        package.unzip(kept(release.page), Path(folder))
        bring(
            stage, aws, release, Template.parse(kept(release.template).decode()), Path(folder), may_replace=may_replace
        )
    releases.point_at(release.number)
    leave_web_acl(stage, aws)
    print(f"Release {release.number} is live. The next make deploy brings what is in this folder.")


def own_account(stage: Stage, aws: Aws) -> None:
    found = checks.Findings()
    if not checks.account(stage, aws, found):
        raise Refused(*found.problems)


def keep_secrets(stage: Stage, aws: Aws, rotated: str | None = None, *, leaked: bool = False) -> None:
    own_account(stage, aws)
    ssm, prefix = aws.client("ssm"), stage.secrets_prefix
    deployed = stack.parameters(aws.client("cloudformation"), stage.stack)
    key = stage.parameters.get("KeyArn", "")
    if deployed and deployed.get("KeyArn", "") != key:
        # The functions may not use it yet. `make deploy` brings what is kept meanwhile under it.
        key = secrets.SSMS_OWN
    if rotated:
        if rotated in secrets.BEFORE_ROTATION and sys.stdin.isatty():
            print(secrets.BEFORE_ROTATION[rotated])
            if input(f"Type {rotated} to go on: ") != rotated:
                raise Refused("Nothing was changed.")
        hashes = deployed.get("EdgeSecretHashes")
        print(f"{rotated} is changed. {secrets.rotate(ssm, prefix, rotated, hashes, key, leaked=leaked)}")
        return
    made = secrets.make_missing(ssm, prefix, key)
    print(f"Made at random, unseen: {', '.join(made)}." if made else "Everything that is made at random is there.")
    left = secrets.ask_missing(ssm, prefix, key)
    print(
        f"Still missing: {', '.join(left)}. Run this again when you have it."
        if left
        else "Everything of Safaricom's is there."
    )
