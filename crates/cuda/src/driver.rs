//! A graphics processor behind the CUDA driver, which is looked for when a device is opened: what this crate is built and linked with has
//! nothing of CUDA.
//!
//! `unsafe`: whether a driver is there, which version it is of, and the launch of kernels. A launch is sound because [`Launch`] comes from
//! a checked encoding, with as much memory as that takes: nothing but this crate can hand one to the driver, since [`Driver`] itself is
//! no [`Device`].
#![allow(unsafe_code)]

use crate::device::{Device, DeviceError, Launch, Properties, Work};
use crate::kernels::{CAPABILITY, VERSION, ptx};
use crate::machine::{Machine, MachineError, Machines};
use bilinear_program as program;
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, CUfunction_attribute as FunctionAttribute};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchArgs, LaunchConfig, PushKernelArg, result,
};
use cudarc::nvrtc::Ptx;
use num_bigint::BigUint;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Pairings of a vector: as many as a word of truth values has bits.
const LANES: usize = 64;
/// Threads a pairing, as long as nobody has measured which number is best.
const WIDTH: usize = 8;
/// Vectors of a launch at most. With some threads of a batch, each of which launches on its own, no processor is idle.
const VECTORS: usize = 512;
/// The part of the memory that a launch may take: several threads launch side by side.
const PART: usize = 16;
/// Threads of a multiprocessor that invert.
const INVERTING: usize = 128;

/// The kernels for one number of words.
#[derive(Clone)]
struct Kernels {
    single: CudaFunction,
    group: CudaFunction,
    invert: CudaFunction,
}

/// A graphics processor. Cheap to clone.
#[derive(Clone)]
pub struct Driver(Arc<Gpu>);

/// The device behind it.
#[derive(Clone)]
struct Gpu {
    context: Arc<CudaContext>,
    properties: Properties,
    /// The most bytes that a block can share.
    shared: i32,
    kernels: Arc<Mutex<HashMap<usize, Kernels>>>,
}

fn failed(action: &'static str) -> impl Fn(DriverError) -> DeviceError {
    move |reason| DeviceError::Failed { action, reason: reason.to_string() }
}

impl Driver {
    /// The processor of this number, from 0 on.
    ///
    /// # Errors
    /// If there is no driver, or it is too old; if there is no such processor, or it is too old.
    pub fn new(number: usize) -> Result<Self, DeviceError> {
        // SAFETY: loads the library of the driver and looks no function up
        if !unsafe { sys::is_culib_present() } {
            return Err(DeviceError::NoDriver);
        }
        let mut found = 0;
        // SAFETY: writes the number
        unsafe { sys::cuDriverGetVersion(&raw mut found) }.result().map_err(failed("asking for its version"))?;
        if found < VERSION {
            return Err(DeviceError::TooOld { found, needed: VERSION });
        }
        result::init().map_err(failed("its start"))?;
        let count = CudaContext::device_count().map_err(failed("counting the devices"))?.max(0) as usize;
        if number >= count {
            return Err(DeviceError::NoDevice { count, number });
        }
        let context = CudaContext::new(number).map_err(failed("opening a device"))?;
        let asked = failed("asking for properties");
        let name = context.name().map_err(&asked)?;
        let (major, minor) = context.compute_capability().map_err(&asked)?;
        if (major, minor) < CAPABILITY {
            return Err(DeviceError::Capability { name, major, minor });
        }
        let processors = context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).map_err(&asked)?;
        let shared =
            context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN).map_err(&asked)?;
        let (free, _) = context.mem_get_info().map_err(&asked)?;
        let properties = Properties {
            name,
            lanes: LANES,
            width: WIDTH,
            vectors: VECTORS,
            memory: free / PART / 4,
            shared: shared.max(0) as usize / 4,
            inverting: processors.max(1) as usize * INVERTING,
        };
        Ok(Driver(Arc::new(Gpu { context, properties, shared, kernels: Arc::default() })))
    }

    /// The same with so many threads a pairing: 1, 4 or 8.
    pub fn with_width(&self, width: usize) -> Self {
        let mut gpu = (*self.0).clone();
        gpu.properties.width = width;
        Driver(Arc::new(gpu))
    }

    /// What it has.
    pub fn properties(&self) -> &Properties {
        &self.0.properties
    }
}

impl Machines for Driver {
    fn machine(&self, p: &BigUint, cpu: Arc<dyn program::Machine>) -> Result<Arc<dyn program::Machine>, MachineError> {
        Ok(Arc::new(Machine::new(p, self.0.clone(), cpu)?))
    }
}

