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
