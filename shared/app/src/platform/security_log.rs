//! The security log: who signed in, what was tried, and what was changed that protects an account. One line
//! an event, all of one shape, under the target `security`, whatever else is logged.
//!
//! A line holds ids, a keyed hash in the place of an email or a number, and the network in the place of an
//! address: enough to follow one account, one number or one network, and of no use to whoever finds it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use domain::{MpesaPhone, UserId};

use crate::{
    App,
    platform::secrets::{hmac, names},
};

/// What happened, by its word in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum SecurityEvent {
    SignedUp,
    SignedIn,
    /// A wrong email or password.
    SignInRefused,
    /// Too many were wrong before.
    SignInLimited,
    /// The right password of an account that is frozen.
    SignInFrozen,
    SignedOut,
    /// A refresh token that was replaced long ago came back: its session has ended.
    SessionReplayed,
    SessionsEnded,
    /// A player, for a time, by themself.
    Stopped,
    PasswordResetAsked,
    PasswordReset,
    /// The right password without the code that is wanted beside it.
    SecondFactorAsked,
    /// A wrong code, or a wrong password where a second factor is set up.
    SecondFactorRefused,
    /// Too many were wrong before.
    SecondFactorLimited,
    SecondFactorStarted,
    SecondFactorEnrolled,
    SecondFactorRemoved,
    RecoveryCodesRenewed,
    StepUp,
    StepUpRefused,
    RoleChanged,
    NumberClaimed,
    NumberRefused,
    NumberReleased,
    TeamProved,
    TeamLost,
    /// By an admin, in the place of another one.
    TeamChanged,
    PrizesReleased,
    AccountSuspended,
    AccountUnsuspended,
    AccountFrozen,
    AccountUnfrozen,
    /// By its player.
    AccountClosed,
    /// A closed one into which money has come.
    AccountOpenAgain,
    /// What was personal of a closed one is gone.
    AccountErased,
    AgeProofWanted,
    AgeProofGiven,
    WithdrawalRequested,
    WithdrawalCancelled,
    WithdrawalRejected,
    WithdrawalDone,
    PayoutSent,
    /// As M-Pesa says.
    PayoutDone,
    /// As M-Pesa says: the money is in the wallet again.
    PayoutFailed,
    /// M-Pesa said something else of a withdrawal that had ended.
    PayoutCorrected,
    ApprovalProposed,
    ApprovalGiven,
    ApprovalRefused,
}

/// A line before it is written. Only what is said of it is in it.
#[derive(Debug, Clone, Copy)]
pub struct SecurityEntry<'a> {
    event: SecurityEvent,
    player: Option<&'a UserId>,
    email: Option<&'a str>,
    number: Option<&'a MpesaPhone>,
    address: Option<IpAddr>,
    by: Option<&'a UserId>,
    on: Option<&'a str>,
}

impl<'a> SecurityEntry<'a> {
    #[must_use]
    pub fn new(event: SecurityEvent) -> Self {
        Self { event, player: None, email: None, number: None, address: None, by: None, on: None }
    }

    /// Whose account it is.
    #[must_use]
    pub fn of(self, player: &'a UserId) -> Self {
        Self { player: Some(player), ..self }
    }

    /// As it was typed: its keyed hash is logged, the same for every way to write it.
    #[must_use]
    pub fn email(self, email: &'a str) -> Self {
        Self { email: Some(email), ..self }
    }

    /// Its keyed hash is logged.
    #[must_use]
    pub fn number(self, number: &'a MpesaPhone) -> Self {
        Self { number: Some(number), ..self }
    }

    /// From where: its network is logged.
    #[must_use]
    pub fn from(self, address: Option<IpAddr>) -> Self {
        Self { address, ..self }
    }

    /// The admin who did it.
    #[must_use]
    pub fn by(self, admin: &'a UserId) -> Self {
        Self { by: Some(admin), ..self }
    }

    /// The id of what it is about: a withdrawal's, an approval's, a team's.
    #[must_use]
    pub fn on(self, id: &'a str) -> Self {
        Self { on: Some(id), ..self }
    }
}

impl App {
    /// Writes a line of the security log. It decides nothing, so it undoes nothing either: without the key of
    /// its hashes the line is written without them.
    pub async fn log_security(&self, line: SecurityEntry<'_>) {
        let account = match line.email {
            Some(email) => self.keyed("email", &email.trim().to_lowercase()).await,
            None => None,
        };
        let number = match line.number {
            Some(number) => self.keyed("number", number.as_str()).await,
            None => None,
        };
        tracing::info!(
            target: "security",
            event = line.event.into_str(),
            player = line.player.map(UserId::as_str),
            account,
            number,
            network = line.address.map(network),
            by = line.by.map(UserId::as_str),
            on = line.on,
            "security"
        );
    }

    /// 128 bits of an HMAC, in hex.
    async fn keyed(&self, kind: &str, text: &str) -> Option<String> {
        match self.secrets().key(names::SECURITY_LOG_KEY).await {
            Ok(key) => Some(hex::encode(&hmac(&key, format!("{kind}:{text}").as_bytes())[..16])),
            Err(error) => {
                tracing::error!(%error, alarm = error.alarm(), "the security log has no key");
                None
            }
        }
    }
}

/// The network of an address: its /24, of IPv6 its /48.
#[must_use]
pub fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            format!("{}/24", Ipv4Addr::new(a, b, c, 0))
        }
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            format!("{}/48", Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("203.0.113.77", "203.0.113.0/24")]
    #[case("::ffff:203.0.113.77", "203.0.113.0/24")]
    #[case("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48")]
    fn an_address_is_logged_as_its_network(#[case] address: &str, #[case] shown: &str) {
        assert_eq!(network(address.parse().unwrap()), shown);
    }
}
