//! The `bilinear` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    bilinear_cli::run(std::env::args_os()).into()
}
