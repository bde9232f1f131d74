//! Mails about cases. They repeat nothing of what was written: whoever reads a mail over somebody's shoulder learns only
//! that there is an answer.

use domain::accounts::{
    cases::CaseId,
    notifications::Language::{En, Sw},
};

use super::{Button, MailText, Reader};

/// An admin has answered.
pub fn answered(reader: Reader<'_>, case: &CaseId) -> MailText {
    let link = link(reader, case);
    match reader.language {
        En => reader.lay_out(
            "We have answered you",
            &["You told us that something is wrong. Our answer is on the page of your case.".to_owned()],
            &Button { label: "Read the answer", link },
        ),
        Sw => reader.lay_out(
            "Tumekujibu",
            &["Ulituambia kwamba kuna tatizo. Jibu letu liko kwenye ukurasa wa tatizo lako.".to_owned()],
            &Button { label: "Soma jibu", link },
        ),
    }
}

/// An admin has closed it.
pub fn closed(reader: Reader<'_>, case: &CaseId) -> MailText {
    let link = link(reader, case);
    match reader.language {
        En => reader.lay_out(
            "We have closed your case",
            &[
                "You told us that something is wrong, and we have closed the case. The reason is on its page.".to_owned(),
                "If you do not agree, write there within 14 days: that opens it again.".to_owned(),
            ],
            &Button { label: "Read the reason", link },
        ),
        Sw => reader.lay_out(
            "Tumefunga tatizo uliloripoti",
            &[
                "Ulituambia kwamba kuna tatizo, na sasa tumelifunga. Sababu iko kwenye ukurasa wake.".to_owned(),
                "Kama hukubaliani, andika hapo ndani ya siku 14: litafunguliwa tena.".to_owned(),
            ],
            &Button { label: "Soma sababu", link },
        ),
    }
}

fn link(reader: Reader<'_>, case: &CaseId) -> String {
    format!("{}/cases/{case}", reader.origin)
}
