#!/usr/bin/env bash
# Starts the product on a free port, in memory (or on DATA_DIR), and runs a command against it, which finds it at BASE_URL
# and may log in as ADMIN_EMAIL with ADMIN_PASSWORD. Usage: infra/with-world.sh [built] COMMAND…
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export ADMIN_EMAIL=admin@fplleagues.test ADMIN_PASSWORD="the operator's own"
# With "built" the binary is there already, from the tests: another selection of crates would build
# half of it again with other features.
if [ "$1" = built ]; then shift; else (cd "$root" && cargo build --locked -p local); fi
log=$(mktemp)
(cd "$root" && PORT=$port DATA_DIR=${DATA_DIR:-memory} exec "${CARGO_TARGET_DIR:-target}/debug/local") >"$log" 2>&1 &
world=$!
trap 'kill "$world" 2>/dev/null || true; wait "$world" 2>/dev/null || true; rm -f "$log"' EXIT
for _ in $(seq 150); do
  grep -q '^ready ' "$log" && break
  kill -0 "$world" 2>/dev/null || { cat "$log"; exit 1; }
  sleep 0.2
done
status=0
BASE_URL="http://localhost:$port" "$@" || status=$?
[ "$status" = 0 ] || grep -E '"level":"(ERROR|WARN)"' "$log" | tail -40 || true
exit "$status"
