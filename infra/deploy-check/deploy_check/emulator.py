"""The emulated cloud (ministack), with the functions' roles enforced."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import boto3
from botocore.config import Config

from .clock import Clock

REGION = "eu-west-1"
ACCOUNT = "000000000000"


class Emulator:
    def __init__(self, folder: Path, clock: Clock):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "emulator.log"
        # The commands that deploy take their credentials and the address from where the AWS command line does.
        os.environ.update(AWS_ENDPOINT_URL=self.url, AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test")
        for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN"):
            os.environ.pop(name, None)
        self.session = boto3.session.Session(region_name=REGION)
        self._clients: dict = {}
        # Functions inherit it, so there is nothing in it of the caller's.
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "AWS_ENDPOINT_URL": self.url,
            "GATEWAY_PORT": str(self.port),
            "BIND_HOST": "127.0.0.1",
            "IOT_MTLS_ENABLED": "0",
            "SFTP_ENABLED": "0",
            "MINISTACK_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "LAMBDA_EXECUTOR": "local",
            # By the moved clock: no function is started anew because days went by.
            "LAMBDA_WARM_TTL_SECONDS": "31536000",
            "AUTH": "true",
            **clock.environment(),
        }
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, Path(__file__).with_name("start_emulator.py")], env=environment, cwd=folder, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if self._process.poll() is not None:
                break
            try:
                urllib.request.urlopen(f"{self.url}/_ministack/health", timeout=5).close()
                return
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.2)
        raise SystemExit(f"deploy-check: the emulator does not start:\n{self.log.read_text()[-4000:]}")

    def client(self, service: str):
        # Making one costs more than a call.
        if service not in self._clients:
            self._clients[service] = self.session.client(service, config=Config(retries={"max_attempts": 2}, read_timeout=300))
        return self._clients[service]

    def stop(self) -> None:
        # Its functions are its children, in its group.
        try:
            os.killpg(self._process.pid, 15)
            self._process.wait(10)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            self._process.kill()
        try:
            os.killpg(self._process.pid, 9)
        except ProcessLookupError:
            pass


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
