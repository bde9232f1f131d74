//! "Something is wrong?": a case and its messages lie in its player's partition, `CASE#id` and `MESSAGE#id#0001`.
//! Those not closed are on the worklist [`WAITING`], what waits for an admin first.

mod open_cases;

use domain::{
    Kes, UserId, Username,
    accounts::cases::{CaseId, CaseKind, CaseState},
    platform::limits::Limited,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use open_cases::NotOpened;
use open_cases::WithOneMore;

use crate::{
    Page, Store, StoreError,
    accounts::keys::partition,
    admin::audit::AuditRecord,
    platform::{
        conditions::is,
        idempotency::Binding,
        limits::{Counter, Counting},
        table::{Key, Range},
        transaction::{Outcome, Transaction, Unmet},
        worklists::put_on_worklist,
        writes::{Put, Update},
    },
};

const WAITING: &str = "CASES";
const CASE: &str = "CASE#";
/// A player's own clicks at once are met this often.
const TRIES: u32 = 8;

/// What a case is about: its kind, and what it is called in the player's own lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    pub kind: CaseKind,
    pub id: String,
}

impl About {
    fn name(&self) -> String {
        format!("{}#{}", self.kind.into_str(), self.id)
    }
}

/// What was known of it when the case was opened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KnownOfIt {
    /// Its own word for where it stood.
    pub state: String,
    #[serde(default)]
    pub amount: Option<Kes>,
    /// M-Pesa's.
    #[serde(default)]
    pub receipt: Option<String>,
    /// When it came about.
    #[serde(default)]
    pub at: Option<Timestamp>,
    /// The league of an entry, or itself.
    #[serde(default)]
    pub league: Option<String>,
    /// When that was settled: its record is public from then on.
    #[serde(default)]
    pub settled_at: Option<Timestamp>,
}

/// A case as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SupportCase {
    pub id: String,
    pub user_id: UserId,
    pub username: Username,
    pub about: About,
    pub known: KnownOfIt,
    pub state: CaseState,
    pub opened_at: Timestamp,
    /// Since when it has waited for whom the state says, or was closed.
    pub since: Timestamp,
    /// Why it was closed.
    #[serde(default)]
    pub reason: Option<String>,
    /// How many messages it has.
    pub messages: u32,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CaseMessage {
    /// The admin who wrote it; nobody where it is the player's.
    #[serde(default)]
    pub by: Option<UserId>,
    /// Empty where an admin has only closed it.
    pub text: String,
    pub at: Timestamp,
    /// Why it was closed by this one.
    #[serde(default)]
    pub closes: Option<String>,
}

/// What became of a case that was to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opened {
    New,
    Not(NotOpened),
    Limited(Limited),
    /// Another request has bound the key meanwhile.
    KeyTaken,
}

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrote {
    Done,
    /// Somebody else has written meanwhile: read it again.
    Moved,
    /// It was to be opened again.
    NotOpened(NotOpened),
    Limited(Limited),
    KeyTaken,
}

/// A message, and what it makes of its case.
#[derive(Debug)]
pub struct NewMessage<'a> {
    pub message: CaseMessage,
    pub becomes: CaseState,
    /// What a player's counts against.
    pub counter: Option<&'a Counter>,
    pub binding: Option<&'a Binding>,
    /// The record of an admin's act.
    pub act: Option<&'a AuditRecord>,
}

impl SupportCase {
    #[must_use]
    pub fn id(&self) -> CaseId {
        CaseId { player: self.user_id.clone(), own: self.id.clone() }
    }
}

fn key(player: &UserId, id: &str) -> Key {
    Key::new(partition(player), format!("{CASE}{id}"))
}

fn message_key(player: &UserId, id: &str, number: u32) -> Key {
    Key::new(partition(player), format!("MESSAGE#{id}#{number:04}"))
}

/// What waits for an admin comes first, then what waits for its player; each by how long.
fn position(state: CaseState, since: Timestamp, id: &str) -> String {
    let first = if state == CaseState::Open { 0 } else { 1 };
    format!("{first}#{since}#{id}")
}

/// A case that was read, in another state.
fn changed(case: &SupportCase, state: CaseState, since: Timestamp) -> Update {
    let update = Update::of(key(&case.user_id, &case.id))
        .set("state", state)
        .set("since", since)
        .only_if(is("state", case.state))
        .only_if(is("messages", case.messages));
    match state {
        CaseState::Closed => update.off_worklist(),
        _ => update.on_worklist(WAITING, &position(state, since, &case.id)),
    }
}

