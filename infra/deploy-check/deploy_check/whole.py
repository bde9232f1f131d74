"""The whole form: from sign-up to a settled league and a payout, and every function in between, with the safeguards full."""

import re
from dataclasses import dataclass, field
from datetime import timedelta

from .people import PASSWORD, Person, eventually
from .world import World

PROCESS = "/api/gameweek/process-winners"
WHY = "Seen in M-Pesa's portal."
STAKE = 50


@dataclass
class Cast:
    world: World
    admin: Person | None = None
    second: Person | None = None
    players: list[Person] = field(default_factory=list)
    alone: Person | None = None


def two_admins(cast: Cast) -> None:
    world = cast.world
    for name in ("amina", "baraka"):
        admin = world.person(name).sign_up()
        world.make_admin(admin)
        admin.log_in()
        admin.totp = admin.post("/api/admin/totp", {"password": PASSWORD})["secret"]
        assert admin.post("/api/admin/totp/confirm", {"password": PASSWORD, "code": admin.code()})["recoveryCodes"]
        assert admin.get("/api/admin/totp")
        setattr(cast, "admin" if name == "amina" else "second", admin)
    cast.admin.get("/api/settings")


def players_by_an_influencers_link(cast: Cast) -> None:
    code = cast.admin.post("/api/influencer/create", {"name": "Mwalimu"})["code"]
    nobody = cast.world.person("nobody")
    assert nobody.request("GET", f"/api/influencer/ref/{code}").status in (200, 302, 303, 307)
    for name in ("akinyi", "barasa", "chebet", "kamau", "mutua", "njeri", "otieno"):
        cast.players.append(cast.world.person(name).sign_up(ref=code))
    cast.alone = cast.players.pop()
    assert cast.admin.get("/api/influencers")[0]["signUps"] == 7
    player = cast.players[0]
    assert player.get("/api/me/entries") is not None
    assert player.get(f"/api/users/{player.id}/wallet") is not None
    assert player.get("/api/gameweek/status")["isOpen"]
    assert player.get("/api/gameweeks")


def money_in(cast: Cast) -> None:
    """By prompts, an entry's own prompt, the paybill with and without an account, and typed codes."""
    world = cast.world
    first, second, third, *_ = cast.players
    for player in cast.players[:1] + cast.players[2:]:
        world.deposit(player, 150)
    world.deposit(cast.alone, 250)
    paid = second.post(
        "/api/pay", {"phone": second.phone, "amount": STAKE, "fplId": second.fpl_id, "entryAmount": STAKE, "gameweek": 1}
    )
    world.answer_prompt(second.phone)
    status = f"/api/pay/status?checkoutId={paid['checkoutId']}"
    eventually(lambda: second.get(status)["status"] == "SUCCESS", "the entry is paid by its prompt")
    # The paybill, with a player's account and with nobody's, whose code is then typed.
    account = first.get("/api/user")["paybill"]["account"]
    payment = {"phone": "0733000001", "amount": 300, "accountReference": account}
    world.simulators.call("POST", "/paybill", payment)
    world.until(lambda: first.wallet() == 450, "money with a player's account is credited by itself")
    receipt = world.simulators.call("POST", "/paybill", {"phone": third.phone, "amount": 120, "accountReference": "FPL", "confirm": False})
    typed = third.post("/api/manual-payment", {"mpesaCode": receipt["receipt"]})["_id"]
    assert cast.admin.get("/api/manual-payment/pending") is not None
    confirm = {"paymentId": typed, "userId": third.id, "amount": 120}
    told = _tried(cast.admin, "POST", "/api/manual-payment/confirm", confirm)
    world.until(lambda: third.wallet() == 270, f"a typed code is credited ({told})")
    bad = third.post("/api/manual-payment", {"mpesaCode": "UHK7RT61SV"})["_id"]
    told = _tried(cast.admin, "POST", "/api/manual-payment/reject", {"paymentId": bad, "reason": "Nobody paid this."})
    assert len(first.get("/api/me/transactions")) == 2 and first.get("/api/me/payments") is not None


def what_does_not_add_up(cast: Cast) -> None:
    """M-Pesa reports another amount: set aside, and an admin decides."""
    world, player = cast.world, cast.players[3]
    world.advance(minutes=11)
    started = player.post("/api/deposits", {"phone": player.phone, "amount": 70, "userId": player.id})
    world.answer_prompt(player.phone, amount=80)
    # The clock stands still: a minute later M-Pesa is asked, and would have the prompt credited if its answer came first.
    listed = eventually(lambda: cast.admin.get("/api/admin/set-asides"), "it is set aside")
    case = f"/api/admin/set-asides/{listed[0]['_id']}"
    assert cast.admin.get(case)["reportedAmount"] == 80, started
    cast.admin.post(case, {"act": "credit", "amount": 70, "reason": WHY})
    assert player.wallet() == 220


