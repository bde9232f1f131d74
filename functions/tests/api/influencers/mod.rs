//! Influencers: made by an admin, their links followed by anybody, and what came of each link counted
//! once per player.

mod invitations;

use local::Settings;
use reqwest::{Method, header};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{PASSWORD, Person, World, assert_has, at_once, mpesa::paid, read};

async fn create(admin: &Person, name: &str) -> String {
    let made = admin.post("/api/influencer/create", json!({"name": name})).await.expect(201);
    made["code"].as_str().unwrap().to_owned()
}

/// visits, signUps and payingPlayers of a code.
async fn reach(world: &World, code: &str) -> [i64; 3] {
    let list = world.admin().await.get("/api/influencers").await.expect(200);
    let item = list.as_array().unwrap().iter().find(|item| item["code"] == code).unwrap().clone();
    ["visits", "signUps", "payingPlayers"].map(|field| item[field].as_i64().unwrap())
}

#[tokio::test]
async fn an_influencer_has_a_name_and_a_link() {
    let world = World::start().await;
    let admin = world.admin().await;
    let made = admin.post("/api/influencer/create", json!({"name": "  Mwalimu FPL "})).await.expect(201);
    let code = made["code"].as_str().unwrap();
    assert_eq!(made["name"], "Mwalimu FPL");
    assert_eq!(made["referralLink"], format!("{}/ref/{code}", world.base));
    assert!(code.len() == 10 && code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()), "{code}");
    let list = admin.get("/api/influencers").await.expect(200);
    assert_has(&list[0], json!({"code": made["code"], "referralLink": made["referralLink"]}));
    assert_eq!(reach(&world, code).await, [0, 0, 0]);
}

#[rstest]
#[case(json!({}), "Please enter a name.")]
#[case(json!({"name": "  "}), "Please enter a name.")]
#[case(json!({"name": 7}), "Please enter a name.")]
#[case(json!({"name": "a\u{202e}b"}), "Please enter a name.")]
#[case(json!({"name": "n".repeat(61)}), "Please enter a name of at most 60 characters.")]
#[tokio::test]
async fn a_refusal_says_why_in_error(#[case] body: Value, #[case] why: &str) {
    let world = World::start().await;
    let refused = world.admin().await.post("/api/influencer/create", body.clone()).await.expect(400);
    assert_eq!(refused, json!({"error": why, "message": why, "code": "invalid_request"}));
    for (person, status) in [(world.nobody(), 401), (world.player().await, 403)] {
        let refused = person.post("/api/influencer/create", body.clone()).await.expect(status);
        assert_eq!(refused["error"], refused["message"]);
        assert!(refused["error"].is_string());
    }
}

#[tokio::test]
async fn a_name_is_one_influencers() {
    let world = World::start().await;
    let admin = world.admin().await;
    let tries = (0..6).map(|i| {
        let admin = admin.clone();
        let name = if i % 2 == 0 { "Mwalimu" } else { "MWALIMU" };
        async move { admin.post("/api/influencer/create", json!({"name": name})).await }
    });
    let mut made = 0;
    for attempt in at_once(tries).await {
        let answer = attempt;
        if answer.status == 201 {
            made += 1;
        } else {
            assert_eq!(answer.expect(409)["error"], "There is an influencer of this name already.");
        }
    }
    assert_eq!(made, 1);
    assert_eq!(admin.get("/api/influencers").await.expect(200).as_array().unwrap().len(), 1);
}

#[rstest]
#[case::known(None)]
#[case::unknown(Some("0000000000"))]
#[case::nonsense(Some("%2F..%2F%0d%0aSet-Cookie:x=1&y"))]
#[tokio::test]
async fn a_link_leads_to_sign_up_whatever_its_code(#[case] code: Option<&str>) {
    let world = World::start().await;
    let known = create(&world.admin().await, "Mwalimu").await;
    let code = code.unwrap_or(&known);
    let answer = world.nobody().get(&format!("/api/influencer/ref/{code}")).await;
    assert_eq!(answer.status, 302);
    let location = answer.headers[header::LOCATION].to_str().unwrap();
    let expected =
        code.replace(':', "%3A").replace('=', "%3D").replace('&', "%26").replace("%0d%0a", "%0D%0A");
    assert_eq!(location, format!("/register?ref={expected}"));
    let counted = i64::from(code == known);
    assert_eq!(reach(&world, &known).await, [counted, 0, 0]);
}

#[tokio::test]
async fn without_a_redirect_a_visit_is_counted_or_the_code_unknown() {
    let world = World::start().await;
    let code = create(&world.admin().await, "Mwalimu").await;
    let visits = (0..20).map(|_| {
        let (nobody, code) = (world.nobody(), code.to_uppercase());
        async move { nobody.get(&format!("/api/influencer/ref/{code}?noRedirect=1")).await }
    });
    for visit in at_once(visits).await {
        assert_eq!(visit.expect(200), json!({"code": code}));
    }
    for code in ["0000000000", "nothing", "%00"] {
        world.nobody().get(&format!("/api/influencer/ref/{code}?noRedirect=1")).await.refused(404);
    }
    assert_eq!(reach(&world, &code).await, [20, 0, 0]);
}

