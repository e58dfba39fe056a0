//! Translation of a routine into closed code: every value is a reduced element or, with wide registers, an unreduced
//! sum of products; a mask is 0 or 1.
//!
//! Operations become products, inversions, zero tests and linear forms. A reduction distributes over sums, so that a
//! form of unreduced values is a form of products. Each product is reduced or, with wide registers, left unreduced
//! (`unreduced`). A selection is b + m·(a − b). A product in F_p(i) takes three products (Karatsuba), or four that the
//! multiplier sums; a square takes two.

use crate::compile::closed::Straight;
use crate::compile::form::{Term, collect};
use crate::compile::lines::Lines;
use crate::compile::order::narrow;
use crate::compile::share::share;
use crate::compile::unreduced::Unreduced;
use crate::isa::Opcode;
use crate::machine::Machine;
use crate::model::Alu;
use bilinear_program::{Code, Ref, Routine};
use num_bigint::BigUint;
use std::collections::HashMap;

/// The definition of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// An operation other than a sum, with its operands.
    Operation(Opcode, Vec<Ref>),
    /// A form Σ c·x.
    Form(Vec<Term>),
}

/// The constants by their numbers: those of the program, and additional ones.
#[derive(Debug)]
pub(crate) struct Pool {
    pub(crate) modulus: BigUint,
    pub(crate) values: Vec<BigUint>,
}

/// The largest constant factor that is written as a form: above this limit the doublings cost more than a product.
const MAX_FACTOR: u32 = 8;

impl Pool {
    /// Returns the constant with this residue, adding it if necessary.
    pub(crate) fn constant(&mut self, residue: &BigUint) -> Ref {
        let found = self.values.iter().position(|value| value == residue);
        Ref::constant(found.unwrap_or_else(|| {
            self.values.push(residue.clone());
            self.values.len() - 1
        }))
    }

    /// Returns the value of a constant that is a small integer or the negative of one.
    fn small(&self, x: Ref) -> Option<i64> {
        let value = x.is_constant().then(|| &self.values[x.number()])?;
        let small =
            |value: &BigUint| (*value <= MAX_FACTOR.into()).then(|| value.iter_u64_digits().next().unwrap_or(0));
        let negative = &self.modulus - value;
        small(value).map(|c| c as i64).or_else(|| small(&negative).map(|c| -(c as i64)))
    }

    /// Returns true if the constant is 1/2.
    fn is_half(&self, x: Ref) -> bool {
        x.is_constant() && &self.values[x.number()] * 2u32 == &self.modulus + 1u32
    }
}

/// The style in which the products of a routine are computed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Style {
    /// Every product is reduced.
    Reduced,
    /// Some products are left unreduced.
    Wide {
        /// Whether products in F_p(i) are computed term by term instead of by Karatsuba's method.
        schoolbook: bool,
        /// Whether products with several readers may be left unreduced too, which takes more wide registers.
        shared: bool,
    },
}

impl Style {
    /// All styles, the one without wide values first.
    const ALL: [Style; 5] = [
        Style::Reduced,
        Style::Wide { schoolbook: false, shared: false },
        Style::Wide { schoolbook: false, shared: true },
        Style::Wide { schoolbook: true, shared: false },
        Style::Wide { schoolbook: true, shared: true },
    ];
}

/// The nodes of a routine: node i makes the value after the parameters and the nodes before it.
pub(crate) struct Nodes<'p> {
    pool: &'p mut Pool,
    style: Style,
    params: usize,
    nodes: Vec<Node>,
    known: HashMap<Node, Ref>,
}

impl<'p> Nodes<'p> {
    pub(crate) fn new(pool: &'p mut Pool, style: Style, params: usize) -> Self {
        Nodes { pool, style, params, nodes: vec![], known: HashMap::new() }
    }

    fn node(&mut self, node: Node) -> Ref {
        let next = Ref::value(self.params + self.nodes.len());
        let known = *self.known.entry(node.clone()).or_insert(next);
        if known == next {
            self.nodes.push(node);
        }
        known
    }

    fn operation(&mut self, opcode: Opcode, args: &[Ref]) -> Ref {
        self.node(Node::Operation(opcode, args.to_vec()))
    }

