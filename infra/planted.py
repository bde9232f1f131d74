#!/usr/bin/env python3
"""Plants bugs (infra/planted, a patch each) into a copy of what is committed, and has the tests look for each that its
lines "Caught by:" name: `domain`, `clients`, `app`, `functions`, `local` (their unit tests), `wire`, `contract`, `world`,
`api` or `interleavings`, with filters. A bug that no test finds is a test that cannot fail; with several lines, each has to find it.

Several bugs are planted at once and built once, where they are in different files and none is looked for by another's
tests. One that is not found among others, which may hide it, is planted alone before it is called missed. So is each of
a group that does not compile or whose tests do not end: alone it is found, or called BROKEN or HANGS, and the others go on.
A test may fail by another bug of the group than the one that it is named for: GROUP=1 plants each alone, a build for each.

Usage: infra/planted.py [check | today | NAME…]. "check" only sees that every patch still fits, "today" plays a seventh of
them, each day of the week another one. SUITE=interleavings plays the lines of that suite alone."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATCHES = ROOT / "infra" / "planted"
# A build is the price of a group, so groups are large; with more bugs than this one often hides another.
GROUP = int(os.environ.get("GROUP", "10"))
TESTS = {
    "domain": ["-p", "domain"],
    "clients": ["-p", "clients", "--lib"],
    "wire": ["-p", "clients", "--test", "wire"],
    "app": ["-p", "app", "--lib"],
    "functions": ["-p", "functions", "--lib"],
    "local": ["-p", "local", "--lib"],
    # The local run has tests of that name too.
    "contract": ["-p", "functions", "--test", "contract"],
    "world": ["-p", "local", "--test", "world"],
    "api": ["--workspace", "--test", "api"],
    "interleavings": ["--workspace", "--test", "interleavings"],
}
# What each is built from stands before it: who touches an early one has all that follow built again.
CRATES = ["shared/domain", "shared/clients", "shared/store", "shared/app", "infra", "functions"]
# A test that waits for ever has not passed, and has not found anything.
LONGEST = 30 * 60


@dataclass
class Bug:
    name: str
    what: str
    suite: str
    filters: list[str]
    files: set[str]

    @classmethod
    def read(cls, name: str) -> list["Bug"]:
        """One for each of its lines."""
        text = (PATCHES / f"{name}.patch").read_text()
        lines = re.findall(r"^Caught by: (\w+) (.+)$", text, re.MULTILINE)
        if not lines or any(suite not in TESTS for suite, _ in lines):
            sys.exit(f"{name} names no tests")
        files = set(re.findall(r"^\+\+\+ b/(\S+)", text, re.MULTILINE))
        return [cls(name, text.splitlines()[0], suite, filters.split(), files) for suite, filters in lines]

    def goes_with(self, other: "Bug") -> bool:
        same = any(one in two or two in one for one in self.filters for two in other.filters)
        return self.suite == other.suite and not same and not self.files & other.files

    def rebuilds_from(self) -> int:
        touched = (crate for crate in CRATES for file in self.files if file.startswith(crate))
        return min(map(CRATES.index, touched), default=0)

    def failed(self, tests: list[str]) -> int:
        return sum(any(part in test for part in self.filters) for test in tests)


def grouped(bugs: list[Bug]) -> list[list[Bug]]:
    """Bugs of the same crates are beside one another: the next group then builds as little as it can."""
    groups: list[list[Bug]] = []
    for bug in sorted(bugs, key=Bug.rebuilds_from):
        fits = (group for group in groups if len(group) < GROUP and all(map(bug.goes_with, group)))
        group = next(fits, None)
        if group is None:
            groups.append([bug])
        else:
            group.append(bug)
    return groups


def git(*arguments: str, folder: Path) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True)


def tested(command: list[str], copy: Path) -> tuple[str, bool]:
    """What the tests print, and whether they end."""
    ran = subprocess.Popen(
        command, cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        return ran.communicate(timeout=LONGEST)[0], True
    except subprocess.TimeoutExpired:
        # Cargo's end is not that of the tests that it has started.
        os.killpg(ran.pid, signal.SIGKILL)
        return ran.communicate()[0], False


def play(group: list[Bug], copy: Path) -> dict[str, list[Bug]]:
    """Answers the bugs that no test has found, by why: MISSED, BROKEN (nothing was tested), HANGS."""
    git("checkout", "-q", ".", folder=copy)
    git("apply", *(str(PATCHES / f"{bug.name}.patch") for bug in group), folder=copy)
    cargo = ["cargo", "test", "--locked", *TESTS[group[0].suite]]
    began = time.monotonic()
    built = subprocess.run([*cargo, "--quiet", "--no-run"], cwd=copy)
    if built.returncode:
        return {"BROKEN": group}
    filters = [part for bug in group for part in bug.filters]
    printed, ended = tested([*cargo, "--", *filters], copy)
    failed = re.findall(r"^test (.*) \.\.\. FAILED$", printed, re.MULTILINE)
    tests = len(re.findall(r"^test .* \.\.\. ", printed, re.MULTILINE))
    print(f"{len(group)} planted, {tests} tests, {time.monotonic() - began:.0f} s", flush=True)
    for bug in group:
        if bug.failed(failed):
            print(f"  caught  {bug.name}: {bug.failed(failed)} tests ({bug.suite})", flush=True)
    unseen = [bug for bug in group if not bug.failed(failed)]
    if not ended:
        return {"HANGS": unseen}
    if tests == 0:
        print(f"no test ran: {printed[-2000:]}", flush=True)
        return {"BROKEN": group}
    return {"MISSED": unseen}


def main() -> None:
    names = sys.argv[1:]
    every = sorted(path.stem for path in PATCHES.glob("*.patch"))
    if names == ["check"]:
        for name in every:
            Bug.read(name)
            fits = subprocess.run(["git", "apply", "--check", str(PATCHES / f"{name}.patch")], cwd=ROOT)
            if fits.returncode:
                sys.exit(f"infra/planted/{name}.patch does not fit any more: plant the bug anew")
        return
    if names == ["today"]:
        names = every[datetime.now(UTC).toordinal() % 7 :: 7]
    target = Path(os.environ.setdefault("CARGO_TARGET_DIR", str(ROOT / "target" / "planted")))
    # As many orders of flows that meet as `make test-all` plays: in fewer, chance may miss a bug.
    os.environ.setdefault("SCHEDULES", "2000")
    bugs = [bug for name in names or every for bug in Bug.read(name) if os.environ.get("SUITE", bug.suite) == bug.suite]
    unfound = 0
    # Always the same place: cargo compiles what it finds elsewhere anew. Not in the target directory, where cargo knows
    # a file by its path from there and so takes another copy's for it.
    copy = target.with_name(f"{target.name}-copy")
    shutil.rmtree(copy, ignore_errors=True)
    git("clone", "-q", str(ROOT), str(copy), folder=ROOT)
    for group in grouped(bugs):
        results = [play(group, copy)]
        if len(group) > 1:
            results = [play([bug], copy) for unseen in results[0].values() for bug in unseen]
        for why, bug in ((why, bug) for result in results for why, unseen in result.items() for bug in unseen):
            print(f"  {why}  {bug.name} ({bug.suite}): {bug.what}", flush=True)
            unfound += 1
    shutil.rmtree(copy)
    print(f"{len(bugs) - unfound} of {len(bugs)} lines found, of {len(names or every)} bugs")
    sys.exit(unfound > 0)


if __name__ == "__main__":
    main()
