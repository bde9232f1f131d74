//! Answers that calls share: what any call of a kind may answer besides what its handler declares.

use http::StatusCode;
use serde_json::{Value, json};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Components, ComponentsBuilder, ContentBuilder, Header, HeaderBuilder, Ref, RefOr, Response,
        ResponseBuilder,
        path::Operation,
        schema::{ObjectBuilder, Type},
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use crate::platform::http::{Failure, Refusal, RefusalCode, TRY_AGAIN};

/// Adds them to one call: the handler's own words stand where both speak of one status.
pub fn complete(operation: &mut Operation) {
    add_common(operation);
    add_next_cursor(operation);
}

/// Adds what an answer that is the same for everybody carries.
pub fn complete_public(operation: &mut Operation) {
    let etag = || {
        let text = ObjectBuilder::new().schema_type(Type::String).build();
        HeaderBuilder::new().schema(Some(text)).description(Some("What it is known by")).build()
    };
    let responses = &mut operation.responses.responses;
    if let Some(RefOr::T(answer)) = responses.get_mut("200") {
        answer.headers.insert("etag".to_owned(), RefOr::T(etag()));
    }
    let as_it_was = "As it was when the `etag` of `If-None-Match` was given";
    let as_it_was = ResponseBuilder::new().description(as_it_was).header("etag", etag()).build();
    responses.insert("304".to_owned(), RefOr::T(as_it_was));
}

fn takes(operation: &Operation, parameter: &str) -> bool {
    operation.parameters.iter().flatten().any(|known| match known {
        RefOr::T(known) => known.name == parameter,
        RefOr::Ref(_) => false,
    })
}

/// The header that names the next page, on every call that takes a cursor.
fn add_next_cursor(operation: &mut Operation) {
    if let (true, Some(RefOr::T(page))) =
        (takes(operation, "cursor"), operation.responses.responses.get_mut("200"))
    {
        let header = HeaderBuilder::new()
            .schema(Some(ObjectBuilder::new().schema_type(Type::String).build()))
            .description(Some("The next page's `cursor`, where there is one"))
            .build();
        page.headers.insert("x-next-cursor".to_owned(), RefOr::T(header));
    }
}

fn add_common(operation: &mut Operation) {
    let mut common = vec![("429", "TooMany"), ("500", "Failed"), ("503", "Unavailable")];
    if operation.request_body.is_some() {
        common.extend([("400", "Malformed"), ("413", "TooLarge")]);
    } else if operation.parameters.is_some() {
        common.push(("400", "Malformed"));
    }
    if operation.security.is_some() {
        common.push(("401", "NotLoggedIn"));
    }
    for (status, name) in common {
        let answer = || RefOr::Ref(Ref::from_response_name(name));
        operation.responses.responses.entry(status.to_owned()).or_insert_with(answer);
    }
    // A key under way is told when to ask again.
    let waits =
        if takes(operation, "Idempotency-Key") { &["409", "429", "503"][..] } else { &["429", "503"] };
    for status in waits.iter().copied() {
        if let Some(RefOr::T(own)) = operation.responses.responses.get_mut(status) {
            own.headers.insert("Retry-After".to_owned(), RefOr::T(retry_after()));
        }
    }
}

/// The shared answers themselves, and how a caller says who they are.
pub fn common() -> Components {
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
    let answers = [
        (
            "Malformed",
            "Not in order",
            StatusCode::BAD_REQUEST,
            "The request body must be a JSON object.",
            false,
        ),
        (
            "NotLoggedIn",
            "No token where one is needed, or one that does not hold",
            StatusCode::UNAUTHORIZED,
            "Please log in.",
            false,
        ),
        (
            "TooLarge",
            "The body is over 64 KB",
            StatusCode::PAYLOAD_TOO_LARGE,
            "The request body is too large.",
            false,
        ),
        (
            "TooMany",
            "Too many of these",
            StatusCode::TOO_MANY_REQUESTS,
            "Too many requests. Try again later.",
            true,
        ),
    ];
    let failed = ("Failed", "It went wrong on our side", false);
    let unavailable = ("Unavailable", "Busy, or something behind us does not answer; nothing was done", true);
    answers
        .into_iter()
        .fold(ComponentsBuilder::new(), |components, (name, description, status, message, waits)| {
            let body = json!({ "message": message, "code": RefusalCode::of(status) });
            components.response(name, answer(description, &Refusal::name(), body, waits))
        })
        .responses_from_iter([failed, unavailable].map(|(name, description, waits)| {
            let body = json!({
                "message": TRY_AGAIN,
                "code": RefusalCode::Failed,
                "requestId": "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f",
            });
            (name, answer(description, &Failure::name(), body, waits))
        }))
        .schema(Refusal::name(), Refusal::schema())
        .schema(RefusalCode::name(), RefusalCode::schema())
        .schema(Failure::name(), Failure::schema())
        .security_scheme("bearer", SecurityScheme::Http(bearer))
        .build()
}

fn answer(description: &str, schema: &str, body: Value, waits: bool) -> Response {
    let schema = Some(Ref::from_schema_name(schema));
    let content = ContentBuilder::new().schema(schema).example(Some(body)).build();
    let answer = ResponseBuilder::new().description(description).content("application/json", content);
    if !waits {
        return answer.build();
    }
    answer.header("Retry-After", retry_after()).build()
}

fn retry_after() -> Header {
    let seconds = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).build();
    HeaderBuilder::new().schema(Some(seconds)).description(Some("Seconds to wait")).build()
}
