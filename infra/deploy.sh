#!/usr/bin/env bash
# The commands that put the product on AWS (infra/deploy): infra/deploy.sh COMMAND STAGE, or infra/deploy.sh test.
set -euo pipefail
cd "$(dirname "$0")/.."

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "needed first: Python 3.11 or later" >&2; exit 1; }
export PYTHONPATH="$PWD/infra" PYTHONPYCACHEPREFIX="$PWD/.venv/bytecode"
if [ "${1:-}" = test ]; then
  tools=$(infra/python.sh deploy-test)
  exec "$tools/python" -m pytest -q -p no:cacheprovider infra/deploy/tests
fi
tools=$(infra/python.sh deploy)
exec "$tools/python" -m deploy "$@"