    /// Creates the form Σ c·x.
    fn form(&mut self, terms: impl IntoIterator<Item = Term>) -> Ref {
        let zero = |x: Ref| x.is_constant() && self.pool.values[x.number()] == BigUint::ZERO;
        let terms: Vec<Term> = collect(terms).into_iter().filter(|(x, _)| !zero(*x)).collect();
        match terms[..] {
            [] => self.pool.constant(&BigUint::ZERO),
            [(x, 1)] => x,
            _ => self.node(Node::Form(terms)),
        }
    }

    /// Returns the terms of a value that is a form, else the value itself as the only term.
    fn terms_of(&self, x: Ref) -> Vec<Term> {
        let node = x.number().checked_sub(self.params).filter(|_| !x.is_constant()).map(|i| &self.nodes[i]);
        if let Some(Node::Form(terms)) = node { terms.clone() } else { vec![(x, 1)] }
    }

    fn add(&mut self, a: Ref, b: Ref) -> Ref {
        self.form([(a, 1), (b, 1)])
    }

    fn sub(&mut self, a: Ref, b: Ref) -> Ref {
        self.form([(a, 1), (b, -1)])
    }

    /// Creates a·b. A product by a small constant becomes a form, by 1/2 a halving.
    fn product(&mut self, a: Ref, b: Ref) -> Ref {
        let [a, b] = if a <= b { [a, b] } else { [b, a] };
        match (self.pool.small(a), self.pool.small(b)) {
            (Some(c), _) => self.form([(b, c)]),
            (_, Some(c)) => self.form([(a, c)]),
            _ if self.pool.is_half(b) => self.operation(Opcode::Halve, &[a]),
            _ if a == b => self.square(a),
            _ => self.operation(Opcode::Mul, &[a, b]),
        }
    }

    fn square(&mut self, a: Ref) -> Ref {
        match self.pool.small(a) {
            Some(c) => self.form([(a, c)]),
            None => self.operation(Opcode::Sqr, &[a]),
        }
    }

    /// Creates (a0 + a1·i)(b0 + b1·i).
    fn complex_product(&mut self, [a0, a1]: [Ref; 2], [b0, b1]: [Ref; 2]) -> [Ref; 2] {
        if let Style::Wide { schoolbook: true, .. } = self.style {
            let [v00, v11, v01, v10] = [(a0, b0), (a1, b1), (a0, b1), (a1, b0)].map(|(a, b)| self.product(a, b));
            return [self.sub(v00, v11), self.add(v01, v10)];
        }
        let (v0, v1) = (self.product(a0, b0), self.product(a1, b1));
        let (a, b) = (self.add(a0, a1), self.add(b0, b1));
        // t = a0·b0 + a1·b1 + the imaginary part
        let t = self.product(a, b);
        [self.sub(v0, v1), self.form([(t, 1), (v0, -1), (v1, -1)])]
    }

    /// Creates (a0 + a1·i)² = (a0 + a1)(a0 − a1) + 2·a0·a1·i.
    fn complex_square(&mut self, [a0, a1]: [Ref; 2]) -> [Ref; 2] {
        let (sum, difference) = (self.add(a0, a1), self.sub(a0, a1));
        let (re, half) = (self.product(sum, difference), self.product(a0, a1));
        [re, self.form([(half, 2)])]
    }

    /// Creates 1/x for each x, 0 for 0: one inversion by Montgomery's trick, with 1 in the place of 0.
    fn inverses(&mut self, xs: &[Ref]) -> Vec<Ref> {
        if let [x] = xs {
            return vec![self.operation(Opcode::Inv, &[*x])];
        }
        let zeros: Vec<Ref> = xs.iter().map(|x| self.operation(Opcode::IsZero, &[*x])).collect();
        let units: Vec<Ref> = xs.iter().zip(&zeros).map(|(x, zero)| self.add(*x, *zero)).collect();
        let (inverses, _) = self.quotients(None, &units);
        // the inverse of 1 is 1
        inverses.into_iter().zip(zeros).map(|(inverse, zero)| self.sub(inverse, zero)).collect()
    }

