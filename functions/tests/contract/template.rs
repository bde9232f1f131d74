//! `template.yaml` is what the table and `functions/template-base.yaml` make. `UPDATE=1` rewrites it.

use std::fs;

use crate::support::template::{root, template};

#[test]
fn the_committed_template_is_the_generated_one() {
    let (path, generated) = (root().join("template.yaml"), template());
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    assert!(
        fs::read_to_string(path).unwrap_or_default() == generated,
        "template.yaml is out of date: run `UPDATE=1 cargo test --locked --workspace --test contract`"
    );
}
