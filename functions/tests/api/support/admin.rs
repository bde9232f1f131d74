//! Admins: logged in, with their second factor where one is wanted, and what they do at the panel.

use std::sync::Arc;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::admin::audit::{AuditAction, AuditRecord, Who, month};

use super::{Answer, PASSWORD, Person, World, authenticator::Authenticator, text};

/// The email of [`World::second_admin`].
pub const SECOND_ADMIN: &str = "second-admin@example.co.ke";

/// What the owner of an account is told who presses for it as an admin.
pub const KEPT_OUT: &str =
    "You have decided something about this gameweek as an admin, so you cannot enter it.";
pub const OWN_ACCOUNT: &str = "This is your own account's. Another admin has to do it.";

impl World {
    /// The admin's email and password.
    pub fn admin_account(&self) -> (String, String) {
        let admin = self.inner.admin.clone();
        (admin.email, admin.password.expect("made up at the start"))
    }

    /// The admin, logged in afresh (a token lives for fifteen simulated minutes). With the safeguards full with a
    /// second factor, whose codes are given by themselves where the product asks for one.
    pub async fn admin(&self) -> Person {
        let (email, password) = self.admin_account();
        self.admin_of(&email, &password).await
    }

    /// A second admin, for two days already; as [`World::admin`].
    pub async fn second_admin(&self) -> Person {
        self.older_admin(SECOND_ADMIN, "deputy", "699999").await
    }

    /// A third admin, for two days already; as [`World::admin`].
    pub async fn third_admin(&self) -> Person {
        self.older_admin("third-admin@example.co.ke", "third", "699998").await
    }

    async fn older_admin(&self, email: &str, username: &str, team: &str) -> Person {
        let parsed = domain::Email::parse(email).unwrap();
        if self.app().store().player_by_email(&parsed).await.unwrap().is_none() {
            let id = self.sign_up(email, username, team).await.user_id();
            let since = self.app().clock().now() - jiff::SignedDuration::from_hours(48);
            let (who, what) = (Who::Operator, AuditAction::GrantAdmin);
            let act = AuditRecord::new(who, what, format!("player {id}"), since).of(&id);
            let act = act.from_to("player", "admin");
            self.app().store().set_role(&id, domain::Role::Admin, &act).await.unwrap();
        }
        self.admin_of(email, PASSWORD).await
    }

    /// An admin who was a player of [`World::player`] before.
    pub async fn admin_again(&self, email: &str) -> Person {
        self.admin_of(email, PASSWORD).await
    }

    async fn admin_of(&self, email: &str, password: &str) -> Person {
        if !self.app().config().safeguards.are_full() {
            return self.log_in(email, password).await;
        }
        let before = self.admins.lock().unwrap().get(email).cloned();
        let admin = match before.and_then(|before| before.authenticator) {
            Some(authenticator) => {
                let admin = self.log_in_with(email, password, Some(&authenticator.code())).await;
                Person { authenticator: Some(authenticator), ..admin }
            }
            None => {
                let admin = self.log_in(email, password).await;
                let authenticator = Authenticator::enrol(self.app(), &admin, password).await;
                Person { authenticator: Some(Arc::new(authenticator)), ..admin }
            }
        };
        self.admins.lock().unwrap().insert(email.to_owned(), admin.clone());
        admin
    }

    /// Sends an act of the admin's, and has the second admin approve it where one is wanted.
    pub async fn by_two(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let answer = self.admin().await.send(method, path, body).await;
        if answer.status != StatusCode::ACCEPTED {
            return answer;
        }
        let path = approval(&answer.body);
        self.second_admin().await.post(&path, json!({"decision": "approve"})).await
    }

    /// This month's acts of admins, newest first.
    pub async fn acts(&self) -> Vec<AuditRecord> {
        let now = self.app().clock().now();
        self.app().store().acts(&month(now), None, 1000).await.unwrap().items
    }

    /// An admin changes somebody's account.
    pub async fn change_player(&self, id: &str, body: Value) -> Answer {
        self.admin().await.patch_player(id, body).await
    }

    /// What an admin sees of somebody.
    pub async fn profile(&self, id: &str) -> Value {
        self.admin().await.get(&format!("/api/admin/players/{id}")).await.expect(200)
    }

    /// What is set aside for an admin.
    pub async fn set_asides(&self) -> Vec<Value> {
        self.admin().await.get("/api/admin/set-asides").await.expect(200).as_array().unwrap().clone()
    }

    /// One of them, with its timeline.
    pub async fn set_aside(&self, id: &str) -> Value {
        self.admin().await.get(&format!("/api/admin/set-asides/{id}")).await.expect(200)
    }

    /// An admin decides what is set aside.
    pub async fn decide_set_aside(&self, id: &str, body: Value) -> Answer {
        self.admin().await.post(&format!("/api/admin/set-asides/{id}"), body).await
    }

    /// What the books' page shows.
    pub async fn books(&self) -> Value {
        self.admin().await.get("/api/admin/books").await.expect(200)
    }
}

impl Person {
    /// As an admin changes somebody's account.
    pub async fn patch_player(&self, id: &str, body: Value) -> Answer {
        self.send(Method::PATCH, &format!("/api/admin/players/{id}"), Some(body)).await
    }
}

/// Where a proposal is decided.
pub fn approval(proposed: &Value) -> String {
    format!("/api/admin/approvals/{}", text(proposed, "_id"))
}
