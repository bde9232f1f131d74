//! Which prompt a receipt belongs to (docs/decisions.md, "Which prompt a receipt belongs to"): each shilling that
//! M-Pesa received is credited once, by whatever way it is heard of.
//!
//! A receipt is a prompt's where amount and account (or payer) agree and M-Pesa's own time, never that of
//! arrival, lies between the push and three minutes after it. The account stands over the payer: a prompt
//! carries its own, so the same person's payment by hand is told apart from it. Where the push seems to be a little later
//! than the payment, the clock that told its time may have been ahead: then the receipt may be the prompt's.

use jiff::{SignedDuration, Timestamp};

use crate::{Kes, MpesaPhone, payments::prompt};

/// Nobody pays a prompt later than this after its push.
pub const PAID_WITHIN: SignedDuration = SignedDuration::from_mins(3);
/// M-Pesa tells whole seconds, and its clock and ours may differ a little: by its time a prompt may be paid so long before we
/// have sent it.
pub const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_secs(5);
/// The clock of the machine that sends a prompt may be a minute ahead, and another machine's a minute behind (docs/faults.md,
/// 25): by them a prompt may be paid, and its receipt credited, so long before it was sent. Hardly another payment of the payer's
/// falls into that time, as M-Pesa refuses the same amount from one customer for two minutes.
pub const MACHINES_DIFFER: SignedDuration = SignedDuration::from_mins(2);
/// Where nobody can say whose a receipt is (M-Pesa tells too little, or a clock that was ahead may have sent the prompt), a
/// prompt of the same amount holds it back for so long.
pub const HELD_FOR: SignedDuration = SignedDuration::from_hours(8 * 24);

/// What M-Pesa tells of a receipt, from its confirmation and from its answers together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReceiptFacts {
    pub amount: Option<Kes>,
    /// The account that the payment names.
    pub account: Option<String>,
    pub payer: Payer,
    /// When M-Pesa took it.
    pub at: Option<Timestamp>,
}

/// Who paid, as far as it is told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Payer {
    #[default]
    Unknown,
    /// `2547 ***** 126`: what the number begins and ends with.
    Masked {
        first: String,
        last: String,
    },
    Whole(MpesaPhone),
}

/// A prompt of ours, as far as it matters here.
#[derive(Debug, Clone)]
pub struct SentPrompt {
    pub amount: Kes,
    /// What it shows as the account; absent of old ones.
    pub account: Option<String>,
    pub phone: MpesaPhone,
    pub state: prompt::PaymentState,
    /// Whether its receipt is known.
    pub has_receipt: bool,
    pub sent: Timestamp,
}

/// How a receipt fits a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    Own,
    /// As its own, but paid before the prompt was sent: the clock of the machine that sent it may have been ahead.
    Early,
    /// Nothing that is told speaks against it, and too little for it.
    Maybe,
    Another,
}

/// What a prompt means for a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptMatch {
    /// Nothing: the receipt is another payment's.
    Free,
    /// The prompt is open: the receipt waits for how it ends.
    Waits,
    /// The prompt is open, and this may be its receipt: it waits, and is not noted with the prompt.
    WaitsUnsure,
    /// The prompt is paid, and this is its receipt.
    Its,
    /// It may be: an admin has to say.
    MayBe,
}

impl Payer {
    /// From what a confirmation carries: a masked number, mostly.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let digits = |c: &char| c.is_ascii_digit();
        let first: String = text.trim().chars().take_while(digits).collect();
        let last: String = text.trim().chars().rev().take_while(digits).collect();
        let last: String = last.chars().rev().collect();
        if first.len() == text.trim().len() {
            return MpesaPhone::for_withdrawal(&first).map_or(Self::Unknown, Self::Whole);
        }
        // A hash, or anything else that is no masked number, tells nothing.
        let masked = text.contains('*') && first.len() + last.len() >= 4;
        if masked { Self::Masked { first, last } } else { Self::Unknown }
    }

    /// Whether it is this phone: `None` where that cannot be said.
    fn is(&self, phone: &MpesaPhone) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Masked { first, last } => {
                let number = phone.as_str();
                let may_be = number.starts_with(first.as_str()) && number.ends_with(last.as_str());
                if may_be { None } else { Some(false) }
            }
            Self::Whole(payer) => Some(payer == phone),
        }
    }
}

impl SentPrompt {
    /// Whether nobody can say yet which receipt is its: it is open, or credited on M-Pesa's answer alone. One
    /// that is set aside or failed credits nothing by itself.
    #[must_use]
    pub fn is_without_receipt(&self) -> bool {
        match self.state {
            prompt::PaymentState::Pending => true,
            prompt::PaymentState::Success => !self.has_receipt,
            prompt::PaymentState::Failed
            | prompt::PaymentState::SetAside
            | prompt::PaymentState::Dismissed => false,
        }
    }
}

