//! The machine that executes programs on a device. An engine's batches run on it as on any other machine.
//!
//! A batch goes to the device in launches that fit its memory, one for each set of prepared arguments. Batches
//! whose masks are secret stay on the processor, since nobody has looked at the machine code of the kernels. So
//! does everything after the first failure of the device, any program that has no encoding, and the rest of a batch
//! if the device has no memory for a vector of it or for the program. [`Machine::fallback_reason`] says why, and
//! [`Machine::left_to_another`] how many values these are.

use crate::EncodeError;
use crate::code::{Code, CodeError};
use crate::device::{Device, DeviceError, Properties};
use crate::encoding::{Encoding, Slot};
use crate::kept::Kept;
use crate::known::locked;
use crate::modulus::{Modulus, ModulusError};
use crate::on_cpu::OnCpu;
use crate::residues::Residues;
use crate::shape::Shape;
use crate::values::Values;
use bilinear_field::bounds::{Report, Rules};
use bilinear_program::{self as program, Batch, Input, Loaded, Output, Program, Uniforms};
use num_bigint::BigUint;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// A source of machines for batches: a graphics processor, or any [`Device`].
pub trait Machines: Send + Sync + 'static {
    /// Creates the machine for a modulus; `cpu` computes what stays on the processor.
    ///
    /// # Errors
    /// Returns an error if there is no kernel for the modulus, or if the device fails.
    ///
    /// # Panics
    /// Panics if `cpu` is for another modulus, or if its number of lanes does not divide that of the device.
    fn machine(&self, p: &BigUint, cpu: Arc<dyn program::Machine>) -> Result<Arc<dyn program::Machine>, MachineError>;
}

impl<D: Device> Machines for Arc<D> {
    fn machine(&self, p: &BigUint, cpu: Arc<dyn program::Machine>) -> Result<Arc<dyn program::Machine>, MachineError> {
        Ok(Arc::new(Machine::new(p, self.clone(), cpu)?))
    }
}

/// A device that computes modulo p.
pub(crate) struct Machine<D: Device>(Arc<Shared<D>>);

struct Shared<D: Device> {
    device: Arc<D>,
    p: BigUint,
    cpu: Arc<dyn program::Machine>,
    failure: Mutex<Option<DeviceFailure>>,
    kept: Kept<D>,
    /// The number of programs that the machine has loaded.
    programs: AtomicUsize,
    /// The number of lanes that the processor has computed because the device did not.
    left: AtomicUsize,
}

/// A failure: the one that ended the use of the device, or the first one as long as none has.
struct DeviceFailure {
    reason: String,
    /// Whether the device is no longer used.
    is_final: bool,
}

/// A prepared argument: its residues, and their elements for kernels of words and of residues.
struct Argument {
    p: BigUint,
    plain: Vec<Vec<u64>>,
    elements: [OnceLock<Vec<Vec<u32>>>; 2],
}

impl Argument {
    fn elements<D: Device>(&self, code: &Code<D>) -> &[Vec<u32>] {
        self.elements[usize::from(code.has_residues())].get_or_init(|| {
            let number = |words: &Vec<u64>| {
                let halves = words.iter().flat_map(|word| [*word as u32, (word >> 32) as u32]).collect();
                code.element(&BigUint::new(halves))
            };
            self.plain.iter().map(number).collect()
        })
    }
}

/// A reason why a device has no machine for a modulus.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MachineError {
    /// There is no kernel for the modulus.
    #[error(transparent)]
    Modulus(#[from] ModulusError),
    /// The device fails.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl<D: Device> Machine<D> {
    /// Creates a machine as [`Machines::machine`] does.
    pub(crate) fn new(p: &BigUint, device: Arc<D>, cpu: Arc<dyn program::Machine>) -> Result<Self, MachineError> {
        let lanes = device.properties().lanes;
        assert!(
            cpu.modulus() == p && lanes <= 64 && lanes.is_multiple_of(cpu.lanes()),
            "the machine to fall back on must have the same field, and lanes that divide those of the device"
        );
        let modulus = Modulus::new(p)?;
        let residues = device.properties().residues(&modulus);
        device.prepare(modulus.words(), residues.as_ref().map(Residues::kernel))?;
        let kept = Kept::new(device.properties().kept);
        let (failure, programs, left) = Default::default();
        Ok(Machine(Arc::new(Shared { device, p: p.clone(), cpu, failure, kept, programs, left })))
    }
}

