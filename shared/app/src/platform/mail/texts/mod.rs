//! What the mails say: one function each, in plain text and in HTML over one plain layout, in English and in
//! Kiswahili; a `match` over the language has both, or it does not compile.
//! Everything that comes from a person is escaped. A name stands only in mails that money or an admin made.

pub mod accounts;
pub mod admin;
pub mod cases;
pub mod gameweeks;
pub mod ledger;
pub mod payments;
pub mod settlement;
pub mod teams;
pub mod withdrawals;

use domain::{
    Kes, Username,
    accounts::notifications::Language::{self, En, Sw},
};

/// What a mail says, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailText {
    pub subject: String,
    pub text: String,
    pub html: String,
    /// Where a mail program can stop mails of this kind by itself (RFC 8058), where they can be stopped.
    pub one_click: Option<String>,
}

/// Whom a mail is for.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    /// Where links lead to.
    pub origin: &'a str,
    pub name: &'a Username,
    pub language: Language,
}

/// Where `amount` is, which has come into a wallet, where a part of it has paid what was owed.
#[must_use]
pub fn debt_in_words(amount: Kes, towards_debt: Kes, language: Language) -> Option<String> {
    let left = amount - towards_debt;
    towards_debt.is_positive().then(|| match (language, left.is_positive()) {
        (En, true) => {
            format!("{towards_debt} of it has gone towards what you owed, {left} is in your wallet.")
        }
        (En, false) => "It has gone towards what you owed.".to_owned(),
        (Sw, true) => format!("{towards_debt} kati yake imelipa deni lako, {left} iko kwenye pochi yako."),
        (Sw, false) => "Zote zimelipa deni lako.".to_owned(),
    })
}

/// Something to press.
struct Button {
    label: &'static str,
    link: String,
}

impl Reader<'_> {
    fn wallet(&self) -> Button {
        let label = match self.language {
            En => "Open your wallet",
            Sw => "Fungua pochi yako",
        };
        Button { label, link: format!("{}/payment", self.origin) }
    }

    fn hello(&self) -> String {
        match self.language {
            En => format!("Hello {},", self.name),
            Sw => format!("Habari {},", self.name),
        }
    }

    fn lay_out(&self, subject: &str, paragraphs: &[String], button: &Button) -> MailText {
        lay_out(self.language, subject, &self.hello(), paragraphs, button)
    }
}

fn lay_out(
    language: Language,
    subject: &str,
    greeting: &str,
    paragraphs: &[String],
    button: &Button,
) -> MailText {
    let Button { label, link } = button;
    let or_open = match language {
        En => "Or open this address",
        Sw => "Au fungua anwani hii",
    };
    let text = format!("{greeting}\n\n{}\n\n{label}:\n{link}\n\nFPL Leagues\n", paragraphs.join("\n\n"));
    let body: String =
        paragraphs.iter().map(|paragraph| format!("<p>{}</p>\n", escaped(paragraph))).collect();
    let html = format!(
        "<!doctype html>\n<html lang=\"{lang}\">\n<head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body style=\"font-family: sans-serif; font-size: 16px; line-height: 1.5; color: #1b1b1b; max-width: 32em; \
         margin: 0 auto; padding: 16px\">\n<p>{greeting}</p>\n{body}<p><a href=\"{link}\" style=\"display: \
         inline-block; padding: 10px 18px; border-radius: 6px; background: #37003c; color: #ffffff; \
         text-decoration: none\">{label}</a></p>\n<p>{or_open}: {link}</p>\n<p>FPL Leagues</p>\n\
         </body>\n</html>\n",
        lang = language.into_str(),
        title = escaped(subject),
        greeting = escaped(greeting),
        link = escaped(link),
        label = escaped(label),
    );
    MailText { subject: subject.to_owned(), text, html, one_click: None }
}

impl MailText {
    /// With the link that stops mails of its kind: `token` says whose and which.
    #[must_use]
    pub fn stopped_by(mut self, reader: Reader<'_>, token: &str) -> Self {
        let Reader { origin, language, .. } = reader;
        let (says, link) = (
            match language {
                En => "You asked for mails of this kind. To stop them",
                Sw => "Uliomba barua pepe za aina hii. Kuzisimamisha",
            },
            format!("{origin}/unsubscribe/{token}"),
        );
        self.text.push_str(&format!("\n{says}:\n{link}\n"));
        let paragraph = format!(
            "<p style=\"font-size: 13px\">{says}: <a href=\"{link}\">{link}</a></p>\n</body>",
            link = escaped(&link)
        );
        self.html = self.html.replace("</body>", &paragraph);
        self.one_click = Some(format!("{origin}/api/unsubscribe/{token}"));
        self
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0, None, None)]
    #[case(
        60,
        Some("KSh 60 of it has gone towards what you owed, KSh 30 is in your wallet."),
        Some("KSh 60 kati yake imelipa deni lako, KSh 30 iko kwenye pochi yako.")
    )]
    #[case(90, Some("It has gone towards what you owed."), Some("Zote zimelipa deni lako."))]
    fn what_paid_a_debt_is_not_in_the_wallet(
        #[case] towards_debt: i64,
        #[case] english: Option<&str>,
        #[case] swahili: Option<&str>,
    ) {
        let told = |language| debt_in_words(Kes::new(90), Kes::new(towards_debt), language);
        assert_eq!((told(En).as_deref(), told(Sw).as_deref()), (english, swahili));
    }
}
