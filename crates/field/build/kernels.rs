//! The list of kernels. Elements are L vectors of limbs in [0, 2^52); unreduced values are 2L vectors of signed
//! columns. The layout of `modulus` is that of `layout`.

use crate::blocks;
use crate::columns::{Columns, normalise};
use crate::complex;
use crate::complex_in_calls;
use crate::end;
use crate::forms::form;
use crate::function::{At, Function, Z};
use crate::in_calls::{in_two, reduce_in_two};
use crate::layout::{Layout, SCALARS, TABLES};
use crate::lins::{lin_table, lins};
use crate::middle;
use crate::product::{HELD, operand, product_by_rows, product_row, square};
use crate::reduction::{Reduction, shrink};
use crate::rows;
use crate::shape::Shape;
use crate::sizes::{BLOCKS, HALVES, LIMBS, Product};

/// The numbers of limbs of friendly moduli with kernels of their own, and for each the numbers of zero limbs, the
/// largest first. `params new --friendly` prescribes 9 limbs where a factor of the order has 512 bits, 18 where one
/// has 1024, and 5 where one has 342; for type A it prescribes 3 limbs of 512 bits, 7 of 1024 and 12 of 1536. One
/// prescribed limb is 3, the others are 0.
const FRIENDLY: [(usize, &[usize]); 6] =
    [(10, &[2]), (20, &[8, 6, 4]), (30, &[11, 8]), (40, &[17, 8]), (60, &[8]), (80, &[17, 8])];
/// The one number of limbs above [`FUSED`] for which products in F_p(i) are reduced at once.
const CALLED: usize = 20;
/// The most limbs L for which 2L columns, constants and operands fit the registers.
const FUSED: usize = 10;
/// The most limbs L for which L + 1 columns and an operand fit the registers.
const PAIRED: usize = 13;

/// The attribute in front of a kernel in Rust, and (`SIGNATURE`) the start of the kernel up to its name.
pub(crate) const ATTRIBUTE: &str = "#[unsafe(naked)]";
pub(crate) const SIGNATURE: &str = "unsafe extern \"sysv64\" fn ";

pub(crate) const BINARY: &str = "out: *mut Vector, a: *const Vector, b: *const Vector";
pub(crate) const UNARY: &str = "out: *mut Vector, a: *const Vector";
pub(crate) const MODULAR: &str = "out: *mut Vector, a: *const Vector, b: *const Vector, modulus: *const Vector";
pub(crate) const FORM_AND_ELEMENT: &str =
    "out: *mut Vector, terms: *const Item, count: usize, modulus: *const Vector, x: *const Vector";
pub(crate) const LIST: &str = "out: *mut Vector, terms: *const Item, count: usize, modulus: *const Vector";

/// Returns every kernel as Rust source, and the tables of the kernels.
pub(crate) fn all() -> String {
    let mut text = String::new();
    for limbs in LIMBS {
        text += &products(limbs);
        text += &add(limbs, false);
        text += &add(limbs, true);
        text += &sum_of_two(limbs, false);
        text += &sum_of_two(limbs, true);
        text += &three_and_two(limbs, false);
        text += &three_and_two(limbs, true);
        text += &sum(limbs);
        text += &lin(limbs);
        if limbs <= HELD {
            text += &lin_carried(limbs);
        }
        if limbs <= PAIRED {
            text += &complex::mul_wide(limbs);
            text += &complex::sqr_wide(limbs);
            text += &complex::sums_mul_wide(limbs);
            text += &complex::sum_sqr_wide(limbs);
            text += &lins().map(|(forms, is_square)| complex::lin(limbs, forms, is_square)).collect::<String>();
            text += &lin_table(limbs, lins(), "List");
        }
        if limbs <= rows::MAX {
            text += &rows::kernels(limbs);
        }
        text += &shapes(limbs).map(reducing).collect::<String>();
    }
    text += &HALVES.map(products).concat();
    for limbs in BLOCKS {
        text += &blocks::kernels(limbs);
        text += &shapes(limbs).map(blocks::reducing).collect::<String>();
    }
    text + &tables()
}

