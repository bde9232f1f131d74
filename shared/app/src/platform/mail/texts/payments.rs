//! Mails about payments and numbers.

use domain::{MpesaPhone, Username};

use super::{Button, MailText, hello, lay_out};

pub fn own_number(origin: &str, name: &Username, phone: &MpesaPhone) -> MailText {
    let phone = phone.masked();
    lay_out(
        &format!("{phone} is your number now"),
        &hello(name),
        &[
            format!(
                "An M-Pesa request that you sent to {phone} was paid. From now on this number is yours: nobody else \
                 can send payment requests to it. A day from now you can also be paid at it without waiting."
            ),
            "If you did not do this, set a new password at once, and write to us: somebody else may be in your account."
                .to_owned(),
        ],
        &Button::wallet(origin),
    )
}
