//! What is personal of accounts that were closed a week ago goes. The only flow that deletes; it can die anywhere and
//! begins again with the next run, as the profile goes last.

use domain::{
    EntryAmount, FplId, GameweekId, Kes,
    payments::receipt_match::{Fit, fit},
};
use jiff::Timestamp;
use store::{accounts::players::Player, entries::EntryOf, ledger::wallets::StoredPosting};

use crate::{
    App, AppError,
    accounts::closing::{GRACE, nothing_is_open},
    payments::receipts::forget_payers,
    platform::security_log::{SecurityEntry, SecurityEvent},
};

/// Accounts on a page of those that are due.
const PAGE: usize = 50;

/// Acts of admins are made nameless so many at a time.
const ACTS: i32 = 1000;

/// Takes what is personal from every account whose week is over. What goes wrong with one holds no other up.
pub async fn erase(app: &App) -> Result<(), AppError> {
    let (mut after, mut troubles) = (None::<String>, Vec::new());
    loop {
        let page = app.store().closed_accounts(after.as_deref(), PAGE).await?;
        for player in page.items {
            if let Err(error) = erase_one(app, &player).await {
                tracing::error!(%error, player = %player.id, "a closed account is not erased");
                troubles.push(error);
            }
        }
        match page.cursor {
            Some(cursor) => after = Some(cursor),
            None => return troubles.into_iter().next().map_or(Ok(()), Err),
        }
    }
}

async fn erase_one(app: &App, listed: &Player) -> Result<(), AppError> {
    // The index lags a little, and an account that is looked into keeps what it has.
    let looked_into =
        |player: &Player| player.frozen || player.suspended || player.restraints.age_proof_wanted;
    let Some(player) = app.store().player(&listed.id).await?.filter(|player| !looked_into(player)) else {
        return Ok(());
    };
    let Some(closed_at) = player.closed_at else { return Ok(()) };
    if app.clock().now() < closed_at + GRACE {
        return Ok(());
    }
    if player.erasing_at.is_none() {
        let found = match nothing_is_open(app, &player).await {
            Ok(wallet)
                if wallet.balance.is_positive() && has_deposited_since_closing(app, &player).await? =>
            {
                Err("a prompt from before was paid".to_owned())
            }
            Ok(wallet) => Ok(wallet),
            Err(error) => Err(error.refusal()?.to_string()),
        };
        match found {
            Err(open) => {
                tracing::warn!(player = %player.id, open, "a closed account is open again");
                app.mail_open_again_later(&player.id, closed_at).await?;
                if app.store().open_again(&player.id, closed_at).await? {
                    let line = SecurityEntry::new(SecurityEvent::AccountOpenAgain).of(&player.id);
                    app.log_security(line).await;
                }
                app.mail_open_again_now(&player.id, closed_at).await;
                return Ok(());
            }
            Ok(wallet) => {
                let now = app.clock().now();
                if !app.store().begin_erasure(&player.id, wallet, closed_at, now).await? {
                    // Something has moved: the next run looks again.
                    return Ok(());
                }
            }
        }
    }
    forget_elsewhere(app, &player).await?;
    let unknown = app.store().delete_own_items(&player.id).await?;
    // The profile is what leads to it: it stays until somebody has said what becomes of the rest.
    if let Some(key) = unknown.first() {
        let kind = key.split('#').next().unwrap_or_default();
        return Err(AppError::Internal(format!(
            "nobody has said what becomes of items {kind} of a closed account"
        )));
    }
    app.store().delete_profile(&player.id, closed_at).await?;
    app.log_security(SecurityEntry::new(SecurityEvent::AccountErased).of(&player.id)).await;
    Ok(())
}

/// Whether a prompt of the player's own was credited since the closing, also one that had failed and whose money came by the
/// paybill. What else comes by the paybill anybody can pay.
async fn has_deposited_since_closing(app: &App, player: &Player) -> Result<bool, AppError> {
    let store = app.store();
    let is_later = |posting: &StoredPosting| match (posting.version, player.closed_version) {
        (Some(version), Some(closed)) => version > closed,
        _ => player.closed_at.is_some_and(|closed_at| posting.at >= closed_at),
    };
    let postings: Vec<_> = store.postings(&player.id).await?.into_iter().filter(is_later).collect();
    if postings.iter().any(|posting| posting.cause.starts_with("deposit#")) {
        return Ok(true);
    }
    let paid: Vec<_> = postings.iter().filter(|posting| posting.cause.starts_with("paybill#")).collect();
    if paid.is_empty() {
        return Ok(false);
    }
    let prompts = store.payments_since(&player.id, Timestamp::UNIX_EPOCH).await?;
    for posting in paid {
        let facts = store.facts_of_posting(&player.id, posting).await?;
        if prompts.iter().any(|prompt| matches!(fit(&facts, &prompt.as_sent()), Fit::Own | Fit::Early)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Everything outside the player's own partition; what leads to it is still there, so this can be done again.
async fn forget_elsewhere(app: &App, player: &Player) -> Result<(), AppError> {
    let (store, id) = (app.store(), &player.id);
    let postings = store.postings(id).await?;
    let mut teams: Vec<(u16, FplId)> = Vec::new();
    for posting in &postings {
        if let Some((gameweek, amount, entry)) = entry_of(posting) {
            let team = store.forget_entry(&EntryOf { player: id, gameweek, amount, id: entry }).await?;
            teams.extend(team.map(|team| (gameweek.season, team)));
        }
        if let Some(code) = &posting.receipt {
            store.forget_payer(code).await?;
        }
        if posting.note.is_some() {
            store.forget_note(id, &posting.cause).await?;
        }
    }
    for payment in store.payments_since(id, Timestamp::UNIX_EPOCH).await? {
        store.forget_payment(&payment.id).await?;
    }
    // Also of one that was never credited, which no posting leads to. Read once the numbers are gone: who credits one of
    // them from then on sees that, and forgets who paid.
    for payment in store.payments_since(id, Timestamp::UNIX_EPOCH).await? {
        forget_payers(app, &payment).await?;
    }
    for withdrawal in store.all_withdrawals_of(id).await? {
        store.forget_withdrawal(&withdrawal.id).await?;
    }
    for typed in store.typed_code_ids(id).await? {
        store.forget_typed_code(&typed).await?;
    }
    for act in store.acts_on(id, ACTS).await? {
        store.forget_act(&act).await?;
    }
    store.forget_proposals(id).await?;
    let is_used = !postings.is_empty() || !store.proved_teams(id).await?.is_empty();
    Ok(store.release_claims(player, &teams, is_used, app.clock().now()).await?)
}

/// What an entry's posting says of it.
fn entry_of(posting: &StoredPosting) -> Option<(GameweekId, EntryAmount, &str)> {
    let gameweek = posting.cause.strip_prefix("entry#")?.parse().ok()?;
    let amount = EntryAmount::try_from(posting.entry_amount.map(Kes::get)?).ok()?;
    Some((gameweek, amount, posting.entry_id.as_deref()?))
}
