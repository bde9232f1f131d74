//! Email. Whoever moves money or is asked for a link sends a message to the queue `mails`; the job
//! `send-mail` makes address and text from the store and sends (`send`). So an answer's time tells
//! nothing, and a mail service that is down delays mails and nothing else.
//!
//! A mail about money is sent if and only if the money moved: the message is sent by the step that
//! pays, again at each repetition of that step, and the job reads what was booked before it writes.

mod letter;
mod send;
mod ses;

use domain::{
    Email, GameweekId, Kes, UserId,
    ledger::postings::{Cause, Posting},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

pub use send::send;
use store::{admin::audit::AuditRecord, teams::proofs::TeamOf};

use crate::{App, AppError, platform::queues::Message};

/// Longer than any function runs that changes a withdrawal: by then it has changed, or never will.
const WITHDRAWAL_IS_DECIDED_AFTER: SignedDuration = SignedDuration::from_secs(60);

/// What a mail is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum About {
    /// Somebody asks for a new password. The address is in the message: whether it is an account's
    /// is found out by the job, where nobody can measure it.
    Reset { request: String, email: Email },
    /// A prize, a refund, or what was taken back or corrected; `why` is the reason for a refund. Nothing is sent
    /// where it is not booked.
    Posting { user_id: UserId, cause: String, why: Option<String> },
    /// An act of an admin or the operator: to `to`, or to every admin. Nothing is sent of one that was not done.
    Act { act: String, at: Timestamp, to: Option<UserId> },
    /// A withdrawal that is done or rejected; nothing is sent for one that is still pending.
    Withdrawal { withdrawal: String },
    /// A number that has become a player's own, by this prompt.
    OwnNumber { payment: String },
    /// A team that another player has proved: its former holder is told, once it is so.
    TeamLost { user_id: UserId, team: TeamOf },
    /// A team that an admin has given an account, in the place of another or of none.
    TeamChanged { user_id: UserId, act: String, at: Timestamp },
    /// A withdrawal to a number that is not the player's own: how to cancel it, as long as that can be done.
    WithdrawalAsked { withdrawal: String },
}

impl About {
    fn team_changed(player: &UserId, act: &AuditRecord) -> Self {
        Self::TeamChanged { user_id: player.clone(), act: act.id.clone(), at: act.at }
    }
}

/// To `send-mail`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SendMail {
    #[serde(flatten)]
    pub about: About,
    /// When it was first asked for.
    pub since: Timestamp,
    /// How often the mail service was not answering.
    #[serde(default)]
    pub tried: u32,
}

impl Message for SendMail {
    const QUEUE: &'static str = "mails";
    fn url(app: &App) -> &str {
        &app.config().queues.mails
    }
}

impl App {
    /// Has a link for a new password sent to `email`, should it be an account's.
    ///
    /// # Errors
    /// The queue does not answer.
    pub async fn mail_reset_link(&self, email: Email) -> Result<(), AppError> {
        self.mail(About::Reset { request: store::random_id(), email }, SignedDuration::ZERO).await
    }

    /// Has the player told of a prize or a refund that is booked. To be called at each repetition
    /// of the step that books it, whether that booked it now or before.
    ///
    /// # Errors
    /// The queue does not answer: the step is to be repeated.
    pub async fn mail_posting(
        &self,
        player: &UserId,
        posting: &Posting,
        why: Option<&str>,
    ) -> Result<(), AppError> {
        let cause = posting.cause().key();
        let about = About::Posting { user_id: player.clone(), cause, why: why.map(str::to_owned) };
        self.mail(about, SignedDuration::ZERO).await
    }

    /// Has a withdrawal looked at in a minute, and its player told if it is done or rejected then.
    /// To be called before it is: dying in between then loses no mail.
    ///
    /// # Errors
    /// The queue does not answer: the withdrawal is to be left as it is.
    pub async fn mail_withdrawal_later(&self, withdrawal: &str) -> Result<(), AppError> {
        let about = About::Withdrawal { withdrawal: withdrawal.to_owned() };
        self.mail(about, WITHDRAWAL_IS_DECIDED_AFTER).await
    }

    /// Has the player told at once that a withdrawal is done or rejected. The message from before
    /// makes up for this one, so that a queue that does not answer undoes nothing.
    pub async fn mail_withdrawal_now(&self, withdrawal: &str) {
        let about = About::Withdrawal { withdrawal: withdrawal.to_owned() };
        if let Err(error) = self.mail(about, SignedDuration::ZERO).await {
            tracing::warn!(%error, withdrawal, "the mail about a withdrawal comes a minute later");
        }
    }

    /// Has a player told that a number has become their own by a prompt. To be called at each repetition of the
    /// step that claims it.
    ///
    /// # Errors
    /// The queue does not answer: the step is to be repeated.
    pub(crate) async fn mail_own_number(&self, payment: &str) -> Result<(), AppError> {
        self.mail(About::OwnNumber { payment: payment.to_owned() }, SignedDuration::ZERO).await
    }

    /// Has a withdrawal to a new number looked at in a minute, and its player told how to cancel it. To be
    /// called before it is asked for: dying in between then loses no mail.
    ///
    /// # Errors
    /// The queue does not answer: nothing is to be asked for.
    pub async fn mail_withdrawal_asked_later(&self, withdrawal: &str) -> Result<(), AppError> {
        let about = About::WithdrawalAsked { withdrawal: withdrawal.to_owned() };
        self.mail(about, WITHDRAWAL_IS_DECIDED_AFTER).await
    }

