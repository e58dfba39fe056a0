//! A graphics processor behind the CUDA driver. The driver is searched for when a device is opened: this crate is
//! built and linked without anything of CUDA.
//!
//! `unsafe` is needed to find out whether there is a driver and of which version, for streams that do not wait for
//! each other, and for launching kernels. A launch is sound because [`Launch`] comes from a checked encoding, with
//! as much memory as the encoding takes: only this crate can hand a launch to the driver, since [`Driver`] itself
//! is no [`Device`].
#![allow(unsafe_code)]

use crate::clock::{Busy, Clock, Task};
use crate::device::{Arithmetic, Device, DeviceError, Launch, Properties, Work};
use crate::encoding::Encoding;
use crate::kernels::{CAPABILITY, Compressed, VERSION, of_residues, of_words};
use crate::known::{Known, locked};
use crate::machine::{Machine, MachineError, Machines};
use crate::memory::Memory;
use crate::modulus::split;
use crate::pinned::{Host, Pinned};
use crate::shape::Shape;
use crate::stream::Stream;
use bilinear_program as program;
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, CUfunction_attribute as FunctionAttribute};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaSlice, DriverError, LaunchArgs, LaunchConfig, PushKernelArg, result,
};
use cudarc::nvrtc::Ptx;
use num_bigint::BigUint;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};

/// The number of pairings of a vector: as many as a word of truth values has bits.
const LANES: usize = 64;
/// The number of threads per pairing, as long as nobody has measured which number is best.
const WIDTH: usize = 8;
/// The largest number of vectors of a launch. With some threads of a batch, each of which launches on its own, no
/// processor is idle.
const VECTORS: usize = 512;
/// The divisor of the part of the memory that a launch may take, since several threads launch side by side.
const PART: usize = 16;
/// The divisor of the part of the memory that stays with a driver from one launch to the next.
const KEPT: usize = 4;
/// The number of threads of a multiprocessor that invert.
pub(crate) const INVERTING: usize = 128;

/// The kernels for one number of words, by name.
type Kernels = Arc<HashMap<&'static str, CudaFunction>>;
/// The names of the kernels whose threads have whole numbers.
const WHOLE: &[&str] = &["single", "group", "invert"];
/// The names of the kernels whose threads split numbers.
const SPLIT: &[&str] = &["split", "invert_split"];

/// A graphics processor. Cheap to clone.
#[derive(Clone)]
pub struct Driver(pub(crate) Arc<Gpu>);

/// The device behind a driver.
#[derive(Clone)]
pub(crate) struct Gpu {
    context: Arc<CudaContext>,
    properties: Properties,
    /// The largest number of bytes that a block can share.
    shared: i32,
    /// The kernels of words, by the number of words.
    kernels: Arc<Known<Kernels>>,
    /// The kernels of residues, by K.
    residues: Arc<Known<CudaFunction>>,
    /// The clock that new streams use.
    clock: Arc<Mutex<Option<Arc<Clock>>>>,
    memory: Arc<Memory>,
    pinned: Arc<Pinned>,
}

/// Returns a conversion of the driver's errors, which states their name and text.
pub(crate) fn failed(action: &'static str) -> impl Fn(DriverError) -> DeviceError {
    move |error| {
        let name = format!("{:?}", error.0);
        let text = error.error_string().map(|text| format!("{name}: {}", text.to_string_lossy()));
        let reason = text.unwrap_or(name);
        match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => DeviceError::Full { action, reason },
            _ => DeviceError::Failed { action, reason },
        }
    }
}

impl Driver {
    /// Opens the graphics processor of this number, from 0 on.
    ///
    /// # Errors
    /// Returns an error if there is no driver or no such processor, or if one of them is too old.
    pub fn new(number: usize) -> Result<Self, DeviceError> {
        let count = Self::start()?;
        if number >= count {
            return Err(DeviceError::NoDevice { count, number });
        }
        Self::open(number)
    }

    /// Opens all graphics processors. A processor that does not serve is listed with the reason: as [`Machines`]
    /// such a list skips it and tells the reason.
    ///
    /// # Errors
    /// Returns the error of [`Driver::new`] for the first processor if none serves.
    pub fn all() -> Result<Vec<Result<Self, DeviceError>>, DeviceError> {
        let count = Self::start()?;
        let all: Vec<_> = (0..count).map(Self::open).collect();
        match all.first() {
            None => Err(DeviceError::NoDevice { count, number: 0 }),
            Some(Err(first)) if all.iter().all(Result::is_err) => Err(first.clone()),
            Some(_) => Ok(all),
        }
    }

