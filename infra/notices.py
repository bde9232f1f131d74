"""Prints the notices that the crates in the binary ask for, a text once with the crates that it came with.
Usage: python3 infra/notices.py TARGET (aarch64-unknown-linux-gnu)."""

import json
import subprocess
import sys
from pathlib import Path

NOTICES = ("LICENSE*", "LICENCE*", "COPYING*", "COPYRIGHT*", "NOTICE*", "UNLICENSE*")
RULE = "=" * 80


def shipped(target: str) -> list[dict]:
    """Every crate of others that `functions` is built from: what only tests, or builds, is in no binary."""
    command = ["cargo", "metadata", "--locked", "--format-version=1", "--filter-platform", target]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    needs = {
        node["id"]: [d["pkg"] for d in node["deps"] if any(k["kind"] is None for k in d["dep_kinds"])]
        for node in metadata["resolve"]["nodes"]
    }
    waiting = [next(p["id"] for p in packages.values() if p["name"] == "functions")]
    found = set()
    while waiting:
        package = waiting.pop()
        if package not in found:
            found.add(package)
            waiting += needs[package]
    theirs = [packages[package] for package in found if packages[package]["source"]]
    return sorted(theirs, key=lambda package: (package["name"], package["version"]))


def texts(package: dict) -> list[str]:
    folder = Path(package["manifest_path"]).parent
    files = {file for pattern in NOTICES for file in folder.glob(pattern) if file.is_file()}
    return [file.read_text(errors="replace").strip() for file in sorted(files)]


def main() -> None:
    crates = shipped(sys.argv[1])
    of_text: dict[str, list[str]] = {}
    print("Crates in the functions' binary, each with the terms that it is under:\n")
    for crate in crates:
        name = f"{crate['name']} {crate['version']}"
        print(f"{name}: {crate['license']}")
        for text in texts(crate):
            of_text.setdefault(text, []).append(name)
    for text, names in sorted(of_text.items(), key=lambda item: item[1]):
        print(f"\n{RULE}\n{', '.join(names)}\n{RULE}\n{text}")


main()
