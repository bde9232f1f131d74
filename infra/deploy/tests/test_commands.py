"""The commands as a whole, over a CloudFormation that does what it is told."""

from types import SimpleNamespace

import pytest
from deploy import checks, commands, destroy, package, secrets, stack, web
from deploy.aws import Aws, Refused
from deploy.releases import Releases
from deploy.stage import parse
from deploy.template import Template

from .conftest import SESSION

TEMPLATE = """
Parameters:
  PublicOrigin: { Type: String, Default: '' }
  EdgeSecret: { Type: String, NoEcho: true }
  EdgeSecretHashes: { Type: String }
  MailFrom: { Type: String }
Globals:
  Function:
    CodeUri: target/lambda/bootstrap/
"""
RESTORABLE = TEMPLATE.replace("Globals:", "  ExistingTableName: { Type: String, Default: '' }\nGlobals:")
WITH_ACL = TEMPLATE.replace("Globals:", "  WebAclArn: { Type: String, Default: '' }\nGlobals:")
WITH_KEY = TEMPLATE.replace("Globals:", "  KeyArn: { Type: String, Default: '' }\nGlobals:")
RESTORABLE_WITH_KEY = RESTORABLE.replace("Globals:", "  KeyArn: { Type: String, Default: '' }\nGlobals:")
WITH_SHIFT = TEMPLATE.replace("Globals:", "  ReleaseShift: { Type: String, Default: AllAtOnce }\nGlobals:")
URL = "https://d1.cloudfront.net"
ACL = "arn:aws:wafv2:us-east-1:123456789012:global/webacl/fpl-leagues-test/1"
BASIS = {"account": "123456789012", "region": "eu-west-1"}
GIVEN = {"MailFrom": "a@play.example", "DarajaBaseUrl": "https://api.safaricom.co.ke"}


class Stacks:
    def __init__(self, s3):
        self.s3, self.known, self.applied, self.protected = s3, {}, [], None
        # Under which client each stack was made, what was done in which order, and what is done at the next change.
        self.under, self.steps, self.meanwhile = {}, [], lambda: None

    def apply(self, cloudformation, name, url, given, **_):
        self.applied.append((name, url, dict(given)))
        self.under[name] = cloudformation
        self.steps.append(f"apply {name}")
        self.meanwhile()
        outcome = stack.Outcome.CREATED if name not in self.known else stack.Outcome.UPDATED
        if self.known.get(name) == (url, given):
            return stack.Outcome.UNCHANGED
        self.known[name] = (url, dict(given))
        return outcome

    def outputs(self, _cloudformation, name):
        if name.endswith("-web-acl"):
            return {"Arn": ACL} if name in self.known else {}
        made = {"Url": URL, "WebBucket": "page", "DistributionId": "E1", "TableName": "fpl-leagues-test-Table-1"}
        return made if name in self.known else {}

    def parameters(self, _cloudformation, name):
        return self.known[name][1] if name in self.known else {}

    def describe(self, _cloudformation, name):
        return {} if name in self.known else None

    def delete(self, _cloudformation, name):
        self.steps.append(f"delete {name}")
        self.known.pop(name, None)

    def update_termination_protection(self, EnableTerminationProtection, **_):
        self.protected = EnableTerminationProtection


@pytest.fixture
def world(client, bucket, monkeypatch, tmp_path):
    """A stage of which nothing is deployed, a build of it, and the table that its stack will make."""
    aws, stacks, invalidated = Aws("eu-west-1", SESSION), Stacks(bucket), []
    for name in ("apply", "outputs", "parameters", "describe", "delete"):
        monkeypatch.setattr(stack, name, getattr(stacks, name))
    monkeypatch.setattr(web, "invalidate", lambda _cloudfront, _id, changed, _caller: invalidated.extend(changed))
    monkeypatch.setattr(commands, "check", lambda *_: None)
    monkeypatch.setattr(commands, "_answers", lambda *_: "")
    monkeypatch.setattr(package, "build", lambda: None)
    monkeypatch.setattr(package, "BINARY", tmp_path / "bootstrap")
    monkeypatch.setattr(package, "PAGE", tmp_path / "dist")
    monkeypatch.setattr(Template, "read", staticmethod(lambda: Template.parse(TEMPLATE)))
    real = aws.client
    monkeypatch.setattr(aws, "client", lambda service: stacks if service == "cloudformation" else real(service))
    monkeypatch.setattr(aws, "at_the_edge", lambda service: f"{service} of us-east-1")
    client("dynamodb").create_table(
        TableName="fpl-leagues-test-Table-1",
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    )
    (tmp_path / "dist/assets").mkdir(parents=True)

    def build(version):
        (tmp_path / "bootstrap").write_text(f"binary {version}")
        (tmp_path / "dist/index.html").write_text(f"page {version}")
        (tmp_path / f"dist/assets/main-{version}.js").write_text(version)

    def page():
        return bucket.get_object(Bucket="page", Key="index.html")["Body"].read().decode()

    build("1")
    stage = parse("test", {**BASIS, "parameters": GIVEN})
    return SimpleNamespace(
        aws=aws, stacks=stacks, invalidated=invalidated, build=build, page=page, stage=stage, client=client
    )


