#!/usr/bin/env bash
# What others wrote, and what must not be published: licences, sources and unused crates, the web's packages, secrets in the
# tree and its history, the workflows of the public CI. Seconds; what is known against what we use, `infra/advisories.sh` asks.
set -euo pipefail
cd "$(dirname "$0")/.."

PATH="$(infra/python.sh check):$PATH"
echo "crates: licences, sources, bans; unused ones"
cargo deny --locked --log-level error check --hide-inclusion-graph bans licenses sources
cargo shear --locked

echo "packages of npm: the web's, and those of every other lock"
git ls-files -z -- '*package-lock.json' | xargs -0 node web/scripts/packages.mjs

echo "workflows"
zizmor --quiet --offline --pedantic .github

# The scanner's name for a find is its exit status. It asks nobody whether a find is valid, and shows none.
FOUND=200
export KF_RULE_CACHE_DIR=$PWD/.venv/kingfisher
# What git does not keep.
BUILT=(.venv target node_modules dist .local .schemathesis test-results)
secrets() {
  kingfisher --quiet scan "$1" --no-validate --no-update-check --redact \
    "${BUILT[@]/#/--exclude=}" --rules-path infra/secret-rules.yaml --skip-regex '\.c2lnbmF0dXJl$' \
    --skip-regex '//evil:80@x\.push\.' --skip-regex '^(Bearer )?eyJhbGciOiJub25lIn0\.'
}
echo "secrets in the tree and its history"
# The document's example of a token is signed "signature", an address of a test (in the history) has a user in it, and a token
# that strangers send says that it is not signed at all (`"alg":"none"`): these three are passed over.
secrets .
# A scanner that finds nothing anywhere is none.
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
printf 'draw%skey = "%s"\n' - "$(printf 'x' | sha256sum | cut -c1-64)" >"$planted/settings.toml"
status=0
secrets "$planted" >/dev/null || status=$?
[ "$status" = "$FOUND" ] || { echo "the secret scan does not find a key of ours (its status: $status)" >&2; exit 1; }
