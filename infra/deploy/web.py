"""The page in its bucket: new files first, the page last, old ones kept for as long as a tab may still ask for them.

Whole addresses in it are built for the local run, and get the deployment's origin on their way.

Files in assets/ have a hash in their names, so they never change and are kept by browsers for a year. All others keep
their names: browsers ask about them each time.
"""

import hashlib
import mimetypes
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError

FOR_EVER = "public, max-age=31536000, immutable"
ASK = "no-cache"
# An old tab that has not been loaded anew for so long finds its files no more.
OLD_TABS = timedelta(days=30)
RETIRED = "retired"
# What web/scripts/heads.mjs writes, and where.
BUILT_FOR = b"http://localhost:4000"
ADDRESSED = {".html", ".txt", ".xml"}
# For the local run; the edge compresses by itself.
COMPRESSED = {".br", ".gz"}
# More paths than these cost as much work as all of them.
MOST_PATHS = 15
EVERYTHING = "*"
# The machine's own list differs from one to the next.
TYPES = mimetypes.MimeTypes()
for ending, kind in {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mp4": "video/mp4",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".vtt": "text/vtt; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}.items():
    TYPES.add_type(kind, ending)


def files(folder: Path) -> list[str]:
    """The files of a build in the order in which they go up: the page after all that it loads, and the worker after the
    page, which it fetches when it is installed."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    keys = [path.as_posix() for path in found if not path.parts[0].startswith(".") and path.suffix not in COMPRESSED]
    last = ["index.html", "service-worker.js"]

    def place(key: str) -> tuple[int, str]:
        return (0 if is_asset(key) else 2 + last.index(key) if key in last else 1, key)

    return sorted(keys, key=place)


def is_asset(key: str) -> bool:
    return key.startswith("assets/")


def headers(key: str) -> dict[str, str]:
    kind, _ = TYPES.guess_type(key)
    return {"CacheControl": FOR_EVER if is_asset(key) else ASK, "ContentType": kind or "application/octet-stream"}


def begin(s3: Any, bucket: str, stage: str) -> bool:
    """Notes among what was deployed that the page is being uploaded. Whether a run before began, and did not get to its
    end: what it uploaded, the edge has not been asked to fetch."""
    key = _under_way(stage)
    interrupted = s3.list_objects_v2(Bucket=bucket, Prefix=key).get("KeyCount", 0) > 0
    s3.put_object(Bucket=bucket, Key=key, Body=b"")
    return interrupted


def end(s3: Any, bucket: str, stage: str) -> None:
    """The page is uploaded, and the edge is asked to fetch it."""
    s3.delete_object(Bucket=bucket, Key=_under_way(stage))


def _under_way(stage: str) -> str:
    return f"uploading/{stage}"


def upload(s3: Any, bucket: str, folder: Path, origin: str, now: datetime) -> list[str]:
    """Brings the bucket to this build, and answers what changed. What the build before had goes after thirty days."""
    if not (folder / "index.html").is_file():
        raise FileNotFoundError(f"{folder} has no index.html: it is no build of the page")
    there = _there(s3, bucket)
    keys = files(folder)
    changed = [key for key in keys if _put(s3, bucket, key, _body(folder / key, origin), there.get(key))]
    _retire(s3, bucket, there.keys() - set(keys), now)
    return changed


def invalidate(cloudfront: Any, distribution: str, changed: list[str], caller: str) -> None:
    """Has the edge fetch anew what changed under the same name. `caller` makes it one request however often it is tried."""
    paths = [f"/{key}" for key in changed if not is_asset(key)]
    if not paths:
        return
    items = ["/*"] if len(paths) > MOST_PATHS else paths
    batch = {"Paths": {"Quantity": len(items), "Items": items}, "CallerReference": caller}
    cloudfront.create_invalidation(DistributionId=distribution, InvalidationBatch=batch)


def empty(s3: Any, bucket: str) -> None:
    """A bucket has to be empty before it can be deleted. One that is gone is empty."""
    try:
        for key in _there(s3, bucket):
            s3.delete_object(Bucket=bucket, Key=key)
    except ClientError as error:
        if error.response["Error"]["Code"] != "NoSuchBucket":
            raise


def _there(s3: Any, bucket: str) -> dict[str, str]:
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket)
    return {found["Key"]: found["ETag"].strip('"') for page in pages for found in page.get("Contents", [])}


def _body(file: Path, origin: str) -> bytes:
    body = file.read_bytes()
    return body.replace(BUILT_FOR, origin.encode()) if file.suffix in ADDRESSED else body


def _put(s3: Any, bucket: str, key: str, body: bytes, etag: str | None) -> bool:
    """Whether it was not there yet as it should be."""
    wanted = headers(key)
    if etag == hashlib.md5(body, usedforsecurity=False).hexdigest():
        found = s3.head_object(Bucket=bucket, Key=key)
        if all(found.get(name) == value for name, value in wanted.items()):
            if _retired_at(s3, bucket, key):
                s3.delete_object_tagging(Bucket=bucket, Key=key)
            return False
    s3.put_object(Bucket=bucket, Key=key, Body=body, **wanted)
    return True


def _retire(s3: Any, bucket: str, old: set[str], now: datetime) -> None:
    for key in sorted(old):
        since = _retired_at(s3, bucket, key)
        if since is None:
            tags = {"TagSet": [{"Key": RETIRED, "Value": now.isoformat()}]}
            s3.put_object_tagging(Bucket=bucket, Key=key, Tagging=tags)
        elif now - since > OLD_TABS:
            s3.delete_object(Bucket=bucket, Key=key)


def _retired_at(s3: Any, bucket: str, key: str) -> datetime | None:
    tags = {tag["Key"]: tag["Value"] for tag in s3.get_object_tagging(Bucket=bucket, Key=key)["TagSet"]}
    return datetime.fromisoformat(tags[RETIRED]) if RETIRED in tags else None
