"""A gameweek on the product at BASE_URL, with the same requests many times at once. Prints what came of it, as JSON: the same on
every engine. What may not be is told and exit status 1.

Each burst is of requests of which M-Pesa's or the product's rules let one through, or do the same thing once: what the engine has
to see to are its conditions and transactions."""

import json
import os
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

BASE = os.environ["BASE_URL"]
PLAYERS, STAKE, DEPOSIT, BY_HAND, AT_ONCE = 8, 50, 300, 120, 12


def send(method: str, path: str, body: object = None, token: str | None = None) -> tuple[int, object]:
    """A path is of the product at BASE_URL; an address may be of another one."""
    address = path if path.startswith("http") else BASE + path
    headers = {"content-type": "application/json", "origin": "/".join(address.split("/")[:3])}
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(address, data, headers, method=method), timeout=120) as answer:
            status, told = answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        status, told = refused.code, refused.read()
    try:
        return status, json.loads(told)
    except ValueError:
        return status, told.decode()


def good(method: str, path: str, body: object = None, token: str | None = None):
    status, told = send(method, path, body, token)
    assert status < 300, f"{method} {path}: {status} {told}"
    return told


def at_once(method: str, path: str, body: object, token: str) -> dict[str, int]:
    """How many of the same request were answered how. A lost race may be told as one (503) or by the rule (4xx)."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(lambda _: send(method, path, body, token)[0], range(AT_ONCE)))
    return dict(Counter("taken" if status < 300 else "refused" for status in answers))


def eventually(look, what: str, seconds: float = 60):
    until = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < until, f"it did not come to pass: {what}"
        time.sleep(0.2)
    return found


def log_in(email: str, password: str, base: str = BASE) -> str:
    return good("POST", f"{base}/api/login", {"email": email, "password": password})["accessToken"]


class Player:
    def __init__(self, n: int, base: str = BASE):
        self.base, self.n, self.email, self.password = base, n, f"player{n}@example.co.ke", f"correct horse battery {n}"
        self.phone, self.fpl_id = f"07{n:08}", str(2000 + n)
        form = {"email": self.email, "username": f"player{n}", "password": self.password, "fplId": self.fpl_id, "over18": True}
        good("POST", f"{base}/api/signup", form)
        self.back()

    def back(self) -> None:
        answer = good("POST", f"{self.base}/api/login", {"email": self.email, "password": self.password})
        self.token, self.id = answer["accessToken"], answer["_id"]

    def wallet(self) -> int:
        return good("GET", f"{self.base}/api/user", token=self.token)["wallet"]


def clock(**to: object) -> None:
    good("POST", "/sim/api/clock", to)


def deposited(player: Player) -> None:
    """The callback comes twice, and the confirmation before it."""
    form = {"phone": player.phone, "amount": DEPOSIT, "userId": player.id}
    good("POST", f"{player.base}/api/deposits", form, player.token)
    [prompt] = good("GET", f"{player.base}/sim/api/prompts?phone={player.phone}")
    answer = {"outcome": "success", "callback": "duplicate", "confirm": "before"}
    good("POST", f"{player.base}/sim/api/prompts/{prompt['checkoutRequestId']}", answer)


def credited_by_its_code(player: Player) -> None:
    """The player pays the paybill by hand and types the code, and an admin confirms it: each many times at once."""
    before = player.wallet()
    paid = {"phone": player.phone, "amount": BY_HAND, "accountReference": "FPL"}
    receipt = good("POST", f"{player.base}/sim/api/paybill", paid)["receipt"]
    at_once("POST", f"{player.base}/api/manual-payment", {"mpesaCode": receipt}, player.token)
    admin = log_in(os.environ["ADMIN_EMAIL"], os.environ["ADMIN_PASSWORD"], player.base)
    [waits] = good("GET", f"{player.base}/api/manual-payment/pending", token=admin)
    confirm = {"paymentId": waits["_id"], "userId": player.id, "amount": BY_HAND}
    confirmed = at_once("POST", f"{player.base}/api/manual-payment/confirm", confirm, admin)
    assert player.wallet() == before + BY_HAND, f"{player.wallet()} of {before} and {BY_HAND}: {confirmed}"


def paid_out(player: Player, advance: Callable[[], None]) -> dict[str, int]:
    """An admin has the player's withdrawal sent by M-Pesa, many times at once."""
    withdrawal = lambda: good("GET", f"{player.base}/api/withdraw", token=player.token)[0]
    admin = log_in(os.environ["ADMIN_EMAIL"], os.environ["ADMIN_PASSWORD"], player.base)
    sent = at_once("POST", f"{player.base}/api/withdraw/{withdrawal()['_id']}/pay", {}, admin)

    def done() -> bool:
        advance()
        return withdrawal()["status"] == "done"

    eventually(done, "the withdrawal is paid")
    payouts = good("GET", f"{player.base}/sim/api/payouts?phone={player.phone}")
    assert [one["amount"] for one in payouts] == [DEPOSIT - STAKE], f"M-Pesa was asked for {payouts}"
    return sent