def owe(world, amount):
    item = {"pk": {"S": "USER#1"}, "sk": {"S": "WALLET"}, "balance": {"N": str(amount)}}
    world.client("dynamodb").put_item(TableName="fpl-leagues-test-Table-1", Item=item)


def tables(world):
    return world.client("dynamodb").list_tables()["TableNames"]


def test_the_functions_are_told_the_address_as_soon_as_there_is_one(world, capsys):
    commands.deploy(world.stage, world.aws)
    assert [given["PublicOrigin"] for _, _, given in world.stacks.applied] == ["", URL]
    assert URL in capsys.readouterr().out
    world.stacks.applied.clear()
    commands.deploy(world.stage, world.aws)
    assert [given["PublicOrigin"] for _, _, given in world.stacks.applied] == [URL]


def test_a_stage_with_a_domain_knows_its_address_before(world, monkeypatch):
    monkeypatch.setattr(commands.domain, "issued", lambda *_: "arn:certificate")
    named = parse("test", {**BASIS, "parameters": {**GIVEN, "DomainName": "play.example"}})
    commands.deploy(named, world.aws)
    assert len(world.stacks.applied) == 1
    assert world.stacks.applied[0][2]["PublicOrigin"] == ""


def test_a_second_deployment_changes_nothing(world, capsys):
    commands.deploy(world.stage, world.aws)
    world.invalidated.clear()
    capsys.readouterr()
    commands.deploy(world.stage, world.aws)
    told = capsys.readouterr().out
    assert "is unchanged" in told and "The page is unchanged" in told and "Release 1" in told
    assert world.invalidated == []


def test_what_a_run_that_died_has_uploaded_is_fetched_anew_by_the_next(world, monkeypatch):
    commands.deploy(world.stage, world.aws)
    world.build("2")
    with monkeypatch.context() as dying:
        dying.setattr(web, "invalidate", lambda *_: (_ for _ in ()).throw(ConnectionError))
        with pytest.raises(ConnectionError):
            commands.deploy(world.stage, world.aws)
    assert world.page() == "page 2"
    world.invalidated.clear()
    commands.deploy(world.stage, world.aws)
    assert world.invalidated == [web.EVERYTHING]
    commands.deploy(world.stage, world.aws)
    assert world.invalidated == [web.EVERYTHING]


def test_only_what_the_template_has_is_given_to_it_and_no_secret_is_told(world, capsys):
    commands.deploy(world.stage, world.aws)
    given = world.stacks.applied[0][2]
    assert given.keys() == {"PublicOrigin", "EdgeSecret", "EdgeSecretHashes", "MailFrom"}
    ssm = world.client("ssm")
    assert given["EdgeSecret"] == secrets.get(ssm, "/fpl-leagues-test", "edge-secret")
    live = Releases(world.client("s3"), world.stage.artifacts, "test").live()
    assert given["EdgeSecret"] not in capsys.readouterr().out + str(live)


def test_going_back_brings_functions_and_page_of_before(world):
    commands.deploy(world.stage, world.aws)
    first = world.stacks.known[world.stage.stack][0]
    world.build("2")
    commands.deploy(world.stage, world.aws)
    assert world.stacks.known[world.stage.stack][0] != first
    commands.rollback(world.stage, world.aws)
    assert world.stacks.known[world.stage.stack][0] == first
    assert world.page() == "page 1"
    with pytest.raises(Refused, match="first one"):
        commands.rollback(world.stage, world.aws)