/// The shapes of `limbs` limbs that have kernels, the one with the most zeros first.
fn shapes(limbs: usize) -> impl Iterator<Item = Shape> {
    let zeros = FRIENDLY.into_iter().filter(move |(l, _)| *l == limbs).flat_map(|(_, zeros)| zeros.iter().copied());
    zeros.chain([0]).map(move |zeros| Shape { limbs, zeros })
}

/// Returns the kernels that reduce, in straight-line code.
fn reducing(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut text = if limbs <= FUSED {
        mul(shape) + &sqr(shape) + &complex::mul(shape) + &complex::sqr(shape)
    } else {
        redc(shape) + &in_two("mul", shape) + &in_two("sqr", shape)
    };
    if limbs == CALLED {
        text += &complex_in_calls::kernels(shape);
    }
    if limbs <= HELD {
        for kind in ["", "_tight"] {
            text += &reduce(shape, kind);
            text += &reduce_three_and_two(shape, kind, false);
            text += &reduce_three_and_two(shape, kind, true);
        }
    } else {
        text += &reduce_in_two(shape, "");
        text += &reduce_in_two(shape, "_tight");
    }
    text
}

/// Returns the source of the list of sizes and of the function that finds the kernels of each size.
fn tables() -> String {
    let names = [
        "mul_wide",
        "sqr_wide",
        "add",
        "sub",
        "sum_of_two",
        "difference",
        "three_and_two",
        "three_less_two",
        "sum",
        "lin",
    ];
    let reducing = ["mul", "sqr", "reduce", "reduce_tight"];
    let sizes = [&LIMBS[..], &BLOCKS[..]].concat();
    let mut text =
        format!("/// The numbers of limbs that have kernels.\npub(super) const LIMBS: &[usize] = &{sizes:?};\n\n");
    let shapes: Vec<_> = sizes.iter().flat_map(|l| shapes(*l)).map(|shape| (shape.limbs, shape.zeros)).collect();
    text += &format!(
        "/// Their limbs and zeros.\n#[cfg(test)]\npub(super) const SHAPES: &[(usize, usize)] = &{shapes:?};\n\n"
    );
    text += &format!(
        "/// The layout of the constants.\nconst CONSTANTS: usize = {TABLES};\nconst SCALARS: usize = {SCALARS};\n\n"
    );
    text += "/// The kernels for so many limbs, of which those from the second on are 0 if the first is 3.\n";
    text += "fn kernels(limbs: usize, zeros: usize) -> Option<Kernels> {\n    match limbs {\n";
    for shape in sizes.into_iter().flat_map(self::shapes) {
        let Shape { limbs, zeros } = shape;
        let any = |name: &str| Shape::any(limbs).kernel(name);
        let fields = names.iter().map(|name| format!("{name}: {}", any(name)));
        let fields = fields.chain(reducing.iter().map(|name| format!("{name}: {}", shape.kernel(name))));
        let fields: Vec<String> = fields.collect();
        let some =
            |most: usize, kernels: String| if limbs <= most { format!("Some({kernels})") } else { "None".into() };
        let carried = some(HELD, any("lin_carried"));
        let sums = some(PAIRED, format!("[{}, {}]", any("complex_sums_mul_wide"), any("complex_sum_sqr_wide")));
        let lins = some(PAIRED, any("complex_lin"));
        let and = |kind: &str| {
            let [plus, minus] =
                ["three_and_two", "three_less_two"].map(|name| shape.kernel(format_args!("reduce_{name}{kind}")));
            format!("[{plus}, {minus}]")
        };
        let three = some(HELD, format!("[{}, {}]", and(""), and("_tight")));
        let wide = some(PAIRED, format!("[{}, {}]", any("complex_mul_wide"), any("complex_sqr_wide")));
        let reduced = if limbs == CALLED { limbs } else { FUSED };
        let reduced = some(reduced, format!("[{}, {}]", shape.kernel("complex_mul"), shape.kernel("complex_sqr")));
        let rows = some(rows::MAX, rows::table(limbs));
        let condition = if zeros > 0 { format!(" if zeros >= {zeros}") } else { String::new() };
        text += &format!(
            "        {limbs}{condition} => Some(Kernels {{ {}, sums: {}, lin_carried: {carried}, complex_wide: {wide}, complex_sums: {sums}, complex_lin: {lins}, complex: {reduced}, reduce_three: {three}, rows: {rows} }}),\n",
            fields.join(", "),
            LIMBS.contains(&limbs)
        );
    }
    text + "        _ => None,\n    }\n}\n"
}