    /// Starts the driver and returns the number of processors that it finds.
    fn start() -> Result<usize, DeviceError> {
        // SAFETY: the call loads the library of the driver and looks up no function
        if !unsafe { sys::is_culib_present() } {
            return Err(DeviceError::NoDriver);
        }
        let mut found = 0;
        // SAFETY: the call writes one number, to a variable of its type
        unsafe { sys::cuDriverGetVersion(&raw mut found) }.result().map_err(failed("reporting its version"))?;
        if found < VERSION {
            return Err(DeviceError::TooOld { found, needed: VERSION });
        }
        result::init().map_err(failed("starting"))?;
        Ok(CudaContext::device_count().map_err(failed("counting the devices"))?.max(0) as usize)
    }

    fn open(number: usize) -> Result<Self, DeviceError> {
        let context = CudaContext::new(number).map_err(failed("opening a device"))?;
        // SAFETY: other streams read what a stream copies only after it has ended, and memory is freed only after
        // waiting for the streams that use it (`Stream`)
        unsafe { context.disable_event_tracking() };
        let asked = failed("reporting the properties of a device");
        let name = context.name().map_err(&asked)?;
        let (major, minor) = context.compute_capability().map_err(&asked)?;
        if (major, minor) < CAPABILITY {
            return Err(DeviceError::Capability { name, major, minor });
        }
        let processors = context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).map_err(&asked)?;
        let shared =
            context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN).map_err(&asked)?;
        let cache = context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE).map_err(&asked)?;
        let (free, _) = context.mem_get_info().map_err(&asked)?;
        let memory = Memory::new(&context, free / KEPT);
        let properties = Properties {
            name,
            lanes: LANES,
            width: WIDTH,
            arithmetic: Arithmetic::Either,
            vectors: VECTORS,
            memory: free / PART / 4,
            kept: cache.max(0) as usize / 2 / 4,
            shared: shared.max(0) as usize / 4,
            inverting: processors.max(1) as usize * INVERTING,
        };
        let (kernels, residues, clock) = Default::default();
        let (memory, pinned) = (Arc::new(memory), Arc::new(Pinned::new(context.clone())));
        Ok(Driver(Arc::new(Gpu { context, properties, shared, kernels, residues, clock, memory, pinned })))
    }

    /// Returns a driver of the same processor that computes in words, with `width` threads per pairing: 1, 4 or 8.
    pub fn with_width(&self, width: usize) -> Self {
        let mut gpu = (*self.0).clone();
        (gpu.properties.width, gpu.properties.arithmetic) = (width, Arithmetic::Words);
        Driver(Arc::new(gpu))
    }

    /// Returns a driver of the same processor that computes in residues whatever can be computed so.
    pub fn with_residues(&self) -> Self {
        let mut gpu = (*self.0).clone();
        gpu.properties.arithmetic = Arithmetic::Residues;
        Driver(Arc::new(gpu))
    }

    /// The properties of the processor.
    pub fn properties(&self) -> &Properties {
        &self.0.properties
    }

    /// Starts a clock for all launches that begin from now on, of this driver and of those made from it. Each
    /// launch records two more events for every kernel and every copy. A clock that runs already is stopped.
    ///
    /// # Errors
    /// Returns an error if the device fails.
    pub fn start_clock(&self) -> Result<(), DeviceError> {
        let clock = Clock::new(&self.0.context).map_err(failed("starting a clock"))?;
        *locked(&self.0.clock) = Some(Arc::new(clock));
        Ok(())
    }

    /// Stops the clock and returns for how long the device was busy with launches that have ended. Without a clock
    /// this is no time at all.
    ///
    /// # Errors
    /// Returns an error if the device fails.
    pub fn stop_clock(&self) -> Result<Busy, DeviceError> {
        let clock = locked(&self.0.clock).take();
        clock.map_or(Ok(Busy::default()), |clock| clock.busy()).map_err(failed("reading a clock"))
    }

    /// Returns the number of warps that a multiprocessor can hold of the kernel that executes the stages of an
    /// encoding.
    ///
    /// # Errors
    /// Returns an error if the device fails.
    pub fn warps(&self, encoding: &Encoding, shape: &Shape) -> Result<u32, DeviceError> {
        let words = encoding.modulus().words();
        let name = match encoding.width() {
            _ if shape.split > 1 => "split",
            1 => "single",
            _ => "group",
        };
        let kernel = match encoding.residues() {
            Some(residues) => self.0.residues(residues.kernel())?,
            None => self.0.kernels(words)?.get(name).cloned().ok_or(DeviceError::Kernel { words })?,
        };
        let (threads, shared) = (shape.threads(encoding) as u32, 4 * shape.shared(encoding));
        let blocks = kernel.occupancy_max_active_blocks_per_multiprocessor(threads, shared, None);
        Ok(blocks.map_err(failed("reporting the blocks of a multiprocessor"))? * threads.div_ceil(32))
    }
}

