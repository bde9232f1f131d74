//! What a player has set: which notifications come by push and by mail, and in which language; and the link that stops the
//! mails of a kind without a log-in. Nothing is pushed before it is asked for; what is about money or security is mailed
//! whatever is set.

use domain::{
    UserId,
    accounts::notifications::{Kind, Language},
};
use store::accounts::notifications::Notifications;
use subtle::ConstantTimeEq;

use crate::{
    App, AppError,
    platform::{
        flow::{Flow, Refusal},
        secrets::{hmac, names},
    },
};

/// Why nothing is changed; the text is what the page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotificationError {
    #[error("There is no such language: it is en or sw.")]
    Language,
    #[error("There is no notification of this kind.")]
    Kind,
    #[error("Mails about money and security are always sent.")]
    AlwaysMailed,
    #[error("Invalid or expired link.")]
    Link,
}

impl Refusal for NotificationError {}

/// What is to be set: what is not named stays as it is.
#[derive(Debug, Clone, Default)]
pub struct Change {
    pub language: Option<Language>,
    pub push: Vec<(Kind, bool)>,
    pub mail: Vec<(Kind, bool)>,
}

/// A language by its name in a request, where one is named.
pub fn read_language(named: Option<&str>) -> Result<Option<Language>, NotificationError> {
    named.map(str::parse).transpose().map_err(|_| NotificationError::Language)
}

impl Change {
    /// In the words of a request: kinds by their names, each on or off.
    pub fn read<'a>(
        language: Option<&str>,
        push: impl IntoIterator<Item = (&'a str, bool)>,
        mail: impl IntoIterator<Item = (&'a str, bool)>,
    ) -> Result<Self, NotificationError> {
        let kind = |(name, on): (&str, bool)| {
            name.parse().map(|kind: Kind| (kind, on)).map_err(|_| NotificationError::Kind)
        };
        let language = read_language(language)?;
        let push = push.into_iter().map(kind).collect::<Result<_, _>>()?;
        let mail: Vec<(Kind, bool)> = mail.into_iter().map(kind).collect::<Result<_, _>>()?;
        if mail.iter().any(|(kind, _)| !kind.is_mailed_if_asked()) {
            return Err(NotificationError::AlwaysMailed);
        }
        Ok(Self { language, push, mail })
    }

    fn apply(&self, set: &mut Notifications) {
        set.language = self.language.unwrap_or(set.language);
        let choices = &mut set.choices;
        for (kinds, changes) in [(&mut choices.push, &self.push), (&mut choices.mail, &self.mail)] {
            for (kind, on) in changes {
                if *on {
                    kinds.insert(*kind);
                } else {
                    kinds.remove(kind);
                }
            }
        }
    }
}

/// Changes what `player` has set. Answers what it is then.
pub async fn change(app: &App, player: &UserId, change: &Change) -> Result<Notifications, AppError> {
    Ok(app.store().change_notifications(player, |set| change.apply(set)).await?)
}

/// What the link in a mail carries that stops mails of `kind`.
pub(crate) async fn issue_stop(app: &App, player: &UserId, kind: Kind) -> Result<String, AppError> {
    let key = app.secrets().key(names::UNSUBSCRIBE_KEY).await?;
    let whose = format!("{player}-{}", kind.into_str());
    Ok(format!("{whose}-{}", hex::encode(mac(&key, &whose))))
}

/// Stops the mails that a link is about. Again, it answers the same.
pub async fn stop(app: &App, token: &str) -> Flow<Kind, NotificationError> {
    let (whose, sent) = token.rsplit_once('-').ok_or(NotificationError::Link)?;
    let (player, kind) = whose.split_once('-').ok_or(NotificationError::Link)?;
    let player = UserId::parse(player).map_err(|_| NotificationError::Link)?;
    let kind: Kind = kind.parse().map_err(|_| NotificationError::Link)?;
    let key = app.secrets().key(names::UNSUBSCRIBE_KEY).await?;
    let sound: bool = hex::encode(mac(&key, whose)).as_bytes().ct_eq(sent.as_bytes()).into();
    if !sound || !kind.is_mailed_if_asked() {
        return Err(NotificationError::Link.into());
    }
    change(app, &player, &Change { mail: vec![(kind, false)], ..Change::default() }).await?;
    Ok(kind)
}

/// 128 bits.
fn mac(key: &[u8], whose: &str) -> [u8; 16] {
    let mut short = [0; 16];
    short.copy_from_slice(&hmac(key, format!("unsubscribe {whose}").as_bytes())[..16]);
    short
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(Some("sw"), "deadline", "drawn", Ok(()))]
    #[case(None, "security", "final", Ok(()))]
    #[case(Some("fr"), "deadline", "drawn", Err(NotificationError::Language))]
    #[case(Some("EN"), "deadline", "drawn", Err(NotificationError::Language))]
    #[case(None, "deadlines", "drawn", Err(NotificationError::Kind))]
    #[case(None, "deadline", "", Err(NotificationError::Kind))]
    #[case::money_is_always_mailed(None, "deadline", "prize", Err(NotificationError::AlwaysMailed))]
    fn what_is_not_known_is_refused(
        #[case] language: Option<&str>,
        #[case] push: &str,
        #[case] mail: &str,
        #[case] read: Result<(), NotificationError>,
    ) {
        assert_eq!(Change::read(language, [(push, true)], [(mail, false)]).map(drop), read);
    }

    #[test]
    fn what_is_not_named_stays() {
        let mut set = Notifications::default();
        Change::read(Some("sw"), [("prize", true), ("deadline", true)], [("drawn", true)])
            .unwrap()
            .apply(&mut set);
        Change::read(None, [("prize", false)], []).unwrap().apply(&mut set);
        assert_eq!(set.language, Language::Sw);
        assert!(set.choices.push.iter().eq([&Kind::Deadline]) && set.choices.mail.iter().eq([&Kind::Drawn]));
    }
}
