# run: everything on this machine. test: every check that a change has to pass. test-all: these, and what takes longer:
# the long tests, more cases, every planted bug (hours). package: what is uploaded (ARCH=x86_64 to try it here).
# deploy-check: template.yaml deployed into an emulator of the cloud, and the product played there (SHORT=1: a part of it).
# bench: what has to be fast, measured, in release; instruction counts too where valgrind is.
# bench-web: Lighthouse on the login page and the main page, median of five.
# planted: one bug after another into a copy, and which tests find it (some minutes each time).
# screenshots: every screen at both sizes, light and dark, to web/shots.
# admin: gives the admin's role to an account of the local run, while that is stopped: make admin EMAIL=...
# no-admin ends that, and lost-second-factor takes away the second factor of an admin who has lost it; all admins are told.
.PHONY: run test test-all deploy-check bench bench-web planted admin no-admin lost-second-factor web screenshots fmt package
ARCH ?= arm64

run: web
	exec cargo run --locked -p local

admin no-admin lost-second-factor:
	cargo run --locked --quiet -p local -- $@ "$(EMAIL)"

test:
	infra/test.sh

test-all:
	infra/test-all.sh

deploy-check:
	infra/deploy-check.sh

bench:
	cargo run --locked --release -p bench

web: web/dist/index.html

web/dist/index.html: web/node_modules/.package-lock.json $(shell find web/src web/public web/scripts web/.env web/index.html web/vite.config.ts -type f 2>/dev/null)
	cd web && npm run build && touch dist/index.html

bench-web: web
	infra/needs.sh chromium && infra/with-world.sh node web/scripts/bench.mjs

planted:
	infra/planted.sh

screenshots: web
	infra/needs.sh chromium && cd web && npm run shots

web/node_modules/.package-lock.json: web/package-lock.json
	infra/needs.sh && cd web && npm ci --no-audit --no-fund && touch node_modules/.package-lock.json

fmt:
	cargo fmt --all

package:
	infra/package.sh $(ARCH)
