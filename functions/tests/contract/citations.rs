//! Every citation of a document resolves, in code, tests and the documents themselves. The forms:
//! `docs/decisions.md, "Heading"`, where a bold title counts as a heading, and `spec §5 "Withdrawal"`, a section of
//! docs/specification.md with a title in it (`spec sections 2 and 5` in the titles of the web's tests).

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// How the names of files end that may cite.
const KINDS: [&str; 15] = [
    "rs", "ts", "tsx", "mjs", "js", "css", "html", "yaml", "yml", "sh", "py", "toml", "md", "env", "Makefile",
];

/// What is made from the rest.
const SKIPPED: [&str; 6] = ["target", "node_modules", "dist", "test-results", "playwright-report", "shots"];

/// What a line of a comment begins with; of two that fit the longer one stands first.
const LEADERS: [&str; 8] = ["//!", "///", "//", "/**", "/*", "*/", "*", "#"];

/// Citations of decisions that do not name the document.
const INCOMPLETE: [&str; 4] = [" (decisions, \"", " (decisions)", "; decisions, \"", " decisions (\""];

/// Where a citation stands in the text, and what is wrong with it.
type Cited = (usize, Option<String>);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let skipped = name.starts_with('.') || SKIPPED.contains(&name.as_str());
        if path.is_dir() && !skipped {
            sources(&path, found);
        } else if path.is_file() && KINDS.contains(&name.rsplit('.').next().unwrap_or_default()) {
            found.push(path);
        }
    }
}

/// A file as running text, without the marks of comments: a citation may go over the end of a line.
struct Prose {
    text: String,
    /// Where each line begins in it.
    starts: Vec<usize>,
}

impl Prose {
    fn of(source: &str, markdown: bool) -> Self {
        let (mut text, mut starts) = (String::new(), Vec::new());
        for line in source.lines().map(str::trim) {
            starts.push(text.len());
            let said = LEADERS.iter().find_map(|leader| line.strip_prefix(*leader)).unwrap_or(line);
            let said = if markdown { line } else { said.trim_start() };
            text.push_str(&said.replace("\\\"", "\""));
            text.push(' ');
        }
        Self { text, starts }
    }

    /// The number of the line that holds what stands at `at`.
    fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }
}

/// What a document can be cited by: its headings and its bold titles.
fn titles(document: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for line in document.lines() {
        if line.starts_with('#') {
            found.insert(line.trim_start_matches('#').trim());
        }
        let bold = line.split("**").skip(1).step_by(2);
        found.extend(bold.map(|title| title.trim_end_matches(['.', ','])));
    }
    found
}

/// The specification's sections by their numbers, each with its titles.
fn sections(specification: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let parts = specification.split("\n## ").skip(1);
    parts.filter_map(|part| Some((part.split_once('.')?.0, titles(part)))).collect()
}

/// A heading as a link's address has it.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

/// The titles that follow a document's name: `, "one"`, `, "one" and "another"`.
fn quoted(mut rest: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    loop {
        let further = if found.is_empty() { None } else { rest.strip_prefix(" and \"") };
        let next = rest.strip_prefix(", \"").or(further);
        let Some((title, after)) = next.and_then(|next| next.split_once('"')) else { return found };
        found.push(title);
        rest = after;
    }
}

fn is_of_a_path(c: char) -> bool {
    c.is_alphanumeric() || "-_./".contains(c)
}

/// Documents by their paths (from the root, from `web`, or from the file's own folder), with anchors and titles.
fn documents(text: &str, folder: &Path) -> Vec<Cited> {
    let mut cited = Vec::new();
    for (end, suffix) in text.match_indices(".md") {
        let after = &text[end + suffix.len()..];
        let start = text[..end].trim_end_matches(is_of_a_path).len();
        if start == end || after.starts_with(char::is_alphanumeric) {
            continue;
        }
        let path = &text[start..end + suffix.len()];
        let places = [root(), root().join("web"), folder.to_owned()];
        let Some(file) = places.iter().map(|place| place.join(path)).find(|file| file.is_file()) else {
            cited.push((start, Some(format!("there is no {path}"))));
            continue;
        };
        cited.push((start, None));
        let document = fs::read_to_string(file).unwrap();
        let there = titles(&document);
        if let Some(link) = after.strip_prefix('#') {
            let length = link.find(|c: char| !is_of_a_path(c)).unwrap_or(link.len());
            let link = &link[..length];
            let is_there = there.iter().any(|title| anchor(title) == link);
            cited.push((start, (!is_there).then(|| format!("{path} has no #{link}"))));
        }
        for title in quoted(after) {
            let is_there = there.contains(title);
            cited.push((start, (!is_there).then(|| format!("{path} has no \"{title}\""))));
        }
    }
    cited
}

