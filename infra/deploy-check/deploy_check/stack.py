"""The deployment: secrets, code, stack by a change set, the page. Asserts what a deployment that says "complete" may lack."""

import hashlib
import io
import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from deploy import secrets, stack, web
from deploy.aws import Refused

from .clock import Clock
from .emulator import REGION, Emulator
from .transform import API_ID, for_the_emulator

NAME = "fpl-check"
PREFIX = "/fpl-check"
ARTIFACTS = "artifacts"


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

    def put_secrets(self, safaricoms: dict[str, str]) -> tuple[str, str]:
        """Answers the distribution's secret and its hash."""
        ssm = self.emulator.client("ssm")
        secrets.make_missing(ssm, PREFIX)
        for name, value in safaricoms.items():
            secrets.put(ssm, PREFIX, name, value)
        return secrets.edge(ssm, PREFIX)

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
        url = f"{self.emulator.url}/{ARTIFACTS}/template.json"
        given = {name: value for name, value in parameters.items() if name in wanted}
        try:
            stack.apply(self.cloudformation, NAME, url, given, say=lambda _: None, pause=0.3)
        except Refused as refused:
            # Its own list goes by the true clock.
            why = stack.failures(self.cloudformation, NAME, datetime.fromtimestamp(0, UTC))
            raise AssertionError("\n".join([str(refused), *why])) from refused
        again = stack.apply(self.cloudformation, NAME, url, given, say=lambda _: None, pause=0.3)
        assert again is stack.Outcome.UNCHANGED, f"the same deployment once more is {again}"
        self.outputs = stack.outputs(self.cloudformation, NAME)
        pages = self.cloudformation.get_paginator("list_stack_resources").paginate(StackName=NAME)
        self.resources = [resource for page in pages for resource in page["StackResourceSummaries"]]
        self._check_routes(made)

    def _check_routes(self, made: dict) -> None:
        """Without the routes it says complete all the same."""
        wanted = {r["Properties"]["RouteKey"] for r in made["Resources"].values() if r["Type"] == "AWS::ApiGatewayV2::Route"}
        pages = self.emulator.client("apigatewayv2").get_paginator("get_routes").paginate(ApiId=API_ID)
        routes = {route["RouteKey"] for page in pages for route in page["Items"]}
        assert routes == wanted, f"routes that are missing or too many: {sorted(routes ^ wanted)}"

    def upload_page(self, folder: Path, clock: Clock) -> None:
        def upload() -> list[str]:
            return web.upload(self.s3, self.outputs["WebBucket"], folder, self.outputs["Url"], clock.now())

        assert upload() and not upload(), "the same page once more is uploaded"

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
