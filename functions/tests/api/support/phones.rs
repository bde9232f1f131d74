//! Phones that take pushes, as the stand-in of a push service has them.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Person, World, text};

/// A browser that has subscribed.
pub struct Phone {
    pub id: String,
    /// As it tells the page.
    pub told: Value,
}

impl World {
    /// A browser that subscribes with the product's key, for whoever takes it over.
    pub async fn phone(&self, person: &Person) -> Phone {
        let key = text(&person.notifications().await, "pushKey");
        let asked = json!({"applicationServerKey": key, "origin": self.base});
        let mut told = self.sim(Method::POST, "/push/phones", asked).await;
        let id = told["phone"].take().as_str().unwrap().to_owned();
        Phone { id, told }
    }

    /// What a phone shows, oldest first.
    pub async fn shown(&self, phone: &Phone) -> Vec<Value> {
        let path = format!("/sim/api/push?phone={}", phone.id);
        let shown = self.nobody().get(&path).await.expect(200);
        let shown = shown.as_array().unwrap().iter().rev();
        shown.map(|push| push["notification"].clone()).collect()
    }

    /// The kinds of what a phone shows, oldest first.
    pub async fn kinds_shown(&self, phone: &Phone) -> Vec<String> {
        self.shown(phone).await.iter().map(|notification| text(notification, "kind")).collect()
    }
}

impl Person {
    pub async fn notifications(&self) -> Value {
        self.get("/api/me/notifications").await.expect(200)
    }

    pub async fn set_notifications(&self, change: Value) -> Value {
        self.put("/api/me/notifications", change).await.expect(200)
    }

    /// Has all kinds pushed to a phone of their own.
    pub async fn with_phone(&self, world: &World) -> Phone {
        let phone = world.phone(self).await;
        self.post("/api/me/push-subscriptions", phone.told.clone()).await.expect(201);
        let all = ["deadline", "payment", "drawn", "final", "prize", "withdrawal", "security"];
        let push: serde_json::Map<String, Value> =
            all.into_iter().map(|kind| (kind.to_owned(), json!(true))).collect();
        self.set_notifications(json!({ "push": push })).await;
        phone
    }
}
