//! One function in assembly: its text, and the number of IFMA instructions that it makes the vector ports issue.

use crate::kernels::{ATTRIBUTE, SIGNATURE};
use std::fmt::{Display, Write};

/// A vector register: eight lanes of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Z(u8);

impl Display for Z {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "zmm{}", self.0)
    }
}

/// A vector in memory: number `.1` behind the address in the general register `.0`.
#[derive(Clone, Copy)]
pub(crate) struct At(pub(crate) &'static str, pub(crate) usize);

impl Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "zmmword ptr [{} + {}]", self.0, 64 * self.1)
    }
}

/// A function under construction. Registers are taken and given back by name; running out of registers is a bug in the
/// generator.
pub(crate) struct Function {
    name: String,
    arguments: &'static str,
    head: Vec<String>,
    body: String,
    /// The functions that this one calls, with their labels in the text.
    calls: Vec<(&'static str, String)>,
    free: Vec<Z>,
    /// The number of vpmadd52 instructions; those in loops count once.
    pub(crate) ifma: usize,
    /// The number of vpmadd52 instructions issued: each counts as often as it runs.
    issued: usize,
    /// How often the code that is being written runs.
    turns: usize,
}

impl Function {
    /// Creates a function with these Rust arguments. The System V convention passes them in rdi, rsi, rdx, rcx, r8, r9.
    pub(crate) fn new(name: String, arguments: &'static str) -> Self {
        let free = (0..32).rev().map(Z).collect();
        Function {
            name,
            arguments,
            head: vec![],
            body: String::new(),
            calls: vec![],
            free,
            ifma: 0,
            issued: 0,
            turns: 1,
        }
    }

    /// Adds a line to the function's documentation.
    pub(crate) fn head(&mut self, text: impl Display) {
        self.head.push(text.to_string());
    }

    /// Adds an instruction or a label.
    pub(crate) fn line(&mut self, text: impl Display) {
        let _ = writeln!(self.body, "        {text}");
    }

    /// Takes a register that nothing else uses; its content is undefined.
    pub(crate) fn take(&mut self) -> Z {
        self.free.pop().unwrap_or_else(|| panic!("{}: no register left", self.name))
    }

    /// Gives back a register.
    pub(crate) fn give(&mut self, z: Z) {
        debug_assert!(!self.free.contains(&z));
        self.free.push(z);
    }

    /// Takes a register and sets it to 0.
    pub(crate) fn zero(&mut self) -> Z {
        let z = self.take();
        self.line(format_args!("vpxorq {z}, {z}, {z}"));
        z
    }

    /// Takes a register and sets its lanes to 2^bits − 1, for fewer than 64 bits.
    pub(crate) fn ones(&mut self, bits: u32) -> Z {
        let z = self.take();
        self.line(format_args!("vpternlogq {z}, {z}, {z}, 255"));
        self.line(format_args!("vpsrlq {z}, {z}, {}", 64 - bits));
        z
    }

    /// Takes a register and loads it from memory.
    pub(crate) fn load(&mut self, from: At) -> Z {
        let z = self.take();
        self.line(format_args!("vmovdqa64 {z}, {from}"));
        z
    }

    /// Takes a register and copies `from` into it.
    pub(crate) fn copy(&mut self, from: Z) -> Z {
        let z = self.take();
        self.line(format_args!("vmovdqa64 {z}, {from}"));
        z
    }

    /// Stores a register and gives it back.
    pub(crate) fn store(&mut self, to: At, z: Z) {
        self.line(format_args!("vmovdqa64 {to}, {z}"));
        self.give(z);
    }

    fn count(&mut self) {
        self.ifma += 1;
        self.issued += self.turns;
    }

    /// Writes code that counts as running `turns` times: the body of a loop, or with 0 turns code that runs only on
    /// request.
    pub(crate) fn body(&mut self, turns: usize, write: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.turns, turns);
        write(self);
        self.turns = outside;
    }

    /// Counts the multiplications that a called kernel performs on request.
    pub(crate) fn requests(&mut self, multiplications: usize) {
        self.issued += multiplications;
    }

    /// Writes one of two alternative branches. Afterwards the free registers are as if the branch had not been written.
    pub(crate) fn instead(&mut self, write: impl FnOnce(&mut Self)) {
        let free = self.free.clone();
        write(self);
        self.free = free;
    }

    /// acc += the low 52 bits of the 104-bit product of x and y; only the low 52 bits of x and of y are read.
    pub(crate) fn lo(&mut self, acc: Z, x: Z, y: impl Display) {
        self.count();
        self.line(format_args!("vpmadd52luq {acc}, {x}, {y}"));
    }

    /// acc += the high 52 bits of the 104-bit product of x and y; only the low 52 bits of x and of y are read.
    pub(crate) fn hi(&mut self, acc: Z, x: Z, y: impl Display) {
        self.count();
        self.line(format_args!("vpmadd52huq {acc}, {x}, {y}"));
    }

    /// Like `lo`, but only in the lanes of a mask register.
    pub(crate) fn lo_where(&mut self, mask: &str, acc: Z, x: Z, y: impl Display) {
        self.count();
        self.line(format_args!("vpmadd52luq {acc}{{{{{mask}}}}}, {x}, {y}"));
    }

    /// d = x + y.
    pub(crate) fn add(&mut self, d: Z, x: Z, y: impl Display) {
        self.line(format_args!("vpaddq {d}, {x}, {y}"));
    }

    /// d = x − y.
    pub(crate) fn sub(&mut self, d: Z, x: Z, y: impl Display) {
        self.line(format_args!("vpsubq {d}, {x}, {y}"));
    }

    /// d = x & y.
    pub(crate) fn and(&mut self, d: Z, x: Z, y: impl Display) {
        self.line(format_args!("vpandq {d}, {x}, {y}"));
    }

    /// d = ⌊x/2^52⌋ for signed x: the carry of a column into the next.
    pub(crate) fn carry(&mut self, d: Z, x: Z) {
        self.line(format_args!("vpsraq {d}, {x}, 52"));
    }

    /// Calls another kernel, known to the text as `label`.
    pub(crate) fn call(&mut self, label: &'static str, kernel: String) {
        self.line(format_args!("call {{{label}}}"));
        match self.calls.iter().find(|(known, _)| *known == label) {
            Some((_, known)) => assert_eq!(*known, kernel, "{}: two kernels called {label}", self.name),
            None => self.calls.push((label, kernel)),
        }
    }

    /// Returns the function as a Rust item.
    pub(crate) fn finish(mut self) -> String {
        // upper halves that stay in use would slow the caller's SSE code
        self.line("vzeroupper");
        self.line("ret");
        // kernels begin and end at a cache line boundary, wherever the linker puts them
        self.line(".p2align 6");
        let mut item = String::new();
        for line in &self.head {
            let _ = writeln!(item, "/// {line}");
        }
        let (ifma, issued) = (self.ifma, self.issued);
        let (name, arguments, body) = (&self.name, self.arguments, &self.body);
        let calls: String = self.calls.iter().map(|(label, kernel)| format!(", {label} = sym {kernel}")).collect();
        let _ = writeln!(item, "/// {ifma} IFMA instructions, {issued} issued.\n{ATTRIBUTE}");
        let _ = writeln!(item, "{SIGNATURE}{name}({arguments}) {{");
        // tests count the calls
        let _ = writeln!(item, "    core::arch::naked_asm!(#[cfg(test)] \"inc qword ptr [rip + {{called}}]\",");
        let _ = writeln!(item, "        r\"\n{body}        \", #[cfg(test)] called = sym called::{name}{calls})\n}}\n");
        item
    }
}