def an_admins_desk(cast: Cast) -> None:
    admin, player = cast.admin, cast.players[4]
    profile = f"/api/admin/players/{player.id}"
    assert any(found["_id"] == player.id for found in admin.get("/api/admin/players?q=mutua"))
    admin.get(profile)
    admin.send("PATCH", profile, {"frozen": True, "reason": WHY})
    admin.send("PATCH", profile, {"frozen": False, "reason": WHY})
    admin.send("PUT", "/api/admin/switches", {"entriesPaused": True, "reason": WHY})
    player.refused(400, "POST", "/api/join-league", _entry(player, 1))
    admin.send("PUT", "/api/admin/switches", {"entriesPaused": False, "reason": WHY})
    assert admin.get("/api/admin/switches")
    backlog = admin.get("/api/admin/backlog")
    assert backlog["calendarReadAt"] and len(backlog["queues"]) == 9, backlog
    correction = {"correctionId": "0f" * 16, "amount": 20, "reason": WHY}
    admin.post(f"{profile}/corrections", correction)
    admin.post(f"{profile}/release-number", {"phone": player.phone, "reason": WHY})
    assert cast.second.get("/api/admin/approvals") is not None
    assert admin.get("/api/admin/audit")
    assert admin.get("/api/admin/exports/postings").count("\n") > 5
    admin.post("/api/points/toggle-deduction")
    admin.post("/api/points/toggle-deduction")


def joined(cast: Cast) -> None:
    cast.players[0].send("PUT", "/api/me/notifications", {"mail": {"drawn": True}})
    for player in cast.players[:1] + cast.players[2:]:
        player.post("/api/join-league", _entry(player, 1))
    cast.alone.post("/api/join-league", {**_entry(cast.alone, 1), "entryAmount": 250})
    assert len(cast.players[0].get(f"/api/leagues?gameweek=1&entryAmount={STAKE}")) == 1
    assert cast.players[0].get(f"/api/me/league?gameweek=1&entryAmount={STAKE}")["league"] is not None


def drawn_at_the_fence(cast: Cast) -> None:
    world = cast.world
    deadline = world.simulators.deadline(1)
    world.move_to(deadline - timedelta(minutes=3))
    eventually(lambda: _fence(world), "sync-gameweek has set the fence")
    world.move_to(deadline + timedelta(minutes=1))
    cast.players[0].refused(400, "POST", "/api/join-league", _entry(cast.players[0], 1))
    world.move_to(deadline + timedelta(minutes=9))
    world.until(lambda: world.has_run("close-gameweek"), "the fence's rule starts the draw")
    world.until(lambda: cast.alone.get("/api/gameweeks/1/draw").get("drawnAt"), "it is drawn")
    world.until(lambda: cast.alone.wallet() == 250, "who is alone has the stake back")


def played(cast: Cast) -> None:
    world, winner = cast.world, cast.players[0]
    for n, player in enumerate(cast.players):
        week = {"points": 90 - 7 * n, "pointsOnBench": n, "transfersCost": 0}
        world.simulators.call("PUT", f"/fpl/entries/{player.fpl_id}", {"gameweeks": {"1": week}})
    world.advance(hours=5)
    world.until(lambda: winner.get(f"/api/points/{winner.fpl_id}?gameweek=1"), "points are shown")


def settled(cast: Cast) -> None:
    world, admin = cast.world, cast.admin
    _phase(world, 1, "checked")
    preview = world.until(lambda: _final(admin), "the points are final")
    assert preview is not None
    admin.post(PROCESS, {"gameweek": 1})
    world.until(lambda: admin.post(PROCESS, {"gameweek": 1})["state"] == "settled", "the winners are paid")
    prize = len(cast.players) * STAKE * 90 // 100
    winner = cast.players[0]
    assert winner.wallet() == 450 - STAKE + prize, winner.wallet()
    league = winner.get(f"/api/leagues?gameweek=1&entryAmount={STAKE}")[0]
    record = winner.get(f"/api/leagues/{league['_id']}/settlement")
    assert record["ranking"][0]["fplId"] == winner.fpl_id
    assert admin.get("/api/admin/gameweeks") is not None
    assert admin.get("/api/admin/gameweeks/2026-01/void")["refused"]
    admin.refused(409, "POST", "/api/admin/gameweeks/2026-01/void", {"reason": WHY})
    assert admin.get("/api/admin/leagues/waiting")["waiting"] == []


