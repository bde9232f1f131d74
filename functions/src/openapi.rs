//! The OpenAPI document, made from the table. A handler declares what is its own; what any call of
//! its kind may answer is added here, by rule, so that no handler has to remember it.

use serde_json::json;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Components, ComponentsBuilder, ContentBuilder, Header, HeaderBuilder, Info, OpenApi, OpenApiBuilder,
        Paths, Ref, RefOr, Response, ResponseBuilder,
        path::{Operation, PathItem},
        schema::{ObjectBuilder, Type},
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use crate::{endpoints, http::Refusal};

/// The whole API. `web/src/api/openapi.json` is this, committed.
#[must_use]
pub fn document() -> OpenApi {
    let mut paths = Paths::new();
    let mut components = common();
    for endpoint in endpoints() {
        for (path, mut item) in endpoint.paths.paths {
            operations(&mut item).for_each(|operation| {
                add_common(operation);
                add_next_cursor(operation);
            });
            match paths.paths.get_mut(&path) {
                Some(known) => known.merge_operations(item),
                None => {
                    paths.paths.insert(path, item);
                }
            }
        }
        components.schemas.extend(endpoint.schemas);
    }
    let mut info = Info::new("FPL Leagues", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "Weekly leagues of ten for Fantasy Premier League players in Kenya. Money is whole KES, times \
         are RFC 3339 in UTC, refusals are `{\"message\": …}`. Every answer carries `x-request-id`, which \
         names it in the log. A token that is sent and does not hold is refused on every call, public \
         ones too. Unknown fields are ignored."
            .to_owned(),
    );
    OpenApiBuilder::new().info(info).paths(paths).components(Some(components)).build()
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
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

/// What every call of its kind may answer besides what its handler declares: the handler's own words
/// stand where both speak of one status.
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
    if takes(operation, "Idempotency-Key") {
        common.push(("409", "KeyInUse"));
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

/// The answers that calls share, and how a caller says who they are.
fn common() -> Components {
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
    let answers = [
        ("Malformed", "Not in order", "The request body must be a JSON object.", false),
        ("NotLoggedIn", "No token where one is needed, or one that does not hold", "Please log in.", false),
        ("KeyInUse", "The `Idempotency-Key` has been sent with another body, or is under way", KEY, true),
        ("TooLarge", "The body is over 64 KB", "The request body is too large.", false),
        ("TooMany", "Too many of these", "Too many requests. Try again later.", true),
        ("Failed", "It went wrong on our side", FAILED, false),
        ("Unavailable", "Busy, or something behind us does not answer; nothing was done", FAILED, true),
    ];
    answers
        .into_iter()
        .fold(ComponentsBuilder::new(), |components, (name, description, message, waits)| {
            components.response(name, answer(description, message, waits))
        })
        .schema(Refusal::name(), Refusal::schema())
        .security_scheme("bearer", SecurityScheme::Http(bearer))
        .build()
}

const KEY: &str = "This request is still being processed. Try again in a moment.";
const FAILED: &str = crate::http::TRY_AGAIN;

fn answer(description: &str, message: &str, waits: bool) -> Response {
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name(Refusal::name())))
        .example(Some(json!({ "message": message })))
        .build();
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
