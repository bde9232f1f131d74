#!/usr/bin/env bash
# Deploys template.yaml into an emulator of the cloud on this machine, the functions' roles enforced, and plays the product
# there through its distribution, with the stand-ins for M-Pesa, the official game and the beacon.
# SHORT=1: the page, a sign-up, a deposit and the schedules. Otherwise a gameweek and every function; then what an operator
# types afterwards (secrets, releases, a restored table, the end); and then permissions are taken out of the template, one at a time:
# each time a check has to fail. docs/deploy.md says what the emulator cannot show.
# "built": the binaries and the page are there already, as the tests left them.
set -euo pipefail
cd "$(dirname "$0")/.."
infra/needs.sh

tools=$(infra/python.sh deploy-check)

target=${CARGO_TARGET_DIR:-target}
if [ "${1:-}" != built ]; then
  make web
  cargo build --locked --workspace --bin bootstrap --bin local
fi
functions=$(mktemp -d)
trap 'rm -rf "$functions"' EXIT
strip -o "$functions/bootstrap" "$target/debug/bootstrap"

check() {
  PYTHONPATH=infra:infra/deploy-check PYTHONPYCACHEPREFIX="$PWD/.venv/bytecode" "$tools/python" -m deploy_check --bootstrap "$functions/bootstrap" --local "$target/debug/local" "$@"
}

begun=$SECONDS
if [ "${SHORT:-}" = 1 ]; then
  check --short
  took=$((SECONDS - begun))
  echo "deploy-check: the short form took $took s"
  # Not a failure: what else the machine does meanwhile counts too.
  [ "$took" -le 180 ] || echo "deploy-check: three minutes are meant for it: what became slower?" >&2
  exit
fi
check
check --operated
check --without
echo "deploy-check: the whole form took $(((SECONDS - begun) / 60)) min"
