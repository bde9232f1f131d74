//! "Something is wrong?": a player opens a case about a thing of their own, and player and admins write to each other in
//! it. What is known of the thing is attached when it is opened (`known`).

mod known;

use domain::{
    UserId,
    accounts::cases::{self, CaseError, CaseId, CaseKind, CaseState},
    platform::{
        idempotency::{KeyError, KeyedCall},
        limits::Limited,
    },
};
use store::{
    Page, StoreError,
    accounts::{
        cases::{CaseMessage, NewMessage, NotOpened, Opened, SupportCase, Wrote},
        players::Player,
    },
    admin::audit::{AuditAction, AuditRecord, Who},
    platform::idempotency::Binding,
    time_ordered_id,
};

use crate::{
    App, AppError,
    admin::own_account::OwnAccount,
    platform::{
        flow::{Flow, FlowError, Refusal},
        idempotency::{self, RequestKey},
        limits,
    },
};

/// Others may write into the same case this often in a row before we give up.
const TRIES: u32 = 8;

/// Why a case is not opened, shown or written to; the text is what whoever asked reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SupportCaseError {
    #[error("There is no such case.")]
    NoCase,
    #[error("There is no such thing of yours.")]
    NotYours,
    #[error("You have an open case about this already.")]
    OpenAlready(CaseId),
    #[error("Only an admin closes a case.")]
    NotYoursToClose,
    #[error(transparent)]
    Own(#[from] OwnAccount),
    #[error(transparent)]
    Case(#[from] CaseError),
    #[error(transparent)]
    Limited(#[from] Limited),
    #[error(transparent)]
    Key(#[from] KeyError),
}

impl Refusal for SupportCaseError {}

/// What a player says is wrong, as it was sent.
#[derive(Debug, Clone, Copy)]
pub struct Wrong<'a> {
    pub kind: &'a str,
    pub id: &'a str,
    pub text: &'a str,
}

/// What somebody writes into a case, as it was sent.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    pub text: &'a str,
    /// Why an admin closes it with this.
    pub close: Option<&'a str>,
}

/// Opens a case, once for a key. Answers its id.
pub async fn open(
    app: &App,
    player: &Player,
    wrong: Wrong<'_>,
    key: Option<&RequestKey>,
) -> Flow<CaseId, SupportCaseError> {
    let act = |binding, ()| opened(app, player, wrong, binding);
    named(idempotency::once(app, &player.id, (KeyedCall::Case, key), |id| id, async {}, act).await?)
}

/// The id that a key was bound to.
fn named(id: String) -> Flow<CaseId, SupportCaseError> {
    Ok(id.parse().map_err(|_| AppError::Internal("a key is bound to what is no case".into()))?)
}

async fn opened(
    app: &App,
    player: &Player,
    wrong: Wrong<'_>,
    binding: Option<Binding>,
) -> Flow<String, SupportCaseError> {
    let kind: CaseKind = wrong.kind.parse().map_err(|_| CaseError::Kind).map_err(SupportCaseError::from)?;
    let text = cases::check_text(wrong.text).map_err(SupportCaseError::from)?;
    let found = known::find(app, &player.id, kind, wrong.id).await?;
    let (about, known) = found.ok_or(SupportCaseError::NotYours)?;
    let at = app.clock().now();
    let case = SupportCase {
        id: time_ordered_id(at),
        user_id: player.id.clone(),
        username: player.username.clone(),
        about,
        known,
        state: CaseState::Open,
        opened_at: at,
        since: at,
        reason: None,
        messages: 1,
    };
    let message = CaseMessage { by: None, text, at, closes: None };
    let counter = limits::case_messages(&player.id);
    match app.store().open_case(&case, &message, &counter, binding.as_ref()).await? {
        Opened::New => {
            tracing::info!(player = %player.id, case = case.id, kind = kind.into_str(), "a case is opened");
            Ok(case.id().to_string())
        }
        Opened::Not(not) => Err(not_opened(&player.id, not).into()),
        Opened::Limited(limited) => Err(SupportCaseError::Limited(limited).into()),
        Opened::KeyTaken => Err(SupportCaseError::Key(KeyError::UnderWay).into()),
    }
}

fn not_opened(player: &UserId, not: NotOpened) -> SupportCaseError {
    match not {
        NotOpened::Already(own) => SupportCaseError::OpenAlready(CaseId { player: player.clone(), own }),
        NotOpened::TooMany => SupportCaseError::Case(CaseError::TooManyOpen),
        NotOpened::AccountClosed => SupportCaseError::NoCase,
    }
}

/// The case `id`, where it is the caller's, or the caller is an admin.
pub async fn find(app: &App, caller: &Player, id: &str) -> Flow<SupportCase, SupportCaseError> {
    let id: CaseId = id.parse().map_err(|_| SupportCaseError::NoCase)?;
    if id.player != caller.id && !caller.is_admin() {
        return Err(SupportCaseError::NoCase.into());
    }
    Ok(app.store().case(&id).await?.ok_or(SupportCaseError::NoCase)?)
}

/// The case `id` with its messages, oldest first.
pub async fn thread(
    app: &App,
    caller: &Player,
    id: &str,
) -> Flow<(SupportCase, Vec<CaseMessage>), SupportCaseError> {
    let case = find(app, caller, id).await?;
    let messages = app.store().case_messages(&case.id()).await?;
    Ok((case, messages))
}

/// A page of the caller's own, newest first.
pub async fn own(
    app: &App,
    player: &UserId,
    after: Option<&str>,
    limit: i32,
) -> Result<Page<SupportCase>, StoreError> {
    app.store().cases_of(player, after, limit).await
}

/// Writes into the case `id`, once for a key: its player, or an admin whose own it is not. Answers its id.
pub async fn write(
    app: &App,
    caller: &Player,
    id: &str,
    said: Said<'_>,
    key: Option<&RequestKey>,
) -> Flow<CaseId, SupportCaseError> {
    // A key is bound to a case: the same key and text are another message in another one.
    let found = find(app, caller, id).await?;
    if found.user_id == caller.id && said.close.is_some() {
        let as_admin = caller.is_admin().then_some(SupportCaseError::Own(OwnAccount));
        return Err(as_admin.unwrap_or(SupportCaseError::NotYoursToClose).into());
    }
    let of_this =
        key.map(|key| RequestKey { body_hash: format!("{}#{}", key.body_hash, found.id), ..key.clone() });
    let act = |binding, ()| written(app, caller, found.id(), said, binding);
    let call = (KeyedCall::CaseMessage, of_this.as_ref());
    named(idempotency::once(app, &caller.id, call, |id| id, async {}, act).await?)
}

async fn written(
    app: &App,
    caller: &Player,
    id: CaseId,
    said: Said<'_>,
    binding: Option<Binding>,
) -> Flow<String, SupportCaseError> {
    let closes = said.close.map(cases::check_reason).transpose().map_err(SupportCaseError::from)?;
    let text = match (said.text.trim(), &closes) {
        ("", Some(_)) => String::new(),
        (text, _) => cases::check_text(text).map_err(SupportCaseError::from)?,
    };
    for _ in 0..TRIES {
        let case = app.store().case(&id).await?.ok_or(SupportCaseError::NoCase)?;
        let message =
            CaseMessage { by: None, text: text.clone(), at: app.clock().now(), closes: closes.clone() };
        let wrote = if case.user_id == caller.id {
            by_player(app, &case, message, binding.as_ref()).await?
        } else {
            by_admin(app, caller, &case, message, binding.as_ref()).await?
        };
        match wrote {
            Wrote::Done => return Ok(id.to_string()),
            Wrote::Moved => {}
            Wrote::NotOpened(not) => return Err(not_opened(&id.player, not).into()),
            Wrote::Limited(limited) => return Err(SupportCaseError::Limited(limited).into()),
            Wrote::KeyTaken => return Err(SupportCaseError::Key(KeyError::UnderWay).into()),
        }
    }
    Err(FlowError::Failed(StoreError::Contended("a case").into()))
}

async fn by_player(
    app: &App,
    case: &SupportCase,
    message: CaseMessage,
    binding: Option<&Binding>,
) -> Flow<Wrote, SupportCaseError> {
    let becomes = case.state.after_player(case.since, case.messages, message.at);
    let becomes = becomes.map_err(SupportCaseError::from)?;
    let counter = limits::case_messages(&case.user_id);
    let new = NewMessage { message, becomes, counter: Some(&counter), binding, act: None };
    Ok(app.store().write_to_case(case, &new).await?)
}

async fn by_admin(
    app: &App,
    admin: &Player,
    case: &SupportCase,
    message: CaseMessage,
    binding: Option<&Binding>,
) -> Flow<Wrote, SupportCaseError> {
    let becomes = case.state.after_admin(message.closes.is_some()).map_err(SupportCaseError::from)?;
    let (id, number) = (case.id(), case.messages + 1);
    let act = AuditRecord::new(Who::admin(admin), AuditAction::WriteToCase, format!("case {id}"), message.at)
        .of(&case.user_id)
        .from_to(case.state.into_str(), becomes.into_str());
    let message = CaseMessage { by: Some(admin.id.clone()), ..message };
    let new = NewMessage { message, becomes, counter: None, binding, act: Some(&act) };
    app.mail_case_later(&id, number).await?;
    let wrote = app.store().write_to_case(case, &new).await?;
    if wrote == Wrote::Done {
        tracing::info!(admin = %admin.id, case = %id.own, state = becomes.into_str(), "a case is answered");
        app.mail_case_now(&id, number).await;
    }
    Ok(wrote)
}
