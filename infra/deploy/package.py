"""What is deployed: the functions' one binary, the template and the page, each kept under a name with its hash."""

import hashlib
import io
import subprocess
import zipfile
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError

from .aws import Refused
from .stage import ROOT

BINARY = ROOT / "target/lambda/bootstrap/bootstrap"
PAGE = ROOT / "web/dist"
# ZIP knows no earlier time. The same files have to come to the same bytes.
EPOCH = (1980, 1, 1, 0, 0, 0)


def build() -> None:
    for step in (["infra/package.sh", "arm64"], ["make", "web"]):
        if subprocess.run(step, cwd=ROOT, check=False).returncode:
            raise Refused(f"{' '.join(step)} failed: what it says is above. Nothing was deployed.")


def commit() -> str:
    """What is being deployed, by its name in git, with + where files differ from it."""
    asked = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--abbrev=12"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return asked.stdout.strip() or "unknown"


def zipped(files: dict[str, bytes], *, executable: bool = False) -> bytes:
    """The same files, the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 3
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name])
    return out.getvalue()


def folder(path: Path) -> dict[str, bytes]:
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def unzip(body: bytes, into: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        archive.extractall(into)


def bucket(s3: Any, name: str, region: str) -> None:
    """Makes the bucket of what was deployed, where there is none. It is nobody's but the account's."""
    try:
        s3.head_bucket(Bucket=name)
    except ClientError as error:
        if error.response["Error"]["Code"] not in {"404", "NoSuchBucket"}:
            raise Refused(
                f"The bucket {name} cannot be used ({error.response['Error']['Code']}): whose is it?"
            ) from error
        # us-east-1 is the one region that must not be named here.
        place = {} if region == "us-east-1" else {"CreateBucketConfiguration": {"LocationConstraint": region}}
        s3.create_bucket(Bucket=name, **place)
    closed = {
        "BlockPublicAcls": True,
        "IgnorePublicAcls": True,
        "BlockPublicPolicy": True,
        "RestrictPublicBuckets": True,
    }
    s3.put_public_access_block(Bucket=name, PublicAccessBlockConfiguration=closed)


def keep(s3: Any, bucket: str, kind: str, ending: str, body: bytes) -> str:
    """Puts it under a name with its hash, once. The name."""
    key = f"{kind}/{hashlib.sha256(body).hexdigest()[:32]}.{ending}"
    try:
        s3.head_object(Bucket=bucket, Key=key)
    except ClientError as error:
        if error.response["Error"]["Code"] not in {"404", "NoSuchKey"}:
            raise
        s3.put_object(Bucket=bucket, Key=key, Body=body)
    return key
