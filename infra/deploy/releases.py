"""Which releases a stage has had, in the bucket of artifacts: `<stage>/releases/000012.json` says what the twelfth was
made of, `<stage>/live` which one is in use. A release that is gone back from keeps its number. `<stage>/coming` is there
from before a new one changes the stack until it is live: one that broke off may be in use as a part."""

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from botocore.exceptions import ClientError

from .aws import Refused


@dataclass(frozen=True)
class Release:
    commit: str
    template: str
    page: str
    at: str
    # What it was deployed with, but for the edge's secret.
    parameters: dict[str, str]
    number: int = 0

    def is_as(self, other: "Release") -> bool:
        return (self.template, self.page) == (other.template, other.page)


class Releases:
    def __init__(self, s3: Any, bucket: str, stage: str) -> None:
        self.s3, self.bucket, self.stage = s3, bucket, stage

    def live(self) -> Release | None:
        number = self._read(f"{self.stage}/live")
        return None if number is None else self._release(int(number))

    def note(self, release: Release) -> Release:
        """Writes down that this is live now. The live one made anew gets no new number."""
        live = self.live()
        number = live.number if live and live.is_as(release) else max(self._numbers(), default=0) + 1
        release = replace(release, number=number)
        self._write(f"{self.stage}/releases/{number:06}.json", json.dumps(asdict(release), indent=1))
        self.point_at(number)
        return release

    def coming(self) -> None:
        """A new one is about to change the stack."""
        self._write(f"{self.stage}/coming", "")

    def point_at(self, number: int) -> None:
        self._write(f"{self.stage}/live", str(number))
        self.s3.delete_object(Bucket=self.bucket, Key=f"{self.stage}/coming")

    def before(self, wanted: int | None = None) -> Release:
        """The one to go back to: the one before the live one, or the one that is named. After one that broke off it is the
        live one itself."""
        live = self.live()
        if live is None:
            raise Refused(f"Nothing was deployed to {self.stage} yet: there is nothing to go back to.")
        numbers = self._numbers()
        if wanted is not None:
            if wanted not in numbers:
                raise Refused(
                    f"There is no release {wanted} of {self.stage}. There are: {', '.join(map(str, numbers))}."
                )
            return self._release(wanted)
        if self._read(f"{self.stage}/coming") is not None:
            return live
        earlier = [number for number in numbers if number < live.number]
        if not earlier:
            raise Refused(f"Release {live.number} is the first one of {self.stage}: there is nothing to go back to.")
        return self._release(max(earlier))

    def _numbers(self) -> list[int]:
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=f"{self.stage}/releases/")
        keys = [found["Key"] for page in pages for found in page.get("Contents", [])]
        return sorted(int(key.rpartition("/")[2].removesuffix(".json")) for key in keys)

    def _release(self, number: int) -> Release:
        kept = self._read(f"{self.stage}/releases/{number:06}.json")
        if kept is None:
            raise Refused(f"Release {number} of {self.stage} is not in {self.bucket} any more.")
        return Release(**json.loads(kept))

    def _read(self, key: str) -> str | None:
        try:
            return self.s3.get_object(Bucket=self.bucket, Key=key)["Body"].read().decode()
        except ClientError as error:
            if error.response["Error"]["Code"] in {"NoSuchKey", "404", "NoSuchBucket"}:
                return None
            raise

    def _write(self, key: str, text: str) -> None:
        self.s3.put_object(Bucket=self.bucket, Key=key, Body=text.encode())