/// The rule.
#[must_use]
pub fn fit(facts: &ReceiptFacts, prompt: &SentPrompt) -> Fit {
    let amount = facts.amount.map(|amount| amount == prompt.amount);
    let time = facts.at.map(|at| prompt.sent - MACHINES_DIFFER <= at && at <= prompt.sent + PAID_WITHIN);
    let is_early = facts.at.is_some_and(|at| at < prompt.sent - CLOCKS_DIFFER);
    let account = facts.account.as_deref().zip(prompt.account.as_deref());
    let account = account.map(|(one, other)| one.trim().eq_ignore_ascii_case(other.trim()));
    let payer = facts.payer.is(&prompt.phone);
    let all = [amount, time, account, payer];
    if all.contains(&Some(false)) {
        Fit::Another
    } else if amount.is_some() && time.is_some() && (account.is_some() || payer.is_some()) {
        if is_early { Fit::Early } else { Fit::Own }
    } else {
        Fit::Maybe
    }
}

/// What `prompt` means for a receipt of which M-Pesa tells this much.
#[must_use]
pub fn match_prompt(facts: &ReceiptFacts, prompt: &SentPrompt, now: Timestamp) -> PromptMatch {
    if !prompt.is_without_receipt() {
        return PromptMatch::Free;
    }
    let is_open = prompt.state == prompt::PaymentState::Pending;
    match fit(facts, prompt) {
        Fit::Own if is_open => PromptMatch::Waits,
        Fit::Own => PromptMatch::Its,
        Fit::Early if is_open => PromptMatch::WaitsUnsure,
        Fit::Early | Fit::Maybe if now <= prompt.sent + HELD_FOR => PromptMatch::MayBe,
        Fit::Early | Fit::Maybe | Fit::Another => PromptMatch::Free,
    }
}