def test_no_alarm_stops_going_back_nor_a_release_that_is_to_come_anyway(world, monkeypatch):
    monkeypatch.setattr(Template, "read", staticmethod(lambda: Template.parse(WITH_SHIFT)))
    checked = []
    monkeypatch.setattr(commands, "check", lambda stage, *_: checked.append(stage.shifts))
    gradual = "Linear10PercentEvery1Minute"
    shifting = parse("test", {**BASIS, "parameters": {**GIVEN, "ReleaseShift": gradual}})

    def deployed():
        return world.stacks.known[world.stage.stack][1]["ReleaseShift"]

    commands.deploy(shifting, world.aws)
    assert deployed() == gradual
    world.build("2")
    commands.deploy(shifting, world.aws, anyway=True)
    assert deployed() == "AllAtOnce"
    commands.deploy(shifting, world.aws)
    assert deployed() == gradual
    commands.rollback(shifting, world.aws)
    assert (deployed(), world.page()) == ("AllAtOnce", "page 1")
    assert checked == [True, False, True]


def test_going_back_after_a_deployment_that_broke_off_is_to_what_was_live(world, monkeypatch):
    commands.deploy(world.stage, world.aws)
    world.build("2")
    commands.deploy(world.stage, world.aws)
    second = world.stacks.known[world.stage.stack][0]
    world.build("3")
    upload = web.upload

    def breaks_off(*_):
        raise OSError("the line is gone")

    monkeypatch.setattr(web, "upload", breaks_off)
    with pytest.raises(OSError, match="the line is gone"):
        commands.deploy(world.stage, world.aws)
    assert world.stacks.known[world.stage.stack][0] != second
    monkeypatch.setattr(web, "upload", upload)
    commands.rollback(world.stage, world.aws)
    assert (world.stacks.known[world.stage.stack][0], world.page()) == (second, "page 2")
    commands.rollback(world.stage, world.aws)
    assert world.page() == "page 1"


def test_what_a_former_template_wants_and_the_stage_has_no_more_is_still_known(world):
    commands.deploy(world.stage, world.aws)
    world.build("2")
    commands.deploy(world.stage, world.aws)
    commands.rollback(parse("test", BASIS), world.aws)
    assert world.stacks.applied[-1][2]["MailFrom"] == "a@play.example"


def test_a_stack_on_another_table_does_not_go_back_to_an_empty_one(world, monkeypatch):
    monkeypatch.setattr(Template, "read", staticmethod(lambda: Template.parse(RESTORABLE)))
    restored = parse("test", {**BASIS, "parameters": {**GIVEN, "ExistingTableName": "restored"}})
    commands.deploy(restored, world.aws)
    with pytest.raises(Refused, match='ExistingTableName = "restored"'):
        commands.deploy(world.stage, world.aws)
    assert world.stacks.known[world.stage.stack][1]["ExistingTableName"] == "restored"
    commands.deploy(world.stage, world.aws, may_replace=True)
    assert "ExistingTableName" not in world.stacks.known[world.stage.stack][1]


def test_a_firewall_is_made_in_us_east_1_of_its_template_and_named_to_the_distribution(world, monkeypatch):
    monkeypatch.setattr(Template, "read", staticmethod(lambda: Template.parse(WITH_ACL)))
    commands.deploy(parse("test", {**BASIS, "web_acl": True, "requests_per_five_minutes": 700, "parameters": GIVEN}), world.aws)
    (name, template, given), *_ = world.stacks.applied
    assert (name, given) == ("fpl-leagues-test-web-acl", {"RequestsPerFiveMinutes": "700"})
    # Itself: a bucket of another region is not read there.
    assert template == commands.WEB_ACL.read_text() and len(template) < 51_200
    assert world.stacks.under == {name: "cloudformation of us-east-1", world.stage.stack: world.stacks}
    assert world.stacks.known[world.stage.stack][1]["WebAclArn"] == ACL


def test_a_firewall_that_is_switched_off_goes_once_the_distribution_names_it_no_more(world, monkeypatch, capsys):
    monkeypatch.setattr(Template, "read", staticmethod(lambda: Template.parse(WITH_ACL)))
    commands.deploy(parse("test", {**BASIS, "web_acl": True, "parameters": GIVEN}), world.aws)
    world.stacks.steps.clear()
    commands.deploy(world.stage, world.aws)
    assert world.stacks.known.keys() == {world.stage.stack}
    assert world.stacks.known[world.stage.stack][1]["WebAclArn"] == ""
    assert world.stacks.steps == [f"apply {world.stage.stack}", "delete fpl-leagues-test-web-acl"]
    assert "The firewall is switched off" in capsys.readouterr().out
    commands.deploy(world.stage, world.aws)
    assert "firewall" not in capsys.readouterr().out


