//! What is uploaded links nothing that it has no use for: each of these costs every cold start, or the size of the binary.
//! Cargo is asked about `functions` alone, as `infra/package.sh` builds it; the tests' own crates are not in that.

use std::{collections::BTreeSet, process::Command};

/// Each with why it is not wanted.
const NEVER: &[(&str, &str)] = &[
    ("aws-config", "it costs a cold start more than everything else together"),
    ("aws-lc-rs", "one implementation of TLS: rustls with ring"),
    ("aws-lc-sys", "one implementation of TLS: rustls with ring"),
    ("aws-smithy-http-client", "it reads every root of the machine and links HTTP/2"),
    ("chrono-tz", "Kenya's day needs no time zones"),
    ("curve25519-dalek", "ring has the signatures"),
    ("chrono", "jiff has instants"),
    ("encoding_rs", "everything here is UTF-8"),
    ("h2", "nothing that is called here wants HTTP/2"),
    ("native-tls", "one implementation of TLS: rustls with ring"),
    ("openssl-sys", "one implementation of TLS: rustls with ring"),
    ("p256", "ring has the signatures"),
    ("phonenumber", "one call of it costs more than a hundred cold starts"),
    ("regex", "the log's filter and all parsing go without"),
    ("regex-automata", "the log's filter and all parsing go without"),
];

fn linked() -> BTreeSet<String> {
    let tree = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["tree", "--locked", "--offline", "--prefix", "none", "--edges", "normal,no-proc-macro"])
        .args(["--package", "functions", "--target", "aarch64-unknown-linux-gnu", "--format", "{p}"])
        .output()
        .unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let lines = String::from_utf8(tree.stdout).unwrap();
    lines.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn what_is_uploaded_links_nothing_it_has_no_use_for() {
    let linked = linked();
    assert!(linked.contains("rustls") && linked.contains("aws-sdk-dynamodb"), "{linked:?}");
    for (name, why) in NEVER {
        assert!(!linked.contains(*name), "{name}: {why} (cargo tree -p functions -e normal -i {name})");
    }
}

/// Features of the tests and the local run, which Cargo switches on for all that is built together.
#[test]
fn the_document_is_not_uploaded() {
    let manifest = include_str!("../../Cargo.toml");
    assert!(!manifest.contains("default ="), "a default feature would be uploaded");
    let package = include_str!("../../../infra/package.sh");
    assert!(package.contains(" -p functions --bin bootstrap ") && !package.contains("--workspace"));
}

/// By default a panic unwinds, and it has to: it ends the message or the request that it happens in, and nothing beside it
/// (`platform/throttling.rs`, `one_message_that_panics_takes_no_other_with_it`).
#[test]
fn a_panic_unwinds_in_what_is_uploaded() {
    for profile in ["deploy", "release"] {
        let header = format!("[profile.{profile}]");
        let manifest = include_str!("../../../Cargo.toml").lines();
        let mut of_profile = manifest.skip_while(|line| *line != header);
        assert!(of_profile.next().is_some(), "{header} is there");
        let settings = of_profile.take_while(|line| !line.starts_with('['));
        let keys: Vec<_> =
            settings.filter_map(|line| line.split_once('=')).map(|(key, _)| key.trim()).collect();
        assert!(!keys.is_empty(), "{header} is read");
        assert!(
            !keys.contains(&"panic"),
            "{header} says what a panic does. With \"abort\" one message that panics takes the nine others of its batch with \
             it, and the process (docs/decisions.md, \"A panic unwinds in what is uploaded too\")"
        );
    }
    let package = include_str!("../../../infra/package.sh");
    assert!(!package.contains("panic="), "nor does the command that builds it");
}
