//! Every call of the product that takes a body or a cursor, as its document has it, ready to be made by whom it serves.

use std::collections::BTreeMap;

use functions::Endpoint;
use reqwest::{Method, header};
use serde_json::{Map, Value, json};

use super::{
    Answer, Person, World,
    authz::{For, path_for, serves},
    read,
};

/// A call that takes a JSON object.
pub struct Call {
    pub name: String,
    method: Method,
    path: String,
    /// Whom it serves, so that it is the body that is refused.
    caller: Person,
    /// Its fields, each with the type of what may be sent and the document's own example.
    pub fields: BTreeMap<String, Field>,
    pub needs_body: bool,
}

pub struct Field {
    pub is_number: bool,
    pub required: bool,
    pub example: Value,
}

impl Call {
    /// The example of every field that has to be sent.
    pub fn example(&self) -> Map<String, Value> {
        let required = self.fields.iter().filter(|(_, field)| field.required);
        required.map(|(name, field)| (name.clone(), field.example.clone())).collect()
    }

    pub async fn send(&self, body: Vec<u8>) -> Answer {
        let mut request = self.caller.request(self.method.clone(), &self.path);
        if let Some(token) = &self.caller.token {
            request = request.bearer_auth(token);
        }
        read(request.header(header::CONTENT_TYPE, "application/json").body(body)).await
    }
}

/// Every such call, ready to be made.
pub async fn calls(world: &World) -> Vec<Call> {
    let document = serde_json::to_value(functions::document()).unwrap();
    let (player, admin) = (world.player_with(1000).await, world.admin().await);
    let mut calls = Vec::new();
    for endpoint in functions::endpoints() {
        let operation = &document["paths"][&endpoint.path][endpoint.method.as_str().to_lowercase()];
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let Some(reference) = schema["$ref"].as_str() else { continue };
        let caller = caller_of(&endpoint, &world.nobody(), &player, &admin);
        calls.push(Call {
            method: endpoint.method.clone(),
            path: path_for(&endpoint, &player),
            caller,
            fields: fields(document.pointer(&reference[1..]).unwrap()),
            needs_body: operation["requestBody"]["required"] == true,
            name: endpoint.name,
        });
    }
    assert!(calls.len() > 8, "the document still has its bodies");
    calls
}

fn caller_of(endpoint: &Endpoint, nobody: &Person, player: &Person, admin: &Person) -> Person {
    let caller = match serves(endpoint) {
        For::Admin => admin,
        For::Unasked | For::Session | For::Anyone => nobody,
        For::Player | For::Owner | For::OwnerOrAdmin => player,
    };
    caller.clone()
}

fn fields(schema: &Value) -> BTreeMap<String, Field> {
    let required = |name: &str| schema["required"].as_array().is_some_and(|all| all.contains(&json!(name)));
    let properties = schema["properties"].as_object().expect("an object").iter();
    let field = |name: &str, property: &Value| Field {
        is_number: property["type"].to_string().contains("integer"),
        required: required(name),
        example: property["example"].clone(),
    };
    properties.map(|(name, property)| (name.clone(), field(name, property))).collect()
}

/// A list that comes in pages.
pub struct List {
    path: String,
    /// Whom it serves.
    pub caller: Person,
}

impl List {
    /// The address of the page behind `cursor`, which is written as an address may have it.
    pub fn page(&self, cursor: &str) -> String {
        format!("{}cursor={cursor}", self.path)
    }
}

/// Every such list. (Exports have their own tests, `admin/exports.rs`: what is exported is asked first.)
pub async fn lists(world: &World, player: &Person) -> Vec<List> {
    let document = serde_json::to_value(functions::document()).unwrap();
    let (nobody, admin) = (world.nobody(), world.admin().await);
    let mut lists = Vec::new();
    for endpoint in functions::endpoints().into_iter().filter(|endpoint| !endpoint.path.contains("exports")) {
        let operation = &document["paths"][&endpoint.path][endpoint.method.as_str().to_lowercase()];
        let parameters = operation["parameters"].as_array();
        if parameters.is_some_and(|all| all.iter().any(|one| one["name"] == "cursor")) {
            let needed = if endpoint.name == "list-leagues" { "entryAmount=50&" } else { "" };
            let path = format!("{}?{needed}", path_for(&endpoint, player));
            lists.push(List { path, caller: caller_of(&endpoint, &nobody, player, &admin) });
        }
    }
    lists
}

/// What must be as it was: everybody's money, and what waits for the admin.
pub async fn untouched(world: &World) -> (BTreeMap<String, i64>, Value, Value) {
    let withdrawals = world.admin().await.get("/api/withdraw").await.expect(200);
    let prompts = world.nobody().get("/sim/api/prompts").await.expect(200);
    let mut wallets = world.ledger().await.wallets;
    wallets.retain(|_, balance| *balance != 0);
    (wallets, withdrawals, prompts)
}
