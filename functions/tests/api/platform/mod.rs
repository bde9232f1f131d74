//! Tests in the area `platform`: what no area owns.

mod authz;
mod backlog;
mod bad_input;
mod budgets;
mod edge;
mod gateway;
mod health;
mod idempotency;
mod lagging_index;
mod lambda;
mod least_privilege;
mod limits;
mod logs;
mod mails;
mod not_set_up;
mod push_services;
mod refusal_codes;
mod restart;
mod rotation;
mod schedules;
mod strangers;
mod throttling;
mod versions;
