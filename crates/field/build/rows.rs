//! Kernels on rows: eight values of one computation at a time, gathered from memory and scattered back to it.
//!
//! A row holds the limbs of one value side by side: an element in one vector, an unreduced value in as many vectors
//! as its columns fill. A kernel reads eight rows for each operand and transposes them, so that the lanes of a vector
//! hold the same limb of eight values. It computes in lanes as all other kernels do, and transposes back. An operand
//! may be a sum of rows: limbs are added before the transposition, and carried after it. The offsets of the rows, in
//! words from `base`, are read from a list.

use crate::columns::{Columns, Limbs, row as multiples};
use crate::function::{At, Function, Z};
use crate::layout::Layout;
use crate::reduction::{Reduction, shrink};
use crate::shape::Shape;

/// The most limbs of an element in a row.
pub(crate) const MAX: usize = 8;
/// The number of lanes, or 64-bit words, of a vector.
const LANES: usize = 8;

/// The arguments of a kernel on rows.
pub(crate) const ARGUMENTS: &str = "base: *mut Vector, list: *const u16, count: usize, modulus: *const Vector";

/// Returns the kernels on rows for `limbs` limbs.
pub(crate) fn kernels(limbs: usize) -> String {
    let mut text = String::new();
    for (terms, pairs) in products() {
        text += &product(limbs, terms, pairs);
    }
    text += &reduce(Shape::any(limbs));
    text += &reduce_three(Shape::any(limbs));
    text += &sum(limbs);
    let wide = (2 * limbs).div_ceil(LANES);
    for (suffix, is_wide, carries) in KINDS {
        let (parts, terms) = if is_wide { (wide, [2, 2]) } else { (1, [2, 1]) };
        text += &form(format!("rows_form{suffix}_{limbs}"), parts, limbs, terms, carries);
        text += &multiple(format!("rows_multiple{suffix}_{limbs}"), parts, limbs, carries);
    }
    text
}

/// The kinds of sums row by row: of elements, of unreduced values, and of unreduced values with carries. Each has a
/// suffix, a flag for unreduced values and a flag for carries.
const KINDS: [(&str, bool, bool); 3] = [("", false, false), ("_wide", true, false), ("_carried", true, true)];

/// Returns the table of the kernels on rows, in the order of `rows::Kernel`.
pub(crate) fn table(limbs: usize) -> String {
    let products = products().map(product_name);
    let sums =
        ["form", "multiple"].into_iter().flat_map(|name| KINDS.map(|(suffix, ..)| format!("rows_{name}{suffix}")));
    let others = ["rows_reduce", "rows_reduce_three", "rows_sum"].map(String::from).into_iter().chain(sums);
    let names: Vec<String> = products.chain(others).map(|name| format!("{name}_{limbs}")).collect();
    format!("[{}]", names.join(", "))
}

/// The numbers of rows that are added and subtracted for each operand, one pair of numbers for each kind of product.
const TERMS: [(usize, usize); 3] = [(1, 0), (2, 0), (2, 1)];
/// The numbers of triples of products by Karatsuba's method that leave two values instead of three.
const PAIRS: std::ops::Range<usize> = 0..3;

/// The products that have kernels: the rows of each operand, and the number of triples.
fn products() -> impl Iterator<Item = ((usize, usize), usize)> {
    TERMS.into_iter().flat_map(|terms| PAIRS.map(move |pairs| (terms, pairs)))
}

fn product_name(((plus, minus), pairs): ((usize, usize), usize)) -> String {
    format!("rows_mul_{plus}_{minus}_{pairs}")
}

/// Reads number `at` of the list into a register.
fn number(f: &mut Function, register: &str, at: usize) {
    f.line(format_args!("movzx {register}, word ptr [rsi + {}]", 2 * at));
}

/// Vector `part` of the row whose offset, in words, is in this register.
fn row(register: &str, part: usize) -> String {
    format!("zmmword ptr [rdi + 8*{register} + {}]", 64 * part)
}

