use rstest::rstest;
use serde_json::{Value, json};

use super::{
    super::{CountedOf, Event, Fixture, FixtureStat, HistoryRow},
    *,
};

fn bytes(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

/// `value` with the field at `pointer` left out.
fn without(mut value: Value, parent: &str, field: &str) -> Vec<u8> {
    let object =
        value.pointer_mut(parent).and_then(Value::as_object_mut).expect("the fixture has that object");
    object.remove(field).expect("the fixture has that field");
    bytes(&value)
}

fn bootstrap() -> Value {
    json!({
        "events": [{
            "id": 1, "name": "Gameweek 1", "deadline_time": "2026-08-21T17:30:00Z",
            "deadline_time_epoch": 1_787_333_400, "average_entry_score": 12, "highest_score": null,
            "finished": false, "data_checked": false, "is_previous": false, "is_current": true,
            "is_next": false, "something_new": {"a": [1]},
        }],
        "elements": [{"id": 1, "web_name": "Raya", "team": 1, "element_type": 1, "now_cost": 60}],
        "teams": [{"id": 1, "name": "Arsenal", "short_name": "ARS", "strength": null}],
        "total_players": 9_112_933,
    })
}

fn row() -> Value {
    json!({
        "event": 18, "points": 43, "total_points": 1023, "rank": 6_898_167, "bank": 6,
        "event_transfers": 2, "event_transfers_cost": 4, "points_on_bench": 12,
    })
}

fn history() -> Value {
    json!({"current": [row()], "past": [], "chips": [{"name": "3xc", "event": 17, "time": "x"}]})
}

fn picks() -> Value {
    json!({
        "active_chip": null,
        "automatic_subs": [{"entry": 84062, "element_in": 348, "element_out": 8, "event": 18}],
        "entry_history": row(),
        "picks": [{"element": 1, "position": 1, "multiplier": 2, "is_captain": true,
                   "is_vice_captain": false, "element_type": 1}],
    })
}

fn live() -> Value {
    json!({"elements": [{
        "id": 1, "modified": false,
        "stats": {"minutes": 180, "total_points": -1, "bonus": 0, "saves": 2, "bps": 10},
        "explain": [
            {"fixture": 252, "stats": [{"identifier": "minutes", "points": 2, "value": 90}]},
            {"fixture": 310, "stats": [{"identifier": "own_goals", "points": -3, "value": 1}]},
        ],
    }]})
}

fn status() -> Value {
    json!({"leagues": "", "status": [
        {"bonus_added": false, "date": "2026-08-21", "event": 1, "points": "p"},
    ]})
}

#[test]
fn a_gameweek() {
    let decoded: Bootstrap = decode(&bytes(&bootstrap())).expect("a bootstrap");
    assert_eq!(
        decoded.events,
        vec![Event {
            id: 1,
            deadline_time_epoch: 1_787_333_400,
            finished: false,
            data_checked: false,
            is_current: true,
        }]
    );
}

#[test]
fn a_teams_gameweeks() {
    let decoded: History = decode(&bytes(&history())).expect("a history");
    assert_eq!(
        decoded.current,
        vec![HistoryRow {
            event: 18,
            points: 43,
            total_points: 1023,
            event_transfers_cost: 4,
            points_on_bench: 12,
        }]
    );
    assert_eq!(decoded.chips[0].name, "3xc");
}

#[test]
fn before_the_season_lists_are_empty_and_much_is_null() {
    let history: History = decode(br#"{"chips":[],"current":[],"past":[]}"#).expect("a history");
    assert!(history.current.is_empty());
    let status: EventStatus = decode(br#"{"leagues":"","status":[]}"#).expect("a status");
    assert!(status.status.is_empty());
    let live: Live = decode(br#"{"elements":[]}"#).expect("no live points");
    assert!(live.elements.is_empty());
    let entry = br#"{"id":118670,"name":"Test FC","player_first_name":"Test",
        "player_last_name":"Manager","started_event":1,"current_event":null,
        "summary_event_points":null}"#;
    let entry: Entry = decode(entry).expect("a team");
    assert_eq!((entry.id, entry.name.as_str()), (118_670, "Test FC"));
}

#[test]
fn a_squad_and_its_substitutions() {
    let decoded: Picks = decode(&bytes(&picks())).expect("picks");
    assert_eq!(decoded.active_chip, None);
    assert_eq!(decoded.entry_history.event_transfers_cost, 4);
    assert!(decoded.picks[0].is_captain);
}

#[test]
fn a_double_gameweek_with_points_below_zero() {
    let decoded: Live = decode(&bytes(&live())).expect("live points");
    let element = &decoded.elements[0];
    assert_eq!((element.stats.minutes, element.stats.total_points), (180, -1));
    let fixtures: Vec<u32> = element.explain.iter().map(|of| of.fixture).collect();
    assert_eq!(fixtures, [252, 310]);
}

#[test]
fn an_unscheduled_match() {
    let body = br#"[{"id":9,"event":null,"kickoff_time":null,"started":null,"finished":false,
        "minutes":0,"team_h":17,"team_a":14,"team_h_score":null,"team_a_score":null}]"#;
    let fixtures: Vec<Fixture> = decode(body).expect("fixtures");
    assert_eq!((fixtures[0].id, fixtures[0].kickoff_time, fixtures[0].started), (9, None, None));
}

/// What is odd among what is only shown is left out, and the match and the gameweeks are read all the same.
#[test]
fn what_is_only_shown_makes_no_body_malformed() {
    let body =
        br#"[{"id":9,"started":1,"finished":false,"stats":[{"identifier":"bps","h":[{"element":7,"value":31},
        {"element":"8","value":20}],"a":null},{"identifier":3},"new"]}]"#;
    let fixtures: Vec<Fixture> = decode(body).expect("fixtures");
    let bps = FixtureStat {
        identifier: "bps".to_owned(),
        h: vec![CountedOf { element: 7, value: 31 }],
        a: Vec::new(),
    };
    assert_eq!(fixtures[0].stats, [bps]);
    let body = br#"{"elements":[{"id":7,"stats":{"minutes":90,"total_points":6,"bps":"31"},
        "explain":[{"fixture":9,"stats":[{"identifier":"minutes","points":2,"value":90},{"points":"?"}]}]}]}"#;
    let live: Live = decode(body).expect("points");
    assert_eq!((live.elements[0].stats.total_points, live.elements[0].stats.bps), (6, 0));
    assert_eq!(live.elements[0].explain[0].stats.len(), 1);
    let body =
        br#"{"events":[],"elements":[{"id":7,"web_name":"Saka","team":1},{"id":null},7],"teams":null}"#;
    let bootstrap: Bootstrap = decode(body).expect("a season");
    assert_eq!(bootstrap.elements.iter().map(|footballer| footballer.id).collect::<Vec<_>>(), [7]);
}

