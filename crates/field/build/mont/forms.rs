//! Linear forms Σ c·w. An unreduced value is 2N + 1 words in two's complement, an element N words; a term is a coefficient of 32
//! bits and, at byte 8, the address of its value.
//!
//! The coefficients that occur most in the formulas, ±1 and small ones in few terms, have kernels of their own,
//! without a branch. A term ±w is one addition with carry for each word, and a term with a larger coefficient is
//! added as often as its coefficient says. Kernels for other coefficients walk along the list.
//!
//! A few canonical elements are added modulo p one by one. Each step corrects by p once. Up to [`MAX_STEPS`] steps
//! cost less than a quotient.

use super::elements::{multiply, step};
use super::function::{ADD, Function, SUB, word};
use super::layout::{GUARD, Layout};

/// The terms of a kernel's form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Terms {
    /// A number of terms with coefficient 1, then a number of terms with coefficient −1.
    Ones(usize, usize),
    /// Terms with these coefficients.
    Given(&'static [i32]),
    /// Any coefficients, which are read from the list.
    Any,
}

impl Terms {
    /// The forms that have kernels: at most `plus` terms with coefficient 1 and `minus` terms with −1, small
    /// coefficients by themselves, the coefficients in `others`, and any coefficients.
    pub(crate) fn all([plus, minus]: [usize; 2], others: &'static [&'static [i32]]) -> Vec<Terms> {
        let ones = (0..=plus).flat_map(|plus| (0..=minus).map(move |minus| Terms::Ones(plus, minus)));
        let ones = ones.filter(|terms| *terms != Terms::Ones(0, 0));
        let small: [&[i32]; 5] = [&[2], &[3], &[4], &[-2], &[-3]];
        ones.chain(small.iter().chain(others).map(|list| Terms::Given(list))).chain([Terms::Any]).collect()
    }

    /// The end of a kernel's name.
    pub(crate) fn name(self) -> String {
        match self {
            Terms::Ones(plus, minus) => format!("{plus}_{minus}"),
            Terms::Given(list) => {
                let name = |c: &i32| if *c < 0 { format!("_less_{}", -c) } else { format!("_{c}") };
                format!("times{}", list.iter().map(name).collect::<String>())
            }
            Terms::Any => "any".into(),
        }
    }

    /// The Rust pattern of these terms, for a slice of coefficients.
    pub(crate) fn pattern(self) -> String {
        match self {
            Terms::Ones(plus, minus) => {
                let coefficients = [vec!["1"; plus], vec!["-1"; minus]].concat();
                format!("[{}]", coefficients.join(", "))
            }
            Terms::Given(list) => format!("{list:?}"),
            Terms::Any => "_".into(),
        }
    }

    /// The index of each term, and how often the term is added; none for `Any`.
    fn known(self) -> Vec<(usize, i32)> {
        match self {
            Terms::Ones(plus, minus) => (0..plus + minus).map(|i| (i, if i < plus { 1 } else { -1 })).collect(),
            Terms::Given(list) => list.iter().copied().enumerate().collect(),
            Terms::Any => vec![],
        }
    }

    /// The terms ±x of a form of at most `most` steps, one by one: the index of each term, and whether it is −x.
    /// `None` for a longer form, and for `Any`.
    fn steps(self, most: usize) -> Option<Vec<(usize, bool)>> {
        let each =
            self.known().into_iter().flat_map(|(i, c)| std::iter::repeat_n((i, c < 0), c.unsigned_abs() as usize));
        let each: Vec<(usize, bool)> = each.collect();
        (1..=most).contains(&each.len()).then_some(each)
    }
}

/// A range of words of every term, and the registers to which they are added.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    /// The first word of the range.
    pub(crate) from: usize,
    /// The registers to which the words are added.
    pub(crate) to: &'a [&'a str],
    /// The register that takes the carries, if the form goes on above the range.
    pub(crate) above: Option<&'a str>,
    /// Whether `to` already holds a value to which the form is added; otherwise `to` is set.
    pub(crate) onto: bool,
}