/// One list of sections, from its first number on: "2, §4 "Deposit"" after a `§`, "2, 4 and 8" after a word.
fn listed(
    text: &str,
    from: usize,
    sign: &str,
    sections: &BTreeMap<&str, BTreeSet<&str>>,
    cited: &mut Vec<Cited>,
) {
    let mut rest = &text[from..];
    loop {
        let at = text.len() - rest.len();
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, after) = rest.split_at(length);
        if number.is_empty() {
            return;
        }
        rest = after;
        let section = sections.get(number);
        cited.push((at, section.is_none().then(|| format!("the specification has no section {number}"))));
        let quote = rest.strip_prefix(" \"").or(rest.strip_prefix(", \""));
        if let Some((title, after)) =
            quote.filter(|_| !sign.is_empty()).and_then(|quote| quote.split_once('"'))
        {
            let is_there = section.is_some_and(|titles| titles.contains(title));
            cited.push((at, (!is_there).then(|| format!("section {number} has no \"{title}\""))));
            rest = after;
        }
        let next = rest.strip_prefix(", ").or(rest.strip_prefix(" and "));
        let Some(next) = next.and_then(|next| next.strip_prefix(sign)) else { return };
        rest = next;
    }
}

/// Sections of the specification, and those of which nobody says what they are sections of.
fn in_specification(text: &str, sections: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<Cited> {
    let mut cited = Vec::new();
    for (at, word) in text.match_indices("pec ") {
        if !text[..at].ends_with(['s', 'S']) {
            continue;
        }
        let from = at + word.len();
        for (opening, sign) in [("§", "§"), ("section ", ""), ("sections ", "")] {
            if text[from..].starts_with(opening) {
                listed(text, from + opening.len(), sign, sections, &mut cited);
            }
        }
    }
    let known: BTreeSet<usize> = cited.iter().map(|(at, _)| *at).collect();
    for (at, sign) in text.match_indices('§') {
        let number = at + sign.len();
        let numbered = text[number..].starts_with(|c: char| c.is_ascii_digit());
        let of_an_rfc = text[..at].rsplit('(').next().unwrap_or_default().contains("RFC");
        if numbered && !of_an_rfc && !known.contains(&number) {
            cited.push((at, Some("a section of what? Write `spec §n`".to_owned())));
        }
    }
    cited
}

fn incomplete(text: &str) -> Vec<Cited> {
    let found = INCOMPLETE.iter().flat_map(|form| text.match_indices(*form));
    // Each form begins with a character that may be the end of the line before.
    found.map(|(at, _)| (at + 1, Some("write `docs/decisions.md, \"Heading\"`".to_owned()))).collect()
}

#[test]
fn every_citation_resolves() {
    let root = root();
    let specification = fs::read_to_string(root.join("docs/specification.md")).unwrap();
    let sections = sections(&specification);
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut all = 0;
    let mut wrong = Vec::new();
    for file in files {
        // This one has examples of what is wrong.
        if file.ends_with("functions/tests/contract/citations.rs") {
            continue;
        }
        let markdown = file.extension().is_some_and(|extension| extension == "md");
        let prose = Prose::of(&fs::read_to_string(&file).unwrap(), markdown);
        let mut cited = documents(&prose.text, file.parent().expect("a folder"));
        cited.extend(in_specification(&prose.text, &sections));
        cited.extend(incomplete(&prose.text));
        all += cited.len();
        let name = file.strip_prefix(&root).expect("under the root").display();
        for (at, what) in cited {
            wrong.extend(what.map(|what| format!("{name}:{}: {what}", prose.line(at))));
        }
    }
    assert!(all > 300, "only {all} citations were found");
    assert!(wrong.is_empty(), "of {all} citations these do not resolve:\n{}", wrong.join("\n"));
}

/// Every file and folder, with its path from the root; a Rust file also without its ending, as a module is named.
fn paths(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if SKIPPED.contains(&name.as_str()) || path.is_dir() && name.starts_with('.') {
            continue;
        }
        let relative = path.strip_prefix(root()).expect("under the root").to_string_lossy().into_owned();
        found.extend(relative.strip_suffix(".rs").map(str::to_owned));
        found.insert(relative);
        if path.is_dir() {
            paths(&path, found);
        }
    }
}

