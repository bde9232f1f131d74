#!/usr/bin/env bash
# Writes the locks of the Python tools anew, from what each *.in asks for: versions, and the hashes of their files.
# What is locked stays as it is, unless it is asked for: infra/requirements/lock.sh [--upgrade | --upgrade-package NAME].
set -euo pipefail
cd "$(dirname "$0")/../.."

uv=$(infra/python.sh lock)/uv
for wanted in infra/requirements/*.in; do
  "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header "$@" \
    "$wanted" -o "${wanted%.in}.txt"
done
