//! The tests that docs/faults.md, docs/reliability.md, docs/security.md and docs/runbook.md name are there.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

fn sources(folder: &Path, found: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_test_that_a_document_names_is_there() {
    let read = |document: &str| fs::read_to_string(root().join(document)).unwrap();
    let documents =
        ["docs/faults.md", "docs/reliability.md", "docs/security.md", "docs/runbook.md"].map(read).join("\n");
    let mut tests = String::new();
    for folder in ["functions/src", "functions/tests", "infra", "shared"] {
        sources(&root().join(folder), &mut tests);
    }
    let words = documents.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    // Nothing else in them is written with two underscores, but settings in capitals.
    let is_test = |word: &&str| {
        word.trim_matches('_').matches('_').count() > 1 && word.chars().any(|c| c.is_ascii_lowercase())
    };
    let named: BTreeSet<&str> = words.filter(is_test).collect();
    assert!(named.len() > 50, "{}", named.len());
    // A long name may be cut short after one of its words.
    let is_there = |name: &str| {
        let forms = [format!("fn {name}("), format!("fn {name}_"), format!("mod {name};")];
        forms.iter().any(|form| tests.contains(form))
    };
    let gone: Vec<&str> = named.into_iter().filter(|name| !is_there(name)).collect();
    assert_eq!(gone, [""; 0]);
}
