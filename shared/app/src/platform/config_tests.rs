use rstest::rstest;

use super::*;

#[test]
fn what_is_missing_is_named() {
    let error = Config::from_vars(|_| None).unwrap_err();
    assert_eq!(error.to_string(), "AWS_REGION: is not set");
}

#[test]
fn what_does_not_parse_is_shown() {
    let all = |name: &str| {
        Some(match name {
            "ACCESS_TOKEN_PUBLIC_KEYS" => String::new(),
            "FPL_REQUESTS_PER_SECOND" => "fast".to_owned(),
            _ => "1".to_owned(),
        })
    };
    let error = Config::from_vars(all).unwrap_err();
    assert_eq!(error.to_string(), "FPL_REQUESTS_PER_SECOND: 'fast' is not a u32");
}

#[test]
fn keys_are_as_many_as_are_set() {
    let of = |value: &'static str| {
        Vars(&move |_| Some(value.to_owned())).optional("ACCESS_TOKEN_PUBLIC_KEYS", keys)
    };
    let key = hex::encode([0x0a; 32]);
    assert!(of("").unwrap().is_empty());
    assert_eq!(of(format!("{key},{key}").leak()).unwrap(), [[0x0a; 32]; 2]);
    assert!(of("0a").unwrap_err().to_string().starts_with("ACCESS_TOKEN_PUBLIC_KEYS: is not values"));
}

#[rstest]
#[case::three("https://a, https://b,https://c", true)]
#[case::two("https://a,https://b", false)]
#[case::one_of_them_twice("https://a,https://b,https://a", false)]
#[case::an_empty_one("https://a,https://b,https://c,", false)]
fn there_are_three_relays_or_more(#[case] text: &str, #[case] sound: bool) {
    assert_eq!(relays(text).is_ok(), sound);
}

#[test]
fn a_chain_is_known_by_name_or_described() {
    assert_eq!(chain("quicknet"), Ok(Chain::quicknet()));
    assert!(chain("{}").is_err());
}
