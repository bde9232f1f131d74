//! What people tried who want what is not theirs: a file for each, named after what was done. Each is played
//! with the safeguards light and full.

mod admin_who_may_not_act;
mod admin_who_plays;
mod admin_with_a_password_only;
mod beacon_failed_once;
mod logged_out_token;
mod losers_vanish;
mod lost_callback_typed_later;
mod money_out_twice;
mod month_of_cheats;
mod paid_just_before_the_deadline;
mod payment_taken_back;
mod players_exchanged_after_the_draw;
mod prompt_to_a_stranger;
mod receipt_from_a_screenshot;
mod season_never_ends;
mod somebody_elses_team;
mod stolen_admin_token;
mod team_given_back;
mod unplayed_money_to_a_stranger;
mod year;

use app::Safeguards;
use rstest::rstest;

use crate::support::World;

#[rstest]
#[case(Safeguards::Light, "light")]
#[case(Safeguards::Full, "full")]
#[tokio::test]
async fn the_settings_tell_which_safeguards_hold(#[case] safeguards: Safeguards, #[case] told: &str) {
    let world = World::start_guarded(safeguards).await;
    assert_eq!(world.nobody().get("/api/settings").await.expect(200)["safeguards"], told);
}
