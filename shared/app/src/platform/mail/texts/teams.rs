//! Mails about a player's team.

use domain::{FplId, Username};
use store::admin::audit::AuditRecord;

use super::{Button, MailText, hello, lay_out};

/// Somebody else has proved a team that this player had linked.
pub fn lost(origin: &str, name: &Username, team: FplId) -> MailText {
    lay_out(
        &format!("Team {team} is another player's"),
        &hello(name),
        &[
            format!(
                "Another player has shown that team {team} is theirs: a code of ours was in its name in the official game. It is not linked to your account any more."
            ),
            "Entries that you made with it stay as they are. If you mistyped your own number, link your team now. If the team is yours, please contact us.".to_owned(),
        ],
        &Button { label: "Link your team", link: format!("{origin}/payment") },
    )
}

/// An admin has given an account another team: `act` says which.
pub fn changed(origin: &str, name: &Username, act: &AuditRecord) -> MailText {
    let (before, now) =
        (act.before.as_deref().unwrap_or("no team"), act.after.as_deref().unwrap_or("no team"));
    let why = act.reason.as_deref().unwrap_or("No reason was given.");
    lay_out(
        "Your FPL team has been changed",
        &hello(name),
        &[
            format!("We have changed the team that your account plays with. Before: {before}. Now: {now}."),
            format!("Reason: {why}"),
            "An entry into a gameweek that is still open goes with the new team. If you did not ask for this, please contact us."
                .to_owned(),
        ],
        &Button::wallet(origin),
    )
}
