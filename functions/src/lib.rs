//! THE TABLE: every HTTP function and every job of the product, one line each. A name is the
//! Rust function's in kebab case: `request_withdrawal` is `Handler: request-withdrawal`.

pub mod account;
pub mod acts;
pub mod approvals;
pub mod audit;
pub mod auth;
pub mod books;
pub mod calendar;
pub mod calling_off;
pub mod cancellation;
pub mod corrections;
pub mod deposits;
pub mod draw;
pub mod entries;
pub mod entry_payments;
pub mod exports;
pub mod gameweek;
pub mod hooks;
pub mod http;
pub mod influencers;
pub mod jobs;
pub mod leagues;
pub mod manual_payments;
pub mod numbers;
mod openapi;
pub mod passwords;
pub mod players;
pub mod set_asides;
pub mod settings;
pub mod switches;
mod table;
pub mod team_proofs;
pub mod teams;
pub mod totp;
pub mod winners;
pub mod withdrawals;

use axum::middleware::map_response;
pub use http::service;
pub use openapi::document;
pub use table::{Endpoint, Job, JobError, JobResult};
use utoipa_axum::{router::UtoipaMethodRouterExt, routes};

/// Every HTTP function.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    [
        routes!(auth::sign_up),
        routes!(auth::log_in),
        routes!(auth::log_out),
        routes!(auth::refresh),
        routes!(passwords::forgot_password),
        routes!(passwords::reset_password),
        routes!(account::get_user),
        routes!(teams::link_team),
        routes!(team_proofs::get_team_proof),
        routes!(team_proofs::start_team_proof),
        routes!(team_proofs::check_team_proof),
        routes!(account::get_wallet),
        routes!(account::list_transactions),
        routes!(account::list_payments),
        routes!(entries::list_entries),
        routes!(deposits::start_deposit).layer(map_response(http::unsuccessful)),
        routes!(deposits::get_deposit_status).layer(map_response(http::unsuccessful)),
        routes!(entry_payments::start_entry_payment).layer(map_response(http::unsuccessful)),
        routes!(entry_payments::get_entry_payment_status).layer(map_response(http::unsuccessful)),
        routes!(manual_payments::submit_manual_payment),
        routes!(manual_payments::list::list_manual_payments),
        routes!(manual_payments::review::confirm_manual_payment),
        routes!(manual_payments::review::reject_manual_payment),
        routes!(withdrawals::list_withdrawals),
        routes!(withdrawals::request_withdrawal),
        routes!(withdrawals::update_withdrawal),
        routes!(withdrawals::pay_withdrawal),
        routes!(cancellation::get_cancellation),
        routes!(cancellation::cancel_withdrawal),
        routes!(set_asides::list_set_asides),
        routes!(set_asides::get_set_aside),
        routes!(set_asides::decide_set_aside),
        routes!(books::get_books),
        routes!(leagues::join::join_league),
        routes!(leagues::list::list_leagues),
        routes!(leagues::points::get_points),
        routes!(leagues::settlement::get_settlement),
        routes!(calendar::list_gameweeks),
        routes!(gameweek::get_current_gameweek),
        routes!(gameweek::get_gameweek_status),
        routes!(draw::get_draw),
        routes!(gameweek::process_winners),
        routes!(gameweek::toggle_deduction),
        routes!(totp::get_totp),
        routes!(totp::start_totp),
        routes!(totp::confirm_totp),
        routes!(totp::remove_totp),
        routes!(totp::step_up),
        routes!(players::search_players),
        routes!(players::get_player),
        routes!(players::update_player),
        routes!(numbers::release_number),
        routes!(corrections::correct_wallet),
        routes!(winners::preview_winners),
        routes!(calling_off::list_owed_gameweeks),
        routes!(calling_off::preview_void),
        routes!(calling_off::void_gameweek),
        routes!(audit::list_audit),
        routes!(approvals::list_approvals),
        routes!(approvals::decide_approval),
        routes!(exports::export_table),
        routes!(switches::get_switches),
        routes!(switches::set_switches),
        routes!(leagues::waiting::list_waiting_leagues),
        routes!(leagues::waiting::decide_league),
        routes!(influencers::create_influencer).layer(map_response(http::told_twice)),
        routes!(influencers::follow_referral),
        routes!(influencers::list_influencers),
        routes!(settings::get_settings),
        routes!(hooks::receive_stk_callback),
        routes!(hooks::receive_paybill_confirmation),
        routes!(hooks::receive_payout_result),
        routes!(hooks::receive_payout_timeout),
        routes!(hooks::receive_status_result),
    ]
    .into_iter()
    .map(Endpoint::from_routes)
    .collect()
}

/// Every job: what queues and schedules start.
#[must_use]
pub fn jobs() -> Vec<Job> {
    vec![
        Job::queue("settle-payment", |app, message| Box::pin(jobs::settle_payment(app, message))),
        Job::queue("take-result", |app, message| Box::pin(jobs::take_result(app, message))),
        Job::queue("sweep-entries", |app, message| Box::pin(jobs::sweep_entries(app, message))),
        Job::queue("settle-gameweek", |app, message| Box::pin(jobs::settle_gameweek(app, message))),
        Job::queue("settle-league", |app, message| Box::pin(jobs::settle_league(app, message))),
        Job::queue("collect-teams", |app, message| Box::pin(jobs::collect_teams(app, message))),
        Job::queue("read-books", |app, message| Box::pin(jobs::read_books(app, message))),
        Job::queue("send-mail", |app, message| Box::pin(jobs::send_mail(app, message))),
        Job::schedule("sync-gameweek", |app| Box::pin(jobs::sync_gameweek(app))),
        Job::schedule("track-points", |app| Box::pin(jobs::track_points(app))),
        Job::schedule("close-gameweek", |app| Box::pin(jobs::close_gameweek(app))),
        Job::schedule("remind-of-payments", |app| Box::pin(jobs::remind_of_payments(app))),
        Job::schedule("register-paybill", |app| Box::pin(jobs::register_paybill(app))),
        Job::schedule("check-receipts", |app| Box::pin(jobs::check_receipts(app))),
        Job::schedule("ask-for-balance", |app| Box::pin(jobs::ask_for_balance(app))),
        Job::schedule("reconcile", |app| Box::pin(jobs::reconcile(app))),
    ]
}