def play(between: Callable[[list[Player]], None] = lambda players: None) -> dict:
    """`between` is called between the steps: it may put another program in the place of the one that runs."""
    told: dict[str, object] = {}
    clock(advanceSeconds=120)
    players = [Player(n) for n in range(PLAYERS)]
    for player in players:
        if player.n == PLAYERS // 2:
            between(players)
        deposited(player)
    between(players)
    clock(advanceSeconds=120)
    eventually(lambda: all(player.wallet() == DEPOSIT for player in players), "every deposit is credited")
    clock(advanceSeconds=3600)
    for player in players:
        player.back()
    between(players)
    told["after the deposits"] = [player.wallet() for player in players]

    entry = lambda player: {"fplId": player.fpl_id, "entryAmount": STAKE, "gameweek": 1}
    told["joins at once"] = [at_once("POST", "/api/join-league", entry(player), player.token) for player in players]
    between(players)
    told["after the joins"] = [player.wallet() for player in players]

    # The whole wallet, many times at once.
    leaver = players[-1]
    asked = {"mpesaNumber": leaver.phone, "amount": DEPOSIT - STAKE}
    told["withdrawals at once"] = at_once("POST", "/api/withdraw", asked, leaver.token)
    between(players)
    told["after the withdrawals"] = leaver.wallet()
    told["payout at once"] = paid_out(leaver, lambda: clock(advanceSeconds=60))
    between(players)
    credited_by_its_code(players[0])
    told["after the code"] = players[0].wallet()
    between(players)

    for n, player in enumerate(players):
        week = {"points": 90 - 7 * n, "pointsOnBench": n, "transfersCost": 0}
        good("PUT", f"/sim/api/fpl/entries/{player.fpl_id}", {"gameweeks": {"1": week}})
    good("PUT", "/sim/api/fpl/gameweeks/1", {"phase": "locked"})
    between(players)
    clock(advanceSeconds=3600)
    drawn = eventually(lambda: good("GET", "/api/gameweeks/1/draw").get("drawnAt"), "the gameweek is drawn")
    told["drawn"] = bool(drawn)
    between(players)
    good("PUT", "/sim/api/fpl/gameweeks/1", {"phase": "checked"})
    clock(advanceSeconds=3600)
    admin = log_in(os.environ["ADMIN_EMAIL"], os.environ["ADMIN_PASSWORD"])
    at_once("POST", "/api/gameweek/process-winners", {"gameweek": 1}, admin)

    def settled() -> bool:
        clock(advanceSeconds=60)
        token = log_in(os.environ["ADMIN_EMAIL"], os.environ["ADMIN_PASSWORD"])
        return good("POST", "/api/gameweek/process-winners", {"gameweek": 1}, token)["state"] == "settled"

    between(players)
    eventually(settled, "the winners are paid")
    between(players)
    # Over the night, when the books are read.
    clock(advanceSeconds=86_400)
    for player in players:
        player.back()
    told["after the prizes"] = [player.wallet() for player in players]
    told["movements"] = [len(good("GET", "/api/me/transactions", token=player.token)) for player in players]
    admin = log_in(os.environ["ADMIN_EMAIL"], os.environ["ADMIN_PASSWORD"])
    books = good("GET", "/api/admin/books", token=admin)
    told["books"] = {one["name"]: one["amount"] for one in books["accounts"]}
    told["report"] = {name: one for name, one in books["report"].items() if not name.endswith(("At", "asOf"))}
    ledger = good("GET", "/sim/api/ledger")
    assert ledger["sum"] == 0 and not ledger["debts"], f"the books do not add up: {ledger['sum']} {ledger['debts']}"
    told["wallets"] = sorted(ledger["wallets"].values())
    told["accounts"] = {name: amount for name, amount in ledger["accounts"].items() if not name.startswith("wallet")}
    return told


if __name__ == "__main__":
    try:
        print(json.dumps(play(), indent=1, sort_keys=True))
    except AssertionError as error:
        print(f"engines: {error}", file=sys.stderr)
        sys.exit(1)