impl<D: Device> Shared<D> {
    fn record_failure(&self, reason: String, is_final: bool) {
        let mut failure = locked(&self.failure);
        if failure.as_ref().is_none_or(|first| is_final && !first.is_final) {
            *failure = Some(DeviceFailure { reason, is_final });
        }
    }

    /// Records a failure of the device. It is final, unless the device only has no free memory at the moment.
    fn failed(&self, error: &DeviceError) {
        self.record_failure(error.to_string(), !error.is_temporary());
    }

    fn is_broken(&self) -> bool {
        let failure = locked(&self.failure);
        failure.as_ref().is_some_and(|failure| failure.is_final)
    }

    fn residues(&self, plain: Vec<Vec<u64>>) -> Uniforms {
        Uniforms::new(Arc::new(Argument { p: self.p.clone(), plain, elements: Default::default() }))
    }
}

impl<D: Device> program::Machine for Machine<D> {
    fn name(&self) -> &'static str {
        "cuda"
    }

    fn lanes(&self) -> usize {
        self.0.device.properties().lanes
    }

    fn modulus(&self) -> &BigUint {
        &self.0.p
    }

    /// Returns `None`: the ranges of each encoding are proved when it is made.
    fn rules(&self) -> Option<Arc<dyn Rules>> {
        None
    }

    /// Proves the ranges of the values on the processor, where any batch may run.
    fn prove(&self, suited: &Arc<Program>) -> Option<Report> {
        self.0.cpu.prove(&OnCpu::suited(&self.0.cpu, suited))
    }

    fn task(&self) -> usize {
        self.0.device.properties().vectors
    }

    /// Returns false: each inversion is a launch, and a power in every thread.
    fn shares_inversions(&self) -> bool {
        false
    }

    fn fallback_reason(&self) -> Option<String> {
        let failure = locked(&self.0.failure);
        failure.as_ref().map(|failure| failure.reason.clone())
    }

    fn is_broken(&self) -> bool {
        self.0.is_broken()
    }

    fn left_to_another(&self) -> usize {
        self.0.left.load(Ordering::SeqCst)
    }

    fn load(&self, program: &Arc<Program>) -> Arc<dyn Loaded> {
        assert_eq!(program.modulus(), &self.0.p, "the program and the machine are over different fields");
        let (shared, program) = (self.0.clone(), program.clone());
        let number = shared.programs.fetch_add(1, Ordering::Relaxed);
        let (waiting, code, on_cpu) = Default::default();
        Arc::new(Resident { shared, program, number, waiting, code, on_cpu })
    }
}

/// A program on a device, loaded there when a batch first needs it.
struct Resident<D: Device> {
    shared: Arc<Shared<D>>,
    program: Arc<Program>,
    /// The number of the program among those of the machine.
    number: usize,
    /// The encoding of the program, while the device has no memory for it.
    waiting: Mutex<Option<(Encoding, Shape)>>,
    /// The encoding on the device; `None` if the program has no encoding.
    code: OnceLock<Option<Code<D>>>,
    on_cpu: OnceLock<OnCpu>,
}

/// A reason why a program is not loaded on a device.
#[derive(Debug, thiserror::Error)]
enum LoadError {
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error(transparent)]
    Code(#[from] CodeError),
}

