"""The product against a public double of Daraja, daraja-mock: a second reading of Safaricom's documents, by somebody else.

Between them stands an adapter. What the double does otherwise than Daraja (docs/daraja.md, "Other people's readings") is put
right there, and nothing else: everything that a call is answered with is the double's."""

import json
import os
import socket
import subprocess
import tempfile
import threading
import time
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import urllib3

from .simulated import eventually

ROOT = Path(__file__).resolve().parents[3]
ADMIN = {"email": "admin@fplleagues.test", "password": "the operator's own"}
PHONE, STAKE = "0712345678", 300
PENDING, CANCELLED, PAID = 4999, 1032, 0
PASSWORD = "correct horse battery"


class Adapter:
    """daraja-mock, with what it leaves out."""

    def __init__(self):
        from daraja_mock import DarajaMock

        self.mock = DarajaMock()
        self.mock.set_stk_result(PENDING)
        self._double = self.mock.app.test_client()
        self._lock = threading.Lock()
        self._http = urllib3.PoolManager(retries=False)
        self.pushed: list[dict] = []
        self.paid_out: dict[str, dict] = {}
        self.asked = 0
        adapter = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self._answer(*adapter.forward("GET", self.path, {}))

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
                self._answer(*adapter.answer(self.path, body))

            def _answer(self, status: int, body: dict) -> None:
                told = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(told)))
                self.end_headers()
                self.wfile.write(told)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def forward(self, method: str, path: str, body: dict) -> tuple[int, dict]:
        with self._lock:
            answer = self._double.open(path, method=method, json=body)
        return answer.status_code, answer.get_json(silent=True) or {}

    def answer(self, path: str, body: dict) -> tuple[int, dict]:
        # It has no such call.
        if path == "/mpesa/c2b/v2/registerurl":
            return 200, {"OriginatorCoversationID": "double", "ResponseCode": "0", "ResponseDescription": "Success"}
        status, told = self.forward("POST", path, body)
        match path.split("/")[2]:
            case "stkpush":
                self.pushed.append(body | told)
            case "stkpushquery":
                # It answers about a CheckoutRequestID that it has just made up.
                self.asked += 1
                told["CheckoutRequestID"] = body["CheckoutRequestID"]
            case "b2c":
                # It takes one id for two payouts, and makes up its own.
                known = body["OriginatorConversationID"]
                if known in self.paid_out:
                    message = "Duplicate OriginatorConversationID."
                    return 500, {"requestId": "double", "errorCode": "500.002.1001", "errorMessage": message}
                told["OriginatorConversationID"] = known
                self.paid_out[known] = body | told
        return status, told

    def post_callback(self, receipt: str) -> None:
        """The last prompt is paid. The double posts nothing by itself."""
        pushed = self.pushed[-1]
        items = {
            "Amount": float(pushed["Amount"]),
            "MpesaReceiptNumber": receipt,
            "TransactionDate": int(pushed["Timestamp"]),
            "PhoneNumber": int(pushed["PhoneNumber"]),
        }
        callback = {
            "MerchantRequestID": pushed["MerchantRequestID"],
            "CheckoutRequestID": pushed["CheckoutRequestID"],
            "ResultCode": 0,
            "ResultDesc": "The service request is processed successfully.",
            "CallbackMetadata": {"Item": [{"Name": name, "Value": value} for name, value in items.items()]},
        }
        self._post(pushed["CallBackURL"], {"Body": {"stkCallback": callback}})

    def post_result(self, order: dict, receipt: str) -> None:
        parameters = {
            "TransactionAmount": int(order["Amount"]),
            "TransactionReceipt": receipt,
            "ReceiverPartyPublicName": f"{order['PartyB']} - JANE WANJIKU",
            "TransactionCompletedDateTime": datetime.now().strftime("%d.%m.%Y %H:%M:%S"),
        }
        result = {
            "ResultType": 0,
            "ResultCode": 0,
            "ResultDesc": "The service request is processed successfully.",
            "OriginatorConversationID": order["OriginatorConversationID"],
            "ConversationID": order["ConversationID"],
            "TransactionID": receipt,
            "ResultParameters": {"ResultParameter": [{"Key": key, "Value": value} for key, value in parameters.items()]},
        }
        self._post(order["ResultURL"], {"Result": result})

    def _post(self, url: str, body: dict) -> None:
        answer = self._http.request("POST", url, json=body, timeout=30)
        assert answer.status == 200, f"the product answers a callback with {answer.status}"

    def stop(self) -> None:
        self._server.shutdown()


