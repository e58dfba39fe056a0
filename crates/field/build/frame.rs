//! Stack frames, and the arguments of calls in kernels that call other kernels.

use crate::function::Function;

/// The size of a page of the stack in bytes. Frames touch every page on the way down, so that an overflow hits the
/// guard page.
const PAGE: usize = 4096;
/// The registers of the arguments. The fourth holds the address of the modulus's constants, and the fifth the
/// distance in bytes between the components of an element of F_p(i).
const ARGUMENTS: [&str; 5] = ["rdi", "rsi", "rdx", "rcx", "r8"];
/// The index of the fifth argument, the distance between components.
const STRIDE: usize = 4;

/// An address to pass to a kernel, a number of vectors behind another address.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// An argument of the calling kernel, counted from 0, and the number of vectors behind it.
    Given(usize, usize),
    /// The second component of the element that an argument points to.
    Second(usize),
    /// The number of vectors behind the end of the calling kernel's frame.
    Own(usize),
}

impl Place {
    /// Returns the place `vectors` vectors further on.
    pub(crate) fn plus(self, vectors: usize) -> Self {
        match self {
            Place::Given(argument, at) => Place::Given(argument, at + vectors),
            Place::Second(_) => panic!("a component is handed over as a whole"),
            Place::Own(at) => Place::Own(at + vectors),
        }
    }

    /// Loads the address into a register.
    pub(crate) fn into(self, f: &mut Function, register: &str) {
        match self {
            Place::Given(argument, at) => {
                f.line(format_args!("mov {register}, [rbp - {}]", 8 * (argument + 1)));
                if at > 0 {
                    f.line(format_args!("add {register}, {}", 64 * at));
                }
            }
            Place::Second(argument) => {
                f.line(format_args!("mov {register}, [rbp - {}]", 8 * (argument + 1)));
                f.line(format_args!("add {register}, [rbp - {}]", 8 * (STRIDE + 1)));
            }
            Place::Own(at) => f.line(format_args!("lea {register}, [rsp + {}]", 64 * at)),
        }
    }
}

/// Begins a frame, which [`leave`] drops.
fn begin(f: &mut Function) {
    f.line("push rbp");
    f.line("mov rbp, rsp");
}

/// Reserves `vectors` vectors at rsp, less than a page in all, for a kernel that saves its arguments itself.
pub(crate) fn reserve(f: &mut Function, vectors: usize) {
    assert!(64 * vectors < PAGE, "{vectors} vectors are a page");
    begin(f);
    f.line(format_args!("sub rsp, {}", 64 * vectors));
    f.line("and rsp, -64");
}

/// Saves the arguments, and reserves `vectors` vectors at rsp.
pub(crate) fn enter(f: &mut Function, vectors: usize) {
    begin(f);
    for register in ARGUMENTS {
        f.line(format_args!("push {register}"));
    }
    f.line("and rsp, -64");
    let bytes = 64 * vectors;
    for _ in 0..bytes / PAGE {
        f.line(format_args!("sub rsp, {PAGE}"));
        f.line("or qword ptr [rsp], 0");
    }
    f.line(format_args!("sub rsp, {}", bytes % PAGE));
}

/// Calls a kernel with `places` as its first arguments. The remaining arguments are the caller's own.
pub(crate) fn call(f: &mut Function, label: &'static str, kernel: String, places: &[Place]) {
    let own = (places.len()..ARGUMENTS.len()).map(|k| Place::Given(k, 0));
    for (place, register) in places.iter().copied().chain(own).zip(ARGUMENTS) {
        place.into(f, register);
    }
    f.call(label, kernel);
}

/// Drops the frame.
pub(crate) fn leave(f: &mut Function) {
    f.line("mov rsp, rbp");
    f.line("pop rbp");
}