/// Whether a receipt that was credited with `credited` at `booked` may be that of `prompt`: then M-Pesa's answer
/// alone does not credit the prompt as well.
#[must_use]
pub fn may_be_credited_before(
    facts: &ReceiptFacts,
    credited: Kes,
    booked: Timestamp,
    prompt: &SentPrompt,
) -> bool {
    credited == prompt.amount && booked >= prompt.sent - MACHINES_DIFFER && fit(facts, prompt) != Fit::Another
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::payments::prompt::PaymentState;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_secs(1_000_000 + seconds)
    }

    fn phone(text: &str) -> MpesaPhone {
        MpesaPhone::for_withdrawal(text).unwrap()
    }

    fn prompt(state: PaymentState, has_receipt: bool) -> SentPrompt {
        SentPrompt {
            amount: Kes::new(500),
            account: Some("wanjiku".into()),
            phone: phone("0712345126"),
            state,
            has_receipt,
            sent: at(0),
        }
    }

    /// As a confirmation tells it.
    fn confirmed() -> ReceiptFacts {
        ReceiptFacts {
            amount: Some(Kes::new(500)),
            account: Some("wanjiku".into()),
            payer: Payer::parse("2547 ***** 126"),
            at: Some(at(20)),
        }
    }

    /// As an answer tells it.
    fn answered() -> ReceiptFacts {
        ReceiptFacts { account: None, payer: Payer::Whole(phone("0712345126")), ..confirmed() }
    }

    /// As a confirmation tells it of a prompt that was sent by a clock that is a minute ahead.
    fn early() -> ReceiptFacts {
        ReceiptFacts { at: Some(at(-40)), ..confirmed() }
    }

    #[rstest]
    #[case::confirmed(confirmed(), Fit::Own)]
    #[case::answered(answered(), Fit::Own)]
    #[case::at_the_push(ReceiptFacts { at: Some(at(0)), ..answered() }, Fit::Own)]
    #[case::whole_seconds(ReceiptFacts { at: Some(at(-1)), ..answered() }, Fit::Own)]
    #[case::the_last_second(ReceiptFacts { at: Some(at(180)), ..answered() }, Fit::Own)]
    #[case::clocks_differ(ReceiptFacts { at: Some(at(-5)), ..answered() }, Fit::Own)]
    #[case::before(ReceiptFacts { at: Some(at(-6)), ..answered() }, Fit::Early)]
    #[case::by_a_clock_ahead(early(), Fit::Early)]
    #[case::long_before(ReceiptFacts { at: Some(at(-120)), ..confirmed() }, Fit::Early)]
    #[case::too_long_before(ReceiptFacts { at: Some(at(-121)), ..confirmed() }, Fit::Another)]
    #[case::by_hand_before(ReceiptFacts { account: Some("4821907".into()), ..early() }, Fit::Another)]
    #[case::another_payer_before(ReceiptFacts { payer: Payer::Whole(phone("0712345127")), ..early() }, Fit::Another)]
    #[case::masked_before(ReceiptFacts { account: None, ..early() }, Fit::Maybe)]
    #[case::after(ReceiptFacts { at: Some(at(181)), ..answered() }, Fit::Another)]
    #[case::another_amount(ReceiptFacts { amount: Some(Kes::new(501)), ..confirmed() }, Fit::Another)]
    #[case::by_hand(ReceiptFacts { account: Some("4821907".into()), ..answered() }, Fit::Another)]
    #[case::written_otherwise(ReceiptFacts { account: Some(" WANJIKU ".into()), ..confirmed() }, Fit::Own)]
    #[case::another_payer(ReceiptFacts { payer: Payer::Whole(phone("0712345127")), ..confirmed() }, Fit::Another)]
    #[case::another_ending(ReceiptFacts { payer: Payer::parse("2547 ***** 127"), ..confirmed() }, Fit::Another)]
    #[case::payer_left_out(ReceiptFacts { payer: Payer::Unknown, ..confirmed() }, Fit::Own)]
    #[case::payer_masked(ReceiptFacts { payer: Payer::parse("2547 ***** 126"), ..answered() }, Fit::Maybe)]
    #[case::no_time(ReceiptFacts { at: None, ..answered() }, Fit::Maybe)]
    #[case::nothing(ReceiptFacts::default(), Fit::Maybe)]
    #[case::only_the_time(ReceiptFacts { at: Some(at(181)), ..ReceiptFacts::default() }, Fit::Another)]
    fn a_receipt_fits_by_amount_account_or_payer_and_time(
        #[case] facts: ReceiptFacts,
        #[case] expected: Fit,
    ) {
        assert_eq!(fit(&facts, &prompt(PaymentState::Pending, false)), expected);
    }

    #[rstest]
    #[case::open(PaymentState::Pending, false, [PromptMatch::Waits, PromptMatch::WaitsUnsure, PromptMatch::MayBe])]
    #[case::paid(PaymentState::Success, false, [PromptMatch::Its, PromptMatch::MayBe, PromptMatch::MayBe])]
    #[case::paid_with_another(PaymentState::Success, true, [PromptMatch::Free; 3])]
    #[case::failed(PaymentState::Failed, false, [PromptMatch::Free; 3])]
    #[case::set_aside(PaymentState::SetAside, false, [PromptMatch::Free; 3])]
    #[case::dismissed(PaymentState::Dismissed, false, [PromptMatch::Free; 3])]
    fn what_a_prompt_means_for_a_receipt(
        #[case] state: PaymentState,
        #[case] has_receipt: bool,
        #[case] expected: [PromptMatch; 3],
    ) {
        let prompt = prompt(state, has_receipt);
        let now = at(6 * 24 * 3600);
        let told = [confirmed(), early(), ReceiptFacts::default()];
        assert_eq!(told.map(|facts| match_prompt(&facts, &prompt, now)), expected);
    }

    #[test]
    fn the_hold_is_eight_days_and_only_where_nobody_can_say() {
        let prompt = prompt(PaymentState::Success, false);
        let after = |hours: i64| at(hours * 3600);
        assert_eq!(match_prompt(&ReceiptFacts::default(), &prompt, after(8 * 24)), PromptMatch::MayBe);
        assert_eq!(match_prompt(&ReceiptFacts::default(), &prompt, after(8 * 24 + 1)), PromptMatch::Free);
        assert_eq!(match_prompt(&early(), &prompt, after(8 * 24)), PromptMatch::MayBe);
        assert_eq!(match_prompt(&early(), &prompt, after(8 * 24 + 1)), PromptMatch::Free);
        assert_eq!(
            match_prompt(&answered(), &prompt, after(800)),
            PromptMatch::Its,
            "told all, it is its for ever"
        );
    }

    #[test]
    fn a_payment_by_hand_does_not_stand_against_a_prompt() {
        let prompt = prompt(PaymentState::Pending, false);
        let five = Kes::new(500);
        assert!(may_be_credited_before(&answered(), five, at(60), &prompt));
        assert!(may_be_credited_before(&ReceiptFacts::default(), five, at(0), &prompt));
        assert!(may_be_credited_before(&early(), five, at(-30), &prompt));
        assert!(may_be_credited_before(&ReceiptFacts::default(), five, at(-120), &prompt));
        assert!(!may_be_credited_before(&ReceiptFacts::default(), five, at(-121), &prompt));
        assert!(!may_be_credited_before(&ReceiptFacts::default(), Kes::new(499), at(60), &prompt));
        let by_hand = ReceiptFacts { account: Some("4821907".into()), ..answered() };
        assert!(!may_be_credited_before(&by_hand, five, at(60), &prompt));
    }

    #[rstest]
    #[case("2547 ***** 126", Payer::Masked { first: "2547".into(), last: "126".into() })]
    #[case("254712345126", Payer::Whole(phone("0712345126")))]
    #[case("0712345126", Payer::Whole(phone("0712345126")))]
    #[case("2547 *****", Payer::Masked { first: "2547".into(), last: String::new() })]
    #[case("254 *****", Payer::Unknown)]
    #[case("****6", Payer::Unknown)]
    #[case("2b5c9a00f1e1c7d2", Payer::Unknown)]
    #[case("", Payer::Unknown)]
    fn a_payer_is_read_as_far_as_it_is_told(#[case] text: &str, #[case] payer: Payer) {
        assert_eq!(Payer::parse(text), payer);
    }
}
