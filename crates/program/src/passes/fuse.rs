//! Fused operations: a value that is read once, by an operation with a form that takes the operands of the value instead.
//!
//! * 3·reduce(w) ± 2x is one reduction, whose result is not stored and read again: the squarings of cyclotomic subgroups (Granger and
//!   Scott, PKC 2010);
//! * (a + c)(b + d) and (a + c)² in F_p(i) take the sums as they are, without a correction: Karatsuba's products one and two levels
//!   up in the tower.

use crate::op::{Ref, Term};
use crate::places::{Pairs, pairs_of};
use crate::program::Routine;
use bilinear_field::Code;

/// Fuses a reduction with the `three_and_two` that reads it.
pub(super) fn three_and_two(routine: &mut Routine) {
    let (uses, makers) = (routine.uses(), routine.makers());
    for j in 0..routine.ops.len() {
        let op = &routine.ops[j];
        let code = match op.code {
            Code::ThreePlusTwo => Code::ReduceThreePlusTwo,
            Code::ThreeMinusTwo => Code::ReduceThreeMinusTwo,
            _ => continue,
        };
        let [p, x] = routine.operands(op)[..] else { continue };
        let p = p.value;
        let Some(i) = maker(&makers, p) else { continue };
        if routine.ops[i].code != Code::Reduce || uses[p.number()] != 1 {
            continue;
        }
        let operands = [&[x], routine.operands(&routine.ops[i])].concat();
        // stands where the reduction was, if x is there by then and results stay in order: unreduced values take the most memory
        let results = &routine.results;
        let before = results.partition_point(|result| (*result as usize) < p.number());
        let overtakes = results.binary_search(&op.value).is_ok_and(|own| before < own);
        let ready = !overtakes && maker(&makers, x.value).is_none_or(|maker| maker < i);
        let (at, dead) = if ready { (i, j) } else { (j, i) };
        routine.ops.swap(at, j);
        routine.ops[at].code = code;
        // nothing reads the reduction any more
        routine.ops[dead].code = Code::Copy;
        routine.set_operands(at, &operands);
    }
}

/// Fuses sums with the products and squares in F_p(i) that read them.
pub(super) fn sums(routine: &mut Routine) {
    let (uses, makers) = (routine.uses(), routine.makers());
    let (mut pairs, _) = pairs_of(routine);
    for j in 0..routine.ops.len() {
        let op = &routine.ops[j];
        let code = match op.code {
            Code::ComplexMulWide => Code::ComplexSumsMulWide,
            Code::ComplexSqrWide => Code::ComplexSumSqrWide,
            _ => continue,
        };
        // the two operands of each sum
        let sum = |t: &Term| -> Option<[Ref; 2]> {
            let sum = &routine.ops[maker(&makers, t.value)?];
            let is_own = sum.code == Code::Add && uses[t.value.number()] == 1;
            let [a, c] = routine.operands(sum)[..] else { return None };
            let [a, c] = [a.value, c.value];
            (is_own && !a.is_constant() && !c.is_constant()).then_some([a, c])
        };
        let Some(sums) = routine.operands(op).iter().map(sum).collect::<Option<Vec<[Ref; 2]>>>() else { continue };
        // pairs that have to lie side by side, undone where they cannot
        let mut tied = vec![];
        let mut operands = vec![];
        for halves in sums.chunks(2) {
            let [[a0, c0], [a1, c1]] = [halves[0], halves[1]];
            let way = [[a0, a1, c0, c1], [a0, c1, c0, a1]].into_iter().find(|way| {
                let before = tied.len();
                let lie = way.chunks(2).all(|pair| tie(&mut pairs, routine.params, [pair[0], pair[1]], &mut tied));
                if !lie {
                    tied.drain(before..).for_each(|(a, b)| pairs.untie(a, b));
                }
                lie
            });
            operands.extend(way.into_iter().flatten().map(|value| Term { coeff: 1, value }));
        }
        if operands.len() == 2 * op.operands.len() {
            routine.ops[j].code = code;
            routine.set_operands(j, &operands);
        } else {
            tied.into_iter().for_each(|(a, b)| pairs.untie(a, b));
        }
    }
}

/// Places b right behind a, if possible, and returns whether it is there. Adds the pair to `new` if it was not tied before.
fn tie(pairs: &mut Pairs, params: usize, [a, b]: [Ref; 2], new: &mut Vec<(u32, u32)>) -> bool {
    let is_param = |x: Ref| x.number() < params;
    let (first, second) = (a.number() as u32, b.number() as u32);
    if pairs.unit(first) == (first, Some(second)) {
        return true;
    }
    let lie = is_param(a) == is_param(b) && pairs.tie(first, second);
    if lie {
        new.push((first, second));
    }
    lie
}

/// Returns the operation that makes a value; `None` for parameters and constants.
fn maker(makers: &[Option<usize>], x: Ref) -> Option<usize> {
    if x.is_constant() { None } else { makers[x.number()] }
}
