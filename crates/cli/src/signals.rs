//! Signals that ask the process to terminate. A signal that was ignored when the process began stays ignored:
//! `nohup` passes on ignored hang-ups, and a shell passes on ignored interrupts to background processes.

use crate::error::CommandError;
use std::io;

/// Runs `then` when the process is asked to terminate: by Ctrl-C, by a hang-up, or by `kill`. Other systems
/// than Unix terminate the process without calling `then`.
///
/// # Errors
/// Returns an error if the system refuses to register the signals.
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

/// Turns a write beyond the limit on file sizes (`ulimit -f`) into an ordinary I/O error. Without this, the
/// signal SIGXFSZ would end the process without a message.
///
/// # Errors
/// Returns an error if the system refuses to register the signal.
pub(crate) fn catch_file_size_signal() -> Result<(), CommandError> {
    #[cfg(unix)]
    {
        let seen = std::sync::Arc::default();
        signal_hook::flag::register(signal_hook::consts::SIGXFSZ, seen)
            .map_err(CommandError::io("signals", "handle"))?;
    }
    Ok(())
}

/// Returns the ignored signals from Linux's /proc, with bit n − 1 for signal n. On other systems the result is
/// 0.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
