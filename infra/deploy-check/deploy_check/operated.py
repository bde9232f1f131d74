"""What an operator does after the first deployment, by the commands (infra/deploy): secrets that change, releases, a
deployment that was broken off, a restored table, and the end, which is refused while there is money."""

import shutil
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest import mock

import urllib3
from deploy import commands, stack, web
from deploy.aws import Refused

from . import short
from .people import PASSWORD, Person, eventually
from .whole import Cast, two_admins
from .world import World

# What may change while players are on the page and prompts are out.
QUIET = ("access-token-key", "refresh-key", "hook-keys", "push-key", "security-log-key", "unsubscribe-key")
STATUS = "/api/deposits/status?checkoutId="


def a_creation_that_fails_is_begun_anew(world: World) -> None:
    """The next `make deploy` takes away what the failed one left, but for a table."""
    world.stack.build(world.stack.template, world.stack.bootstrap, world.stack.page, _broken)
    told = _refused(world.stack.deploy)
    assert "Taken (AWS::SSM::Parameter)" in told, told
    world.stack.build(world.stack.template, world.stack.bootstrap, world.stack.page)
    assert "never finished" in world.deploy()


def a_second_run_changes_nothing(world: World) -> None:
    told = world.stack.deploy()
    for said in ("is unchanged.", "The page is unchanged.", "Release 1 "):
        assert said in told, told
    assert "healthz" not in told, f"what is deployed does not answer: {told}"


def first_keys_change(world: World) -> None:
    """Of the draw and of second factors: while no gameweek is open, and no admin has one."""
    for name in ("draw-key", "totp-key"):
        world.stack.rotate(name)
    world.stack.deploy()


def keys_change_under_players(cast: Cast) -> None:
    """Who is on the page stays there; a prompt that was sent before is credited by M-Pesa's callback."""
    world, player = cast.world, short.a_deposit(cast.world)
    cast.players.append(player)
    world.advance(minutes=11)
    player.renew()
    started = _prompt(world, player, 100)
    before = world.stack.secrets()
    for name in QUIET:
        world.stack.rotate(name)
    changed = {name for name, value in world.stack.secrets().items() if value != before.get(name)}
    assert changed == {*QUIET, "access-token-public-key", "push-public-key", "version"}, changed
    world.stack.deploy()
    answer = player.request("GET", "/api/user")
    assert answer.status == 200, f"the token of before the change: {answer.status}"
    assert player.request("POST", "/refresh").status == 200, "the cookie of before the change"
    player.renew()
    callbacks = world.lines("receive-stk-callback")
    world.answer_prompt(player.phone)
    eventually(lambda: player.get(STATUS + started)["status"] == "SUCCESS", "a prompt under the old key is credited")
    assert world.lines("receive-stk-callback") > callbacks, "M-Pesa's callback came under the old key"
    world.advance(minutes=11)
    world.deposit(player, 100)
    assert player.wallet() == 400


def keys_that_leaked_are_not_believed(cast: Cast) -> None:
    """An old token is refused and a new one given by the cookie; a callback under the old key is nobody's, and M-Pesa is asked."""
    world, player = cast.world, cast.players[0]
    world.advance(minutes=11)
    player.renew()
    old, started = player.token, _prompt(world, player, 100)
    for name in ("access-token-key", "hook-keys"):
        world.stack.rotate(name, leaked=True)
    world.stack.deploy()
    assert player.token == old and player.request("GET", "/api/user").status == 401, "a token of the key that leaked"
    assert player.request("POST", "/refresh").status == 200, "the cookie is still good"
    player.renew()
    world.answer_prompt(player.phone)
    world.until(lambda: player.get(STATUS + started)["status"] == "SUCCESS", "M-Pesa is asked, and the prompt credited")
    assert player.wallet() == 500


def the_key_of_second_factors_changes(cast: Cast) -> None:
    """An admin's is lost with it: taken away by the command, and begun anew."""
    world, admin = cast.world, cast.admin
    world.stack.rotate("totp-key")
    world.stack.deploy()
    form = {"email": admin.email, "password": PASSWORD, "totp": admin.code()}
    assert admin.request("POST", "/api/login", form).status >= 400, "a code under the key of before"
    for lost in (admin, cast.second):
        world.stack.operate("lost-second-factor", lost.email)
    admin.totp = None
    admin.log_in()
    admin.totp = admin.post("/api/admin/totp", {"password": PASSWORD})["secret"]
    admin.post("/api/admin/totp/confirm", {"password": PASSWORD, "code": admin.code()})
    assert admin.get("/api/admin/switches")
    world.stack.operate("no-admin", cast.second.email)
    cast.second.totp = None
    cast.second.log_in().refused(403, "GET", "/api/admin/switches")
    assert "was not done" in _refused(world.stack.operate, "admin", "nobody@example.co.ke")


