//! THE TABLE: every HTTP function and every job of the product, one line each, with what it may do. A call's name
//! is the Rust function's in kebab case: `request_withdrawal` is `Handler: request-withdrawal`. `template.yaml` is
//! written from here.

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

use app::platform::secrets::names::*;
pub use platform::http::{service, unset};
#[cfg(feature = "document")]
pub use platform::openapi::document;
pub use platform::table::{Endpoint, Job, JobError, JobResult};
use platform::{
    deployment::{Batches, Grant::*, Queue::*},
    http::{with_success_false, with_text_in_error},
    jobs,
    table::endpoint,
};
use store::platform::partitions::*;

/// Every HTTP function.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    vec![
        // accounts
        endpoint!(accounts::sign_up::sign_up)
            .may(&[Reads, Puts, Secret(SECURITY_LOG_KEY), MovesMoney])
            .reads(&[TEAMS, LIMITS, INFLUENCERS, CALENDARS])
            .writes(&[PLAYERS, EMAILS, USERNAMES, TEAMS, PAYBILL_ACCOUNTS, LIMITS, INFLUENCERS])
            .memory(1024),
        endpoint!(accounts::log_in::log_in)
            .may(&[Reads, Writes, Secret(ACCESS_TOKEN_KEY), Secret(SECURITY_LOG_KEY), Secret(TOTP_KEY)])
            .reads(&[PLAYERS, EMAILS, LIMITS, KNOWN_ADDRESSES, CALENDARS])
            .writes(&[PLAYERS, LIMITS, KNOWN_ADDRESSES])
            .memory(1024),
        endpoint!(accounts::sessions::log_out).may(&[Reads, Updates]).keeps_to(&[PLAYERS]),
        endpoint!(accounts::sessions::refresh)
            .may(&[Reads, Updates, Secret(ACCESS_TOKEN_KEY), Secret(REFRESH_KEY)])
            .keeps_to(&[PLAYERS]),
        endpoint!(accounts::passwords::forgot_password)
            .may(&[Reads, Puts, Secret(SECURITY_LOG_KEY), Sends(Mails)])
            .keeps_to(&[LIMITS]),
        endpoint!(accounts::passwords::reset_password)
            .may(&[Reads, Writes])
            .keeps_to(&[PLAYERS])
            .memory(1024),
        endpoint!(accounts::profile::get_user).may(&[Session, Writes]),
        endpoint!(accounts::second_factor::get_totp).may(&[Session]),
        endpoint!(accounts::second_factor::start_totp).may(&[Session, Puts, Secret(TOTP_KEY)]).memory(1024),
        endpoint!(accounts::second_factor::confirm_totp)
            .may(&[Session, Writes, Secret(TOTP_KEY), Sends(Mails)])
            .memory(1024),
        endpoint!(accounts::second_factor::remove_totp).may(&[
            Session,
            Writes,
            Secret(TOTP_KEY),
            Sends(Mails),
        ]),
        endpoint!(accounts::second_factor::step_up).may(&[Session, Writes, Secret(TOTP_KEY)]),
        // teams
        endpoint!(teams::link::link_team).may(&[Session, Queries, Writes]),
        endpoint!(teams::proofs::get_team_proof).may(&[Session]),
        endpoint!(teams::proofs::start_team_proof).may(&[Session, Puts]),
        endpoint!(teams::proofs::check_team_proof).may(&[Session, Writes, Sends(Mails)]),
        // payments
        endpoint!(payments::deposits::start_deposit)
            .may(&[Session, Writes, PromptsByMpesa, Secret(SECURITY_LOG_KEY), Sends(Payments)])
            .timeout(30)
            .refusals(with_success_false),
        endpoint!(payments::deposits::get_deposit_status)
            .may(&[Session])
            .reads(&[PLAYERS, PAYMENTS])
            .refusals(with_success_false),
        endpoint!(payments::prompts::list_payments).may(&[Session, ReadsMany, Queries]),
        endpoint!(payments::typed_codes::submit_manual_payment).may(&[Session, Puts, Sends(Results)]),
        endpoint!(payments::typed_codes::list::list_manual_payments).may(&[
            Session,
            ReadsMany,
            Queries,
            QueriesLists,
        ]),
        endpoint!(payments::typed_codes::review::confirm_manual_payment)
            .may(&[Session, ReadsMany, Queries, QueriesLists, Transacts, AsksMpesa, Sends(Mails), MovesMoney])
            .timeout(29),
        endpoint!(payments::typed_codes::review::reject_manual_payment).may(&[Session, Writes]),
        endpoint!(payments::set_asides::list_set_asides).may(&[Session, Queries, QueriesLists]),
        endpoint!(payments::set_asides::get_set_aside).may(&[Session, Queries]),
        endpoint!(payments::set_asides::decide_set_aside)
            .may(&[Session, ReadsMany, Queries, QueriesLists, Transacts, AsksMpesa, Sends(Mails), MovesMoney])
            .timeout(29),
        endpoint!(payments::numbers::release_number).may(&[
            Session,
            ReadsMany,
            Queries,
            Writes,
            Secret(SECURITY_LOG_KEY),
        ]),
        endpoint!(payments::callbacks::receive_stk_callback)
            .may(&[Reads, Updates, Secret(HOOK_KEYS), Sends(Payments)])
            .keeps_to(&[PAYMENTS]),
        endpoint!(payments::paybill::receive_paybill_confirmation).may(&[Secret(HOOK_KEYS), Sends(Results)]),
        // withdrawals
        endpoint!(withdrawals::requests::list_withdrawals).may(&[Session, ReadsMany, Queries, QueriesLists]),
        endpoint!(withdrawals::requests::request_withdrawal).may(&[
            Session,
            ReadsMany,
            Queries,
            Transacts,
            Sends(Mails),
            MovesMoney,
        ]),
        endpoint!(withdrawals::requests::update_withdrawal).may(&[
            Session,
            Transacts,
            Sends(Mails),
            MovesMoney,
        ]),
        endpoint!(withdrawals::requests::pay_withdrawal)
            .may(&[Session, Transacts, PaysByMpesa, Sends(Results), Sends(Mails), MovesMoney])
            .timeout(29),
        endpoint!(withdrawals::cancellation::get_cancellation).may(&[Reads]).reads(&[WITHDRAWALS]),
        endpoint!(withdrawals::cancellation::cancel_withdrawal)
            .may(&[Reads, Writes, Sends(Mails), MovesMoney])
            .keeps_to(&[PLAYERS, WITHDRAWALS]),
        endpoint!(withdrawals::callbacks::receive_payout_result).may(&[Secret(HOOK_KEYS), Sends(Results)]),
        endpoint!(withdrawals::callbacks::receive_payout_timeout).may(&[Secret(HOOK_KEYS), Sends(Results)]),
        endpoint!(withdrawals::callbacks::receive_status_result).may(&[Secret(HOOK_KEYS), Sends(Results)]),
        // gameweeks
        endpoint!(gameweeks::calendar::list_gameweeks).public().may(&[Reads]).reads(&[CALENDARS]),
        endpoint!(gameweeks::status::get_current_gameweek).public().may(&[Reads]).reads(&[CALENDARS]),
        endpoint!(gameweeks::status::get_gameweek_status)
            .public()
            .reads(&[CALENDARS, SWITCHES, ENTRIES, CHECKPOINTS])
            .may(&[Reads, Queries]),
        endpoint!(gameweeks::status::toggle_deduction).may(&[Session, Writes]),
        endpoint!(gameweeks::calling_off::list_owed_gameweeks).may(&[Session, Queries]),
        endpoint!(gameweeks::calling_off::preview_void)
            .may(&[Session, ReadsMany, Queries])
            .memory(1024)
            .timeout(29),
        endpoint!(gameweeks::calling_off::void_gameweek).may(&[
            Session,
            ReadsMany,
            Queries,
            Transacts,
            Sends(Winners),
            Sends(Mails),
        ]),
        // entries
        endpoint!(entries::list::list_entries).may(&[Session, ReadsMany, Queries]),
        endpoint!(entries::payments::start_entry_payment)
            .may(&[Session, Writes, PromptsByMpesa, Secret(SECURITY_LOG_KEY), Sends(Payments)])
            .timeout(30)
            .refusals(with_success_false),
        endpoint!(entries::payments::get_entry_payment_status)
            .may(&[Session])
            .reads(&[PLAYERS, PAYMENTS])
            .refusals(with_success_false),
        endpoint!(entries::join::join_league)
            .may(&[Session, Transacts, MovesMoney])
            .reads(&[PLAYERS, CALENDARS, SWITCHES, TEAMS, PAYMENTS])
            .writes(&[PLAYERS, TEAMS, ENTRIES, INFLUENCERS]),
        // leagues
        endpoint!(leagues::list::list_leagues)
            .public()
            .reads(&[CALENDARS, SWITCHES, ENTRIES, LEAGUES, SCORES, FOOTBALLERS, SETTLEMENTS])
            .may(&[Reads, ReadsMany, Queries]),
        endpoint!(leagues::own::get_own_league).may(&[Session, Queries]),
        endpoint!(leagues::points::get_points).public().may(&[Reads, ReadsMany]).reads(&[
            PLAYERS,
            CALENDARS,
            SWITCHES,
            TEAMS,
            LEAGUES,
            SCORES,
            FOOTBALLERS,
        ]),
        endpoint!(leagues::draw::get_draw).public().may(&[Reads]).reads(&[CALENDARS, DRAWS]),
        // settlement
        endpoint!(settlement::record::get_settlement).public().may(&[Reads]).reads(&[SETTLEMENTS]),
        endpoint!(settlement::winners::process_winners).may(&[Session, Queries, Writes, Sends(Winners)]),
        endpoint!(settlement::preview::preview_winners).may(&[Session, Queries]).memory(1024).timeout(29),
        endpoint!(settlement::waiting::list_waiting_leagues).may(&[Session, Queries]),
        endpoint!(settlement::waiting::decide_league).may(&[Session, Writes, Sends(Teams), Sends(Leagues)]),
        // ledger
        endpoint!(ledger::wallets::get_wallet).may(&[Session]),
        endpoint!(ledger::transactions::list_transactions).may(&[Session, Queries]),
        endpoint!(ledger::reconciliation::get_books).may(&[Session, ReadsMany, Queries, QueriesLists]),
        endpoint!(ledger::corrections::correct_wallet)
            .may(&[Session, ReadsMany, Queries, Transacts, Sends(Mails), MovesMoney])
            .timeout(29),
        // influencers
        endpoint!(influencers::create_influencer).may(&[Session, Puts]).refusals(with_text_in_error),
        endpoint!(influencers::follow_referral)
            .may(&[Session, Updates])
            .reads(&[PLAYERS, INFLUENCERS])
            .writes(&[INFLUENCERS]),
        endpoint!(influencers::list_influencers).may(&[Session, Queries]),
        endpoint!(influencers::invitations::get_invitation)
            .may(&[Session, Queries, Puts])
            .keeps_to(&[PLAYERS, INFLUENCERS]),
        // admin
        endpoint!(admin::players::search_players).may(&[Session, ReadsMany, QueriesLists]),
        endpoint!(admin::players::get_player).may(&[Session, ReadsMany, Queries, QueriesLists]),
        endpoint!(admin::players::update_player).may(&[Session, ReadsMany, Queries, Transacts, Sends(Mails)]),
        endpoint!(admin::audit::list_audit).may(&[Session, Queries]),
        endpoint!(admin::approvals::list_approvals).may(&[Session, QueriesLists]),
        endpoint!(admin::approvals::decide_approval)
            .may(&[
                Session,
                ReadsMany,
                Queries,
                QueriesLists,
                Transacts,
                AsksMpesa,
                PaysByMpesa,
                Sends(Results),
                Sends(Mails),
                Sends(Winners),
                MovesMoney,
            ])
            .timeout(29),
        endpoint!(admin::exports::export_table).may(&[Session, ReadsMany, QueriesDays]).timeout(29),
        endpoint!(admin::switches::get_switches).may(&[Session]),
        endpoint!(admin::switches::set_switches).may(&[Session, Writes]),
        endpoint!(admin::settings::get_settings).public(),
        // platform
        endpoint!(platform::health::get_health).may(&[Reads]).reads(&[CALENDARS]),
    ]
}

