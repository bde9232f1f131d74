#!/usr/bin/env bash
# Plays the browser tests against the product. "built": the binary is there already.
set -euo pipefail
cd "$(dirname "$0")/../web"
exec ../infra/with-world.sh "$@" npm run e2e
