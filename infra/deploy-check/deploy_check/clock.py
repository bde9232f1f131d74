"""The one clock of emulator, functions, stand-ins and the play: the system's, moved ahead by a file that all of them map."""

import os
import struct
import subprocess
import time
from datetime import datetime, timezone
from pathlib import Path

SOURCE = Path(__file__).with_name("clock.c")
STARTS_AT = datetime(2026, 8, 20, 9, tzinfo=timezone.utc)


class Clock:
    def __init__(self, folder: Path):
        self._file = folder / "clock-ahead"
        self._library = folder / "clock.so"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", self._library, SOURCE, "-ldl"], check=True)
        self._file.write_bytes(struct.pack("d", 0.0))
        self._ahead = 0.0
        self._move(STARTS_AT.timestamp() - time.time())

    def environment(self) -> dict[str, str]:
        """What makes a process live by this clock."""
        return {"LD_PRELOAD": str(self._library), "CLOCK_AHEAD": str(self._file)}

    def now(self) -> datetime:
        return datetime.fromtimestamp(time.time() + self._ahead, timezone.utc)

    def move_to(self, instant: datetime) -> None:
        ahead = (instant - self.now()).total_seconds()
        if ahead > 0:
            self._move(ahead)

    def _move(self, seconds: float) -> None:
        self._ahead += seconds
        # In place and at once: a reader that maps it sees the old or the new value.
        file = os.open(self._file, os.O_WRONLY)
        try:
            os.pwrite(file, struct.pack("d", self._ahead), 0)
        finally:
            os.close(file)