impl Machines for Driver {
    fn machine(&self, p: &BigUint, cpu: Arc<dyn program::Machine>) -> Result<Arc<dyn program::Machine>, MachineError> {
        Ok(Arc::new(Machine::new(p, self.0.clone(), cpu)?))
    }
}

impl Gpu {
    /// Returns the kernels for N words, which the driver compiles when they are first needed.
    fn kernels(&self, words: usize) -> Result<Kernels, DeviceError> {
        self.kernels.get(words, || {
            let module = self.module(&of_words(words).ok_or(DeviceError::Kernel { words })?)?;
            let names = if split(words) > 1 { SPLIT } else { WHOLE };
            let mut kernels = HashMap::new();
            for name in names.iter().copied() {
                let found = module.load_function(&format!("{name}_{words}")).map_err(failed("looking for a kernel"))?;
                if name == "group" {
                    self.share(&found)?;
                }
                kernels.insert(name, found);
            }
            Ok(Arc::new(kernels))
        })
    }

    /// Returns the kernel of residues for this K.
    fn residues(&self, kernel: usize) -> Result<CudaFunction, DeviceError> {
        self.residues.get(kernel, || {
            let module = self.module(&of_residues(kernel).ok_or(DeviceError::Residues { kernel })?)?;
            let function =
                module.load_function(&format!("residues_{kernel}")).map_err(failed("looking for a kernel"))?;
            self.share(&function)?;
            Ok(function)
        })
    }

    /// Loads kernels as machine code if there is some that the card takes; otherwise the driver compiles their PTX.
    pub(crate) fn module(&self, compressed: &Compressed) -> Result<Arc<CudaModule>, DeviceError> {
        let damaged =
            |reason: io::Error| DeviceError::Failed { action: "unpacking the kernels", reason: reason.to_string() };
        let (major, _) = self.context.compute_capability().map_err(failed("reporting the properties of a device"))?;
        if let Some(code) = compressed.machine_code(major).map_err(damaged)?
            && let Ok(module) = self.context.load_module(Ptx::from_binary(code))
        {
            return Ok(module);
        }
        let text = compressed.text().map_err(damaged)?;
        self.context.load_module(Ptx::from_src(text)).map_err(failed("compiling the kernels"))
    }

    /// Lets the blocks of a kernel share as much memory as the card allows.
    fn share(&self, kernel: &CudaFunction) -> Result<(), DeviceError> {
        let most = FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        kernel.set_attribute(most, self.shared).map_err(failed("reserving shared memory"))
    }
}

/// Pushes the modulus as an argument by value, of 4N + 5 words. Returns false if there is no kernel for its length.
fn with_modulus<'a>(arguments: &mut LaunchArgs<'a>, modulus: &'a [u32]) -> bool {
    fn pushed<'a, const L: usize>(arguments: &mut LaunchArgs<'a>, modulus: &'a [u32]) -> bool {
        let Ok(words) = <&[u32; L]>::try_from(modulus) else { return false };
        arguments.arg(words);
        true
    }
    let sizes = [pushed::<37>, pushed::<53>, pushed::<69>, pushed::<101>, pushed::<137>, pushed::<277>];
    sizes.iter().any(|pushed| pushed(arguments, modulus))
}

/// Pushes the far places as an argument, or a null pointer if there are none, and returns their words for a pairing.
fn with_far<'a>(arguments: &mut LaunchArgs<'a>, far: Option<(&'a mut CudaSlice<u32>, u32)>, nowhere: &'a u64) -> u32 {
    match far {
        Some((places, words)) => {
            arguments.arg(places);
            words
        }
        None => {
            arguments.arg(nowhere);
            0
        }
    }
}

impl Device for Gpu {
    type Memory = CudaSlice<u32>;
    type Queue = Stream;
    type Host = Host;

    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn prepare(&self, words: usize, residues: Option<usize>) -> Result<(), DeviceError> {
        self.kernels(words)?;
        residues.map_or(Ok(()), |kernel| self.residues(kernel).map(|_| ()))
    }

    fn queue(&self) -> Result<Self::Queue, DeviceError> {
        let clock = locked(&self.clock).clone();
        Ok(Stream::new(self.context.new_stream().map_err(failed("creating a stream"))?, clock))
    }

