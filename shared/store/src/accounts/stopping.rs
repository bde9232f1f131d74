//! A player who stops. The end of the stop is kept in three places: on the profile, where calls read it; on the wallet,
//! where the transaction that enters checks it; on the claims of the player's team, if it was proved or entered, and of
//! the own numbers. Nobody else may take these until then, whatever becomes of the account. The email belongs to the
//! player as long as the account exists; when the account is erased, `erasure` decides whether the email stays barred.

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
