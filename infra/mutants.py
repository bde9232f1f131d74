#!/usr/bin/env python3
"""Has cargo-mutants change the rules (shared/domain) at one place after another, and the rules' own tests look for each
change. One that no test sees, or whose tests do not end, survives. What may survive is in infra/mutants.txt, with why. This
fails where another one does, and where one of the list does not any more, or is gone.

Usage: infra/mutants.py (more than an hour). SHARD=k/n, from 0/n on, tries a part; what the list has of the others is not judged then."""

import json
import os
import re
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "infra" / "mutants.txt"
TOOL = ROOT / "target" / "mutants-tool"
OUTPUT = ROOT / "target" / "mutants"
VERSION = "27.1.0"
# cargo-mutants' exit statuses: all were caught, some were missed, some did not end.
PLAYED = (0, 2, 3)
# A change that takes memory for ever fails at so much, rather than the machine.
MEMORY = 4 << 30


def text(name: str) -> str:
    """A mutant's name without line and column, which move with every change above it."""
    return re.sub(r"^([^:]+):\d+:\d+: ", r"\1: ", name)


def may_stay(path: Path) -> set[str]:
    """What a list of survivors has, each with why."""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    parts = [line.partition("   # ") for line in lines]
    if unexplained := [survivor for survivor, _, why in parts if not why]:
        sys.exit("\n".join(f"{path.relative_to(ROOT)} does not say why it may stay: {one}" for one in unexplained))
    return {survivor for survivor, _, _ in parts}


def installed() -> str:
    binary = TOOL / "bin" / "cargo-mutants"
    if not binary.exists():
        install = ["cargo", "install", "--locked", "cargo-mutants", "--version", VERSION, "--root", str(TOOL)]
        subprocess.run(install, cwd=ROOT, check=True)
    return str(binary)


def play(command: list[str]) -> dict[str, Counter[str]]:
    """How the mutants ended, by their text, which may stand for several places of a function."""
    # Two are tried at a time, each built in a copy of its own, without optimising across its parts, which takes longer than the tests.
    # A test that fails need not look for the smallest case.
    environment = {name: value for name, value in os.environ.items() if name != "CARGO_TARGET_DIR"}
    environment |= {"CARGO_PROFILE_DEV_DEBUG": "none", "CARGO_PROFILE_DEV_LTO": "off", "PROPTEST_MAX_SHRINK_ITERS": "0"}
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    options = ["--timeout", "60", "-j", "2", "--output", str(OUTPUT)]
    if shard := os.environ.get("SHARD"):
        options += ["--shard", shard]
    played = subprocess.run([*command, *options], cwd=ROOT, env=environment)
    if played.returncode not in PLAYED:
        sys.exit(f"cargo-mutants has tried nothing (status {played.returncode})")
    ends: dict[str, Counter[str]] = {}
    for outcome in json.loads((OUTPUT / "mutants.out" / "outcomes.json").read_text())["outcomes"]:
        if outcome["scenario"] != "Baseline":
            ends.setdefault(text(outcome["scenario"]["Mutant"]["name"]), Counter())[outcome["summary"]] += 1
    return ends


def main() -> None:
    stay = may_stay(LIST)
    command = [installed(), "mutants", "-p", "domain"]
    listed = subprocess.run([*command, "--list"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    every = Counter(map(text, listed.stdout.splitlines()))
    if gone := sorted(stay - every.keys()):
        sys.exit("\n".join(f"GONE  {mutant}" for mutant in gone))
    of, may, wrong = Counter(), 0, []
    for mutant, ends in sorted(play(command).items()):
        of += ends
        survive = ends["MissedMutant"] + ends["Timeout"]
        if survive and mutant in stay:
            may += survive
        elif survive:
            wrong.append(f"{'MISSED' if ends['MissedMutant'] else 'DOES NOT END'}  {mutant}")
        # Other places that the text stands for may be in another part.
        elif mutant in stay and ends.total() == every[mutant]:
            wrong.append(f"NO LONGER SURVIVES  {mutant}")
    for line in wrong:
        print(f"  {line}")
    print(f"{of.total()} mutants, {of['CaughtMutant']} caught, {of['Unviable']} do not compile, {may} may stay")
    sys.exit(len(wrong) > 0)


if __name__ == "__main__":
    main()
