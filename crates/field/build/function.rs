//! One straight-line function in assembly: its text, and what it makes the vector ports issue.

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

/// Vector `index` behind the address in a general register.
#[derive(Clone, Copy)]
pub(crate) struct At(pub(crate) &'static str, pub(crate) usize);

impl Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "zmmword ptr [{} + {}]", self.0, 64 * self.1)
    }
}

/// A function under construction. Registers are taken and given back by name; running out of them is an error of the
/// generator.
pub(crate) struct Function {
    name: String,
    arguments: &'static str,
    head: Vec<String>,
    body: String,
    /// Functions that are called, with their names in the text.
    calls: Vec<(&'static str, String)>,
    free: Vec<Z>,
    /// vpmadd52 instructions, those in loops once.
    pub(crate) ifma: usize,
    /// The same, as often as they run.
    issued: usize,
    /// How often the code that is written now runs.
    turns: usize,
}

impl Function {
    /// A function with these Rust arguments. The System V convention hands them over in rdi, rsi, rdx, rcx, r8.
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

    /// A line of the documentation.
    pub(crate) fn head(&mut self, text: impl Display) {
        self.head.push(text.to_string());
    }

    /// An instruction or a label.
    pub(crate) fn line(&mut self, text: impl Display) {
        let _ = writeln!(self.body, "        {text}");
    }

    /// A register that nothing else uses; its content is undefined.
    pub(crate) fn take(&mut self) -> Z {
        self.free.pop().unwrap_or_else(|| panic!("{}: no register left", self.name))
    }

    /// Returns a register.
    pub(crate) fn give(&mut self, z: Z) {
        debug_assert!(!self.free.contains(&z));
        self.free.push(z);
    }

    /// A register that is 0.
    pub(crate) fn zero(&mut self) -> Z {
        let z = self.take();
        self.line(format_args!("vpxorq {z}, {z}, {z}"));
        z
    }

    /// A register that is 2^bits − 1, for less than 64 bits.
    pub(crate) fn ones(&mut self, bits: u32) -> Z {
        let z = self.take();
        self.line(format_args!("vpternlogq {z}, {z}, {z}, 255"));
        self.line(format_args!("vpsrlq {z}, {z}, {}", 64 - bits));
        z
    }

    /// A register loaded from memory.
    pub(crate) fn load(&mut self, from: At) -> Z {
        let z = self.take();
        self.line(format_args!("vmovdqa64 {z}, {from}"));
        z
    }

    /// Another register with the same content.
    pub(crate) fn copy(&mut self, from: Z) -> Z {
        let z = self.take();
        self.line(format_args!("vmovdqa64 {z}, {from}"));
        z
    }

    /// Stores a register, which is returned.
    pub(crate) fn store(&mut self, to: At, z: Z) {
        self.line(format_args!("vmovdqa64 {to}, {z}"));
        self.give(z);
    }

    fn count(&mut self) {
        self.ifma += 1;
        self.issued += self.turns;
    }

    /// Writes the body of a loop that runs so often; of what runs on request only, not at all.
    pub(crate) fn body(&mut self, turns: usize, write: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.turns, turns);
        write(self);
        self.turns = outside;
    }

    /// Counts what a kernel that is called multiplies on request.
    pub(crate) fn requests(&mut self, multiplications: usize) {
        self.issued += multiplications;
    }

    /// Writes one of two ways to go on: afterwards the registers are as if it had not been written.
    pub(crate) fn instead(&mut self, write: impl FnOnce(&mut Self)) {
        let free = self.free.clone();
        write(self);
        self.free = free;
    }

    /// acc += the low 52 bits of the 104-bit product of x and y, of both of which only 52 bits are read.
    pub(crate) fn lo(&mut self, acc: Z, x: Z, y: impl Display) {
        self.count();
        self.line(format_args!("vpmadd52luq {acc}, {x}, {y}"));
    }

    /// acc += the high 52 bits of that product.
    pub(crate) fn hi(&mut self, acc: Z, x: Z, y: impl Display) {
        self.count();
        self.line(format_args!("vpmadd52huq {acc}, {x}, {y}"));
    }

    /// The same as `lo` in the lanes of a mask register.
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

    /// d = ⌊x/2^52⌋ for signed x: what a column carries into the next.
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

    /// The function as a Rust item.
    pub(crate) fn finish(mut self) -> String {
        // upper halves that stay in use would slow the caller's SSE code
        self.line("vzeroupper");
        self.line("ret");
        // kernels begin and end at a line of the cache, wherever the linker puts them
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
