//! One function in assembly on general registers, as a Rust item.

use std::fmt::{Display, Write};

/// The arguments of a kernel: those of `Function` in `src/kernel.rs`, without those that the kernel does not take.
pub(crate) const OPERANDS: &str = "out: *mut u64, a: *const u64, b: *const u64, modulus: *const u64";
pub(crate) const FORM: &str = "out: *mut u64, terms: *const Item, count: usize, modulus: *const u64";
pub(crate) const FORM_AND_ELEMENT: &str =
    "out: *mut u64, terms: *const Item, count: usize, modulus: *const u64, x: *const u64";

pub(crate) const SUM: &str =
    "out: *mut u64, a: *const u64, b: *const u64, modulus: *const u64, terms: *const Item, count: usize";

/// The callee-saved registers of the System V convention.
const SAVED: [&str; 6] = ["rbx", "rbp", "r12", "r13", "r14", "r15"];

/// A function under construction.
pub(crate) struct Function {
    name: String,
    arguments: &'static str,
    head: String,
    body: String,
    calls: Vec<String>,
    /// The registers that the function has pushed, in this order, and (`frame`) the bytes below them.
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

    /// Saves the callee-saved registers among `used`, and reserves `words` words at rsp.
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

    /// Loads d_k from word `at + k` behind the address in `base`.
    pub(crate) fn load(&mut self, d: &[&str], base: &str, at: usize) {
        for (k, d) in d.iter().enumerate() {
            self.line(format_args!("mov {d}, {}", word(base, at + k)));
        }
    }

    /// Stores d_k as word `at + k` behind the address in `base`.
    pub(crate) fn store(&mut self, base: &str, at: usize, d: &[&str]) {
        for (k, d) in d.iter().enumerate() {
            self.line(format_args!("mov {}, {d}", word(base, at + k)));
        }
    }

    /// Adds the words from word `at` behind an address to d, or subtracts them, with a carry from word to word:
    /// instruction `first` on the lowest word, then `next`.
    pub(crate) fn chain(&mut self, [first, next]: [&str; 2], d: &[&str], base: &str, at: usize) {
        for (k, d) in d.iter().enumerate() {
            let op = if k == 0 { first } else { next };
            self.line(format_args!("{op} {d}, {}", word(base, at + k)));
        }
    }

    /// Returns the function as a Rust item.
    pub(crate) fn finish(self) -> String {
        let Function { name, arguments, head, body, calls, .. } = self;
        let calls: String = calls.iter().map(|part| format!(", {part} = sym {part}")).collect();
        let item = format!("unsafe extern \"sysv64\" fn {name}({arguments}) {{");
        format!(
            "/// {head}\n#[unsafe(naked)]\n{item}\n    core::arch::naked_asm!(r\"\n{body}        .p2align 6\n        \"{calls})\n}}\n\n"
        )
    }
}

/// An address in memory: the register that holds a base address, and the number of words behind it.
pub(crate) type At = (&'static str, usize);

/// The operand in memory that is word k behind the address in `base`.
pub(crate) fn word(base: &str, k: usize) -> String {
    format!("qword ptr [{base} + {}]", 8 * k)
}

/// The instructions of a sum and (`SUB`) of a difference: for the lowest word, and for the other words.
pub(crate) const ADD: [&str; 2] = ["add", "adc"];
pub(crate) const SUB: [&str; 2] = ["sub", "sbb"];