def the_team_is_proved(cast: Cast) -> None:
    world, winner = cast.world, cast.players[0]
    code = winner.post("/api/user/team/proof", {"fplId": winner.fpl_id})["code"]
    world.simulators.call("PUT", f"/fpl/entries/{winner.fpl_id}", {"name": f"FC {code}"})
    # The official game's name is read afresh.
    world.advance(minutes=2)
    assert winner.post("/api/user/team/proof/check")["proved"]
    assert winner.get("/api/user/team/proof")["proved"]


def money_out(cast: Cast) -> None:
    world, winner, admin = cast.world, cast.players[0], cast.admin
    asked = winner.post("/api/withdraw", {"mpesaNumber": winner.phone, "amount": 200})["_id"]
    assert any(found["_id"] == asked for found in admin.get("/api/withdraw"))
    admin.post(f"/api/withdraw/{asked}/pay")
    paid = world.until(lambda: _withdrawal(winner, asked) if _withdrawal(winner, asked)["status"] == "done" else None, "it is paid")
    assert paid["receipt"], paid
    # M-Pesa says that it timed out, and is asked: its answer ends it.
    world.simulators.call("PUT", "/faults", {"payouts": "timed_out"})
    asked = winner.post("/api/withdraw", {"mpesaNumber": winner.phone, "amount": 60})["_id"]
    admin.post(f"/api/withdraw/{asked}/pay")
    world.simulators.call("PUT", "/faults", {"payouts": "none"})
    world.advance(minutes=5)
    sent = world.simulators.call("GET", f"/payouts?phone={winner.phone}")[0]
    world.simulators.call("POST", f"/payouts/{sent['conversationId']}", {"outcome": "completed", "result": "never"})
    world.until(lambda: _withdrawal(winner, asked)["status"] == "done", "M-Pesa is asked and says it is paid", timedelta(minutes=20))
    # One that an admin rejects, and one that the mail's link cancels.
    asked = winner.post("/api/withdraw", {"mpesaNumber": winner.phone, "amount": 60})["_id"]
    admin.send("PUT", f"/api/withdraw/{asked}", {"status": "rejected", "reason": WHY})
    asked = winner.post("/api/withdraw", {"mpesaNumber": "0799123456", "amount": 60})["_id"]
    link = world.until(lambda: link_in_mail(world, winner.email, "cancel-withdrawal"), "the mail with the link comes")
    anybody = world.person("anybody")
    assert anybody.get(f"/api/cancel-withdrawal/{link}")["status"] == "pending"
    assert anybody.post(f"/api/cancel-withdrawal/{link}")["status"] == "rejected"


def two_admins_approve(cast: Cast) -> None:
    """Above the threshold a second admin approves."""
    world, player = cast.world, cast.players[5]
    before = player.wallet()
    path = f"/api/admin/players/{player.id}/corrections"
    proposed = cast.admin.post(path, {"correctionId": "1f" * 16, "amount": 15_000, "reason": WHY})
    assert proposed["state"] == "waiting", proposed
    cast.second.post(f"/api/admin/approvals/{proposed['_id']}", {"decision": "approve", "reason": WHY})
    assert player.wallet() == before + 15_000
    back = cast.admin.post(path, {"correctionId": "2f" * 16, "amount": -15_000, "reason": WHY})
    cast.second.post(f"/api/admin/approvals/{back['_id']}", {"decision": "approve", "reason": WHY})
    assert player.wallet() == before


def a_league_that_waits(cast: Cast) -> None:
    """The next gameweek: a team vanishes from the official game, the league waits, and an admin decides it."""
    world, admin = cast.world, cast.admin
    world.until(lambda: admin.get("/current-gameweek")["currentGameweek"] == 2, "the next gameweek opens", timedelta(hours=3))
    for player in cast.players:
        if player.wallet() < STAKE:
            world.deposit(player, STAKE)
        player.post("/api/join-league", _entry(player, 2))
    deadline = world.simulators.deadline(2)
    world.move_to(deadline - timedelta(minutes=3))
    world.move_to(deadline + timedelta(minutes=9))
    world.until(lambda: admin.get("/api/gameweeks/2/draw").get("drawnAt"), "the second gameweek is drawn")
    _phase(world, 2, "finished")
    gone = cast.players[-1].fpl_id
    world.simulators.call("PUT", f"/fpl/entries/{gone}", {"exists": False})
    _phase(world, 2, "checked")
    world.until(lambda: _final(admin, 2), "its points are final")
    admin.post(PROCESS, {"gameweek": 2})
    waiting = world.until(lambda: admin.get("/api/admin/leagues/waiting")["waiting"], "the league waits", timedelta(minutes=10))
    world.advance(days=1)
    decision = f"/api/admin/leagues/{waiting[0]['_id']}"
    told = admin.post(decision, {"act": waiting[0]["decisions"][0], "reason": WHY})
    if told.get("state") == "waiting" and "_id" in told:
        cast.second.post(f"/api/admin/approvals/{told['_id']}", {"decision": "approve", "reason": WHY})
    world.until(lambda: admin.post(PROCESS, {"gameweek": 2})["state"] == "settled", "the league is settled")


