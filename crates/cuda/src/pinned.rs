//! Page-locked memory of the host, which a card reads and writes by itself: a copy runs at the full rate of the bus, and the processor does not wait for it. From other memory the
//! driver copies by way of such memory of its own.
//!
//! Locking takes longer than copying, so pieces go from launch to launch. At most [`MOST`] words are locked by a driver that was opened, of which each system on devices has its
//! own; what is more, or what the card's driver refuses to lock, is memory like any other. All is freed with the last machine of the driver.
//!
//! `unsafe`: locked memory, and slices of it. A piece belongs to one launch at a time, and goes back when its copies have ended ([`Stream`](crate::stream::Stream)).
#![allow(unsafe_code)]

use cudarc::driver::{CudaContext, DriverError, PinnedHostSlice};
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Words that are locked by a driver at most: 1 GiB.
const MOST: usize = 1 << 28;
/// Pieces are multiples of so many words, so that launches of about the same size have the same pieces: 1 MiB.
const UNIT: usize = 1 << 18;

/// Pieces of locked memory, of which those that no launch has are free.
struct Pool<P> {
    free: Vec<(usize, P)>,
    /// Words of all of them, and those that they may reach.
    locked: usize,
    most: usize,
}

impl<P> Pool<P> {
    fn new(most: usize) -> Self {
        Pool { free: vec![], locked: 0, most }
    }

    /// A piece of so many words at least, with its length: the shortest free one, or another one in the place of free ones that are too short; `None` for none, if that were
    /// too much, or if it cannot be locked, and then as much is never tried again.
    fn take(&mut self, words: usize, lock: impl FnOnce(usize) -> Option<P>) -> Option<(usize, P)> {
        if words == 0 {
            return None;
        }
        self.free.sort_by_key(|(length, _)| *length);
        if let Some(at) = self.free.iter().position(|(length, _)| *length >= words) {
            return Some(self.free.remove(at));
        }
        let length = words.next_multiple_of(UNIT);
        if self.locked - self.free.iter().map(|(length, _)| length).sum::<usize>() + length > self.most {
            return None;
        }
        while self.locked + length > self.most {
            self.locked -= self.free.remove(0).0;
        }
        let made = lock(length);
        match made {
            Some(_) => self.locked += length,
            None => self.most = self.locked + length - UNIT,
        }
        made.map(|piece| (length, piece))
    }
}

/// Locked memory, and where it begins.
struct Piece {
    _memory: PinnedHostSlice<u32>,
    first: *mut u32,
}

// SAFETY: the memory is its own, wherever it is
unsafe impl Send for Piece {}
// SAFETY: it is written through `&mut` alone
unsafe impl Sync for Piece {}

impl Piece {
    fn new(context: &Arc<CudaContext>, words: usize) -> Result<Self, DriverError> {
        // SAFETY: any content is one of words, and it is written before it is read
        let mut memory = unsafe { context.alloc_pinned_with_flags::<u32>(words, 0) }?;
        memory.as_mut_slice()?.fill(0);
        let first = memory.as_mut_ptr()?;
        Ok(Piece { _memory: memory, first })
    }
}

/// The locked memory of a driver.
pub(crate) struct Pinned {
    context: Arc<CudaContext>,
    pool: Mutex<Pool<Piece>>,
}

impl Pinned {
    pub(crate) fn new(context: Arc<CudaContext>) -> Self {
        Pinned { context, pool: Mutex::new(Pool::new(MOST)) }
    }

    fn pool(&self) -> MutexGuard<'_, Pool<Piece>> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many words, with any content.
    pub(crate) fn words(self: &Arc<Self>, words: usize) -> Host {
        let piece = self.pool().take(words, |words| Piece::new(&self.context, words).ok());
        let other = if piece.is_some() { vec![] } else { vec![0; words] };
        Host { words, locked: piece.map(|(length, piece)| (self.clone(), length, piece)), other }
    }
}

/// Words of the host: locked ones, the first of a piece, or others.
pub(crate) struct Host {
    words: usize,
    /// Where the piece goes back to, and its length.
    locked: Option<(Arc<Pinned>, usize, Piece)>,
    other: Vec<u32>,
}

impl AsRef<[u32]> for Host {
    fn as_ref(&self) -> &[u32] {
        match &self.locked {
            // SAFETY: the piece has as many words, and more
            Some((_, _, piece)) => unsafe { slice::from_raw_parts(piece.first, self.words) },
            None => &self.other,
        }
    }
}

impl AsMut<[u32]> for Host {
    fn as_mut(&mut self) -> &mut [u32] {
        match &self.locked {
            // SAFETY: the piece has as many words, and more, and is nobody else's
            Some((_, _, piece)) => unsafe { slice::from_raw_parts_mut(piece.first, self.words) },
            None => &mut self.other,
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some((pinned, length, piece)) = self.locked.take() {
            pinned.pool().free.push((length, piece));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces by number: the shortest that suffices, none beyond the bound, others in the place of free ones that are too short.
    #[test]
    fn pieces_are_taken_again_and_bounded() {
        let mut pool = Pool::new(6 * UNIT);
        assert_eq!(pool.take(0, |_| Some(0)), None, "a driver refuses to lock nothing");
        let mut made = 0;
        let mut take = |pool: &mut Pool<u32>, words: usize| {
            pool.take(words, |_| {
                made += 1;
                Some(made)
            })
        };
        let [one, three] = [take(&mut pool, 1), take(&mut pool, 2 * UNIT + 1)];
        assert_eq!([one, three], [Some((UNIT, 1)), Some((3 * UNIT, 2))]);
        assert_eq!(take(&mut pool, 2 * UNIT + 1), None, "that were seven");
        pool.free.extend([three, one].into_iter().flatten());
        assert_eq!([take(&mut pool, UNIT), take(&mut pool, UNIT)], [one, three]);
        pool.free.extend([three, one].into_iter().flatten());
        assert_eq!(take(&mut pool, 4 * UNIT), Some((4 * UNIT, 3)), "both give way");
        assert_eq!((pool.locked, pool.free.len()), (4 * UNIT, 0));
    }

    /// Where none can be locked, those that are there serve on, and as much is not asked for again.
    #[test]
    fn a_refusal_is_the_last_one_of_as_much() {
        let mut pool = Pool::new(6 * UNIT);
        let piece = pool.take(UNIT, |_| Some(1));
        assert_eq!(pool.take(1, |_| None), None);
        assert_eq!(pool.take(1, |_| unreachable!("nothing is asked for")), None);
        pool.free.extend(piece);
        assert_eq!(pool.take(1, |_| None), piece);
        // a large piece that is refused where others gave way to it leaves room for as many as those
        let mut pool = Pool { free: vec![(3 * UNIT, 1), (UNIT, 2)], locked: 4 * UNIT, most: 6 * UNIT };
        assert_eq!(pool.take(4 * UNIT, |_| None), None);
        assert_eq!(pool.take(4 * UNIT, |_| unreachable!("it was refused")), None);
        assert_eq!(pool.take(3 * UNIT, |_| Some(3)), Some((3 * UNIT, 3)));
        assert_eq!((pool.locked, pool.free.len()), (3 * UNIT, 0));
    }
}
