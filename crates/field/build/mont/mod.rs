//! Writes the kernels of the engine `mont` for few words of tight moduli.
//!
//! The kernels are functions in assembly (MULX, ADX) that keep their accumulator in registers and read every operand
//! where it lies. They share a few parts (`rows`), so that a pairing's loop stays in the instruction cache.

mod complex;
mod elements;
mod forms;
mod function;
mod layout;
mod rows;

use crate::lins::{lin_table, lins_of_signs};
use forms::Terms;
use layout::Layout;

/// The numbers of words that have kernels: N + 1 words, a multiplier, the two words of its product and three
/// addresses fit the registers.
const SIZES: [usize; 6] = [3, 4, 5, 6, 7, 8];

/// An operation with a form: the name of its kernels, the most terms of coefficient 1 and of −1 that have kernels of
/// their own, and the other coefficients that have kernels besides those of [`Terms::all`].
struct Forms {
    name: &'static str,
    most: [usize; 2],
    others: &'static [&'static [i32]],
    write: fn(Layout, Terms) -> String,
}

impl Forms {
    fn terms(&self) -> Vec<Terms> {
        let mut all = Terms::all(self.most, self.others);
        // sums and differences of two elements have kernels of their own
        all.retain(|terms| self.name != "sum" || ![Terms::Ones(2, 0), Terms::Ones(1, 1)].contains(terms));
        all
    }
}

/// All operations with a form, with the forms that the towers and the curves write most.
const FORMS: [Forms; 7] = [
    Forms { name: "reduce", most: [4, 3], others: &[&[1, -2]], write: forms::reduce },
    Forms {
        name: "reduce_three_plus",
        most: [3, 4],
        others: &[],
        write: |layout, terms| forms::reduce_three(layout, terms, false),
    },
    Forms {
        name: "reduce_three_minus",
        most: [3, 1],
        others: &[],
        write: |layout, terms| forms::reduce_three(layout, terms, true),
    },
    Forms { name: "mul_sum", most: [2, 2], others: &[], write: |layout, terms| forms::mul_sum(layout, terms, false) },
    Forms {
        name: "sqr_sum",
        most: [2, 2],
        others: &[&[-1, -2]],
        write: |layout, terms| forms::mul_sum(layout, terms, true),
    },
    Forms { name: "sum", most: [3, 2], others: &[&[1, -2], &[1, -1, -2]], write: forms::sum },
    Forms { name: "lin", most: [4, 4], others: &[], write: forms::lin },
];

/// Returns every kernel as Rust source, and the tables of the kernels.
pub(crate) fn all() -> String {
    let mut text = format!("const _: () = assert!(GUARD == {});\n\n", layout::GUARD);
    for n in SIZES {
        let layout = Layout(n);
        for part in [rows::reduction, rows::close, rows::shrink] {
            text += &part(layout);
        }
        text += &elements::add(layout, false);
        text += &elements::add(layout, true);
        for square in [false, true] {
            text += &elements::mul(layout, square);
            text += &elements::mul_wide(layout, square);
            text += &complex::sqr_wide(layout, square, None);
        }
        text += &complex::mul(layout);
        text += &complex::sqr(layout);
        text += &complex::mul_wide(layout);
        text += &complex::sums_mul_wide(layout, None);
        for (forms, is_square) in lins_of_signs() {
            text += &match is_square {
                true => complex::sqr_wide(layout, true, Some(forms)),
                false => complex::sums_mul_wide(layout, Some(forms)),
            };
        }
        text += &lin_table(n, lins_of_signs(), "Form");
        for form in FORMS {
            text += &form.terms().into_iter().map(|terms| (form.write)(layout, terms)).collect::<String>();
        }
    }
    let inventory = inventory(&text);
    text + &tables() + &inventory
}

/// Returns the source of a function that lists the kernels in a text, for the test that calls every kernel. The parts
/// that kernels share take no arguments, and are not listed.
fn inventory(text: &str) -> String {
    let kernels = text.lines().filter_map(|line| line.strip_prefix("unsafe extern \"sysv64\" fn ")?.split_once('('));
    let names = kernels.filter(|(_, rest)| !rest.starts_with(')')).map(|(name, _)| name);
    let list: String = names.map(|name| format!("        (\"{name}\", {name} as *const ()),\n")).collect();
    format!(
        "/// Every kernel.\n#[cfg(test)]\nfn inventory() -> Vec<(&'static str, *const ())> {{\n    vec![\n{list}    ]\n}}\n"
    )
}

/// Returns the source of the functions that find the kernels of each number of words, and the kernels of each form.
fn tables() -> String {
    let single = ["add", "sub", "mul", "sqr", "mul_wide", "sqr_wide"];
    let complex = [
        "complex_mul",
        "complex_sqr",
        "complex_mul_wide",
        "complex_sqr_wide",
        "complex_sums_mul_wide",
        "complex_sum_sqr_wide",
    ];
    let mut text = String::from(
        "/// The kernels of so many words.\nfn kernels(words: usize) -> Option<Kernels> {\n    match words {\n",
    );
    for n in SIZES {
        let fields: String = single.iter().chain(&complex).map(|name| format!("{name}: {name}_{n}, ")).collect();
        let lins = format!("complex_lin: complex_lin_{n}, ");
        let forms: String = FORMS.iter().map(|Forms { name, .. }| format!("{name}: {name}_of_{n}, ")).collect();
        text += &format!("        {n} => Some(Kernels {{ {fields}{lins}{forms}}}),\n");
    }
    text += "        _ => None,\n    }\n}\n\n";
    for n in SIZES {
        for form in FORMS {
            let Forms { name, .. } = form;
            let list = match name {
                "reduce_three_plus" | "reduce_three_minus" => "FormAndElement",
                "mul_sum" | "sqr_sum" => "Sum",
                _ => "Form",
            };
            let arm = |terms: Terms| format!("        {} => {name}_{}_{n},\n", terms.pattern(), terms.name());
            let arms: String = form.terms().into_iter().map(arm).collect();
            text += &format!(
                "/// The kernel for these coefficients.\nfn {name}_of_{n}(coefficients: &[i32]) -> {list} {{\n"
            );
            text += &format!("    match coefficients {{\n{arms}    }}\n}}\n\n");
        }
    }
    text
}
