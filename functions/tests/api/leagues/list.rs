//! Seeing leagues: pages, the own group first, and what caches may keep.

use reqwest::{Method, header};
use serde_json::{Value, json};

use crate::support::{Answer, World, assert_has, gameweek::users, read};

fn members(leagues: &Value) -> Vec<String> {
    let users = leagues.as_array().unwrap().iter().flat_map(|league| users(league).clone());
    users.map(|user| user["fplId"].as_str().unwrap().to_owned()).collect()
}

/// 523 entries: every one in exactly one group of a page, in order of joining, whether or not the
/// checkpoints are there; and the last player's own group is found first.
#[tokio::test]
async fn many_groups_come_in_pages_and_the_own_one_first() {
    let world = World::start().await;
    let entries = world.many(522, 50).await;
    let last = world.player_with(50).await;
    last.join(50, 1).await.expect(201);
    let mut joined: Vec<String> = entries.iter().map(|entry| entry.fpl_id.to_string()).collect();
    joined.push(last.fpl_id.clone());
    let path = "/api/leagues?gameweek=1&entryAmount=50";
    for minutes in [0, 5] {
        world.advance(minutes * 60).await;
        let pages = world.nobody().pages(path).await;
        assert_eq!(pages.iter().map(|page| page.as_array().unwrap().len()).collect::<Vec<_>>(), [50, 3]);
        assert_eq!(pages.iter().flat_map(members).collect::<Vec<_>>(), joined);
        let own = &last.leagues(50, 1).await[0];
        assert_eq!(last.get(path).await.expect(200), pages[0], "a token changes nothing");
        assert_has(own, json!({"own": true, "number": 53}));
        assert_eq!(members(&json!([own])), joined[520..]);
    }
    let status = world.nobody().get("/api/gameweek/status").await.expect(200);
    assert_eq!(status["amounts"][0]["entries"], 523);
}

async fn leagues_if(world: &World, etag: Option<&str>) -> Answer {
    let request = world.nobody().request(Method::GET, "/api/leagues?gameweek=1&entryAmount=50");
    read(match etag {
        Some(etag) => request.header(header::IF_NONE_MATCH, etag),
        None => request,
    })
    .await
}

#[tokio::test]
async fn the_list_is_everybodys_and_has_an_etag_and_the_own_part_is_private() {
    let (world, player) = World::with_player(50).await;
    player.join(50, 1).await.expect(201);
    let path = "/api/leagues?gameweek=1&entryAmount=50";
    let public = leagues_if(&world, None).await;
    let etag = public.headers[header::ETAG].to_str().unwrap().to_owned();
    let keep = public.headers[header::CACHE_CONTROL].to_str().unwrap();
    assert_eq!(keep, "public, max-age=0, s-maxage=5, stale-while-revalidate=5");
    assert_eq!(public.expect(200)[0]["own"], false);
    let weak = format!("\"other\", W/{etag}");
    for known in [&etag, &weak] {
        let known = leagues_if(&world, Some(known)).await;
        assert_eq!(known.status, 304);
        assert_eq!(known.headers[header::ETAG], etag.as_str());
    }
    world.crowd(1, 50).await;
    assert_eq!(leagues_if(&world, Some(&etag)).await.status, 200);

    let with_token = player.get(path).await;
    assert!(with_token.headers.contains_key(header::ETAG));
    assert_eq!(with_token.expect(200)[0]["own"], false, "the list is everybody's");
    let own = player.get(&path.replace("/leagues", "/me/league")).await;
    assert_eq!(own.headers[header::CACHE_CONTROL], "no-store");
    assert!(!own.headers.contains_key(header::ETAG));
    let own = own.expect(200);
    assert_eq!((&own["league"]["own"], &own["place"]), (&json!(true), &json!(null)));
}
