#!/usr/bin/env bash
# Every check of `make test`, whole where it has a short form, and those that take longer than a change may wait for: hours on two cores.
# The next is tried though one has failed; in the end it says which did.
set -uo pipefail
cd "$(dirname "$0")/.."
. infra/compiling.sh
. infra/beside.sh

failed=()
step() {
  printf '\n== %s (%d min)\n' "$1" $((SECONDS / 60))
  "${@:2}" || failed+=("$1")
}

whole_test() { WHOLE=1 infra/test.sh; }
# As `sam` reads it before it deploys: it wants a region and no account, and counts its use where it is not told not to.
sam_validate() { AWS_DEFAULT_REGION=eu-west-1 SAM_CLI_TELEMETRY=0 "$(infra/python.sh sam)/sam" validate --lint --template template.yaml; }
long_tests() { cargo test --locked --workspace -- --ignored; }
# Without lints: what is measured or uploaded is compiled as always, and a planted bug may be clumsy.
unlinted() { env -u RUSTC_WORKSPACE_WRAPPER -u CLIPPY_ARGS "$@"; }
crowd() { unlinted cargo run --locked --release -p bench -- crowd; }
reproducible() { unlinted infra/reproducible.sh x86_64; }
# But for tests that leave no time: a payment is confirmed in the second in which its prompt is sent, a second admin made in
# that of the first (docs/faults.md, "What no test shows"), a day exported while it is going on, or at once after it was booked, a job
# before its second. A list is waited for with the clock, by which an open prompt ends.
lag() {
  INDEX_LAG=10 cargo test --locked --workspace --test api -- accounts:: admin:: payments:: withdrawals:: \
    platform::schedules platform::lagging_index people::paid_just_before_the_deadline leagues::draw_races \
    ledger::taking_back influencers:: \
    --skip early_means_nothing --skip an_export_of_many_rows_is_one_file --skip a_period_is_of_kenyas_days \
    --skip withdrawals_and_prompts_are_exported --skip of_two_deposits_on_one_room_one_is_sent \
    --skip an_admin_by_a_setting_is_told_of_as_well --skip a_receipt_is_its_prompts_wherever_its_judging_ends \
    --skip it_is_taken_back_once_wherever_the_claim_of_a_late_receipt_ends \
    --skip what_is_paid_after_a_list_by_a_clock_that_is_ahead
}
interleavings() { SCHEDULES=2000 cargo test --locked --workspace --test interleavings; }
year() { OPERATIONS=20000 SEED=$(date +%Y%m%d) cargo test --locked --workspace --test api a_simulated_year -- --nocapture; }
strangers() {
  PROPTEST_CASES=1000000 cargo test --locked --workspace --test wire strangers &&
    PROPTEST_CASES=1000000 cargo test --locked --workspace --lib no_reply_is_paid &&
    CASES=1000 SEED=$(date +%Y%m%d) cargo test --locked --workspace --test api platform::strangers
}
engines() { FILTERS="ledger:: withdrawals::" infra/engines.sh built; }
# In the same target directory: what is not ours is compiled there.
planted() { CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target} unlinted infra/planted.py today; }

step "make test, with every screen, flow and function, and three times the cases of each call" whole_test
step "the template, as SAM itself reads it" sam_validate
step "the long tests (Rust): two months, one of them with cheats, a thousand teams, a night with a slow M-Pesa" long_tests
step "lists, reminders and sweeps with indexes that lag ten seconds" lag
step "flows that meet, in 2,000 orders each" interleavings
step "two gameweeks of a simulated year, each day another one; strangers: a million bodies, a thousand of each of the rest" beside year strangers
step "other people's parts: clients of Daraja, and a double of it" infra/peers.sh built
step "another engine of the database, with the tests of the books and of withdrawals" engines
step "the release before and this one on one table, in turn and at once" infra/versions.sh built
step "what is known against what we use" infra/advisories.sh
step "a gameweek of a hundred thousand, under the limits of the table; a seventh of the planted bugs, each day another one" \
  beside crowd planted
step "a release, twice, the same bytes" reproducible

if [ ${#failed[@]} = 0 ]; then printf '\nall of it passes (%d min)\n' $((SECONDS / 60)); exit; fi
printf '\nfailed: %s' "${failed[@]}" >&2
echo >&2
exit 1
