#!/usr/bin/env bash
# Makes what a release carries, of the last commit and nothing else, in target/release-files: the functions' binary and the
# web app with the template and the notices of others, in one archive; a bill of materials (CycloneDX) for each of the two;
# and the checksums. The same bytes from the same commit: infra/reproducible.sh shows it. $1: arm64 or x86_64.
set -euo pipefail
cd "$(dirname "$0")/.."

arch=${1:-arm64}
case $arch in
  arm64) target=aarch64-unknown-linux-gnu ;;
  x86_64) target=x86_64-unknown-linux-gnu ;;
  *) echo "arm64 or x86_64, not $arch" >&2; exit 2 ;;
esac
[ -z "$(git status --porcelain)" ] || { echo "a release is made of a commit: there are changes" >&2; exit 1; }
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
name=fpl-leagues-$version-$arch
out=target/release-files
tools=${TOOLS_DIR:-target/tools}
mkdir -p "$out"

infra/package.sh "$arch"
(cd web && npm ci --no-audit --no-fund && npm run build)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
files=$folder/$name
mkdir "$files"
cp target/lambda/bootstrap/bootstrap template.yaml LICENSE CHANGELOG.md "$files"
python3 infra/notices.py "$target" >"$files/NOTICES.txt"
cp -r web/dist "$files/web"
rm -rf "$files/web/.vite"
chmod -R u=rwX,go=rX "$files"
tar --create --directory "$folder" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
  --format=gnu "$name" | gzip -n -9 >"$out/$name.tar.gz"

[ -x "$tools/bin/cargo-cyclonedx" ] || cargo install --quiet --locked --root "$tools" cargo-cyclonedx@0.5.9
"$tools/bin/cargo-cyclonedx" cyclonedx --quiet --manifest-path functions/Cargo.toml --target "$target" --no-build-deps \
  --format json --spec-version 1.5 --override-filename bill
# It writes one for each of our crates, and this machine's folder into them.
sed "s|path+file://$PWD/|path+file:///src/|g" functions/bill.json >"$out/$name.cdx.json"
git clean --quiet --force -- '*/bill.json'
# npm numbers and dates each bill anew, and takes a package that allows for less than our React for a fault.
(cd web && npm sbom --sbom-format cyclonedx --omit dev --legacy-peer-deps) | python3 -c '
import json, sys, time
bill = json.load(sys.stdin)
del bill["serialNumber"]
bill["metadata"]["timestamp"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(sys.argv[1])))
json.dump(bill, sys.stdout, indent=1)' "$SOURCE_DATE_EPOCH" >"$out/fpl-leagues-$version-web.cdx.json"

(cd "$out" && sha256sum "$name.tar.gz" "$name.cdx.json" "fpl-leagues-$version-web.cdx.json" >"$name.sha256" && cat "$name.sha256")
