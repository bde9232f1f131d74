"""The outside world: M-Pesa, the official game, a push service and the beacon, which `local simulators` serves."""

import json
import os
import subprocess
from datetime import datetime
from pathlib import Path

import urllib3

from .clock import Clock


class Simulators:
    def __init__(self, binary: Path, clock: Clock, shop: dict, log: Path):
        with log.open("wb") as stderr:
            self._process = subprocess.Popen(
                [binary, "simulators"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={"PATH": os.environ["PATH"], **clock.environment()},
                text=True,
            )
        self._process.stdin.write(json.dumps(shop))
        self._process.stdin.close()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"deploy-check: the stand-ins do not start: {log.read_text()[-2000:]}")
        said = json.loads(line)
        self.origin: str = said["origin"]
        self.push_service = self.origin.removesuffix("/sim")
        self.beacon: str = said["beacon"]
        self.certificate: str = said["certificate"]
        self._http = urllib3.PoolManager()

    def call(self, method: str, path: str, body: dict | None = None):
        answer = self._http.request(method, f"{self.origin}/api{path}", json=body, timeout=60)
        if answer.status >= 300:
            raise AssertionError(f"simulators: {method} {path}: {answer.status} {answer.data.decode()[:300]}")
        return answer.json() if answer.data else None

    def deadline(self, gameweek: int) -> datetime:
        return next(datetime.fromisoformat(g["deadline"]) for g in self.call("GET", "/fpl/gameweeks") if g["id"] == gameweek)

    def phase(self, gameweek: int) -> str:
        return next(g["phase"] for g in self.call("GET", "/fpl/gameweeks") if g["id"] == gameweek)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)
