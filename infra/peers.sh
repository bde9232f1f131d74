#!/usr/bin/env bash
# Other people's parts: six public clients of Daraja call the stand-in for M-Pesa, and the product calls a public double
# of Daraja.
# "built": the binary is there already.
set -euo pipefail
cd "$(dirname "$0")/.."
infra/needs.sh

tools=$(infra/python.sh peers)
(cd infra/peers && npm ci --no-audit --no-fund --silent)
[ "${1:-}" = built ] || cargo build --locked --workspace --bin local
PYTHONPATH=infra/peers PYTHONPYCACHEPREFIX="$PWD/.venv/bytecode" exec "$tools/python" -m peers --local "${CARGO_TARGET_DIR:-target}/debug/local"
