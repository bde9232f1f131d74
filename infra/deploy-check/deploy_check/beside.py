"""What a player does beside playing: is told of things, sets limits, says what is wrong, sees what is held, stops, leaves."""

from .people import PASSWORD
from .whole import Cast, link_in_mail


def told_by_push_and_mail(cast: Cast) -> None:
    world = cast.world
    player = world.person("wairimu").sign_up()
    path = "/api/me/notifications"
    kinds = player.get(path)
    browser = {"applicationServerKey": kinds["pushKey"], "origin": world.simulators.push_service}
    told = world.simulators.call("POST", "/push/phones", browser)
    phone = told.pop("phone")
    player.post("/api/me/push-subscriptions", told)
    player.send("PUT", path, {"push": dict.fromkeys(kinds["push"], True)})
    world.deposit(player, 100)
    world.until(lambda: world.simulators.call("GET", f"/push?phone={phone}"), "the phone shows a push")
    (subscription,) = player.get(path)["subscriptions"]
    player.send("DELETE", f"/api/me/push-subscriptions/{subscription['_id']}")
    assert player.get(path)["subscriptions"] == []
    drawn = cast.players[0]
    token = link_in_mail(world, drawn.email, "unsubscribe")
    assert token, "a mail tells of the draw, to who has asked for it"
    world.person("anybody").post(f"/api/unsubscribe/{token}")
    assert drawn.get(path)["mail"]["drawn"] is False


def what_is_wrong_is_answered(cast: Cast) -> None:
    player, admin = cast.players[0], cast.admin
    about = {"kind": "withdrawal", "id": player.get("/api/withdraw")[0]["_id"]}
    case = player.post("/api/cases", {"about": about, "text": "Where is my money? I was promised it for Friday."})["_id"]
    assert player.get("/api/cases") is not None
    assert case in str(admin.get("/api/admin/cases"))
    admin.post(f"/api/cases/{case}/messages", {"close": "It is sent."})
    assert player.get(f"/api/cases/{case}")["state"] == "closed"


def what_is_held_is_seen(cast: Cast) -> None:
    """By the player, and by everybody."""
    player = cast.players[0]
    assert player.get("/api/me/data") and player.get("/api/me/statement?year=2026")
    assert player.get("/api/me/proof") and cast.world.person("anybody").get("/api/trust")
    # An invitation is advertising, and that is switched off.
    assert player.request("GET", "/api/me/invitation").status < 500
    assert player.get("/api/me/sessions")
    player.send("DELETE", "/api/me/sessions/others")
    player.post("/api/me/terms", {"version": player.get("/api/settings")["terms"]})


def stopped_and_closed(cast: Cast) -> None:
    world, player = cast.world, cast.players[0]
    player.send("PUT", "/api/me/limits", {"limits": {"deposit-day": 1000}})
    assert player.get("/api/me/limits")
    player.post("/api/me/exclusion", {"for": "1w", "password": PASSWORD})
    leaving = world.person("zawadi").sign_up()
    leaving.post("/api/me/closure", {"password": PASSWORD})
    assert leaving.request("POST", "/api/login", {"email": leaving.email, "password": PASSWORD}).status >= 400


STEPS = (told_by_push_and_mail, what_is_wrong_is_answered, what_is_held_is_seen, stopped_and_closed)