/// Computes a part of the form at rsi. For `Any`, the end of the list is read at [rsp + 8·end]. Uses rax, and for
/// `Any` also rbp, rdx and rsi.
pub(crate) fn form(f: &mut Function, terms: Terms, part: Part, end: usize) {
    let Part { from, to, above, onto } = part;
    if terms == Terms::Any {
        return walk(f, part, end);
    }
    let mut fresh = !onto;
    for (i, count) in terms.known() {
        f.line(format_args!("mov rax, {}", word("rsi", 2 * i + 1)));
        let mut times = count.unsigned_abs();
        if fresh && count > 0 {
            f.load(to, "rax", from);
            times -= 1;
        } else if fresh {
            to.iter().for_each(|d| f.line(format_args!("xor {d}, {d}")));
        }
        fresh = false;
        for _ in 0..times {
            let op = if count > 0 { ADD } else { SUB };
            f.chain(op, to, "rax", from);
            if let Some(above) = above {
                f.line(format_args!("{} {above}, 0", op[1]));
            }
        }
    }
}

/// Computes a part of the form at rsi for coefficients that are read from the list. A multiple with a negative
/// coefficient is added between two complements, since x − v = ¬(¬x + v).
fn walk(f: &mut Function, Part { from, to, above, onto }: Part, end: usize) {
    let all = || to.iter().copied().chain(above);
    if !onto {
        to.iter().for_each(|d| f.line(format_args!("xor {d}, {d}")));
    }
    f.line("push rsi");
    f.line(format_args!("cmp rsi, {}", word("rsp", end + 1)));
    f.line("je 9f");
    f.line("2:");
    f.line("movsxd rdx, dword ptr [rsi]");
    f.line("mov rax, qword ptr [rsi + 8]");
    f.line("add rsi, 16");
    for (c, op, label) in [(1, ADD, 3), (-1, SUB, 4)] {
        f.line(format_args!("cmp rdx, {c}"));
        f.line(format_args!("jne {label}f"));
        f.chain(op, to, "rax", from);
        if let Some(above) = above {
            f.line(format_args!("{} {above}, 0", op[1]));
        }
        f.line("jmp 8f");
        f.line(format_args!("{label}:"));
    }
    f.line("test rdx, rdx");
    f.line("jns 5f");
    f.line("neg rdx");
    all().for_each(|d| f.line(format_args!("not {d}")));
    f.line("5:");
    // low words go through rdi, which is saved; high words wait in rbp
    f.line("xor ebp, ebp");
    f.line("push rdi");
    for (k, d) in to.iter().enumerate() {
        f.line(format_args!("adox {d}, rbp"));
        f.line(format_args!("mulx rbp, rdi, {}", word("rax", from + k)));
        f.line(format_args!("adcx {d}, rdi"));
    }
    if let Some(above) = above {
        f.line("mov edi, 0");
        f.line(format_args!("adox {above}, rbp"));
        f.line(format_args!("adcx {above}, rdi"));
    }
    f.line("pop rdi");
    f.line("cmp dword ptr [rsi - 16], 0");
    f.line("jns 8f");
    all().for_each(|d| f.line(format_args!("not {d}")));
    f.line("8:");
    f.line(format_args!("cmp rsi, {}", word("rsp", end + 1)));
    f.line("jne 2b");
    f.line("9:");
    f.line("pop rsi");
}

/// For `Any`, computes the end of the list, rsi + 16·rdx, in rdx, and stores it as word 0 of the frame.
fn end_of_list(f: &mut Function, terms: Terms) {
    if terms == Terms::Any {
        f.line("shl rdx, 4");
        f.line("add rdx, rsi");
        f.line(format_args!("mov {}, rdx", word("rsp", 0)));
    }
}

/// The number of words of a frame that a form needs: one for `Any`, the end of the list.
fn room(terms: Terms) -> usize {
    usize::from(terms == Terms::Any)
}

/// The most steps modulo p that cost less than the subtraction of a quotient.
const MAX_STEPS: usize = 3;

/// d = d + Σ ±x modulo p, canonical, for the terms at rsi; the words at rdi, rdx and rax are overwritten.
fn take_steps(f: &mut Function, d: &[&str], steps: &[(usize, bool)]) {
    for (i, minus) in steps {
        f.line(format_args!("mov rax, {}", word("rsi", 2 * i + 1)));
        step(f, d, *minus, Some("rax"));
    }
}

