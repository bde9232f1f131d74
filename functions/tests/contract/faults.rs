//! The tests that docs/faults.md names are there.

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
fn every_test_that_the_list_of_faults_names_is_there() {
    let document = fs::read_to_string(root().join("docs/faults.md")).unwrap();
    let mut tests = String::new();
    for folder in ["functions/tests", "infra/local", "shared/domain", "shared/clients"] {
        sources(&root().join(folder), &mut tests);
    }
    let words = document.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    // Nothing else in the document is written with two underscores.
    let named: BTreeSet<&str> = words.filter(|word| word.matches('_').count() > 1).collect();
    assert!(named.len() > 50, "{}", named.len());
    let is_there =
        |name: &str| tests.contains(&format!("fn {name}(")) || tests.contains(&format!("mod {name};"));
    let gone: Vec<&str> = named.into_iter().filter(|name| !is_there(name)).collect();
    assert_eq!(gone, [""; 0]);
}
