//! `bilinear asm` and `bilinear sim`: pairings on the processor.

pub(crate) mod asm;
mod options;
pub(crate) mod sim;
mod stage;
