//! The stand-in's outbox: what somebody was mailed.

use serde_json::Value;

use super::{Person, World, text};

impl World {
    /// The mails to `email`, newest first.
    pub async fn every_mail(&self, email: &str) -> Vec<Value> {
        let path = format!("/sim/api/outbox?to={email}");
        self.nobody().get(&path).await.expect(200).as_array().unwrap().clone()
    }

    /// The mails to `email`, newest first, but for the one about an own number, which whoever pays by a prompt gets.
    pub async fn mails(&self, email: &str) -> Vec<Value> {
        let mut mails = self.every_mail(email).await;
        mails.retain(|mail| !text(mail, "subject").ends_with("is your number now"));
        mails
    }

    /// As [`World::mails`], without those that only ask whether it was the player.
    pub async fn notices(&self, email: &str) -> Vec<Value> {
        let mut mails = self.mails(email).await;
        mails.retain(|mail| !text(mail, "subject").ends_with("is about to leave your wallet"));
        mails
    }

    /// The mails to `email` with this subject.
    pub async fn mails_about(&self, email: &str, subject: &str) -> Vec<Value> {
        let mut mails = self.mails(email).await;
        mails.retain(|mail| mail["subject"] == subject);
        mails
    }

    /// Has a link mailed and uses it: the account has this password from now on.
    pub async fn reset_password(&self, email: &str, password: &str) {
        let nobody = self.nobody();
        nobody.post("/api/forgot-password", serde_json::json!({"email": email})).await.expect(200);
        self.advance(0).await;
        let path = self.linked(email, "/reset-password/").await.remove(0);
        let body = serde_json::json!({"newPassword": password});
        nobody.post(&format!("/api{path}"), body).await.expect(200);
    }

    /// What the link in the mail about the newest withdrawal carries.
    pub async fn cancellation_link(&self, person: &Person) -> String {
        self.advance(0).await;
        let links = self.linked(&person.email(), "/cancel-withdrawal/").await;
        let newest = links.first().expect("it is mailed at once");
        newest.trim_start_matches("/cancel-withdrawal/").to_owned()
    }

    /// The paths of the mailed links that begin so, newest first.
    pub async fn linked(&self, email: &str, beginning: &str) -> Vec<String> {
        let mails = self.mails(email).await;
        let links = mails.iter().filter_map(|mail| mail["links"][0].as_str());
        let paths = links.map(|link| link.strip_prefix(&self.base).expect("a link to here").to_owned());
        paths.filter(|path| path.starts_with(beginning)).collect()
    }
}