/// Computes the reduced form in the accumulator c, rotated: (2^12·pR + Σ c·w + m·p)/R, in [0, 2^13·p).
fn reduced(f: &mut Function, layout: Layout, terms: Terms, end: usize) {
    let n = layout.0;
    let c = layout.words();
    let (low, top) = c.split_at(n);
    f.line(format_args!("movabs {}, {GUARD}", top[0]));
    form(f, terms, Part { from: 0, to: low, above: Some(top[0]), onto: false }, end);
    f.call(format!("rows_{n}"));
    let c = layout.rotated();
    f.chain(ADD, &c, "rcx", layout.guarded());
    form(f, terms, Part { from: n, to: &c, above: None, onto: true }, end);
}

/// out = Σ c·w/R modulo p, canonical.
pub(crate) fn reduce(layout: Layout, terms: Terms) -> String {
    let n = layout.0;
    let mut f =
        Function::new(format!("reduce_{}_{n}", terms.name()), super::function::FORM, "Σ c·w/R modulo p, canonical.");
    f.enter(&layout.used(), room(terms));
    end_of_list(&mut f, terms);
    reduced(&mut f, layout, terms, 0);
    f.call(format!("shrink_{n}"));
    f.leave();
    f.finish()
}

/// out = 3·Σ c·w/R ± 2x modulo p, canonical.
pub(crate) fn reduce_three(layout: Layout, terms: Terms, subtract: bool) -> String {
    let n = layout.0;
    let (name, sign) = if subtract { ("minus", '−') } else { ("plus", '+') };
    let mut f = Function::new(
        format!("reduce_three_{name}_{}_{n}", terms.name()),
        super::function::FORM_AND_ELEMENT,
        &format!("3·Σ c·w/R {sign} 2x modulo p, canonical."),
    );
    // the frame: the end of the list, N + 1 words, the address of x
    f.enter(&layout.used(), n + 3);
    f.line(format_args!("mov {}, r8", word("rsp", n + 2)));
    end_of_list(&mut f, terms);
    reduced(&mut f, layout, terms, 0);
    let c = layout.rotated();
    // 2(c ± x) + c
    f.store("rsp", 1, &c);
    f.line(format_args!("mov rax, {}", word("rsp", n + 2)));
    let op = if subtract { SUB } else { ADD };
    f.chain(op, &c[..n], "rax", 0);
    f.line(format_args!("{} {}, 0", op[1], c[n]));
    for (k, c) in c.iter().enumerate() {
        f.line(format_args!("{} {c}, {c}", ADD[usize::from(k > 0)]));
    }
    f.chain(ADD, &c, "rsp", 1);
    f.call(format!("shrink_{n}"));
    f.leave();
    f.finish()
}

/// out = Σ c·x of elements modulo p, canonical.
pub(crate) fn sum(layout: Layout, terms: Terms) -> String {
    let n = layout.0;
    let mut f = Function::new(format!("sum_{}_{n}", terms.name()), super::function::FORM, "Σ c·x modulo p, canonical.");
    // starts from the first x, or from a multiple of it by doublings, and takes the remaining steps
    if let Some([(first, false), steps @ ..]) = terms.steps(1 + MAX_STEPS).as_deref() {
        let d = &layout.words()[..n];
        f.enter(d, 0);
        f.line(format_args!("mov rax, {}", word("rsi", 2 * first + 1)));
        f.load(d, "rax", 0);
        let doubled = steps.iter().take_while(|next| **next == (*first, false)).count();
        match doubled {
            3 => (0..2).for_each(|_| step(&mut f, d, false, None)),
            1 => step(&mut f, d, false, None),
            _ => {}
        }
        take_steps(&mut f, d, &steps[if doubled % 2 == 1 { doubled } else { 0 }..]);
        f.store("rdi", 0, d);
        f.leave();
        return f.finish();
    }
    f.enter(&layout.used(), room(terms));
    end_of_list(&mut f, terms);
    let c = layout.rotated();
    f.load(&c, "rcx", layout.bias());
    form(&mut f, terms, Part { from: 0, to: &c[..n], above: Some(c[n]), onto: true }, 0);
    f.call(format!("shrink_{n}"));
    f.leave();
    f.finish()
}

