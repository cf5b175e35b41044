//! How much room is left on the disk.

use crate::error::StoreError;
use std::path::Path;

/// Bytes that we may still write to the file system of this path.
pub fn free_bytes(path: &Path) -> Result<u64, StoreError> {
    let room = rustix::fs::statvfs(path).map_err(|source| StoreError::io(path, source.into()))?;
    Ok(room.f_bavail.saturating_mul(room.f_frsize))
}
