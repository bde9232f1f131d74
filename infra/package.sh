#!/usr/bin/env bash
# Builds the one binary of every Lambda with every optimisation: target/lambda/bootstrap/bootstrap, the same bytes
# from the same commit, in whatever folder and for whomever (`infra/reproducible.sh` shows it).
# $1: arm64 (what the template deploys) or x86_64 (to try it on such a machine).
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$(infra/python.sh package)
target=(); [ "${1:-arm64}" = x86_64 ] || target=(--arm64)
# The folders of this machine would stand in the texts of panics; the library's own source has another where it is installed.
library=$(rustc --print sysroot)/lib/rustlib/src/rust=/rustc/$(rustc -vV | sed -n 's/^commit-hash: //p')
folders=("$PWD=/src" "${CARGO_HOME:-$HOME/.cargo}=/cargo" "$library")
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
RUSTFLAGS=${folders[*]/#/--remap-path-prefix=}
CFLAGS=${folders[*]/#/-ffile-prefix-map=}
export SOURCE_DATE_EPOCH RUSTFLAGS CFLAGS
PATH="$tools:$PATH" cargo lambda build --locked --profile deploy -p functions --bin bootstrap "${target[@]}"
# A sentence of the OpenAPI document: its descriptions are for the local run and the tests.
if grep -q "A wallet's balance: for its owner and for an admin." target/lambda/bootstrap/bootstrap; then
  echo "the binary holds the API's document: something has switched on the feature \"document\"" >&2
  exit 1
fi
ls -l target/lambda/bootstrap/bootstrap
