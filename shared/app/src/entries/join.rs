//! What has to hold before an entry is made, whichever way it is paid (spec §4 "Join from the wallet", "Payment by
//! prompt").

use domain::{
    EntryAmount, FplId, GameweekId, UserId,
    accounts::account::AccountError,
    entries::join::{self, JoinError},
    gameweeks::calendar::Gameweek,
    ledger::{money::NotAnEntryAmount, postings::Cause},
};
use store::accounts::players::Player;

use crate::{
    App, AppError,
    accounts::terms,
    admin::switches,
    platform::flow::{Flow, FlowError, Refusal},
    teams::link::{self, TeamError},
};

/// Why an entry is not made; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    #[error("You are not allowed to do this.")]
    AnotherTeam,
    #[error(transparent)]
    NoTeamId(#[from] AccountError),
    #[error(transparent)]
    Amount(#[from] NotAnEntryAmount),
    #[error(transparent)]
    Join(#[from] JoinError),
    #[error(transparent)]
    Team(#[from] TeamError),
}

impl Refusal for EntryError {}

impl From<JoinError> for FlowError<EntryError> {
    fn from(error: JoinError) -> Self {
        EntryError::from(error).into()
    }
}

/// The current gameweek and whether entries are taken: the same for everybody, so it is read while a caller's session is
/// asked for.
pub struct CurrentEntries {
    gameweek: Result<Option<(GameweekId, Gameweek)>, AppError>,
    paused: Flow<(), JoinError>,
}

impl CurrentEntries {
    pub async fn read(app: &App) -> Self {
        let (gameweek, paused) = tokio::join!(app.current_gameweek(), switches::check_entries(app));
        Self { gameweek, paused }
    }
}

/// What a player enters.
#[derive(Debug, Clone, Copy)]
pub struct Admission {
    pub fpl_id: FplId,
    pub gameweek: GameweekId,
}

/// The amount of an entry, as a call names it in KES.
pub fn entry_amount(sent: Option<i64>) -> Result<EntryAmount, EntryError> {
    Ok(EntryAmount::try_from(sent.unwrap_or_default())?)
}

/// A gameweek's number, as a call names it.
pub fn gameweek_number(sent: Option<i64>) -> Result<u8, EntryError> {
    let number = sent.and_then(|number| u8::try_from(number).ok());
    Ok(number.ok_or(JoinError::NoGameweek)?)
}

/// The team that a call names. Whoever has none names it by an empty text.
pub(super) fn named_team(player: &Player, named: &str) -> Result<Option<FplId>, AccountError> {
    let names_none = player.fpl_id.is_none() && named.trim().is_empty();
    if names_none { Ok(None) } else { FplId::parse(named).map(Some) }
}

/// A team that a call names has to be the caller's own.
pub(super) fn check_own_team(player: &Player, named: Option<&str>) -> Result<(), EntryError> {
    match named {
        Some(named) if named_team(player, named)? != player.fpl_id => Err(EntryError::AnotherTeam),
        _ => Ok(()),
    }
}

/// Whether `player` may enter gameweek `number` now.
pub(super) fn admit(
    app: &App,
    player: &Player,
    number: u8,
    current: CurrentEntries,
) -> Flow<Admission, EntryError> {
    let (gameweek, open) = current.gameweek?.ok_or(JoinError::NoGameweek)?;
    let now = app.clock().now();
    join::check_open(Some(&open), number, now)?;
    current.paused.map_err(FlowError::within)?;
    terms::check(app, player).map_err(JoinError::from)?;
    let fpl_id = link::entering(player, gameweek.season, now)?;
    Ok(Admission { fpl_id, gameweek })
}

/// Whether `player` has an entry in `gameweek`, at whatever amount.
pub(super) async fn has_joined(app: &App, player: &UserId, gameweek: GameweekId) -> Result<bool, AppError> {
    let cause = Cause::Entry { gameweek }.key();
    Ok(app.store().posting(player, &cause).await?.is_some())
}
