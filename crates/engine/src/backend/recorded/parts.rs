//! One pairing in parts, for several cores: the steps of its Miller loop are shared out, and the product of the
//! factors of all parts is raised to the power of the pairing.

use super::RecordedBackend;
use super::job::Job;
use super::partition::{LoopPartition, PartsError};
use crate::backend::interface::{LoopParts, MachineLines, MachineStart};
use bilinear_pairing::LoopPart;
use bilinear_program::Batch;
use std::sync::Arc;

impl LoopParts for RecordedBackend {
    fn best_partition(&self, prepared: bool, cores: usize) -> Option<LoopPartition> {
        Some(LoopPartition::best(&self.ready.programs, self.cost_model, prepared, cores))
    }

    fn partition_of(
        &self,
        prepared: bool,
        parts: &[LoopPart],
        delayed: bool,
    ) -> Result<Option<LoopPartition>, PartsError> {
        LoopPartition::of(&self.ready.programs, self.cost_model, prepared, parts, delayed).map(Some)
    }

    fn miller_part(&self, part: LoopPart, _: &MachineStart, delayed: bool, [p, q]: [&[u8]; 2]) -> Arc<[u8]> {
        let of_p = p.len() / self.len;
        let fill = |batch: &mut Batch, at, [p, q]: &[&[u8]; 2]| {
            self.set(batch, at, 0, Some(p));
            self.set(batch, at, of_p, Some(q));
        };
        self.each(Job::MillerPart { part, delayed }, &[[p, q]], fill, |batch, at| self.get_gt(batch, at)).remove(0)
    }

    fn miller_prepared_part(&self, part: LoopPart, delayed: bool, lines: &MachineLines, other: &[u8]) -> Arc<[u8]> {
        let batch = self.ready.run(Job::MillerPreparedPart { part, delayed }, 1, |batch| {
            batch.set_streams(0, vec![self.own_lines(lines)]);
            self.set(batch, (0, 0), 0, Some(other));
        });
        self.get_gt(&batch, (0, 0))
    }

    fn finish_parts(&self, delayed: bool, factors: &[Arc<[u8]>]) -> Arc<[u8]> {
        let fill = |batch: &mut Batch, at, factors: &&[Arc<[u8]>]| {
            for (i, factor) in factors.iter().enumerate() {
                self.set_gt(batch, at, i * self.order.len(), factor);
            }
        };
        let job = Job::FinishParts { parts: factors.len(), delayed };
        self.each(job, &[factors], fill, |batch, at| self.get_gt(batch, at)).remove(0)
    }
}
