"""Which call is tried how, and what has to come of it."""

from dataclasses import dataclass, field

from .python_clients import AMOUNT, Client, quiet
from .simulated import Simulated, eventually

CALLS = ["token", "wrong key", "push", "query", "callback", "b2c", "status", "register", "reversal"]

# What is refused, and rightly: by client and call, a part of the refusal, and why it is the client's fault.
REFUSED = {
    ("daraja-client", "push"): ("Invalid TransactionDesc", "it sends 20 characters, and Daraja documents 13"),
}


@dataclass
class Call:
    good: bool
    short: str
    why: str = ""


@dataclass
class Tried:
    name: str
    calls: dict[str, Call] = field(default_factory=dict)


def of(kind: type[Client], shop: Simulated, n: int) -> Tried:
    """Every call of one client that it has, in an order in which one rests on another."""
    client, told = kind(shop, f"2547000000{n:02}"), Tried(kind.name)
    state: dict[str, str] = {}

    # Payouts come out of it.
    shop.paid_by_hand("254711000000", 10 * AMOUNT)

    def tried(call: str, does) -> None:
        told.calls[call] = _outcome(kind.name, call, does)

    def token() -> None:
        got = client.token()
        assert isinstance(got, str) and len(got) > 10, "there is no token"

    def wrong_key() -> None:
        try:
            got = kind(shop, client.phone, secret="another's").token()
        except Exception as error:
            assert not isinstance(error, (TypeError, AttributeError)), f"it does not understand the refusal: {error!r}"
            return
        assert not got, "a wrong secret is taken"

    def push() -> None:
        state["checkout"] = client.push()
        [prompt] = shop.call("GET", f"/prompts?phone={client.phone}")
        assert (prompt["checkoutRequestId"], prompt["amount"]) == (state["checkout"], AMOUNT), f"another prompt: {prompt}"
        if not hasattr(client, "query"):
            state["receipt"] = shop.pay(state["checkout"])

    def query() -> None:
        try:
            code = client.query(state["checkout"])
            assert code == "4999", f"an open prompt has the code {code}"
        except AssertionError:
            raise
        except Exception as error:
            assert _is_pending(error), f"an open prompt: {error}"
        state["receipt"] = shop.pay(state["checkout"])
        code = client.query(state["checkout"])
        assert code == "0", f"a paid prompt has the code {code}"

    def callback() -> None:
        body = shop.heard.at(client.path("push"))
        receipt, amount = client.callback(body)
        assert (receipt, amount) == (state["receipt"], AMOUNT), f"it reads {receipt} and {amount}"

    def b2c() -> None:
        client.b2c()
        [payout] = eventually(lambda: shop.call("GET", f"/payouts?phone={client.phone}"), "the payout is there")
        assert payout["amount"] == AMOUNT, f"another payout: {payout}"
        body = shop.heard.at(client.path("b2c"))
        code = client.result(body) if hasattr(client, "result") else body["Result"]["ResultCode"]
        assert code == 0, f"it ends with {code}"

    def status() -> None:
        client.status(_receipt(state, shop, client))
        read = _parameters(shop.heard.at(client.path("status")))
        assert read["TransactionStatus"] == "Completed" and read["ReceiptNo"] == state["receipt"], f"another one: {read}"

    def register() -> None:
        client.register()
        receipt = shop.paid_by_hand(client.phone, AMOUNT)
        told = shop.heard.at(client.path("confirmation"))
        assert told["TransID"] == receipt, f"another payment: {told}"

    def reversal() -> None:
        client.reversal(_receipt(state, shop, client))
        result = shop.heard.at(client.path("reversal"))["Result"]
        assert str(result["ResultCode"]) == "0", f"it ends with {result['ResultCode']}"

    steps = [token, push, query, callback, b2c, status, register, reversal]
    tried("wrong key", wrong_key)
    for step in steps:
        if hasattr(client, step.__name__) and not _rests_on_a_refused(told, step.__name__):
            tried(step.__name__, step)
    return told


def _rests_on_a_refused(told: Tried, call: str) -> bool:
    return call in ("query", "callback") and told.calls["push"].short != "passes"


def _receipt(state: dict, shop: Simulated, client: Client) -> str:
    if "receipt" not in state:
        state["receipt"] = shop.paid_by_hand(client.phone, AMOUNT)
    return state["receipt"]


def _is_pending(error: Exception) -> bool:
    said = f"{error} {getattr(error, 'raw_response', '')}"
    return "being processed" in said


def _parameters(body: dict) -> dict:
    return {one["Key"]: one.get("Value") for one in body["Result"]["ResultParameters"]["ResultParameter"]}


def _outcome(name: str, call: str, does) -> Call:
    expected = REFUSED.get((name, call))
    try:
        with quiet():
            does()
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error} {getattr(error, 'raw_response', '') or ''}".split())
        if expected and expected[0] in said:
            return Call(True, "refused", expected[1])
        return Call(False, "FAILS", said[:300])
    if expected:
        return Call(False, "PASSES", f"it is listed as refused: {expected[1]}")
    return Call(True, "passes")


def table(told: list[Tried]) -> str:
    width = max(len(one.name) for one in told)
    rows = [" " * width + "  " + "  ".join(f"{call:9}" for call in CALLS)]
    for one in told:
        shown = (one.calls.get(call, Call(True, "-")).short for call in CALLS)
        rows.append(f"{one.name:{width}}  " + "  ".join(f"{short:9}" for short in shown))
    notes = [f"{one.name}, {call}: {found.why}" for one in told for call, found in one.calls.items() if found.why]
    return "\n".join([line.rstrip() for line in rows] + notes)
