//! What an admin does with money, as one list: each act can be done at once, or be proposed by one admin and
//! approved by another, and is carried out by the same code then
//! (docs/decisions.md, "What an admin may do, and what carries it").

use domain::{
    Kes, gameweeks::calling_off::CallOffError, ledger::corrections::CorrectionError,
    payments::set_aside::SetAsideAct,
};
use serde::{Deserialize, Serialize};
use store::{
    StoreError,
    accounts::players::Player,
    admin::{
        approvals::Proposal,
        permits::{Permit, Withheld},
    },
    payments::typed_codes::TypedCode,
    withdrawals::Withdrawal,
};

use crate::{
    App, AppError,
    admin::{
        approvals::{self, ApprovalError, Leave, Stakes},
        changes::{self, AccountMark, ChangeError},
        own_account::{OwnAccount, is_own},
        prizes,
    },
    gameweeks::calling_off,
    ledger::corrections::{self, AskedCorrection, BookedCorrection},
    payments::{
        set_asides::{self, Case, CaseDecision, CaseError},
        typed_codes::review::{self, ReviewError},
    },
    platform::flow::{Flow, FlowError, Refusal},
    settlement::winners::Progress,
    withdrawals::{
        endings,
        payouts::{self, PayError},
    },
};

/// Acts of one admin at once are met this often.
const TRIES: u32 = 8;

/// An act, as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum MoneyAct {
    ConfirmCode {
        id: String,
        amount: Kes,
    },
    /// Of the player `id`'s wallet; `correction` is the caller's own id for it.
    CorrectWallet {
        id: String,
        correction: String,
        amount: Kes,
        reason: String,
    },
    /// `decision`: `credit`, `paid` or `return`.
    DecideSetAside {
        id: String,
        decision: String,
        reason: String,
        amount: Option<i64>,
        receipt: String,
    },
    MarkDone {
        id: String,
    },
    Pay {
        id: String,
    },
    /// The prizes in the player `id`'s wallet that were won with teams which are not proved.
    ReleasePrizes {
        id: String,
        /// What they were together, as the admin saw them. It is not kept: whoever approves it reads the proposal's own sum.
        #[serde(skip)]
        seen: Option<Kes>,
        reason: String,
    },
    /// Ends the suspension or the freezing (`mark`) of the account `id`, which is an admin's: they may act again then.
    RestoreAdmin {
        id: String,
        mark: AccountMark,
        reason: String,
    },
    VoidGameweek {
        gameweek: String,
        reason: String,
    },
}

/// What an act was done to, as it stands then.
#[derive(Debug)]
pub enum CompletedAct {
    TypedCode(Box<TypedCode>),
    Correction(Box<BookedCorrection>),
    Case(Box<Case>),
    Withdrawal(Box<Withdrawal>),
    Player(Box<Player>),
    CalledOff(Progress),
}

/// What has come of an act that was asked for.
#[derive(Debug)]
pub enum ActOutcome {
    Done(CompletedAct),
    /// It waits for a second admin.
    Proposed(Box<Proposal>),
}

