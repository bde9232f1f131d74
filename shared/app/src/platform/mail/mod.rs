//! Email. A flow that moves money or is asked for a link sends a message to the queue `mails`; the job `send-mail`
//! makes address and text from the store and sends the mail (`send`). So an answer's time tells nothing, and a mail
//! service that is down delays mails and nothing else.
//!
//! A mail about money is sent if and only if the money moved: the message is sent by the step that
//! pays, again at each repetition of that step, and the job reads what was booked before it writes.
//!
//! Pushes come from the same messages (`platform::push`): a player who has asked for them on a phone is told there as
//! well.
//!
//! An act that happens at most once is announced by two messages. `mail_…_later` sends the first one before the act,
//! delayed by a minute; if it cannot be sent, the act is not done. `mail_…_now` sends the second one right after the
//! act, so that the mail normally comes at once. If the process dies between the two, the first one still brings the
//! mail. The job mails only what was really done, and each cause once. One exception: suspending or freezing an admin
//! and turning a switch must not wait for a mail, so they are done even if the first message cannot be sent
//! (`try_to_mail_admins_later`).

pub(super) mod find;
pub(super) mod found;
mod send;
mod ses;
pub(super) mod texts;

use std::time::Duration;

use domain::{
    Email, GameweekId, UserId,
    accounts::cases::CaseId,
    ledger::postings::{Cause, Posting},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

pub use send::send;
use store::{admin::audit::AuditRecord, teams::proofs::TeamOf};

use crate::{App, AppError, platform::queues::Message};

/// Longer than any function runs: by then it is done, or never will be.
const IS_DECIDED_AFTER: SignedDuration = SignedDuration::from_secs(60);
/// What must not wait for a mail waits so long.
const ASKED_FOR: Duration = Duration::from_secs(2);

/// What a mail is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum MailSubject {
    /// Somebody asks for a new password. The address is in the message: whether it is an account's
    /// is found out by the job, where nobody can measure it.
    Reset { request: String, email: Email },
    /// A prize, a refund, or what was taken back or corrected; `why` is the reason for a refund. What was paid in is
    /// pushed alone. Nothing is sent where it is not booked.
    Posting { user_id: UserId, cause: String, why: Option<String> },
    /// An act of an admin or the operator: to `to`, or to every admin. Nothing is sent of one that was not done.
    Act { act: String, at: Timestamp, to: Option<UserId> },
    /// A withdrawal that is done or rejected; nothing is sent for one that is still pending.
    Withdrawal { withdrawal: String },
    /// A typed code that an admin has rejected; nothing is sent for one that stands otherwise.
    TypedCodeRejected { typed_code: String },
    /// A number that has become a player's own, by this prompt.
    OwnNumber { payment: String },
    /// A team that another player has proved: its former holder is told, once it is so.
    TeamLost { user_id: UserId, team: TeamOf },
    /// A team that an admin has given an account, in the place of another or of none.
    TeamChanged { user_id: UserId, act: String, at: Timestamp },
    /// A proof of age that an admin has asked for, or was given.
    AgeProof { user_id: UserId, act: String, at: Timestamp },
    /// A withdrawal to a number that is not the player's own: how to cancel it, as long as that can be done.
    WithdrawalAsked { withdrawal: String },
    /// A deadline is near: to who has played before and is not in.
    Deadline { user_id: UserId, gameweek: GameweekId },
    /// A player has been drawn into a league (`2026-03-50-00001`).
    Drawn { user_id: UserId, league: String },
    /// An account that its player has closed; nothing is sent where it is not.
    Closed { user_id: UserId, at: Timestamp },
    /// An account that was closed then and is open again, since money has come in.
    OpenAgain { user_id: UserId, closed_at: Timestamp },
    /// A player who has stopped until then; nothing is sent where they have not.
    Stopped { user_id: UserId, until: Timestamp },
    /// The message `message` of a player's case, should an admin have written it.
    Case { user_id: UserId, case: String, message: u32 },
    /// A league's points are final.
    Final { user_id: UserId, league: String },
}

impl MailSubject {
    fn withdrawal(withdrawal: &str) -> Self {
        Self::Withdrawal { withdrawal: withdrawal.to_owned() }
    }

    fn withdrawal_asked(withdrawal: &str) -> Self {
        Self::WithdrawalAsked { withdrawal: withdrawal.to_owned() }
    }

    fn typed_code_rejected(typed_code: &str) -> Self {
        Self::TypedCodeRejected { typed_code: typed_code.to_owned() }
    }

    fn taken_back(player: &UserId, cause: &Cause) -> Self {
        Self::Posting { user_id: player.clone(), cause: cause.key(), why: None }
    }

