//! docs/privacy.md has a line for each kind of item that the job and "my data" know, and those have one for each of the
//! store's table: what is new is said there, or it is found here.

use std::{fs, path::Path};

use store::platform::kinds::{AtClosing, KINDS, kind_of};

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    fs::read_to_string(root.join(path)).unwrap()
}

/// The cells of a table's rows.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| line.starts_with("| ")).map(|line| {
        let line = line.trim_matches('|');
        line.split('|').map(str::trim).collect()
    })
}

/// What is in backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn each_kind_has_its_line() {
    let text = read("docs/privacy.md");
    let table = text.split("| pk | sk |").nth(1).expect("the table of kinds");
    let lines: Vec<Vec<&str>> = rows(table).filter(|row| row[0].starts_with('`')).collect();
    let told: Vec<(&str, &str)> =
        lines.iter().map(|row| (row[0].trim_matches('`'), row[1].trim_matches('`'))).collect();
    let known: Vec<(&str, &str)> = KINDS.iter().map(|kind| (kind.pk, kind.sk)).collect();
    assert_eq!(told, known);
    for (row, kind) in lines.iter().zip(KINDS) {
        let [_, _, what, why, how_long, who] = row[..] else { panic!("{row:?}") };
        assert!([what, why, how_long, who].iter().all(|cell| !cell.is_empty()), "{row:?}");
        let for_ever = ["always", "books"].contains(&how_long);
        assert!(kind.at_closing != AtClosing::Removed || !for_ever, "{row:?} goes with the account");
        assert!(
            kind.at_closing != AtClosing::Nameless || how_long == "books" || how_long.contains(" days "),
            "{row:?} stays without a name, or for a time"
        );
    }
}

/// The store's own table of entities: of each the kind is known.
#[test]
fn what_the_store_keeps_is_of_a_known_kind() {
    let text = read("shared/store/README.md");
    let entities = text.split("| access | how |").next().unwrap();
    let mut known = 0;
    for row in rows(entities).filter(|row| row.len() == 4 && row[3].ends_with(".rs")) {
        for pk in quoted(row[1]).into_iter().filter(|pk| !pk.starts_with("20")) {
            // `2026-03`, say, in the place of what a key has beside its fixed beginning.
            let sks = quoted(row[2]);
            let sks = if sks.is_empty() { vec!["00001"] } else { sks };
            for sk in sks.iter().filter(|sk| !sk.starts_with("20")) {
                assert!(
                    kind_of(pk, sk).is_some(),
                    "{pk} {sk}: a line in KINDS and in docs/privacy.md is missing"
                );
                known += 1;
            }
        }
    }
    assert!(known > 60, "{known}");
}
