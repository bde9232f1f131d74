#!/usr/bin/env bash
# Starts the product on a free port, in memory, and plays the browser tests against it.
set -euo pipefail
cd "$(dirname "$0")/.."

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export ADMIN_EMAIL=admin@fplleagues.test ADMIN_PASSWORD="the operator's own"
# With "built" the binary is there already, from the tests: another selection of crates would build
# half of it again with other features.
[ "${1:-}" = built ] || cargo build --locked -p local
log=$(mktemp)
PORT=$port DATA_DIR=memory "${CARGO_TARGET_DIR:-target}/debug/local" >"$log" 2>&1 &
world=$!
trap 'kill "$world" 2>/dev/null || true; wait "$world" 2>/dev/null || true' EXIT
for _ in $(seq 150); do
  grep -q '^ready ' "$log" && break
  kill -0 "$world" 2>/dev/null || { cat "$log"; exit 1; }
  sleep 0.2
done
status=0
(cd web && BASE_URL="http://localhost:$port" npm run e2e) || status=$?
[ "$status" = 0 ] || grep -E '"level":"(ERROR|WARN)"' "$log" | tail -40 || true
exit "$status"
