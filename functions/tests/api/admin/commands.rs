//! What the operator's commands do at once, and whom they tell.

use app::{App, Safeguards, admin::commands};
use domain::Email;
use local::process::Fate;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    PASSWORD, World, admin::SECOND_ADMIN, authenticator::Authenticator, processes::dying_at_every_step, text,
};

/// How often `email` was told so, once everything is out.
async fn told(world: &World, email: &str, subject: &str) -> usize {
    world.advance(120).await;
    world.mails_about(email, subject).await.len()
}

#[tokio::test]
async fn who_is_no_admin_any_more_is_none_at_the_next_call() {
    let world = World::start_guarded(Safeguards::Full).await;
    world.admin().await;
    let second = world.second_admin().await;
    second.get("/api/admin/audit").await.expect(200);
    for _ in 0..2 {
        commands::revoke(world.app(), SECOND_ADMIN).await.unwrap();
    }
    second.get("/api/admin/audit").await.refused(403);
    let id = second.user_id();
    assert_eq!(world.app().store().admin_since(&id).await.unwrap(), None);
    for email in [world.admin_account().0.as_str(), SECOND_ADMIN] {
        assert_eq!(told(&world, email, "An admin is none any more").await, 1, "{email}");
    }
}

#[tokio::test]
async fn a_lost_second_factor_ends_the_sessions_and_all_admins_are_told() {
    let world = World::start_guarded(Safeguards::Full).await;
    world.admin().await;
    let second = world.second_admin().await;
    for _ in 0..2 {
        commands::lose_second_factor(world.app(), SECOND_ADMIN).await.unwrap();
    }
    second.get("/api/admin/totp").await.refused(401);
    // The password is enough to begin anew, and for nothing that moves money.
    let second = world.log_in(SECOND_ADMIN, PASSWORD).await;
    assert_eq!(second.get("/api/admin/totp").await.expect(200)["enrolled"], false);
    let toggled = second.post("/api/points/toggle-deduction", json!({})).await.expect(403);
    assert_eq!(toggled["enrol"], true);
    for email in [world.admin_account().0.as_str(), SECOND_ADMIN] {
        assert_eq!(told(&world, email, "An admin's second factor was taken away").await, 1, "{email}");
    }
}

#[tokio::test]
async fn an_admin_by_a_setting_is_told_of_as_well() {
    let world = World::start().await;
    let email = format!("player{}@example.co.ke", world.player().await.n);
    for _ in 0..2 {
        commands::ensure(world.app(), &email, None).await.unwrap();
    }
    commands::ensure(world.app(), "made@example.co.ke", Some("a plain password")).await.unwrap();
    assert_eq!(told(&world, &world.admin_account().0, "There is a new admin").await, 2);
}

/// A command that comes again does not begin the day anew in which a new admin approves nothing.
#[tokio::test]
async fn who_is_an_admin_already_is_one_since_then() {
    let (world, player) = World::with_player(0).await;
    let grant = async || {
        commands::grant(world.app(), &player.email()).await.unwrap();
        world.app().store().admin_since(&player.user_id()).await.unwrap()
    };
    let since = grant().await;
    assert!(since.is_some());
    world.advance(3600).await;
    assert_eq!(grant().await, since);
}

/// Wherever the command ends, whoever has the role is known to the others.
#[tokio::test]
async fn a_new_admin_is_told_of_once_wherever_the_command_ends() {
    let world = World::start().await;
    let first = world.admin_account().0;
    for step in 1..=6 {
        let player = world.player().await;
        let email = player.email();
        let process = world.process(Fate::DiesAfter(step));
        let _died_or_done = process.run(commands::grant(process.app(), &email)).await;
        commands::grant(world.app(), &email).await.unwrap();
        player.get("/api/admin/audit").await.expect(200);
        let so_far = usize::try_from(step).unwrap();
        assert_eq!(told(&world, &first, "There is a new admin").await, so_far);
        assert!(told(&world, &email, "There is a new admin").await >= 1);
    }
}

/// What the operator does to an account.
#[derive(Debug, Clone, Copy)]
enum Command {
    Make,
    Revoke,
    LoseSecondFactor,
}

impl Command {
    /// The email of an account for it: one that nobody has yet, or an admin's with a second factor.
    async fn email(self, world: &World) -> String {
        let player = world.player().await;
        // The list of admins is looked up by an index.
        world.advance(10).await;
        if matches!(self, Self::Make) {
            return format!("made-{}", player.email());
        }
        commands::grant(world.app(), &player.email()).await.unwrap();
        Authenticator::enrol(world.app(), &player, PASSWORD).await;
        player.email()
    }

    async fn run(self, app: &App, email: &str) {
        match self {
            Self::Make => drop(commands::ensure(app, email, Some(PASSWORD)).await.unwrap()),
            Self::Revoke => commands::revoke(app, email).await.unwrap(),
            Self::LoseSecondFactor => commands::lose_second_factor(app, email).await.unwrap(),
        }
    }
}

/// Wherever such a command ends, the other admins know what it has done, and so does whose account it is.
#[rstest]
#[case::made(Command::Make, "There is a new admin")]
#[case::revoked(Command::Revoke, "An admin is none any more")]
#[case::second_factor_lost(Command::LoseSecondFactor, "An admin's second factor was taken away")]
#[tokio::test]
async fn what_a_command_has_done_is_told_once_wherever_it_ends(
    #[case] command: Command,
    #[case] subject: &str,
) {
    let world = World::start().await;
    let run = async |app: &App, email: &String| command.run(app, email).await;
    let (emails, _) = dying_at_every_step(&world, async || command.email(&world).await, run).await;
    world.advance(120).await;
    let to_first = world.mails_about(&world.admin_account().0, subject).await;
    for email in &emails {
        let parsed = Email::parse(email).unwrap();
        let id = world.app().store().player_by_email(&parsed).await.unwrap().unwrap().id;
        let is_about = |mail: &&Value| text(mail, "text").contains(id.as_str());
        let to_own = world.mails_about(email, subject).await;
        let told = [&to_first, &to_own].map(|mails| mails.iter().filter(is_about).count());
        assert_eq!(told, [1, 1], "{email}");
    }
}
