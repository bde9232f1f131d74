//! The alarms that the functions' logs ring. `template.yaml` is written from them.

/// An alarm that lines of a log ring, those with the field `alarm`.
pub struct Alarm {
    /// Its metric's.
    pub name: &'static str,
    /// What has happened, and where more is said.
    pub description: &'static str,
    /// Each function whose log is watched, and the field's value that counts; `*` for any.
    pub rung_by: &'static [(&'static str, &'static str)],
    /// Seconds that it rings for at the least.
    pub period: u32,
}

pub const ALARMS: &[Alarm] = &[
    Alarm {
        name: "NotSetUp",
        description: "A secret, a setting or a grant is missing (docs/runbook.md, \"Something is not set up\"; the \
                      function's log says which).",
        // Between them they read every secret; some of them run by themselves.
        rung_by: &[
            ("ask-for-balance", "setup"),
            ("get-notifications", "setup"),
            ("get-user", "setup"),
            ("log-in", "setup"),
            ("pay-withdrawal", "setup"),
            ("refresh", "setup"),
            ("send-mail", "setup"),
            ("send-push", "setup"),
            ("start-deposit", "setup"),
            ("sync-gameweek", "setup"),
        ],
        period: 60,
    },
    Alarm {
        name: "TeamTaken",
        description: "A team was claimed by somebody who does not manage it, and its owner has proved it \
                      (the logs of check-team-proof and send-mail say whose).",
        // Whoever died over a proof is made up for by the mail about it.
        rung_by: &[("check-team-proof", "team"), ("send-mail", "team")],
        period: 60,
    },
    Alarm {
        name: "ResultsInDoubt",
        description: "A payout does not add up, what M-Pesa posts cannot be read, or it does not answer about \
                      receipts, or the float is low (the log of take-result, or of check-receipts, says which).",
        rung_by: &[("take-result", "*"), ("check-receipts", "*")],
        period: 60,
    },
    Alarm {
        name: "FloatLow",
        description: "The account that withdrawals are paid from holds less than FloatLow (the log of take-result says \
                      how much): bring money in, or withdrawals will fail.",
        rung_by: &[("take-result", "float-low")],
        period: 60,
    },
    Alarm {
        name: "PaymentsInDoubt",
        description: "A payment is set aside, or was credited with a receipt or an amount that is not M-Pesa's \
                      (the panel and the log of settle-payment say which).",
        rung_by: &[("settle-payment", "*")],
        period: 60,
    },
    Alarm {
        name: "CalendarInDoubt",
        description: "The calendar is not what the official game says, a gameweek waits to be paid, or a draw is in doubt \
                      (docs/runbook.md, \"The calendar\" and \"The draw\"; the log of sync-gameweek says which).",
        rung_by: &[("sync-gameweek", "*")],
        // What it tells is logged at each reading, every five minutes: longer than that, or it would come and go.
        period: 900,
    },
    Alarm {
        name: "DrawInDoubt",
        description: "A draw went on without the beacon, its list was changed after it was fixed, its secret is not \
                      the published one, or the beacon is set to another chain (the log of close-gameweek says which).",
        // What sync-gameweek logs of a draw rings the calendar's alarm.
        rung_by: &[("close-gameweek", "*")],
        period: 60,
    },
    Alarm {
        name: "BooksOff",
        description: "The books are off, or the float is not what they say (docs/runbook.md, \"The books\"; the \
                      panel and the log of read-books say how).",
        rung_by: &[("read-books", "*")],
        period: 60,
    },
    Alarm {
        name: "BooksNotRead",
        description: "The books were not read to their end the night before (the log of read-books says why).",
        rung_by: &[("reconcile", "*")],
        period: 60,
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use app::platform::secrets::{generate, names::DARAJA_CERTIFICATE};

    use super::*;
    use crate::platform::deployment::Resource;

    #[test]
    fn whichever_secret_is_missing_the_alarm_rings() {
        let alarm = ALARMS.iter().find(|alarm| alarm.name == "NotSetUp").unwrap();
        let heard = |name: &str| alarm.rung_by.iter().any(|(function, _)| *function == name);
        let endpoints = crate::endpoints().into_iter().map(|line| (line.name, line.deployment));
        let jobs = crate::jobs().into_iter().map(|line| (line.name.to_owned(), line.deployment));
        let grants = endpoints.chain(jobs).filter(|(name, _)| heard(name)).flat_map(|(_, line)| line.grants);
        let secret = |(_, resource)| match resource {
            Resource::Secret(name) => Some(name.to_owned()),
            _ => None,
        };
        let read: BTreeSet<String> = grants.flat_map(|grant| grant.actions()).filter_map(secret).collect();
        let made = generate().into_iter().map(|(name, _)| name);
        assert_eq!(read, made.chain([DARAJA_CERTIFICATE.to_owned()]).collect::<BTreeSet<String>>());
    }
}
