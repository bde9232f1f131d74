//! Players of two leagues are exchanged in the table after the draw.

use app::Safeguards::{self, Full, Light};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Person, World, gameweek::users};

const LEAGUES: &str = "LEAGUES#2026-01#50";
const DRAW: &str = "DRAW#2026-01#50";

/// What is exchanged between two members; each keeps the rest, above all its entry's id.
#[derive(Debug, Clone, Copy)]
enum Exchanged {
    /// As it was done: the ids stay, everything else goes.
    AllButTheEntries,
    /// The hash that the list has goes along.
    AllButTheEntriesWithTheirHashes,
    Teams,
    Names,
    /// The names, and nobody can check them.
    NamesWithoutSalts,
}

impl Exchanged {
    /// The attributes that go from one to the other, of the members as the table has them.
    fn attributes(self) -> &'static [&'static str] {
        match self {
            Self::AllButTheEntries => &["userId", "username", "fplId", "teamName"],
            Self::AllButTheEntriesWithTheirHashes => &["userId", "username", "fplId", "teamName", "name"],
            Self::Teams => &["fplId"],
            Self::Names | Self::NamesWithoutSalts => &["username"],
        }
    }

    fn swap(self, a: &mut Value, b: &mut Value) {
        for attribute in self.attributes() {
            std::mem::swap(&mut a["M"][attribute], &mut b["M"][attribute]);
        }
        if matches!(self, Self::NamesWithoutSalts) {
            for member in [a, b] {
                member["M"]["name"]["M"].as_object_mut().unwrap().remove("salt").unwrap();
            }
        }
    }
}

/// An item as the table has it.
async fn item(world: &World, pk: &str, sk: &str) -> Value {
    let table = &world.app().config().table_name;
    let key = json!({"TableName": table, "Key": {"pk": {"S": pk}, "sk": {"S": sk}}});
    world.dynamo().call("GetItem", &key).await.unwrap()["Item"].take()
}

async fn put(world: &World, item: &Value) {
    let put = json!({"TableName": world.app().config().table_name, "Item": item});
    world.dynamo().call("PutItem", &put).await.unwrap();
}

/// Nine of ten players of two leagues. The players are in the list by id, team and name: the draw that is made
/// again finds that they are not those that joined.
#[rstest]
#[case::light(Light, Exchanged::AllButTheEntries)]
#[case::full(Full, Exchanged::AllButTheEntries)]
#[case::with_their_hashes(Light, Exchanged::AllButTheEntriesWithTheirHashes)]
#[case::only_the_teams(Light, Exchanged::Teams)]
#[case::only_the_names(Light, Exchanged::Names)]
#[case::only_the_names_without_salts(Light, Exchanged::NamesWithoutSalts)]
#[tokio::test]
async fn verify_draw_says_no(#[case] safeguards: Safeguards, #[case] exchanged: Exchanged) {
    let world = World::start_guarded(safeguards).await;
    world.many(20, 50).await;
    world.phase(1, "live").await;
    let honest = world.verified("1", &[]).await;
    assert!(honest.holds(), "{honest}");

    let [mut first, mut second] =
        [item(&world, LEAGUES, "00001").await, item(&world, LEAGUES, "00002").await];
    let [theirs, others] =
        [&mut first, &mut second].map(|league| league["members"]["L"].as_array_mut().unwrap());
    for (a, b) in theirs.iter_mut().zip(others).take(9) {
        exchanged.swap(a, b);
    }
    for league in [first, second] {
        put(&world, &league).await;
    }
    let report = world.verified("1", &[]).await;
    assert!(!report.holds(), "{report}");
    assert!(report.to_string().lines().last().unwrap().starts_with("no: "), "{report}");
}

/// Who kept the line that was shown from joining on finds it in the list; altered in any of its parts, or left
/// out, it is missed.
#[rstest]
#[tokio::test]
async fn a_players_own_line_is_looked_for(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(5, 50).await;
    let player = world.player_with(150).await;
    player.join(50, 1).await.expect(201);
    let line = async |player: &Person| -> String {
        let own = player.entries().await;
        own["entries"][0]["line"].as_str().unwrap().to_owned()
    };
    let shown = line(&player).await;
    world.phase(1, "live").await;
    let player = world.player_again(1).await;
    assert_eq!(line(&player).await, shown, "it does not change");
    assert!(world.verified("1", &["--entry", &shown]).await.holds());

    let own = player.leagues(50, 1).await.remove(0);
    let users = users(&own);
    let me = users.iter().find(|user| user["fplId"] == player.fpl_id.as_str()).unwrap();
    let text = |field: &str| me[field].as_str().unwrap().to_owned();
    assert_eq!(shown, format!("{} {} {}", text("entryId"), text("fplId"), text("nameHash")));
    assert_eq!(text("nameHash"), domain::leagues::entry_line::hash_of(&text("salt"), "player1"));

    let [id, team, hash] = shown.split(' ').collect::<Vec<_>>().try_into().unwrap();
    let altered = [
        format!("{} {team} {hash}", "0".repeat(32)),
        format!("{id} 700002 {hash}"),
        format!("{id} {team} {}", "ab".repeat(32)),
    ];
    for altered in altered {
        let report = world.verified("1", &["--entry", &altered]).await;
        let failed: Vec<_> = report.failures().collect();
        assert_eq!(failed, [("yours", "your entry is in the list, as it was shown to you")], "{altered}");
    }
}

/// The list in the table is altered between its hash and the leagues: nothing is drawn from it.
#[rstest]
#[tokio::test]
async fn a_list_that_was_altered_is_not_drawn(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.many(20, 50).await;
    world.phase(1, "locked").await;
    world.faults(json!({"beacon": "down"})).await;
    world.advance(600).await;
    let list = item(&world, DRAW, "LIST").await;
    let part = format!("PART#{}#0000", list["attempt"]["S"].as_str().unwrap());
    let mut part = item(&world, DRAW, &part).await;
    let (a, b) = part["entries"]["L"].as_array_mut().unwrap().split_at_mut(10);
    std::mem::swap(&mut a[0]["M"]["fplId"], &mut b[0]["M"]["fplId"]);
    put(&world, &part).await;
    world.faults(json!({"beacon": "none"})).await;
    world.advance(600).await;
    let error = app::leagues::draw::advance(world.app(), "2026-01".parse().unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("was changed after it was fixed"), "{error}");
    let draw: Value = world.draw().await;
    assert!(draw["drawnAt"].is_null());
}
