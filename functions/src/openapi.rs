//! The OpenAPI document, made from the table.

use utoipa::openapi::{
    Components, Info, OpenApi, OpenApiBuilder, Paths, RefOr,
    security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};

use crate::endpoints;

/// The whole API. `web/src/api/openapi.json` is this, committed.
#[must_use]
pub fn document() -> OpenApi {
    let mut paths = Paths::new();
    let mut components = Components::new();
    for endpoint in endpoints() {
        for (path, item) in endpoint.paths.paths {
            match paths.paths.get_mut(&path) {
                Some(known) => known.merge_operations(item),
                None => {
                    paths.paths.insert(path, item);
                }
            }
        }
        components.schemas.extend(endpoint.schemas);
    }
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
    components.security_schemes.insert("bearer".to_owned(), RefOr::T(SecurityScheme::Http(bearer)));
    let mut info = Info::new("FPL Leagues", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "Weekly leagues of ten for Fantasy Premier League players in Kenya. Money is whole KES, times \
         are RFC 3339 in UTC, refusals are `{\"message\": …}`."
            .to_owned(),
    );
    OpenApiBuilder::new().info(info).paths(paths).components(Some(components)).build()
}
