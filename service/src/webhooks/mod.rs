//! Webhooks: who wants to be told of new duplicates, promoted originals and new holders, and how is it made sure that they are?
//!
//! A [`Register`] is the database `webhooks.sqlite` of a data directory: who hears what, and what has still to be delivered. The
//! routes, the command line and the service all work on it, each with its own connection. While a service runs, [`Webhooks`]
//! follows the outbox of the store: `news` turns changes into events, which are written down together with the position they
//! were made from, so that none is lost and none is made twice. A thread for every webhook sends what is due: one endpoint
//! that is dead or slow keeps nobody else waiting.

mod client;
mod deliveries;
mod error;
mod event;
mod measures;
mod news;
mod pace;
mod register;
mod running;
mod schema;
mod sender;
mod signature;

pub use client::{Answer, ping};
pub use deliveries::{Deliveries, Delivery, Totals};
pub use error::WebhookError;
pub use event::Kind;
pub(crate) use measures::measures;
pub use news::FOLLOWER;
pub use pace::Pace;
pub use register::{NewWebhook, Register, Webhook, remove};
pub use running::Webhooks;