/// Returns the kernels of product and square for a size whose square is computed by rows.
fn products(limbs: usize) -> String {
    let product = if Product::of(limbs) == Product::Rows { mul_wide(limbs) } else { middle::product(limbs) };
    product + &sqr_wide(limbs)
}

fn mul_wide(limbs: usize) -> String {
    let mut f = Function::new(format!("mul_wide_{limbs}"), BINARY);
    f.head(format_args!("a·b for {limbs} limbs, row by row: 2L² products of halves."));
    product_by_rows(&mut f, Columns::new(2 * limbs), limbs);
    f.finish()
}

fn sqr_wide(limbs: usize) -> String {
    let mut f = Function::new(format!("sqr_wide_{limbs}"), UNARY);
    f.head(format_args!("a² for {limbs} limbs: L² + L products of halves."));
    let mut columns = Columns::new(2 * limbs);
    let a = operand(&mut f, At("rsi", 0), limbs);
    square(&mut f, &mut columns, &a, limbs, &mut |f, columns, k| {
        let z = columns.remove(f, k);
        f.store(At("rdi", k), z);
    });
    f.finish()
}

fn mul(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel("mul"), end::ARGUMENTS);
    f.head(format_args!("a·b/R mod p for {limbs} limbs; rows of the product and of the reduction alternate."));
    let mut columns = Columns::new(2 * limbs);
    let a = operand(&mut f, At("rsi", 0), limbs);
    let mut reduction = Reduction::new(&mut f, shape, 3 * limbs + 4 <= 32);
    for i in 0..=limbs {
        if i < limbs {
            product_row(&mut f, &mut columns, &a, At("rdx", 0), i, limbs);
        }
        if i > 0 {
            reduction.row(&mut f, &mut columns, i - 1);
        }
    }
    a.release(&mut f);
    end::finish(&mut f, reduction, &mut columns);
    f.finish()
}

fn sqr(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel("sqr"), end::ARGUMENTS);
    f.head(format_args!("a²/R mod p for {limbs} limbs; b is not read."));
    let mut columns = Columns::new(2 * limbs);
    let a = operand(&mut f, At("rsi", 0), limbs);
    square(&mut f, &mut columns, &a, limbs, &mut |_, _, _| {});
    a.release(&mut f);
    let mut reduction = Reduction::new(&mut f, shape, true);
    reduction.rows(&mut f, &mut columns);
    end::finish(&mut f, reduction, &mut columns);
    f.finish()
}

/// Returns 2L columns that begin as a multiple of p·R: the given multiple of p lies in the upper columns.
fn biased(f: &mut Function, limbs: usize, At(base, first): At) -> Columns {
    let mut columns = Columns::new(2 * limbs);
    for k in 0..limbs {
        let z = f.load(At(base, first + k));
        columns.set(limbs + k, z);
    }
    columns
}

fn reduce(shape: Shape, kind: &str) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel(format_args!("reduce{kind}")), LIST);
    f.head(format_args!("Σ c·w/R mod p for {limbs} limbs, the form in registers."));
    let bias = Layout(limbs).bias_reduced(kind == "_tight");
    let (reduction, mut columns) = reduced_form(&mut f, shape, bias, kind);
    reduction.finish(&mut f, &mut columns, "rdi");
    f.finish()
}

