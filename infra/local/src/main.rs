//! `make run`: starts a world with the settings of the environment, and stops it on Ctrl-C or
//! SIGTERM. `admin <email>` (`make admin`) makes an account an admin's instead, `no-admin <email>` ends that,
//! `lost-second-factor <email>` takes a second factor away; behind `deployed` each does so on AWS, with the settings of a
//! deployed function (`make admin STAGE=…`), and `paybill-address` shows where M-Pesa is to confirm payments to the paybill,
//! `paybill-registered` notes the address on stdin as the one where it does. `simulators` serves the
//! outside world alone, `verify-draw` checks a gameweek's draw and `verify-balance` that a wallet is in the sum (exit status 1: it does not hold).
//! What is wrong is one line on stderr and exit status 1.

use std::{io::Write, process::ExitCode};

use local::{LocalRun, OperatorsAct, Refusal, Settings, verify};
use tokio::signal::unix::{SignalKind, signal};

const KNOWN: &str = "none to start the world, admin <email>, no-admin <email>, lost-second-factor <email> (all three also \
                     behind deployed), deployed paybill-address, deployed paybill-registered, simulators, \
                     verify-draw <gameweek>, or verify-balance <file>";

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let log = functions::platform::http::log::subscriber(std::io::stderr);
    if tracing::subscriber::set_global_default(log).is_err() {
        eprintln!("local: something else has taken the log");
    }
    match run().await {
        Ok(code) => code,
        Err(refusal) => {
            eprintln!("local: {refusal}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<ExitCode, Refusal> {
    let var = |name: &str| std::env::var(name).ok();
    let settings = || Settings::from_vars(var);
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => serve(settings()?).await?,
        ["deployed", "paybill-address"] => say(&local::paybill_addresses(var).await?)?,
        // Other users of this machine see a command's arguments, and the address holds a secret.
        ["deployed", "paybill-registered"] => {
            let address = std::io::read_to_string(std::io::stdin());
            let address = address.map_err(|error| Refusal::new("stdin", error))?;
            local::note_paybill_address(var, address.trim()).await?;
            say("noted")?;
        }
        ["deployed", act, email] => {
            let act = named(act)?;
            local::deployed_operator(var, act, email).await?;
            done(act, email)?;
        }
        [act, email] if named(act).is_ok() => {
            let act = named(act)?;
            local::operator(&settings()?, act, email).await?;
            done(act, email)?;
        }
        ["verify-draw", ref words @ ..] => return verify_draw(words).await,
        ["verify-balance", ref words @ ..] => return verify_balance(words).await,
        ["simulators"] => local::simulators::serve().await?,
        _ => return Err(Refusal::new("arguments", KNOWN)),
    }
    Ok(ExitCode::SUCCESS)
}

async fn verify_draw(words: &[&str]) -> Result<ExitCode, Refusal> {
    let report = verify::run(&verify::Options::parse(words)?).await?;
    writeln!(std::io::stdout(), "{report}").map_err(|error| Refusal::new("stdout", error))?;
    Ok(if report.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn verify_balance(words: &[&str]) -> Result<ExitCode, Refusal> {
    let report = verify::balance::run(&verify::balance::Options::parse(words)?).await?;
    writeln!(std::io::stdout(), "{report}").map_err(|error| Refusal::new("stdout", error))?;
    Ok(if report.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn named(act: &str) -> Result<OperatorsAct, Refusal> {
    match act {
        "admin" => Ok(OperatorsAct::Grant),
        "no-admin" => Ok(OperatorsAct::Revoke),
        "lost-second-factor" => Ok(OperatorsAct::LostSecondFactor),
        _ => Err(Refusal::new("arguments", KNOWN)),
    }
}

fn done(act: OperatorsAct, email: &str) -> Result<(), Refusal> {
    let now = match act {
        OperatorsAct::Grant => "admin",
        OperatorsAct::Revoke => "no admin",
        OperatorsAct::LostSecondFactor => "without a second factor",
    };
    say(&format!("{now} {email}"))
}

fn say(line: &str) -> Result<(), Refusal> {
    writeln!(std::io::stdout(), "{line}").map_err(|error| Refusal::new("stdout", error))
}

async fn serve(settings: Settings) -> Result<(), Refusal> {
    let signals = |error| Refusal::new("signals", error);
    let mut terminate = signal(SignalKind::terminate()).map_err(signals)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(signals)?;
    let open_browser = settings.open_browser;
    let world = tokio::select! {
        world = LocalRun::start(settings) => world?,
        // Nothing has been acknowledged yet.
        _ = terminate.recv() => return Ok(()),
        _ = interrupt.recv() => return Ok(()),
    };
    announce(&world).map_err(|error| Refusal::new("stdout", error))?;
    if open_browser {
        browse(&world.base_url);
    }
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    world.stop().await.map_err(|error| Refusal::new("stop", format!("{error:#}")))
}

/// The three lines that whoever starts it waits for (`infra/with-world.sh` reads `ready`), written at once.
fn announce(world: &LocalRun) -> std::io::Result<()> {
    let password = world.admin.password.as_ref().map(|password| format!(" {password}")).unwrap_or_default();
    let (email, url) = (&world.admin.email, &world.base_url);
    let mut out = std::io::stdout().lock();
    write!(out, "admin {email}{password}\nworld {url}/sim/\nready {url}\n")?;
    out.flush()
}

fn browse(url: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if let Err(error) = std::process::Command::new(opener).arg(url).spawn() {
        tracing::warn!(error = error.to_string(), "no browser could be opened");
    }
}
