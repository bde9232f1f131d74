//! Accounts as an admin finds and sees them.

use std::cmp::Reverse;

use domain::{MpesaPhone, PaybillAccount, UserId, payments::receipt_match::HELD_FOR};
use store::{
    accounts::{players::Player, sessions::Session},
    admin::{audit::AuditRecord, directory::Lookup},
    ledger::wallets::Wallet,
    payments::prompts::Payment,
};

use crate::{
    App, AppError,
    platform::flow::{Flow, Refusal},
    teams::link,
    withdrawals::requests::{self, Unproved},
};

/// So many are found at most.
const FOUND: usize = 20;

/// Fewer letters would find anybody.
const SHORTEST_SEARCH: usize = 2;

/// Fewer digits are no end of a phone number.
const SHORTEST_PHONE_END: usize = 3;

/// So many acts, sessions and prompts are shown.
const SHOWN: i32 = 50;

/// Too little to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Enter at least two characters.")]
pub struct TooShort;

impl Refusal for TooShort {}

/// Who is meant by `text`: the beginning of a name, a mail or a team's number, the end of a phone number, a whole
/// account at the paybill, or an id. At most twenty.
pub async fn search(app: &App, text: &str) -> Flow<Vec<Player>, TooShort> {
    let text = text.trim();
    if text.chars().count() < SHORTEST_SEARCH {
        return Err(TooShort.into());
    }
    let text = text.to_lowercase();
    let mut ids: Vec<UserId> = UserId::parse(&text).into_iter().collect();
    if let Ok(account) = PaybillAccount::parse(&text) {
        ids.extend(app.store().player_by_account(account).await?.map(|player| player.id));
    }
    let season = app.season().await?;
    for by in meant(&text, season) {
        for id in app.store().find_players(&by, i32::try_from(FOUND).unwrap_or(i32::MAX)).await? {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
    }
    ids.truncate(FOUND);
    Ok(app.store().players(&ids).await?)
}

fn meant(text: &str, season: Option<u16>) -> Vec<Lookup> {
    let mut meant = vec![Lookup::Name(text.to_owned()), Lookup::Email(text.to_owned())];
    let number: String = text.chars().filter(|c| !matches!(c, ' ' | '+' | '-')).collect();
    if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) {
        meant.extend(season.map(|season| Lookup::Team(season, number.clone())));
        // 07… is 2547… inside.
        let end = if number.len() == 10 { number.trim_start_matches('0') } else { &number };
        if end.len() >= SHORTEST_PHONE_END {
            meant.push(Lookup::PhoneEnd(end.to_owned()));
        }
    }
    meant
}

/// A player with what is theirs.
pub struct Profile {
    pub wallet: Wallet,
    /// Numbers that the player has paid from, or asked to be paid at.
    pub phones: Vec<MpesaPhone>,
    pub unproved_prizes: Vec<Unproved>,
    /// Those sent so lately that money which comes can still be found to be theirs; newest first.
    pub prompts: Vec<Payment>,
    /// Newest first; whether each is still good for anything.
    pub sessions: Vec<(Session, bool)>,
    /// What admins did to the player and to what is theirs, newest first.
    pub acts: Vec<AuditRecord>,
    pub needs_team: bool,
}

pub async fn profile(app: &App, player: &Player) -> Result<Profile, AppError> {
    let (store, id) = (app.store(), &player.id);
    let own = async {
        let (sessions, wallet) = (store.sessions(id), store.wallet(id));
        let (phones, acts) = (store.phones_of(id), store.acts_on(id, SHOWN));
        let prompts = store.payments_since(id, app.clock().now() - HELD_FOR);
        Ok::<_, AppError>(tokio::try_join!(sessions, wallet, phones, acts, prompts)?)
    };
    let unproved_prizes = requests::unproved_prizes_of(app, player);
    let ((mut sessions, wallet, phones, acts, mut prompts), unproved_prizes, season) =
        tokio::try_join!(own, unproved_prizes, app.season())?;
    sessions.sort_by_key(|session| Reverse(session.created_at));
    let shown = usize::try_from(SHOWN).unwrap_or_default();
    sessions.truncate(shown);
    prompts.truncate(shown);
    let with_standing = |session: Session| {
        let stands = app.is_valid(player, &session);
        (session, stands)
    };
    Ok(Profile {
        wallet,
        phones,
        unproved_prizes,
        prompts,
        sessions: sessions.into_iter().map(with_standing).collect(),
        acts,
        needs_team: link::is_needed(player, season),
    })
}
