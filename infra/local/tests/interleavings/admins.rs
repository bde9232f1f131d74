//! An act that two admins approve at once.

use app::{
    Safeguards,
    admin::{
        acts::{self, ActOutcome, MoneyAct},
        commands,
    },
};
use domain::Kes;
use local::{Settings, Target};
use shuttle::future::spawn;

use crate::stage::{Scene, balance, player};

#[test]
fn approve_and_approve() {
    let settings = Settings { safeguards: Safeguards::Full, ..Settings::default() };
    let scene = Scene::with(settings, async |run| {
        let (app, mut admins) = (run.app(), Vec::new());
        for n in 1..=3 {
            let admin = player(app, n, 0).await;
            commands::grant(app, admin.email.as_str()).await.unwrap();
            admins.push(admin.id);
        }
        run.jump(Target::Ahead(25 * 3600)).await.unwrap();
        let target = player(app, 9, 0).await;
        let act = MoneyAct::CorrectWallet {
            id: target.id.to_string(),
            correction: "one".to_owned(),
            amount: Kes::new(500),
            reason: "A goal that was counted late".to_owned(),
        };
        let proposer = app.store().player(&admins[0]).await.unwrap().unwrap();
        let ActOutcome::Proposed(proposal) = acts::ask(app, &proposer, &act).await.unwrap() else {
            panic!("one admin is not enough")
        };
        (admins, target, proposal.id)
    });
    scene.play(|app, known| async move {
        let approve = |nth: usize| {
            let (app, known) = (app.clone(), known.clone());
            async move {
                let approver = app.store().player(&known.0[nth]).await.unwrap().unwrap();
                acts::approve(&app, &approver, &known.2, None).await.is_ok()
            }
        };
        let (first, second) = (spawn(approve(1)), spawn(approve(2)));
        let approved = [first.await.unwrap(), second.await.unwrap()];
        assert!(approved.contains(&true), "{approved:?}");
        assert_eq!(balance(&app, &known.1.id).await, 500, "once: {approved:?}");
    });
}
