# run: everything on this machine. test: every check that a change has to pass. test-all: these, and what takes longer:
# the long tests, more cases, a seventh of the planted bugs (hours). package: what is uploaded (ARCH=x86_64 to try it here).
# release: what a release carries, twice, compared (the same bytes from the same commit), to target/release-files.
# deploy-check: template.yaml deployed into an emulator of the cloud, and the product played there (SHORT=1: a part of it).
# test-peers: other people's parts: public clients of Daraja call the stand-in for M-Pesa, the product a public double of Daraja.
# test-engines: the product on another DynamoDB engine (ministack's, or DYNAMODB_ENDPOINT's) ends as on the embedded one, and
# passes the API's tests there (forty minutes; FILTERS= some of them, SHORT=1 none).
# test-versions: the release before, or BEFORE=commit, and this one on one table, in turn and at once.
# bench: what has to be fast, measured, in release, the packaged binary too (BOOTSTRAP=file: another one); instruction
# counts too where valgrind is; what each operation costs; a gameweek of a thousand, ten thousand and a hundred thousand.
# bench-web: Lighthouse on the login page, the main page, the leagues and a league on its match day, median of five.
# planted: every planted bug, up to ten in one build (GROUP=1: each alone), and which tests find it (hours).
# mutants: the rules, changed at one place after another by cargo-mutants; fails where their own tests do not see a change that
# infra/mutants.txt does not explain (more than an hour; SHARD=k/n from 0/n on: a part of them).
# conditions: the store's writes, each without one of its conditions after another; fails where the tests do not see one that
# infra/conditions.txt does not explain (hours; FILES=payments/ or SHARD=k/n: a part of them).
# soak: a simulated year of 1,000,000 operations (OPERATIONS= fewer, SEED= another one; STEPS= those of one that failed), and
# flows that meet, in 50,000 orders each (SCHEDULES= another number): hours. soak-year: the year alone.
# screenshots: every screen at both sizes, light and dark, to web/shots.
# admin: gives the admin's role to an account of the local run, while that is stopped: make admin EMAIL=...
# no-admin ends that, and lost-second-factor takes away the second factor of an admin who has lost it; all admins are told.
# With STAGE= these three do so where the product is deployed.
# deploy: brings what is here to AWS, as stages/$STAGE.toml says (ANYWAY=yes: all at once, whatever alarm rings); check looks
# only whether all is there that it needs.
# rollback: the release before (RELEASE= another). destroy: takes it away, never with people's money in it
# (CONFIRM=name: a production stage's name, where nobody is there to type it).
# secrets: makes and asks for what is missing; ROTATE=name changes one
# (LEAKED=yes: the old one is not believed any more). docs/deploy.md says what to type, in order.
# paybill-address: shows which address Safaricom's people have to register for the paybill (it holds a secret);
# REGISTERED=yes notes the one that they have registered.
.PHONY: run test test-all test-peers test-engines test-versions deploy-check bench bench-web planted mutants conditions soak soak-year admin no-admin lost-second-factor web \
  screenshots fmt package release check deploy rollback destroy secrets paybill-address
ARCH ?= arm64

run: web
	exec cargo run --locked -p local

export ROTATE LEAKED REGISTERED RELEASE REPLACE ANYWAY EVERYTHING CONFIRM EMAIL

admin no-admin lost-second-factor:
	$(if $(STAGE),infra/deploy.sh $@ "$(STAGE)",cargo run --locked --quiet -p local -- $@ "$(EMAIL)")

check deploy rollback destroy secrets paybill-address:
	@infra/deploy.sh $@ "$(STAGE)"

test:
	infra/test.sh

test-all:
	infra/test-all.sh

test-peers:
	infra/peers.sh

test-engines:
	infra/engines.sh

test-versions:
	infra/versions.sh

deploy-check:
	infra/deploy-check.sh

bench:
	$(if $(BOOTSTRAP),,infra/package.sh x86_64)
	cargo test --locked --workspace --test api no_operation_costs_more_than_its_budget -- --nocapture
	cargo run --locked --release -p bench

web: web/dist/index.html

web/dist/index.html: web/node_modules/.package-lock.json $(shell find web/src web/public web/scripts web/.env web/index.html web/vite.config.ts -type f 2>/dev/null)
	cd web && npm run build && touch dist/index.html

bench-web: web
	infra/needs.sh chromium && infra/with-world.sh node web/scripts/bench.mjs

planted:
	infra/planted.py

mutants:
	infra/mutants.py

conditions:
	infra/conditions.py $(FILES)

# Hours of playing are worth minutes of optimisation.
soak soak-year: export CARGO_PROFILE_RELEASE_LTO := thin
soak soak-year: export CARGO_PROFILE_RELEASE_CODEGEN_UNITS := 1

soak: soak-year
	SCHEDULES=$(or $(SCHEDULES),50000) cargo test --locked --release --workspace --test interleavings

soak-year:
	MIMALLOC_PURGE_DELAY=-1 OPERATIONS=$(or $(OPERATIONS),1000000) cargo test --locked --release --workspace --test api a_simulated_year -- --nocapture

screenshots: web
	infra/needs.sh chromium && cd web && npm run shots

web/node_modules/.package-lock.json: web/package-lock.json
	infra/needs.sh && cd web && npm ci --no-audit --no-fund && touch node_modules/.package-lock.json

fmt:
	cargo fmt --all

package:
	infra/package.sh $(ARCH)

release:
	infra/reproducible.sh $(ARCH)
