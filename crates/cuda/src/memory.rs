//! The memory of a card, in a pool that each opened driver has of its own. Memory that launches have freed stays in the
//! pool, up to a bound. Otherwise it would go back to the card when nothing runs, and the next launch would have to
//! allocate it again. The card's default pool, which the whole process shares, is left as it is.
//!
//! `unsafe` is needed for the pool, and for memory from it with any content.
#![allow(unsafe_code)]

use cudarc::driver::sys::{self, CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD};
use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DriverError, result::mem_pool};
use std::ptr;
use std::sync::Arc;

/// The source of a card's memory.
pub(crate) struct Memory {
    context: Arc<CudaContext>,
    /// The pool; `None` if the card does not support pools, or the driver does not make one.
    pool: Option<sys::CUmemoryPool>,
}

// SAFETY: the driver locks its pools
unsafe impl Send for Memory {}
// SAFETY: the driver locks its pools
unsafe impl Sync for Memory {}

impl Memory {
    /// Creates the pool of a card, which keeps up to `kept` bytes.
    pub(crate) fn new(context: &Arc<CudaContext>, kept: usize) -> Self {
        let properties = sys::CUmemPoolProps {
            allocType: sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
            handleTypes: sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
            location: sys::CUmemLocation {
                type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                id: context.ordinal() as i32,
            },
            win32SecurityAttributes: ptr::null_mut(),
            reserved: [0; 64],
        };
        let mut kept = kept as u64;
        let of = |pool| Memory { context: context.clone(), pool };
        // SAFETY: the properties are those of a pool on this card
        let made = context.has_async_alloc().then(|| unsafe { mem_pool::create(&raw const properties) });
        let made = of(made.and_then(Result::ok));
        let set = made.pool.map(|pool| {
            // SAFETY: the value of this attribute has 64 bits
            unsafe { mem_pool::set_attribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, (&raw mut kept).cast()) }
        });
        // a pool that is not set is destroyed
        if matches!(set, Some(Err(_))) { of(None) } else { made }
    }

    /// Allocates `words` words, but at least one, with any content.
    pub(crate) fn words(&self, stream: &Arc<CudaStream>, words: usize) -> Result<CudaSlice<u32>, DriverError> {
        let words = words.max(1);
        self.context.bind_to_thread()?;
        // SAFETY: any content is valid as words, and programs read nothing that they have not written; the pool
        // exists, and the allocation has 4 bytes for each word
        unsafe {
            match self.pool {
                Some(pool) => {
                    let first = mem_pool::alloc_async(pool, 4 * words, stream.cu_stream())?;
                    Ok(stream.upgrade_device_ptr(first, words))
                }
                None => stream.alloc(words),
            }
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(pool) = self.pool {
            let _ = self.context.bind_to_thread();
            // SAFETY: the pool is destroyed once; memory that was allocated from it stays valid until it is freed
            let _ = unsafe { mem_pool::destroy(pool) };
        }
    }
}
