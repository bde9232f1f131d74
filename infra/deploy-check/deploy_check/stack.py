"""The deployment: secrets, code, stack by a change set, the page. Asserts what a deployment that says "complete" may lack."""

import hashlib
import io
import json
import mimetypes
import secrets
import time
import zipfile
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from .emulator import REGION, Emulator
from .transform import API_ID, for_the_emulator

NAME = "fpl-check"
PREFIX = "/fpl-check"
ARTIFACTS = "artifacts"
RANDOM = (
    "refresh-key",
    "hook-keys",
    "draw-key",
    "totp-key",
    "security-log-key",
    "daraja-consumer-key",
    "daraja-consumer-secret",
    "daraja-passkey",
    "b2c-initiator-password",
    "query-initiator-password",
)
READY = {"CREATE_COMPLETE", "UPDATE_COMPLETE"}


def make_secrets() -> dict[str, str]:
    key = Ed25519PrivateKey.generate()
    return {
        "access-token-key": key.private_bytes_raw().hex(),
        "access-token-public-key": key.public_key().public_bytes_raw().hex(),
        **{name: secrets.token_hex(32) for name in RANDOM},
    }


class Stack:
    def __init__(self, emulator: Emulator):
        self.emulator = emulator
        self.cloudformation = emulator.client("cloudformation")
        self.s3 = emulator.client("s3")
        self.outputs: dict[str, str] = {}
        self.resources: list[dict] = []
        self.left_out: list[str] = []
        self.parameters: set[str] = set()
        self.s3.create_bucket(Bucket=ARTIFACTS, CreateBucketConfiguration={"LocationConstraint": REGION})

    def put_secrets(self, values: dict[str, str]) -> None:
        ssm = self.emulator.client("ssm")
        for name, value in values.items():
            ssm.put_parameter(Name=f"{PREFIX}/{name}", Value=value, Type="SecureString", Overwrite=True)

    def allow_sender(self, address: str) -> None:
        self.emulator.client("sesv2").create_email_identity(EmailIdentity=address)

    def deploy(self, template: str, bootstrap: Path, parameters: dict[str, str], take=None) -> None:
        text = bootstrap.read_bytes()
        key = f"{hashlib.sha256(text).hexdigest()}.zip"
        self.s3.put_object(Bucket=ARTIFACTS, Key=key, Body=_zipped(text))
        made, self.left_out = for_the_emulator(template, (ARTIFACTS, key), self.emulator.port, REGION, take)
        wanted = made["Parameters"]
        self.parameters = set(wanted)
        missing = [name for name, about in wanted.items() if "Default" not in about and name not in parameters]
        assert not missing, f"the check gives no value for the parameters {missing}"
        body = json.dumps(made)
        self.s3.put_object(Bucket=ARTIFACTS, Key="template.json", Body=body.encode())
        self.cloudformation.create_change_set(
            StackName=NAME,
            ChangeSetName="check",
            ChangeSetType="CREATE",
            TemplateURL=f"{self.emulator.url}/{ARTIFACTS}/template.json",
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
            Parameters=[{"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items() if name in wanted],
        )
        self._until(lambda: self.cloudformation.describe_change_set(StackName=NAME, ChangeSetName="check"), "Status", {"CREATE_COMPLETE"})
        self.cloudformation.execute_change_set(StackName=NAME, ChangeSetName="check")
        self._until(lambda: self.cloudformation.describe_stacks(StackName=NAME)["Stacks"][0], "StackStatus", READY)
        stack = self.cloudformation.describe_stacks(StackName=NAME)["Stacks"][0]
        self.outputs = {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}
        pages = self.cloudformation.get_paginator("list_stack_resources").paginate(StackName=NAME)
        self.resources = [resource for page in pages for resource in page["StackResourceSummaries"]]
        self._check_routes(made)

    def _until(self, look, field: str, good: set[str]) -> None:
        until = time.monotonic() + 120
        while True:
            state = look()
            if state[field] in good:
                return
            if time.monotonic() > until or "FAILED" in state[field] or "ROLLBACK" in state[field]:
                raise AssertionError(f"the stack: {state[field]}: {self._reasons(state)}")
            time.sleep(0.3)

    def _reasons(self, state: dict) -> str:
        events = self.cloudformation.describe_stack_events(StackName=NAME)["StackEvents"]
        failed = [
            f"{event['LogicalResourceId']}: {event.get('ResourceStatusReason')}" for event in events if "FAILED" in event["ResourceStatus"]
        ]
        return "; ".join(failed) or str(state.get("StatusReason") or state.get("StackStatusReason"))

    def _check_routes(self, made: dict) -> None:
        """Without the routes it says complete all the same."""
        wanted = {r["Properties"]["RouteKey"] for r in made["Resources"].values() if r["Type"] == "AWS::ApiGatewayV2::Route"}
        pages = self.emulator.client("apigatewayv2").get_paginator("get_routes").paginate(ApiId=API_ID)
        routes = {route["RouteKey"] for page in pages for route in page["Items"]}
        assert routes == wanted, f"routes that are missing or too many: {sorted(routes ^ wanted)}"

    def upload_page(self, folder: Path) -> None:
        """What the page names first, the page last."""
        files = sorted((file for file in folder.rglob("*") if file.is_file()), key=lambda file: file.name == "index.html")
        for file in files:
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            hashed = file.parent.name == "assets"
            self.s3.put_object(
                Bucket=self.outputs["WebBucket"],
                Key=file.relative_to(folder).as_posix(),
                Body=file.read_bytes(),
                ContentType=kind,
                CacheControl="public, max-age=31536000, immutable" if hashed else "no-cache",
            )

    def of_kind(self, kind: str) -> dict[str, str]:
        """The physical names of all resources of a kind, by their names in the template."""
        return {r["LogicalResourceId"]: r["PhysicalResourceId"] for r in self.resources if r["ResourceType"] == kind}


def _zipped(binary: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        entry = zipfile.ZipInfo("bootstrap")
        entry.external_attr = 0o755 << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, binary)
    return out.getvalue()