/// Passes the eight numbers from `at` on to `each`, each number in a register. Loads limit these kernels, so four
/// numbers are loaded at once.
fn eight(f: &mut Function, at: usize, mut each: impl FnMut(&mut Function, usize, &str)) {
    for first in (0..LANES).step_by(4) {
        f.line(format_args!("mov rax, qword ptr [rsi + {}]", 2 * (at + first)));
        f.line("movzx r10d, ax");
        each(f, first, "r10");
        f.line("mov r11d, eax");
        f.line("shr r11d, 16");
        each(f, first + 1, "r11");
        f.line("shr rax, 32");
        f.line("movzx r10d, ax");
        each(f, first + 2, "r10");
        f.line("shr eax, 16");
        each(f, first + 3, "rax");
    }
}

/// Transposes up to eight vectors, and returns the first `wanted` vectors of the result. Words of missing vectors are
/// arbitrary. Takes 24 permutations for eight vectors.
fn transposed(f: &mut Function, rows: Vec<Z>, wanted: usize) -> Vec<Z> {
    // the even words of two rows, and their odd words, in blocks of 128 bits
    let mut halves = [vec![], vec![]];
    for pair in rows.chunks(2) {
        let (low, a, b) = (f.take(), pair[0], pair[pair.len() - 1]);
        f.line(format_args!("vpunpcklqdq {low}, {a}, {b}"));
        f.line(format_args!("vpunpckhqdq {a}, {a}, {b}"));
        pair[1..].iter().for_each(|b| f.give(*b));
        halves[0].push(low);
        halves[1].push(a);
    }
    let mut out = [None; LANES];
    for (parity, half) in halves.into_iter().enumerate() {
        // blocks 0 and 2, and blocks 1 and 3, of rows 0 to 3, and of rows 4 to 7
        let blocks: Vec<[Z; 2]> = half.chunks(2).map(|two| in_two(f, two)).collect();
        for k in 0..2 {
            let four: Vec<Z> = blocks.iter().map(|blocks| blocks[k]).collect();
            for (j, z) in (2 * k + parity..).step_by(4).zip(in_two(f, &four)) {
                if j < wanted {
                    out[j] = Some(z);
                } else {
                    f.give(z);
                }
            }
        }
    }
    out.into_iter().flatten().collect()
}

/// Returns a vector with blocks 0 and 2 of two vectors, and a vector with blocks 1 and 3 of both. A block has 128
/// bits.
fn in_two(f: &mut Function, vectors: &[Z]) -> [Z; 2] {
    let (even, a, b) = (f.take(), vectors[0], vectors[vectors.len() - 1]);
    f.line(format_args!("vshufi64x2 {even}, {a}, {b}, 0x88"));
    f.line(format_args!("vshufi64x2 {a}, {a}, {b}, 0xdd"));
    vectors[1..].iter().for_each(|b| f.give(*b));
    [even, a]
}

/// Adds the parts of the row at an offset to the parts of a row; or sets, or subtracts them. `how` is the
/// instruction.
fn term(f: &mut Function, parts: &[Z], register: &str, how: &str) {
    for (part, z) in parts.iter().enumerate() {
        match how {
            "vmovdqa64" => f.line(format_args!("vmovdqa64 {z}, {}", row(register, part))),
            _ => f.line(format_args!("{how} {z}, {z}, {}", row(register, part))),
        }
    }
}

/// Adds, sets or subtracts one term of each of eight rows, at the offsets from `at` on.
fn layer(f: &mut Function, lanes: &[Vec<Z>], at: usize, how: &str) {
    eight(f, at, |f, lane, register| term(f, &lanes[lane], register, how));
}

fn lanes(f: &mut Function, parts: usize) -> Vec<Vec<Z>> {
    (0..LANES).map(|_| (0..parts).map(|_| f.take()).collect()).collect()
}

/// Returns eight sums of `plus` rows less `minus` rows, as limbs in lanes, not carried.
fn operand(f: &mut Function, limbs: usize, at: usize, (plus, minus): (usize, usize)) -> Vec<Z> {
    let rows = lanes(f, 1);
    layer(f, &rows, at, "vmovdqa64");
    for k in 1..plus {
        layer(f, &rows, at + LANES * k, "vpaddq");
    }
    for k in plus..plus + minus {
        layer(f, &rows, at + LANES * k, "vpsubq");
    }
    transposed(f, rows.into_iter().flatten().collect(), limbs)
}