/// Reduces a form with a bias. The result lies in the columns from column L on.
fn reduced_form(f: &mut Function, shape: Shape, bias: At, kind: &str) -> (Reduction, Columns) {
    let limbs = shape.limbs;
    let mut columns = biased(f, limbs, bias);
    form(f, &mut columns, 2 * limbs, 0);
    if kind == "_tight" {
        f.head("The multiple of p·R in the form is taken off first.");
        shrink(f, &mut columns, limbs, limbs);
    }
    let mut reduction = Reduction::new(f, shape, limbs <= FUSED);
    reduction.rows(f, &mut columns);
    (reduction, columns)
}

fn reduce_three_and_two(shape: Shape, kind: &str, subtract: bool) -> String {
    let limbs = shape.limbs;
    let (name, sign) = if subtract { ("three_less_two", "−") } else { ("three_and_two", "+") };
    let mut f = Function::new(shape.kernel(format_args!("reduce_{name}{kind}")), FORM_AND_ELEMENT);
    f.head(format_args!("3·Σ c·w/R {sign} 2x for {limbs} limbs, near [0, p)."));
    // the loop over the list overwrites r8
    f.line("mov r10, r8");
    let is_estimated = kind == "_tight";
    let bias = if is_estimated { Layout(limbs).bias_wide() } else { Layout(limbs).bias_three() };
    let (reduction, mut columns) = reduced_form(&mut f, shape, bias, kind);
    reduction.release(&mut f);
    let mut columns = columns.upper(limbs);
    let At(base, first) = Layout(limbs).bias();
    for k in 0..limbs {
        // 2(a ± x) + a, and a bias that makes up for −2x where a is near [0, p)
        let (a, z) = (columns.remove(&mut f, k), f.take());
        double_sum(&mut f, z, a, At("r10", k), subtract);
        if is_estimated {
            f.add(a, a, At(base, first + k));
        }
        f.add(z, z, a);
        f.give(a);
        columns.set(k, z);
    }
    finish_near(f, columns, limbs)
}

/// Stores columns as limbs near [0, p), and finishes the kernel.
fn finish_near(mut f: Function, mut columns: Columns, limbs: usize) -> String {
    shrink(&mut f, &mut columns, limbs, 0);
    normalise(&mut f, &mut columns, 0, limbs, At("rdi", 0), Layout(limbs).mask());
    f.finish()
}

/// z = 2(a ± x).
fn double_sum(f: &mut Function, z: Z, a: Z, x: At, subtract: bool) {
    if subtract {
        f.sub(z, a, x)
    } else {
        f.add(z, a, x)
    }
    f.add(z, z, z);
}

fn redc(shape: Shape) -> String {
    let limbs = shape.limbs;
    let mut f = Function::new(shape.kernel("redc"), end::ARGUMENTS);
    f.head(format_args!("a/R mod p for the {limbs} + {limbs} columns a, read as they are needed; b is not read."));
    let mut columns = Columns::new(2 * limbs);
    let mut reduction = Reduction::new(&mut f, shape, false);
    reduction.rows_as_read(&mut f, &mut columns, &mut |f, columns, k| {
        let z = f.load(At("rsi", k));
        columns.set(k, z);
    });
    end::finish(&mut f, reduction, &mut columns);
    f.finish()
}

fn add(limbs: usize, subtract: bool) -> String {
    let (name, formula) = if subtract { ("sub", "a − b + bias·p") } else { ("add", "a + b") };
    let mut f = Function::new(format!("{name}_{limbs}"), MODULAR);
    f.head(format_args!("{formula} for {limbs} limbs."));
    let mut columns = Columns::new(limbs);
    let At(base, first) = Layout(limbs).bias_difference();
    for k in 0..limbs {
        let z = f.load(At("rsi", k));
        if subtract {
            f.sub(z, z, At("rdx", k));
            f.add(z, z, At(base, first + k));
        } else {
            f.add(z, z, At("rdx", k));
        }
        columns.set(k, z);
    }
    normalise(&mut f, &mut columns, 0, limbs, At("rdi", 0), Layout(limbs).mask());
    f.finish()
}

