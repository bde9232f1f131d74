#!/usr/bin/env python3
"""Leaves out the conditions of the store's writes, one after another, and the API's tests and those of flows that meet look for
each. infra/conditions.patch, planted into a copy of what is committed, makes every condition one that a setting leaves out, so
there is one build. The tests play once as they are, which tells which of them meet a condition; only these look for it. One
that no test sees survives. What may survive is in infra/conditions.txt, with why. This fails where another one does, or is
met by no test, and where one of the list does not survive any more, or is gone.

Usage: infra/conditions.py [PREFIX…] (hours). With prefixes only conditions in such files, payments/ for one, are left out; SHARD=k/n,
from 0/n on, a part of them. What the list has of the others is not judged then. AGAIN=1: which tests meet which condition is
known from the time before, since when no line has moved. MOST=n: only the n tests nearest to each look for it."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from mutants import may_stay
from planted import ROOT, git, tested

PATCH = ROOT / "infra" / "conditions.patch"
LIST = ROOT / "infra" / "conditions.txt"
STORE = "shared/store/src/"
SUITES = ("api", "interleavings")
# What counts the calls of every operation takes minutes, and would tell of nothing but that.
LEFT_OUT = ("platform::budgets",)
# As many tests look first, then twice as many, and so on: most conditions are seen by one of the nearest.
FIRST, MOST_AT_ONCE = 8, 128
# What nearly every test meets takes minutes for each condition. With fewer of them some may be called MISSED that are not.
MOST = int(os.environ.get("MOST", "2000"))
# A condition as it is written: what the patch marks.
CALL = re.compile(r"only_if|Put::new|put_once|over_version|Check::that|\.and\(|\.delete\(.*Some\(")


class Tests:
    """The built tests of a suite."""

    def __init__(self, name: str, binary: Path, copy: Path) -> None:
        self.name, self.binary, self.copy = name, binary, copy

    def play(self, names: list[str], environment: dict[str, str]) -> tuple[list[str], bool]:
        """Which of them failed, and whether they ended."""
        folder = self.copy / ("functions" if self.name == "api" else "infra/local")
        chosen = ["--exact", *names] if names else [part for name in LEFT_OUT for part in ("--skip", name)]
        settings = {"RUST_BACKTRACE": "0", "RUST_TEST_THREADS": str(2 * (os.cpu_count() or 1)), **environment}
        command = ["env", *(f"{name}={value}" for name, value in settings.items()), str(self.binary), *chosen]
        printed, ended = tested(command, folder)
        if ended and not re.search(r"^test result: ", printed, re.MULTILINE):
            # It has ended as a whole: what it was at is not known, but it is no pass.
            return ["the whole of them"], True
        return re.findall(r"^test (.*) \.\.\. FAILED$", printed, re.MULTILINE), ended


def built(copy: Path) -> list[Tests]:
    command = ["cargo", "test", "--locked", "--workspace", "--no-run", *(part for name in SUITES for part in ("--test", name))]
    made = subprocess.run(command, cwd=copy, check=True, stderr=subprocess.PIPE, text=True).stderr
    found = re.findall(r"Executable tests/(\w+)\S* \((\S+)\)", made)
    return [Tests(name, copy / binary, copy) for name, binary in found]


def met(suites: list[Tests], notes: Path) -> dict[str, dict[str, list[str]]]:
    """By condition (file:line:column) and suite, the tests that meet it."""
    found: dict[str, dict[str, list[str]]] = {}
    for tests in suites:
        kept = notes / f"{tests.name}.txt"
        if "AGAIN" not in os.environ:
            kept.unlink(missing_ok=True)
            failed, ended = tests.play([], {"CONDITIONS_MET": str(kept)})
            if failed or not ended:
                sys.exit(f"the tests fail with every condition in its place: {failed or 'they do not end'}")
        for line in sorted(set(kept.read_text().splitlines())):
            place, _, test = line.partition("\t")
            # What a thread of its own does is not known to be a test's.
            if "::" in test:
                found.setdefault(place, {}).setdefault(tests.name, []).append(test)
    return found


def in_words(place: str, copy: Path) -> str:
    """A condition without its line and column, which move with every change above it: the file, the function and its text."""
    file, line, column = place.rsplit(":", 2)
    lines = (copy / file).read_text().splitlines()
    above = (re.search(r"\bfn (\w+)", text) for text in reversed(lines[: int(line)]))
    function = next((name[1] for name in above if name), "")
    return f"{file.removeprefix(STORE)} {function}: {lines[int(line) - 1][int(column) - 1 :]}"


def every_condition(copy: Path) -> Counter[str]:
    """How many lines of the store have conditions, by file."""
    found: Counter[str] = Counter()
    for file in (copy / STORE).rglob("*.rs"):
        text = file.read_text().split("#[cfg(test)]")[0]
        found[str(file.relative_to(copy))] = sum(
            bool(CALL.search(line)) and not re.search(r"\bfn |^\s*//", line) for line in text.splitlines()
        )
    return found


def caught_by(place: str, everywhere: dict[str, dict[str, list[str]]], suites: list[Tests]) -> str | None:
    """The first test that fails without the condition; `None`: none does."""
    area = set(re.split(r"\W+", place.removeprefix(STORE)))
    for tests in sorted(suites, key=lambda tests: tests.name != "api"):
        meets = Counter(name for by_suite in everywhere.values() for name in by_suite.get(tests.name, []))
        # Those of the same area first, and of these the ones that are about little else.
        names = everywhere[place].get(tests.name, [])
        names = sorted(names, key=lambda name: (-len(area & set(re.split(r"\W+", name))), meets[name]))[:MOST]
        at, at_once = 0, FIRST
        while at < len(names):
            failed, ended = tests.play(names[at : at + at_once], {"CONDITION_LEFT_OUT": place})
            if not ended:
                return "tests that do not end"
            if failed:
                return failed[0]
            at, at_once = at + at_once, min(2 * at_once, MOST_AT_ONCE)
    return None


def main() -> None:
    stay, prefixes = may_stay(LIST), tuple(STORE + prefix for prefix in sys.argv[1:])
    files = [str(file.relative_to(ROOT)) for file in (ROOT / STORE).rglob("*.rs")]
    if unknown := [prefix for prefix in prefixes if not any(file.startswith(prefix) for file in files)]:
        sys.exit(f"no file begins so: {', '.join(unknown)}\n{__doc__}")
    shard, _, shards = os.environ.get("SHARD", "0/1").partition("/")
    target = Path(os.environ.setdefault("CARGO_TARGET_DIR", str(ROOT / "target" / "planted")))
    # Where planted.py has its own: what is compiled there is found again.
    copy = target.with_name(f"{target.name}-copy")
    shutil.rmtree(copy, ignore_errors=True)
    git("clone", "-q", str(ROOT), str(copy), folder=ROOT)
    git("apply", str(PATCH), folder=copy)
    suites = built(copy)
    notes = target / "conditions"
    notes.mkdir(exist_ok=True)
    everywhere = met(suites, notes)
    words = {place: in_words(place, copy) for place in everywhere}
    wrong = [f"GONE  {condition}" for condition in sorted(stay - set(words.values()))]
    places = sorted(place for place in everywhere if place.startswith(prefixes or STORE))[int(shard) :: int(shards)]
    found = survived = 0
    for place in places:
        began = time.monotonic()
        test = caught_by(place, everywhere, suites)
        is_listed = words[place] in stay
        found, survived = found + (test is not None), survived + (test is None and is_listed)
        if test is None and not is_listed:
            wrong.append(f"MISSED  {words[place]}")
        elif test is not None and is_listed:
            wrong.append(f"NO LONGER SURVIVES  {words[place]}")
        print(f"{words[place]}: {test or 'SURVIVES'} ({time.monotonic() - began:.0f} s)", flush=True)
    # A line with two conditions is met if one of them is.
    lines = Counter(file for file, _ in {tuple(place.split(":")[:2]) for place in everywhere})
    for file, count in sorted(every_condition(copy).items()):
        if file.startswith(prefixes or STORE) and count > lines[file]:
            print(f"{file.removeprefix(STORE)}: {lines[file]} of {count} lines with a condition are met by a test", flush=True)
    for line in wrong:
        print(f"  {line}")
    print(f"{len(places)} conditions left out, {found} caught, {survived} may stay")
    shutil.rmtree(copy)
    sys.exit(len(wrong) > 0)


if __name__ == "__main__":
    main()
