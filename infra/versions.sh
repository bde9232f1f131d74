#!/usr/bin/env bash
# The release before and this one in turn on one table, killed and exchanged between any two steps of a gameweek, each of them first
# once: it has to end as it does with this one alone, to the shilling. BEFORE names the other one, a tag or a commit; without it
# it is the last tag. "built": this one's program is there already.
set -euo pipefail
cd "$(dirname "$0")/.."
infra/needs.sh
[ "${1:-}" = built ] || cargo build --locked --workspace --bin local
now=${CARGO_TARGET_DIR:-target}/debug/local

commit=${BEFORE:-$(git tag --list 'v*' --sort=-version:refname --no-contains HEAD | head -1)}
[ -n "$commit" ] || { echo "versions: nothing was released yet; BEFORE=commit names what to hold this against"; exit 0; }
commit=$(git rev-parse --verify "$commit^{commit}")
copy=target/before/$commit
[ -d "$copy" ] || git clone -q --no-checkout . "$copy"
git -C "$copy" checkout -q "$commit"
(cd "$copy" && CARGO_TARGET_DIR=target cargo build --locked --workspace --bin local)

said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT
infra/with-world.sh built python3 infra/engines/gameweek.py >"$said/alone"
for first in before now; do
  echo "a gameweek in turn with $commit, $first first"
  BEFORE=$copy/target/debug/local NOW=$now python3 infra/engines/versions.py $first-first >"$said/in-turn"
  diff "$said/alone" "$said/in-turn" || { echo "versions: a gameweek ends otherwise in turn with $commit" >&2; exit 1; }
done
