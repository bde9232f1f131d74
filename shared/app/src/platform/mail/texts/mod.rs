//! What the mails say: one function each, in plain text and in HTML over one plain layout.
//! Everything that comes from a person is escaped. A name stands only in mails that money or an admin made.

pub mod accounts;
pub mod admin;
pub mod ledger;
pub mod payments;
pub mod teams;
pub mod withdrawals;

use domain::Username;

/// What a mail says, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailText {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// Something to press.
struct Button {
    label: &'static str,
    link: String,
}

impl Button {
    fn wallet(origin: &str) -> Self {
        Self { label: "Open your wallet", link: format!("{origin}/payment") }
    }
}

fn hello(name: &Username) -> String {
    format!("Hello {name},")
}

fn lay_out(subject: &str, greeting: &str, paragraphs: &[String], button: &Button) -> MailText {
    let Button { label, link } = button;
    let text = format!("{greeting}\n\n{}\n\n{label}:\n{link}\n\nFPL Leagues\n", paragraphs.join("\n\n"));
    let body: String =
        paragraphs.iter().map(|paragraph| format!("<p>{}</p>\n", escaped(paragraph))).collect();
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body style=\"font-family: sans-serif; font-size: 16px; line-height: 1.5; color: #1b1b1b; max-width: 32em; \
         margin: 0 auto; padding: 16px\">\n<p>{greeting}</p>\n{body}<p><a href=\"{link}\" style=\"display: \
         inline-block; padding: 10px 18px; border-radius: 6px; background: #37003c; color: #ffffff; \
         text-decoration: none\">{label}</a></p>\n<p>Or open this address: {link}</p>\n<p>FPL Leagues</p>\n\
         </body>\n</html>\n",
        title = escaped(subject),
        greeting = escaped(greeting),
        link = escaped(link),
        label = escaped(label),
    );
    MailText { subject: subject.to_owned(), text, html }
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
