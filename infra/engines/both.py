"""One gameweek on one table that two programs serve at the same time: BEFORE, the release before, and NOW, this one. The table is
on the server at DYNAMODB_ENDPOINT; secrets are the same, clock, queues and M-Pesa are each one's own, as is the port. Each has
half of the players' deposits; bursts of joins, of a withdrawal and of its end go to both, and both draw and pay the winners. As each
M-Pesa knows its own payments alone, the typed code is of one of them, and the withdrawal is said to have been sent by hand.
ALONE is what gameweek.py printed of this one alone: wallets and accounts have to be the same."""

import json
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from program import Program, free_port

ports = [free_port(), free_port()]
os.environ.update(
    BASE_URL=f"http://localhost:{ports[0]}", ADMIN_EMAIL="admin@fplleagues.test", ADMIN_PASSWORD="the operator's own"
)

import gameweek  # noqa: E402 (it reads the environment when it is imported)
from gameweek import AT_ONCE, DEPOSIT, PLAYERS, STAKE, Player, eventually, good, log_in, send  # noqa: E402

BASES = [f"http://localhost:{port}" for port in ports]


def on_both(method: str, path: str, body: object = None, tokens: tuple = (None, None)) -> list:
    """The same on both, at the same time."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda base, token: good(method, base + path, body, token), BASES, tokens))


def burst(path: str, body: object, tokens: list[str], method: str = "POST") -> dict[str, int]:
    """The same request many times at once, in turn to the one and to the other."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = pool.map(lambda n: send(method, BASES[n % 2] + path, body, tokens[n % 2])[0], range(AT_ONCE))
    return dict(Counter("taken" if status < 300 else "refused" for status in answers))


def admins() -> list[str]:
    return [log_in(os.environ["ADMIN_EMAIL"], os.environ["ADMIN_PASSWORD"], base) for base in BASES]


def play(alone: dict) -> None:
    on_both("POST", "/sim/api/clock", {"advanceSeconds": 120})
    with ThreadPoolExecutor(PLAYERS) as pool:
        players = list(pool.map(lambda n: Player(n, BASES[n % 2]), range(PLAYERS)))
        list(pool.map(gameweek.deposited, players))
    on_both("POST", "/sim/api/clock", {"advanceSeconds": 120})
    eventually(lambda: all(player.wallet() == DEPOSIT for player in players), "every deposit is credited")
    on_both("POST", "/sim/api/clock", {"advanceSeconds": 3600})

    for player in players:
        tokens = [log_in(player.email, player.password, base) for base in BASES]
        entry = {"fplId": player.fpl_id, "entryAmount": STAKE, "gameweek": 1}
        taken = burst("/api/join-league", entry, tokens)
        assert taken == alone["joins at once"][player.n], f"player {player.n} joins on both: {taken}"
    leaver = players[-1]
    tokens = [log_in(leaver.email, leaver.password, base) for base in BASES]
    taken = burst("/api/withdraw", {"mpesaNumber": leaver.phone, "amount": DEPOSIT - STAKE}, tokens)
    assert taken == alone["withdrawals at once"], f"a withdrawal on both: {taken}"
    leaver.back()
    [withdrawal] = good("GET", f"{leaver.base}/api/withdraw", token=leaver.token)
    burst(f"/api/withdraw/{withdrawal['_id']}", {"status": "done"}, admins(), "PUT")
    players[0].back()
    gameweek.credited_by_its_code(players[0])

    for n, player in enumerate(players):
        week = {"points": 90 - 7 * n, "pointsOnBench": n, "transfersCost": 0}
        on_both("PUT", f"/sim/api/fpl/entries/{player.fpl_id}", {"gameweeks": {"1": week}})
    on_both("PUT", "/sim/api/fpl/gameweeks/1", {"phase": "locked"})
    on_both("POST", "/sim/api/clock", {"advanceSeconds": 3600})
    drawn = lambda: [draw.get("drawnAt") for draw in on_both("GET", "/api/gameweeks/1/draw")]
    eventually(lambda: all(drawn()), "the gameweek is drawn")
    # But for where the beacon is asked, which each one's simulated world has at its own port.
    one, other = ({**draw, "beaconAddresses": None} for draw in on_both("GET", "/api/gameweeks/1/draw"))
    assert one == other, f"each shows another draw: {one} {other}"
    on_both("PUT", "/sim/api/fpl/gameweeks/1", {"phase": "checked"})

    def settled() -> bool:
        on_both("POST", "/sim/api/clock", {"advanceSeconds": 600})
        asked = on_both("POST", "/api/gameweek/process-winners", {"gameweek": 1}, tuple(admins()))
        return all(answer["state"] == "settled" for answer in asked)

    eventually(settled, "the winners are paid")
    for ledger in on_both("GET", "/sim/api/ledger"):
        assert ledger["sum"] == 0 and not ledger["debts"], f"the books do not add up: {ledger['sum']} {ledger['debts']}"
        wallets = sorted(ledger["wallets"].values())
        assert wallets == alone["wallets"], f"{wallets} in the wallets, {alone['wallets']} with one alone"
        accounts = {name: amount for name, amount in ledger["accounts"].items() if not name.startswith("wallet")}
        assert accounts == alone["accounts"], f"{accounts} in the accounts, {alone['accounts']} with one alone"


if __name__ == "__main__":
    alone, programs = json.loads(Path(os.environ["ALONE"]).read_text()), [os.environ["BEFORE"], os.environ["NOW"]]
    with tempfile.TemporaryDirectory() as folder:
        # What the first start makes (secrets, the admin) is the other's as well.
        Program(programs[0], f"{folder}/0", ports[0]).end(signal.SIGTERM)
        shutil.copytree(f"{folder}/0", f"{folder}/1")
        running: list[Program] = []
        try:
            for n, program in enumerate(programs):
                running.append(Program(program, f"{folder}/{n}", ports[n]))
            play(alone)
            print("versions: a gameweek by both at once ends as by this one alone", file=sys.stderr)
        except AssertionError as error:
            for n in range(2):
                print(Path(f"{folder}/{n}.log").read_text()[-3000:], file=sys.stderr)
            sys.exit(f"versions: {error}")
        finally:
            for program in running:
                program.end()
