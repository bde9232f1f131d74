//! M-Pesa asked afresh about a receipt: the answer to this question, and no other one
//! (docs/decisions.md, "Asked afresh").

use app::payments::ask_afresh::ask_and_wait;
use domain::{
    Kes,
    payments::{
        typed_code::ReceiptCode,
        typed_code_check::{Answered, bears_out},
    },
};
use reqwest::Method;
use serde_json::json;
use store::payments::{
    receipt_questions::{Question, QuestionSubject},
    typed_codes::KnownCode,
};

use crate::support::{World, mpesa::status_result, set_asides::RECEIPT, text};

async fn paid_by_hand(world: &World, amount: i64) -> ReceiptCode {
    let body = json!({"phone": "0712345678", "amount": amount, "accountReference": "FPL Leagues"});
    let answer = world.sim(Method::POST, "/paybill", body).await;
    ReceiptCode::parse(answer["receipt"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn the_answer_is_what_m_pesa_says_now() {
    let world = World::start().await;
    let receipt = paid_by_hand(&world, 300).await;
    let float = world.nobody().get("/sim/api/float").await.expect(200)["balance"].clone();
    let said = ask_and_wait(world.app(), &receipt).await.unwrap().expect("an answer").answered;
    assert!(said.completed && !said.reversed && said.to_us);
    assert_eq!(said.payer.as_ref().map(|phone| phone.local()), Some("0712345678".to_owned()));
    assert_eq!((bears_out(&said, Kes::new(300)), bears_out(&said, Kes::new(301)).is_err()), (Ok(()), true));

    world.faults(json!({"payer": "masked"})).await;
    let masked = ask_and_wait(world.app(), &receipt).await.unwrap().expect("an answer").answered;
    assert_eq!((masked.payer, masked.completed), (None, true));
    world.faults(json!({"payer": "none"})).await;

    // Twice is once.
    for _ in 0..2 {
        world.sim(Method::POST, "/reversals", json!({"receipt": receipt.as_str()})).await;
    }
    let said = ask_and_wait(world.app(), &receipt).await.unwrap().expect("an answer").answered;
    assert!(said.reversed && !said.completed);
    assert!(bears_out(&said, Kes::new(300)).is_err());
    let after = world.nobody().get("/sim/api/float").await.expect(200)["balance"].as_i64().unwrap();
    assert_eq!(after, float.as_i64().unwrap() - 300);
    let unknown = world.nobody().post("/sim/api/reversals", json!({"receipt": "UHK0000001"})).await;
    assert_eq!(unknown.status.as_u16(), 404);

    let nothing = ReceiptCode::parse("UHK0000001").unwrap();
    let said = ask_and_wait(world.app(), &nothing).await.unwrap().expect("an answer").answered;
    assert!(!said.completed && !said.reversed);
}

/// What M-Pesa answers now names no whole amount: then the one that it has confirmed stands against an admin's.
#[tokio::test]
async fn an_answer_without_an_amount_leaves_the_one_that_was_confirmed() {
    let (world, player) = World::with_player(0).await;
    world.faults(json!({"daraja": "pending"})).await;
    let paid =
        json!({"phone": "0733000001", "amount": 100, "accountReference": "FPL Leagues", "confirm": true});
    let receipt = world.paybill(paid).await;
    let code = player.typed_code(&receipt).await;
    // It is asked about by itself first.
    world.advance(0).await;
    let before = world.questions().await.len();
    let answer = async {
        let question = loop {
            let questions = world.questions().await;
            if questions.len() > before {
                break text(questions.last().unwrap(), "id");
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        };
        // Nor who has paid: else it would be weighed, and asked about, once more.
        let told = status_result(&receipt, "100.50", "2547 ***** 001");
        world.post_to_hook(&format!("/hooks/status/{question}"), told).await
    };
    let (confirmed, _) = tokio::join!(world.confirm_code(code, 9_000), answer);
    let refused = confirmed.refused(409);
    assert!(refused.contains("KSh 100"), "{refused}");
    assert_eq!(world.balance(&player).await, 0);
}

/// M-Pesa does not answer: ten seconds of the product's clock, and it is not known.
#[tokio::test]
async fn nobody_waits_longer_than_ten_seconds() {
    let world = World::start().await;
    let receipt = paid_by_hand(&world, 300).await;
    world.faults(json!({"daraja": "down"})).await;
    assert_eq!(ask_and_wait(world.app(), &receipt).await.unwrap(), None, "it cannot even be asked");

    world.faults(json!({"daraja": "pending"})).await;
    let app = world.app().clone();
    let before = world.questions().await.len();
    let (asked, of) = (app.clone(), receipt.clone());
    let waiting = tokio::spawn(async move { ask_and_wait(&asked, &of).await.unwrap() });
    while world.questions().await.len() == before {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    world.advance(10).await;
    assert_eq!(waiting.await.unwrap(), None);
}

/// Two answers to one question come at once: the one that is kept first stays. None is kept of a question that is gone.
#[tokio::test]
async fn a_question_has_one_answer() {
    let world = World::start().await;
    let (store, asked_at) = (world.app().store(), world.app().clock().now());
    let said = |completed: bool| KnownCode {
        answered: Answered {
            completed,
            reversed: !completed,
            to_us: true,
            amount: None,
            payer: None,
            finalised_at: None,
        },
        payer_name: None,
        at: asked_at,
    };
    let (receipt, about) = (ReceiptCode::parse(RECEIPT).unwrap(), QuestionSubject::Waiting);
    let question = Question { id: store::random_id(), receipt, about, on: None, asked_at, answer: None };
    assert!(!store.answer_question(&question.id, &said(true)).await.unwrap());
    store.keep_question(&question).await.unwrap();
    assert!(store.answer_question(&question.id, &said(true)).await.unwrap());
    assert!(!store.answer_question(&question.id, &said(false)).await.unwrap());
    assert_eq!(store.question(&question.id).await.unwrap().unwrap().answer, Some(said(true)));
}
