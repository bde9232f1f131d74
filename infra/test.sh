#!/usr/bin/env bash
# Every check there is, in the order in which a mistake is cheapest to find. Ends at the first that fails.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s (%d min)\n' "$*" $((SECONDS / 60)); }

# "$1" beside "$2": each leaves a core idle for a part of its time. What the first says is shown when both are through.
beside() {
  local said status=0
  said=$(mktemp)
  "$1" >"$said" 2>&1 &
  local other=$!
  "$2" || status=$?
  wait "$other" || status=$?
  cat "$said"
  rm -f "$said"
  return "$status"
}

step "what the machine needs"
infra/needs.sh chromium

step "the template"
tools=$(infra/python.sh check)
"$tools/cfn-lint" template.yaml
# SAM reads it with this reader, which refuses more.
"$tools/python" -c 'import yaml; list(yaml.parse(open("template.yaml"), Loader=yaml.SafeLoader))'

step "the commands that deploy (Python)"
infra/deploy.sh test

step "the bugs that are planted now and then"
infra/planted.sh check

step "what others wrote, and what must not be published"
infra/supply-chain.sh

step "form and lints (Rust)"
cargo fmt --all --check
cargo clippy --locked --workspace --all-targets -- -D warnings

step "tests (Rust)"
# Most of a test is waiting: two on each core keep it busy.
RUST_TEST_THREADS=$((2 * $(nproc))) cargo test --locked --workspace

fuzz() { infra/fuzz.sh built; }
web() { (cd web && npm ci --no-audit --no-fund && npm run lint && npm run build && npm run budget); }
step "every call against its own document; the web app: form, lints, build, budgets"
beside fuzz web

web_tests() { (cd web && npm test); }
deployed() { SHORT=1 infra/deploy-check.sh built; }
step "tests (web); the template deployed into an emulator of the cloud: page, sign-up, deposit, schedules"
beside deployed web_tests

step "every screen on a phone, light and dark"
(cd web && npm run screens -- --project phone)

step "every route and flow in a browser"
infra/e2e.sh built
