"""People with a browser: they reach the product by its front, keep its cookie, and log in again when a token has ended."""

import base64
import hashlib
import hmac
import struct
import time
from dataclasses import dataclass, field

import urllib3

from .clock import Clock

PASSWORD = "correct horse battery"
WAIT = 120.0


class Refused(AssertionError):
    def __init__(self, what: str, status: int, text: str):
        super().__init__(f"{what}: {status} {text[:400]}")
        self.status = status
        self.text = text


def eventually(look, what: str, seconds: float = WAIT):
    """What `look` answers, as soon as it is true. What it is waits for is real time."""
    until = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > until:
            raise AssertionError(f"it did not come to pass in {seconds:.0f} s: {what}")
        time.sleep(0.3)


@dataclass
class Person:
    front: str
    clock: Clock
    name: str
    phone: str
    fpl_id: str
    id: str = ""
    password: str = PASSWORD
    token: str | None = None
    cookie: str | None = None
    totp: str | None = None
    used_step: int = 0
    http: urllib3.PoolManager = field(default_factory=lambda: urllib3.PoolManager(retries=False, timeout=120))

    @property
    def email(self) -> str:
        return f"{self.name}@example.co.ke"

    def sign_up(self, **more: object) -> "Person":
        form = {"email": self.email, "username": self.name, "password": self.password, "fplId": self.fpl_id, "over18": True,
                "terms": self.get("/api/settings")["terms"], **more}
        self.post("/api/signup", form)
        return self.log_in()

    def log_in(self) -> "Person":
        form = {"email": self.email, "password": self.password}
        if self.totp:
            form["totp"] = self.code()
        self.token = None
        answer = self.post("/api/login", form)
        self.token, self.id = answer["accessToken"], answer["_id"]
        return self

    def get(self, path: str):
        return self.send("GET", path)

    def post(self, path: str, body: object = None):
        return self.send("POST", path, {} if body is None else body)

    def send(self, method: str, path: str, body: object = None):
        """The answer's body. A token that has ended is renewed by the cookie, and a code is given where one is asked for."""
        answer = self.request(method, path, body)
        if answer.status == 401 and self.token and path not in ("/refresh", "/api/login"):
            self.renew()
            answer = self.request(method, path, body)
        if answer.status == 403 and b'"stepUp":true' in answer.data and self.totp:
            self.send("POST", "/api/admin/step-up", {"code": self.code()})
            answer = self.request(method, path, body)
        text = answer.data.decode()
        if answer.status >= 400:
            raise Refused(f"{self.name}: {method} {path}", answer.status, text)
        return answer.json() if text and "json" in answer.headers.get("content-type", "") else text

    def refused(self, status: int, method: str, path: str, body: object = None) -> str:
        try:
            told = self.send(method, path, body)
        except Refused as refused:
            assert refused.status == status, str(refused)
            return refused.text
        raise AssertionError(f"{self.name}: {method} {path} is not refused: {told}")

    def renew(self) -> None:
        answer = self.request("POST", "/refresh")
        if answer.status == 200:
            self.token = answer.json()["accessToken"]
        else:
            self.log_in()

    def request(self, method: str, path: str, body: object = None) -> urllib3.BaseHTTPResponse:
        headers = {"Origin": self.front}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.cookie:
            headers["Cookie"] = self.cookie
        answer = self.http.request(method, f"{self.front}{path}", json=body, headers=headers, redirect=False)
        kept = answer.headers.get("set-cookie")
        if kept:
            self.cookie = kept.split(";")[0]
        return answer

    def code(self) -> str:
        """A code of the authenticator app; each is good once, so the next one of the next half minute may have to do."""
        now = int(self.clock.now().timestamp()) // 30
        step = max(now, self.used_step + 1)
        while step > int(self.clock.now().timestamp()) // 30 + 1:
            time.sleep(0.5)
        self.used_step = step
        digest = hmac.new(base64.b32decode(self.totp + "=" * (-len(self.totp) % 8)), struct.pack(">Q", step), hashlib.sha1).digest()
        at = digest[-1] & 15
        return f"{(struct.unpack('>I', digest[at : at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"

    def wallet(self) -> int:
        return self.get("/api/user")["wallet"]
