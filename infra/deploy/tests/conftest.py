"""AWS as far as moto plays it: in process, nothing leaves the machine."""

import boto3
import pytest
from moto import mock_aws

REGION = "eu-west-1"
# One for all tests: it keeps what it has read of each service.
SESSION = boto3.session.Session(region_name=REGION)


@pytest.fixture(autouse=True)
def nobodys_credentials(monkeypatch):
    for name in ("AWS_PROFILE", "AWS_ENDPOINT_URL", "CONFIRM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")


@pytest.fixture
def client():
    """Of a service, in one world for the test."""
    with mock_aws():
        yield lambda service, region=REGION: SESSION.client(service, region_name=region)


@pytest.fixture
def bucket(client):
    s3 = client("s3")
    s3.create_bucket(Bucket="page", CreateBucketConfiguration={"LocationConstraint": REGION})
    return s3