/// What a document names in backticks like a file, from the root or shortened: `daraja/push.rs`. In README also what is
/// written like a folder.
fn named_files(document: &str, readme: bool) -> impl Iterator<Item = &str> {
    let plain = document.split("```").step_by(2);
    let quoted = plain.flat_map(|text| text.split('`').skip(1).step_by(2));
    quoted.filter(move |name| {
        let is_path = name.chars().all(is_of_a_path) && !name.starts_with(['/', '.']) && !name.ends_with('/');
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        let is_file = ending.is_some_and(|ending| KINDS.contains(&ending) || ending == "json");
        is_path && (is_file || readme && name.contains('/'))
    })
}

#[test]
fn every_file_that_a_document_names_is_there() {
    let mut all = BTreeSet::new();
    paths(&root(), &mut all);
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in all.iter().filter(|path| path.ends_with(".md")) {
        let document = fs::read_to_string(root().join(path)).unwrap();
        for name in named_files(&document, path == "README.md") {
            count += 1;
            let end = format!("/{name}");
            if !all.contains(name) && !all.iter().any(|path| path.ends_with(&end)) {
                wrong.push(format!("{path}: {name}"));
            }
        }
    }
    assert!(count > 100, "only {count} names were found");
    assert!(wrong.is_empty(), "of {count} these are not there:\n{}", wrong.join("\n"));
}

#[test]
fn what_is_named_like_a_file_is_found() {
    let document = "`daraja/push.rs`, `Store::get`, `src/api`, `/healthz`, `a.b c.rs`\n```\n`none.rs`\n```\n";
    assert_eq!(named_files(document, false).collect::<Vec<_>>(), ["daraja/push.rs"]);
    assert_eq!(named_files(document, true).collect::<Vec<_>>(), ["daraja/push.rs", "src/api"]);
}

#[test]
fn what_does_not_resolve_is_found() {
    let sections = BTreeMap::from([("5", BTreeSet::from(["Join"])), ("6", BTreeSet::new())]);
    let wrong = |source: &str| {
        let prose = Prose::of(source, false);
        let mut cited = documents(&prose.text, &root());
        cited.extend(in_specification(&prose.text, &sections));
        cited.extend(incomplete(&prose.text));
        cited.into_iter().filter(|(_, what)| what.is_some()).map(|(at, _)| prose.line(at)).collect::<Vec<_>>()
    };
    for right in [
        "//! Entries (spec §5 \"Join\", §6; docs/decisions.md, \"Limits\").",
        "/// A prompt (docs/decisions.md, \"Limits on\n/// prompts\" and \"Frozen\").",
        "test(\"a guest (spec sections 5 and 6)\", () => {",
        "// The scheme's (RFC 9380, §3.1).",
        "[the areas](docs/architecture.md#the-areas)",
    ] {
        assert!(wrong(right).is_empty(), "{right}");
    }
    let cases: [(&str, &[usize]); 8] = [
        ("use app;\n\n// Told before (docs/facts.md).", &[3]),
        ("/// A prompt (docs/decisions.md, \"Limits\n/// to prompts\").", &[1]),
        ("/// A prompt (docs/decisions.md, \"Limits\" and\n/// \"Against people\").", &[1]),
        ("// Once\n// (decisions, \"Money\").", &[2]),
        ("// Refused (spec §5 \"Joining\", §7).", &[1, 1]),
        ("// Refused (spec sections 5 and 7).", &[1]),
        ("// Refused (§5).", &[1]),
        ("[the areas](docs/architecture.md#areas)", &[1]),
    ];
    for (cites, lines) in cases {
        assert_eq!(wrong(cites), lines, "{cites}");
    }
}
