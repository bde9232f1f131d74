//! Mails about what admins and the operator did.

use domain::accounts::notifications::Language;
use store::admin::audit::{AuditAction, AuditRecord, Who};

use super::{Button, MailText, Reader};

/// What an admin or the operator did: to the admins, or to whose log-in it is. In English, as the panel is.
pub fn act(reader: Reader<'_>, act: &AuditRecord) -> MailText {
    let reader = Reader { language: Language::En, ..reader };
    let by = act.who.person().map_or_else(|| "The operator".to_owned(), |(_, name)| name.to_string());
    let subject = match act.what {
        AuditAction::ConfirmTotp => "Your log-in asks for a code now".to_owned(),
        AuditAction::RemoveTotp if act.who.person().is_some() => {
            "Your log-in asks for no code any more".to_owned()
        }
        AuditAction::RenewRecoveryCodes => "You have new recovery codes".to_owned(),
        AuditAction::RemoveTotp => "An admin's second factor was taken away".to_owned(),
        AuditAction::GrantAdmin => "There is a new admin".to_owned(),
        AuditAction::RevokeAdmin => "An admin is none any more".to_owned(),
        other => format!("An admin's act: {}", other.into_str()),
    };
    let mut says = vec![format!("{by}: {} on {}.", act.what.into_str(), act.on)];
    let was = act.before.as_ref().map(|before| format!("Before: {before}."));
    says.extend(was);
    says.extend(act.after.as_ref().map(|after| format!("Now: {after}.")));
    says.extend(act.reason.as_ref().map(|reason| format!("Reason: {reason}")));
    let approved = act.approved_by.as_ref().and_then(Who::person);
    says.extend(approved.map(|(_, name)| format!("Approved by {name}.")));
    says.push("If nobody should have done this, pause the payouts and look into it.".to_owned());
    let button = Button { label: "Open the panel", link: format!("{}/panel", reader.origin) };
    reader.lay_out(&subject, &says, &button)
}
