"""The same gameweek on one data directory with two programs in turn: BEFORE, the release before, and NOW, this one. Between any two
steps the one that runs is killed and the other takes its place, so each writes what the other goes on with.
Prints what came of it, as gameweek.py does."""

import json
import os
import sys
import tempfile
from itertools import cycle
from pathlib import Path

from program import Program, free_port

port = free_port()
os.environ.update(BASE_URL=f"http://localhost:{port}", ADMIN_EMAIL="admin@fplleagues.test", ADMIN_PASSWORD="the operator's own")

import gameweek  # noqa: E402 (it reads the environment when it is imported)


class InTurn:
    def __init__(self, programs: list[str], folder: str) -> None:
        self.programs, self.folder, self.turns = cycle(programs), folder, 0
        self.start()

    def start(self) -> None:
        self.running = Program(next(self.programs), self.folder, port)
        self.turns += 1

    def __call__(self, players: list[gameweek.Player]) -> None:
        self.running.end()
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
            worlds.running.end()
