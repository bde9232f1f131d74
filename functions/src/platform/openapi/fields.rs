//! What a field of a name is, wherever it stands: its example, its form, the words it may be. A name
//! with a schema before it (`Points.status`) is that schema's own and goes before the plain name.

use serde_json::{Value, json};
use utoipa::openapi::{
    Components, Object, RefOr, Schema, SchemaFormat,
    schema::{KnownFormat, SchemaType, Type},
};

/// A field's name and what it may look like.
type Example = (&'static str, fn() -> Value);

/// Examples, by the field's name.
#[rustfmt::skip]
const EXAMPLES: &[Example] = &[
    ("ResultCode", || json!(0)),
    ("ResultDesc", || json!("Success")),
    ("_id", || json!("0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")),
    ("token", || json!("eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTk4In0.c2lnbmF0dXJl")),
    ("alone", || json!(null)),
    ("accountReference", || json!("FPL Leagues")),
    ("changeCents", || json!(135_000)),
    ("deposits", || json!(1350)),
    ("expected", || json!(500)),
    ("expectedChangeCents", || json!(135_000)),
    ("fees", || json!(134)),
    ("moving", || json!(0)),
    ("pausedPayouts", || json!(true)),
    ("setAside", || json!(600)),
    ("setAsides", || json!(1)),
    ("unclaimed", || json!(0)),
    ("unclaimedPayments", || json!(0)),
    ("withdrawals", || json!(60)),
    ("acts", || json!(["credit", "dismiss"])),
    ("amount", || json!(500)),
    ("approvedByName", || json!(null)),
    ("proposedAt", || json!("2026-08-20T09:00:00Z")),
    ("expiresAt", || json!("2026-08-23T09:00:00Z")),
    ("proposedBy", || json!("0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")),
    ("proposedByName", || json!("admin-0198c")),
    ("decidedAt", || json!(null)),
    ("decidedByName", || json!(null)),
    ("decisionReason", || json!(null)),
    ("byId", || json!("0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")),
    ("month", || json!("2026-08")),
    ("former", || json!(false)),
    ("from", || json!("2026-08-01")),
    ("to", || json!("2026-08-31")),
    ("by", || json!("admin")),
    ("byName", || json!("admin-0198c")),
    ("beacon", || json!("a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90")),
    ("aloneLine", || json!(null)),
    ("beaconAddresses", || json!(["https://api.drand.sh", "https://drand.cloudflare.com"])),
    ("beaconChain", || json!("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971")),
    ("beaconRound", || json!(5_234_567)),
    ("beaconSignature", || json!("b44679b9a59af2ec876b1a6b1ad52ea9")),
    ("checkoutId", || json!("6f1e2d3c4b5a69788796a5b4c3d2e1f0")),
    ("calledOff", || json!(null)),
    ("chip", || json!("bboost")),
    ("closedBecause", || json!(null)),
    ("completed", || json!(true)),
    ("collected", || json!(500)),
    ("currentGameweek", || json!(3)),
    ("creditedAmount", || json!(null)),
    ("creditedBy", || json!(null)),
    ("decisions", || json!(["own-figures"])),
    ("deductTransferPoints", || json!(true)),
    ("entered", || json!(true)),
    ("entries", || json!(27)),
    ("entriesHash", || json!("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")),
    ("entryAmount", || json!(50)),
    ("entryId", || json!("0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")),
    ("fromWallet", || json!(300)),
    ("lost", || json!(0)),
    ("fee", || json!(50)),
    ("feePercent", || json!(10)),
    ("figuresHash", || json!("60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752")),
    ("fplId", || json!("118670")),
    ("fullLeaguePrize", || json!(450)),
    ("gameweek", || json!(3)),
    ("gross", || json!(65)),
    ("holdsBack", || json!(false)),
    ("isOpen", || json!(true)),
    ("kind", || json!("entry")),
    ("line", || {
        json!(
            "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f 118670 \
             60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"
        )
    }),
    ("nameHash", || json!("60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752")),
    ("salt", || json!("4f1c2d3b5a69788796a5b4c3d2e1f001")),
    ("league", || json!("2026-03-50-00001")),
    ("leagues", || json!(12)),
    ("maximumTransaction", || json!(250_000)),
    ("CodeTaken.message", || json!("Success wallet updated shortly")),
    ("JoinedLeague.message", || json!("You are in. Good luck!")),
    ("NotPrompted.message", || json!("Enter a valid Kenyan phone number (e.g. 07XXXXXXXX).")),
    ("PromptStatus.message", || json!("Payment failed. Please try again.")),
    ("Prompted.message", || json!("Check your phone to complete the payment")),
    ("message", || json!("The deadline has passed.")),
    ("minimumWithdrawal", || json!(60)),
    ("mpesaCode", || json!("NLJ7RT61SV")),
    ("mpesaIds", || json!(["29115-34620561-1", "ws_CO_20082026120005123712345678"])),
    ("mpesaNumber", || json!("0712345678")),
    ("n", || json!(1)),
    ("name", || json!("Mwalimu FPL")),
    ("notice", || json!(null)),
    ("number", || json!(1)),
    ("owed", || json!(0)),
    ("own", || json!(true)),
    ("ownFigures", || json!(false)),
    ("paid", || json!(50)),
    ("paused", || json!(true)),
    ("payerName", || json!("WANJIKU MWANGI")),
    ("payerPhone", || json!("0712345678")),
    ("phone", || json!("0712345678")),
    ("players", || json!(120)),
    ("points", || json!(61)),
    ("pointsOnBench", || json!(7)),
    ("points_on_bench", || json!(7)),
    ("prize", || json!(450)),
    ("profitAndLoss", || json!(400)),
    ("rank", || json!(1)),
    ("reason", || json!("The number is not registered for M-Pesa.")),
    ("receipt", || json!("NLJ7RT61SV")),
    ("recipientName", || json!("WANJIKU MWANGI")),
    ("refund", || json!(0)),
    ("refundReason", || json!("Nobody else joined.")),
    ("reportedAmount", || json!(600)),
    ("requestId", || json!("0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")),
    ("refused", || json!(null)),
    ("rounding", || json!(0)),
    ("season", || json!(2026)),
    ("secret", || json!("2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae")),
    ("secretHash", || json!("fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9")),
    ("seed", || json!("baa5a0964d3320fbc0c6a922140453c8513ea24ab8fd0577034804a967248096")),
    ("settled", || json!(4)),
    ("SetAsideItem.state", || json!("SET_ASIDE")),
    ("SetAsideItem.reason", || json!("M-Pesa reports another amount than was asked for.")),
    ("StoryEvent.text", || json!("paid")),
    ("times", || json!(1)),
    ("success", || json!(true)),
    ("NotPrompted.success", || json!(false)),
    ("teamName", || json!("Nairobi Rangers")),
    ("toRefund", || json!(3_000)),
    ("toUs", || json!(true)),
    ("toPay", || json!(5400)),
    ("trouble", || json!(null)),
    ("transfersCost", || json!(4)),
    ("userId", || json!("0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")),
    ("unread", || json!(0)),
    ("username", || json!("Wanjiku")),
    ("waiting", || json!(0)),
    ("waitsUntil", || json!(null)),
    ("waitsBecause", || json!("The payer's number is none that this player has paid from before.")),
    ("wallet", || json!(450)),
    ("walletBalance", || json!(0)),
    ("writtenOff", || json!(0)),
    ("warning", || json!(null)),
    ("what", || json!("Team 118670: 61 points (7 on the bench), paid on 60 (7).")),
    ("why", || json!("Team 118670: it has no official score for this gameweek.")),
    ("withoutBeacon", || json!(null)),
];

/// Fields that are one of a few words, the first of them their example.
const WORDS: &[(&str, &[&str])] = &[
    ("PossiblePrompt.state", &["PENDING", "SUCCESS", "SET_ASIDE"]),
    ("Prompt.state", &["SUCCESS", "FAILED", "PENDING"]),
    ("KnownPayment.source", &["status", "confirmation"]),
    ("ManualPaymentItem.status", &["pending", "confirmed", "rejected"]),
    ("PromptStatus.status", &["SUCCESS", "FAILED", "PENDING"]),
    ("SetAsideItem.kind", &["prompt", "payout"]),
    ("StoryEvent.kind", &["query", "intent", "push", "callback", "result", "timeout", "answer", "act"]),
];

/// Times: RFC 3339 in UTC.
const TIMES: &[&str] = &[
    "asOf",
    "at",
    "createdAt",
    "deadline",
    "decidableFrom",
    "drawnAt",
    "fence",
    "listsAt",
    "possibleFrom",
    "finalAt",
    "finishedAt",
    "firstAt",
    "lastAt",
    "now",
    "readingSince",
    "settledAt",
    "since",
    "startedAt",
    "until",
];

/// Completes the fields of every schema.
pub fn complete(components: &mut Components) {
    for (schema, object) in &mut components.schemas {
        let RefOr::T(Schema::Object(object)) = object else { continue };
        for (name, property) in &mut object.properties {
            if let RefOr::T(Schema::Object(field)) = property {
                complete_field(schema, name, field);
            }
        }
    }
}

fn complete_field(schema: &str, name: &str, field: &mut Object) {
    let own = format!("{schema}.{name}");
    if TIMES.contains(&name) {
        field.format = Some(SchemaFormat::KnownFormat(KnownFormat::DateTime));
        field.example.get_or_insert(json!("2026-08-20T09:00:00Z"));
    }
    if let Some(words) = of(WORDS, &own, name) {
        let null = takes_null(field).then_some(Value::Null);
        field.enum_values = Some(words.iter().map(|word| json!(word)).chain(null).collect());
        field.example.get_or_insert(json!(words[0]));
    }
    if let (None, Some(example)) = (&field.example, of(EXAMPLES, &own, name)) {
        field.example = Some(example());
    }
}

fn of<T: Copy>(table: &[(&str, T)], own: &str, name: &str) -> Option<T> {
    let find = |wanted: &str| table.iter().find(|(known, _)| *known == wanted).map(|(_, value)| *value);
    find(own).or_else(|| find(name))
}

fn takes_null(field: &Object) -> bool {
    matches!(&field.schema_type, SchemaType::Array(types) if types.contains(&Type::Null))
}
