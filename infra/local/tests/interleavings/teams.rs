//! A team that is corrected while money comes for its entry.

use app::{App, payments::prompts};
use domain::{EntryAmount, FplId, UserId, payments::prompt::PromptAnswer};
use shuttle::future::spawn;
use store::{
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        players::{Corrected, NewTeam},
    },
    payments::prompts::{ForEntry, Payment},
};

use crate::{
    payments::prompt,
    stage::{Scene, balance, gameweek, player},
};

fn right_team() -> FplId {
    FplId::parse("760001").unwrap()
}

/// Gives the account the right team, as an admin does. Whether it has it by this.
async fn correct(app: App, id: UserId) -> bool {
    let player = app.store().player(&id).await.unwrap().unwrap();
    let entry = app.store().entry_of(&id, gameweek()).await.unwrap();
    let team = NewTeam { season: gameweek().season, fpl_id: right_team(), name: "Twelve" };
    let (on, at) = (format!("player {id}"), app.clock().now());
    let act = AuditRecord::by_admin(Who::Operator, AuditAction::UpdatePlayer, on, at).of(&id);
    let open = (Some(gameweek()), entry.as_ref());
    let corrected = app.store().correct_team(&player, team, open, &act, None).await.unwrap();
    assert!(matches!(corrected, Corrected::Done | Corrected::Entered), "{corrected:?}");
    corrected == Corrected::Done
}

/// The prompt makes its entry, whichever comes first: with the team that the player has in the end.
#[test]
fn correction_and_paid_entry() {
    let scene = Scene::of(async |run| {
        let (app, player) = (run.app(), player(run.app(), 1, 0).await);
        let entry = Some(ForEntry { gameweek: gameweek(), amount: EntryAmount::Hundred });
        let payment = Payment { entry, ..prompt(app, &player) };
        app.store().create_payment(&payment, None, None, None).await.unwrap();
        (player.id, payment)
    });
    scene.play(|app, known| async move {
        let corrected = spawn(correct(app.clone(), known.0.clone()));
        let credited = spawn({
            let (app, known) = (app.clone(), known.clone());
            async move { prompts::apply(&app, &known.1, &PromptAnswer::Paid).await.unwrap() }
        });
        let corrected = corrected.await.unwrap();
        assert!(credited.await.unwrap());
        let team = app.store().player(&known.0).await.unwrap().unwrap().fpl_id;
        assert_eq!(team == Some(right_team()), corrected);
        let entry = app.store().entry_of(&known.0, gameweek()).await.unwrap();
        assert_eq!(entry.map(|entry| entry.fpl_id), team, "corrected {corrected}");
        assert_eq!(balance(&app, &known.0).await, 0);
    });
}