impl Gpu {
    /// The kernels for N words, compiled by the driver when they are first needed.
    fn kernels(&self, words: usize) -> Result<Kernels, DeviceError> {
        let mut known = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernels) = known.get(&words) {
            return Ok(kernels.clone());
        }
        let text = ptx(words).ok_or(DeviceError::Kernel { words })?;
        let module = self.context.load_module(Ptx::from_src(text)).map_err(failed("compiling the kernels"))?;
        let kernel =
            |name: &str| module.load_function(&format!("{name}_{words}")).map_err(failed("looking for a kernel"));
        let kernels = Kernels { single: kernel("single")?, group: kernel("group")?, invert: kernel("invert")? };
        let most = FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        kernels.group.set_attribute(most, self.shared).map_err(failed("asking for shared memory"))?;
        known.insert(words, kernels.clone());
        Ok(kernels)
    }
}

/// Hands the modulus over by value: 4N + 5 words.
fn with_modulus<'a>(arguments: &mut LaunchArgs<'a>, modulus: &'a [u32]) -> bool {
    fn pushed<'a, const L: usize>(arguments: &mut LaunchArgs<'a>, modulus: &'a [u32]) -> bool {
        let Ok(words) = <&[u32; L]>::try_from(modulus) else { return false };
        arguments.arg(words);
        true
    }
    let sizes = [pushed::<37>, pushed::<53>, pushed::<69>, pushed::<101>, pushed::<137>];
    sizes.iter().any(|pushed| pushed(arguments, modulus))
}

impl Device for Gpu {
    type Memory = CudaSlice<u32>;
    type Queue = Arc<CudaStream>;

    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn prepare(&self, words: usize) -> Result<(), DeviceError> {
        self.kernels(words).map(|_| ())
    }

    fn queue(&self) -> Result<Self::Queue, DeviceError> {
        self.context.new_stream().map_err(failed("making a stream"))
    }

    fn allocate(&self, queue: &Self::Queue, words: usize) -> Result<Self::Memory, DeviceError> {
        queue.alloc_zeros(words.max(1)).map_err(failed("allocating memory"))
    }

    fn copy_in(&self, queue: &Self::Queue, to: &mut Self::Memory, words: &[u32]) -> Result<(), DeviceError> {
        if words.is_empty() {
            return Ok(());
        }
        queue.memcpy_htod(words, to).map_err(failed("copying to a device"))
    }

    fn launch(&self, queue: &Self::Queue, launch: Launch<'_, Self::Memory>) -> Result<(), DeviceError> {
        let Launch { words, modulus, work, slots, count, blocks, threads } = launch;
        let kernels = self.kernels(words)?;
        let mut config = LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (threads, 1, 1), shared_mem_bytes: 0 };
        // what arguments point to lives as long as they do
        let (steps, width, ends, share);
        let (single, group, invert) = (&kernels.single, &kernels.group, &kernels.invert);
        let mut arguments;
        let complete = match work {
            Work::Single { code, places } => {
                steps = code.steps;
                arguments = queue.launch_builder(single);
                arguments.arg(code.records).arg(&steps).arg(code.constants);
                let complete = with_modulus(&mut arguments, modulus);
                arguments.arg(places).arg(slots).arg(&count);
                complete
            }
            Work::Group { code, width: lanes, shared } => {
                steps = code.steps;
                width = lanes;
                config.shared_mem_bytes = 4 * shared;
                arguments = queue.launch_builder(group);
                arguments.arg(&width).arg(code.records).arg(&steps).arg(code.constants);
                let complete = with_modulus(&mut arguments, modulus);
                arguments.arg(slots).arg(&count);
                complete
            }
            Work::Invert { inversion, each } => {
                ends = [inversion.from, inversion.to];
                share = each;
                arguments = queue.launch_builder(invert);
                let complete = with_modulus(&mut arguments, modulus);
                arguments.arg(slots).arg(&ends[0]).arg(&ends[1]).arg(&count).arg(&share);
                complete
            }
        };
        if !complete {
            return Err(DeviceError::Kernel { words });
        }
        // SAFETY: the arguments are those of the kernel, and what they point to is as large as the encoding says; see the head
        unsafe { arguments.launch(config) }.map(|_| ()).map_err(failed("launching a kernel"))
    }

    fn copy_out(
        &self,
        queue: &Self::Queue,
        from: &Self::Memory,
        at: usize,
        words: &mut [u32],
    ) -> Result<(), DeviceError> {
        let action = "copying from a device";
        let view = from.try_slice(at..at + words.len());
        let view = view.ok_or_else(|| DeviceError::Failed { action, reason: "memory ends earlier".to_owned() })?;
        if !words.is_empty() {
            queue.memcpy_dtoh(&view, words).map_err(failed(action))?;
        }
        queue.synchronize().map_err(failed("running the kernels"))
    }
}