/// Every job: what queues and schedules start.
#[must_use]
pub fn jobs() -> Vec<Job> {
    vec![
        Job::queue("settle-payment", Payments, Batches { of: 10, at_once: 5 }, jobs::settle_payment)
            .may(&[
                Reads,
                Queries,
                Transacts,
                CallsMpesa,
                Secret(DARAJA_PASSKEY),
                Secret(SECURITY_LOG_KEY),
                Sends(Payments),
                Sends(Mails),
                MovesMoney,
            ])
            .timeout(60),
        Job::queue("take-result", Results, Batches { of: 10, at_once: 5 }, jobs::take_result)
            .may(&[
                Reads,
                ReadsMany,
                Queries,
                QueriesLists,
                QueriesDays,
                Writes,
                AsksMpesa,
                Sends(Results),
                Sends(Payments),
                Sends(Mails),
                MovesMoney,
            ])
            .timeout(60),
        Job::queue("sweep-entries", Sweeps, Batches { of: 1, at_once: 2 }, jobs::sweep_entries)
            .may(&[Reads, Queries, Writes, Sends(Mails), MovesMoney])
            .timeout(120),
        Job::queue("settle-gameweek", Winners, Batches { of: 1, at_once: 2 }, jobs::settle_gameweek)
            .may(&[
                Reads,
                Queries,
                Writes,
                Sends(Winners),
                Sends(Leagues),
                Sends(Teams),
                Sends(Mails),
                MovesMoney,
            ])
            .timeout(300),
        Job::queue("settle-league", Leagues, Batches { of: 10, at_once: 2 }, jobs::settle_league)
            .may(&[Reads, QueriesLists, Writes, Sends(Mails), Sends(Winners), MovesMoney])
            .timeout(60),
        Job::queue("collect-teams", Teams, Batches { of: 1, at_once: 2 }, jobs::import_picks)
            .may(&[Reads, Queries, Writes, Sends(Teams), Sends(Leagues)])
            .timeout(300),
        Job::queue("read-books", Books, Batches { of: 1, at_once: 8 }, jobs::reconcile_segment)
            .may(&[Reads, Scans, Queries, Writes, Sends(Books)])
            .timeout(120),
        Job::queue("send-mail", Mails, Batches { of: 1, at_once: 5 }, jobs::send_mail)
            .may(&[Reads, QueriesLists, Writes, Sends(Mails), SendsMail])
            .timeout(30),
        Job::schedule("sync-gameweek", "rate(1 minute)", jobs::sync_gameweek)
            .may(&[
                Reads,
                ReadsMany,
                Queries,
                QueriesLists,
                Writes,
                Secret(DRAW_KEY),
                Sends(Sweeps),
                Sends(Teams),
                Sends(Winners),
                Sends(Mails),
                SetsFence,
                MovesMoney,
            ])
            .timeout(300),
        Job::schedule("track-points", "rate(1 minute)", jobs::track_points)
            .may(&[Reads, ReadsMany, Queries, Writes])
            .timeout(120),
        Job::rule("close-gameweek", jobs::close_gameweek)
            .may(&[
                Reads,
                ReadsMany,
                Queries,
                QueriesLists,
                Writes,
                Secret(DRAW_KEY),
                Sends(Sweeps),
                Sends(Teams),
                Sends(Mails),
                MovesMoney,
            ])
            .timeout(300),
        Job::schedule("remind-of-payments", "rate(15 minutes)", jobs::remind_of_payments)
            .may(&[Reads, Queries, QueriesLists, Sends(Payments), Sends(Results), Sends(Books)])
            .timeout(120),
        Job::schedule("register-paybill", "rate(1 hour)", jobs::register_paybill)
            .may(&[Reads, Writes, CallsMpesa, Secret(HOOK_KEYS)])
            .timeout(60),
        // Half past ten at night in Kenya: before the balance is asked for and the books are read.
        Job::schedule("check-receipts", "cron(30 19 * * ? *)", jobs::check_receipts)
            .may(&[Reads, Puts, Sends(Results)])
            .timeout(60),
        Job::schedule("ask-for-balance", "cron(50 20 * * ? *)", jobs::ask_for_balance)
            .may(&[Reads, Updates, AsksMpesa])
            .timeout(60),
        // Ten minutes after Kenya's midnight: the day before is complete.
        Job::schedule("reconcile", "cron(10 21 * * ? *)", jobs::reconcile).may(&[Reads, Puts, Sends(Books)]),
    ]
}
