#!/usr/bin/env bash
# The release before and this one on one table: in turn, killed and exchanged between any two steps of a gameweek, each of them first
# once; and both at the same time. Each has to end as it does with this one alone, to the shilling. BEFORE names the other one, a tag
# or a commit; without it it is the last tag, and without a tag the commit in infra/released
# (before the first release any earlier commit). "built": this one's program is there
# already.
set -euo pipefail
cd "$(dirname "$0")/.."
infra/needs.sh
[ "${1:-}" = built ] || cargo build --locked --workspace --bin local
now=${CARGO_TARGET_DIR:-target}/debug/local

commit=${BEFORE:-$(git tag --list 'v*' --sort=-version:refname --no-contains HEAD | head -1)}
[ -n "$commit" ] || commit=$(cat infra/released)
commit=$(git rev-parse --verify --quiet "$commit^{commit}") || {
  echo "versions: there is no commit '$commit' here to hold this against; a copy of the whole history has it" >&2
  exit 1
}
copy=target/before/$commit
[ -d "$copy" ] || git clone -q --no-checkout . "$copy"
git -C "$copy" checkout -q "$commit"
(cd "$copy" && CARGO_TARGET_DIR=target cargo build --locked --workspace --bin local)
before=$copy/target/debug/local

said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT
infra/with-world.sh built python3 infra/engines/gameweek.py >"$said/alone"
for first in before now; do
  echo "a gameweek in turn with $commit, $first first"
  BEFORE=$before NOW=$now python3 infra/engines/versions.py $first-first >"$said/in-turn"
  diff "$said/alone" "$said/in-turn" || { echo "versions: a gameweek ends otherwise in turn with $commit" >&2; exit 1; }
done
echo "a gameweek with $commit at the same time"
# A table of its own on the server: it keeps apart what is signed with different keys.
AWS_ACCESS_KEY_ID=$(date +%N)$((RANDOM % 900 + 100)) ALONE=$said/alone BEFORE=$before NOW=$now \
  infra/with-engine.sh python3 infra/engines/both.py
