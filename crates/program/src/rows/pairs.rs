//! Karatsuba's three products in F_p(i), (a0 + a1·i)(b0 + b1·i) from u = a0·b0, v = a1·b1 and w = (a0 + a1)(b0 + b1),
//! where everything that reads them reads u − v and w − u − v: the coefficients of the product. Kernels compute these
//! two from the three products before they store them. That leaves two unreduced values instead of three, and forms
//! with fewer terms.
//!
//! c_u·u + c_v·v + c_w·w = α(u − v) + β(w − u − v) with α = (c_u − c_v)/2 and β = c_w, if c_u + c_v = −2·c_w.

use crate::op::Ref;
use crate::program::Routine;
use bilinear_field::Code;
use std::collections::HashMap;

/// The numbers of the values u, v and w.
pub(super) type Triple = [usize; 3];

/// The triples of a routine.
pub(super) struct Pairs {
    pub(super) triples: Vec<Triple>,
    /// For each value, the triple that it belongs to, and its place there.
    pub(super) of: Vec<Option<(usize, usize)>>,
}

impl Pairs {
    pub(super) fn of(routine: &Routine) -> Self {
        let mut pairs = Pairs { triples: vec![], of: vec![None; routine.kinds.len()] };
        let mut products: HashMap<[Ref; 2], Vec<usize>> = HashMap::new();
        let mut sums = HashMap::new();
        for op in &routine.ops {
            if let [a, b] = routine.operands(op) {
                match op.code {
                    Code::MulWide => products.entry(sorted([a.value, b.value])).or_default().push(op.value as usize),
                    Code::Add => {
                        sums.insert(Ref::value(op.value as usize), [a.value, b.value]);
                    }
                    _ => {}
                }
            }
        }
        let readers = routine.form_readers();
        for op in routine.ops.iter().filter(|op| op.code == Code::MulWide) {
            let [x, y] = [0, 1].map(|i| routine.operands(op)[i].value);
            let (Some([a0, a1]), Some([b0, b1])) = (sums.get(&x), sums.get(&y)) else { continue };
            let w = op.value as usize;
            let straight = [[*a0, *b0], [*a1, *b1]];
            let crossed = [[*a0, *b1], [*a1, *b0]];
            for factors in [straight, crossed] {
                let free = |factors: [Ref; 2], but: Option<usize>| {
                    let found = products.get(&sorted(factors)).into_iter().flatten().copied();
                    found.into_iter().find(|v| pairs.of[*v].is_none() && *v != w && Some(*v) != but)
                };
                let Some(u) = free(factors[0], None) else { continue };
                let Some(v) = free(factors[1], Some(u)) else { continue };
                if pairs.of[w].is_none() && is_read_as_pair(routine, &readers, [u, v, w]) {
                    for (place, value) in [u, v, w].into_iter().enumerate() {
                        pairs.of[value] = Some((pairs.triples.len(), place));
                    }
                    pairs.triples.push([u, v, w]);
                    break;
                }
            }
        }
        pairs
    }
}

fn sorted(mut refs: [Ref; 2]) -> [Ref; 2] {
    refs.sort_unstable();
    refs
}

/// Returns true if only forms read a triple, and in each of them c_u + c_v = −2·c_w.
fn is_read_as_pair(routine: &Routine, readers: &[Option<Vec<usize>>], triple: Triple) -> bool {
    let fits = |i: &usize| {
        let op = &routine.ops[*i];
        let coefficient = |value: usize| -> i32 {
            let of = routine.operands(op).iter().filter(|t| t.value == Ref::value(value));
            of.map(|t| t.coeff).sum()
        };
        let [u, v, w] = triple.map(coefficient);
        matches!(op.code, Code::Lin | Code::Reduce) && u + v == -2 * w
    };
    triple.iter().all(|v| readers[*v].as_ref().is_some_and(|readers| readers.iter().all(fits)))
}
