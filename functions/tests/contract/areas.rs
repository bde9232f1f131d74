//! Every layer has the folders of the table in README.md, "Where to find it", and no others: whoever knows one layer
//! finds the others. And what the table says is in a folder is there.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Each layer of Rust, and what may lie at its root beside the areas.
const LAYERS: [(&str, &[&str]); 5] = [
    ("functions/src", &["lib.rs", "main.rs"]),
    ("shared/app/src", &["lib.rs"]),
    ("shared/domain/src", &["lib.rs"]),
    ("shared/store/src", &["lib.rs"]),
    // What the tests share, and the chapter of attacks.
    ("functions/tests/api", &["main.rs", "support", "people"]),
];

/// The web app's features, and those that are of no area; what no area owns lies beside them, in `lib`, `api` and `components`.
const WEB: (&str, &[&str]) = ("web/src/features", &["contact", "install", "news", "welcome"]);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// The table's lines: "| `area` | its files |".
fn areas() -> BTreeMap<String, String> {
    let document = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, section) =
        document.split_once("\n### Where to find it\n").expect("a section \"Where to find it\"");
    let section = section.split("\n## ").next().unwrap_or_default();
    let lines = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    lines.map(|(area, what)| (area.to_owned(), what.to_owned())).collect()
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn every_layer_has_all_areas_and_nothing_beside_them() {
    let areas: BTreeSet<String> = areas().into_keys().collect();
    assert!(areas.len() > 5, "{areas:?}");
    for (layer, own) in LAYERS {
        let mut expected = areas.clone();
        expected.extend(own.iter().map(|name| (*name).to_owned()));
        assert_eq!(
            names(&root().join(layer)),
            expected,
            "{layer}: README.md, \"Where to find it\", has the areas"
        );
    }
    let (web, own) = WEB;
    let mut expected: BTreeSet<String> = areas.into_iter().filter(|area| area != "platform").collect();
    expected.extend(own.iter().map(|name| (*name).to_owned()));
    assert_eq!(names(&root().join(web)), expected, "{web}: README.md, \"Where to find it\", has the areas");
}

/// A name in backticks in an area's line is a file or a folder of that area: `prompts`, `points/scoring`.
#[test]
fn what_the_table_names_is_in_its_area() {
    let mut wrong = Vec::new();
    for (area, what) in areas() {
        let named: Vec<&str> = what.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "README.md does not say what is in {area}");
        for name in named {
            let is_there = LAYERS.iter().any(|(layer, _)| {
                let place = root().join(layer).join(&area).join(name);
                place.exists() || place.with_extension("rs").exists()
            });
            if !is_there {
                wrong.push(format!("{area}/{name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "no layer has what README.md names: {wrong:?}");
}

fn beside(folder: &Path, found: &mut Vec<PathBuf>) {
    for name in names(folder) {
        let path = folder.join(&name);
        if !path.is_dir() {
            continue;
        }
        if path.with_extension("rs").exists() || !path.join("mod.rs").exists() {
            found.push(path.clone());
        }
        beside(&path, found);
    }
}

/// One form in every layer of Rust: `leagues/mod.rs`, never `leagues.rs` beside `leagues/`.
#[test]
fn a_folder_has_its_own_file_in_it() {
    let mut found = Vec::new();
    for (layer, _) in LAYERS {
        beside(&root().join(layer), &mut found);
    }
    assert!(found.is_empty(), "no mod.rs in, or a file beside: {found:?}");
}
