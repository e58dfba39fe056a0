//! Listings of programs: sizes and lifetimes, which matter to a machine with few places or little memory for code, and the text of
//! routines.

use crate::op::Ref;
use crate::program::{Operation, Program, Routine};
use bilinear_field::Code;
use bilinear_field::CollectVec;
use std::collections::BTreeSet;
use std::fmt::{self, Display, Write};

impl Routine {
    /// Returns the greatest number of values that are live at a time, in program order. Parameters live until they
    /// are read last, results to the end.
    pub fn live(&self) -> usize {
        let mut last = vec![0; self.kinds.len()];
        for (i, op) in self.ops.iter().enumerate() {
            op.results().for_each(|v| last[v as usize] = i);
            for t in self.operands(op).iter().filter(|t| !t.value.is_constant()) {
                last[t.value.number()] = i;
            }
        }
        self.results.iter().for_each(|v| last[*v as usize] = self.ops.len());
        let mut dying = vec![0; self.ops.len() + 1];
        last.iter().for_each(|i| dying[*i] += 1);
        let (mut alive, mut most) = (self.params, self.params);
        for (op, dying) in self.ops.iter().zip(dying) {
            alive += op.results().len();
            most = most.max(alive);
            alive -= dying;
        }
        most
    }

    /// Returns the number of products on the longest path through the routine.
    pub fn depth(&self) -> usize {
        let mut depth = vec![0; self.kinds.len()];
        for op in &self.ops {
            // products and squares in F_p(i), or in F_p
            let product = op.code.pairs() > 0
                || matches!(
                    op.code,
                    Code::Mul | Code::Sqr | Code::MulSum | Code::SqrSum | Code::MulWide | Code::SqrWide
                );
            let below = self.operands(op).iter().filter(|t| !t.value.is_constant()).map(|t| depth[t.value.number()]);
            let own = below.max().unwrap_or(0) + usize::from(product);
            op.results().for_each(|v| depth[v as usize] = own);
        }
        depth.into_iter().max().unwrap_or(0)
    }

    /// Returns the number of constants of the program that the routine reads.
    pub fn constants(&self) -> usize {
        self.operands.iter().map(|t| t.value).filter(|x| x.is_constant()).collect::<BTreeSet<Ref>>().len()
    }
}

/// Writes v7 for a value, c2 for a constant.
impl Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_constant() { 'c' } else { 'v' }, self.number())
    }
}

/// Writes one line for each operation: its results, its name, its operands.
impl Display for Routine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |values: &mut dyn Iterator<Item = u32>| values.map(|v| Ref(v).to_string()).collect_vec().join(", ");
        writeln!(f, "{} ({})", self.name, list(&mut (0..self.params as u32)))?;
        for op in &self.ops {
            let operands = self.operands(op);
            let mut text = String::new();
            for t in operands {
                text.write_str(if text.is_empty() { "" } else { ", " })?;
                match t.coeff {
                    1 => write!(text, "{}", t.value)?,
                    -1 => write!(text, "-{}", t.value)?,
                    c => write!(text, "{c}*{}", t.value)?,
                }
            }
            writeln!(f, "  {} = {} {text}", list(&mut op.results()), op.code.name())?;
        }
        writeln!(f, "  return {}", list(&mut self.results.iter().copied()))
    }
}

impl Program {
    /// The number and the name of a routine, or the name of an operation on all vectors.
    pub fn name_of(&self, operation: Operation) -> String {
        match operation {
            Operation::Call(routine) => format!("{routine}: {}", self.routines()[routine as usize].name),
            Operation::Shared(code) => code.name().to_owned(),
        }
    }
}
