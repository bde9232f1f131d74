"""The simulated M-Pesa, served by `local simulators`, and a shop beside it that hears what it posts."""

import json
import os
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import urllib3
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.x509 import load_pem_x509_certificate

WAIT = 20.0


def eventually(look, what: str, seconds: float = WAIT):
    """What `look` answers, as soon as it is true."""
    until = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() > until:
            raise AssertionError(f"it did not come to pass in {seconds:.0f} s: {what}")
        time.sleep(0.05)
    return found


class Heard:
    """A server that keeps what is posted to it, and answers as a shop has to."""

    def __init__(self):
        kept: list[tuple[str, dict]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                kept.append((self.path, json.loads(body)))
                answer = b'{"ResultCode":0,"ResultDesc":"Success"}'
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self._kept = kept
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://localhost:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def at(self, path: str) -> dict:
        """What was posted to `path`."""
        return eventually(lambda: next((body for where, body in self._kept if where == path), None), f"something is posted to {path}")

    def stop(self) -> None:
        self._server.shutdown()


class Simulated:
    """What shop and M-Pesa agreed on, and the simulated M-Pesa that holds the shop to it."""

    shortcode, b2c_shortcode = "174379", "600992"
    consumer_key, consumer_secret, passkey = "a-consumer-key", "a-consumer-secret", "a-passkey"
    payer, payer_password = "fpl-payouts", "the payer's own"
    asker, asker_password = "fpl-queries", "the asker's own"

    def __init__(self, binary: Path):
        shop = {
            "port": 0,
            "consumerKey": self.consumer_key,
            "consumerSecret": self.consumer_secret,
            "passkey": self.passkey,
            "shortcode": self.shortcode,
            "b2cShortcode": self.b2c_shortcode,
            "b2cInitiator": self.payer,
            "b2cInitiatorPassword": self.payer_password,
            "queryInitiator": self.asker,
            "queryInitiatorPassword": self.asker_password,
        }
        self._process = subprocess.Popen(
            [binary, "simulators"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={"PATH": os.environ["PATH"]}, text=True
        )
        self._process.stdin.write(json.dumps(shop))
        self._process.stdin.close()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"peers: the stand-ins do not start ({binary} simulators)")
        said = json.loads(line)
        self.daraja = f"{said['origin']}/daraja"
        self._api = f"{said['origin']}/api"
        self.certificate: str = said["certificate"]
        self._http = urllib3.PoolManager()
        self.heard = Heard()

    def sealed(self, password: str) -> bytes:
        key = load_pem_x509_certificate(self.certificate.encode()).public_key()
        return key.encrypt(password.encode(), PKCS1v15())

    def call(self, method: str, path: str, body: dict | None = None):
        answer = self._http.request(method, f"{self._api}{path}", json=body, timeout=30)
        assert answer.status < 300, f"{method} {path}: {answer.status} {answer.data.decode()[:300]}"
        return answer.json() if answer.data else None

    def pay(self, checkout_id: str) -> str:
        """The phone's owner enters the PIN. The receipt."""
        return self.call("POST", f"/prompts/{checkout_id}", {"outcome": "success"})["receipt"]

    def paid_by_hand(self, phone: str, amount: int) -> str:
        return self.call("POST", "/paybill", {"phone": phone, "amount": amount, "accountReference": "BY HAND"})["receipt"]

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)
        self.heard.stop()