def what_safaricom_gives_changes(cast: Cast) -> None:
    """A wrong passkey: prompts fail and nothing is taken. The right one again, and they go on."""
    world, player = cast.world, cast.players[0]
    world.advance(minutes=11)
    right = world.stack.secrets()["daraja-passkey"]
    world.stack.rotate("daraja-passkey", typed="not-it\n")
    world.stack.deploy()
    form = {"phone": player.phone, "amount": 100, "userId": player.id}
    assert "Nothing was taken" in player.refused(400, "POST", "/api/deposits", form)
    world.stack.rotate("daraja-passkey", typed=right)
    for name in ("daraja-consumer-key", "daraja-consumer-secret", "daraja-certificate", "b2c-initiator-password", "query-initiator-password"):
        world.stack.rotate(name, typed=world.stack.secrets()[name])
    world.stack.deploy()
    world.advance(minutes=11)
    world.deposit(player, 100)
    assert player.wallet() == 600


def the_edges_secret_changes(cast: Cast) -> None:
    """In three steps, after each of which the page answers; none is taken before the one before is deployed."""
    world, player = cast.world, cast.players[0]
    first = world.stack.secrets()["edge-secret"]
    for step in ("Step 1 of 3", "Step 2 of 3", "Step 3 of 3"):
        assert step in world.stack.rotate("edge-secret")
        assert "not deployed yet" in _refused(world.stack.rotate, "edge-secret")
        world.stack.deploy()
        assert player.wallet() == 600
    assert world.stack.secrets()["edge-secret"] != first
    assert _direct(world, first) == 403, "the old one is taken no more"
    assert _direct(world, world.stack.secrets()["edge-secret"]) == 200


def a_release_and_back(cast: Cast) -> None:
    """Functions and page of a second release, the first ones again, the second by its number."""
    world, player, of = cast.world, cast.players[0], cast.world.stack
    first = (_code(world), _page(world))
    bootstrap, page = of.bootstrap, of.page
    of.build(of.template, *_another(world.folder, bootstrap, page))
    assert "Release 2 " in of.deploy()
    second = (_code(world), _page(world))
    assert all(old != new for old, new in zip(first, second, strict=True)), "functions and page are the second release's"
    assert player.wallet() == 600
    assert "Release 1 is live" in of.run(commands.rollback)
    of.look()
    assert (_code(world), _page(world)) == first
    assert player.wallet() == 600
    assert "first one" in _refused(of.run, commands.rollback)
    of.run(commands.rollback, 2)
    of.look()
    assert (_code(world), _page(world)) == second
    of.build(of.template, bootstrap, page)


def a_deployment_that_was_broken_off(cast: Cast) -> None:
    """Between the stack and the page, and one whose change failed: the next one ends what is half done."""
    world, player, of = cast.world, cast.players[0], cast.world.stack
    first = _page(world)
    with _dying_at(web, "upload"):
        of.deploy()
    assert _page(world) == first
    told = of.deploy()
    assert "is unchanged." in told and "files changed" in told, told
    assert _page(world) != first and player.wallet() == 600
    of.build(of.template, of.bootstrap, of.page, _broken)
    assert "Taken (AWS::SSM::Parameter)" in _refused(of.deploy)
    assert player.wallet() == 600, "what was there before is there again"
    of.build(of.template, of.bootstrap, of.page)
    of.deploy()
    world.person("njeri").sign_up()


def a_restored_table(cast: Cast) -> None:
    """As the runbook has it: a wallet is damaged, the table of before takes the place of the one in use."""
    world, player, of = cast.world, cast.players[0], cast.world.stack
    dynamodb, table = world.emulator.client("dynamodb"), of.outputs["TableName"]
    restored = f"{table}-restored"
    dynamodb.restore_table_to_point_in_time(SourceTableName=table, TargetTableName=restored, UseLatestRestorableTime=True)
    key = {"pk": {"S": f"USER#{player.id}"}, "sk": {"S": "WALLET"}}
    damage = {"Key": key, "UpdateExpression": "SET balance = :none", "ExpressionAttributeValues": {":none": {"N": "0"}}}
    dynamodb.update_item(TableName=table, **damage)
    assert player.wallet() == 0
    own = of.stage
    of.stage = replace(own, parameters={**own.parameters, "ExistingTableName": restored})
    assert "point-in-time recovery, expiry (ttl), deletion protection" in of.deploy()
    assert of.outputs["TableName"] == restored
    _kept(dynamodb, restored)
    told = of.deploy()
    assert "is unchanged." in told and "is without" not in told, told
    player.log_in()
    assert player.wallet() == 600
    world.advance(minutes=11)
    world.deposit(player, 50)
    assert player.wallet() == 650
    of.operate("admin", cast.second.email)
    cast.second.log_in()
    assert cast.second.get("/api/admin/players?q=wanjiku")
    assert table in dynamodb.list_tables()["TableNames"], "the table of before is kept"
    # Whose file has not got the line would have an empty table.
    of.stage = own
    assert f'ExistingTableName = "{restored}"' in _refused(of.deploy)
    of.stage = replace(own, parameters={**own.parameters, "ExistingTableName": restored})
    dynamodb.update_item(TableName=table, **{**damage, "ExpressionAttributeValues": {":none": {"N": "600"}}})


