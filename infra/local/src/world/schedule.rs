//! EventBridge's schedule expressions: `rate(5 minutes)` and `cron(m h dom mon dow year)`, in UTC.
//!
//! Invariant: an expression that AWS would refuse is refused here, at start or at `PutRule`; so is what AWS would
//! take and no rule of the product has (ranges, steps, names, last days).
//! Rules: docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use croner::{
    Cron,
    parser::{CronParser, Seconds, Year},
};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

#[derive(Debug, Clone)]
pub enum Schedule {
    /// Every so often.
    Rate(SignedDuration),
    /// At the instants that a cron expression names; one that names a single instant fires once.
    Cron(Arc<Cron>),
}

impl Schedule {
    /// # Errors
    /// What AWS would answer: which part is not understood.
    pub fn parse(expression: &str) -> Result<Self, String> {
        // The rules are read at each stop of a clock that jumps, and their expressions are few.
        static PARSED: LazyLock<Mutex<HashMap<String, Schedule>>> = LazyLock::new(Mutex::default);
        let parsed = || PARSED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(schedule) = parsed().get(expression) {
            return Ok(schedule.clone());
        }
        let schedule = Self::parse_anew(expression)?;
        parsed().insert(expression.to_owned(), schedule.clone());
        Ok(schedule)
    }

    fn parse_anew(expression: &str) -> Result<Self, String> {
        let inside = |name: &str| expression.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')');
        let parsed = match (inside("rate"), inside("cron")) {
            (Some(rate), _) => parse_rate(rate).map(Self::Rate),
            (_, Some(cron)) => parse_cron(cron).map(|cron| Self::Cron(Arc::new(cron))),
            _ => Err("it is neither rate(…) nor cron(…)".to_owned()),
        };
        parsed.map_err(|what| format!("\"{expression}\" is no schedule expression: {what}"))
    }

    /// The first instant after `after` at which a rule fires that has last fired at `after`, or
    /// none any more.
    pub fn next_after(&self, after: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Rate(every) => after.checked_add(*every).ok(),
            Self::Cron(cron) => {
                let after = after.to_zoned(TimeZone::UTC);
                // The only error is that nothing is left before the year 5000.
                cron.find_next_occurrence(&after, false).ok().map(|next| next.timestamp())
            }
        }
    }

    pub fn is_rate(&self) -> bool {
        matches!(self, Self::Rate(_))
    }
}

fn parse_rate(text: &str) -> Result<SignedDuration, String> {
    let (number, unit) = text.trim().split_once(' ').ok_or("a rate is a number and a unit")?;
    let number: i64 = number.parse().map_err(|_| format!("{number} is not a whole number"))?;
    let hours = match (unit.trim(), number) {
        (_, ..=0) => return Err("a rate is at least 1".to_owned()),
        (_, 1_000_000..) => return Err("the rate is too large".to_owned()),
        ("minute", 1) | ("minutes", 2..) => return Ok(SignedDuration::from_mins(number)),
        ("hour", 1) | ("hours", 2..) => number,
        ("day", 1) | ("days", 2..) => number * 24,
        (unit, number) => {
            return Err(format!(
                "\"{unit}\" is not the unit for {number} (minute, hour or day, plural from 2)"
            ));
        }
    };
    Ok(SignedDuration::from_hours(hours))
}

/// The six fields with the least and greatest number of each. In each stand numbers, separated by commas, or `*`; in one of the two days `?`.
const FIELDS: [(&str, u16, u16); 6] = [
    ("minutes", 0, 59),
    ("hours", 0, 23),
    ("day of month", 1, 31),
    ("month", 1, 12),
    ("day of week", 1, 7),
    ("year", 1970, 2199),
];

