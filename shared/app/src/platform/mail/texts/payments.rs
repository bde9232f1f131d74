//! Mails about payments, typed codes and numbers.

use domain::{
    MpesaPhone,
    accounts::notifications::Language::{En, Sw},
};
use store::payments::typed_codes::TypedCode;

use super::{MailText, Reader};
use crate::platform::reasons;

pub fn code_rejected(reader: Reader<'_>, typed_code: &TypedCode) -> MailText {
    let code = &typed_code.code;
    let reason = reasons::or_none(typed_code.reason.as_deref(), reader.language);
    match reader.language {
        En => reader.lay_out(
            "Your M-Pesa code was not accepted",
            &[
                format!("We have not added a payment with the M-Pesa code {code} to your wallet."),
                format!("Reason: {reason}"),
                "If you have paid, compare the code with M-Pesa's message and type it again, or write to us."
                    .to_owned(),
            ],
            &reader.wallet(),
        ),
        Sw => reader.lay_out(
            "Code yako ya M-Pesa haikukubaliwa",
            &[
                format!("Hatujaongeza malipo yenye code ya M-Pesa {code} kwenye pochi yako."),
                format!("Sababu: {reason}"),
                "Kama ulilipa, linganisha code na ujumbe wa M-Pesa kisha uiandike tena, au utuandikie."
                    .to_owned(),
            ],
            &reader.wallet(),
        ),
    }
}

pub fn own_number(reader: Reader<'_>, phone: &MpesaPhone) -> MailText {
    let phone = phone.masked();
    match reader.language {
        En => reader.lay_out(
            &format!("{phone} is your number now"),
            &[
                format!(
                    "An M-Pesa request that you sent to {phone} was paid. From now on this number is yours: nobody else \
                     can send payment requests to it. A day from now you can also be paid at it without waiting."
                ),
                "If you did not do this, set a new password at once, and write to us: somebody else may be in your account."
                    .to_owned(),
            ],
            &reader.wallet(),
        ),
        Sw => reader.lay_out(
            &format!("{phone} ni nambari yako sasa"),
            &[
                format!(
                    "Ombi la M-Pesa ulilotuma kwa {phone} limelipwa. Kuanzia sasa nambari hii ni yako: hakuna mtu \
                     mwingine anayeweza kutuma maombi ya malipo kwake. Baada ya siku moja unaweza pia kulipwa kwa nambari hii bila kusubiri."
                ),
                "Kama si wewe uliyefanya hivi, weka nenosiri jipya mara moja, na utuandikie: huenda mtu mwingine ameingia kwenye akaunti yako."
                    .to_owned(),
            ],
            &reader.wallet(),
        ),
    }
}
