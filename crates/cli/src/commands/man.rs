//! `bilinear man`: manual pages.

use super::Outcome;
use crate::console;
use crate::error::CommandError;
use clap_mangen::Man;
use std::fs;
use std::path::{Path, PathBuf};

/// Print the manual page of this command, or write a page for every subcommand.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bilinear man | man -l -
  bilinear man --out-dir ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// Write a page for every subcommand into this folder: bilinear.1, bilinear-pair.1, ...
    ///
    /// The folder is created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
}

/// Runs the command. `command` is the definition of the whole command line.
///
/// # Errors
/// Returns an error if a page cannot be written.
pub(crate) fn run(args: &Args, command: clap::Command) -> Result<Outcome, CommandError> {
    // a page for `help` would only repeat the others
    let mut command = command.disable_help_subcommand(true);
    command.build();
    match &args.out_dir {
        None => console::print(page(&command, "standard output")?)?,
        Some(folder) => {
            fs::create_dir_all(folder).map_err(CommandError::io(folder.display(), "create"))?;
            pages(&command, folder)?;
        }
    }
    Ok(Outcome::Good)
}

/// Writes the page of a command and the pages of its subcommands.
fn pages(command: &clap::Command, folder: &Path) -> Result<(), CommandError> {
    let path = folder.join(format!("{}.1", title(command)));
    let text = page(command, &path.display().to_string())?;
    fs::write(&path, text).map_err(CommandError::io(path.display(), "write"))?;
    command.get_subcommands().try_for_each(|command| pages(command, folder))
}

fn page(command: &clap::Command, name: &str) -> Result<Vec<u8>, CommandError> {
    let mut text = Vec::new();
    let page = Man::new(command.clone()).title(title(command));
    page.render(&mut text).map_err(CommandError::io(name, "write"))?;
    Ok(text)
}

/// Returns the title of a command's page, such as `bilinear-points-random`.
fn title(command: &clap::Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}
