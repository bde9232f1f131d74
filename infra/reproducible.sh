#!/usr/bin/env bash
# Shows that a release is the same bytes from the same commit: makes it twice, in two new folders, and compares. What is made
# is then in target/release-files. $1: arm64 or x86_64. A quarter of an hour or more each time, on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."

arch=${1:-arm64}
mkdir -p target/release-files target/tools
TOOLS_DIR=$PWD/target/tools
export TOOLS_DIR
unset CARGO_TARGET_DIR
copies=$(mktemp -d)
trap 'rm -rf "$copies"' EXIT
for copy in "$copies/one" "$copies/another/two"; do
  git clone --quiet . "$copy"
  "$copy/infra/release.sh" "$arch"
  mv "$copy/target/release-files" "$copy-made"
  rm -rf "$copy"
done
diff --recursive "$copies/one-made" "$copies/another/two-made"
cp "$copies/one-made"/* target/release-files/
echo "twice the same bytes: target/release-files"