def the_night(cast: Cast) -> None:
    """Receipts are asked about, the balance, then the books are read."""
    world = cast.world
    night = world.clock.now().replace(hour=19, minute=29, second=30)
    if night < world.clock.now():
        night += timedelta(days=1)
    world.move_to(night)
    world.until(lambda: world.has_run("check-receipts"), "check-receipts runs")
    world.move_to(night + timedelta(hours=1, minutes=20))
    world.until(lambda: world.has_run("ask-for-balance"), "ask-for-balance runs")
    world.move_to(night + timedelta(hours=1, minutes=40))
    world.until(lambda: cast.admin.get("/api/admin/books")["report"]["startedAt"] > night.isoformat(), "the books are read")
    books = cast.admin.get("/api/admin/books")
    assert (books["report"]["found"], books["payouts"]["paused"]) == (0, False), books


def accounts(cast: Cast) -> None:
    world, player = cast.world, cast.players[2]
    player.post("/api/forgot-password", {"email": player.email})
    link = world.until(lambda: link_in_mail(world, player.email, "reset-password"), "the mail with the link comes")
    player.password = "another horse battery"
    world.person("anybody").post(f"/api/reset-password/{link}", {"newPassword": player.password})
    player.log_in()
    player.post("/logout")
    assert player.request("POST", "/refresh").status == 401
    link_team = world.person("wafula")
    fresh = link_team.sign_up(proveTeam=True)
    fresh.send("PUT", "/api/user/team", {"fplId": fresh.fpl_id})
    renewed = cast.second.post("/api/admin/totp/recovery-codes", {"code": cast.second.code()})["recoveryCodes"]
    assert cast.second.post("/api/admin/totp/remove", {"code": renewed[0]}) is not None


STEPS = (
    two_admins,
    players_by_an_influencers_link,
    money_in,
    what_does_not_add_up,
    an_admins_desk,
    joined,
    drawn_at_the_fence,
    played,
    settled,
    the_team_is_proved,
    money_out,
    two_admins_approve,
    a_league_that_waits,
    the_night,
    accounts,
)


def _entry(player: Person, gameweek: int) -> dict:
    return {"fplId": player.fpl_id, "entryAmount": STAKE, "gameweek": gameweek}


def _fence(world: World) -> bool:
    """The draw's rule is set for another time than the template's."""
    rules = world.emulator.client("events").list_rules()["Rules"]
    rule = next(rule for rule in rules if rule["Name"].endswith("deadline-fence"))
    return "2190" not in rule["ScheduleExpression"]


def _phase(world: World, gameweek: int, phase: str) -> None:
    """Hour by hour, so that what schedules see on the way is seen."""
    for _ in range(24 * 12):
        if world.simulators.phase(gameweek) == phase:
            return
        world.clock.move_to(world.clock.now() + timedelta(hours=2))
        if world.simulators.phase(gameweek) == phase:
            break
    world.advance(minutes=2)
    assert world.simulators.phase(gameweek) == phase, world.simulators.phase(gameweek)


def _final(admin: Person, gameweek: int = 1):
    answer = admin.request("GET", f"/api/admin/winners?gameweek={gameweek}")
    if answer.status == 401:
        admin.renew()
        return None
    return answer.json() if answer.status == 200 else None


def _withdrawal(player: Person, which: str) -> dict:
    return next(found for found in player.get("/api/withdraw") if found["_id"] == which)


def link_in_mail(world: World, to: str, path: str) -> str | None:
    """The last part of the newest mail's link."""
    found = [re.search(rf"/{path}/(\S+)", mail["BodyText"]) for mail in world.mails(to)]
    return next((link.group(1) for link in reversed(found) if link), None)


def _tried(admin: Person, method: str, path: str, body: dict) -> str:
    """An act that may have been done by a machine already."""
    answer = admin.request(method, path, body)
    if answer.status in (401, 403):
        return str(admin.send(method, path, body))
    assert answer.status in (200, 202, 409), f"{path}: {answer.status} {answer.data[:300]}"
    return answer.data.decode()[:300]
