//! Reordering of straight-line code, so that few values live at the same time.

use crate::compile::closed::Straight;
use bilinear_program::Ref;
use std::cmp::Reverse;

/// Returns the code in the better of two orders: the given one and a greedy one. The better order keeps the number of
/// wide values that live at the same time within `wide`, if either does, and then has fewer elements live.
pub(crate) fn narrow(code: Straight, wide: u32) -> Straight {
    let greedy = permuted(&code, &greedy(&code));
    let rank = |code: &Straight| {
        let [elements, wides] = code.live();
        (wides > wide as usize, elements, wides)
    };
    if rank(&greedy) < rank(&code) { greedy } else { code }
}

/// Returns the same lines in another order.
pub(crate) fn permuted(code: &Straight, order: &[usize]) -> Straight {
    let mut number: Vec<Ref> = (0..code.params + code.lines.len()).map(Ref::value).collect();
    for (new, old) in order.iter().enumerate() {
        number[code.params + old] = code.value(new);
    }
    let to = |x: Ref| if x.is_constant() { x } else { number[x.number()] };
    let lines = order.iter().map(|old| code.lines[*old].map(to)).collect();
    let recorded = order.iter().map(|old| code.recorded[*old]).collect();
    Straight { params: code.params, lines, results: code.results.iter().map(|x| to(*x)).collect(), recorded }
}

/// Returns for each value the lines that read it.
pub(crate) fn readers(code: &Straight) -> Vec<Vec<usize>> {
    let mut readers = vec![vec![]; code.params + code.lines.len()];
    for (i, line) in code.lines.iter().enumerate() {
        for x in line.args().iter().filter(|x| !x.is_constant()) {
            let readers: &mut Vec<usize> = &mut readers[x.number()];
            if readers.last() != Some(&i) {
                readers.push(i);
            }
        }
    }
    readers
}

/// Orders the lines greedily: next comes the line that leaves the fewest values alive; among equals, the one that comes
/// first in the given order.
fn greedy(code: &Straight) -> Vec<usize> {
    let readers = readers(code);
    let mut uses: Vec<usize> = readers.iter().map(Vec::len).collect();
    code.results.iter().filter(|x| !x.is_constant()).for_each(|x| uses[x.number()] += 1);
    let distinct = |i: usize| {
        let args = code.lines[i].args();
        let first = move |(at, x): &(usize, &Ref)| !args[..*at].contains(x);
        args.iter().enumerate().filter(first).map(|(_, x)| *x).filter(|x| !x.is_constant()).map(Ref::number)
    };
    let made = |x: usize| x < code.params;
    let mut missing: Vec<usize> = (0..code.lines.len()).map(|i| distinct(i).filter(|x| !made(*x)).count()).collect();
    let mut ready: Vec<usize> = (0..code.lines.len()).filter(|i| missing[*i] == 0).collect();
    let mut order = Vec::with_capacity(code.lines.len());
    while !ready.is_empty() {
        let dying = |i: usize| distinct(i).filter(|x| uses[*x] == 1).count();
        let best = (0..ready.len()).max_by_key(|at| (dying(ready[*at]), Reverse(ready[*at])));
        let line = ready.swap_remove(best.unwrap_or(0));
        order.push(line);
        distinct(line).for_each(|x| uses[x] -= 1);
        for reader in &readers[code.params + line] {
            missing[*reader] -= 1;
            if missing[*reader] == 0 {
                ready.push(*reader);
            }
        }
    }
    order
}
