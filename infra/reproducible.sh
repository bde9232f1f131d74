#!/usr/bin/env bash
# Shows that a release is the same bytes from the same commit: makes it twice, in two new folders, and compares. What is made
# is then in target/release-files. $1: arm64 or x86_64.
set -euo pipefail
cd "$(dirname "$0")/.."

arch=${1:-arm64}
mkdir -p target/release-files target/tools
TOOLS_DIR=$PWD/target/tools
export TOOLS_DIR
unset CARGO_TARGET_DIR
copies=$(mktemp -d)
trap 'rm -rf "$copies"' EXIT
release() {
  git clone --quiet . "$1"
  "$1/infra/release.sh" "$arch"
  mv "$1/target/release-files" "$1-made"
  rm -rf "$1"
}
# At once: half of the time one core links.
pids=()
for copy in "$copies/one" "$copies/another/two"; do
  release "$copy" &
  pids+=($!)
done
failed=0
for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
[ "$failed" = 0 ] || { echo "reproducible: a release could not be made" >&2; exit 1; }
diff --recursive "$copies/one-made" "$copies/another/two-made"
cp "$copies/one-made"/* target/release-files/
echo "twice the same bytes: target/release-files"
