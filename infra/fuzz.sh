#!/usr/bin/env bash
# Has schemathesis try every call of the API's document with what it allows and what it does not.
# CASES: how many cases a call gets for each caller, beyond its examples and the edges of its schemas.
# "built": the binary is there already.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$(infra/python.sh fuzz)
exec infra/with-world.sh "$@" "$tools/python" infra/fuzz.py
