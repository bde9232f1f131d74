//! THE TABLE: every HTTP function and every job of the product, one line each. A name is the
//! Rust function's in kebab case: `request_withdrawal` is `Handler: request-withdrawal`.

pub mod accounts;
pub mod admin;
pub mod entries;
pub mod gameweeks;
pub mod influencers;
pub mod leagues;
pub mod ledger;
pub mod payments;
pub mod platform;
pub mod settlement;
pub mod teams;
pub mod withdrawals;

use axum::middleware::map_response;
pub use platform::http::service;
pub use platform::openapi::document;
pub use platform::table::{Endpoint, Job, JobError, JobResult};
use utoipa_axum::{router::UtoipaMethodRouterExt, routes};

/// Every HTTP function.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    [
        routes!(accounts::auth::sign_up),
        routes!(accounts::auth::log_in),
        routes!(accounts::auth::log_out),
        routes!(accounts::auth::refresh),
        routes!(accounts::passwords::forgot_password),
        routes!(accounts::passwords::reset_password),
        routes!(accounts::profile::get_user),
        routes!(teams::link::link_team),
        routes!(teams::proofs::get_team_proof),
        routes!(teams::proofs::start_team_proof),
        routes!(teams::proofs::check_team_proof),
        routes!(accounts::profile::get_wallet),
        routes!(accounts::profile::list_transactions),
        routes!(accounts::profile::list_payments),
        routes!(entries::list::list_entries),
        routes!(payments::deposits::start_deposit).layer(map_response(platform::http::with_success_false)),
        routes!(payments::deposits::get_deposit_status)
            .layer(map_response(platform::http::with_success_false)),
        routes!(entries::payments::start_entry_payment)
            .layer(map_response(platform::http::with_success_false)),
        routes!(entries::payments::get_entry_payment_status)
            .layer(map_response(platform::http::with_success_false)),
        routes!(payments::typed_codes::submit_manual_payment),
        routes!(payments::typed_codes::list::list_manual_payments),
        routes!(payments::typed_codes::review::confirm_manual_payment),
        routes!(payments::typed_codes::review::reject_manual_payment),
        routes!(withdrawals::requests::list_withdrawals),
        routes!(withdrawals::requests::request_withdrawal),
        routes!(withdrawals::requests::update_withdrawal),
        routes!(withdrawals::requests::pay_withdrawal),
        routes!(withdrawals::cancellation::get_cancellation),
        routes!(withdrawals::cancellation::cancel_withdrawal),
        routes!(payments::set_asides::list_set_asides),
        routes!(payments::set_asides::get_set_aside),
        routes!(payments::set_asides::decide_set_aside),
        routes!(ledger::reconciliation::get_books),
        routes!(entries::join::join_league),
        routes!(leagues::list::list_leagues),
        routes!(leagues::points::get_points),
        routes!(settlement::record::get_settlement),
        routes!(gameweeks::calendar::list_gameweeks),
        routes!(gameweeks::status::get_current_gameweek),
        routes!(gameweeks::status::get_gameweek_status),
        routes!(leagues::draw::get_draw),
        routes!(settlement::winners::process_winners),
        routes!(gameweeks::status::toggle_deduction),
        routes!(accounts::totp::get_totp),
        routes!(accounts::totp::start_totp),
        routes!(accounts::totp::confirm_totp),
        routes!(accounts::totp::remove_totp),
        routes!(accounts::totp::step_up),
        routes!(admin::players::search_players),
        routes!(admin::players::get_player),
        routes!(admin::players::update_player),
        routes!(payments::numbers::release_number),
        routes!(ledger::corrections::correct_wallet),
        routes!(settlement::preview::preview_winners),
        routes!(gameweeks::calling_off::list_owed_gameweeks),
        routes!(gameweeks::calling_off::preview_void),
        routes!(gameweeks::calling_off::void_gameweek),
        routes!(admin::audit::list_audit),
        routes!(admin::approvals::list_approvals),
        routes!(admin::approvals::decide_approval),
        routes!(admin::exports::export_table),
        routes!(admin::switches::get_switches),
        routes!(admin::switches::set_switches),
        routes!(settlement::waiting::list_waiting_leagues),
        routes!(settlement::waiting::decide_league),
        routes!(influencers::create_influencer).layer(map_response(platform::http::with_text_in_error)),
        routes!(influencers::follow_referral),
        routes!(influencers::list_influencers),
        routes!(admin::settings::get_settings),
        routes!(payments::callbacks::receive_stk_callback),
        routes!(payments::callbacks::receive_paybill_confirmation),
        routes!(withdrawals::callbacks::receive_payout_result),
        routes!(withdrawals::callbacks::receive_payout_timeout),
        routes!(withdrawals::callbacks::receive_status_result),
    ]
    .into_iter()
    .map(Endpoint::from_routes)
    .collect()
}

/// Every job: what queues and schedules start.
#[must_use]
pub fn jobs() -> Vec<Job> {
    vec![
        Job::queue("settle-payment", |app, message| Box::pin(platform::jobs::settle_payment(app, message))),
        Job::queue("take-result", |app, message| Box::pin(platform::jobs::take_result(app, message))),
        Job::queue("sweep-entries", |app, message| Box::pin(platform::jobs::sweep_entries(app, message))),
        Job::queue("settle-gameweek", |app, message| Box::pin(platform::jobs::settle_gameweek(app, message))),
        Job::queue("settle-league", |app, message| Box::pin(platform::jobs::settle_league(app, message))),
        Job::queue("collect-teams", |app, message| Box::pin(platform::jobs::import_picks(app, message))),
        Job::queue("read-books", |app, message| Box::pin(platform::jobs::reconcile_segment(app, message))),
        Job::queue("send-mail", |app, message| Box::pin(platform::jobs::send_mail(app, message))),
        Job::schedule("sync-gameweek", |app| Box::pin(platform::jobs::sync_gameweek(app))),
        Job::schedule("track-points", |app| Box::pin(platform::jobs::track_points(app))),
        Job::schedule("close-gameweek", |app| Box::pin(platform::jobs::close_gameweek(app))),
        Job::schedule("remind-of-payments", |app| Box::pin(platform::jobs::remind_of_payments(app))),
        Job::schedule("register-paybill", |app| Box::pin(platform::jobs::register_paybill(app))),
        Job::schedule("check-receipts", |app| Box::pin(platform::jobs::check_receipts(app))),
        Job::schedule("ask-for-balance", |app| Box::pin(platform::jobs::ask_for_balance(app))),
        Job::schedule("reconcile", |app| Box::pin(platform::jobs::reconcile(app))),
    ]
}
