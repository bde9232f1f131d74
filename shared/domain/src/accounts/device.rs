//! What kind of device a log-in came from, as far as its browser says so: two words, and nothing that would tell one
//! phone from another of its kind.

use serde::{Deserialize, Serialize};

/// A system and a browser, as a player names them: `Android`, `Chrome`. Empty where nothing is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    pub system: String,
    pub browser: String,
}

/// What a user agent has in it, the more telling first: Edge and Opera name Chrome too, and Chrome names Safari.
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("KAIOS", "KaiOS"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
];
const BROWSERS: [(&str, &str); 9] = [
    ("Opera Mini", "Opera Mini"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("UCBrowser/", "UC Browser"),
    ("Edg", "Edge"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

impl Device {
    /// By the header `User-Agent`. What is not known of it is left empty, and nothing of it is kept as it came.
    #[must_use]
    pub fn of(user_agent: &str) -> Self {
        let first = |words: &[(&str, &str)]| {
            let found = words.iter().find(|(part, _)| user_agent.contains(part));
            found.map_or_else(String::new, |(_, word)| (*word).to_owned())
        };
        Self { system: first(&SYSTEMS), browser: first(&BROWSERS) }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0.4280.141 Mobile Safari/537.36",
        "Android",
        "Chrome"
    )]
    #[case(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 14_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/14.0 Mobile/15E148 Safari/604.1",
        "iPhone",
        "Safari"
    )]
    #[case(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36 Edg/120.0",
        "Windows",
        "Edge"
    )]
    #[case(
        "Opera/9.80 (Android; Opera Mini/36.2/119.132; U; en) Presto/2.12.423 Version/12.16",
        "Android",
        "Opera Mini"
    )]
    #[case("curl/8.0", "", "")]
    #[case("", "", "")]
    fn a_browser_is_named_as_its_player_would(
        #[case] agent: &str,
        #[case] system: &str,
        #[case] browser: &str,
    ) {
        assert_eq!(Device::of(agent), Device { system: system.into(), browser: browser.into() });
    }
}
