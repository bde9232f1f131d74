//! What the files of a crate import from each other makes no circle: each can be read, and changed, with what it
//! stands on alone.
//!
//! A path leads to the file that has what is named, through the `pub use` of a folder's `mod.rs`. A file and the
//! `mod.rs` of a folder that it lies in (or `lib.rs`) count as one place: what they import from each other is left out.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

const SOURCES: [&str; 8] = [
    "functions/src",
    "shared/app/src",
    "shared/clients/src",
    "shared/domain/src",
    "shared/store/src",
    "infra/bench/src",
    "infra/local/src",
    "infra/sim/src",
];

/// The modules on the way to something, from the crate on.
type Names = Vec<String>;

/// A file of a crate.
struct Source {
    path: String,
    imports: BTreeSet<Names>,
    /// What it hands on under a name of its own.
    exports: BTreeMap<String, Names>,
}

type Sources = BTreeMap<Names, Source>;

fn sources(folder: &str) -> Sources {
    let mut files = Vec::new();
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    rust_files(&workspace.join(folder), &mut Vec::new(), &mut files);
    files.into_iter().map(|(names, path)| (names.clone(), source(folder, names, &path))).collect()
}

fn rust_files(folder: &Path, inside: &mut Names, files: &mut Vec<(Names, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name.ends_with("tests") || name == "main" {
            continue;
        }
        inside.push(name.clone());
        if path.is_dir() {
            rust_files(&path, inside, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let own = if name == "mod" || name == "lib" { &inside[..inside.len() - 1] } else { &inside[..] };
            files.push((own.to_vec(), path.to_str().unwrap().to_owned()));
        }
        inside.pop();
    }
}

fn source(folder: &str, names: Names, path: &str) -> Source {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("\nmod tests {").next().unwrap_or_default();
    let code = code.lines().filter_map(|line| line.split("//").next()).collect::<Vec<_>>().join("\n");
    let (mut imports, mut exports) = (BTreeSet::new(), BTreeMap::new());
    for (is_export, tree) in uses(&code) {
        for path in expand(&tree) {
            let Some(absolute) = absolute(&names, &path, is_export) else { continue };
            if let Some(name) = path.last().filter(|_| is_export) {
                exports.insert(name.clone(), absolute.clone());
            }
            imports.insert(absolute);
        }
    }
    for word in code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
        if word.starts_with("crate::") || word.starts_with("super::") {
            imports.extend(absolute(&names, &expand(word)[0], false));
        }
    }
    let path = path.split_once(folder).map_or(path, |(_, rest)| rest);
    Source { path: format!("{folder}{path}"), imports, exports }
}

/// What stands behind each `use`, and whether it is handed on.
fn uses(code: &str) -> Vec<(bool, String)> {
    let (mut found, mut lines) = (Vec::new(), code.lines());
    while let Some(line) = lines.next() {
        let line = line.trim_start();
        let exported = || Some((true, line.strip_prefix("pub")?.split_once(" use ")?.1));
        let own = line.strip_prefix("use ").map(|tree| (false, tree));
        let Some((is_export, first)) = own.or_else(exported) else { continue };
        let mut tree = first.to_owned();
        while !tree.contains(';') {
            let Some(line) = lines.next() else { break };
            tree.push_str(line.trim());
        }
        found.push((is_export, tree.replace(';', "")));
    }
    found
}

/// `a::{b, c::{d, e as f}}` as each of its paths.
fn expand(tree: &str) -> Vec<Names> {
    let Some((stem, branches)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![
            path.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect(),
        ];
    };
    let branches = branches.trim_end().strip_suffix('}').unwrap_or(branches);
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in branches.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            parts.push(String::new());
        } else {
            parts.last_mut().unwrap().push(c);
        }
    }
    let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expand(&format!("{stem}{}", part.trim()))).collect()
}

/// A path from the crate on; `None` where it is another crate's. One that is handed on may begin with a module below.
fn absolute(from: &Names, path: &Names, is_export: bool) -> Option<Names> {
    let mut at = match path.first()?.as_str() {
        "crate" => Names::new(),
        "self" | "super" => from.clone(),
        _ if is_export => from.iter().chain(&path[..1]).cloned().collect(),
        _ => return None,
    };
    let ups = path.iter().take_while(|name| *name == "super").count();
    at.truncate(at.len().saturating_sub(ups));
    at.extend(path.iter().skip(ups.max(1)).filter(|name| *name != "self" && *name != "*").cloned());
    Some(at)
}

