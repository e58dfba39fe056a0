//! Helpers of the tests: curves of small composite orders and shipped ones, and random numbers with a known seed.

use bilinear_engine::params::generate::Generator;
use bilinear_engine::params::{Curve, Description};
use bilinear_engine::{Batch, BigUint, Engine, Group, Point, PointRef, System, Validate};
use crypto_bigint::BoxedUint;

/// Three primes of 80 bits.
const PRIMES: [u128; 3] = [0xddb8_6378_c977_74a2_a8ab, 0xcd2d_1b93_6545_bb3b_89ff, 0xc1c7_7544_08eb_b492_76b1];

/// Returns a type A1 curve whose order has this number of primes, with its factors.
pub(crate) fn description(count: usize) -> Description {
    let primes = PRIMES[..count].iter().map(|p| BoxedUint::from_be_slice_vartime(&p.to_be_bytes()));
    Generator::new("small").insecure(true).a1_with(primes).unwrap()
}

pub(crate) fn batch(count: usize) -> Batch {
    let made = description(count);
    let system = System::new(&made.curve).unwrap().with_factors(&made.factors.unwrap()).unwrap();
    Batch::new(system).on_this_thread()
}

/// Returns a batch on such a curve, on one engine.
pub(crate) fn on(count: usize, engine: Engine) -> Batch {
    let made = description(count);
    Batch::new(System::with_engine(&made.curve, engine).unwrap()).on_this_thread()
}

/// Returns a batch on a shipped curve.
pub(crate) fn named(name: &str) -> Batch {
    Batch::new(System::new(&Curve::named(name).unwrap()).unwrap()).on_this_thread()
}

pub(crate) fn prime(i: usize) -> BigUint {
    PRIMES[i].into()
}

/// The generator SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn number(&mut self, n: &BigUint) -> BigUint {
        let words: Vec<u32> = (0..12).map(|_| self.next() as u32).collect();
        BigUint::new(words) % n
    }
}

/// Returns copies with one bit of one byte flipped, and copies with missing or extra bytes.
pub(crate) fn damaged(bytes: &[u8]) -> impl Iterator<Item = (String, Vec<u8>)> + '_ {
    let flipped = (0..bytes.len()).map(|i| {
        let mut bytes = bytes.to_vec();
        bytes[i] ^= 1 << (i % 8);
        (format!("byte {i}"), bytes)
    });
    let cut = [0, 1, 22, 23, 38, 39, 60, bytes.len() - 17, bytes.len() - 1];
    let cut = cut.into_iter().map(|len| (format!("{len} bytes"), bytes[..len.min(bytes.len())].to_vec()));
    flipped.chain(cut).chain([("one more".to_owned(), [bytes, &[0]].concat())])
}

/// Corrects the checksum of changed bytes.
pub(crate) fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    use sha2::Digest;
    let body = bytes.len() - 16;
    let digest = sha2::Sha256::digest(&bytes[..body]);
    bytes[body..].copy_from_slice(&digest[..16]);
    bytes
}

/// Returns a point on the curve without a component in the group: n·P for a point P of the curve.
pub(crate) fn outside(system: &System, group: Group) -> Point {
    let short = |x: u8| [vec![0; system.compressed_len(group) - 2], vec![x, 0]].concat();
    let decoded = |x| system.decode(group, PointRef::Bytes(&short(x)), Validate::OnCurve).ok();
    let outside = (1..=255).filter_map(decoded).map(|p| system.mul(system.order(), &p)).find(|p| !p.is_infinity());
    outside.unwrap()
}

/// Adds a point to the first `count` points of a row.
pub(crate) fn moved(system: &System, row: &[u8], count: usize, by: &Point) -> Vec<u8> {
    let len = system.point_len(Group::G1);
    let mut moved = row.to_vec();
    for place in (0..count).map(|i| 23 + 18 + i * len..23 + 18 + (i + 1) * len) {
        let c = system.decode(Group::G1, PointRef::Bytes(&row[place.clone()]), Validate::OnCurve).unwrap();
        moved[place].copy_from_slice(system.add(&c, by).bytes().unwrap());
    }
    resealed(moved)
}
