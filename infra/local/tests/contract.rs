//! The binary from outside: its lines, its refusals, its stop.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io::{BufRead, BufReader, Read},
    net::TcpListener,
    process::{Child, Command, Stdio},
};

struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn command(vars: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
    for name in [
        "PORT",
        "DATA_DIR",
        "DYNAMODB_ENDPOINT",
        "SIM_CLOCK",
        "ADMIN_EMAIL",
        "ADMIN_PASSWORD",
        "LIMITS",
        "DARAJA_BASE_URL",
    ] {
        command.env_remove(name);
    }
    command.env("DATA_DIR", "memory").envs(vars.iter().copied());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn free_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port().to_string()
}

/// Starts and says the lines before the log.
fn start(vars: &[(&str, &str)]) -> (Started, Vec<String>) {
    let mut child = Started(command(vars).stderr(Stdio::null()).spawn().unwrap());
    let out = BufReader::new(child.0.stdout.take().unwrap());
    let lines: Vec<String> = out.lines().take(3).collect::<Result<_, _>>().unwrap();
    (child, lines)
}

/// The one line that a refused start prints.
fn refused(vars: &[(&str, &str)]) -> String {
    let output = command(vars).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text.trim().to_owned()
}

/// The same, where no other program has the port that is asked for: another test's may take it just then.
fn refused_on_a_free_port(var: (&str, &str)) -> String {
    let mut lines = (0..10).map(|_| refused(&[("PORT", &free_port()), var]));
    lines.find(|line| !line.ends_with("is taken by another program")).unwrap()
}

#[test]
fn it_says_who_the_admin_is_where_the_world_is_and_that_it_is_ready() {
    let port = free_port();
    let (_child, lines) =
        start(&[("PORT", &port), ("ADMIN_EMAIL", "boss@fpl.test"), ("ADMIN_PASSWORD", "secret-1")]);
    let url = format!("http://localhost:{port}");
    assert_eq!(
        lines,
        ["admin boss@fpl.test secret-1".to_owned(), format!("world {url}/sim/"), format!("ready {url}")]
    );
}

#[test]
fn a_made_up_password_is_printed_once_and_a_restart_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let port = free_port();
    let vars = [("PORT", port.as_str()), ("DATA_DIR", dir.path().to_str().unwrap())];
    let (mut child, lines) = start(&vars);
    let password = lines[0].strip_prefix("admin admin@fplleagues.test ").expect("the password is there");
    assert!(password.len() >= 6);
    assert!(refused_on_a_free_port(vars[1]).contains("another run is using it"));
    let stop = Command::new("kill").args(["-TERM", &child.0.id().to_string()]).status().unwrap();
    assert!(stop.success());
    assert!(child.0.wait().unwrap().success(), "a clean stop is a success");
    let (_child, lines) = start(&vars);
    assert_eq!(lines[0], "admin admin@fplleagues.test");
}

#[test]
fn a_taken_port_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    assert_eq!(refused(&[("PORT", &port)]), format!("local: PORT: {port} is taken by another program"));
}

#[test]
fn values_that_are_not_understood_are_named() {
    for (name, value) in [
        ("PORT", "abc"),
        ("SIM_CLOCK", "x"),
        ("LIMITS", "foo"),
        ("OPEN_BROWSER", "2"),
        ("ADMIN_EMAIL", "x"),
        ("ADMIN_PASSWORD", "short"),
        ("DYNAMODB_ENDPOINT", "here"),
        ("DATA_DIR", "/dev/null/x"),
        ("DARAJA_BASE_URL", "https://api.safaricom.co.ke"),
    ] {
        let line = refused_on_a_free_port((name, value));
        assert!(line.starts_with(&format!("local: {name}: ")), "{line}");
    }
}

#[test]
fn a_template_that_is_not_understood_is_named_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("template.yaml");
    std::fs::write(&path, "Resources:\n  Thing:\n    Type: AWS::Kinesis::Stream\n").unwrap();
    let said = || refused_on_a_free_port(("TEMPLATE", path.to_str().unwrap()));
    assert_eq!(
        said(),
        "local: template.yaml: Thing: the local run does not know the type AWS::Kinesis::Stream"
    );
    let function = "Resources:
  F:
    Type: AWS::Serverless::Function
    Properties: { Handler: nobody, Role: !GetAtt R.Arn }
  R:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: '2012-10-17'
        Statement: [{ Effect: Allow, Principal: { Service: lambda.amazonaws.com }, Action: 'sts:AssumeRole' }]
      Policies: []
";
    std::fs::write(&path, function).unwrap();
    let line = said();
    assert!(line.starts_with("local: template.yaml: F: Handler nobody"), "{line}");
}

#[test]
fn the_log_is_json_lines_on_stderr() {
    let port = free_port();
    let mut child = Started(command(&[("PORT", &port)]).spawn().unwrap());
    let mut out = BufReader::new(child.0.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("ready") {
        line.clear();
        assert_ne!(out.read_line(&mut line).unwrap(), 0, "it ended before it was ready");
    }
    let mut answer = String::new();
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port.parse().unwrap())).unwrap();
    std::io::Write::write_all(
        &mut stream,
        b"GET /current-gameweek HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    )
    .unwrap();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let mut log = BufReader::new(child.0.stderr.take().unwrap());
    line.clear();
    log.read_line(&mut line).unwrap();
    serde_json::from_str::<serde_json::Value>(&line).expect("a line of the log is JSON");
}
