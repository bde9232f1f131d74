#!/usr/bin/env bash
# Prints the folder with the commands of a set of Python tools, and makes it where it is not there: .venv/NAME, with exactly
# the packages that a lock names, each held to its hash. Usage: infra/python.sh NAME [LOCK, else infra/requirements/NAME.txt].
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv/$1
lock=${2:-infra/requirements/$1.txt}
if ! cmp -s "$lock" "$venv/locked.txt"; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  # A lock names all that is needed: nothing is looked for beside it. Python compiles what is used when it is first used.
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: --no-compile -r "$lock" >&2
  cp "$lock" "$venv/locked.txt"
fi
echo "$PWD/$venv/bin"
