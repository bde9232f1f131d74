"""The deployment, by the commands that an operator types (infra/deploy). Asserts what a deployment that says "complete" may
lack. What is otherwise than on AWS: the emulator, what is built already, the template (transform.py), and the clock."""

import contextlib
import functools
import io
import json
import os
import sys
from datetime import datetime
from pathlib import Path
from unittest import mock

from deploy import commands, destroy, operator, package, secrets, stack
from deploy.aws import Aws
from deploy.stage import Stage
from deploy.template import Template

from .clock import Clock
from .emulator import ACCOUNT, REGION, Emulator
from .transform import API_ID, RELEASE, SPEAK_HTTP, for_the_emulator

STAGE = "check"
PAUSE = 0.3


class Stack:
    def __init__(self, emulator: Emulator, clock: Clock, url: str, local: Path, parameters: dict[str, str]):
        self.emulator, self.clock, self.url, self.local = emulator, clock, url, local
        self.stage = Stage(STAGE, ACCOUNT, REGION, parameters=parameters)
        self.aws = Aws(REGION, emulator.session)
        self.cloudformation = emulator.client("cloudformation")
        self.outputs: dict[str, str] = {}
        self.resources: list[dict] = []
        self.left_out: list[str] = []
        self.template, self.bootstrap, self.page, self.take = "", Path(), Path(), None

    @property
    def name(self) -> str:
        return self.stage.stack

    def put_secrets(self, safaricoms: dict[str, str]) -> None:
        for name, value in safaricoms.items():
            secrets.put(self.emulator.client("ssm"), self.stage.secrets_prefix, name, value)
        self.run(commands.keep_secrets)

    def secrets(self) -> dict[str, str]:
        ssm, prefix = self.emulator.client("ssm"), self.stage.secrets_prefix
        return {name: secrets.get(ssm, prefix, name) for name in secrets.there(ssm, prefix)}

    def rotate(self, name: str, *, leaked: bool = False, typed: str = "") -> str:
        """`make secrets ROTATE=…`, with what it is given."""
        with mock.patch.object(sys, "stdin", io.StringIO(typed)):
            return self.run(commands.keep_secrets, name, leaked=leaked)

    def allow_sender(self, address: str) -> None:
        self.emulator.client("sesv2").create_email_identity(EmailIdentity=address)

    def build(self, template: str, bootstrap: Path, page: Path, take=None) -> None:
        """What `make deploy` finds in the folder. `take` takes something out of the template first."""
        self.template, self.bootstrap, self.page, self.take = template, bootstrap, page, take
        self._made_for: tuple[str, str] | None = None

    def deploy(self, **how: object) -> str:
        """`make deploy`. What it says."""
        told = self.run(commands.deploy, **how)
        self.look()
        return told

    def look(self) -> None:
        """At what is deployed."""
        self.outputs = stack.outputs(self.cloudformation, self.name)
        pages = self.cloudformation.get_paginator("list_stack_resources").paginate(StackName=self.name)
        self.resources = [resource for page in pages for resource in page["StackResourceSummaries"]]
        self._check_routes()

    def is_there(self) -> bool:
        return stack.describe(self.cloudformation, self.name) is not None

    def _check_routes(self) -> None:
        """Without the routes it says complete all the same."""
        wanted = {r["Properties"]["RouteKey"] for r in self._made["Resources"].values() if r["Type"] == "AWS::ApiGatewayV2::Route"}
        pages = self.emulator.client("apigatewayv2").get_paginator("get_routes").paginate(ApiId=API_ID)
        routes = {route["RouteKey"] for page in pages for route in page["Items"]}
        assert routes == wanted, f"routes that are missing or too many: {sorted(routes ^ wanted)}"

    def operate(self, act: str, email: str) -> str:
        """`make admin` and its like."""
        return self.run(operator.run, act, email)

    def destroy(self, **how: object) -> str:
        return self.run(destroy.destroy, **how)

    def run(self, command, *words: object, stage: Stage | None = None, **how: object) -> str:
        """A command, as `make` calls it. What it says."""
        told = io.StringIO()
        with self._otherwise(), contextlib.redirect_stdout(told):
            command(stage or self.stage, self.aws, *words, **how)
        return told.getvalue()

    @contextlib.contextmanager
    def _otherwise(self):
        with contextlib.ExitStack() as patches:

            def put(of, name: str, value: object) -> None:
                patches.enter_context(mock.patch.object(of, name, value))

            patches.enter_context(mock.patch.dict(os.environ, self.clock.environment()))
            put(package, "build", lambda: None)
            put(package, "BINARY", self.bootstrap)
            put(package, "PAGE", self.page)
            put(operator, "PROGRAM", [self.local])
            put(Template, "read", staticmethod(self._read))
            put(Template, "with_code", lambda _, bucket, key: self._with_code(bucket, key))
            delete = stack.delete
            put(stack, "delete", lambda cloudformation, name, *_: delete(cloudformation, name, PAUSE))
            put(stack, "apply", functools.partial(self._apply, stack.apply))
            for module in (stack, commands):
                put(module, "datetime", _by(self.clock))
            yield

    def _read(self) -> Template:
        """Looked at as it is, but for addresses without certificates."""
        read = Template.parse(self.template)
        for name in SPEAK_HTTP:
            read.parameters.get(name, {}).pop("AllowedPattern", None)
        return read

    def _with_code(self, bucket: str, key: str) -> str:
        if self._made_for != (bucket, key):
            self._made_for = (bucket, key)
            self._made, self.left_out = for_the_emulator(self.template, (bucket, key), self.emulator.port, REGION, self.url, self.take)
        return json.dumps(self._made)

    def _apply(self, apply, cloudformation, name: str, url: str, given: dict[str, str], **how: object) -> stack.Outcome:
        """Each release has versions of its own."""
        s3, key = self.emulator.client("s3"), url.partition(f"/{self.stage.artifacts}/")[2]
        body = s3.get_object(Bucket=self.stage.artifacts, Key=key)["Body"].read().decode()
        own = f"{given['Release'][: len(RELEASE)]}-{key}"
        s3.put_object(Bucket=self.stage.artifacts, Key=own, Body=body.replace(RELEASE, given["Release"][: len(RELEASE)]).encode())
        return apply(cloudformation, name, url.replace(key, own), given, pause=PAUSE, **how)

    def of_kind(self, kind: str) -> dict[str, str]:
        """The physical names of all resources of a kind, by their names in the template."""
        return {r["LogicalResourceId"]: r["PhysicalResourceId"] for r in self.resources if r["ResourceType"] == kind}


def _by(clock: Clock) -> type[datetime]:
    class Moved(datetime):
        @classmethod
        def now(cls, tz=None):
            return clock.now().astimezone(tz)

    return Moved
