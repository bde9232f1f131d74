//! `web/src/api/openapi.json` is the document that the table makes. `UPDATE=1` rewrites it.

use std::{collections::BTreeSet, fs, path::Path};

fn committed() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/api/openapi.json")
}

#[test]
fn the_committed_document_is_the_generated_one() {
    let generated = functions::document().to_pretty_json().unwrap() + "\n";
    if std::env::var_os("UPDATE").is_some() {
        fs::write(committed(), &generated).unwrap();
    }
    let committed = fs::read_to_string(committed()).unwrap_or_default();
    assert!(
        committed == generated,
        "web/src/api/openapi.json is out of date: run `UPDATE=1 cargo test --locked --workspace --test contract`, \
         then `npm run api` in web/"
    );
}

#[test]
fn operation_ids_are_unique_and_every_operation_says_what_it_answers() {
    let document = serde_json::to_value(functions::document()).unwrap();
    let mut ids = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id.to_owned()), "{id} twice");
            assert!(
                operation["summary"].is_string() || operation["description"].is_string(),
                "{method} {path} says nothing of itself"
            );
            let answers = operation["responses"].as_object().unwrap();
            assert!(answers.keys().any(|status| status.starts_with('2')), "{method} {path} never succeeds");
        }
    }
    assert_eq!(ids.len(), functions::endpoints().len());
}

/// What linters of such documents ask for, and what a program that is written from it relies on.
#[test]
fn every_operation_says_who_may_call_it_and_what_its_parameters_and_bodies_are() {
    let document = serde_json::to_value(functions::document()).unwrap();
    assert_eq!(document["servers"][0]["url"], "/");
    assert!(document["info"]["license"]["name"].is_string());
    let operations =
        document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
    for operation in operations {
        let id = &operation["operationId"];
        assert!(operation["security"].is_array(), "{id} does not say whether a token is wanted");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            if matches!(parameter["name"].as_str(), Some("cursor" | "Idempotency-Key")) {
                assert_eq!(parameter["schema"]["type"], "string", "{id}");
                assert_eq!(parameter["schema"]["minLength"], 1, "{id}");
                assert!(parameter["schema"]["pattern"].is_string(), "{id}");
            }
            if parameter["name"] == "Idempotency-Key" {
                assert!(
                    operation["responses"]["409"].is_object(),
                    "{id} does not say what a used key answers"
                );
            }
        }
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        assert!(body.get("oneOf").is_none(), "{id} allows null for a body");
    }
    let text = document.to_string();
    for kind in ["schemas", "responses"] {
        for name in document["components"][kind].as_object().unwrap().keys() {
            assert!(text.contains(&format!("#/components/{kind}/{name}\"")), "{name} is used by nothing");
        }
    }
}

/// Every field has an example, and every example is what its own schema allows.
#[test]
fn fields_have_examples_that_are_valid() {
    let document = serde_json::to_value(functions::document()).unwrap();
    let mut without = Vec::new();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        for (field, property) in schema["properties"].as_object().into_iter().flatten() {
            let plain = property["type"] != "array" && property["type"] != "object";
            if !plain || property.to_string().contains("$ref") {
                continue;
            }
            let Some(example) = property.get("example") else {
                without.push(format!("{name}.{field}"));
                continue;
            };
            let validator = jsonschema::draft202012::options().should_validate_formats(true).build(property);
            let wrong = validator.unwrap().validate(example).err().map(|error| error.to_string());
            assert_eq!(wrong, None, "{name}.{field}");
        }
    }
    assert!(without.is_empty(), "no example: {}", without.join(", "));
}