fn parse_cron(text: &str) -> Result<Cron, String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [_, _, day_of_month, _, day_of_week, _] = fields[..] else {
        return Err(format!("a cron expression has 6 fields, not {}", fields.len()));
    };
    if (day_of_month == "?") == (day_of_week == "?") {
        return Err("exactly one of day of month and day of week is ?".to_owned());
    }
    let mut pattern = "0".to_owned();
    for (field, (name, least, greatest)) in fields.into_iter().zip(FIELDS) {
        // `parse` alone would take "+5".
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let number = |text: &str| text.parse().is_ok_and(|n: u16| (least..=greatest).contains(&n));
        let numbers = || field.split(',').all(|text| digits(text) && number(text));
        pattern.push(' ');
        pattern.push_str(match field {
            "*" => "*",
            "?" if name.starts_with("day") => "*",
            _ if numbers() => field,
            _ => return Err(format!("{name} cannot be \"{field}\" on one machine")),
        });
    }
    CronParser::builder()
        .seconds(Seconds::Required)
        .year(Year::Required)
        .alternative_weekdays(true)
        .build()
        .parse(&pattern)
        .map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn fires(expression: &str, after: &str) -> Option<String> {
        Schedule::parse(expression).unwrap().next_after(at(after)).map(|t| t.to_string())
    }

    #[test]
    fn rates_count_from_the_last_time() {
        let after = "2026-08-20T09:00:30Z";
        assert_eq!(fires("rate(1 minute)", after).unwrap(), "2026-08-20T09:01:30Z");
        assert_eq!(fires("rate(15 minutes)", after).unwrap(), "2026-08-20T09:15:30Z");
        assert_eq!(fires("rate(2 hours)", after).unwrap(), "2026-08-20T11:00:30Z");
        assert_eq!(fires("rate(1 day)", after).unwrap(), "2026-08-21T09:00:30Z");
    }

    #[test]
    fn cron_fires_at_the_named_instants() {
        for (expression, after, next) in [
            ("cron(* * * * ? *)", "2026-08-20T09:00:59Z", "2026-08-20T09:01:00Z"),
            ("cron(0 3 ? * 1 *)", "2026-08-20T09:00:00Z", "2026-08-23T03:00:00Z"),
            ("cron(10 21 * * ? *)", "2026-08-20T21:10:00Z", "2026-08-21T21:10:00Z"),
            ("cron(12,26 10,11 21 8 ? 2027)", "2027-08-21T10:26:00Z", "2027-08-21T11:12:00Z"),
            ("cron(5 4 1 3 ? 2027)", "2027-01-01T04:05:00Z", "2027-03-01T04:05:00Z"),
        ] {
            assert_eq!(fires(expression, after).as_deref(), Some(next), "{expression}");
        }
    }

    #[test]
    fn an_expression_that_names_one_instant_fires_once() {
        let once = "cron(32 10 22 8 ? 2026)";
        assert_eq!(fires(once, "2026-08-20T09:00:00Z").unwrap(), "2026-08-22T10:32:00Z");
        assert_eq!(fires(once, "2026-08-22T10:32:00Z"), None);
    }

    #[test]
    fn what_aws_refuses_and_what_nothing_uses_is_refused() {
        for bad in [
            "every minute",
            "rate(5)",
            "rate(0 minutes)",
            "rate(1 minutes)",
            "rate(5 minute)",
            "rate(5 seconds)",
            "cron(* * * * *)",
            "cron(* * * * * *)",
            "cron(* * ? * ? *)",
            "cron(60 * * * ? *)",
            "cron(* 24 * * ? *)",
            "cron(* * 0 * ? *)",
            "cron(* * * 13 ? *)",
            "cron(* * ? * 8 *)",
            "cron(* * * * ? 1969)",
            "cron(+5 * * * ? *)",
            "cron(5- * * * ? *)",
            // These AWS would take, and nothing here uses.
            "cron(0/15 * * * ? *)",
            "cron(0 10 ? * MON-FRI *)",
            "cron(0 3 L * ? *)",
            "cron(0 3 ? * 2#1 *)",
            "cron(*/0 * * * ? *)",
            "cron(a * * * ? *)",
            "at(2026-08-22T10:32:00)",
        ] {
            assert!(Schedule::parse(bad).is_err(), "{bad}");
        }
    }
}