    /// Creates c/x for each x, and the product of all x; all quotients are 0 if some x is 0.
    fn quotients(&mut self, c: Option<Ref>, xs: &[Ref]) -> (Vec<Ref>, Ref) {
        let mut products = vec![xs[0]];
        for x in &xs[1..] {
            products.push(self.product(products[products.len() - 1], *x));
        }
        let last = products[products.len() - 1];
        let mut inverse = self.operation(Opcode::Inv, &[last]);
        if let Some(c) = c {
            inverse = self.product(c, inverse);
        }
        let mut quotients = vec![inverse; xs.len()];
        for i in (1..xs.len()).rev() {
            quotients[i] = self.product(inverse, products[i - 1]);
            inverse = self.product(inverse, xs[i]);
        }
        quotients[0] = inverse;
        (quotients, last)
    }

    /// Returns the results of an operation of a program; `None` if the ALU has no instruction for it.
    pub(crate) fn apply(&mut self, code: Code, operands: &[Term]) -> Option<Vec<Ref>> {
        let x: Vec<Ref> = operands.iter().map(|(x, _)| *x).collect();
        let terms = |from: usize| operands[from..].iter().copied();
        let result = match code {
            Code::Mul | Code::MulWide => self.product(x[0], x[1]),
            Code::Sqr | Code::SqrWide => self.square(x[0]),
            Code::MulSum => {
                let product = self.product(x[0], x[1]);
                self.form([(product, 1)].into_iter().chain(terms(2)))
            }
            Code::SqrSum => {
                let square = self.square(x[0]);
                self.form([(square, 1)].into_iter().chain(terms(1)))
            }
            Code::Lin | Code::Reduce | Code::ReduceNear | Code::Sum => self.form(terms(0)),
            Code::Add => self.add(x[0], x[1]),
            Code::Sub => self.sub(x[0], x[1]),
            Code::ThreePlusTwo => self.form([(x[0], 3), (x[1], 2)]),
            Code::ThreeMinusTwo => self.form([(x[0], 3), (x[1], -2)]),
            Code::ReduceThreePlusTwo | Code::ReduceThreePlusTwoNear => {
                self.form(terms(1).map(|(w, c)| (w, 3 * c)).chain([(x[0], 2)]))
            }
            Code::ReduceThreeMinusTwo | Code::ReduceThreeMinusTwoNear => {
                self.form(terms(1).map(|(w, c)| (w, 3 * c)).chain([(x[0], -2)]))
            }
            Code::ComplexMul | Code::ComplexMulWide => {
                return Some(self.complex_product([x[0], x[1]], [x[2], x[3]]).into());
            }
            Code::ComplexSqr | Code::ComplexSqrWide => return Some(self.complex_square([x[0], x[1]]).into()),
            Code::ComplexSumsMulWide => {
                let sums = [[0, 2], [1, 3], [4, 6], [5, 7]].map(|[a, c]| self.add(x[a], x[c]));
                return Some(self.complex_product([sums[0], sums[1]], [sums[2], sums[3]]).into());
            }
            Code::ComplexSumSqrWide => {
                let sums = [[0, 2], [1, 3]].map(|[a, c]| self.add(x[a], x[c]));
                return Some(self.complex_square(sums).into());
            }
            Code::ComplexSumsMulLin | Code::ComplexSumSqrLin => {
                let is_square = code == Code::ComplexSumSqrLin;
                let product = if is_square { Code::ComplexSumSqrWide } else { Code::ComplexSumsMulWide };
                let (elements, terms) = operands.split_at(2 * code.pairs());
                let (first, second) = terms.split_at(terms.len() / 2);
                let product = self.apply(product, elements)?;
                let sums = product.into_iter().zip([first, second]);
                // nothing else reads the product, so its own form is merged into theirs
                return Some(sums.map(|(x, terms)| self.form([&self.terms_of(x), terms].concat())).collect());
            }
            Code::Select => {
                let difference = self.sub(x[1], x[2]);
                let chosen = self.product(x[0], difference);
                self.add(x[2], chosen)
            }
            Code::IsZero => self.operation(Opcode::IsZero, &[x[0]]),
            Code::And => self.product(x[0], x[1]),
            Code::Not => {
                let one = self.pool.constant(&1u32.into());
                self.sub(one, x[0])
            }
            Code::Copy => x[0],
            Code::Invert => return Some(self.inverses(&x)),
            Code::Quotients => {
                let (mut quotients, product) = self.quotients(Some(x[0]), &x[1..]);
                quotients.push(self.operation(Opcode::IsZero, &[product]));
                return Some(quotients);
            }
            Code::IsOdd => return None,
        };
        Some(vec![result])
    }

