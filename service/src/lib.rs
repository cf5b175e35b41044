//! Everything a collection can do, over HTTP: routes for programs, pages for people. No logic of its own: the engine knows.
//!
//! An [`App`] is an open data directory with limits and keys; [`routes`] answers requests, [`serve`] talks to clients.

mod access;
mod app;
mod askers;
mod body;
mod keys;
mod measures;
mod pages;
mod problem;
mod rate;
mod routes;
mod run;
mod server;
mod settings;

pub use app::App;
pub use keys::{Key, Keys, Role};
pub use routes::routes;
pub use run::run;
pub use server::serve;
pub use settings::Limits;
