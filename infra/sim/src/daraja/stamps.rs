//! Daraja's ways of writing things: East African timestamps, phone numbers, the ids it gives out,
//! and receipts.

use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::{Timestamp, civil, tz::Offset};
use sha2::{Digest, Sha256};

use crate::DarajaSecrets;

/// East Africa Time: UTC+3, no daylight saving.
const EAT: Offset = Offset::constant(3);

/// `YYYYMMDDHHmmss` in East Africa Time.
pub(super) fn eat(at: Timestamp) -> String {
    EAT.to_datetime(at).strftime("%Y%m%d%H%M%S").to_string()
}

/// `06.07.2024 22:48:52` in East Africa Time.
pub(super) fn result_time(at: Timestamp) -> String {
    EAT.to_datetime(at).strftime("%d.%m.%Y %H:%M:%S").to_string()
}

/// The instant that `YYYYMMDDHHmmss` in East Africa Time means, if it means one.
pub(super) fn parse_eat(text: &str) -> Option<Timestamp> {
    if text.len() != 14 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |from: usize, to: usize| text[from..to].parse::<i8>().ok();
    let date = civil::Date::new(text[..4].parse().ok()?, part(4, 6)?, part(6, 8)?).ok()?;
    let time = civil::Time::new(part(8, 10)?, part(10, 12)?, part(12, 14)?, 0).ok()?;
    EAT.to_timestamp(date.to_datetime(time)).ok()
}

/// base64(shortcode + passkey + timestamp).
pub(super) fn password(secrets: &DarajaSecrets, timestamp: &str) -> String {
    STANDARD.encode(format!("{}{}{timestamp}", secrets.shortcode, secrets.passkey))
}

/// A subscriber's number as Daraja writes it, `2547…` or `2541…` with eight more digits.
pub(super) fn is_msisdn(text: &str) -> bool {
    text.len() == 12
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text.starts_with("2547") || text.starts_with("2541"))
}

/// A number as people write it (`07…`, `01…`, `2547…`, `+254 7…`), as Daraja writes it.
pub(crate) fn parse_phone(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '+' | '-')).collect();
    let msisdn = match digits.strip_prefix('0') {
        Some(rest) => format!("254{rest}"),
        None => digits,
    };
    is_msisdn(&msisdn).then_some(msisdn)
}

/// A subscriber's number as people write it: `07…`.
pub(super) fn local_phone(msisdn: &str) -> String {
    format!("0{}", msisdn.strip_prefix("254").unwrap_or(msisdn))
}

/// `ws_CO_` + DDMMYYYYHHmmss + milliseconds + the phone's nine digits.
pub(super) fn checkout_id(at: Timestamp, msisdn: &str) -> String {
    let time = EAT.to_datetime(at);
    let millis = time.subsec_nanosecond() / 1_000_000;
    format!("ws_CO_{}{millis:03}{}", time.strftime("%d%m%Y%H%M%S"), &msisdn[3..])
}

/// A receipt: letters for year, month and day, then seven that `attempt` makes differ.
pub(super) fn receipt(at: Timestamp, seq: i64, attempt: u32) -> String {
    const LETTERS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let date = EAT.to_datetime(at).date();
    // 2019 is N and 2024 is S in Safaricom's samples; days go on with letters after 9.
    let year = LETTERS[10 + usize::try_from((date.year() - 2006).rem_euclid(26)).unwrap_or(0)];
    let month = LETTERS[9 + usize::try_from(date.month()).unwrap_or(1)];
    let day = LETTERS[usize::try_from(date.day()).unwrap_or(1)];
    let hash = Sha256::digest(format!("{}/{seq}/{attempt}", at.as_millisecond()));
    let rest = hash.iter().take(7).map(|byte| LETTERS[usize::from(*byte) % LETTERS.len()]);
    [year, month, day].into_iter().chain(rest).map(char::from).collect()
}

/// `AG_` + YYYYMMDD + an id of twenty hex digits.
pub(super) fn conversation_id(at: Timestamp) -> String {
    let id = uuid::Uuid::new_v4().simple().to_string();
    format!("AG_{}_{}", EAT.to_datetime(at).strftime("%Y%m%d"), &id[..20])
}

/// A number as a confirmation shows it: `2547 ***** 126`.
pub(super) fn masked_phone(msisdn: &str) -> String {
    format!("{} ***** {}", &msisdn[..4], &msisdn[9..])
}

/// Whom M-Pesa has registered under a number: the same name each time.
pub(super) fn registered_name(msisdn: &str) -> [&'static str; 3] {
    const FIRST: [&str; 8] = ["JANE", "BRIAN", "FAITH", "KEVIN", "MERCY", "DENNIS", "AISHA", "COLLINS"];
    const MIDDLE: [&str; 8] =
        ["WANJIKU", "OTIENO", "ACHIENG", "KIPROTICH", "MUTHONI", "BARASA", "HASSAN", "MUTUA"];
    const LAST: [&str; 8] =
        ["MWANGI", "ODHIAMBO", "KIMANI", "CHERUIYOT", "NJOROGE", "WEKESA", "ABDI", "MUSYOKA"];
    let hash = Sha256::digest(msisdn);
    let one = |of: [&'static str; 8], byte: u8| of[usize::from(byte) % of.len()];
    [one(FIRST, hash[0]), one(MIDDLE, hash[1]), one(LAST, hash[2])]
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn times_are_east_african() {
        let at: Timestamp = "2026-08-20T21:30:05Z".parse().unwrap();
        assert_eq!(eat(at), "20260821003005");
        assert_eq!(parse_eat("20260821003005"), Some(at));
        for bad in ["2026082100300", "20260821003060", "20261301000000", "2026-08-21 0030", ""] {
            assert_eq!(parse_eat(bad), None, "{bad}");
        }
    }

    #[rstest]
    #[case("0712345678", Some("254712345678"))]
    #[case("0112 345 678", Some("254112345678"))]
    #[case("+254712345678", Some("254712345678"))]
    #[case("254212345678", None)]
    #[case("071234567", None)]
    #[case("", None)]
    #[case("2547123456é", None)]
    fn phones(#[case] text: &str, #[case] msisdn: Option<&str>) {
        assert_eq!(parse_phone(text).as_deref(), msisdn);
    }

    #[test]
    fn receipts_have_the_documented_form_and_the_date() {
        let at = "2024-07-06T19:48:52Z".parse().unwrap();
        assert!(receipt(at, 1, 0).starts_with("SG6"));
        let at = "2019-12-19T07:21:15Z".parse().unwrap();
        let one = receipt(at, 7, 0);
        assert!(one.starts_with("NLJ") && one.len() == 10, "{one}");
        assert!(one.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()));
        assert_ne!(one, receipt(at, 8, 0));
        assert_ne!(one, receipt(at, 7, 1));
    }

    #[test]
    fn a_checkout_id_carries_the_date_and_the_phone() {
        let at = "2026-08-20T09:00:00.017Z".parse().unwrap();
        assert_eq!(checkout_id(at, "254712345678"), "ws_CO_20082026120000017712345678");
    }
}
