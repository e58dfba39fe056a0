//! `bilinear completions`: scripts with which a shell completes this command.

use super::Outcome;
use crate::console;
use crate::error::CommandError;
use clap_complete::Shell;

/// Print a shell's completion script for this command.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mkdir -p ~/.local/share/bash-completion/completions && \\
      bilinear completions bash \\
      > ~/.local/share/bash-completion/completions/bilinear
  mkdir -p ~/.zfunc && bilinear completions zsh > ~/.zfunc/_bilinear
  mkdir -p ~/.config/fish/completions && \\
      bilinear completions fish \\
      > ~/.config/fish/completions/bilinear.fish")]
pub(crate) struct Args {
    /// The shell to print the script for
    #[arg(ignore_case = true)]
    shell: Shell,
}

/// Runs the command. `command` is the definition of the whole command line.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub(crate) fn run(args: &Args, mut command: clap::Command) -> Result<Outcome, CommandError> {
    let (name, mut script) = (command.get_name().to_owned(), Vec::new());
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    console::print(script)?;
    Ok(Outcome::Good)
}
