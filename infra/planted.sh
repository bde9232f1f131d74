#!/usr/bin/env bash
# Plants one bug after another (infra/planted, a patch each) into a copy of what is committed and has the tests
# look for it that its second line names: `domain`, `app`, `functions` (their unit tests) or `api`, with filters. A bug that
# no test finds is a test that cannot fail.
# Usage: infra/planted.sh [check | NAME[+NAME…]…]. "check" only sees that every patch still fits. NAME+NAME plants several
# at once and builds once: for bugs in different files, none of which is in what another's tests look at.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

if [ "${1:-}" = check ]; then
  for patch in infra/planted/*.patch; do
    git apply --check "$patch" || { echo "$patch does not fit any more: plant the bug anew" >&2; exit 1; }
  done
  exit
fi

names=("$@")
if [ $# = 0 ]; then for patch in infra/planted/*.patch; do names+=("$(basename "$patch" .patch)"); done; fi
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target/planted}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git clone -q "$root" "$copy/fpl"
cd "$copy/fpl"

missed=0
for together in "${names[@]}"; do
  IFS=+ read -ra bugs <<<"$together"
  for name in "${bugs[@]}"; do git apply "$root/infra/planted/$name.patch"; done
  for name in "${bugs[@]}"; do
    patch=$root/infra/planted/$name.patch
    read -r suite filters <<<"$(sed -n 's/^Caught by: //p' "$patch")"
    case $suite in
      domain) tests=(-p domain) ;;
      app | functions) tests=(-p "$suite" --lib) ;;
      api) tests=(--workspace --test api) ;;
      *) echo "$patch names no tests" >&2; exit 2 ;;
    esac
    cargo test --locked --quiet "${tests[@]}" --no-run
    # shellcheck disable=SC2086 # a filter is a word
    if found=$(cargo test --locked "${tests[@]}" -- $filters 2>&1); then
      echo "MISSED  $name: $(head -1 "$patch")"
      missed=$((missed + 1))
    else
      echo "caught  $name: $(grep -c '^test .* FAILED$' <<<"$found") of $(grep -c '^test ' <<<"$found") tests"
    fi
  done
  git checkout -q .
done
exit $((missed > 0))
