//! The OpenAPI document, made from the table. A handler declares what is its own; what holds for every
//! call and every field of a kind is added by rule, so that no handler has to remember it.

mod answers;
mod schemas;

use utoipa::openapi::{
    Info, License, OpenApi, OpenApiBuilder, Paths, Server,
    path::{Operation, PathItem},
};

use crate::endpoints;

/// The whole API. `web/src/api/openapi.json` is this, committed.
#[must_use]
pub fn document() -> OpenApi {
    let mut paths = Paths::new();
    let mut components = answers::common();
    for endpoint in endpoints() {
        let describe = endpoint.describe.expect("the table describes every endpoint");
        let (schemas, described, _) = describe();
        for (path, mut item) in described.paths {
            operations(&mut item).for_each(|operation| {
                answers::complete(operation);
                if endpoint.is_public {
                    answers::complete_public(operation);
                }
                schemas::complete_parameters(operation);
                schemas::complete_body(operation);
                // Nothing is wanted of who calls.
                operation.security.get_or_insert_default();
            });
            match paths.paths.get_mut(&path) {
                Some(known) => known.merge_operations(item),
                None => {
                    paths.paths.insert(path, item);
                }
            }
        }
        components.schemas.extend(schemas);
    }
    schemas::complete(&mut components);
    let mut info = Info::new("FPL Leagues", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "Weekly leagues of ten for Fantasy Premier League players in Kenya. Money is whole KES, times \
         are RFC 3339 in UTC, refusals are `{\"message\": …}`. Every answer carries `x-request-id`, which \
         names it in the log. A token that is sent and does not hold is refused on every call, public \
         ones too, but those that answer everybody the same: they have an `etag` and read no token. Unknown fields are ignored."
            .to_owned(),
    );
    info.license = Some(license());
    // The page and the API have one origin.
    OpenApiBuilder::new()
        .info(info)
        .servers(Some([Server::new("/")]))
        .paths(paths)
        .components(Some(components))
        .build()
}

/// What `LICENSE` says, by the name that `Cargo.toml` gives it.
fn license() -> License {
    let mut license = License::new("All rights reserved");
    license.identifier = Some(env!("CARGO_PKG_LICENSE").to_owned());
    license
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
}