    fn allocate(&self, queue: &Self::Queue, words: usize) -> Result<Self::Memory, DeviceError> {
        self.memory.words(&queue.stream, words).map_err(|error| match failed("allocating memory")(error) {
            DeviceError::Full { .. } => DeviceError::Memory { words },
            other => other,
        })
    }

    fn host(&self, words: usize) -> Host {
        self.pinned.words(words)
    }

    fn copy_in(&self, queue: &Self::Queue, to: &mut Self::Memory, words: Host) -> Result<(), DeviceError> {
        let from = words.as_ref();
        let asked = match from.is_empty() {
            true => Ok(()),
            false => queue.run(Task::In, |stream| stream.memcpy_htod(from, to)),
        };
        queue.keep(words);
        asked.map_err(failed("copying to a device"))
    }

    fn launch(&self, queue: &Self::Queue, launch: Launch<'_, Self::Memory>) -> Result<(), DeviceError> {
        let Launch { words, modulus, work, slots, count, blocks, threads } = launch;
        let kernels = self.kernels(words)?;
        let mut config = LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (threads, 1, 1), shared_mem_bytes: 0 };
        // the values that arguments point to live as long as the arguments
        let (steps, width, near, ends, share);
        let (in_residues, sizes, far_words);
        let nowhere = 0u64;
        let kernel = |name| kernels.get(name).ok_or(DeviceError::Kernel { words });
        let is_split = matches!(work, Work::Split { .. });
        let task = if matches!(work, Work::Invert { .. }) { Task::Inversion } else { Task::Stage };
        let mut arguments;
        let complete = match work {
            Work::Single { code, places } | Work::Split { code, places, .. } => {
                steps = code.steps;
                arguments = queue.stream.launch_builder(kernel(if is_split { "split" } else { "single" })?);
                arguments.arg(code.records).arg(&steps).arg(code.constants);
                let complete = with_modulus(&mut arguments, modulus);
                arguments.arg(places).arg(slots).arg(&count);
                complete
            }
            Work::Group { code, width: lanes, shared, near: own, far } => {
                steps = code.steps;
                (width, near) = (lanes, own);
                config.shared_mem_bytes = 4 * shared;
                arguments = queue.stream.launch_builder(kernel("group")?);
                arguments.arg(&width).arg(code.records).arg(&steps).arg(code.constants);
                let complete = with_modulus(&mut arguments, modulus);
                arguments.arg(&near);
                far_words = with_far(&mut arguments, far, &nowhere);
                arguments.arg(&far_words).arg(slots).arg(&count);
                complete
            }
            Work::Residues { code, moduli, kernel, tables, shared, far } => {
                steps = code.steps;
                in_residues = self.residues(kernel as usize)?;
                sizes = [moduli, moduli.div_ceil(4), words as u32];
                config.shared_mem_bytes = 4 * shared;
                arguments = queue.stream.launch_builder(&in_residues);
                arguments.arg(code.records).arg(&steps).arg(code.constants).arg(tables);
                for size in &sizes {
                    arguments.arg(size);
                }
                far_words = with_far(&mut arguments, far, &nowhere);
                arguments.arg(&far_words).arg(slots).arg(&count);
                true
            }
            Work::Invert { inversion, split: threads, each } => {
                ends = [inversion.from, inversion.to];
                share = each;
                arguments = queue.stream.launch_builder(kernel(if threads > 1 { "invert_split" } else { "invert" })?);
                let complete = with_modulus(&mut arguments, modulus);
                arguments.arg(slots).arg(&ends[0]).arg(&ends[1]).arg(&count).arg(&share);
                complete
            }
        };
        if !complete {
            return Err(DeviceError::Kernel { words });
        }
        // SAFETY: the arguments are those of the kernel, and the memory that they point to is as large as the
        // encoding says; see the head of this file
        let launched = queue.run(task, |_| unsafe { arguments.launch(config) }.map(|_| ()));
        launched.map_err(failed("launching a kernel"))
    }

    fn copy_out(
        &self,
        queue: &Self::Queue,
        from: &Self::Memory,
        at: usize,
        words: &mut Host,
    ) -> Result<(), DeviceError> {
        let (action, words) = ("copying from a device", words.as_mut());
        let view = from.try_slice(at..at + words.len());
        let view = view.ok_or_else(|| DeviceError::Failed { action, reason: "the memory is shorter".to_owned() })?;
        let asked = match words.is_empty() {
            true => Ok(()),
            false => queue.run(Task::Out, |stream| stream.memcpy_dtoh(&view, words)),
        };
        // even if something failed, nothing is copied after this
        queue.wait().map_err(failed("running the kernels"))?;
        asked.map_err(failed(action))
    }
}
