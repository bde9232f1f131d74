"""What the check stands on: clock, emulator, stand-ins, front and stack, and what can be read of them."""

import re
import secrets
import shutil
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path

import urllib3

from .clock import Clock
from .emulator import ACCOUNT, Emulator, free_port
from .front import Front
from .people import Person, eventually
from .simulators import Simulators
from .stack import Stack

SHORTCODE, B2C_SHORTCODE = "400200", "400201"
PAYER, ASKER = "fpl-payouts", "fpl-queries"
SENDER = "no-reply@fplleagues.test"
MAILS_TO = "operator@fplleagues.test"
SAFARICOMS = ("daraja-consumer-key", "daraja-consumer-secret", "daraja-passkey", "b2c-initiator-password", "query-initiator-password")
# What a log says of a call that a role does not grant.
DENIED = re.compile(r"AccessDenied|not authorized to perform", re.IGNORECASE)


class World:
    def __init__(self, template: Path, bootstrap: Path, local: Path, page: Path, take=None):
        self.folder = Path(tempfile.mkdtemp(prefix="deploy-check-"))
        self.clock = Clock(self.folder)
        self.emulator = Emulator(self.folder, self.clock)
        self.people = 0
        self._functions: dict[str, str] = {}
        self._stops = [self.emulator.stop]
        try:
            self._begin(template, bootstrap, local, page, take)
        except BaseException:
            self.stop()
            raise

    def _begin(self, template: Path, bootstrap: Path, local: Path, page: Path, take) -> None:
        agreed = {name: secrets.token_hex(32) for name in SAFARICOMS}
        shop = {
            "port": 0,
            "consumerKey": agreed["daraja-consumer-key"],
            "consumerSecret": agreed["daraja-consumer-secret"],
            "passkey": agreed["daraja-passkey"],
            "shortcode": SHORTCODE,
            "b2cShortcode": B2C_SHORTCODE,
            "b2cInitiator": PAYER,
            "b2cInitiatorPassword": agreed["b2c-initiator-password"],
            "queryInitiator": ASKER,
            "queryInitiatorPassword": agreed["query-initiator-password"],
        }
        self.simulators = Simulators(local, self.clock, shop, self.folder / "simulators.log")
        self._stops.append(self.simulators.stop)
        self.front = Front(free_port(), self.emulator.port)
        self._stops.append(self.front.stop)
        self.stack = Stack(self.emulator, self.clock, self.front.url, local, self._parameters())
        self.stack.put_secrets({**agreed, "daraja-certificate": self.simulators.certificate})
        self.stack.allow_sender(SENDER)
        self.stack.build(template.read_text(), bootstrap, page, take)

    def deploy(self) -> str:
        """For the first time. What the command says."""
        told = self.stack.deploy()
        self.front.domain = self.stack.outputs["DistributionDomain"]
        return told

    def _parameters(self) -> dict[str, str]:
        origin = self.simulators.origin
        return {
            "AlarmEmail": MAILS_TO,
            "BudgetPerDay": "0",
            "MailFrom": SENDER,
            "Helpline": "Made-up helpline, 0800 000 000",
            "DarajaBaseUrl": f"{origin}/daraja",
            "DarajaShortcode": SHORTCODE,
            "DarajaPartyB": SHORTCODE,
            "B2cShortcode": B2C_SHORTCODE,
            # The stand-in keeps one float for both.
            "FloatTakesIn": "true",
            "B2cInitiator": PAYER,
            "QueryInitiator": ASKER,
            "PaybillNumber": SHORTCODE,
            "PushServices": self.simulators.push_service,
            "FplBaseUrl": f"{origin}/fpl/api",
            "FplRequestsPerSecond": "100",
            "BeaconBaseUrls": ",".join(f"{origin}/beacon/{relay}" for relay in ("one", "two", "three")),
            "BeaconChainInfo": self.simulators.beacon,
            "BooksSegments": "2",
        }

    def stop(self) -> None:
        while self._stops:
            self._stops.pop()()

    def forget(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    # Time -----------------------------------------------------------------------------------

    def advance(self, **by: float) -> None:
        self.move_to(self.clock.now() + timedelta(**by))

    def move_to(self, instant: datetime) -> None:
        """Moves the clock, and gives what falls due two looks of the schedules."""
        self.clock.move_to(instant)
        time.sleep(2.5)

    def until(self, look, what: str, step: timedelta = timedelta(minutes=1), most: int = 30):
        """What `look` answers as soon as it is true, moving the clock step by step."""
        for _ in range(most):
            if found := look():
                return found
            self.clock.move_to(self.clock.now() + step)
            time.sleep(2)
        raise AssertionError(f"it did not come to pass within {most} steps of {step}: {what}")

    # People ---------------------------------------------------------------------------------

    def person(self, name: str) -> Person:
        self.people += 1
        n = self.people
        return Person(self.front.url, self.clock, name, f"07120000{n:02}", str(700_000 + n))

    def make_admin(self, person: Person) -> None:
        self.stack.operate("admin", person.email)

    def answer_prompt(self, phone: str, **how: object) -> str | None:
        """Types the PIN, or does not. Answers the receipt."""
        prompt = eventually(
            lambda: next((p for p in self.simulators.call("GET", f"/prompts?phone={phone}") if p["status"] == "pending"), None),
            f"a prompt on {phone}",
        )
        return self.simulators.call("POST", f"/prompts/{prompt['checkoutRequestId']}", {"outcome": "success", **how})["receipt"]

    def deposit(self, person: Person, amount: int, **how: object) -> str:
        started = person.post("/api/deposits", {"phone": person.phone, "amount": amount, "userId": person.id})
        receipt = self.answer_prompt(person.phone, **how)
        status = f"/api/deposits/status?checkoutId={started['checkoutId']}"
        eventually(lambda: person.get(status)["status"] == "SUCCESS", f"the deposit of {person.name} is credited")
        return receipt

    def mails(self, to: str) -> list[dict]:
        """What was sent to an address, the oldest first."""
        sent = urllib3.request("GET", f"{self.emulator.url}/_ministack/ses/messages", timeout=30).json()["messages"]
        return [mail for mail in sent.get(ACCOUNT, []) if to in mail["To"]]

    # What it says of itself -----------------------------------------------------------------

    def log_lines(self) -> dict[str, list[str]]:
        """Every function's log, by the name of its group."""
        logs = self.emulator.client("logs")
        lines: dict[str, list[str]] = {}
        for page in logs.get_paginator("describe_log_groups").paginate():
            for group in page["logGroups"]:
                name = group["logGroupName"]
                lines[name] = []
                for events in logs.get_paginator("filter_log_events").paginate(logGroupName=name):
                    lines[name] += [event["message"] for event in events["events"]]
        return lines

    def denied(self) -> list[str]:
        return [f"{group}: {line[:400]}" for group, lines in self.log_lines().items() for line in lines if DENIED.search(line)]

    def functions(self) -> dict[str, str]:
        """The functions' physical names, by their handlers."""
        if not self._functions:
            client, names = self.emulator.client("lambda"), self.stack.of_kind("AWS::Lambda::Function").values()
            self._functions = {client.get_function_configuration(FunctionName=name)["Handler"]: name for name in names}
        return self._functions

    def lines(self, handler: str) -> int:
        """How many the log has of a function with a group of its own."""
        return len(self.log_lines()[f"/{self.stack.name}/{handler}"])

    def has_run(self, handler: str) -> bool:
        """Whether the emulator has started the function. Many share a group of logs."""
        return f"environment spawned for {self.functions()[handler]} " in self.emulator.log.read_text()
