//! Calling a gameweek off (docs/decisions.md, "Calling a gameweek off"): one write says so, and from then on
//! every league without a record gets one that gives its stakes back ([`crate::settlement::settling`]). A league that
//! was settled before keeps its record: both are written under the same once-only condition. What dies is taken up by
//! the schedule, or by another press.

use std::ops::Add;

use domain::{
    EntryAmount, GameweekId, Kes,
    gameweeks::{
        calendar::{Calendar, CalledOff, Gameweek, GameweekState},
        calling_off::{self, CallOffError},
    },
    leagues::draw,
    ledger::postings::Posting,
};
use jiff::{SignedDuration, Timestamp};
use store::{
    admin::{audit, permits::Permit},
    leagues::League,
    platform::concurrency::try_map,
};

use crate::{
    App, AppError,
    admin::approvals::Stakes,
    gameweeks::seasons::{self, changing},
    leagues::{blocks, draw::list::Unlisted},
    platform::{
        flow::{Flow, Refusal},
        queues::{ForGameweek, Settle},
    },
    settlement::{
        settling,
        winners::{self, Progress},
    },
};

/// What calling a gameweek off would do now, and what is done already.
#[derive(Debug, Clone)]
pub struct CallOffPreview {
    pub id: GameweekId,
    pub gameweek: Gameweek,
    pub state: GameweekState,
    /// From when it can be called off.
    pub from: Timestamp,
    /// Why it would be refused now.
    pub refused: Option<CallOffError>,
    pub left: LeftToRefund,
}

/// What is left to give back, and what is not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftToRefund {
    /// Leagues without a record, as drawn or as they would be.
    pub leagues: usize,
    /// Entries in them, and those in no league that were not given back.
    pub entries: usize,
    /// What these cost.
    pub to_refund: Kes,
    /// Leagues that have their record: they keep it.
    pub settled: usize,
    /// What goes to players by these records, and went back to entries in no league.
    pub paid: Kes,
}

impl Add for LeftToRefund {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            leagues: self.leagues + other.leagues,
            entries: self.entries + other.entries,
            to_refund: self.to_refund + other.to_refund,
            settled: self.settled + other.settled,
            paid: self.paid + other.paid,
        }
    }
}

impl Refusal for CallOffError {}

/// What calling a gameweek off would do.
pub async fn preview(app: &App, id: GameweekId) -> Flow<CallOffPreview, CallOffError> {
    let gameweek = app.gameweek(id).await?.ok_or(CallOffError::NoGameweek)?;
    let is_drawn = gameweek.drawn_at.is_some();
    let counted = try_map(EntryAmount::ALL, |amount| async move {
        if is_drawn {
            let counted = tokio::try_join!(count_leagues(app, id, amount), count_unplaced(app, id, amount))?;
            return Ok::<_, AppError>(counted.0 + counted.1);
        }
        let entries = app.store().count_entries(id, amount).await?;
        let leagues = draw::sizes(entries).len();
        let to_refund = amount.kes().times(entries);
        Ok(LeftToRefund { leagues, entries, to_refund, ..LeftToRefund::default() })
    });
    let left = counted.await?.into_iter().fold(LeftToRefund::default(), LeftToRefund::add);
    Ok(CallOffPreview {
        id,
        from: calling_off::possible_from(&gameweek, app.config().void_after()),
        refused: calling_off::check(&gameweek, app.clock().now(), app.config().void_after()).err(),
        state: gameweek.state(app.clock().now()),
        gameweek,
        left,
    })
}

/// A gameweek that is closed and not paid in full.
#[derive(Debug, Clone)]
pub struct OwedGameweek {
    pub id: GameweekId,
    pub gameweek: Gameweek,
    pub state: GameweekState,
    /// Its season has given way to another.
    pub former: bool,
}

/// The gameweeks that still owe somebody something, former seasons' included, oldest first.
pub async fn owed(app: &App) -> Result<Vec<OwedGameweek>, AppError> {
    let (calendars, now) = (app.calendars().await?, app.clock().now());
    let played = calendars.last().map(|calendar| calendar.season);
    let of = |calendar: &Calendar| {
        let former = Some(calendar.season) != played;
        let owed = calendar.owed(now).map(|gameweek| OwedGameweek {
            id: calendar.id(gameweek.number),
            gameweek: gameweek.clone(),
            state: gameweek.state(now),
            former,
        });
        owed.collect::<Vec<_>>()
    };
    Ok(calendars.iter().flat_map(of).collect())
}

/// What is at stake with calling a gameweek off: everybody's, so two admins do it who have no entry in it.
pub async fn stakes(app: &App, id: GameweekId, reason: &str) -> Flow<Stakes, CallOffError> {
    let gameweek = app.gameweek(id).await?.ok_or(CallOffError::NoGameweek)?;
    let allowed = calling_off::check(&gameweek, app.clock().now(), app.config().void_after()).is_ok();
    Ok(Stakes {
        what: audit::AuditAction::VoidGameweek,
        on: format!("gameweek {id}"),
        player: None,
        gameweek: Some(id),
        number: None,
        code: None,
        amount: None,
        net: None,
        always_two: true,
        pays_out: false,
        is_open: allowed && gameweek.called_off.is_none(),
        reason: Some(reason.to_owned()),
    })
}

