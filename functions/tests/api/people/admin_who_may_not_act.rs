//! An admin whose account was taken over went on moving money: suspended by another admin, or with the role taken
//! while an act was under way.

use app::{
    App,
    Safeguards::{self, Full, Light},
    admin::{
        acts::{self, MoneyAct},
        changes::{self, AccountMark, Change},
        commands,
    },
    settlement::waiting,
};
use domain::{settlement::waiting::WaitingDecision, withdrawals::requests::WithdrawalStatus};
use local::process::Fate;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use store::{admin::audit::Who, leagues::LeagueId};

use crate::support::{
    World,
    admin::{SECOND_ADMIN, approval},
    gameweek::DAY,
    money::done,
    processes::held_up_at_every_step,
    text,
};

#[rstest]
#[tokio::test]
async fn a_suspended_admin_moves_and_sees_nothing(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with_own_number(500).await;
    let id = player.withdrawal(&player.phone(), 200).await;
    let code = player.typed_code("UHK7RT61SV").await;
    let (admin, thief) = (world.admin().await, world.second_admin().await);
    thief.get("/api/admin/players?q=play").await.expect(200);
    let suspend = async |suspended: bool| {
        let body = json!({"suspended": suspended, "reason": "The account was taken over."});
        admin.patch_player(&thief.id, body).await
    };
    suspend(true).await.expect(200);
    thief.pay_out(&id).await.refused(403);
    thief.end_withdrawal(&id, done()).await.refused(403);
    thief.confirm_code(&code, 500).await.refused(403);
    let path = format!("/api/admin/players/{}", player.id);
    for path in [path.as_str(), "/api/admin/approvals", "/api/admin/audit"] {
        thief.get(path).await.refused(403);
    }
    let wallet = format!("/api/users/{}/wallet", player.id);
    thief.get(&wallet).await.refused(403);
    assert_eq!(thief.get("/api/withdraw").await.expect(200), json!([]), "their own");
    let correction = json!({"correctionId": "a".repeat(32), "amount": 60, "reason": "Seen."});
    thief.post(&format!("{path}/corrections"), correction).await.refused(403);
    assert_eq!(world.ledger().await.wallets[&player.id], 300);
    let restored = suspend(false).await;
    if safeguards == Full {
        let third = world.third_admin().await;
        third.post(&approval(&restored.expect(202)), json!({"decision": "approve"})).await.expect(200);
    } else {
        restored.expect(200);
    }
    thief.pay_out(&id).await.expect(200);
    world.ledger().await;
}

/// The operator takes the role while the act stands still before each of its steps: what is not written by then is
/// not done.
#[tokio::test]
async fn who_loses_the_role_while_an_act_is_under_way_does_not_end_it() {
    let world = World::start().await;
    let thief = world.stored(&world.second_admin().await).await;
    let withdrawal = async || {
        commands::grant(world.app(), SECOND_ADMIN).await.unwrap();
        world.withdrawing().await.1
    };
    let mark_done = async |app: &App, id: &String| {
        let _done_or_withheld = acts::ask(app, &thief, &MoneyAct::MarkDone { id: id.clone() }).await;
    };
    let revoke = async |app: &App, _: &String| commands::revoke(app, SECOND_ADMIN).await.unwrap();
    let ids = held_up_at_every_step(&world, withdrawal, mark_done, revoke).await;
    let mut statuses = Vec::new();
    for id in &ids {
        statuses.push(world.stored_withdrawal(id).await.status);
    }
    // The message about it goes out before it ends, and once more after.
    let first_done = statuses.iter().position(|status| *status == WithdrawalStatus::Done).unwrap();
    assert_eq!(first_done, 2, "{statuses:?}");
    assert!(statuses[first_done..].iter().all(|status| *status == WithdrawalStatus::Done), "{statuses:?}");
    world.ledger().await;
}

