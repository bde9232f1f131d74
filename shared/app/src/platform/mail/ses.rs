//! The one call of SES. Its error texts may hold an address, so only their codes are kept.

use aws_sdk_sesv2::{
    error::{ProvideErrorMetadata, SdkError},
    types::{Body, Content, Destination, EmailContent, Message, MessageHeader},
};
use domain::Email;

use super::texts::MailText;
use crate::{
    App, AppError, OUTGOING_TIME_LIMIT,
    platform::flow::{Flow, Refusal},
};

/// Why a mail did not go out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Undelivered {
    /// The service is down, or wants us slower: the same mail may go out later. Where the answer was
    /// lost it may even have gone out.
    #[error("not answering ({0})")]
    NotAnswering(String),
    /// The service sends nothing to this address, ever.
    #[error("no such address ({0})")]
    Address(String),
    /// The service sends nothing of ours as things stand: the operator's to mend.
    #[error("refused ({0})")]
    Refused(String),
}

const SENDER: &str = "FPL Leagues";

impl Refusal for Undelivered {}

/// Hands `mail` to SES, once: trying again is the queue's. Refused, it did not go out, as far as is known.
pub async fn deliver(app: &App, to: &Email, mail: &MailText) -> Flow<(), Undelivered> {
    let content = |text: &str| {
        let content = Content::builder().data(text).charset("UTF-8").build();
        content.map_err(|error| AppError::Internal(format!("a mail: {error}")))
    };
    let body = Body::builder().text(content(&mail.text)?).html(content(&mail.html)?).build();
    let header = |name: &str, value: &str| {
        let header = MessageHeader::builder().name(name).value(value).build();
        header.map_err(|error| AppError::Internal(format!("a mail: {error}")))
    };
    // RFC 8058: the mail program stops them by one request of its own.
    let headers = match &mail.one_click {
        Some(address) => vec![
            header("List-Unsubscribe", &format!("<{address}>"))?,
            header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")?,
        ],
        None => Vec::new(),
    };
    let headers = Some(headers).filter(|headers| !headers.is_empty());
    let message = Message::builder().subject(content(&mail.subject)?).body(body).set_headers(headers).build();
    let request = app
        .ses()
        .send_email()
        .from_email_address(format!("{SENDER} <{}>", app.config().mail_from))
        .destination(Destination::builder().to_addresses(to.as_str()).build())
        .content(EmailContent::builder().simple(message).build());
    match tokio::time::timeout(OUTGOING_TIME_LIMIT, request.send()).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(undelivered(&error).into()),
        Err(_) => Err(Undelivered::NotAnswering("time limit".to_owned()).into()),
    }
}

fn undelivered<E: ProvideErrorMetadata, R>(error: &SdkError<E, R>) -> Undelivered {
    let SdkError::ServiceError(service) = error else {
        return Undelivered::NotAnswering(kind(error).to_owned());
    };
    let code = service.err().code().unwrap_or("unknown").to_owned();
    match code.as_str() {
        "BadRequestException" => Undelivered::Address(code),
        "MessageRejected"
        | "MailFromDomainNotVerifiedException"
        | "AccountSuspendedException"
        | "SendingPausedException"
        | "NotFoundException"
        | "AccessDeniedException" => Undelivered::Refused(code),
        _ => Undelivered::NotAnswering(code),
    }
}

fn kind<E, R>(error: &SdkError<E, R>) -> &'static str {
    match error {
        SdkError::ConstructionFailure(_) => "the request could not be made",
        SdkError::TimeoutError(_) => "time limit",
        SdkError::DispatchFailure(_) => "no connection",
        _ => "its answer was not understood",
    }
}