/// Stores eight values, given as limbs in lanes, to part `part` of the rows at the offsets from `at` on. The first
/// `pairs` triples of values are combined as in [`product`].
fn scatter(f: &mut Function, vectors: Vec<Z>, at: usize, part: usize, pairs: usize) {
    let rows = transposed(f, vectors, LANES);
    for three in rows.chunks(3).take(pairs) {
        let [u, v, w] = [three[0], three[1], three[2]];
        f.sub(w, w, u);
        f.sub(u, u, v);
        f.sub(w, w, v);
    }
    eight(f, at, |f, lane, register| {
        if lane >= 3 * pairs || lane % 3 != 1 {
            f.line(format_args!("vmovdqa64 {}, {}", row(register, part), rows[lane]));
        }
    });
    rows.into_iter().for_each(|z| f.give(z));
}

fn product(limbs: usize, (plus, minus): (usize, usize), pairs: usize) -> String {
    let mut f = Function::new(format!("{}_{limbs}", product_name(((plus, minus), pairs))), ARGUMENTS);
    f.head(format_args!("Eight products of {limbs} limbs. Each factor is a sum of {plus} rows less {minus}."));
    f.head(format_args!(
        "Of the first {pairs} times three, u, v and w, the results are u − v, nothing, and w − u − v."
    ));
    f.head("The list: rows of the first factor, of the second, and of the result.");
    let rows = LANES * (plus + minus);
    let a = operand(&mut f, limbs, 0, (plus, minus));
    let b = operand(&mut f, limbs, rows, (plus, minus));
    let carry = f.take();
    for j in 1..limbs {
        carried(&mut f, &a, j, carry);
    }
    let a = Limbs::Held(0, a);
    // a factor, the rest of the other factor, and the columns so far: 3L + 1 registers in every row
    let mut columns = Columns::new(2 * limbs);
    for (i, digit) in b.iter().enumerate() {
        if i > 0 {
            carried(&mut f, &b, i, carry);
        }
        multiples(&mut f, &mut columns, i, &a, 0..limbs, *digit);
        // a limb is kept for one row more, which carries from it
        if i > 0 {
            f.give(b[i - 1]);
        }
    }
    f.give(b[limbs - 1]);
    f.give(carry);
    a.release(&mut f);
    for (part, first) in (0..2 * limbs).step_by(LANES).enumerate() {
        let some = (first..(first + LANES).min(2 * limbs)).map(|k| columns.remove(&mut f, k)).collect();
        scatter(&mut f, some, 2 * rows, part, pairs);
    }
    f.finish()
}

/// Adds the carry of limb j − 1 to limb j.
fn carried(f: &mut Function, x: &[Z], j: usize, carry: Z) {
    f.carry(carry, x[j - 1]);
    f.add(x[j], x[j], carry);
}

/// Gathers eight sums of rows. The list begins with the number of rows that are added and the number of rows that are
/// subtracted. Leaves rsi behind the offsets of these rows.
fn gathered(f: &mut Function, parts: usize) -> Vec<Vec<Z>> {
    let rows = lanes(f, parts);
    number(f, "r8d", 0);
    number(f, "r9d", 1);
    f.line("add rsi, 4");
    layer(f, &rows, 0, "vmovdqa64");
    for (label, next, count, how) in [("2", "3", "r8d", "vpaddq"), ("4", "5", "r9d", "vpsubq")] {
        // the first row is one of the rows that are added
        if how == "vpaddq" {
            f.line(format_args!("add rsi, {}", 2 * LANES));
            f.line(format_args!("dec {count}"));
        } else {
            f.line(format_args!("test {count}, {count}"));
        }
        f.line(format_args!("jz {next}f"));
        f.line(format_args!("{label}:"));
        layer(f, &rows, 0, how);
        f.line(format_args!("add rsi, {}", 2 * LANES));
        f.line(format_args!("dec {count}"));
        f.line(format_args!("jnz {label}b"));
        f.line(format_args!("{next}:"));
    }
    rows
}

/// Returns `limbs` columns from `first` on as limbs of [0, 2^52) in registers, the last one as it is.
fn normalised(f: &mut Function, columns: &mut Columns, first: usize, limbs: usize) -> Vec<Z> {
    let mask = f.load(Layout(limbs).mask());
    let carry = f.take();
    let z: Vec<Z> = (0..limbs).map(|j| columns.remove(f, first + j)).collect();
    for j in 0..limbs - 1 {
        f.carry(carry, z[j]);
        f.and(z[j], z[j], mask);
        f.add(z[j + 1], z[j + 1], carry);
    }
    f.give(carry);
    f.give(mask);
    z
}