impl<D: Device> Resident<D> {
    /// Returns the encoding on the device, or `None` if the program has no encoding or the device has no memory for
    /// it now.
    fn code(&self) -> Option<&Code<D>> {
        let mut waiting = locked(&self.waiting);
        if self.code.get().is_none() {
            let made = self.loaded(&mut waiting);
            if let Err(LoadError::Code(CodeError::Device(error))) = &made {
                self.shared.failed(error);
                return None;
            }
            if let Err(reason) = &made {
                self.shared.record_failure(reason.to_string(), false);
            }
            *waiting = None;
            return self.code.get_or_init(|| made.ok()).as_ref();
        }
        self.code.get()?.as_ref()
    }

    fn loaded(&self, waiting: &mut Option<(Encoding, Shape)>) -> Result<Code<D>, LoadError> {
        let (encoding, shape) = match waiting {
            Some(made) => made,
            none => none.insert(Encoding::on(&self.program, self.shared.device.properties())?),
        };
        Ok(Code::new(&*self.shared.device, encoding, *shape)?)
    }

    /// Returns the vectors from `first` on that have the same prepared arguments and fit a launch: at most `limit`,
    /// at least one.
    fn alike(&self, code: &Code<D>, batch: &Batch, first: usize, limit: usize) -> Range<usize> {
        let Properties { lanes, memory, vectors, .. } = self.shared.device.properties();
        let fits = |v: &usize| code.memory(v * lanes) <= *memory;
        let most = (2..=limit.min(*vectors)).take_while(fits).last().unwrap_or(1);
        let same = |v: usize| {
            let (own, other) = (batch.streams(v), batch.streams(first));
            own.len() == other.len() && own.iter().zip(other).all(|(x, y)| x.is(y))
        };
        let last = batch.vectors().min(first + most);
        first..(first + 1..last).find(|v| !same(*v)).unwrap_or(last)
    }

    /// Returns a prepared argument of a vector, which must have a residue of this index.
    fn argument<'b>(&self, batch: &'b [Vec<Uniforms>], vector: usize, stream: u32, index: u32) -> &'b Argument {
        let own = batch[vector].get(stream as usize).and_then(Uniforms::of::<Argument>);
        let own = own.filter(|own| own.p == self.shared.p && (index as usize) < own.plain.len());
        own.unwrap_or_else(|| panic!("every vector needs prepared arguments of this machine, of the program's length"))
    }

    /// Returns the constants with the prepared arguments of a vector, or `None` if the program has no prepared
    /// arguments.
    fn constants(
        &self,
        code: &Code<D>,
        streams: &[Vec<Uniforms>],
        vector: usize,
    ) -> Result<Option<Arc<D::Memory>>, DeviceError> {
        let ports = || self.program.inputs().iter().zip(code.inputs());
        if !ports().any(|(_, slot)| matches!(slot, Slot::Constant(_))) {
            return Ok(None);
        }
        let make = || {
            code.constants(&self.shared.device, |to| {
                for (input, slot) in ports() {
                    if let (Input::Uniform { stream, index, .. }, Slot::Constant(number)) = (input, slot) {
                        let argument = self.argument(streams, vector, *stream, *index);
                        to.set(*number, &argument.elements(code)[*index as usize]);
                    }
                }
            })
        };
        self.shared.kept.get((self.number, &streams[vector]), code.constant_words(), make).map(Some)
    }

    fn fill(&self, code: &Code<D>, batch: &Batch, vectors: Range<usize>, to: &mut Values<D::Host>) {
        let (lanes, words) = (batch.lanes(), batch.words());
        for ((input, number), slot) in self.program.numbered_inputs().zip(code.inputs()) {
            match (input, slot) {
                (Input::Elem { .. }, Slot::Elem(at)) => {
                    for (i, v) in vectors.clone().enumerate() {
                        for (lane, residue) in batch.lanes_in(v, number).chunks(words).enumerate() {
                            to.set(*at, i * lanes + lane, residue);
                        }
                    }
                }
                (Input::Mask { .. }, Slot::Mask(at)) => {
                    for (i, v) in vectors.clone().enumerate() {
                        let bits = batch.mask_in(v, number);
                        (0..lanes).for_each(|lane| to.set_mask(*at, i * lanes + lane, bits >> lane & 1 == 1));
                    }
                }
                (Input::Uniform { .. }, Slot::Constant(_)) => {}
                _ => unreachable!("a slot for each input"),
            }
        }
    }

    fn take(&self, code: &Code<D>, batch: &mut Batch, vectors: Range<usize>, from: &Values<D::Host>) {
        let (lanes, words) = (batch.lanes(), batch.words());
        for ((output, number), slot) in self.program.numbered_outputs().zip(code.outputs()) {
            match (output, slot) {
                (Output::Elem(_) | Output::Stored(_), Slot::Elem(at)) => {
                    for (i, v) in vectors.clone().enumerate() {
                        for (lane, residue) in batch.lanes_out(v, number).chunks_mut(words).enumerate() {
                            from.get(*at, i * lanes + lane, residue);
                        }
                    }
                }
                (Output::Mask(_), Slot::Mask(at)) => {
                    for (i, v) in vectors.clone().enumerate() {
                        let bit = |lane: usize| u64::from(from.get_mask(*at, i * lanes + lane)) << lane;
                        *batch.mask_out(v, number) = (0..lanes).map(bit).fold(0, |all, bit| all | bit);
                    }
                }
                _ => unreachable!("a slot for each output, and none that all lanes share"),
            }
        }
    }
}

