//! Products, and the parts that kernels call: the rows of a reduction, the subtraction of the quotient, the last correction.
//!
//! A row multiplies N words by one word and adds the products to N + 1 registers on the two carry chains of ADX, low
//! words on one chain, high words on the other.

use super::function::{ADD, At, Function, word};
use super::layout::Layout;

/// c += rdx·y for the N words y behind an address; CF and OF must be clear.
///
/// Zen 4 executes two additions beside a multiplication in each cycle, in this order, and loses three cycles at any
/// other instruction for an arithmetic unit. So each row, even the first, has only one such instruction: the last
/// carry.
fn row(f: &mut Function, c: &[&str], base: &str, at: usize) {
    let n = c.len() - 1;
    for k in 0..n {
        f.line(format_args!("mulx rbp, rax, {}", word(base, at + k)));
        f.line(format_args!("adcx {}, rax", c[k]));
        f.line(format_args!("adox {}, rbp", c[k + 1]));
    }
    f.line(format_args!("adc {}, 0", c[n]));
}

/// Writes a product: the 2N words at `out` = the words at `a` times the words at `b`. Uses all registers of N words,
/// rdx and rax.
pub(crate) fn product(f: &mut Function, layout: Layout, out: At, [a, b]: [At; 2]) {
    let n = layout.0;
    let mut c = layout.words().to_vec();
    for i in 0..n {
        f.line(format_args!("mov rdx, {}", word(a.0, a.1 + i)));
        // the result is not used: an instruction of the multiplier between two rows saves a cycle of each row (Zen 4)
        f.line("imul rax, rcx");
        let clear = if i == 0 { &c[..] } else { &c[n..] };
        clear.iter().for_each(|c| f.line(format_args!("xor {c}, {c}")));
        row(f, &c, b.0, b.1);
        f.line(format_args!("mov {}, {}", word(out.0, out.1 + i), c[0]));
        c.rotate_left(1);
    }
    f.store(out.0, out.1 + n, &c[..n]);
}

/// Writes a square: the 2N words at `out` = the words at `a` times themselves. The N(N − 1)/2 products of different
/// words come first, row by row. Then their sum is doubled on one carry chain, while the other chain adds the squares
/// of the words.
pub(crate) fn square(f: &mut Function, layout: Layout, out: At, a: At) {
    let n = layout.0;
    // in row i, c_k is word 2i + 1 + k
    let mut c = layout.words()[..n].to_vec();
    for i in 0..n - 1 {
        f.line(format_args!("mov rdx, {}", word(a.0, a.1 + i)));
        f.line("imul rax, rcx");
        // word i + n is new; in the first row all words are new
        let length = n - i;
        let clear = if i == 0 { &c[..] } else { &c[length - 1..length] };
        clear.iter().for_each(|c| f.line(format_args!("xor {c}, {c}")));
        row(f, &c[..length], a.0, a.1 + i + 1);
        f.store(out.0, out.1 + 2 * i + 1, &c[..2]);
        c.rotate_left(2);
    }
    let [low, high] = [c[0], c[1]];
    f.line("xor eax, eax");
    for i in 0..n {
        f.line(format_args!("mov rdx, {}", word(a.0, a.1 + i)));
        f.line("mulx rbp, rax, rdx");
        for (k, (c, square)) in [(low, "rax"), (high, "rbp")].into_iter().enumerate() {
            let at = word(out.0, out.1 + 2 * i + k);
            // the first word and the last have no products of different words
            let doubled = 2 * i + k > 0 && 2 * i + k < 2 * n - 1;
            f.line(if doubled { format!("mov {c}, {at}") } else { format!("mov {c}, 0") });
            f.line(format_args!("adcx {c}, {c}"));
            f.line(format_args!("adox {c}, {square}"));
            f.line(format_args!("mov {at}, {c}"));
        }
    }
}