#[rstest]
#[case("id")]
#[case("deadline_time_epoch")]
#[case("finished")]
#[case("data_checked")]
#[case("is_current")]
fn a_gameweek_without_what_money_hangs_on_is_malformed(#[case] field: &str) {
    let body = without(bootstrap(), "/events/0", field);
    assert!(matches!(decode::<Bootstrap>(&body), Err(FplError::Malformed { .. })));
}

#[rstest]
#[case("event")]
#[case("points")]
#[case("total_points")]
#[case("points_on_bench")]
#[case("event_transfers_cost")]
fn a_row_without_what_money_hangs_on_is_malformed(#[case] field: &str) {
    let in_history = without(history(), "/current/0", field);
    assert!(matches!(decode::<History>(&in_history), Err(FplError::Malformed { .. })));
    let in_picks = without(picks(), "/entry_history", field);
    assert!(matches!(decode::<Picks>(&in_picks), Err(FplError::Malformed { .. })));
}

#[rstest]
#[case(without(live(), "/elements/0/stats", "total_points"))]
#[case(without(live(), "/elements/0/stats", "minutes"))]
#[case(without(live(), "/elements/0", "stats"))]
#[case(without(live(), "", "elements"))]
fn live_points_without_their_points_are_malformed(#[case] body: Vec<u8>) {
    assert!(matches!(decode::<Live>(&body), Err(FplError::Malformed { .. })));
}

#[rstest]
#[case(without(status(), "", "status"))]
#[case(without(status(), "/status/0", "event"))]
#[case(without(status(), "/status/0", "points"))]
#[case(without(status(), "/status/0", "bonus_added"))]
fn a_status_that_says_nothing_is_malformed(#[case] body: Vec<u8>) {
    assert!(matches!(decode::<EventStatus>(&body), Err(FplError::Malformed { .. })));
}

#[rstest]
#[case("null")]
#[case("\"61\"")]
#[case("61.5")]
fn points_that_are_no_whole_number_are_malformed(#[case] points: &str) {
    let body = history().to_string().replace("\"points\":43", &format!("\"points\":{points}"));
    assert!(matches!(decode::<History>(body.as_bytes()), Err(FplError::Malformed { .. })));
}

#[rstest]
#[case::text("\"The game is being updated.\"")]
#[case::html("<!DOCTYPE html><p>The game is being updated.</p>")]
#[case::nothing("")]
#[case::space("  \n")]
#[case::null("null")]
#[case::number("0")]
fn what_is_no_data_is_updating(#[case] body: &str) {
    assert_eq!(decode::<History>(body.as_bytes()), Err(FplError::Updating));
    assert_eq!(decode::<Vec<Fixture>>(body.as_bytes()), Err(FplError::Updating));
}

#[rstest]
#[case::list_for_an_object("[]")]
#[case::a_list_in_the_fields_order("[[], \"Updated\"]")]
#[case::error_object("{\"detail\":\"Not found.\"}")]
#[case::cut("{\"leagues\":\"\",\"status\":[{\"bonus_add")]
#[case::two_bodies("{\"leagues\":\"\",\"status\":[]}{}")]
fn data_of_another_shape_is_malformed(#[case] body: &str) {
    let decoded = decode::<EventStatus>(body.as_bytes());
    assert!(matches!(decoded, Err(FplError::Malformed { .. })), "{decoded:?}");
}

#[test]
fn an_object_for_a_list_is_malformed() {
    assert!(matches!(decode::<Vec<Fixture>>(b" {}"), Err(FplError::Malformed { .. })));
}

proptest::proptest! {
    #[test]
    fn a_cut_body_is_never_a_history(length in 0usize..100) {
        let whole = bytes(&history());
        let cut = &whole[..length.min(whole.len() - 1)];
        proptest::prop_assert!(decode::<History>(cut).is_err());
    }
}