/// The same of whoever has proposed, or approves, what a second admin wanted.
#[rstest]
#[case::the_proposers(false)]
#[case::the_approvers(true)]
#[tokio::test]
async fn an_approval_does_not_outlive_the_role(#[case] approvers: bool) {
    let world = World::start_guarded(Full).await;
    let player = world.player_with_own_number(250_000).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let stored = world.stored(&second).await;
    let whose = if approvers { SECOND_ADMIN.to_owned() } else { world.admin_account().0 };
    let id = player.withdrawal(&player.phone(), 15_000).await;
    let proposed = admin.send(Method::PUT, &format!("/api/withdraw/{id}"), Some(done())).await;
    let path = approval(&proposed.expect(202));
    let proposal = path.rsplit('/').next().unwrap();
    // Messages about it and to the admins go out before the step that ends it.
    let process = world.process(Fate::WaitsBefore(3));
    let approving = acts::approve(process.app(), &stored, proposal, None);
    let revoked = async { commands::revoke(world.app(), &whose).await.unwrap() };
    let approved = process.run_around(approving, revoked).await;
    assert!(approved.is_err(), "{approved:?}");
    assert_eq!(world.stored_withdrawal(&id).await.status, WithdrawalStatus::Pending);
    assert_eq!(world.ledger().await.account("mpesa:out"), 0);
}

/// The same of what moves no money and decides about it: who is paid in a league that waits, and whether an account may play.
#[tokio::test]
async fn who_loses_the_role_decides_nothing_any_more() {
    let world = World::start().await;
    world.league_with_hidden(1).await;
    let league: LeagueId = text(&world.waiting_leagues().await[0], "_id").parse().unwrap();
    let player = world.player().await;
    world.advance(DAY).await;
    let thief = world.stored(&world.second_admin().await).await;
    let revoke = async || commands::revoke(world.app(), SECOND_ADMIN).await.unwrap();
    let process = world.process(Fate::WaitsBefore(1));
    let decision = WaitingDecision::OwnFigures;
    let decided = waiting::decide(process.app(), league, &decision, &thief, "It is gone.");
    assert!(process.run_around(decided, revoke()).await.is_err());
    assert!(world.app().store().settlement(league).await.unwrap().is_none());

    commands::grant(world.app(), SECOND_ADMIN).await.unwrap();
    let (process, id) = (world.process(Fate::WaitsBefore(1)), player.user_id());
    let change = changes::change(process.app(), &id, Change::Suspended(true), Who::admin(&thief), "So.");
    assert!(process.run_around(change, revoke()).await.is_err());
    assert!(!world.stored(&player).await.suspended);
}

/// Nor does one who is suspended or frozen in that moment.
#[rstest]
#[case::suspended(Change::Suspended(true))]
#[case::frozen(Change::Frozen(true))]
#[tokio::test]
async fn who_is_kept_from_acting_while_an_act_is_under_way_does_not_end_it(#[case] kept_from_it: Change) {
    let (world, player) = World::with_player(0).await;
    let thief = world.stored(&world.second_admin().await).await;
    let (process, id) = (world.process(Fate::WaitsBefore(1)), player.user_id());
    let change = changes::change(process.app(), &id, Change::Suspended(true), Who::admin(&thief), "So.");
    let stop = async {
        let why = "The account was taken over.";
        changes::change(world.app(), &thief.id, kept_from_it, Who::Operator, why).await.unwrap();
    };
    assert!(process.run_around(change, stop).await.is_err());
    assert!(!world.stored(&player).await.suspended);
}

/// Two admins let another one act again. One of them presses while there is nothing to let, and there is when it is done.
#[tokio::test]
async fn who_is_suspended_meanwhile_is_not_let_act_again_by_one_admin() {
    let world = World::start_guarded(Full).await;
    let admin = world.stored(&world.admin().await).await;
    let thief = world.second_admin().await;
    let restore = MoneyAct::RestoreAdmin {
        id: thief.id.clone(),
        mark: AccountMark::Suspended,
        reason: "It was a mistake.".to_owned(),
    };
    let process = world.process(Fate::WaitsBefore(1));
    let suspend = async {
        let (id, suspended) = (thief.user_id(), Change::Suspended(true));
        changes::change(world.app(), &id, suspended, Who::Operator, "It was taken over.").await.unwrap();
    };
    let restored = process.run_around(acts::ask(process.app(), &admin, &restore), suspend).await;
    assert!(restored.is_err(), "{restored:?}");
    assert!(world.stored(&thief).await.suspended);
}
