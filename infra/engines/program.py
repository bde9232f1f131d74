"""A program of the product, started on a port and a data directory and waited for."""

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Program:
    def __init__(self, program: str, folder: str, port: int) -> None:
        path = Path(program).resolve()
        self.base = f"http://localhost:{port}"
        environment = {**os.environ, "PORT": str(port), "DATA_DIR": folder}
        log = open(f"{folder}.log", "ab")
        # The program serves the page that lies beside it: target/debug is two folders below that.
        self.running = subprocess.Popen([path], cwd=path.parents[2], env=environment, stdout=log, stderr=log)
        until = time.monotonic() + 60
        while not self.answers():
            assert self.running.poll() is None and time.monotonic() < until, f"{path} does not start: {folder}.log"
            time.sleep(0.1)

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.base}/healthz", timeout=5):
                return True
        except (urllib.error.URLError, OSError):
            return False

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        self.running.send_signal(how)
        self.running.wait()
