#!/usr/bin/env bash
# Runs a command with DYNAMODB_ENDPOINT: as it is, or the address of ministack's DynamoDB, started for the command alone.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -z "${DYNAMODB_ENDPOINT:-}" ] || exec "$@"

log=$(mktemp)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
tools=$(infra/python.sh deploy-check)
env -i PATH="$PATH" "$tools/python" infra/engines/start_engine.py "$port" >"$log" 2>&1 &
engine=$!
trap 'kill "$engine" 2>/dev/null || true; rm -f "$log"' EXIT
for _ in $(seq 150); do
  if (echo >"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break; fi
  kill -0 "$engine" 2>/dev/null || { cat "$log" >&2; exit 1; }
  sleep 0.2
done
DYNAMODB_ENDPOINT=http://127.0.0.1:$port "$@"