#[tokio::test]
async fn a_player_counts_once_with_the_account_and_once_with_the_first_entry() {
    let world = World::start().await;
    let (one, other) = {
        let admin = world.admin().await;
        (create(&admin, "One").await, create(&admin, "Other").await)
    };
    let by_wallet = world.sign_up_by(1, json!(one)).await;
    let by_prompt = world.sign_up_by(2, json!(format!(" {} ", one.to_uppercase()))).await;
    world.sign_up_by(3, json!(other)).await;
    for (n, unknown) in [(4, json!("0000000000")), (5, json!(null)), (6, json!(7)), (7, json!("../x"))] {
        world.sign_up_by(n, unknown).await;
    }
    assert_eq!(reach(&world, &one).await, [0, 2, 0]);
    assert_eq!(reach(&world, &other).await, [0, 1, 0]);

    // A deposit is no entry.
    world.fund(&by_wallet, 100).await;
    assert_eq!(reach(&world, &one).await, [0, 2, 0]);
    let joins = (0..6).map(|_| {
        let player = by_wallet.clone();
        async move { player.join(50, 1).await.status.as_u16() }
    });
    for join in at_once(joins).await {
        assert!(matches!(join, 201 | 409));
    }
    assert_eq!(reach(&world, &one).await, [0, 2, 1]);
    by_prompt.pay(50, 1).await.expect(200);
    world.answer_prompt(&by_prompt.phone(), paid()).await;
    assert_eq!(reach(&world, &one).await, [0, 2, 2]);
    world.ledger().await;

    // The next gameweek's entry is the same player's.
    world.phase(1, "checked").await;
    world.end_gameweek().await;
    world.advance(60).await;
    world.log_in("referred1@example.co.ke", PASSWORD).await.join(50, 2).await.expect(201);
    assert_eq!(reach(&world, &one).await, [0, 2, 2]);
}

#[tokio::test]
async fn an_account_that_is_refused_is_not_counted() {
    let world = World::start().await;
    let code = create(&world.admin().await, "Mwalimu").await;
    let form = json!({"email": "same@example.co.ke", "username": "same", "password": PASSWORD,
        "fplId": "800001", "ref": code});
    let tries = (0..5).map(|_| {
        let (nobody, form) = (world.nobody(), form.clone());
        async move { nobody.post("/api/signup", form).await.status.as_u16() }
    });
    for attempt in at_once(tries).await {
        assert!(matches!(attempt, 201 | 409));
    }
    assert_eq!(reach(&world, &code).await, [0, 1, 0]);
}

#[tokio::test]
async fn the_list_goes_on_where_the_page_ended() {
    let world = World::start().await;
    let admin = world.admin().await;
    for n in 0..25 {
        create(&admin, &format!("Name {n:02}")).await;
    }
    let pages = admin.pages("/api/influencers").await;
    let pages: Vec<&Vec<Value>> = pages.iter().map(|page| page.as_array().unwrap()).collect();
    assert_eq!((pages.len(), pages[0].len()), (2, 20));
    let names: Vec<&str> = pages.into_iter().flatten().map(|item| item["name"].as_str().unwrap()).collect();
    assert_eq!(names, (0..25).map(|n| format!("Name {n:02}")).collect::<Vec<_>>());
    for cursor in ["", "0000000000", "nonsense"] {
        admin.get(&format!("/api/influencers?cursor={cursor}")).await.refused(400);
    }
}

#[tokio::test]
async fn anybody_can_read_where_to_pay() {
    let world = World::start().await;
    let answer = read(world.nobody().request(Method::GET, "/api/settings")).await;
    let kept = "public, max-age=0, s-maxage=300, stale-while-revalidate=3600";
    assert_eq!(answer.headers[header::CACHE_CONTROL], kept);
    let settings = answer.expect(200);
    assert_eq!(settings["paybillNumber"], "174379");
    assert!(settings.get("accountReference").is_none(), "each player has an account: `GET /api/user`");
    assert_has(&settings, json!({"minimumWithdrawal": 60, "maximumTransaction": 250_000}));
    assert_eq!(settings["helpline"], "Made-up helpline, 0800 000 000", "as the template is told it");
}

#[tokio::test]
async fn the_settings_tell_whether_the_pages_may_advertise() {
    for promotions in [true, false] {
        let world = World::start_with(Settings { promotions, ..Settings::default() }).await;
        assert_eq!(world.nobody().get("/api/settings").await.expect(200)["promotions"], promotions);
    }
}