    /// Returns the code for these results of a routine; `values` are the routine's values.
    pub(crate) fn finish(self, results: &[Ref], values: &[Ref], alu: &Alu) -> Straight {
        let Nodes { pool, style, params, mut nodes, .. } = self;
        share(params, &mut nodes, results);
        let unreduced = match style {
            Style::Reduced => Unreduced::none(params, &nodes, results),
            Style::Wide { shared, .. } => Unreduced::cheapest(params, &nodes, results, alu, shared),
        };
        let zero = pool.constant(&BigUint::ZERO);
        let mut lines = Lines::new(params, &nodes, unreduced, zero);
        for (i, node) in nodes.iter().enumerate() {
            let x = Ref::value(params + i);
            match node {
                Node::Operation(..) if !lines.unreduced.is_made(i) => {}
                Node::Operation(..) if lines.unreduced.is_wide(x) => _ = lines.wide(x),
                Node::Operation(..) => _ = lines.value(x),
                Node::Form(_) => {}
            }
        }
        let results = results.iter().map(|x| lines.value(*x)).collect();
        let Lines { made, writer, .. } = lines;
        let mut straight = Straight { results, ..writer.straight };
        for (value, number) in values.iter().zip(0..) {
            let made = if value.is_constant() { None } else { made[value.number()] };
            let line = made.filter(|x| !x.is_constant()).and_then(|x| x.number().checked_sub(params));
            if let Some(line) = line {
                straight.recorded[line].get_or_insert(number);
            }
        }
        straight
    }
}

/// Returns which nodes the results depend on.
pub(crate) fn live(params: usize, nodes: &[Node], results: &[Ref]) -> Vec<bool> {
    let mut live = vec![false; nodes.len()];
    let mut open: Vec<Ref> = results.to_vec();
    while let Some(x) = open.pop() {
        if x.is_constant() || x.number() < params || std::mem::replace(&mut live[x.number() - params], true) {
            continue;
        }
        open.extend(nodes[x.number() - params].reads());
    }
    live
}

impl Node {
    /// Returns the values that the node reads.
    pub(crate) fn reads(&self) -> Vec<Ref> {
        match self {
            Node::Operation(_, args) => args.clone(),
            Node::Form(terms) => terms.iter().map(|(x, _)| *x).collect(),
        }
    }
}

/// Compiles a routine to closed code, with these numbers for its constants; returns the operation as an error if the
/// ALU has no instruction for it.
pub(crate) fn routine(
    pool: &mut Pool,
    routine: &Routine,
    constants: &[Ref],
    machine: &Machine,
) -> Result<Straight, Code> {
    best(machine, |style| code(pool, routine, constants, style, &machine.alu))
}

/// Compiles a routine in one style.
fn code(pool: &mut Pool, routine: &Routine, constants: &[Ref], style: Style, alu: &Alu) -> Result<Straight, Code> {
    let mut nodes = Nodes::new(pool, style, routine.params);
    let mut values: Vec<Ref> = (0..routine.params).map(Ref::value).collect();
    for op in &routine.ops {
        let operands: Vec<Term> = routine
            .operands(op)
            .iter()
            .map(|t| {
                let values = if t.value.is_constant() { constants } else { &values };
                (values[t.value.number()], i64::from(t.coeff))
            })
            .collect();
        values.extend(nodes.apply(op.code, &operands).ok_or(op.code)?);
    }
    let results: Vec<Ref> = routine.results.iter().map(|v| values[*v as usize]).collect();
    Ok(nodes.finish(&results, &values, alu))
}

/// Compiles an operation that is shared by all vectors of a batch, here by one, with this number of operands.
pub(crate) fn shared(pool: &mut Pool, code: Code, operands: usize, machine: &Machine) -> Result<Straight, Code> {
    best(machine, |style| {
        let mut nodes = Nodes::new(pool, style, operands);
        let operands: Vec<Term> = (0..operands).map(|i| (Ref::value(i), 1)).collect();
        let results = nodes.apply(code, &operands).ok_or(code)?;
        Ok(nodes.finish(&results, &[], &machine.alu))
    })
}