    /// The same at once, with the message from before behind it.
    pub async fn mail_withdrawal_asked_now(&self, withdrawal: &str) {
        let about = About::WithdrawalAsked { withdrawal: withdrawal.to_owned() };
        if let Err(error) = self.mail(about, SignedDuration::ZERO).await {
            tracing::warn!(%error, withdrawal, "the mail about a withdrawal comes a minute later");
        }
    }

    /// Has a team that is about to be proved by somebody else looked at in a minute. To be called before it
    /// is: whatever dies then, its former holder loses it and is told.
    ///
    /// # Errors
    /// The queue does not answer: nothing is to be proved.
    pub async fn mail_team_lost_later(&self, loser: &UserId, team: TeamOf) -> Result<(), AppError> {
        self.mail(About::TeamLost { user_id: loser.clone(), team }, WITHDRAWAL_IS_DECIDED_AFTER).await
    }

    /// The same at once, with the message from before behind it.
    pub async fn mail_team_lost_now(&self, loser: &UserId, team: TeamOf) {
        let about = About::TeamLost { user_id: loser.clone(), team };
        if let Err(error) = self.mail(about, SignedDuration::ZERO).await {
            tracing::warn!(%error, player = %loser, "the mail about a team comes a minute later");
        }
    }

    /// Has what was taken from a wallet, or given to it, by hand or on M-Pesa's word looked at in a minute, and
    /// the player told if it is booked then. To be called before it is: dying in between then loses no mail.
    ///
    /// # Errors
    /// The queue does not answer: nothing is to be booked.
    pub async fn mail_taken_back_later(&self, player: &UserId, cause: &Cause) -> Result<(), AppError> {
        let about = About::Posting { user_id: player.clone(), cause: cause.key(), why: None };
        self.mail(about, WITHDRAWAL_IS_DECIDED_AFTER).await
    }

    /// Has the player told at once. The message from before makes up for this one.
    pub async fn mail_taken_back_now(&self, player: &UserId, cause: &Cause) {
        let about = About::Posting { user_id: player.clone(), cause: cause.key(), why: None };
        if let Err(error) = self.mail(about, SignedDuration::ZERO).await {
            tracing::warn!(%error, %player, cause = cause.key(), "the mail comes a minute later");
        }
    }

    /// Has every admin told of an act, should it be done within a minute. To be called before it is.
    ///
    /// # Errors
    /// The queue does not answer: nothing is to be done then.
    pub async fn mail_admins_later(&self, act: &str, at: Timestamp) -> Result<(), AppError> {
        self.mail(About::Act { act: act.to_owned(), at, to: None }, WITHDRAWAL_IS_DECIDED_AFTER).await
    }

    /// Has every admin told of an act now. The message from before makes up for this one.
    pub async fn mail_admins_now(&self, act: &str, at: Timestamp) {
        let about = About::Act { act: act.to_owned(), at, to: None };
        if let Err(error) = self.mail(about, SignedDuration::ZERO).await {
            tracing::warn!(%error, act, "the mail about an act comes a minute later");
        }
    }

    /// Has the owner of an account told of what was done with its log-in, should it be done within a minute.
    ///
    /// # Errors
    /// The queue does not answer: nothing is to be done then.
    pub async fn mail_act_later(&self, to: &UserId, act: &str, at: Timestamp) -> Result<(), AppError> {
        let about = About::Act { act: act.to_owned(), at, to: Some(to.clone()) };
        self.mail(about, WITHDRAWAL_IS_DECIDED_AFTER).await
    }

    /// As [`App::mail_act_later`], now.
    pub async fn mail_act_now(&self, to: &UserId, act: &str, at: Timestamp) {
        let about = About::Act { act: act.to_owned(), at, to: Some(to.clone()) };
        if let Err(error) = self.mail(about, SignedDuration::ZERO).await {
            tracing::warn!(%error, act, "the mail about an act comes a minute later");
        }
    }

    /// Has a player told that an admin has given their account another team, should it be done within a minute.
    ///
    /// # Errors
    /// The queue does not answer: nothing is to be done then.
    pub(crate) async fn mail_team_changed_later(
        &self,
        player: &UserId,
        act: &AuditRecord,
    ) -> Result<(), AppError> {
        self.mail(About::team_changed(player, act), WITHDRAWAL_IS_DECIDED_AFTER).await
    }

    /// As [`App::mail_team_changed_later`], now.
    pub(crate) async fn mail_team_changed_now(&self, player: &UserId, act: &AuditRecord) {
        if let Err(error) = self.mail(About::team_changed(player, act), SignedDuration::ZERO).await {
            tracing::warn!(%error, %player, "the mail about a team comes a minute later");
        }
    }

    pub(crate) async fn mail(&self, about: About, delay: SignedDuration) -> Result<(), AppError> {
        self.send(&SendMail { about, since: self.clock().now(), tried: 0 }, delay).await
    }
}

/// A league as a mail names it.
struct Group {
    gameweek: GameweekId,
    entry: Kes,
    number: u32,
}

impl From<store::leagues::LeagueId> for Group {
    fn from(id: store::leagues::LeagueId) -> Self {
        Self { gameweek: id.gameweek, entry: id.amount.kes(), number: id.number }
    }
}
