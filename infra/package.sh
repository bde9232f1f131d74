#!/usr/bin/env bash
# Builds the one binary of every Lambda with every optimisation: target/lambda/bootstrap/bootstrap.
# $1: arm64 (what the template deploys) or x86_64 (to try it on such a machine).
set -euo pipefail
cd "$(dirname "$0")/.."

[ -x .venv/bin/cargo-lambda ] || { python3 -m venv .venv && .venv/bin/pip install -q 'cargo-lambda==1.9.*' 'ziglang>=0.13,<0.16'; }
target=(); [ "${1:-arm64}" = x86_64 ] || target=(--arm64)
PATH="$PWD/.venv/bin:$PATH" cargo lambda build --locked --profile deploy -p functions --bin bootstrap "${target[@]}"
ls -l target/lambda/bootstrap/bootstrap