fn reduce(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel("rows_reduce"), ARGUMENTS);
    f.head(format_args!("Eight reductions of sums of rows of {limbs} + {limbs} columns."));
    f.head("The list: how many rows are added and subtracted, these, and the rows of the results.");
    let mut columns = reduced(&mut f, shape);
    let z = normalised(&mut f, &mut columns, limbs, limbs);
    scatter(&mut f, z, 0, 0, 0);
    f.finish()
}

fn reduce_three(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel("rows_reduce_three"), ARGUMENTS);
    f.head(format_args!(
        "Eight reductions r of sums of rows of {limbs} + {limbs} columns, or 3r + 2(x − y), near [0, p)."
    ));
    f.head(
        "The list: as of a reduction; before the results the rows x and y, and a bit for each lane that is tripled.",
    );
    let mut columns = reduced(&mut f, shape);
    let rows = lanes(&mut f, 1);
    layer(&mut f, &rows, 0, "vmovdqa64");
    layer(&mut f, &rows, LANES, "vpsubq");
    number(&mut f, "eax", 2 * LANES);
    f.line("kmovw k1, eax");
    let difference = transposed(&mut f, rows.into_iter().flatten().collect(), limbs);
    // each column is carried into the next once, since three times its sum would not fit the column
    let (mask, carry) = (f.load(Layout(limbs).mask()), f.take());
    for k in (limbs + 1..2 * limbs).rev() {
        let [z, below] = [k, k - 1].map(|k| columns.touch(&mut f, k));
        f.carry(carry, below);
        f.and(below, below, mask);
        f.add(z, z, carry);
    }
    f.give(mask);
    f.give(carry);
    let At(base, first) = Layout(limbs).bias();
    let mut sum = Columns::new(limbs);
    for (j, x) in difference.into_iter().enumerate() {
        // r + 2(r + x − y) + bias, or r + bias
        let r = columns.remove(&mut f, limbs + j);
        f.add(x, x, r);
        f.add(x, x, x);
        f.line(format_args!("vpaddq {r}{{{{k1}}}}, {r}, {x}"));
        f.add(r, r, At(base, first + j));
        f.give(x);
        sum.set(j, r);
    }
    shrink(&mut f, &mut sum, limbs, 0);
    let z = normalised(&mut f, &mut sum, 0, limbs);
    scatter(&mut f, z, 2 * LANES + 1, 0, 0);
    f.finish()
}

/// Gathers eight sums and reduces them. The results lie in columns L to 2L.
fn reduced(f: &mut Function, shape: Shape) -> Columns {
    let limbs = shape.limbs;
    let parts = (2 * limbs).div_ceil(LANES);
    let rows = gathered(f, parts);
    let mut columns = Columns::new(2 * limbs);
    for part in 0..parts {
        let some = rows.iter().map(|row| row[part]).collect();
        for (k, z) in transposed(f, some, (2 * limbs - LANES * part).min(LANES)).into_iter().enumerate() {
            columns.set(LANES * part + k, z);
        }
    }
    let At(base, first) = Layout(limbs).bias_wide();
    for k in 0..limbs {
        let z = columns.touch(f, limbs + k);
        f.add(z, z, At(base, first + k));
    }
    let mut reduction = Reduction::new(f, shape, true);
    reduction.rows(f, &mut columns);
    reduction.release(f);
    columns
}

fn sum(limbs: usize) -> String {
    let mut f = Function::new(format!("rows_sum_{limbs}"), ARGUMENTS);
    f.head(format_args!("Eight sums of rows of {limbs} limbs, near [0, p). The list: as of a reduction."));
    let rows = gathered(&mut f, 1);
    let mut columns = Columns::new(limbs);
    let At(base, first) = Layout(limbs).bias();
    for (k, z) in transposed(&mut f, rows.into_iter().flatten().collect(), limbs).into_iter().enumerate() {
        f.add(z, z, At(base, first + k));
        columns.set(k, z);
    }
    shrink(&mut f, &mut columns, limbs, 0);
    let z = normalised(&mut f, &mut columns, 0, limbs);
    scatter(&mut f, z, 0, 0, 0);
    f.finish()
}

