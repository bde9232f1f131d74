#!/usr/bin/env bash
# Every check that a change has to pass, in the order in which a mistake is cheapest to find. Ends at the first that fails.
# WHOLE=1 (make test-all): those that are short here are played whole.
set -euo pipefail
cd "$(dirname "$0")/.."
. infra/beside.sh

step() { printf '\n== %s (%d min)\n' "$*" $((SECONDS / 60)); }

step "what the machine needs"
infra/needs.sh chromium

step "the template"
tools=$(infra/python.sh check)
"$tools/cfn-lint" template.yaml infra/deploy/web-acl.yaml
# SAM reads it with this reader, which refuses more.
"$tools/python" -c 'import yaml; list(yaml.parse(open("template.yaml"), Loader=yaml.SafeLoader))'

step "the commands that deploy (Python)"
infra/deploy.sh test

step "the bugs that are planted now and then"
infra/planted.py check
git apply --check infra/conditions.patch
python3 infra/planted_test.py

step "what others wrote, and what must not be published"
infra/supply-chain.sh

web() { (cd web && npm ci --no-audit --no-fund && npm run lint && npm run build && npm run budget); }
compiled() { cargo test --locked --workspace --no-run; }
step "form (Rust); lints and compiling (Rust); the web app: form, lints, build, budgets"
cargo fmt --all --check
. infra/compiling.sh
beside web compiled

step "tests (Rust)"
# Most of a test is waiting: two on each core keep it busy. Memory that is given back and taken again costs it a twelfth.
RUST_TEST_THREADS=$((2 * $(nproc))) MIMALLOC_PURGE_DELAY=-1 cargo test --locked --workspace

short=1 phone=(--project phone)
if [ "${WHOLE:-}" = 1 ]; then
  short='' phone=()
  export CASES=120
fi
calls() { infra/fuzz.sh built && SHORT=$short infra/deploy-check.sh built; }
web_tests() { (cd web && npm test); }
step "tests (web); every call against its own document; the template deployed into an emulator of the cloud"
beside calls web_tests

screens() { (cd web && npm run screens -- "${phone[@]}"); }
flows() { SHORT=$short infra/e2e.sh built; }
step "every screen, light and dark; every route and flow in a browser"
beside screens flows
