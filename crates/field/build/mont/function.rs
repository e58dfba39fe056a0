//! One function of general registers in assembly, as a Rust item.

use std::fmt::{Display, Write};

/// What a kernel takes: the arguments of `Function` in `src/kernel.rs`, those that it does not take left out.
pub(crate) const OPERANDS: &str = "out: *mut u64, a: *const u64, b: *const u64, modulus: *const u64";
pub(crate) const FORM: &str = "out: *mut u64, terms: *const Item, count: usize, modulus: *const u64";
pub(crate) const FORM_AND_ELEMENT: &str =
    "out: *mut u64, terms: *const Item, count: usize, modulus: *const u64, x: *const u64";

pub(crate) const SUM: &str =
    "out: *mut u64, a: *const u64, b: *const u64, modulus: *const u64, terms: *const Item, count: usize";

/// Registers that a function of the System V convention gives back as they were.
const SAVED: [&str; 6] = ["rbx", "rbp", "r12", "r13", "r14", "r15"];

/// A function under construction.
pub(crate) struct Function {
    name: String,
    arguments: &'static str,
    head: String,
    body: String,
    calls: Vec<String>,
    /// What it has pushed, in this order, and the bytes below.
    saved: Vec<&'static str>,
    frame: usize,
}

impl Function {
    pub(crate) fn new(name: String, arguments: &'static str, head: &str) -> Self {
        let (head, body) = (head.into(), String::new());
        Function { name, arguments, head, body, calls: vec![], saved: vec![], frame: 0 }
    }

    /// An instruction or a label.
    pub(crate) fn line(&mut self, text: impl Display) {
        let _ = writeln!(self.body, "        {text}");
    }

    /// Saves those of these registers that belong to the caller, and makes room for so many words at rsp.
    pub(crate) fn enter(&mut self, used: &[&str], words: usize) {
        self.saved = SAVED.into_iter().filter(|r| used.contains(r)).collect();
        for r in self.saved.clone() {
            self.line(format_args!("push {r}"));
        }
        self.frame = 8 * words;
        if self.frame > 0 {
            self.line(format!("sub rsp, {}", self.frame));
        }
    }

    /// Undoes `enter` and returns.
    pub(crate) fn leave(&mut self) {
        if self.frame > 0 {
            self.line(format!("add rsp, {}", self.frame));
        }
        for r in self.saved.clone().into_iter().rev() {
            self.line(format_args!("pop {r}"));
        }
        self.line("ret");
    }

    /// Calls a part that kernels share.
    pub(crate) fn call(&mut self, part: String) {
        self.line(format_args!("call {{{part}}}"));
        if !self.calls.contains(&part) {
            self.calls.push(part);
        }
    }

    /// d_k = the words from an address on.
    pub(crate) fn load(&mut self, d: &[&str], base: &str, at: usize) {
        for (k, d) in d.iter().enumerate() {
            self.line(format_args!("mov {d}, {}", word(base, at + k)));
        }
    }

    /// The words from an address on = d_k.
    pub(crate) fn store(&mut self, base: &str, at: usize, d: &[&str]) {
        for (k, d) in d.iter().enumerate() {
            self.line(format_args!("mov {}, {d}", word(base, at + k)));
        }
    }

    /// d += the words from an address on, with a carry from word to word: `first`, then `next`.
    pub(crate) fn chain(&mut self, [first, next]: [&str; 2], d: &[&str], base: &str, at: usize) {
        for (k, d) in d.iter().enumerate() {
            let op = if k == 0 { first } else { next };
            self.line(format_args!("{op} {d}, {}", word(base, at + k)));
        }
    }

    /// The function as a Rust item.
    pub(crate) fn finish(self) -> String {
        let Function { name, arguments, head, body, calls, .. } = self;
        let calls: String = calls.iter().map(|part| format!(", {part} = sym {part}")).collect();
        let item = format!("unsafe extern \"sysv64\" fn {name}({arguments}) {{");
        format!(
            "/// {head}\n#[unsafe(naked)]\n{item}\n    core::arch::naked_asm!(r\"\n{body}        .p2align 6\n        \"{calls})\n}}\n\n"
        )
    }
}

/// A place: words behind the address in a register.
pub(crate) type At = (&'static str, usize);

/// Word k behind an address.
pub(crate) fn word(base: &str, k: usize) -> String {
    format!("qword ptr [{base} + {}]", 8 * k)
}

/// The first and the other instructions of a sum and of a difference.
pub(crate) const ADD: [&str; 2] = ["add", "adc"];
pub(crate) const SUB: [&str; 2] = ["sub", "sbb"];
