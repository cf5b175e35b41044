//! Who looks on: told how far a phase is, and may stop it.

/// Looks on while a collection is clustered.
pub trait Watch: Sync {
    /// A phase begins; it has so many units.
    fn phase(&self, name: &'static str, units: u64) {
        let _ = (name, units);
    }
    /// So many more units are done.
    fn done(&self, units: u64) {
        let _ = units;
    }
    /// So many bytes of temporary files are there now.
    fn temporary(&self, bytes: u64) {
        let _ = bytes;
    }
    /// Whether it is to stop.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Nobody looks on.
#[derive(Debug, Clone, Copy)]
pub struct Unwatched;

impl Watch for Unwatched {}
