//! Everything a collection can do, over HTTP: routes for programs, pages for people. No logic of its own: the engine knows.
//!
//! An [`App`] is an open data directory with limits and keys; [`routes`] answers requests, [`serve`] talks to clients, [`run`] does
//! both until the process is told to end. [`Wishes`] become [`Settings`].

mod access;
mod app;
mod askers;
mod backup;
mod body;
mod compress;
mod files;
mod keys;
mod likeness;
mod logs;
mod measures;
mod origin;
mod pace;
mod pages;
mod problem;
mod rate;
mod readiness;
mod recent;
mod routes;
mod run;
mod server;
mod sessions;
mod settings;
pub mod webhooks;

pub use app::App;
pub use backup::copy_own_files;
pub use keys::{Key, Keys, Role};
pub use logs::{LogFormat, LogLevel, log};
pub use origin::Origin;
pub use routes::routes;
pub use run::run;
pub use server::serve;
pub use settings::{Count, Limits, Rate, Settings, SettingsError, Size, Time, Wishes};
