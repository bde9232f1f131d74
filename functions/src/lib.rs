//! THE TABLE: every HTTP function of the product, one line each, with what it may do; the jobs' part of it is in
//! `platform/jobs.rs`. A call's name is the Rust function's in kebab case: `request_withdrawal` is
//! `Handler: request-withdrawal`. `template.yaml` is written from both.

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
use platform::{
    deployment::{Grant::*, Queue::*, WHOLE_PROCESSOR},
    http::{with_success_false, with_text_in_error},
    table::endpoint,
};
pub use platform::{
    jobs::jobs,
    table::{Endpoint, Job, JobError, JobResult},
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
        endpoint!(accounts::sessions::log_out).may(&[Reads, Writes]).keeps_to(&[PLAYERS, BROWSERS]),
        endpoint!(accounts::sessions::refresh)
            .may(&[Reads, Writes, Secret(ACCESS_TOKEN_KEY), Secret(REFRESH_KEY)])
            .keeps_to(&[PLAYERS, BROWSERS]),
        endpoint!(accounts::passwords::forgot_password)
            .may(&[Reads, Puts, Secret(SECURITY_LOG_KEY), Sends(Mails)])
            .keeps_to(&[LIMITS]),
        endpoint!(accounts::passwords::reset_password)
            .may(&[Reads, Writes])
            .keeps_to(&[PLAYERS])
            .memory(1024),
        endpoint!(accounts::profile::get_user)
            .may(&[Session, Writes])
            .reads(&[PLAYERS, CALENDARS])
            .writes(&[PLAYERS, PAYBILL_ACCOUNTS]),
        endpoint!(accounts::own_limits::get_limits).may(&[Session, Queries]).reads(&[PLAYERS]),
        endpoint!(accounts::own_limits::set_limits).may(&[Session, Queries, Updates]).keeps_to(&[PLAYERS]),
        endpoint!(accounts::stopping::start_exclusion)
            .may(&[Session, ReadsMany, Queries, Writes, Secret(TOTP_KEY), Sends(Mails)])
            .reads(&[PLAYERS, LIMITS, NUMBERS, TEAMS])
            .writes(&[PLAYERS, LIMITS, EMAILS, TEAMS, NUMBERS])
            .memory(1024),
        endpoint!(accounts::terms::accept_terms).may(&[Session, Updates]).keeps_to(&[PLAYERS]),
        endpoint!(accounts::notifications::get_notifications)
            .may(&[Session, Secret(PUSH_PUBLIC_KEY)])
            .reads(&[PLAYERS]),
        endpoint!(accounts::notifications::set_notifications)
            .may(&[Session, Puts, Secret(PUSH_PUBLIC_KEY)])
            .keeps_to(&[PLAYERS]),
        endpoint!(accounts::notifications::stop_mails)
            .may(&[Reads, Puts, Secret(UNSUBSCRIBE_KEY)])
            .keeps_to(&[PLAYERS]),
        endpoint!(accounts::subscriptions::add_push_subscription)
            .may(&[Session, Puts])
            .keeps_to(&[PLAYERS, BROWSERS]),
        endpoint!(accounts::subscriptions::remove_push_subscription)
            .may(&[Session, Puts])
            .keeps_to(&[PLAYERS, BROWSERS]),
        endpoint!(accounts::own_data::get_own_data)
            .may(&[Session, ReadsMany, Queries, QueriesLists, Puts])
            .memory(1024)
            .timeout(29),
        endpoint!(accounts::own_data::list_sessions).may(&[Session, Queries]).reads(&[PLAYERS]),
        endpoint!(accounts::own_data::end_session)
            .may(&[Session, Queries, Puts, Updates])
            .keeps_to(&[PLAYERS, BROWSERS]),
        endpoint!(accounts::closing::close_account)
            .may(&[Session, ReadsMany, Queries, Transacts, Secret(TOTP_KEY), Sends(Mails)])
            .reads(&[PLAYERS, LIMITS, PAYMENTS, WITHDRAWALS, TYPED_CODES, LEAGUES, LEAGUE_STATUSES])
            .writes(&[PLAYERS, LIMITS])
            .memory(1024),
        endpoint!(accounts::cases::open_case)
            .may(&[Session, Queries, Writes])
            .reads(&[PLAYERS, PAYMENTS, TYPED_CODES, WITHDRAWALS, LEAGUES, LIMITS])
            .writes(&[PLAYERS, LIMITS]),
        endpoint!(accounts::cases::list_cases).may(&[Session, Queries]).reads(&[PLAYERS]),
        endpoint!(accounts::cases::get_case).may(&[Session, Queries]).reads(&[PLAYERS]),
        endpoint!(accounts::cases::write_to_case)
            .may(&[Session, Queries, Writes, Sends(Mails)])
            .reads(&[PLAYERS, LIMITS])
            .writes(&[PLAYERS, LIMITS, AUDIT]),
        endpoint!(accounts::cases::list_open_cases).may(&[Session, QueriesLists]),
        endpoint!(accounts::second_factor::get_totp).may(&[Session]).reads(&[PLAYERS]),
        endpoint!(accounts::second_factor::start_totp)
            .may(&[Session, Puts, Secret(TOTP_KEY)])
            .reads(&[PLAYERS, LIMITS])
            .writes(&[PLAYERS, LIMITS, AUDIT])
            .memory(1024),
        endpoint!(accounts::second_factor::confirm_totp)
            .may(&[Session, Writes, Secret(TOTP_KEY), Sends(Mails)])
            .reads(&[PLAYERS, LIMITS])
            .writes(&[PLAYERS, LIMITS, AUDIT])
            .memory(1024),
        endpoint!(accounts::second_factor::remove_totp)
            .may(&[Session, Writes, Secret(TOTP_KEY), Sends(Mails)])
            .reads(&[PLAYERS, LIMITS])
            .writes(&[PLAYERS, LIMITS, AUDIT]),
        endpoint!(accounts::second_factor::renew_recovery_codes)
            .may(&[Session, Writes, Secret(TOTP_KEY), Sends(Mails)])
            .reads(&[PLAYERS, LIMITS])
            .writes(&[PLAYERS, LIMITS, AUDIT]),
        endpoint!(accounts::second_factor::step_up)
            .may(&[Session, Writes, Secret(TOTP_KEY)])
            .reads(&[PLAYERS, LIMITS])
            .writes(&[PLAYERS, LIMITS, AUDIT]),
        // teams
        endpoint!(teams::link::link_team)
            .may(&[Session, ReadsMany, Queries, Writes])
            .reads(&[PLAYERS, TEAMS, LIMITS, CALENDARS, PAYMENTS, DRAWS])
            .writes(&[PLAYERS, TEAMS, LIMITS]),
        endpoint!(teams::proofs::get_team_proof).may(&[Session]).reads(&[PLAYERS, TEAMS, CALENDARS]),
        endpoint!(teams::proofs::start_team_proof)
            .may(&[Session, Puts])
            .reads(&[PLAYERS, TEAMS, LIMITS, CALENDARS])
            .writes(&[PLAYERS, LIMITS]),
        endpoint!(teams::proofs::check_team_proof)
            .may(&[Session, ReadsMany, Queries, Writes, Sends(Mails)])
            .reads(&[PLAYERS, TEAMS, LIMITS, CALENDARS, PAYMENTS, DRAWS])
            .writes(&[PLAYERS, TEAMS, LIMITS]),
        // payments
        endpoint!(payments::deposits::start_deposit)
            .may(&[Session, Writes, PromptsByMpesa, Secret(SECURITY_LOG_KEY), Sends(Payments)])
            .reads(&[PLAYERS, PAYMENTS, NUMBERS, LIMITS, MPESA_TOKEN])
            .writes(&[PLAYERS, PAYMENTS, PAYBILL_ACCOUNTS, LIMITS, MPESA_TOKEN])
            .timeout(30)
            .refusals(with_success_false),
        endpoint!(payments::deposits::get_deposit_status)
            .may(&[Session])
            .reads(&[PLAYERS, PAYMENTS])
            .refusals(with_success_false),
        endpoint!(payments::prompts::list_payments)
            .may(&[Session, ReadsMany, Queries])
            .reads(&[PLAYERS, PAYMENTS]),
        endpoint!(payments::typed_codes::submit_manual_payment)
            .may(&[Session, Puts, Sends(Results)])
            .reads(&[PLAYERS, RECEIPTS, TYPED_CODES, LIMITS])
            .writes(&[PLAYERS, TYPED_CODES, LIMITS]),
        endpoint!(payments::typed_codes::list::list_manual_payments).may(&[
            Session,
            ReadsMany,
            Queries,
            QueriesLists,
        ]),
        endpoint!(payments::typed_codes::review::confirm_manual_payment)
            .may(&[
                Session,
                ReadsMany,
                Queries,
                QueriesLists,
                Transacts,
                AsksMpesa,
                Sends(Payments),
                Sends(Mails),
                MovesMoney,
            ])
            .timeout(29),
        endpoint!(payments::typed_codes::review::reject_manual_payment).may(&[
            Session,
            Transacts,
            Sends(Mails),
        ]),
        endpoint!(payments::set_asides::list_set_asides).may(&[Session, ReadsMany, QueriesLists]),
        endpoint!(payments::set_asides::get_set_aside).may(&[Session, ReadsMany, Queries]),
        endpoint!(payments::set_asides::decide_set_aside)
            .may(&[
                Session,
                ReadsMany,
                Queries,
                QueriesLists,
                Transacts,
                AsksMpesa,
                Sends(Payments),
                Sends(Results),
                Sends(Mails),
                MovesMoney,
            ])
            .timeout(29),
        endpoint!(payments::numbers::release_number).may(&[
            Session,
            ReadsMany,
            Queries,
            Transacts,
            Secret(SECURITY_LOG_KEY),
        ]),
        endpoint!(payments::callbacks::receive_stk_callback)
            .may(&[Reads, Updates, Secret(HOOK_KEYS), Sends(Payments)])
            .keeps_to(&[PAYMENTS]),
        endpoint!(payments::paybill::receive_paybill_confirmation)
            .may(&[Reads, Secret(HOOK_KEYS), Sends(Results)])
            .keeps_to(&[PAYBILL]),
        // withdrawals
        endpoint!(withdrawals::requests::list_withdrawals).may(&[Session, ReadsMany, Queries, QueriesLists]),
        endpoint!(withdrawals::requests::request_withdrawal)
            .may(&[Session, ReadsMany, Queries, Writes, Sends(Mails), MovesMoney])
            .reads(&[PLAYERS, LIMITS, NUMBERS, WITHDRAWALS, SETTLEMENTS, CALENDARS])
            .writes(&[PLAYERS, LIMITS, WITHDRAWALS]),
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
            .may(&[Reads, ReadsMany, Queries]),
        endpoint!(gameweeks::status::toggle_deduction)
            .may(&[Session, Transacts, Sends(Mails)])
            .reads(&[PLAYERS, SWITCHES, CALENDARS, ENTRIES])
            .writes(&[PLAYERS, SWITCHES, AUDIT]),
        endpoint!(gameweeks::calling_off::list_owed_gameweeks)
            .may(&[Session, Queries])
            .reads(&[PLAYERS, CALENDARS]),
        endpoint!(gameweeks::calling_off::preview_void)
            .may(&[Session, ReadsMany, Queries])
            .memory(WHOLE_PROCESSOR)
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
        endpoint!(entries::list::list_entries).may(&[Session, ReadsMany, Queries]).reads(&[
            PLAYERS,
            ENTRIES,
            DRAWS,
            SETTLEMENTS,
        ]),
        endpoint!(entries::payments::start_entry_payment)
            .may(&[Session, Writes, PromptsByMpesa, Secret(SECURITY_LOG_KEY), Sends(Payments)])
            .reads(&[PLAYERS, PAYMENTS, NUMBERS, LIMITS, MPESA_TOKEN, CALENDARS, SWITCHES, TEAMS])
            .writes(&[PLAYERS, PAYMENTS, PAYBILL_ACCOUNTS, LIMITS, MPESA_TOKEN])
            .timeout(30)
            .refusals(with_success_false),
        endpoint!(entries::payments::get_entry_payment_status)
            .may(&[Session])
            .reads(&[PLAYERS, PAYMENTS])
            .refusals(with_success_false),
        endpoint!(entries::join::join_league)
            .may(&[Session, Writes, MovesMoney])
            .reads(&[PLAYERS, CALENDARS, SWITCHES, TEAMS, PAYMENTS, ENTRIES])
            .writes(&[PLAYERS, TEAMS, ENTRIES, INFLUENCERS]),
        // leagues
        endpoint!(leagues::list::list_leagues)
            .public()
            .reads(&[CALENDARS, SWITCHES, ENTRIES, LEAGUES, SCORES, FOOTBALLERS, SETTLEMENTS])
            .may(&[Reads, ReadsMany, Queries]),
        endpoint!(leagues::own::get_own_league).may(&[Session, ReadsMany, Queries]).reads(&[
            PLAYERS,
            CALENDARS,
            SWITCHES,
            ENTRIES,
            CHECKPOINTS,
            LEAGUES,
            SCORES,
            SETTLEMENTS,
        ]),
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
        endpoint!(settlement::preview::preview_winners)
            .may(&[Session, Queries])
            .memory(WHOLE_PROCESSOR)
            .timeout(29),
        endpoint!(settlement::waiting::list_waiting_leagues).may(&[Session, Queries]),
        endpoint!(settlement::waiting::decide_league).may(&[
            Session,
            Transacts,
            Sends(Teams),
            Sends(Leagues),
        ]),
        // ledger
        endpoint!(ledger::wallets::get_wallet).may(&[Session]).reads(&[PLAYERS]),
        endpoint!(ledger::transactions::list_transactions).may(&[Session, Queries]).reads(&[PLAYERS]),
        endpoint!(ledger::statement::get_statement).may(&[Session, Queries]).reads(&[PLAYERS]),
        endpoint!(ledger::reconciliation::get_books).may(&[Session, ReadsMany, Queries, QueriesLists]),
        endpoint!(ledger::trust::get_trust).public().may(&[Reads]).reads(&[TRUST]),
        endpoint!(ledger::proof::get_proof).may(&[Session]).reads(&[PLAYERS, TRUST, SUM_TREES]),
        endpoint!(ledger::corrections::correct_wallet)
            .may(&[Session, ReadsMany, Queries, Transacts, Sends(Mails), MovesMoney])
            .timeout(29),
        // influencers
        endpoint!(influencers::create_influencer)
            .may(&[Session, Puts])
            .reads(&[PLAYERS])
            .writes(&[INFLUENCERS, INFLUENCER_NAMES, AUDIT])
            .refusals(with_text_in_error),
        endpoint!(influencers::follow_referral)
            .may(&[Session, Updates])
            .reads(&[PLAYERS, INFLUENCERS])
            .writes(&[INFLUENCERS]),
        endpoint!(influencers::list_influencers).may(&[Session, Queries]).reads(&[
            PLAYERS,
            INFLUENCERS,
            INFLUENCER_NAMES,
        ]),
        endpoint!(influencers::invitations::get_invitation)
            .may(&[Session, Queries, Puts])
            .keeps_to(&[PLAYERS, INFLUENCERS]),
        // admin
        endpoint!(admin::players::search_players).may(&[Session, ReadsMany, QueriesLists]),
        endpoint!(admin::players::get_player).may(&[Session, ReadsMany, Queries, QueriesLists]),
        endpoint!(admin::changes::update_player).may(&[Session, ReadsMany, Queries, Transacts, Sends(Mails)]),
        endpoint!(admin::audit::list_audit).may(&[Session, Queries]).reads(&[PLAYERS, AUDIT]),
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
                Sends(Payments),
                Sends(Results),
                Sends(Mails),
                Sends(Winners),
                MovesMoney,
            ])
            .timeout(29),
        endpoint!(admin::exports::export_table).may(&[Session, ReadsMany, QueriesDays]).timeout(29),
        endpoint!(admin::switches::get_switches).may(&[Session]).reads(&[PLAYERS, SWITCHES]),
        endpoint!(admin::switches::set_switches)
            .may(&[Session, Transacts, Sends(Mails)])
            .reads(&[PLAYERS, SWITCHES, CALENDARS, ENTRIES])
            .writes(&[PLAYERS, SWITCHES, AUDIT]),
        endpoint!(admin::settings::get_settings).public(),
        // platform
        endpoint!(platform::backlog::get_backlog)
            .may(&[Session, CountsMessages])
            .reads(&[PLAYERS, CALENDARS]),
        endpoint!(platform::health::get_health).may(&[Reads]).reads(&[CALENDARS]),
    ]
}