/// out = a·b/R + Σ c·x or, if `is_square`, a²/R + Σ c·x modulo p, canonical. The terms are added to the high words of
/// the product.
pub(crate) fn mul_sum(layout: Layout, terms: Terms, is_square: bool) -> String {
    let n = layout.0;
    let (name, head) = if is_square { ("sqr_sum", "a²/R") } else { ("mul_sum", "a·b/R") };
    let head = format!("{head} + Σ c·x modulo p, canonical, of residues.");
    let mut f = Function::new(format!("{name}_{}_{n}", terms.name()), super::function::SUM, &head);
    // the frame: the end of the list, its start, the address of the modulus, the product
    let product = ("rsp", 3);
    f.enter(&layout.used(), 2 * n + 3);
    f.line("shl r9, 4");
    f.line("add r9, r8");
    f.store("rsp", 0, &["r9", "r8", "rcx"]);
    multiply(&mut f, layout, product, is_square);
    f.line(format_args!("mov rcx, {}", word("rsp", 2)));
    f.line(format_args!("mov rsi, {}", word("rsp", 1)));
    let (low, top) = layout.words().split_at(n);
    f.load(low, product.0, product.1);
    f.line(format_args!("xor {}, {}", top[0], top[0]));
    f.call(format!("rows_{n}"));
    let c = layout.rotated();
    if let Some(steps) = terms.steps(MAX_STEPS - 1) {
        f.chain(ADD, &c[..n], product.0, product.1 + n);
        f.line(format_args!("adc {}, 0", c[n]));
        f.call(format!("close_{n}"));
        take_steps(&mut f, &c[..n], &steps);
        f.store("rdi", 0, &c[..n]);
        f.leave();
        return f.finish();
    }
    f.chain(ADD, &c, "rcx", layout.bias());
    f.chain(ADD, &c[..n], product.0, product.1 + n);
    f.line(format_args!("adc {}, 0", c[n]));
    form(&mut f, terms, Part { from: 0, to: &c[..n], above: Some(c[n]), onto: true }, 0);
    f.call(format!("shrink_{n}"));
    f.leave();
    f.finish()
}

/// out = Σ c·w, unreduced: 2N + 1 words. These fit the registers up to N = 6; above, they are computed in two parts.
pub(crate) fn lin(layout: Layout, terms: Terms) -> String {
    let n = layout.0;
    let mut f = Function::new(format!("lin_{}_{n}", terms.name()), super::function::FORM, "Σ c·w, unreduced.");
    match at_once(layout, terms) {
        Some(c) => f.enter(c, 1),
        None => f.enter(&layout.used(), 2),
    }
    end_of_list(&mut f, terms);
    accumulate(&mut f, layout, terms, 0, false, room(terms));
    f.leave();
    f.finish()
}

/// Registers for all 2N + 1 words; `None` if there are not enough, and for `Any`.
fn at_once(layout: Layout, terms: Terms) -> Option<&'static [&'static str]> {
    super::layout::ALL.get(..=2 * layout.0).filter(|_| terms != Terms::Any)
}

/// Sets the unreduced value from word `at` behind rdi to Σ c·w or, with `onto`, adds Σ c·w to it. [rsp + 8·free] may
/// be overwritten.
pub(crate) fn accumulate(f: &mut Function, layout: Layout, terms: Terms, at: usize, onto: bool, free: usize) {
    let n = layout.0;
    if let Some(c) = at_once(layout, terms) {
        f.line(format_args!("mov {}, rdi", word("rsp", free)));
        if onto {
            // rdi is loaded last, since it holds the address
            f.load(c, "rdi", at);
        }
        form(f, terms, Part { from: 0, to: c, above: None, onto }, 0);
        f.line(format_args!("mov rax, {}", word("rsp", free)));
        f.store("rax", at, c);
        f.line("mov rdi, rax");
        return;
    }
    let c = layout.words();
    let (low, top) = c.split_at(n);
    f.line(format_args!("xor {}, {}", top[0], top[0]));
    if onto {
        f.load(low, "rdi", at);
    }
    form(f, terms, Part { from: 0, to: low, above: Some(top[0]), onto }, 0);
    f.store("rdi", at, low);
    f.line(format_args!("mov {}, {}", word("rsp", free), top[0]));
    if onto {
        f.load(c, "rdi", at + n);
    }
    form(f, terms, Part { from: n, to: c, above: None, onto }, 0);
    // the carry of the low words, with its sign
    f.line(format_args!("mov rax, {}", word("rsp", free)));
    f.line("cqo");
    f.line(format_args!("add {}, rax", c[0]));
    c[1..].iter().for_each(|c| f.line(format_args!("adc {c}, rdx")));
    f.store("rdi", at + n, c);
}
