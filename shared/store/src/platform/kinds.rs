//! Every kind of item of the table, and what becomes of it when its player closes the account. An item of a kind that is
//! not here is neither shown to a player nor taken away: a test finds it (docs/privacy.md has a line for each of these).

use AtClosing::{Kept, Nameless, Removed};

use crate::platform::table::{Item, text};

/// What `erase-accounts` does with an item of a closed account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtClosing {
    /// It goes.
    Removed,
    /// It stays for the books, the draw and the settlement; what is personal in it goes.
    Nameless,
    /// It stays as it is: it has ids and money, or is about nobody, or expires by itself before.
    Kept,
}

/// A kind of item. A key that ends with `#` is a beginning, and so is an empty one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    pub pk: &'static str,
    pub sk: &'static str,
    pub at_closing: AtClosing,
    /// What its player is shown in "my data": everything but these attributes, which are ours, or about somebody else (the
    /// payer that M-Pesa names, an admin); `None`: nothing of it, it is a secret
    /// or about nobody.
    pub hidden: Option<&'static [&'static str]>,
}

const fn kind(pk: &'static str, sk: &'static str, at_closing: AtClosing) -> Kind {
    Kind { pk, sk, at_closing, hidden: None }
}

impl Kind {
    const fn shown(self) -> Self {
        Self { hidden: Some(&[]), ..self }
    }

    const fn without(self, hidden: &'static [&'static str]) -> Self {
        Self { hidden: Some(hidden), ..self }
    }

    fn is_of(&self, pk: &str, sk: &str) -> bool {
        let fits = |pattern: &str, key: &str| match pattern {
            "" => true,
            pattern if pattern.ends_with('#') => key.starts_with(pattern),
            pattern => key == pattern,
        };
        fits(self.pk, pk) && fits(self.sk, sk)
    }
}

/// All of them. Of two that fit the first counts.
pub const KINDS: &[Kind] = &[
    // A player's own.
    kind("USER#", "PROFILE", Removed).shown(),
    kind("USER#", "SECRET", Removed),
    kind("USER#", "PHONE#", Removed).shown(),
    kind("USER#", "TOTP", Removed).without(&["sealed", "recovery"]),
    kind("USER#", "ADMIN", Removed).shown(),
    kind("USER#", "SESSION#", Removed).without(&["tokenHash", "previousHash"]),
    kind("USER#", "RESET", Removed).without(&["tokenHash"]),
    kind("USER#", "CHALLENGE", Removed).shown(),
    kind("USER#", "PROVED#", Removed).shown(),
    kind("USER#", "LOST#", Removed).shown(),
    kind("USER#", "RELEASED#", Removed).shown(),
    kind("USER#", "MAILED#", Removed).shown(),
    kind("USER#", "NOTIFICATIONS", Removed).without(&["p256dh", "auth"]),
    kind("USER#", "WALLET", Kept).shown(),
    kind("USER#", "POST#", Nameless).shown(),
    kind("USER#", "PAYMENT#", Kept).shown(),
    kind("USER#", "PROMPT#", Removed).shown(),
    kind("USER#", "KEY#", Removed),
    kind("USER#", "PLACE#", Kept).shown(),
    kind("USER#", "MANUAL#", Kept).shown(),
    kind("USER#", "INVITATION", Removed).shown(),
    kind("USER#", "CASE#", Removed).shown(),
    kind("USER#", "MESSAGE#", Removed).without(&["by"]),
    kind("USER#", "CASES", Removed),
    // What is unique about accounts.
    kind("EMAIL#", "CLAIM", Removed),
    kind("NAME#", "CLAIM", Removed),
    kind("FPL#", "CLAIM", Removed),
    kind("ACCOUNT#", "CLAIM", Kept),
    kind("NUMBER#", "OWN", Removed).shown(),
    kind("PUSH#", "CLAIM", Removed),
    // Money in and out.
    kind("PAY#", "PAY", Nameless).without(&["by"]),
    // As M-Pesa said it, with whom it names: when and how often is shown.
    kind("PAY#", "EVENT#", Removed).without(&["text"]),
    kind("RECEIPT#", "RECEIPT", Kept).shown(),
    kind("RECEIPT#", "REVERSED", Kept),
    kind("QUESTION#", "QUESTION", Kept),
    kind("MANUAL#", "MANUAL", Nameless).without(&["known", "endedBy"]),
    kind("PAYBILL#", "PAYBILL", Nameless).without(&["phone", "name"]),
    kind("PAYBILL", "REGISTERED", Kept),
    kind("WITHDRAWAL#", "WITHDRAWAL", Nameless).without(&[
        "cancelHash",
        "recipient",
        "sentBy",
        "endedBy",
        "by",
    ]),
    kind("WITHDRAWAL#", "EVENT#", Removed).without(&["text"]),
    // The game.
    kind("ENTRIES#", "", Nameless).shown(),
    kind("CHECKPOINTS#", "COUNT", Kept),
    kind("DRAW#", "PART#", Nameless),
    kind("DRAW#", "UNPLACED#", Nameless).shown(),
    kind("DRAW#", "", Kept),
    kind("LEAGUES#", "", Nameless),
    kind("MARKS#", "", Kept),
    kind("SETTLEMENTS#", "POST#", Kept),
    kind("SETTLEMENTS#", "", Nameless),
    kind("GW#", "", Kept),
    kind("FOOTBALLERS#", "PART", Kept),
    kind("COLLECTING", "TURN", Kept),
    kind("SEASON", "", Kept),
    kind("ROUND#", "STEP", Kept),
    // Influencers are named by admins; of who came by a link only the id is kept.
    kind("INFLUENCERS", "", Kept),
    kind("INFLUENCER#", "", Kept),
    // The operator's.
    kind("FLOAT", "FLOAT", Kept),
    kind("BOOKS", "", Kept),
    kind("BOOKS#", "", Kept),
    kind("TRUST", "CURRENT", Kept),
    kind("TREE#", "", Kept),
    kind("SETTINGS", "SWITCHES", Kept),
    kind("AUDIT#", "", Nameless).shown(),
    kind("APPROVAL#", "APPROVAL", Nameless),
    kind("SUM#", "SUM", Kept),
    kind("PAIDOUT#", "PAIDOUT", Kept),
    kind("LIMIT#", "LIMIT", Kept),
    kind("KNOWN#", "KNOWN", Kept),
    kind("TOKEN#", "TOKEN", Kept),
];

/// The kind of an item by its keys; `None` where nobody has said what it is.
#[must_use]
pub fn kind_of(pk: &str, sk: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.is_of(pk, sk))
}

/// The same of an item that was read.
pub(crate) fn kind_of_item(item: &Item) -> Option<&'static Kind> {
    kind_of(&text(item, "pk")?, &text(item, "sk")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_of_the_first_kind_that_fits() {
        let at_closing = |pk, sk| kind_of(pk, sk).map(|kind| kind.at_closing);
        assert_eq!(at_closing("USER#1", "PROFILE"), Some(Removed));
        assert_eq!(at_closing("USER#1", "PROFILES"), None);
        assert_eq!(at_closing("SETTLEMENTS#2026-01#50#POSTINGS", "POST#fee#1"), Some(Kept));
        assert_eq!(at_closing("SETTLEMENTS#2026-01#50", "00001"), Some(Nameless));
        assert_eq!(at_closing("DRAW#2026-01#50", "PART#a#0000"), Some(Nameless));
        assert_eq!(at_closing("PAYBILL", "REGISTERED"), Some(Kept));
        assert_eq!(at_closing("USER#1", "SOMETHING"), None);
    }
}