impl Store {
    /// Opens a case with its first message: one about a thing, and no more than a few at once.
    pub async fn open_case(
        &self,
        case: &SupportCase,
        message: &CaseMessage,
        counter: &Counter,
        binding: Option<&Binding>,
    ) -> Result<Opened, StoreError> {
        let (player, at) = (&case.user_id, case.opened_at);
        for _ in 0..TRIES {
            let open = match self.open_cases_with(player, &case.about, &case.id).await? {
                WithOneMore::Open(open) => open,
                WithOneMore::Not(not) => return Ok(Opened::Not(not)),
            };
            let counting = match self.counting(counter, at).await? {
                Counting::Counted(counting) => counting,
                Counting::Limited(limited) => return Ok(Opened::Limited(limited)),
            };
            let mut item = key(player, &case.id).item(case);
            put_on_worklist(&mut item, WAITING, &position(case.state, case.since, &case.id));
            let first = message_key(player, &case.id, 1).item(message);
            let mut transaction = Transaction::new();
            transaction
                .put(Put::new(item), Unmet::Never)
                .put(Put::new(first), Unmet::Never)
                .put(open.put(player), Unmet::Pointer)
                .put(counting, Unmet::Limit);
            if let Some(binding) = binding {
                transaction.put(self.bind(binding, &case.id().to_string(), at), Unmet::Key);
            }
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(Opened::New),
                Outcome::Refused(why) if why.contains(&Unmet::Key) => return Ok(Opened::KeyTaken),
                Outcome::Refused(_) => {}
            }
        }
        Err(StoreError::Contended("a player's cases"))
    }

    /// Adds a message to a case that was read, and makes of it what the message does.
    pub async fn write_to_case(&self, case: &SupportCase, new: &NewMessage<'_>) -> Result<Wrote, StoreError> {
        let (player, at) = (&case.user_id, new.message.at);
        // Who writes once more while it waits does not put it behind others.
        let since = if new.becomes == case.state { case.since } else { at };
        let update = changed(case, new.becomes, since)
            .set("messages", case.messages + 1)
            .set_or_remove("reason", new.message.closes.as_ref());
        let item = message_key(player, &case.id, case.messages + 1).item(&new.message);
        let mut transaction = Transaction::new();
        transaction.update(update, Unmet::Decided).put(Put::new(item), Unmet::Decided);
        if (case.state == CaseState::Closed) != (new.becomes == CaseState::Closed) {
            let open = match new.becomes {
                CaseState::Closed => WithOneMore::Open(self.open_cases(player).await?.without(&case.about)),
                _ => self.open_cases_with(player, &case.about, &case.id).await?,
            };
            match open {
                WithOneMore::Open(open) => transaction.put(open.put(player), Unmet::Pointer),
                WithOneMore::Not(not) => return Ok(Wrote::NotOpened(not)),
            };
        }
        if let Some(counter) = new.counter {
            match self.counting(counter, at).await? {
                Counting::Counted(counting) => transaction.put(counting, Unmet::Limit),
                Counting::Limited(limited) => return Ok(Wrote::Limited(limited)),
            };
        }
        if let Some(binding) = new.binding {
            transaction.put(self.bind(binding, &case.id().to_string(), at), Unmet::Key);
        }
        if let Some(act) = new.act {
            transaction.put(self.recorded(act), Unmet::Never);
        }
        Ok(match self.commit(transaction).await? {
            Outcome::Written => Wrote::Done,
            Outcome::Refused(why) if why.contains(&Unmet::Key) => Wrote::KeyTaken,
            Outcome::Refused(_) => Wrote::Moved,
        })
    }

    pub async fn case(&self, id: &CaseId) -> Result<Option<SupportCase>, StoreError> {
        self.get("case", key(&id.player, &id.own)).await
    }

    /// The messages of a case, oldest first.
    pub async fn case_messages(&self, id: &CaseId) -> Result<Vec<CaseMessage>, StoreError> {
        self.all("message", &partition(&id.player), &format!("MESSAGE#{}#", id.own)).await
    }

    /// The message `number` of a case.
    pub async fn case_message(&self, id: &CaseId, number: u32) -> Result<Option<CaseMessage>, StoreError> {
        self.get("message", message_key(&id.player, &id.own, number)).await
    }

    /// A page of a player's cases, newest first, those before the one with the id `after`.
    pub async fn cases_of(
        &self,
        player: &UserId,
        after: Option<&str>,
        limit: i32,
    ) -> Result<Page<SupportCase>, StoreError> {
        let (pk, after) = (partition(player), after.map(|id| format!("{CASE}{id}")));
        let range = Range { pk: &pk, prefix: CASE, after: after.as_deref(), newest_first: true, limit };
        let page = self.range("case", range).await?;
        let cursor = page.cursor.and_then(|sk| sk.strip_prefix(CASE).map(str::to_owned));
        Ok(Page { items: page.items, cursor })
    }

    /// A page of those that are not closed: what has waited longest for an admin first.
    pub async fn waiting_cases(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<SupportCase>, StoreError> {
        self.worklist_page("case", WAITING, after, limit).await
    }
}
