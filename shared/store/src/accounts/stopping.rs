//! A player who stops: on the profile for who reads it, on the wallet for the transaction that enters, and on the claims
//! of what is theirs (team, own numbers), which are nobody else's until it is over, whatever becomes of the account. The email
//! is theirs as long as there is the account; whether it stays barred after that is decided when that is erased (`erasure`).

use domain::{MpesaPhone, accounts::stopping::Stopped};

use crate::{
    Store, StoreError,
    accounts::{
        keys::{BARRED_UNTIL, profile_key},
        players::{Player, TeamClaim, team_key},
    },
    ledger::wallets::{self, STOPPED_UNTIL},
    payments::numbers,
    platform::{
        conditions::{absent, exists, is, less},
        table::Key,
        transaction::Transaction,
        writes::Update,
    },
};

/// A transaction takes a hundred items.
const MOST_NUMBERS: usize = 90;

impl Store {
    /// Stops a player, for longer than before. `false`: they have stopped for as long, or something of theirs is another's
    /// meanwhile.
    pub async fn stop(
        &self,
        player: &Player,
        stopped: &Stopped,
        own_numbers: &[MpesaPhone],
    ) -> Result<bool, StoreError> {
        let until = stopped.until.as_millisecond();
        let profile = Update::of(profile_key(&player.id)).set("stopped", stopped).only_if(exists("pk"));
        let wallet = Update::of(wallets::key(&player.id))
            .set(STOPPED_UNTIL, until)
            .only_if(exists("pk"))
            .only_if(absent(STOPPED_UNTIL).or(less(STOPPED_UNTIL, until)));
        let claim = |key: Key| Update::of(key).set(BARRED_UNTIL, until).only_if(is("userId", &player.id));
        let mut transaction = Transaction::new();
        transaction.update(profile, ()).update(wallet, ());
        if let Some(team) = player.fpl_id {
            let key = team_key(player.season, team);
            let held: Option<TeamClaim> = self.get("team claim", key.clone()).await?;
            // One that was only named bars nobody: whoever manages it could be kept out by it.
            if held.is_some_and(|held| held.user_id == player.id && held.is_shown()) {
                transaction.update(claim(key), ());
            }
        }
        for number in own_numbers.iter().take(MOST_NUMBERS) {
            transaction.update(claim(numbers::key(number)), ());
        }
        self.commit_all(transaction).await
    }
}
