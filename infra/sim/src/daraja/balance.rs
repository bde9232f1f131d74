//! Account balance: the float, as the working and as the utility account. The answer is posted.

use serde_json::{Value, json};

use super::{
    DarajaError, credential,
    fields::{self, Fields},
    receipts::float,
    results::{self, parameter},
    status::{accept, check_party},
};
use crate::Sim;

/// `POST /mpesa/accountbalance/v1/query`.
pub(super) async fn query(sim: Sim, fields: Fields) -> Result<Value, DarajaError> {
    if fields::text(&fields, "CommandID")? != "AccountBalance" {
        return Err(DarajaError::Invalid("CommandID"));
    }
    check_party(&sim, &fields)?;
    fields::short_text(&fields, "Remarks", 2, 100)?;
    let result_url = fields::address(&fields, "ResultURL")?;
    fields::address(&fields, "QueueTimeOutURL")?;
    if !credential::is_signed(&fields, "Initiator", &sim.secrets().asker)? {
        return accept(&sim, &result_url, results::WRONG_OPERATOR, Value::Null);
    }
    let balance = float(sim.db())?;
    let account = |name: &str| format!("{name} Account|KES|{balance}.00|{balance}.00|0.00|0.00");
    let text = format!(
        "{}&Float Account|KES|0.00|0.00|0.00|0.00&{}&Charges Paid Account|KES|0.00|0.00|0.00|0.00",
        account("Working"),
        account("Utility")
    );
    let parameters = json!([parameter("AccountBalance", text)]);
    let processed = ("0", "The service request is processed successfully.");
    accept(&sim, &result_url, processed, parameters)
}
