//! Tests in the area `payments`: money in.

mod ask_afresh;
mod crash_recovery;
mod deposits;
mod dismissals;
mod excise;
mod failed_prompts;
mod interleavings;
mod numbers;
mod out_of_order_callbacks;
mod paybill;
mod paybill_accounts;
mod receipts;
mod reversed_meanwhile;
mod reversed_receipts;
mod set_aside_receipts;
mod set_asides;
mod typed_code_checks;
mod typed_codes;
