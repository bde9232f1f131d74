//! Players' own links: what came of one is counted as an influencer's, pays nobody, and tells nobody who came; where the
//! operator lets nobody invite there is none of it.

use local::{Settings, process::Fate};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{PASSWORD, Person, World, assert_has, read};

const INVITATION: &str = "/api/me/invitation";

/// The code of a player's own link.
async fn code(player: &Person) -> String {
    let own = player.get(INVITATION).await.expect(200);
    own["link"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()
}

async fn visit(person: &Person, code: &str) -> StatusCode {
    person.get(&format!("/api/influencer/ref/{code}?noRedirect=1")).await.status
}

/// As it is kept, without the fives: visits, sign-ups, paying players.
async fn counted(world: &World, code: &str) -> [u64; 3] {
    let code = domain::influencers::ReferralCode::parse(code).unwrap();
    let reach = world.app().store().reach(&code).await.unwrap();
    [reach.visits, reach.sign_ups, reach.paying_players]
}

#[tokio::test]
async fn a_players_link_stays_and_what_came_of_it_is_told_by_fives() {
    let (world, inviter) = World::with_player(300).await;
    let (first, again) = tokio::join!(inviter.get(INVITATION), inviter.get(INVITATION));
    assert_eq!(first.expect(200), again.expect(200));
    let code = code(&inviter).await;
    let own = inviter.get(INVITATION).await.expect(200);
    let nothing = json!({"visits": 0, "signUps": 0, "payingPlayers": 0});
    assert_has(&own, nothing.clone());
    assert_eq!(own["link"], format!("{}/ref/{code}", world.base));

    for _ in 0..6 {
        assert_eq!(visit(&world.nobody(), &code).await, 200);
    }
    // Who follows their own link is no visitor.
    assert_eq!(visit(&inviter, &code).await, 200);
    let came = world.sign_up_by(1, json!(code.to_uppercase())).await;
    world.fund(&came, 50).await;
    came.join(50, 1).await.expect(201);
    assert_eq!(counted(&world, &code).await, [6, 1, 1]);
    // One who came is nobody's to know of; nor has anybody been paid for it.
    let told = inviter.get(INVITATION).await.expect(200);
    assert_has(&told, json!({"visits": 5, "signUps": 0, "payingPlayers": 0}));
    assert_eq!(told.as_object().unwrap().len(), 4);
    for n in 2..=5 {
        world.sign_up_by(n, json!(code)).await;
    }
    assert_has(&inviter.get(INVITATION).await.expect(200), json!({"signUps": 5, "payingPlayers": 0}));
    assert_eq!((inviter.wallet().await, came.wallet().await), (300, 0));
    world.ledger().await;
    // It is no influencer's.
    assert_eq!(world.admin().await.get("/api/influencers").await.expect(200), json!([]));
}

/// Two first looks at it, of which one stands still before it writes: both lead to the same link.
#[tokio::test]
async fn a_players_link_is_made_once() {
    let (world, player) = World::with_player(0).await;
    let (process, id, now) =
        (world.process(Fate::WaitsBefore(1)), player.user_id(), world.app().clock().now());
    let mut first = None;
    let other = async { first = Some(world.app().store().invitation(&id, now).await.unwrap()) };
    let late = process.run_around(process.app().store().invitation(&id, now), other).await.unwrap();
    assert_eq!(Some(late), first);
}

#[tokio::test]
async fn who_has_stopped_playing_invites_nobody() {
    let (world, player) = World::with_player(0).await;
    let stop = json!({"for": "1w", "password": PASSWORD});
    player.post("/api/me/exclusion", stop).await.expect(201);
    assert_eq!(player.get(INVITATION).await.refused(404), "There are no invitations here.");
    world.advance(8 * 24 * 3600).await;
    let player = world.again(&player).await;
    player.get(INVITATION).await.expect(200);
    // Nor does who has to show their age first.
    let wanted = json!({"ageProofWanted": true, "reason": "The account of a child, somebody says."});
    world.change_player(&player.id, wanted).await.expect(200);
    player.get(INVITATION).await.refused(404);
}

#[tokio::test]
async fn where_nobody_invites_a_link_only_leads_to_sign_up() {
    let world = World::start_with(Settings { promotions: false, ..Settings::default() }).await;
    let inviter = world.player().await;
    assert_eq!(inviter.get(INVITATION).await.refused(404), "There are no invitations here.");
    // One of before that was made while it was on.
    let now = world.app().clock().now();
    let code = world.app().store().invitation(&inviter.user_id(), now).await.unwrap().to_string();
    assert_eq!(visit(&world.nobody(), &code).await, 404);
    let led = read(world.nobody().request(Method::GET, &format!("/api/influencer/ref/{code}"))).await;
    assert_eq!(
        (led.status, led.headers["location"].to_str().unwrap()),
        (StatusCode::FOUND, format!("/register?ref={code}").as_str())
    );
    let came = world.sign_up_by(1, Value::from(code.clone())).await;
    world.fund(&came, 50).await;
    came.join(50, 1).await.expect(201);
    assert_eq!(counted(&world, &code).await, [0, 0, 0]);
}
