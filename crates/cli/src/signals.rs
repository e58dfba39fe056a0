//! Signals that ask the process to end. One that was ignored when the process began stays ignored: `nohup` hands on ignored hang-ups,
//! and a shell hands on ignored interruptions to what it runs in the background.

use crate::error::CommandError;
use std::io;

/// Runs `then` when the process is asked to end: by Ctrl-C, by a hang-up, or by `kill`. Only on Unix; elsewhere the process just ends.
///
/// # Errors
/// If the system refuses.
pub(crate) fn on_end(then: impl FnOnce() + Send + 'static) -> io::Result<()> {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let ignored = ignored();
        let heeded = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let mut signals = signal_hook::iterator::Signals::new(heeded)?;
        std::thread::Builder::new().spawn(move || {
            if signals.forever().next().is_some() {
                then();
            }
        })?;
    }
    #[cfg(not(unix))]
    drop(then);
    Ok(())
}

/// Makes a write beyond the limit of a file's size (`ulimit -f`) an error like any other: its signal would end the process without a
/// word.
///
/// # Errors
/// If the system refuses.
pub(crate) fn outlive_file_limits() -> Result<(), CommandError> {
    #[cfg(unix)]
    {
        let seen = std::sync::Arc::default();
        signal_hook::flag::register(signal_hook::consts::SIGXFSZ, seen)
            .map_err(CommandError::io("signals", "handle"))?;
    }
    Ok(())
}

/// The signals that are ignored, bit n − 1 for signal n, from Linux's /proc; none on other systems.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