class Product:
    """The local run, whose M-Pesa is the adapter."""

    def __init__(self, binary: Path, daraja: str):
        self.folder = tempfile.TemporaryDirectory()
        # Where one of M-Pesa's stands in the template, another one is named.
        named, told = "DARAJA_BASE_URL: !Ref DarajaBaseUrl", (ROOT / "template.yaml").read_text()
        assert told.count(named) == 1, "the template does not name M-Pesa's address once"
        template = Path(self.folder.name) / "template.yaml"
        template.write_text(told.replace(named, f"DARAJA_BASE_URL: {daraja}"))
        port = _free_port()
        environment = {
            "PATH": os.environ["PATH"],
            "PORT": str(port),
            "DATA_DIR": "memory",
            "TEMPLATE": str(template),
            "ADMIN_EMAIL": ADMIN["email"],
            "ADMIN_PASSWORD": ADMIN["password"],
        }
        self.log = Path(self.folder.name) / "log"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen([binary], env=environment, stdout=log, stderr=log)
        self.origin = f"http://localhost:{port}"
        self._http = urllib3.PoolManager(retries=False)
        eventually(lambda: "\nready " in "\n" + self.log.read_text(), "the product is ready", 60)

    def call(self, method: str, path: str, body: dict | None = None, token: str | None = None):
        headers = {"Origin": self.origin} | ({"Authorization": f"Bearer {token}"} if token else {})
        answer = self._http.request(method, f"{self.origin}{path}", json=body, headers=headers, timeout=60)
        assert answer.status < 300, f"{method} {path}: {answer.status} {answer.data.decode()[:300]}"
        return answer.json() if "json" in answer.headers.get("content-type", "") else None

    def advance(self, seconds: int) -> None:
        self.call("POST", "/sim/api/clock", {"advanceSeconds": seconds})

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(20)
        self.folder.cleanup()


class Played:
    def __init__(self, product: Product, double: Adapter):
        self.product, self.double = product, double
        form = {"email": "akinyi@example.co.ke", "username": "akinyi", "password": PASSWORD, "fplId": "1001", "over18": True}
        # The season is known once a job has asked the official game.
        product.advance(120)
        product.call("POST", "/api/signup", form)
        self.form = {"email": form["email"], "password": PASSWORD}
        self.advance(0)

    def advance(self, seconds: int) -> None:
        """A token lasts a quarter of an hour."""
        if seconds:
            self.product.advance(seconds)
        self.player = self.product.call("POST", "/api/login", self.form)
        self.token = self.player["accessToken"]

    def wallet(self) -> int:
        return self.product.call("GET", "/api/user", token=self.token)["wallet"]

    def push(self) -> str:
        asked = {"phone": PHONE, "amount": STAKE, "userId": self.player["_id"]}
        return self.product.call("POST", "/api/deposits", asked, self.token)["checkoutId"]

    def status(self, checkout_id: str) -> str:
        return self.product.call("GET", f"/api/deposits/status?checkoutId={checkout_id}", token=self.token)["status"]

    def a_callback_that_the_query_bears_out_credits(self) -> None:
        checkout_id = self.push()
        assert self.status(checkout_id) == "PENDING"
        self.double.mock.set_stk_result(PAID)
        self.double.post_callback("UHK7RT61SV")
        self.advance(120)
        eventually(lambda: self.status(checkout_id) == "SUCCESS", "the callback is taken")
        assert self.wallet() == STAKE, f"the wallet holds {self.wallet()}"

    def what_says_nothing_stays_open_and_is_then_paid(self) -> None:
        self.advance(180)
        self.double.mock.set_stk_result(PENDING)
        before, checkout_id = self.wallet(), self.push()
        self.double.asked = 0
        self.advance(180)
        assert self.double.asked > 0, "nobody asks what became of it"
        assert self.status(checkout_id) == "PENDING" and self.wallet() == before
        self.double.mock.set_stk_result(PAID)
        self.advance(1800)
        eventually(lambda: self.status(checkout_id) == "SUCCESS", "the query's answer is taken")
        assert self.wallet() == before + STAKE
        # What comes after it changes nothing.
        self.double.post_callback("UHK7RT61SW")
        self.advance(1800)
        assert self.wallet() == before + STAKE, f"credited twice: {self.wallet()}"

    def one_that_is_cancelled_credits_nothing(self) -> None:
        before = self.wallet()
        self.double.mock.set_stk_result(CANCELLED)
        checkout_id = self.push()
        self.advance(1800)
        eventually(lambda: self.status(checkout_id) == "FAILED", "the cancelled prompt fails")
        assert self.wallet() == before

    def a_payout_is_taken_and_its_result_ends_it(self) -> None:
        before = self.wallet()
        admin = self.product.call("POST", "/api/login", ADMIN)["accessToken"]
        asked = self.product.call("POST", "/api/withdraw", {"mpesaNumber": PHONE, "amount": 200}, self.token)["_id"]
        self.product.call("POST", f"/api/withdraw/{asked}/pay", {}, admin)
        [order] = eventually(lambda: list(self.double.paid_out.values()), "the payout is ordered")
        state = lambda: next(one for one in self.product.call("GET", "/api/withdraw", token=self.token) if one["_id"] == asked)
        assert state()["status"] == "pending" and self.wallet() == before - 200
        self.double.post_result(order, "UHK9AB12CD")
        self.advance(120)
        eventually(lambda: state()["status"] == "done", "the result ends the withdrawal")
        assert state()["receipt"] == "UHK9AB12CD" and self.wallet() == before - 200


STEPS = [
    Played.a_callback_that_the_query_bears_out_credits,
    Played.what_says_nothing_stays_open_and_is_then_paid,
    Played.one_that_is_cancelled_credits_nothing,
    Played.a_payout_is_taken_and_its_result_ends_it,
]


def play(binary: Path) -> bool:
    double = Adapter()
    product = Product(binary, double.url)
    try:
        played = Played(product, double)
        for step in STEPS:
            begun = time.monotonic()
            step(played)
            print(f"ok daraja-mock: {step.__name__.replace('_', ' ')} ({time.monotonic() - begun:.0f} s)", flush=True)
    except AssertionError as error:
        print(f"FAILS daraja-mock: {error}")
        return False
    finally:
        product.stop()
        double.stop()
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