async fn count_leagues(app: &App, id: GameweekId, amount: EntryAmount) -> Result<LeftToRefund, AppError> {
    let counted = blocks::of_each(app, id, amount, |leagues| async move {
        let ids: Vec<_> = leagues.iter().map(League::id).collect();
        let records = app.store().settlements(&ids).await?;
        let players: usize = leagues.iter().map(|league| league.members.len()).sum();
        let recorded: usize = records.iter().map(|record| record.ranking.len()).sum();
        Ok(LeftToRefund {
            leagues: leagues.len() - records.len(),
            entries: players - recorded,
            to_refund: amount.kes().times(players - recorded),
            settled: records.len(),
            paid: records.iter().map(settling::paid).fold(Kes::ZERO, |sum, paid| sum + paid),
        })
    });
    Ok(counted.await?.into_iter().fold(LeftToRefund::default(), LeftToRefund::add))
}

/// Entries in no league: one alone, and those that came too late for the draw's list.
async fn count_unplaced(app: &App, id: GameweekId, amount: EntryAmount) -> Result<LeftToRefund, AppError> {
    let mut left = LeftToRefund::default();
    let Some(list) = app.store().entry_list(id, amount).await? else { return Ok(left) };
    let mut unplaced =
        if list.count == 1 { app.store().listed_entries(id, amount, &list).await? } else { Vec::new() };
    let mut unlisted = Unlisted::of(app, id, amount, &list);
    while let Some(entry) = unlisted.next().await? {
        unplaced.push(entry);
    }
    let refunds = try_map(&unplaced, |entry| async move {
        let cause = Posting::refund(&entry.user_id, id, amount.kes()).cause().key();
        app.store().posting(&entry.user_id, &cause).await
    });
    for refund in refunds.await? {
        if refund.is_some() {
            left.paid = left.paid + amount.kes();
        } else {
            left.entries += 1;
            left.to_refund = left.to_refund + amount.kes();
        }
    }
    Ok(left)
}

/// Goes on with a gameweek that is called off and whose stakes are not all given back; another press of the button
/// decides nothing anew. `None`: the gameweek is not such a one.
///
/// # Errors
/// The table or the queue do not answer: pressed again, it goes on.
pub async fn resume(app: &App, id: GameweekId) -> Result<Option<Progress>, AppError> {
    let left = |gameweek: &Gameweek| gameweek.called_off.is_some() && gameweek.settled_at.is_none();
    if app.gameweek(id).await?.filter(left).is_none() {
        return Ok(None);
    }
    seasons::change(app, id, |gameweek| gameweek.fanned_out_at = None).await?;
    app.send(&Settle(ForGameweek { gameweek: id }), SignedDuration::ZERO).await?;
    Ok(Some(winners::progress(app, id).await?))
}

/// Calls a gameweek off; pressed again while stakes are being given back, it goes on with what is left.
pub async fn call_off(
    app: &App,
    id: GameweekId,
    permit: &Permit,
    reason: &str,
) -> Flow<Progress, CallOffError> {
    let Some((admin, _)) = permit.who.person() else {
        return Err(AppError::Internal("a gameweek is an admin's to call off".to_owned()).into());
    };
    let (now, after) = (app.clock().now(), app.config().void_after());
    let gameweek = app.gameweek(id).await?.ok_or(CallOffError::NoGameweek)?;
    calling_off::check(&gameweek, now, after)?;
    let called_off = CalledOff { at: now, admin: admin.clone(), reason: reason.to_owned() };
    let change = changing(id, |gameweek| {
        // Once more on what is written over: points that became final in between stand.
        let allowed = calling_off::check(gameweek, now, after).is_ok();
        if allowed {
            gameweek.called_off.get_or_insert_with(|| called_off.clone());
            gameweek.settling_since.get_or_insert(now);
            (gameweek.fanned_out_at, gameweek.held_up) = (None, None);
        }
        allowed
    });
    let act = audit::AuditRecord::permitted(
        permit,
        audit::AuditAction::VoidGameweek,
        format!("gameweek {id}"),
        now,
    )
    .from_to(gameweek.state(now).into_str(), "called off")
    .because(reason);
    if !app.store().update_calendar_by_hand(id.season, change, &act).await? {
        let gameweek = seasons::gameweek(app, id).await?;
        let why = calling_off::check(&gameweek, now, after).err();
        return Err(why.unwrap_or(CallOffError::NoGameweek).into());
    }
    tracing::warn!(gameweek = %id, %admin, "a gameweek is called off");
    app.send(&Settle(ForGameweek { gameweek: id }), SignedDuration::ZERO).await?;
    Ok(winners::progress(app, id).await?)
}