/// Why an act is not done; the text is what the admin reads.
#[derive(Debug, thiserror::Error)]
pub enum MoneyActError {
    #[error(transparent)]
    TypedCode(#[from] ReviewError),
    #[error(transparent)]
    Correction(#[from] CorrectionError),
    #[error(transparent)]
    Case(#[from] CaseError),
    #[error(transparent)]
    Withdrawal(#[from] PayError),
    #[error(transparent)]
    Player(#[from] ChangeError),
    #[error(transparent)]
    CallingOff(#[from] CallOffError),
    #[error(transparent)]
    Approval(#[from] ApprovalError),
    #[error(transparent)]
    Own(#[from] OwnAccount),
    #[error("Other acts are done at the same time. Try again.")]
    Busy,
}

impl Refusal for MoneyActError {}

/// Does `act`, or puts it before another admin.
pub async fn ask(app: &App, admin: &Player, act: &MoneyAct) -> Flow<ActOutcome, MoneyActError> {
    for _ in 0..TRIES {
        let stakes = act.stakes(app).await?;
        if is_own(app, admin, stakes.about()).await? {
            return Err(MoneyActError::Own(OwnAccount).into());
        }
        let permit = match approvals::weigh(app, admin, &stakes).await? {
            Leave::Granted(permit) => permit,
            Leave::Second(wanted) => {
                let sent_by_hand = act.sent_by_hand();
                if let Some(withdrawal) = &sent_by_hand {
                    payouts::check_payable(app, withdrawal).await.map_err(FlowError::within)?;
                }
                let order =
                    approvals::Order { kept: act.order()?, in_words: act.in_words(&stakes), sent_by_hand };
                match approvals::propose(app, admin, &stakes, order, wanted).await? {
                    Some(proposal) => return Ok(ActOutcome::Proposed(Box::new(proposal))),
                    // Something has changed since it was weighed.
                    None => continue,
                }
            }
        };
        match act.carry_out_and_tell(app, &stakes, &permit).await {
            Err(error) if is_to_weigh_anew(&error) => {}
            done => return done.map(ActOutcome::Done),
        }
    }
    Err(MoneyActError::Busy.into())
}

/// Does the proposed act `id` by `approver`'s approval, in one step with it.
pub async fn approve(
    app: &App,
    approver: &Player,
    id: &str,
    reason: Option<String>,
) -> Flow<(), MoneyActError> {
    let proposal = approvals::find(app, id).await.map_err(FlowError::within)?;
    let act = MoneyAct::ordered(&proposal.order)?;
    let stakes = act.stakes(app).await?;
    let permit = approvals::approve(app, approver, &proposal, &stakes, reason).await;
    let permit = permit.map_err(FlowError::within)?;
    act.carry_out_and_tell(app, &stakes, &permit).await?;
    tracing::info!(admin = %approver.id, proposal = proposal.id, on = stakes.on, "approval");
    approvals::note_approved(app, approver, id, &permit).await.map_err(FlowError::within)
}

/// Whether another act of this admin, player or number was written meanwhile, or M-Pesa has said whose number it is.
fn is_to_weigh_anew(error: &FlowError<MoneyActError>) -> bool {
    let FlowError::Failed(AppError::Store(StoreError::Withheld(why))) = error else { return false };
    matches!(why, Withheld::SumMoved | Withheld::NumberLearned)
}

impl MoneyAct {
    /// As a proposal keeps it.
    fn order(&self) -> Result<String, AppError> {
        serde_json::to_string(self)
            .map_err(|error| AppError::Internal(format!("an act that cannot be kept: {error}")))
    }

    fn ordered(order: &str) -> Result<Self, AppError> {
        serde_json::from_str(order)
            .map_err(|error| AppError::Internal(format!("a proposal that cannot be read: {error}")))
    }

    /// What is asked for, as the admin who approves it reads it: which way money goes, above all. `stakes` say what it moves
    /// where the act itself does not.
    fn in_words(&self, stakes: &Stakes) -> String {
        let sum = stakes.amount.map(|sum| sum.to_string()).unwrap_or_default();
        let code = stakes.code.as_deref().unwrap_or_default();
        let net = stakes.net.map(|net| format!(" ({net} after tax)")).unwrap_or_default();
        match self {
            Self::ConfirmCode { amount, .. } => format!("Credit {amount} for a typed code: {code}"),
            Self::CorrectWallet { amount, .. } if amount.is_positive() => {
                format!("Put {amount} into the wallet")
            }
            Self::CorrectWallet { amount, .. } => format!("Take {} out of the wallet", -*amount),
            Self::DecideSetAside { decision, receipt, .. } => {
                // The typed one, or the one that M-Pesa has told.
                let under = match receipt.trim() {
                    "" if code.is_empty() => String::new(),
                    "" => format!(", receipt {code}"),
                    receipt => format!(", receipt {receipt}"),
                };
                match SetAsideAct::parse(decision) {
                    Ok(SetAsideAct::Credit) => format!("Credit {sum} for what was set aside{under}"),
                    Ok(SetAsideAct::Paid) => format!("Count the payout of {sum}{net} as paid{under}"),
                    Ok(SetAsideAct::Return) => format!("Put the {sum} of a payout back into the wallet"),
                    Ok(SetAsideAct::Dismiss) => "Close what was set aside".to_owned(),
                    Err(_) => {
                        format!("Decide what was set aside by \"{decision}\", which is no act that is known")
                    }
                }
            }
            Self::MarkDone { .. } => format!("Count the withdrawal of {sum}{net} as paid by hand"),
            Self::Pay { .. } => format!("Pay the withdrawal of {sum}{net} by M-Pesa"),
            Self::ReleasePrizes { .. } => {
                format!("Let {sum} of prizes be withdrawn that were won with teams which are not proved")
            }
            Self::RestoreAdmin { mark: AccountMark::Suspended, .. } => {
                "End an admin's suspension: they may act again".to_owned()
            }
            Self::RestoreAdmin { mark: AccountMark::Frozen, .. } => {
                "Unfreeze an admin's account: they may act again".to_owned()
            }
            Self::VoidGameweek { gameweek, .. } => {
                format!("Call gameweek {gameweek} off: every stake goes back")
            }
        }
    }

    /// The withdrawal that whoever asks for this says to have sent by hand.
    fn sent_by_hand(&self) -> Option<String> {
        match self {
            Self::MarkDone { id } => Some(id.clone()),
            _ => None,
        }
    }

    /// Does it, by `permit`.
    async fn carry_out(
        &self,
        app: &App,
        stakes: &Stakes,
        permit: &Permit,
    ) -> Flow<CompletedAct, MoneyActError> {
        Ok(match self {
            Self::ConfirmCode { id, amount } => {
                let confirmed = review::confirm(app, id, *amount, permit).await;
                CompletedAct::TypedCode(Box::new(confirmed.map_err(FlowError::within)?))
            }
            Self::CorrectWallet { id, correction, amount, reason } => {
                let asked = AskedCorrection { player: id, id: correction, amount: *amount, reason };
                let booked = corrections::book(app, asked, permit).await;
                CompletedAct::Correction(Box::new(booked.map_err(FlowError::within)?))
            }
            Self::DecideSetAside { id, decision, reason, amount, receipt } => {
                let act =
                    SetAsideAct::parse(decision).map_err(CaseError::from).map_err(MoneyActError::from)?;
                // What was seen counts for a dismissal, which is not proposed.
                let decision = CaseDecision { act, reason, amount: *amount, receipt, seen: None, permit };
                let closed = set_asides::close(app, id, decision).await;
                CompletedAct::Case(Box::new(closed.map_err(FlowError::within)?))
            }
            Self::MarkDone { id } => {
                let ended = endings::mark_done(app, id, permit).await;
                CompletedAct::Withdrawal(Box::new(ended.map_err(FlowError::within)?))
            }
            Self::Pay { id } => {
                let sent = payouts::send(app, id, permit).await;
                CompletedAct::Withdrawal(Box::new(sent.map_err(FlowError::within)?))
            }
            Self::ReleasePrizes { id, reason, .. } => {
                let released = prizes::release(app, id, (stakes.amount, reason), permit).await;
                CompletedAct::Player(Box::new(released.map_err(FlowError::within)?))
            }
            Self::RestoreAdmin { id, mark, reason } => {
                let restored = changes::restore_admin(app, id, *mark, reason, permit).await;
                CompletedAct::Player(Box::new(restored.map_err(FlowError::within)?))
            }
            Self::VoidGameweek { gameweek, reason } => {
                let id = gameweek.parse().map_err(|_| MoneyActError::CallingOff(CallOffError::NoGameweek))?;
                let called_off = calling_off::call_off(app, id, permit, reason).await;
                CompletedAct::CalledOff(called_off.map_err(FlowError::within)?)
            }
        })
    }

    /// Does it and has all admins told, where it is large: the message goes out before the act, to be looked at a
    /// minute later, and once more after.
    async fn carry_out_and_tell(
        &self,
        app: &App,
        stakes: &Stakes,
        permit: &Permit,
    ) -> Flow<CompletedAct, MoneyActError> {
        if !stakes.is_large(app) {
            return self.carry_out(app, stakes, permit).await;
        }
        let at = app.clock().now();
        app.mail_admins_later(&permit.act, at).await?;
        let done = self.carry_out(app, stakes, permit).await;
        app.mail_admins_now(&permit.act, at).await;
        done
    }
}
