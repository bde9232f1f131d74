#!/usr/bin/env python3
"""Plants bugs (infra/planted, a patch each) into a copy of what is committed, and has the tests look for each that its
second line names: `domain`, `clients`, `app`, `functions`, `local` (their unit tests), `api` or
`interleavings`, with filters. A bug that no test finds is a
test that cannot fail.

Several bugs are planted at once and built once, where they are in different files and none is looked for by another's
tests. One that is not found among others, which may hide it, is planted alone before it is called missed.

Usage: infra/planted.py [check | NAME…]. "check" only sees that every patch still fits."""

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATCHES = ROOT / "infra" / "planted"
# A build is the price of a group, so groups are large; with more bugs than this one often hides another.
GROUP = 10
TESTS = {
    "domain": ["-p", "domain"],
    "clients": ["-p", "clients", "--lib"],
    "app": ["-p", "app", "--lib"],
    "functions": ["-p", "functions", "--lib"],
    "local": ["-p", "local", "--lib"],
    "api": ["--workspace", "--test", "api"],
    "interleavings": ["--workspace", "--test", "interleavings"],
}
# A test that waits for ever has not passed.
LONGEST = 30 * 60


@dataclass
class Bug:
    name: str
    what: str
    suite: str
    filters: list[str]
    files: set[str]

    @classmethod
    def read(cls, name: str) -> "Bug":
        text = (PATCHES / f"{name}.patch").read_text()
        caught_by = re.search(r"^Caught by: (\w+) (.+)$", text, re.MULTILINE)
        if not caught_by or caught_by[1] not in TESTS:
            sys.exit(f"{name} names no tests")
        files = set(re.findall(r"^\+\+\+ b/(\S+)", text, re.MULTILINE))
        return cls(name, text.splitlines()[0], caught_by[1], caught_by[2].split(), files)

    def goes_with(self, other: "Bug") -> bool:
        same = any(one in two or two in one for one in self.filters for two in other.filters)
        return self.suite == other.suite and not same and not self.files & other.files

    def failed(self, tests: list[str]) -> int:
        return sum(any(part in test for part in self.filters) for test in tests)


def grouped(bugs: list[Bug]) -> list[list[Bug]]:
    groups: list[list[Bug]] = []
    for bug in bugs:
        fits = (group for group in groups if len(group) < GROUP and all(map(bug.goes_with, group)))
        group = next(fits, None)
        if group is None:
            groups.append([bug])
        else:
            group.append(bug)
    return groups


def git(*arguments: str, folder: Path) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True)


def play(group: list[Bug], copy: Path) -> list[Bug]:
    """Answers the bugs that no test has found."""
    git("checkout", "-q", ".", folder=copy)
    git("apply", *(str(PATCHES / f"{bug.name}.patch") for bug in group), folder=copy)
    cargo = ["cargo", "test", "--locked", *TESTS[group[0].suite]]
    began = time.monotonic()
    subprocess.run([*cargo, "--quiet", "--no-run"], cwd=copy, check=True)
    filters = [part for bug in group for part in bug.filters]
    ran = subprocess.run(
        [*cargo, "--", *filters], cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LONGEST
    )
    failed = re.findall(r"^test (.*) \.\.\. FAILED$", ran.stdout, re.MULTILINE)
    tests = len(re.findall(r"^test .* \.\.\. ", ran.stdout, re.MULTILINE))
    print(f"{len(group)} planted, {tests} tests, {time.monotonic() - began:.0f} s", flush=True)
    if tests == 0:
        sys.exit(f"no test ran: {ran.stdout[-2000:]}")
    for bug in group:
        if bug.failed(failed):
            print(f"  caught  {bug.name}: {bug.failed(failed)} tests", flush=True)
    return [bug for bug in group if not bug.failed(failed)]


def main() -> None:
    names = sys.argv[1:]
    every = sorted(path.stem for path in PATCHES.glob("*.patch"))
    if names == ["check"]:
        for name in map(Bug.read, every):
            fits = subprocess.run(["git", "apply", "--check", str(PATCHES / f"{name.name}.patch")], cwd=ROOT)
            if fits.returncode:
                sys.exit(f"infra/planted/{name.name}.patch does not fit any more: plant the bug anew")
        return
    target = Path(os.environ.setdefault("CARGO_TARGET_DIR", str(ROOT / "target" / "planted")))
    bugs = [Bug.read(name) for name in names or every]
    missed = []
    # Always the same place: cargo compiles what it finds elsewhere anew. Not in the target directory, where cargo knows
    # a file by its path from there and so takes another copy's for it.
    copy = target.with_name(f"{target.name}-copy")
    shutil.rmtree(copy, ignore_errors=True)
    git("clone", "-q", str(ROOT), str(copy), folder=ROOT)
    for group in grouped(bugs):
        unseen = play(group, copy)
        if len(group) > 1:
            unseen = [bug for bug in unseen if play([bug], copy)]
        missed += unseen
        for bug in unseen:
            print(f"  MISSED  {bug.name}: {bug.what}", flush=True)
    shutil.rmtree(copy)
    print(f"{len(bugs) - len(missed)} of {len(bugs)} bugs found")
    sys.exit(len(missed) > 0)


if __name__ == "__main__":
    main()
