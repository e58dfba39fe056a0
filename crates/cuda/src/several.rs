//! Several devices at a time: threads of a batch take the devices in turn and skip those that have failed.

use crate::device::DeviceError;
use crate::machine::{MachineError, Machines};
use bilinear_field::bounds::{Report, Rules};
use bilinear_program::{Batch, Loaded, Machine, Program};
use num_bigint::BigUint;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A device, or the error of opening it, which is then the error of its machine.
impl<M: Machines> Machines for Result<M, DeviceError> {
    fn machine(&self, p: &BigUint, cpu: Arc<dyn Machine>) -> Result<Arc<dyn Machine>, MachineError> {
        self.as_ref().map_err(Clone::clone)?.machine(p, cpu)
    }
}

/// All devices that do not fail at once. They must have the same number of lanes, and what one of them prepares
/// serves the others.
impl<M: Machines> Machines for Vec<M> {
    /// # Errors
    /// Returns the error of the first device if all of them fail.
    ///
    /// # Panics
    /// Panics if there is no device, or if devices have different numbers of lanes.
    fn machine(&self, p: &BigUint, cpu: Arc<dyn Machine>) -> Result<Arc<dyn Machine>, MachineError> {
        let (mut machines, mut failed) = (vec![], vec![]);
        for device in self {
            match device.machine(p, cpu.clone()) {
                Ok(machine) => machines.push(machine),
                Err(error) => failed.push(error),
            }
        }
        let Some(first) = machines.first() else {
            return Err(failed.into_iter().next().unwrap_or_else(|| panic!("at least one device is needed")));
        };
        let lanes = first.lanes();
        assert!(
            machines.iter().all(|machine| machine.lanes() == lanes),
            "all devices must have the same number of lanes"
        );
        let failed = failed.iter().map(ToString::to_string).collect();
        Ok(Arc::new(Several { machines: machines.into(), failed, next: Arc::default() }))
    }
}

struct Several {
    machines: Arc<[Arc<dyn Machine>]>,
    /// The errors of the devices that have no machine here.
    failed: Vec<String>,
    next: Arc<AtomicUsize>,
}

/// A program loaded on each of several machines.
struct OnEach {
    machines: Arc<[Arc<dyn Machine>]>,
    loaded: Vec<Arc<dyn Loaded>>,
    next: Arc<AtomicUsize>,
}

impl Machine for Several {
    fn name(&self) -> &'static str {
        self.machines[0].name()
    }

    fn lanes(&self) -> usize {
        self.machines[0].lanes()
    }

    fn modulus(&self) -> &BigUint {
        self.machines[0].modulus()
    }

    fn rules(&self) -> Option<Arc<dyn Rules>> {
        self.machines[0].rules()
    }

    fn suited(&self, program: &Arc<Program>) -> Arc<Program> {
        self.machines[0].suited(program)
    }

    fn prove(&self, suited: &Arc<Program>) -> Option<Report> {
        self.machines[0].prove(suited)
    }

    /// Returns the smallest task of all machines, so that no device gets more than it takes at a time.
    fn task(&self) -> usize {
        self.machines.iter().map(|machine| machine.task()).min().unwrap_or(1)
    }

    fn shares_inversions(&self) -> bool {
        self.machines[0].shares_inversions()
    }

    /// Joins the reasons of all devices that have failed, each reason once.
    fn fallback_reason(&self) -> Option<String> {
        let mut reasons: Vec<String> = vec![];
        for reason in self.failed.iter().cloned().chain(self.machines.iter().filter_map(|m| m.fallback_reason())) {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }

    fn is_broken(&self) -> bool {
        self.machines.iter().all(|machine| machine.is_broken())
    }

    fn left_to_another(&self) -> usize {
        self.machines.iter().map(|machine| machine.left_to_another()).sum()
    }

    fn load(&self, program: &Arc<Program>) -> Arc<dyn Loaded> {
        let loaded = self.machines.iter().map(|machine| machine.load(program)).collect();
        Arc::new(OnEach { machines: self.machines.clone(), loaded, next: self.next.clone() })
    }
}

impl Loaded for OnEach {
    fn run(&self, batch: &mut Batch) {
        let count = self.machines.len();
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let serves = |i: &usize| !self.machines[i % count].is_broken();
        let next = (first..first.wrapping_add(count)).find(serves).unwrap_or(first);
        self.loaded[next % count].run(batch);
    }

    fn together(&self) -> usize {
        self.loaded.iter().map(|loaded| loaded.together()).min().unwrap_or(1)
    }
}
