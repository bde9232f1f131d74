#!/usr/bin/env bash
# Prints the section of CHANGELOG.md of a version, and fails where there is none, or where the code has another version.
# $1: the version, such as 1.2.0.
set -euo pipefail
cd "$(dirname "$0")/.."

for file in Cargo.toml web/package.json; do
  grep -qE "^ *\"?version\"?( =|:) \"${1//./\\.}\"" "$file" || { echo "$file has not the version $1" >&2; exit 1; }
done
section=$(awk -v version="$1" '/^## / { wanted = $2 == version } wanted && !/^## /' CHANGELOG.md)
[ -n "${section//[[:space:]]/}" ] || { echo "CHANGELOG.md has no section $1" >&2; exit 1; }
printf '%s\n' "$section"