impl<D: Device> Loaded for Resident<D> {
    fn run(&self, batch: &mut Batch) {
        let device = &*self.shared.device;
        let (lanes, words) = (device.properties().lanes, self.shared.p.bits().div_ceil(64) as usize);
        assert!(batch.suits(&self.program, lanes, words), "the batch belongs to another program or machine");
        batch.begin();
        let streams: Vec<Vec<Uniforms>> = (0..batch.vectors()).map(|v| batch.streams(v).to_vec()).collect();
        let mut made = vec![];
        let (mut next, mut limit) = (0, usize::MAX);
        // values that all lanes share are computed once
        let is_shared = self.program.outputs().iter().any(|output| matches!(output, Output::Uniform(_)));
        if !batch.is_secret() && !is_shared {
            while next < batch.vectors() && !self.shared.is_broken() {
                let Some(code) = self.code() else { break };
                let vectors = self.alike(code, batch, next, limit);
                let filled = |values: &mut Values<D::Host>| self.fill(code, batch, vectors.clone(), values);
                let constants = self.constants(code, &streams, next);
                match constants.and_then(|own| code.run(device, vectors.len() * lanes, own.as_deref(), filled)) {
                    Ok(values) => self.take(code, batch, vectors.clone(), &values),
                    // other launches have the memory now
                    Err(error) if error.is_temporary() && vectors.len() > 1 => {
                        limit = vectors.len() / 2;
                        continue;
                    }
                    Err(error) => {
                        self.shared.failed(&error);
                        break;
                    }
                }
                next = vectors.end;
            }
            self.shared.left.fetch_add((batch.vectors() - next) * lanes, Ordering::SeqCst);
        }
        if next < batch.vectors() {
            let cpu = self.on_cpu.get_or_init(|| OnCpu::new(&self.shared.cpu, &self.program));
            let rest = next..batch.vectors();
            let shared =
                |v: usize, stream: u32, index: u32| &*self.argument(&streams, v, stream, index).plain[index as usize];
            cpu.run(&self.program, batch, rest, shared, |residue| made.push(residue.to_vec()));
        }
        if !made.is_empty() {
            batch.set_uniforms(self.shared.residues(made));
        }
        batch.end();
    }

    fn together(&self) -> usize {
        self.shared.device.properties().vectors
    }
}
