"""The same gameweek on one data directory with two programs in turn: BEFORE, the release before, and NOW, this one. Between any two
steps the one that runs is killed and the other takes its place, so each writes what the other goes on with.
Prints what came of it, as gameweek.py does."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from itertools import cycle
from pathlib import Path

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
os.environ.update(BASE_URL=f"http://localhost:{port}", ADMIN_EMAIL="admin@fplleagues.test", ADMIN_PASSWORD="the operator's own")

import gameweek  # noqa: E402 (it reads the environment when it is imported)


class InTurn:
    def __init__(self, programs: list[str], folder: str) -> None:
        self.programs, self.folder, self.turns = cycle(programs), folder, 0
        self.running: subprocess.Popen | None = None
        self.start()

    def start(self) -> None:
        program = Path(next(self.programs)).resolve()
        environment = {**os.environ, "PORT": str(port), "DATA_DIR": self.folder}
        log = open(f"{self.folder}.log", "ab")
        # The program serves the page that lies beside it: target/debug is two folders below that.
        self.running = subprocess.Popen([program], cwd=program.parents[2], env=environment, stdout=log, stderr=log)
        self.turns += 1
        until = time.monotonic() + 60
        while not self.answers():
            assert self.running.poll() is None and time.monotonic() < until, f"{program} does not start: {self.folder}.log"
            time.sleep(0.1)

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{gameweek.BASE}/healthz", timeout=5):
                return True
        except (urllib.error.URLError, OSError):
            return False

    def end(self) -> None:
        self.running.send_signal(signal.SIGKILL)
        self.running.wait()

    def __call__(self, players: list[gameweek.Player]) -> None:
        self.end()
        self.start()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        worlds = InTurn([os.environ["BEFORE"], os.environ["NOW"]][:: -1 if sys.argv[1:] == ["now-first"] else 1], f"{folder}/data")
        try:
            print(json.dumps(gameweek.play(worlds), indent=1, sort_keys=True))
            print(f"versions: {worlds.turns} turns", file=sys.stderr)
        except AssertionError as error:
            print(Path(f"{folder}/data.log").read_text()[-4000:], file=sys.stderr)
            sys.exit(f"versions: {error}")
        finally:
            worlds.end()