/// The file that has what a path names.
fn resolved<'a>(sources: &'a Sources, path: &[String], steps: usize) -> Option<(&'a Names, &'a Source)> {
    let depth = (0..=path.len()).rev().find(|depth| sources.contains_key(&path[..*depth]))?;
    let (names, source) = sources.get_key_value(&path[..depth])?;
    let further = path.get(depth).and_then(|name| source.exports.get(name)).filter(|_| steps > 0);
    further.and_then(|further| resolved(sources, further, steps - 1)).or(Some((names, source)))
}

/// Each file with those that it stands on.
fn imports(sources: &Sources) -> BTreeMap<&str, BTreeSet<&str>> {
    let of = |(names, source): (&Names, &Source)| {
        let there = source.imports.iter().filter_map(|path| resolved(sources, path, 5));
        let apart = there.filter(|(there, _)| !there.starts_with(names) && !names.starts_with(there));
        apart.map(|(_, there)| there.path.as_str()).collect()
    };
    sources.iter().map(|(names, source)| (source.path.as_str(), of((names, source)))).collect()
}

fn reached<'a>(imports: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &str) -> BTreeSet<&'a str> {
    let (mut reached, mut next) = (BTreeSet::new(), imports[from].iter().copied().collect::<Vec<_>>());
    while let Some(file) = next.pop() {
        if reached.insert(file) {
            next.extend(&imports[file]);
        }
    }
    reached
}

/// The files that reach each other, and so themselves.
fn circles(folder: &str) -> BTreeSet<BTreeSet<String>> {
    let sources = sources(folder);
    let imports = imports(&sources);
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        imports.keys().map(|file| (*file, reached(&imports, file))).collect();
    let with = |file: &str| {
        let mutual = reached[file].iter().filter(|other| reached[**other].contains(file));
        mutual.map(|other| (*other).to_owned()).collect::<BTreeSet<String>>()
    };
    imports.keys().map(|file| with(file)).filter(|circle| !circle.is_empty()).collect()
}

/// What tests share is in `support`. A test that is a folder has parts, which import each other.
#[test]
fn a_test_imports_support_and_no_other_test() {
    for folder in ["functions/tests/api", "functions/tests/contract"] {
        let sources = sources(folder);
        assert!(sources.len() > 10, "{folder}");
        // The paths in this file's own tests are none.
        let tests = sources.iter().filter(|(names, _)| names[0] != "support" && names[0] != "circles");
        for (names, source) in tests {
            let own = &names[..names.len().min(2)];
            let is_shared = |path: &&Names| path[0] == "support" || path.starts_with(own);
            let others: Vec<&Names> =
                source.imports.iter().filter(|path| !path.is_empty() && !is_shared(path)).collect();
            assert!(others.is_empty(), "{} imports {others:?}", source.path);
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let found: Vec<BTreeSet<String>> = SOURCES.iter().flat_map(|folder| circles(folder)).collect();
    assert!(found.is_empty(), "these files import each other in a circle: {found:#?}");
}

#[test]
fn paths_are_read_as_they_are_written() {
    let names = |text: &str| text.split("::").map(str::to_owned).collect::<Names>();
    let tree = "crate::{a::{B, c::{self, D as E}}, f::*}";
    let expected = ["crate::a::B", "crate::a::c::self", "crate::a::c::D", "crate::f::*"].map(names);
    assert_eq!(expand(tree), expected);
    let from = names("x::y");
    let at = |path: &str, is_export| absolute(&from, &names(path), is_export);
    assert_eq!(at("crate::a::c::self", false), Some(names("a::c")));
    assert_eq!(at("super::z::T", false), Some(names("x::z::T")));
    assert_eq!(at("super::super::z", false), Some(names("z")));
    assert_eq!(at("below::T", true), Some(names("x::y::below::T")));
    assert_eq!(at("serde::Serialize", false), None);
    let app = imports_of_the_app();
    assert!(app.len() > 50 && app.values().any(|files| files.len() > 3), "{app:?}");
}

/// What is found at all: a test that reads nothing finds no circle.
fn imports_of_the_app() -> BTreeMap<String, BTreeSet<String>> {
    let sources = sources("shared/app/src");
    let owned = |files: BTreeSet<&str>| files.into_iter().map(str::to_owned).collect();
    imports(&sources).into_iter().map(|(file, files)| (file.to_owned(), owned(files))).collect()
}