def test_secrets_go_from_one_key_to_another_and_can_be_read_all_the_while(world, monkeypatch):
    """Functions of before and of after the change use SSM's own key and the stack's, and no third one."""
    monkeypatch.setattr(Template, "read", staticmethod(lambda: Template.parse(WITH_KEY)))
    ssm, own = world.client("ssm"), secrets.SSMS_OWN
    one, other = (world.client("kms").create_key()["KeyMetadata"]["Arn"] for _ in range(2))

    def deployed(arn):
        commands.deploy(parse("test", {**BASIS, "parameters": {**GIVEN, "KeyArn": arn}}), world.aws)
        return set(secrets.keys(ssm, "/fpl-leagues-test").values())

    def kept():
        return {name: secrets.get(ssm, "/fpl-leagues-test", name) for name in secrets.RANDOM}

    assert deployed("") == {own}
    first = kept()
    assert deployed(one) == {one}
    during = []
    world.stacks.meanwhile = lambda: during.append(set(secrets.keys(ssm, "/fpl-leagues-test").values()))
    assert deployed(other) == {other}
    assert during and all(keys == {own} for keys in during)
    during.clear()
    assert deployed(other) == {other} == during[0]
    # What is made before the deployment that brings the key is for the functions of now.
    back = parse("test", {**BASIS, "parameters": {**GIVEN, "KeyArn": one}})
    commands.keep_secrets(back, world.aws, "refresh-key")
    assert secrets.keys(ssm, "/fpl-leagues-test")["refresh-key"] == own
    assert deployed("") == {own}
    assert {name for name, value in kept().items() if value != first[name]} == {"refresh-key"}


def test_a_table_outside_of_the_stack_comes_under_the_stages_key_once_the_roles_may_use_it(world, monkeypatch, capsys):
    monkeypatch.setattr(Template, "read", staticmethod(lambda: Template.parse(RESTORABLE_WITH_KEY)))
    table, key = "fpl-leagues-test-Table-1", world.client("kms").create_key()["KeyMetadata"]["Arn"]

    def under(SSESpecification, TableName):
        world.stacks.steps.append(f"{TableName} under {SSESpecification.get('KMSMasterKeyId')}")

    monkeypatch.setattr(world.aws.client("dynamodb"), "update_table", under)

    def deployed(**given):
        world.stacks.steps.clear()
        commands.deploy(parse("test", {**BASIS, "parameters": {**GIVEN, **given}}), world.aws)
        return [step for step in world.stacks.steps if "under" in step], world.stacks.steps[-1]

    assert deployed(KeyArn=key)[0] == [], "CloudFormation does it to the stack's own"
    assert deployed(ExistingTableName=table)[0] == []
    to = f"{table} under {key}"
    assert deployed(ExistingTableName=table, KeyArn=key) == ([to], to)
    assert f"The table {table} comes under the key of the stage now" in capsys.readouterr().out


def test_a_production_stack_is_not_deleted_by_a_click(world):
    commands.deploy(parse("test", {**BASIS, "production": True, "parameters": GIVEN}), world.aws)
    assert world.stacks.protected is True


def test_other_peoples_money_is_not_deleted(world):
    commands.deploy(world.stage, world.aws)
    owe(world, 50)
    for everything in (False, True):
        with pytest.raises(Refused, match="wallets hold KSh 50"):
            destroy.destroy(world.stage, world.aws, everything=everything)
    assert world.stage.stack in world.stacks.known
    assert tables(world) == ["fpl-leagues-test-Table-1"]


def test_nor_is_it_where_the_stack_is_gone_already(world):
    owe(world, 50)
    with pytest.raises(Refused, match="wallets hold KSh 50"):
        destroy.destroy(world.stage, world.aws, everything=True)


def test_what_is_paid_in_while_the_stack_goes_keeps_its_table(world, monkeypatch):
    commands.deploy(world.stage, world.aws)
    gone = stack.delete

    def paid_meanwhile(cloudformation, name):
        owe(world, 50)
        gone(cloudformation, name)

    monkeypatch.setattr(stack, "delete", paid_meanwhile)
    with pytest.raises(Refused, match="come in since") as refused:
        destroy.destroy(world.stage, world.aws, everything=True)
    assert "wallets hold KSh 50" in str(refused.value)
    assert (world.stacks.known, tables(world)) == ({}, ["fpl-leagues-test-Table-1"])
    assert secrets.there(world.client("ssm"), "/fpl-leagues-test")


