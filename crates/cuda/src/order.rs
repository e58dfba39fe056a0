//! List scheduling of a stage for groups of threads (Graham 1969; priorities by the longest path to the end, Hu 1961).
//!
//! A bundle has operations of one class, so that the lanes of a group execute the same records. The class that
//! fills the group best is issued, of two such classes the one on the longer path. Among its operations those with
//! as many products as the first are preferred. No operation is taken that is more than [`AHEAD`] lines behind the
//! first one left, so that few values are alive at a time.

use crate::fuse::{Line, Work};
use std::collections::HashMap;

/// The number of lines by which an operation may be taken before its turn: a choice between full bundles and little
/// memory that no measurement has settled.
const AHEAD: usize = 150;

/// The price of a reduction, in the units of [`PRODUCT`].
const REDUCTION: u32 = 10;
/// The price of a product.
const PRODUCT: u32 = 10;
/// The price of anything else.
const LIGHT: u32 = 2;

/// Returns the number of products of an operation.
fn products(work: &Work) -> usize {
    match work {
        Work::Wide(form) | Work::Close(form) => form.products.len(),
        _ => 0,
    }
}

fn price(work: &Work) -> u32 {
    let reduction = if matches!(work, Work::Close(_) | Work::Leave(_) | Work::Odd(_)) { REDUCTION } else { LIGHT };
    products(work) as u32 * PRODUCT + reduction
}

/// Returns the class of an operation. Operations of one class are executed by the same records, except for the
/// numbers of their terms.
fn class(work: &Work) -> usize {
    match work {
        Work::Wide(form) if form.products.is_empty() => 0,
        Work::Wide(_) => 1,
        Work::Close(form) if form.products.is_empty() => 2,
        Work::Close(_) => 3,
        Work::Sum(_) => 4,
        Work::Leave(_) => 5,
        Work::Select(_) => 6,
        Work::Zero(_) | Work::Odd(_) | Work::And(_) | Work::Not(_) => 7,
        Work::Load(_) | Work::Save(..) | Work::Residues(_) | Work::Words(..) | Work::Invert(_) => 8,
    }
}

/// Orders the lines of a stage in bundles of at most `width`.
pub(crate) fn bundles(lines: &[Line], width: usize) -> Vec<Vec<usize>> {
    if width == 1 {
        return (0..lines.len()).map(|i| vec![i]).collect();
    }
    let maker: HashMap<u32, usize> =
        lines.iter().enumerate().filter_map(|(i, line)| line.makes.map(|v| (v, i))).collect();
    let (mut readers, mut missing) = (vec![vec![]; lines.len()], vec![0; lines.len()]);
    for (i, line) in lines.iter().enumerate() {
        let reads = line.work.reads().into_iter().filter(|x| !x.is_constant());
        for maker in reads.filter_map(|x| maker.get(&(x.number() as u32))) {
            readers[*maker].push(i);
            missing[i] += 1;
        }
    }
    let mut heights = vec![0; lines.len()];
    for (i, line) in lines.iter().enumerate().rev() {
        let behind = readers[i].iter().map(|reader| heights[*reader]).max().unwrap_or(0);
        heights[i] = price(&line.work) + behind;
    }

    let mut ready: [Vec<usize>; 9] = Default::default();
    let mut issued = vec![false; lines.len()];
    let (mut first, mut seen, mut order) = (0, 0, vec![]);
    loop {
        first += issued[first..].iter().take_while(|issued| **issued).count();
        // lines that come within reach, if their operands have been made; the others follow when theirs are
        let reach = lines.len().min(first + AHEAD + 1);
        for i in seen..reach {
            if missing[i] == 0 {
                ready[class(&lines[i].work)].push(i);
            }
        }
        seen = seen.max(reach);
        let turn = |ready: &Vec<usize>| {
            let height = ready.iter().map(|i| heights[*i]).max();
            height.map(|height| (ready.len().min(width), height))
        };
        let Some(turn) = (0..ready.len()).filter_map(|k| Some((turn(&ready[k])?, k))).max() else { break };
        let of_class = &mut ready[turn.1];
        of_class.sort_by_key(|i| (std::cmp::Reverse(heights[*i]), *i));
        let like = products(&lines[of_class[0]].work);
        of_class.sort_by_key(|i| products(&lines[*i].work).abs_diff(like));
        let bundle: Vec<usize> = of_class.drain(..of_class.len().min(width)).collect();
        for i in &bundle {
            issued[*i] = true;
            for reader in &readers[*i] {
                missing[*reader] -= 1;
                if missing[*reader] == 0 && *reader < seen {
                    ready[class(&lines[*reader].work)].push(*reader);
                }
            }
        }
        order.push(bundle);
    }
    order
}
