#!/usr/bin/env bash
# Asks whether something is known against the crates and packages that we use. The answers change by the day and not with
# the code, so `make test` does not wait for them: the public CI asks daily and before a release, `make test-all` too.
# A database that cannot be reached is said; with "required" it is a failure, as any finding is.
set -euo pipefail
cd "$(dirname "$0")/.."

PATH="$(infra/python.sh check):$PATH"
failed=0
unreached() {
  printf 'NOT CHECKED: %s cannot be reached from here\n' "$1" >&2
  [ "${2:-}" != required ] || failed=1
}

echo "crates (RustSec)"
if cargo deny --locked --log-level error fetch db >/dev/null 2>&1; then
  cargo deny --locked check --disable-fetch advisories || failed=1
else
  unreached "RustSec's database" "${1:-}"
fi

# An answer has a count of vulnerabilities; a refusal of the registry has none.
while read -r lock; do
  folder=$(dirname "$lock")
  echo "packages of $folder (npm)"
  audit=$(npm --prefix "$folder" audit --package-lock-only --json 2>/dev/null </dev/null) || true
  if grep -q '"auditReportVersion"' <<<"$audit"; then
    (cd "$folder" && npm audit --package-lock-only --audit-level=moderate </dev/null) || failed=1
  else
    unreached "npm's audit of $folder" "${1:-}"
  fi
done < <(git ls-files -- '*package-lock.json')
exit "$failed"
