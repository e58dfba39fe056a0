//! Page-locked memory of the host, which a card reads and writes by itself: a copy runs at the full rate of the
//! bus, and the processor does not wait for it. Other memory is copied by the driver through page-locked memory of
//! its own.
//!
//! Locking takes longer than copying, so pieces are reused from launch to launch. An opened driver locks at most
//! [`MAX`] words; each system on devices opens a driver of its own. Memory beyond that, or that the card's driver
//! refuses to lock, is ordinary memory. All of it is freed with the last machine of the driver.
//!
//! `unsafe` is needed for locked memory and slices of it. A piece belongs to one launch at a time, and goes back
//! when its copies have ended ([`Stream`](crate::stream::Stream)).
#![allow(unsafe_code)]

use crate::known::locked;
use cudarc::driver::{CudaContext, DriverError, PinnedHostSlice};
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard};

/// The largest number of words that a driver locks: 1 GiB.
const MAX: usize = 1 << 28;
/// The unit of the lengths of pieces in words, 1 MiB, so that launches of about the same size have the same pieces.
const UNIT: usize = 1 << 18;

/// A pool of pieces of locked memory. Pieces that no launch holds are free.
struct Pool<P> {
    free: Vec<(usize, P)>,
    /// The number of words of all pieces.
    locked: usize,
    /// The largest number of words that all pieces may have.
    most: usize,
}

impl<P> Pool<P> {
    fn new(most: usize) -> Self {
        Pool { free: vec![], locked: 0, most }
    }

    /// Takes a piece of at least `words` words and returns it with its length. It is the shortest free piece that
    /// suffices, or a new piece in the place of free ones that are too short. Returns `None` for no words, if the
    /// new piece would be too much, or if it cannot be locked; after that, as much is never tried again.
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

/// A piece of locked memory, and its first word.
struct Piece {
    _memory: PinnedHostSlice<u32>,
    first: *mut u32,
}

// SAFETY: a piece owns its memory, which is valid on every thread
unsafe impl Send for Piece {}
// SAFETY: the memory is written only through `&mut`
unsafe impl Sync for Piece {}

impl Piece {
    fn new(context: &Arc<CudaContext>, words: usize) -> Result<Self, DriverError> {
        // SAFETY: any content is valid as words, and the memory is written before it is read
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
        Pinned { context, pool: Mutex::new(Pool::new(MAX)) }
    }

    fn pool(&self) -> MutexGuard<'_, Pool<Piece>> {
        locked(&self.pool)
    }

    /// Returns `words` words of the host, with any content.
    pub(crate) fn words(self: &Arc<Self>, words: usize) -> Host {
        let piece = self.pool().take(words, |words| Piece::new(&self.context, words).ok());
        let other = if piece.is_some() { vec![] } else { vec![0; words] };
        Host { words, locked: piece.map(|(length, piece)| (self.clone(), length, piece)), other }
    }
}

/// Words of the host: the first ones of a locked piece, or ordinary memory.
pub(crate) struct Host {
    words: usize,
    /// The owner that the piece goes back to, the piece's length, and the piece.
    locked: Option<(Arc<Pinned>, usize, Piece)>,
    other: Vec<u32>,
}

impl AsRef<[u32]> for Host {
    fn as_ref(&self) -> &[u32] {
        match &self.locked {
            // SAFETY: the piece has at least `words` words
            Some((_, _, piece)) => unsafe { slice::from_raw_parts(piece.first, self.words) },
            None => &self.other,
        }
    }
}

impl AsMut<[u32]> for Host {
    fn as_mut(&mut self) -> &mut [u32] {
        match &self.locked {
            // SAFETY: the piece has at least `words` words, and nothing else uses it
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

    /// Takes numbered pieces: the shortest one that suffices, none beyond the bound, new ones in the place of free
    /// ones that are too short.
    #[test]
    fn pieces_are_reused_and_bounded() {
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

    /// If no more memory can be locked, existing pieces stay in use, and as much is not asked for again.
    #[test]
    fn a_refused_amount_is_not_requested_again() {
        let mut pool = Pool::new(6 * UNIT);
        let piece = pool.take(UNIT, |_| Some(1));
        assert_eq!(pool.take(1, |_| None), None);
        assert_eq!(pool.take(1, |_| unreachable!("nothing is asked for")), None);
        pool.free.extend(piece);
        assert_eq!(pool.take(1, |_| None), piece);
        // a large piece that is refused after others gave way to it leaves capacity for as much as those had
        let mut pool = Pool { free: vec![(3 * UNIT, 1), (UNIT, 2)], locked: 4 * UNIT, most: 6 * UNIT };
        assert_eq!(pool.take(4 * UNIT, |_| None), None);
        assert_eq!(pool.take(4 * UNIT, |_| unreachable!("it was refused")), None);
        assert_eq!(pool.take(3 * UNIT, |_| Some(3)), Some((3 * UNIT, 3)));
        assert_eq!((pool.locked, pool.free.len()), (3 * UNIT, 0));
    }
}
