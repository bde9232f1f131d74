#!/usr/bin/env bash
# The product on another DynamoDB engine than the embedded one: ministack's, or the one that DYNAMODB_ENDPOINT names (Amazon's
# DynamoDB Local, for one, which its licence keeps out of here). A gameweek with bursts of requests has to end the same on both,
# to the shilling, and every call of the API's document has to answer as it says. docs/reliability.md has the differences.
# Before that the API's tests are played on it, which takes half an hour (FILTERS: some of them; SHORT=1: none). "built": the
# binary is there already.
set -euo pipefail
cd "$(dirname "$0")/.."
infra/needs.sh
[ "${1:-}" = built ] || cargo build --locked --workspace --bin local

[ -n "${DYNAMODB_ENDPOINT:-}" ] || exec infra/with-engine.sh infra/engines.sh built
other=$DYNAMODB_ENDPOINT
unset DYNAMODB_ENDPOINT
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT

# Engines keep apart what is signed with different keys: each world begins with a table of its own. Twelve digits are an
# account to ministack.
on_other() { DYNAMODB_ENDPOINT=$other AWS_ACCESS_KEY_ID=$(date +%N)$((RANDOM % 900 + 100)) "$@"; }

if [ -z "${SHORT-}" ]; then
  echo "the API's tests"
  # But for those that look at the embedded engine: its index that lags, and the units that it counts.
  DYNAMODB_ENDPOINT=$other cargo test --locked --workspace --test api -- ${FILTERS:-} \
    --skip a_list_is_right_once_its_index_has_caught_up --skip a_place_among_those_who_have_just_joined_costs_little
fi
echo "a gameweek on both engines"
infra/with-world.sh built python3 infra/engines/gameweek.py >"$said/embedded"
on_other infra/with-world.sh built python3 infra/engines/gameweek.py >"$said/other"
diff "$said/embedded" "$said/other" || { echo "engines: a gameweek ends otherwise on $other" >&2; exit 1; }
echo "every call against its own document"
CASES=${CASES:-10} on_other infra/fuzz.sh built
