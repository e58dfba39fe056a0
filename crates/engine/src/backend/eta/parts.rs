//! η_T in parts, for several cores. The accumulator is not squared, so that parts have no squarings for the steps
//! behind them. The cost of a part grows with its steps alone: the best parts are those of equal length.

use super::EtaBackend;
use crate::backend::interface::{LoopParts, MachineStart};
use crate::backend::recorded::{LoopPartition, PartitionPart, PartsError};
use crate::backend::small_characteristic::SmallCharacteristic;
use bilinear_field::CollectVec;
use bilinear_pairing::LoopPart;
use bilinear_pairing::eta_t::EtaT;
use bilinear_pairing::unitary_power::Unitary;
use std::sync::Arc;

impl<E: EtaT> EtaBackend<E> {
    fn partition(&self, parts: &[LoopPart], cores: usize) -> LoopPartition {
        let costs = self.eta.costs();
        let part = |part: &LoopPart| {
            let cost = if parts.len() > 1 { self.eta.part_cost(&(part.first..part.end)) } else { costs.whole };
            PartitionPart { part: *part, squarings: 0, cost }
        };
        let parts: Vec<PartitionPart> = parts.iter().map(part).collect_vec();
        let each: Vec<f64> = parts.iter().map(|part| part.cost).collect_vec();
        LoopPartition {
            delayed: false,
            longest: LoopPartition::makespan(&each, cores),
            finish: costs.finish + costs.join * (parts.len() - 1) as f64,
            alone: costs.whole + costs.finish,
            parts,
        }
    }
}

/// Cuts n steps into `count` parts, as equal as possible.
fn equal(n: usize, count: usize) -> Vec<LoopPart> {
    (0..count).map(|i| LoopPart { number: 0, first: i * n / count, end: (i + 1) * n / count }).collect_vec()
}

impl<E: EtaT> LoopParts for EtaBackend<E> {
    fn best_partition(&self, prepared: bool, cores: usize) -> Option<LoopPartition> {
        if prepared {
            return None;
        }
        let n = self.eta.steps();
        let most = cores.clamp(1, LoopPartition::MAX_PARTS.min(n));
        let partitions = (1..=most).map(|count| self.partition(&equal(n, count), count));
        partitions.min_by(|a, b| a.time().total_cmp(&b.time()))
    }

    fn partition_of(&self, prepared: bool, parts: &[LoopPart], _: bool) -> Result<Option<LoopPartition>, PartsError> {
        if prepared {
            return Ok(None);
        }
        LoopPartition::check(parts, vec![self.eta.steps()])?;
        Ok(Some(self.partition(parts, parts.len())))
    }

    fn start(&self, part: LoopPart) -> Arc<MachineStart> {
        Arc::new(self.eta.start(&(part.first..part.end)))
    }

    fn miller_part(&self, part: LoopPart, start: &MachineStart, _: bool, [p, q]: [&[u8]; 2]) -> Arc<[u8]> {
        let own: Option<&E::Start> = start.downcast_ref();
        let start = own.unwrap_or_else(|| unreachable!("the start of a part of this machine"));
        self.gt(&self.eta.miller_part(part.first..part.end, start, [&self.point(p), &self.point(q)]))
    }

    fn finish_parts(&self, _: bool, factors: &[Arc<[u8]>]) -> Arc<[u8]> {
        let tower = self.tower();
        let values = factors.iter().map(|bytes| self.value(bytes));
        let product = values.reduce(|product, value| tower.mul(&product, &value)).unwrap_or_else(|| tower.one());
        self.finished(&[product]).remove(0)
    }
}
