//! By what name a table is granted.

use crate::{ACCOUNT, REGION};

pub fn table_arn(table: &str, index: Option<&str>) -> String {
    let index = index.map(|index| format!("/index/{index}")).unwrap_or_default();
    format!("arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{table}{index}")
}
