#!/usr/bin/env bash
# The commands that put the product on AWS (infra/deploy), in a virtual environment of their own.
# infra/deploy.sh COMMAND STAGE, or infra/deploy.sh test.
set -euo pipefail
cd "$(dirname "$0")/.."

wants=requirements; [ "${1:-}" != test ] || wants=requirements-test
venv=infra/deploy/.venv
cmp -s "infra/deploy/$wants.txt" "$venv/$wants.txt" || {
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "needed first: Python 3.11 or later" >&2; exit 1; }
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q --require-hashes -r "infra/deploy/$wants.txt"
  cp "infra/deploy/$wants.txt" "$venv/"
}
export PYTHONPATH="$PWD/infra" PYTHONDONTWRITEBYTECODE=1
if [ "${1:-}" = test ]; then exec "$venv/bin/python" -m pytest -q -p no:cacheprovider infra/deploy/tests; fi
exec "$venv/bin/python" -m deploy "$@"
