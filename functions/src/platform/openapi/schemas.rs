//! What holds for every field and parameter of a kind, whoever declares it.

use domain::platform::idempotency::LONGEST as LONGEST_KEY;
use serde_json::{Value, json};
use utoipa::openapi::{
    Components, Object, RefOr, Schema, SchemaFormat,
    path::{Operation, ParameterIn},
    schema::{KnownFormat, SchemaType, Type},
};

use crate::platform::http::LONGEST_CURSOR;

/// What cursors and keys are made of.
const GRAPHIC_ASCII: &str = "^[!-~]+$";

/// Completes the fields of every schema.
pub fn complete(components: &mut Components) {
    for schema in components.schemas.values_mut() {
        match schema {
            RefOr::T(Schema::Object(object)) => complete_fields(object),
            // A struct with another one in it.
            RefOr::T(Schema::AllOf(all)) => all.items.iter_mut().for_each(|item| {
                if let RefOr::T(Schema::Object(object)) = item {
                    complete_fields(object);
                }
            }),
            _ => {}
        }
    }
}

fn complete_fields(object: &mut Object) {
    for field in object.properties.values_mut() {
        if let Some(words) = words(field) {
            *field = RefOr::T(Schema::Object(words));
        }
        if let RefOr::T(Schema::Object(field)) = field
            && field.example.is_none()
            && let Some(words) = &field.enum_values
        {
            field.example = words.first().cloned();
        }
        if let RefOr::T(Schema::Object(field)) = field
            && field.format == Some(SchemaFormat::KnownFormat(KnownFormat::DateTime))
        {
            field.example.get_or_insert(json!("2026-08-20T09:00:00Z"));
        }
    }
}

/// A field that is one of a few words, or null: its description and null beside the words are made part of them.
fn words(field: &RefOr<Schema>) -> Option<Object> {
    let (items, description) = match field {
        RefOr::T(Schema::AllOf(all)) => (&all.items, &all.description),
        RefOr::T(Schema::OneOf(one)) => (&one.items, &one.description),
        _ => return None,
    };
    let objects: Vec<&Object> = items
        .iter()
        .filter_map(|item| match item {
            RefOr::T(Schema::Object(object)) => Some(object),
            _ => None,
        })
        .collect();
    let mut words = objects.iter().copied().find(|object| object.enum_values.is_some())?.clone();
    let told = objects.iter().find_map(|object| object.description.clone());
    words.description = description.clone().or(told);
    if objects.iter().any(|object| object.schema_type == SchemaType::Type(Type::Null)) {
        words.schema_type = SchemaType::from_iter([Type::String, Type::Null]);
        words.enum_values.get_or_insert_default().push(Value::Null);
    }
    Some(words)
}

/// A header is left out, or a text: never null. Cursors and keys are what their readers take.
pub fn complete_parameters(operation: &mut Operation) {
    for parameter in operation.parameters.iter_mut().flatten() {
        let RefOr::T(parameter) = parameter else { continue };
        let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema else { continue };
        if parameter.parameter_in == ParameterIn::Header {
            schema.schema_type = SchemaType::new(Type::String);
        }
        let longest = match parameter.name.as_str() {
            "cursor" => LONGEST_CURSOR,
            "Idempotency-Key" => LONGEST_KEY,
            _ => continue,
        };
        schema.min_length = Some(1);
        schema.max_length = Some(longest);
        schema.pattern = Some(GRAPHIC_ASCII.to_owned());
    }
}

/// A body that may be left out is an object where it is sent: never null.
pub fn complete_body(operation: &mut Operation) {
    let Some(RefOr::T(body)) = &mut operation.request_body else { return };
    for content in body.content.values_mut() {
        if let RefOr::T(content) = content
            && let Some(RefOr::T(Schema::OneOf(one))) = &content.schema
            && let Some(reference @ RefOr::Ref(_)) =
                one.items.iter().find(|item| matches!(item, RefOr::Ref(_)))
        {
            content.schema = Some(reference.clone());
        }
    }
}
