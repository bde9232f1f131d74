#!/usr/bin/env bash
# Plays the browser tests against the product: with the safeguards light, as it runs on one machine, and then with
# them full and two admins. "built": the binary is there already.
set -euo pipefail
cd "$(dirname "$0")/../web"
../infra/with-world.sh "$@" npm run e2e

# The second admin signs up, is made an admin while the world is stopped, and is there in the next one.
DATA_DIR=$(mktemp -d)
trap 'rm -rf "$DATA_DIR"' EXIT
export DATA_DIR SAFEGUARDS=full SECOND_ADMIN=second@fplleagues.test
../infra/with-world.sh "$@" node scripts/second-admin.mjs
(cd .. && "${CARGO_TARGET_DIR:-target}/debug/local" admin "$SECOND_ADMIN")
../infra/with-world.sh built npm run e2e
