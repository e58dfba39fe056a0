//! The memory of a card, in a pool of the driver's own: what launches have freed stays there, up to a bound. Else it would go back to the card when nothing runs, and be found
//! again for the next launch. The card's default pool, which all of the process shares, is left as it is.
//!
//! `unsafe`: the pool, and memory from there with any content.
#![allow(unsafe_code)]

use cudarc::driver::sys::{self, CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD};
use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DriverError, result::mem_pool};
use std::ptr;
use std::sync::Arc;

/// Where memory comes from.
pub(crate) struct Memory {
    context: Arc<CudaContext>,
    /// `None` where the card knows no pools.
    pool: Option<sys::CUmemoryPool>,
}

// SAFETY: the driver locks its pools
unsafe impl Send for Memory {}
// SAFETY: likewise
unsafe impl Sync for Memory {}

impl Memory {
    /// That of a card, which keeps so many bytes.
    pub(crate) fn new(context: &Arc<CudaContext>, kept: usize) -> Result<Self, DriverError> {
        let mut memory = Memory { context: context.clone(), pool: None };
        if context.has_async_alloc() {
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
            // SAFETY: the properties are those of a pool on this card, and the value of this attribute has 64 bits
            unsafe {
                let pool = *memory.pool.insert(mem_pool::create(&raw const properties)?);
                mem_pool::set_attribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, (&raw mut kept).cast())?;
            }
        }
        Ok(memory)
    }

    /// So many words, with any content; one at least.
    pub(crate) fn words(&self, stream: &Arc<CudaStream>, words: usize) -> Result<CudaSlice<u32>, DriverError> {
        let words = words.max(1);
        self.context.bind_to_thread()?;
        // SAFETY: every content is a word, and programs read nothing that they have not written; the pool is there, and gives as many bytes
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
            // SAFETY: it is destroyed once; what was allocated from it stays until it is freed
            let _ = unsafe { mem_pool::destroy(pool) };
        }
    }
}
