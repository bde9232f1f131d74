//! A player's own limits, shown and set. They are held where money moves (`entries`, `payments::prompts`, and the
//! transactions of `store`).

use domain::{
    Kes,
    accounts::own_limits::{self, MonthSoFar, NotALimit, OwnLimit, OwnLimits, RaiseError},
};
use jiff::Timestamp;
use store::{
    StoreError,
    accounts::players::Player,
    ledger::wallets::{StoredPosting, Wallet},
};

use crate::{
    App, AppError,
    platform::flow::{Flow, Refusal},
};

/// The wallet may move this often in a row before we give up.
const TRIES: u32 = 16;

/// Why limits stay as they are; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    #[error("There is no such limit.")]
    Unknown,
    #[error(transparent)]
    Amount(#[from] NotALimit),
    #[error(transparent)]
    Raise(#[from] RaiseError),
}

impl Refusal for LimitError {}
impl Refusal for RaiseError {}

impl From<RaiseError> for crate::platform::flow::FlowError<LimitError> {
    fn from(error: RaiseError) -> Self {
        LimitError::from(error).into()
    }
}

/// What is to be set, and which higher limits are to be put in force. What is not named stays as it is.
#[derive(Debug, Clone, Default)]
pub struct LimitChange {
    set: Vec<(OwnLimit, Option<Kes>)>,
    confirm: Vec<OwnLimit>,
}

impl LimitChange {
    /// In the words of a request; an amount of `None` is no limit.
    pub fn read<'a>(
        set: impl IntoIterator<Item = (&'a str, Option<i64>)>,
        confirm: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, LimitError> {
        let limit = |name: &str| name.parse::<OwnLimit>().map_err(|_| LimitError::Unknown);
        let set = set.into_iter().map(|(name, amount)| {
            let amount = amount.map(|amount| own_limits::check_amount(Kes::new(amount))).transpose()?;
            Ok((limit(name)?, amount))
        });
        let confirm = confirm.into_iter().map(limit);
        Ok(Self { set: set.collect::<Result<_, LimitError>>()?, confirm: confirm.collect::<Result<_, _>>()? })
    }

    fn of(&self, limits: OwnLimits, now: Timestamp) -> Result<OwnLimits, RaiseError> {
        let confirmed = self.confirm.iter().try_fold(limits, |limits, limit| limits.confirm(*limit, now))?;
        Ok(self.set.iter().fold(confirmed, |limits, (limit, to)| limits.set(*limit, *to, now)))
    }
}

/// A player's limits with what is used of them, and what has happened to the wallet this month.
pub struct Shown {
    pub limits: OwnLimits,
    pub month: MonthSoFar,
    pub at: Timestamp,
}

impl Shown {
    fn of(wallet: Wallet, postings: &[StoredPosting], at: Timestamp) -> Self {
        let movements = postings.iter().map(StoredPosting::movement);
        let limits = wallet.limits.unwrap_or_default().reckoned(movements.clone(), at);
        Self { limits, month: MonthSoFar::of(movements, at), at }
    }
}

pub async fn show(app: &App, player: &Player) -> Result<Shown, AppError> {
    let (wallet, postings) =
        tokio::try_join!(app.store().wallet(&player.id), app.store().postings(&player.id))?;
    Ok(Shown::of(wallet, &postings, app.clock().now()))
}

/// Changes a player's limits. What is used of them is reckoned anew from the postings, of which none comes between their
/// reading and the writing.
pub async fn change(app: &App, player: &Player, change: &LimitChange) -> Flow<Shown, LimitError> {
    for _ in 0..TRIES {
        // The wallet first: a posting that comes after it moves it.
        let wallet = app.store().wallet(&player.id).await?;
        let postings = app.store().postings(&player.id).await?;
        let shown = Shown::of(wallet.clone(), &postings, app.clock().now());
        let limits = change.of(shown.limits, shown.at)?;
        if app.store().set_own_limits(&player.id, &wallet, &limits).await? {
            return Ok(Shown { limits, ..shown });
        }
    }
    Err(AppError::from(StoreError::Contended("a player's limits")).into())
}