/// Among the styles for which the machine has registers, returns the code with the fewest cycles, in an order in which
/// few values live.
fn best(machine: &Machine, mut code: impl FnMut(Style) -> Result<Straight, Code>) -> Result<Straight, Code> {
    let styles = if machine.wide > 0 { &Style::ALL[..] } else { &Style::ALL[..1] };
    let mut best: Option<Straight> = None;
    for style in styles {
        let code = narrow(code(*style)?, machine.wide);
        let fits = code.live()[1] <= machine.wide as usize;
        if fits && best.as_ref().is_none_or(|best| code.cycles(&machine.alu) < best.cycles(&machine.alu)) {
            best = Some(code);
        }
    }
    Ok(best.unwrap_or_else(|| unreachable!("the first style has no wide values")))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Pool, Style, code};
    use crate::compile::closed::Straight;
    use crate::isa::Opcode;
    use crate::model::{Alu, Reduction};
    use bilinear_engine::{Curve, Options, programs};
    use bilinear_program::Ref;
    use num_bigint::BigUint;

    /// Executes code on its parameters modulo p.
    fn run(code: &Straight, pool: &Pool, params: &[BigUint]) -> Vec<BigUint> {
        let p = &pool.modulus;
        let mut values = params.to_vec();
        let read = |values: &[BigUint], x: Ref| if x.is_constant() { &pool.values } else { values }[x.number()].clone();
        let mut gone = vec![false; code.params + code.lines.len()];
        for line in &code.lines {
            assert!(line.args().iter().all(|x| x.is_constant() || !gone[x.number()]), "an accumulator is read once");
            if matches!(line.opcode, Opcode::WMac | Opcode::WMsc) {
                gone[line.args()[0].number()] = true;
            }
            let args: Vec<BigUint> = line.args().iter().map(|x| read(&values, *x)).collect();
            values.push(match (line.opcode, &args[..]) {
                (Opcode::Add | Opcode::WAdd, [a, b]) => (a + b) % p,
                (Opcode::Sub | Opcode::WSub, [a, b]) => (a + p - b) % p,
                (Opcode::Neg, [a]) => (p - a) % p,
                (Opcode::Copy | Opcode::WRed, [a]) => a.clone(),
                (Opcode::Halve, [a]) => (a * ((p + 1u32) >> 1u32)) % p,
                (Opcode::Mul | Opcode::WMul, [a, b]) => a * b % p,
                (Opcode::Sqr, [a]) => a * a % p,
                (Opcode::WMac, [w, a, b]) => (w + a * b) % p,
                (Opcode::WMsc, [w, a, b]) => (w + (p - a) * b) % p,
                (Opcode::Inv, [a]) => a.modpow(&(p - 2u32), p),
                (Opcode::IsZero, [a]) => u32::from(*a == BigUint::ZERO).into(),
                (opcode, args) => panic!("{opcode} of {} values", args.len()),
            });
        }
        code.results.iter().map(|x| read(&values, *x)).collect()
    }

    /// In every style of products, each routine of a pairing gives the same values.
    #[test]
    fn styles_agree() {
        for name in ["a-512", "d-159", "e", "f", "bn-254n", "bls12-377", "bls12-381", "kss18-508"] {
            let curve = Curve::named(name).unwrap();
            let p = curve.family().field();
            let alu = Alu { bits: p.bits() as u32, limb: 17, generators: 4, reduction: Reduction::Montgomery };
            for (_, program) in &programs(&curve, Options::default()).unwrap()[..2] {
                for routine in program.routines() {
                    let mut pool = Pool { modulus: p.clone(), values: vec![] };
                    let constants: Vec<Ref> = program.constants().iter().map(|value| pool.constant(value)).collect();
                    // powers of a number serve as random values
                    let mut x = BigUint::from(0x9e37_79b9_7f4a_7c15_u64);
                    let params: Vec<BigUint> = std::iter::repeat_with(|| {
                        x = &x * &x * 3u32 % p;
                        x.clone()
                    })
                    .take(routine.params)
                    .collect();
                    let mut results = vec![];
                    for style in Style::ALL {
                        let code = code(&mut pool, routine, &constants, style, &alu).unwrap();
                        results.push(run(&code, &pool, &params));
                    }
                    for (style, result) in Style::ALL.iter().zip(&results) {
                        assert!(*result == results[0], "{name}, {}, {style:?}", routine.name);
                    }
                }
            }
        }
    }
}