def test_who_takes_everything_is_told_of_payments_that_nobody_has_claimed(world, monkeypatch, capsys):
    production = parse("test", {**BASIS, "production": True, "parameters": GIVEN})
    commands.deploy(production, world.aws)
    item = {"pk": {"S": "PAYBILL#SKX1"}, "sk": {"S": "PAYBILL"}, "judged": {"S": "unclaimed"}, "amount": {"N": "5000"}}
    world.client("dynamodb").put_item(TableName="fpl-leagues-test-Table-1", Item=item)
    for everything in (False, True):
        capsys.readouterr()
        with pytest.raises(Refused, match="its name was not typed"):
            destroy.destroy(production, world.aws, everything=everything)
        assert ("SKX1 (KSh 5,000)" in capsys.readouterr().out) == everything


def test_a_stage_with_m_pesas_sandbox_goes_whatever_its_wallets_hold(world, monkeypatch, capsys):
    monkeypatch.setattr(Template, "read", staticmethod(lambda: Template.parse(TEMPLATE + "  X: {}\n")))
    commands.deploy(world.stage, world.aws)
    world.stacks.known[world.stage.stack][1]["DarajaBaseUrl"] = f"https://{checks.SANDBOX}"
    owe(world, 50)
    destroy.destroy(world.stage, world.aws)
    assert world.stacks.known == {}
    assert "Whether the sandbox takes money from a real phone is not known" in capsys.readouterr().out


def test_what_is_destroyed_leaves_its_table_and_secrets(world, capsys):
    commands.deploy(world.stage, world.aws)
    destroy.destroy(world.stage, world.aws)
    assert world.stacks.known == {}
    assert 'ExistingTableName = "fpl-leagues-test-Table-1"' in capsys.readouterr().out
    assert tables(world) == ["fpl-leagues-test-Table-1"]
    assert secrets.there(world.client("ssm"), "/fpl-leagues-test")


def test_who_destroys_is_told_before_of_the_logs_that_go_and_after_of_the_vault_that_stays(world, monkeypatch, capsys):
    production = parse("test", {**BASIS, "production": True, "parameters": GIVEN})
    commands.deploy(production, world.aws)
    backup = world.client("backup")
    for name in ("fpl-leagues-test-0f0f0f0f0f0f", "fpl-leagues-test-two-0f0f0f0f0f0f", "fpl-leagues-test"):
        backup.create_backup_vault(BackupVaultName=name)
    capsys.readouterr()
    with pytest.raises(Refused, match="its name was not typed"):
        destroy.destroy(production, world.aws)
    assert "the security log of a year. Export first" in capsys.readouterr().out
    monkeypatch.setenv("CONFIRM", "test")
    destroy.destroy(production, world.aws, everything=True)
    told = [line.split()[3] for line in capsys.readouterr().out.splitlines() if line.startswith("The backup vault")]
    assert told == ["fpl-leagues-test-0f0f0f0f0f0f"]
    destroy.destroy(production, world.aws)
    assert "security log" not in capsys.readouterr().out


def test_unless_everything_is_to_go_also_by_a_second_run(world):
    commands.deploy(world.stage, world.aws)
    destroy.destroy(world.stage, world.aws)
    destroy.destroy(world.stage, world.aws, everything=True)
    assert tables(world) == []
    assert secrets.there(world.client("ssm"), "/fpl-leagues-test") == set()


@pytest.mark.parametrize("typed", [None, "yes", "tset"])
def test_a_production_stage_goes_by_its_name_only(world, monkeypatch, typed):
    stage = parse("test", {**BASIS, "production": True, "parameters": GIVEN})
    commands.deploy(stage, world.aws)
    if typed:
        monkeypatch.setenv("CONFIRM", typed)
    with pytest.raises(Refused, match="its name was not typed"):
        destroy.destroy(stage, world.aws)
    monkeypatch.setenv("CONFIRM", "test")
    destroy.destroy(stage, world.aws)
    assert (world.stacks.known, world.stacks.protected) == ({}, False)


def test_another_accounts_credentials_do_nothing(world):
    elsewhere = parse("test", {**BASIS, "account": "999999999999", "parameters": GIVEN})
    for command in (commands.rollback, destroy.destroy, commands.keep_secrets):
        with pytest.raises(Refused, match="of the account 123456789012"):
            command(elsewhere, world.aws)


def test_one_missing_thing_stops_it_before_anything_is_made(world, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setattr(checks, "look", lambda *_: checks.Findings(problems=["the certificate"]))
    monkeypatch.setattr(package, "build", lambda: pytest.fail("nothing is built while something is missing"))
    with pytest.raises(Refused, match="One thing is missing"):
        commands.deploy(world.stage, Aws("eu-west-1", SESSION))