def destroyed_when_nobody_is_owed_anything(cast: Cast) -> None:
    """Refused while there is money, in a table that is out of use too; the table that stays can be built on."""
    world, player, of = cast.world, cast.players[0], cast.world.stack
    dynamodb, restored = world.emulator.client("dynamodb"), of.outputs["TableName"]
    table = restored.removesuffix("-restored")
    for everything in (False, True):
        told = _refused(of.destroy, everything=everything)
        assert f"{restored}: wallets hold KSh 650" in told and f"{table}: wallets hold KSh 600" in told, told
    assert player.wallet() == 650
    dynamodb.update_table(TableName=table, DeletionProtectionEnabled=False)
    dynamodb.delete_table(TableName=table)
    asked = player.post("/api/withdraw", {"mpesaNumber": player.phone, "amount": 650})["_id"]
    assert "withdrawals wait" in _refused(of.destroy)
    # A number is not the player's own for its first day.
    world.advance(hours=25)
    cast.admin.post(f"/api/withdraw/{asked}/pay")
    world.until(lambda: player.get("/api/withdraw")[0]["status"] == "done", "the withdrawal is paid")
    assert f'ExistingTableName = "{restored}"' in of.destroy()
    assert not of.is_there()
    of.deploy()
    world.front.domain = of.outputs["DistributionDomain"]
    assert player.log_in().wallet() == 0
    of.destroy(everything=True)
    assert dynamodb.list_tables()["TableNames"] == [] and of.secrets() == {}


STEPS = (
    keys_change_under_players,
    keys_that_leaked_are_not_believed,
    two_admins,
    the_key_of_second_factors_changes,
    what_safaricom_gives_changes,
    the_edges_secret_changes,
    a_release_and_back,
    a_deployment_that_was_broken_off,
    a_restored_table,
    destroyed_when_nobody_is_owed_anything,
)


@contextmanager
def _dying_at(module, name: str):
    """The command ends there, as if by a hand on the keyboard."""
    try:
        with mock.patch.object(module, name, side_effect=KeyboardInterrupt):
            yield
    except KeyboardInterrupt:
        return
    raise AssertionError(f"the command did not come to {name}")


def _refused(command, *words: object, **how: object) -> str:
    try:
        told = command(*words, **how)
    except Refused as refused:
        return str(refused)
    raise AssertionError(f"it is not refused: {told}")


def _broken(resources: dict) -> None:
    """With something that cannot be made: its name is taken."""
    taken = {"Name": "/fpl-leagues-check/draw-key", "Type": "String", "Value": "no"}
    resources["Taken"] = {"Type": "AWS::SSM::Parameter", "Properties": taken}


def _prompt(world: World, player: Person, amount: int) -> str:
    return player.post("/api/deposits", {"phone": player.phone, "amount": amount, "userId": player.id})["checkoutId"]


def _direct(world: World, secret: str) -> int:
    """What the API says to who did not come through the distribution, with this secret."""
    api = f"{world.emulator.url}/_aws/execute-api/0f0f0f0f/$default/api/settings"
    return urllib3.request("GET", api, headers={"x-origin-secret": secret}, timeout=60, retries=False).status


def _code(world: World) -> str:
    name = world.stack.of_kind("AWS::Lambda::Function")["GetUserFunction"]
    return world.emulator.client("lambda").get_function_configuration(FunctionName=name)["CodeSha256"]


def _page(world: World) -> bytes:
    return urllib3.request("GET", f"{world.front.url}/", timeout=60).data


def _another(folder: Path, bootstrap: Path, page: Path) -> tuple[Path, Path]:
    """The same functions and page, as other files."""
    made = folder / "another"
    shutil.copytree(page, made / "page")
    (made / "bootstrap").write_bytes(bootstrap.read_bytes() + b"another")
    index = made / "page/index.html"
    index.write_bytes(index.read_bytes() + b"<!-- another -->")
    return made / "bootstrap", made / "page"


def _kept(dynamodb, table: str) -> None:
    dynamodb.update_time_to_live(TableName=table, TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
    recovery = {"PointInTimeRecoveryEnabled": True}
    dynamodb.update_continuous_backups(TableName=table, PointInTimeRecoverySpecification=recovery)
    dynamodb.update_table(TableName=table, DeletionProtectionEnabled=True)
