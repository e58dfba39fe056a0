//! A file that is written from beginning to end, cannot be resumed, and appears under its name only when it is
//! complete.

use super::files::{Files, is_stream, open_stream, remove};
use super::{mode, part};
use crate::error::CommandError;
use bilinear_params::private::sync_directory;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// The file while it is being written: `<out>.part`, which is removed unless it is completed.
#[derive(Debug)]
pub(crate) struct NewFile {
    name: String,
    file: File,
    /// The mode of the file that the new one replaces, if there is one.
    mode: Option<u32>,
    /// The names of the file and its companions; `None` for a device, a pipe or an open descriptor, which is
    /// written directly.
    files: Option<Files>,
}

impl NewFile {
    /// Creates the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created, or if another run is writing it.
    pub(crate) fn create(out: &Path) -> Result<Self, CommandError> {
        let name = out.display().to_string();
        if out.is_dir() {
            return Err(CommandError::io(name, "write")(io::ErrorKind::IsADirectory.into()));
        }
        if is_stream(out) {
            let file = open_stream(out).map_err(CommandError::io(&name, "open"))?;
            return Ok(Self { name, file, mode: None, files: None });
        }
        let files = Files::of(out);
        let mode = mode::of(&files.out);
        let (file, _) = part::open(&files, mode.is_some())?;
        part::start_over(&file, &files)?;
        Ok(Self { name, file, mode, files: Some(files) })
    }

    /// Returns a handle to write the file's bytes.
    ///
    /// # Errors
    /// Returns an error if the system refuses a second handle.
    pub(crate) fn writer(&self) -> Result<File, CommandError> {
        self.file.try_clone().map_err(CommandError::io(&self.name, "open"))
    }

    /// Gives the file its name, once everything has been written.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written to the disk or renamed.
    pub(crate) fn complete(mut self) -> Result<(), CommandError> {
        if let Some(files) = &self.files {
            let kept = self.mode.map_or(Ok(()), |mode| mode::set(&self.file, mode)).and_then(|()| self.file.sync_all());
            let renamed = kept.and_then(|()| fs::rename(&files.part, &files.out));
            let complete = renamed.and_then(|()| sync_directory(&files.out));
            complete.map_err(CommandError::io(&self.name, "write"))?;
            self.files = None;
        }
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(files) = &self.files {
            let _ = remove(&files.part);
        }
    }
}