    fn team_changed(player: &UserId, act: &AuditRecord) -> Self {
        Self::TeamChanged { user_id: player.clone(), act: act.id.clone(), at: act.at }
    }

    fn age_proof(player: &UserId, act: &AuditRecord) -> Self {
        Self::AgeProof { user_id: player.clone(), act: act.id.clone(), at: act.at }
    }

    fn case(id: &CaseId, message: u32) -> Self {
        Self::Case { user_id: id.player.clone(), case: id.own.clone(), message }
    }

    fn act(act: &str, at: Timestamp, to: Option<&UserId>) -> Self {
        Self::Act { act: act.to_owned(), at, to: to.cloned() }
    }
}

/// To `send-mail`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SendMail {
    #[serde(flatten)]
    pub about: MailSubject,
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
    pub async fn mail_reset_link(&self, email: Email) -> Result<(), AppError> {
        self.mail(MailSubject::Reset { request: store::random_id(), email }, SignedDuration::ZERO).await
    }

    /// Has the player told of a prize or a refund that is booked. To be called at each repetition
    /// of the step that books it, whether that booked it now or before.
    pub async fn mail_posting(
        &self,
        player: &UserId,
        posting: &Posting,
        why: Option<&str>,
    ) -> Result<(), AppError> {
        let cause = posting.cause().key();
        let about = MailSubject::Posting { user_id: player.clone(), cause, why: why.map(str::to_owned) };
        self.mail(about, SignedDuration::ZERO).await
    }

    /// Has the player told that money has come in. It is pushed alone, and only to who has asked for it, so what stands
    /// in the way of it stands in the way of nothing else.
    pub(crate) async fn tell_of_payment(&self, player: &UserId, cause: &str) {
        let (user_id, cause) = (player.clone(), cause.to_owned());
        let about = MailSubject::Posting { user_id, cause, why: None };
        if let Err(error) = self.mail(about, SignedDuration::ZERO).await {
            tracing::warn!(%error, %player, "nobody is told of a payment");
        }
    }

    /// Has the player told that a withdrawal is done or rejected.
    pub async fn mail_withdrawal_later(&self, withdrawal: &str) -> Result<(), AppError> {
        self.mail_later(MailSubject::withdrawal(withdrawal)).await
    }

    pub async fn mail_withdrawal_now(&self, withdrawal: &str) {
        self.mail_now(MailSubject::withdrawal(withdrawal)).await;
    }

    /// Has the player told that a typed code is rejected, and why.
    pub(crate) async fn mail_typed_code_rejected_later(&self, typed_code: &str) -> Result<(), AppError> {
        self.mail_later(MailSubject::typed_code_rejected(typed_code)).await
    }

    pub(crate) async fn mail_typed_code_rejected_now(&self, typed_code: &str) {
        self.mail_now(MailSubject::typed_code_rejected(typed_code)).await;
    }

    /// Has a player told that a number has become their own by a prompt. To be called at each repetition of the
    /// step that claims it.
    pub(crate) async fn mail_own_number(&self, payment: &str) -> Result<(), AppError> {
        self.mail(MailSubject::OwnNumber { payment: payment.to_owned() }, SignedDuration::ZERO).await
    }

    /// Has the player told how to cancel a withdrawal to a new number.
    pub async fn mail_withdrawal_asked_later(&self, withdrawal: &str) -> Result<(), AppError> {
        self.mail_later(MailSubject::withdrawal_asked(withdrawal)).await
    }

    pub async fn mail_withdrawal_asked_now(&self, withdrawal: &str) {
        self.mail_now(MailSubject::withdrawal_asked(withdrawal)).await;
    }

    /// Has its former holder told that somebody else has proved a team.
    pub async fn mail_team_lost_later(&self, loser: &UserId, team: TeamOf) -> Result<(), AppError> {
        self.mail_later(MailSubject::TeamLost { user_id: loser.clone(), team }).await
    }

    pub async fn mail_team_lost_now(&self, loser: &UserId, team: TeamOf) {
        self.mail_now(MailSubject::TeamLost { user_id: loser.clone(), team }).await;
    }

    /// Has the player told of what was taken from a wallet, or given to it, by hand or on M-Pesa's word.
    pub async fn mail_taken_back_later(&self, player: &UserId, cause: &Cause) -> Result<(), AppError> {
        self.mail_later(MailSubject::taken_back(player, cause)).await
    }

    pub async fn mail_taken_back_now(&self, player: &UserId, cause: &Cause) {
        self.mail_now(MailSubject::taken_back(player, cause)).await;
    }

    /// Has every admin told of an act.
    pub async fn mail_admins_later(&self, act: &str, at: Timestamp) -> Result<(), AppError> {
        self.mail_later(MailSubject::act(act, at, None)).await
    }

    /// The same of what must not wait for a mail.
    pub(crate) async fn try_to_mail_admins_later(&self, act: &str, at: Timestamp) {
        match timeout(ASKED_FOR, self.mail_admins_later(act, at)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, act, "nobody may be told of this act"),
            Err(_) => tracing::warn!(act, "the queue does not answer: nobody may be told of this act"),
        }
    }

    pub async fn mail_admins_now(&self, act: &str, at: Timestamp) {
        self.mail_now(MailSubject::act(act, at, None)).await;
    }

    /// Has the owner of an account told of what was done with its log-in.
    pub async fn mail_act_later(&self, to: &UserId, act: &str, at: Timestamp) -> Result<(), AppError> {
        self.mail_later(MailSubject::act(act, at, Some(to))).await
    }

    pub async fn mail_act_now(&self, to: &UserId, act: &str, at: Timestamp) {
        self.mail_now(MailSubject::act(act, at, Some(to))).await;
    }

    /// Has a player told that the account is closed, once it is.
    pub(crate) async fn mail_closing_later(&self, player: &UserId, at: Timestamp) -> Result<(), AppError> {
        self.mail_later(MailSubject::Closed { user_id: player.clone(), at }).await
    }

    pub(crate) async fn mail_closing_now(&self, player: &UserId, at: Timestamp) {
        self.mail_now(MailSubject::Closed { user_id: player.clone(), at }).await;
    }

    /// Has a player told that a closed account is open again, once it is so.
    pub(crate) async fn mail_open_again_later(
        &self,
        player: &UserId,
        closed_at: Timestamp,
    ) -> Result<(), AppError> {
        self.mail_later(MailSubject::OpenAgain { user_id: player.clone(), closed_at }).await
    }

    pub(crate) async fn mail_open_again_now(&self, player: &UserId, closed_at: Timestamp) {
        self.mail_now(MailSubject::OpenAgain { user_id: player.clone(), closed_at }).await;
    }

    /// Has a player told that they have stopped playing until then, once it is so.
    pub(crate) async fn mail_stopped_later(&self, player: &UserId, until: Timestamp) -> Result<(), AppError> {
        self.mail_later(MailSubject::Stopped { user_id: player.clone(), until }).await
    }

    pub(crate) async fn mail_stopped_now(&self, player: &UserId, until: Timestamp) {
        self.mail_now(MailSubject::Stopped { user_id: player.clone(), until }).await;
    }

    /// Has a player told that an admin has given their account another team.
    pub(crate) async fn mail_team_changed_later(
        &self,
        player: &UserId,
        act: &AuditRecord,
    ) -> Result<(), AppError> {
        self.mail_later(MailSubject::team_changed(player, act)).await
    }

    pub(crate) async fn mail_team_changed_now(&self, player: &UserId, act: &AuditRecord) {
        self.mail_now(MailSubject::team_changed(player, act)).await;
    }

    /// Has a player told that a proof of age is asked for, or was given.
    pub(crate) async fn mail_age_proof_later(
        &self,
        player: &UserId,
        act: &AuditRecord,
    ) -> Result<(), AppError> {
        self.mail_later(MailSubject::age_proof(player, act)).await
    }

    pub(crate) async fn mail_age_proof_now(&self, player: &UserId, act: &AuditRecord) {
        self.mail_now(MailSubject::age_proof(player, act)).await;
    }

    /// Has a player told that an admin has answered or closed a case.
    pub(crate) async fn mail_case_later(&self, id: &CaseId, message: u32) -> Result<(), AppError> {
        self.mail_later(MailSubject::case(id, message)).await
    }

    pub(crate) async fn mail_case_now(&self, id: &CaseId, message: u32) {
        self.mail_now(MailSubject::case(id, message)).await;
    }

    async fn mail_later(&self, about: MailSubject) -> Result<(), AppError> {
        self.mail(about, IS_DECIDED_AFTER).await
    }

    async fn mail_now(&self, about: MailSubject) {
        if let Err(error) = self.mail(about.clone(), SignedDuration::ZERO).await {
            tracing::warn!(%error, ?about, "this mail comes a minute later");
        }
    }

    pub(crate) async fn mail(&self, about: MailSubject, delay: SignedDuration) -> Result<(), AppError> {
        self.send(&SendMail { about, since: self.clock().now(), tried: 0 }, delay).await
    }
}