/// Kernel: sums of rows, one after the other, all of one shape, so that the loop over them is the only branch. With
/// `carries`, every column but the last passes the bits above its low 52 to the next column, all at once.
fn form(name: String, parts: usize, limbs: usize, [plus, minus]: [usize; 2], carries: bool) -> String {
    let mut f = Function::new(name, ARGUMENTS);
    f.head(format_args!("As many sums of {plus} rows less {minus}, each of {parts} vectors. The list: of each these rows and that of the sum."));
    f.line("2:");
    let z: Vec<Z> = (0..parts).map(|_| f.take()).collect();
    f.line("mov rax, qword ptr [rsi]");
    for k in 0..plus + minus {
        let how = if k == 0 {
            "vmovdqa64"
        } else if k < plus {
            "vpaddq"
        } else {
            "vpsubq"
        };
        f.line("movzx r10d, ax");
        f.line("shr rax, 16");
        term(&mut f, &z, "r10", how);
    }
    if plus + minus == 4 {
        number(&mut f, "eax", 4);
    }
    finish_sums(f, &z, carries.then_some(limbs), plus + minus + 1)
}

/// Ends a loop over sums: stores the sum in `z` to the row at rax, and skips the `numbers` numbers that a sum takes
/// in the list. `carries` is the number of limbs of an unreduced value whose columns are carried.
fn finish_sums(mut f: Function, z: &[Z], carries: Option<usize>, numbers: usize) -> String {
    if let Some(limbs) = carries {
        carry_columns(&mut f, z, limbs);
    }
    for (part, z) in z.iter().enumerate() {
        f.line(format_args!("vmovdqa64 {}, {z}", row("rax", part)));
    }
    f.line(format_args!("add rsi, {}", 2 * numbers));
    f.line("dec edx");
    f.line("jnz 2b");
    f.finish()
}

/// Kernel: sums of a row times a power of two and another row, one after the other.
fn multiple(name: String, parts: usize, limbs: usize, carries: bool) -> String {
    let mut f = Function::new(name, ARGUMENTS);
    f.head(format_args!("As many sums x·2^s + y of rows of {parts} vectors. The list: of each x, s, y and the sum."));
    f.line("2:");
    let (z, shift) = ((0..parts).map(|_| f.take()).collect::<Vec<Z>>(), f.take());
    f.line("mov rax, qword ptr [rsi]");
    f.line("movzx r10d, ax");
    term(&mut f, &z, "r10", "vmovdqa64");
    for register in ["r10", "r11"] {
        f.line("shr rax, 16");
        f.line(format_args!("movzx {register}d, ax"));
    }
    f.line("shr rax, 16");
    f.line(format_args!("vpbroadcastq {shift}, r10"));
    for z in &z {
        f.line(format_args!("vpsllvq {z}, {z}, {shift}"));
    }
    term(&mut f, &z, "r11", "vpaddq");
    f.give(shift);
    finish_sums(f, &z, carries.then_some(limbs), 4)
}

/// Passes the bits above the low 52 of every column of a row but the last to the next column.
fn carry_columns(f: &mut Function, parts: &[Z], limbs: usize) {
    let carries: Vec<Z> = parts.iter().map(|_| f.take()).collect();
    let (mask, moved) = (f.load(Layout(limbs).mask()), f.take());
    // the lanes below the lane of the last column
    f.line(format_args!("mov r8d, {}", (1 << ((2 * limbs - 1) % LANES)) - 1));
    f.line("kmovw k1, r8d");
    for (part, (z, carry)) in parts.iter().zip(&carries).enumerate() {
        f.carry(*carry, *z);
        match part + 1 == parts.len() {
            true => f.line(format_args!("vpandq {z}{{{{k1}}}}, {z}, {mask}")),
            false => f.and(*z, *z, mask),
        }
    }
    for part in (0..parts.len()).rev() {
        // the carries of the lanes one below
        if part == 0 {
            f.line(format_args!("vpxorq {moved}, {moved}, {moved}"));
            f.line(format_args!("valignq {moved}, {}, {moved}, 7", carries[0]));
        } else {
            f.line(format_args!("valignq {moved}, {}, {}, 7", carries[part], carries[part - 1]));
        }
        f.add(parts[part], parts[part], moved);
    }
    carries.into_iter().chain([mask, moved]).for_each(|z| f.give(z));
}