/// Writes `rows_N`, which divides c by R modulo p, so that N words disappear; afterwards c is `rotated`.
///
/// A row adds m·p with the m that clears the lowest word. Where the modulus allows, all rows but the last add c_0·k·p instead, for the
/// k with k·p = p''·2^64 − 1: then m is c_0 itself and the next row waits for one product instead of two. The multiple of p that is
/// added is up to 2^64 times greater, until the last row shortens it by a word: c is below t/R + p + p'' (Orup, ARITH 1995).
pub(crate) fn reduction(layout: Layout) -> String {
    let n = layout.0;
    let mut f = Function::new(format!("rows_{n}"), "", "The rows of a reduction of N words and one above.");
    f.line(format_args!("cmp {}, 0", word("rcx", layout.friendly())));
    f.line("je 22f");
    for friendly in [true, false] {
        let mut c = layout.words().to_vec();
        for i in 0..n {
            f.line(format_args!("mov rdx, {}", c[0]));
            if friendly && i + 1 < n {
                c.rotate_left(1);
                // the result is not used, as in a product
                f.line("imul rax, rcx");
                f.line(format_args!("xor {}, {}", c[n], c[n]));
                row(&mut f, &c, "rcx", layout.friendly());
                continue;
            }
            f.line(format_args!("imul rdx, {}", word("rcx", layout.ninv())));
            // the row before has cleared its lowest word, which becomes the highest
            let clear = if i == 0 || friendly { "rax" } else { c[n] };
            f.line(format_args!("xor {clear}, {clear}"));
            row(&mut f, &c, "rcx", Layout::P);
            c.rotate_left(1);
        }
        f.line("ret");
        if friendly {
            f.line("22:");
        }
    }
    f.finish()
}

/// Writes `close_N`, which sets the N words at rdi to c, rotated, or to c − p if that is not negative, for c
/// in [0, 2p).
pub(crate) fn close(layout: Layout) -> String {
    let n = layout.0;
    let mut f = Function::new(format!("close_{n}"), "", "N words at rdi = c or c − p.");
    closing(&mut f, layout);
    f.finish()
}

fn closing(f: &mut Function, layout: Layout) {
    let c = layout.rotated();
    let (low, top) = c.split_at(layout.0);
    f.store("rdi", 0, low);
    // + (2^(64N) − p): carries if c ≥ p
    f.chain(ADD, low, "rcx", layout.complement());
    f.line(format_args!("adc {}, 0", top[0]));
    f.line(format_args!("cmp {}, 1", top[0]));
    for (k, c) in low.iter().enumerate() {
        f.line(format_args!("cmovc {c}, {}", word("rdi", k)));
        f.line(format_args!("mov {}, {c}", word("rdi", k)));
    }
    f.line("ret");
}

/// Writes `shrink_N`, which sets the N words at rdi to c modulo p, canonical, for c in [0, 2^16·p), rotated. The
/// quotient times p is subtracted as in `Modulus::shrink`; for a tight modulus the window lies in the last two words.
pub(crate) fn shrink(layout: Layout) -> String {
    let n = layout.0;
    let mut f = Function::new(format!("shrink_{n}"), "", "N words at rdi = c modulo p.");
    let c = layout.rotated();
    f.line(format_args!("mov rax, {}", word("rcx", layout.begin())));
    f.line(format_args!("shrx rdx, {}, rax", c[n - 1]));
    // the window begins in bits 1 to 16 of a word
    f.line("neg rax");
    f.line(format_args!("shlx rbp, {}, rax", c[n]));
    f.line("or rdx, rbp");
    f.line(format_args!("mulx rdx, rax, {}", word("rcx", layout.reciprocal())));
    f.line("shr rdx, 47");
    // − q·p = q·(2^(64N) − p) − q·2^(64N)
    f.line(format_args!("sub {}, rdx", c[n]));
    f.line("xor eax, eax");
    row(&mut f, &c, "rcx", layout.complement());
    closing(&mut f, layout);
    f.finish()
}
