//! Mails about a player's team.

use domain::{
    FplId,
    accounts::notifications::Language::{En, Sw},
};
use store::admin::audit::AuditRecord;

use super::{Button, MailText, Reader};
use crate::platform::reasons;

/// Somebody else has proved a team that this player had linked.
pub fn lost(reader: Reader<'_>, team: FplId) -> MailText {
    let link = format!("{}/payment", reader.origin);
    match reader.language {
        En => reader.lay_out(
            &format!("Team {team} is another player's"),
            &[
                format!(
                    "Another player has shown that team {team} is theirs: a code of ours was in its name in the official game. It is not linked to your account any more."
                ),
                "Entries that you made with it stay as they are. If you mistyped your own number, link your team now. If the team is yours, please contact us.".to_owned(),
            ],
            &Button { label: "Link your team", link },
        ),
        Sw => reader.lay_out(
            &format!("Timu {team} ni ya mchezaji mwingine"),
            &[
                format!(
                    "Mchezaji mwingine ameonyesha kwamba timu {team} ni yake: code yetu ilikuwa kwenye jina la timu hiyo katika FPL rasmi. Timu hii haijaunganishwa tena na akaunti yako."
                ),
                "Ligi ulizoingia nayo zinabaki kama zilivyo. Kama ulikosea nambari yako, unganisha timu yako sasa. Kama timu ni yako, tafadhali wasiliana nasi.".to_owned(),
            ],
            &Button { label: "Unganisha timu yako", link },
        ),
    }
}

/// An admin has given an account another team: `act` says which.
pub fn changed(reader: Reader<'_>, act: &AuditRecord) -> MailText {
    let language = reader.language;
    let or_none = |team: &Option<String>| match (team, language) {
        (Some(team), _) => team.clone(),
        (None, En) => "no team".to_owned(),
        (None, Sw) => "hakuna timu".to_owned(),
    };
    let (before, now) = (or_none(&act.before), or_none(&act.after));
    let why = reasons::or_none(act.reason.as_deref(), language);
    match language {
        En => reader.lay_out(
            "Your FPL team has been changed",
            &[
                format!("We have changed the team that your account plays with. Before: {before}. Now: {now}."),
                format!("Reason: {why}"),
                "An entry into a gameweek that is still open goes with the new team. If you did not ask for this, please contact us."
                    .to_owned(),
            ],
            &reader.wallet(),
        ),
        Sw => reader.lay_out(
            "Timu yako ya FPL imebadilishwa",
            &[
                format!("Tumebadilisha timu ambayo akaunti yako inacheza nayo. Awali: {before}. Sasa: {now}."),
                format!("Sababu: {why}"),
                "Kama umeingia gameweek ambayo bado iko wazi, utacheza na timu mpya. Kama hukuomba hili, tafadhali wasiliana nasi."
                    .to_owned(),
            ],
            &reader.wallet(),
        ),
    }
}
