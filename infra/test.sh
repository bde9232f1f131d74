#!/usr/bin/env bash
# Every check there is, in the order in which a mistake is cheapest to find. Ends at the first that fails.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

step "what the machine needs"
infra/needs.sh chromium

step "the template"
[ -x .venv/bin/cfn-lint ] || { python3 -m venv .venv && .venv/bin/pip install -q 'cfn-lint==1.58.*'; }
.venv/bin/cfn-lint template.yaml

step "the bugs that are planted now and then"
infra/planted.sh check

step "form and lints (Rust)"
cargo fmt --all --check
cargo clippy --locked --workspace --all-targets -- -D warnings

step "tests (Rust)"
cargo test --locked --workspace

step "every call against its own document"
infra/fuzz.sh built

step "the web app"
(cd web && npm ci --no-audit --no-fund && npm run lint && npm test && npm run build && npm run budget)

step "every screen on a phone, light and dark"
(cd web && npm run screens -- --project phone)

step "every route and flow in a browser"
infra/e2e.sh built
