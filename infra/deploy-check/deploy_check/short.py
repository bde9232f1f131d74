"""The short form: deployed, the page, a sign-up, a deposit, the schedules."""

from datetime import timedelta

import urllib3

from .people import Person, eventually
from .world import World

SCHEDULES = ("sync-gameweek", "track-points", "remind-of-payments", "register-paybill")


def the_page(world: World) -> None:
    http = urllib3.PoolManager(retries=False, timeout=60)
    page = http.request("GET", f"{world.front.url}/")
    assert page.status == 200 and b"<div id=" in page.data, f"the page: {page.status} {page.data[:200]}"
    headers = page.headers
    assert "default-src 'none'" in headers.get("content-security-policy", ""), f"no content policy: {dict(headers)}"
    assert "max-age=" in headers.get("strict-transport-security", ""), f"no HSTS: {dict(headers)}"
    screen = http.request("GET", f"{world.front.url}/profile")
    assert screen.data == page.data, f"a screen's address: {screen.status}"
    script = page.data.decode().split('src="/assets/')[1].split('"')[0]
    asset = http.request("GET", f"{world.front.url}/assets/{script}")
    assert asset.status == 200 and "javascript" in asset.headers["content-type"], f"the script: {asset.status}"
    bucket = http.request("GET", f"{world.emulator.url}/{world.stack.outputs['WebBucket']}/index.html")
    assert bucket.status == 403, f"the bucket answers the world: {bucket.status}"


def only_through_the_distribution(world: World) -> None:
    http = urllib3.PoolManager(retries=False, timeout=60)
    api = f"{world.emulator.url}/_aws/execute-api/0f0f0f0f/$default/api/settings"
    assert http.request("GET", api).status == 403, "the API answers who did not come through the distribution"
    assert http.request("GET", f"{world.front.url}/api/settings").status == 200


def the_schedules(world: World) -> None:
    """A quarter of an hour, then an hour: each of them has run then."""
    world.until(lambda: world.has_run("sync-gameweek"), "the first minute's schedule runs")
    world.advance(minutes=16)
    world.advance(hours=1)
    eventually(lambda: all(map(world.has_run, SCHEDULES)), f"{SCHEDULES} run")
    nobody = Person(world.front.url, world.clock, "nobody", "", "")
    eventually(lambda: nobody.get("/current-gameweek")["currentGameweek"] == 1, "the official game is read")
    assert nobody.get("/healthz")["status"] == "ok"


def a_deposit(world: World) -> Person:
    player = world.person("wanjiku").sign_up()
    assert player.wallet() == 0
    world.deposit(player, 200)
    assert player.wallet() == 200
    player.renew()
    assert player.wallet() == 200, "the session goes on by its cookie"
    return player


def nobody_denied(world: World) -> None:
    # What was sent last is done.
    world.clock.move_to(world.clock.now() + timedelta(minutes=2))
    denied = world.denied()
    assert not denied, "a role does not grant what its function does:\n" + "\n".join(denied[:20])


STEPS = (the_page, only_through_the_distribution, the_schedules, a_deposit)
