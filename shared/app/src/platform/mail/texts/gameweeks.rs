//! Mails to who has asked for them: the deadline, the draw, the final points.

use domain::{
    GameweekId, KENYA,
    accounts::notifications::Language::{En, Sw},
};
use jiff::Timestamp;
use store::{
    leagues::{League, LeagueId},
    settlement::record::Ranked,
};

use super::{Button, MailText, Reader};

/// An instant as Kenya's clocks have it.
pub fn in_kenya(at: Timestamp) -> String {
    KENYA.to_datetime(at).strftime("%H:%M").to_string()
}

/// The day in Kenya: `30.11.2026`.
pub fn on_day(at: Timestamp) -> String {
    KENYA.to_datetime(at).strftime("%d.%m.%Y").to_string()
}

/// Where a league of this season is seen.
pub fn league_path(id: LeagueId) -> String {
    format!("/leagues?gameweek={}&amount={}", id.gameweek.number, id.amount.kes().get())
}

/// Where it is seen how a league was paid: once it is settled, and in later seasons too.
pub fn settlement_path(id: LeagueId) -> String {
    format!("/leagues/{id}/settlement")
}

pub fn deadline(reader: Reader<'_>, gameweek: GameweekId, deadline: Timestamp) -> MailText {
    let (number, at) = (gameweek.number, in_kenya(deadline));
    let link = format!("{}/payment", reader.origin);
    match reader.language {
        En => reader.lay_out(
            &format!("Gameweek {number} closes at {at}"),
            &[format!("You are not in gameweek {number} yet. Entries close at {at}, Kenyan time.")],
            &Button { label: "Join a league", link },
        ),
        Sw => reader.lay_out(
            &format!("Gameweek {number} inafungwa saa {at}"),
            &[format!("Bado hujaingia gameweek {number}. Mwisho wa kujiunga ni {at}, saa za Kenya (EAT).")],
            &Button { label: "Jiunge na ligi", link },
        ),
    }
}

pub fn drawn(reader: Reader<'_>, league: &League) -> MailText {
    let (id, members) = (league.id(), league.members.len());
    let (gameweek, number, entry) = (id.gameweek.number, id.number, id.amount.kes());
    let link = format!("{}{}", reader.origin, league_path(id));
    match reader.language {
        En => reader.lay_out(
            &format!("Gameweek {gameweek}: you are in Group #{number}"),
            &[format!(
                "The draw of gameweek {gameweek} is made. You play in Group #{number} of the {entry} leagues, {members} players in all."
            )],
            &Button { label: "See your league", link },
        ),
        Sw => reader.lay_out(
            &format!("Gameweek {gameweek}: uko katika Kundi #{number}"),
            &[format!(
                "Droo ya gameweek {gameweek} imefanyika. Unacheza katika Kundi #{number} la ligi za {entry}, wachezaji {members} kwa jumla."
            )],
            &Button { label: "Tazama ligi yako", link },
        ),
    }
}

pub fn place(reader: Reader<'_>, id: LeagueId, place: &Ranked, of: usize) -> MailText {
    let gameweek = id.gameweek.number;
    let link = format!("{}{}", reader.origin, settlement_path(id));
    let (rank, points) = (place.rank.unwrap_or(of), place.score.map(|score| score.points));
    match reader.language {
        En => {
            let with = points.map(|points| format!(" with {points} points")).unwrap_or_default();
            reader.lay_out(
                &format!("Gameweek {gameweek} is final: place {rank} of {of}"),
                &[format!("The points of gameweek {gameweek} are final. You came {rank} of {of}{with}.")],
                &Button { label: "See the result", link },
            )
        }
        Sw => {
            let with = points.map(|points| format!(" kwa pointi {points}")).unwrap_or_default();
            reader.lay_out(
                &format!("Matokeo ya gameweek {gameweek}: nafasi ya {rank} kati ya {of}"),
                &[format!(
                    "Pointi za gameweek {gameweek} ni za mwisho. Umemaliza nafasi ya {rank} kati ya {of}{with}."
                )],
                &Button { label: "Tazama matokeo", link },
            )
        }
    }
}