/// Kernel: a + b or a − b, the two forms of [`sum`] that make up most of the sums of a pairing.
fn sum_of_two(limbs: usize, subtract: bool) -> String {
    let (name, sign) = if subtract { ("difference", "−") } else { ("sum_of_two", "+") };
    let mut f = Function::new(format!("{name}_{limbs}"), MODULAR);
    f.head(format_args!("a {sign} b for {limbs} limbs, near [0, p)."));
    let mut columns = Columns::new(limbs);
    let At(base, first) = Layout(limbs).bias();
    for k in 0..limbs {
        let z = f.load(At("rsi", k));
        f.add(z, z, At(base, first + k));
        if subtract {
            f.sub(z, z, At("rdx", k))
        } else {
            f.add(z, z, At("rdx", k))
        }
        columns.set(k, z);
    }
    finish_near(f, columns, limbs)
}

fn three_and_two(limbs: usize, subtract: bool) -> String {
    let (name, sign) = if subtract { ("three_less_two", "−") } else { ("three_and_two", "+") };
    let mut f = Function::new(format!("{name}_{limbs}"), MODULAR);
    f.head(format_args!("3a {sign} 2b for {limbs} limbs, near [0, p)."));
    let mut columns = Columns::new(limbs);
    let At(base, first) = Layout(limbs).bias();
    for k in 0..limbs {
        // 2(a ± x) + a + bias
        let (a, z) = (f.load(At("rsi", k)), f.take());
        double_sum(&mut f, z, a, At("rdx", k), subtract);
        f.add(a, a, At(base, first + k));
        f.add(z, z, a);
        f.give(a);
        columns.set(k, z);
    }
    finish_near(f, columns, limbs)
}

fn sum(limbs: usize) -> String {
    let mut f = Function::new(format!("sum_{limbs}"), LIST);
    f.head(format_args!("Σ c·x for {limbs} limbs, near [0, p)."));
    let mut columns = Columns::new(limbs);
    let At(base, first) = Layout(limbs).bias();
    for k in 0..limbs {
        let z = f.load(At(base, first + k));
        columns.set(k, z);
    }
    form(&mut f, &mut columns, limbs, 0);
    finish_near(f, columns, limbs)
}

fn lin(limbs: usize) -> String {
    let mut f = Function::new(format!("lin_{limbs}"), LIST);
    f.head(format_args!("Σ c·w for 2·{limbs} columns."));
    let parts = if limbs <= HELD { 1 } else { 2 };
    let count = 2 * limbs / parts;
    for part in 0..parts {
        if parts > 1 {
            f.line("mov r10, rsi");
            f.line("mov r11, rdx");
        }
        let mut columns = Columns::new(count);
        form(&mut f, &mut columns, count, part * count);
        columns.store(&mut f, 0..count, At("rdi", part * count));
        if parts > 1 {
            f.line("mov rsi, r10");
            f.line("mov rdx, r11");
        }
    }
    f.finish()
}

/// Kernel: like [`lin`], but afterwards every column but the last passes the bits above its low 52 to the next
/// column, all at once. A column is then as small as those of less than one product.
fn lin_carried(limbs: usize) -> String {
    let mut f = Function::new(format!("lin_carried_{limbs}"), LIST);
    f.head(format_args!("Σ c·w for 2·{limbs} columns, each carried into the next."));
    let mut columns = Columns::new(2 * limbs);
    form(&mut f, &mut columns, 2 * limbs, 0);
    let mask = f.load(Layout(limbs).mask());
    let mut carry = None;
    for k in 0..2 * limbs {
        let z = columns.remove(&mut f, k);
        let next = f.take();
        if k + 1 < 2 * limbs {
            f.carry(next, z);
            f.and(z, z, mask);
        }
        if let Some(carry) = carry.replace(next) {
            f.add(z, z, carry);
            f.give(carry);
        }
        f.store(At("rdi", k), z);
    }
    f.finish()
}
