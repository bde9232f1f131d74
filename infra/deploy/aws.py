"""The clients of AWS for one stage, and how a command says that it will not go on."""

from functools import cache
from typing import Any

import boto3

# Certificates and firewalls of CloudFront are kept there, wherever the product runs.
EDGE_REGION = "us-east-1"


class Refused(Exception):
    """Why a command does not go on: each reason says what is to be done about it."""

    def __init__(self, *reasons: str) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = reasons


class Aws:
    """Credentials come from where the AWS command line takes them; AWS_ENDPOINT_URL is followed."""

    def __init__(self, region: str, session: boto3.session.Session | None = None) -> None:
        self.region = region
        self.session = session or boto3.session.Session(region_name=region)
        self._client = cache(self.session.client)

    def client(self, service: str) -> Any:
        return self._client(service)

    def at_the_edge(self, service: str) -> Any:
        return self._client(service, region_name=EDGE_REGION)
