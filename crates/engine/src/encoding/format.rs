//! The encodings as data: the positions of coefficients, flags and padding.

use crate::backend::{Encoding, Group, PointError};

/// A curve with encodings of other systems, by the fingerprint of its parameters.
struct Known {
    fingerprint: [u128; 2],
    /// The number of bytes of a coefficient.
    len: usize,
}

/// BLS12-381 with the tower of the CFRG's draft.
const BLS12_381: Known = Known {
    fingerprint: [0xccf7_d0b3_ecc9_e604_6f1b_4b5a_462f_1778, 0x56c5_45ba_3474_c0c5_a5f2_8975_e772_0f56],
    len: 48,
};

/// alt_bn128 with the tower of EIP-197.
const ALT_BN128: Known = Known {
    fingerprint: [0x4ead_115a_3579_557d_be0c_2f55_a0ef_4f7b, 0x77cb_3cc0_7edc_3629_d888_101e_dc33_8b0d],
    len: 32,
};

/// The meaning of the flags of an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    /// The point at infinity O.
    Infinity,
    /// Any other point, and whether its y is large if the flags tell.
    Point { large: Option<bool> },
}

/// The flag bits in the first or last byte of an encoding.
#[derive(Clone, Copy)]
struct Flags {
    at_end: bool,
    mask: u8,
    infinity: u8,
    /// The flags of points with y ≤ −y and of points with y > −y; both equal if the flags do not tell.
    point: [u8; 2],
}

const NONE: Flags = Flags { at_end: false, mask: 0, infinity: 0, point: [0, 0] };

/// One encoding of one group.
pub(super) struct PointFormat {
    /// The number of coordinates that are written: 1 or 2.
    coordinates: usize,
    /// The number of coefficients of a coordinate, and the number of bytes of a coefficient without padding.
    degree: usize,
    len: usize,
    /// The number of zero bytes before each coefficient.
    pad: usize,
    little_endian: bool,
    high_first: bool,
    flags: Flags,
}

impl PointFormat {
    /// The format of an encoding; `None` if the curve with this fingerprint does not have it.
    pub(super) fn new(fingerprint: &[u8; 32], group: Group, encoding: Encoding) -> Option<PointFormat> {
        let is = |known: &&Known| known.fingerprint.map(u128::to_be_bytes).as_flattened() == fingerprint;
        let known = [&BLS12_381, &ALT_BN128].into_iter().find(is)?;
        let bls = known.len == BLS12_381.len;
        let degree = if group == Group::G1 { 1 } else { 2 };
        let format = PointFormat {
            coordinates: 2,
            degree,
            len: known.len,
            pad: 0,
            little_endian: false,
            high_first: true,
            flags: NONE,
        };
        let flags = |mask, infinity, point| Flags { at_end: false, mask, infinity, point };
        Some(match encoding {
            Encoding::Zcash if bls => PointFormat { coordinates: 1, flags: flags(0xe0, 0xc0, [0x80, 0xa0]), ..format },
            Encoding::ZcashUncompressed if bls => PointFormat { flags: flags(0xe0, 0x40, [0, 0]), ..format },
            Encoding::Eip if bls => PointFormat { pad: 16, high_first: false, ..format },
            Encoding::Eip => format,
            Encoding::Gnark if !bls => PointFormat { coordinates: 1, flags: flags(0xc0, 0x40, [0x80, 0xc0]), ..format },
            Encoding::GnarkUncompressed if !bls => PointFormat { flags: flags(0xc0, 0, [0, 0]), ..format },
            Encoding::Arkworks | Encoding::ArkworksUncompressed if !bls => PointFormat {
                coordinates: if encoding == Encoding::Arkworks { 1 } else { 2 },
                little_endian: true,
                high_first: false,
                flags: Flags { at_end: true, ..flags(0xc0, 0x40, [0, 0x80]) },
                ..format
            },
            _ => return None,
        })
    }

    /// The number of bytes of a point.
    pub(super) fn len(&self) -> usize {
        self.coordinates * self.degree * (self.pad + self.len)
    }

    pub(super) fn is_compressed(&self) -> bool {
        self.coordinates == 1
    }

    fn flag_byte(&self) -> usize {
        if self.flags.at_end { self.len() - 1 } else { 0 }
    }

    /// The flag bits of an encoding of the right length.
    pub(super) fn flags(&self, bytes: &[u8]) -> u8 {
        bytes[self.flag_byte()] & self.flags.mask
    }

    /// The encoding of O.
    pub(super) fn infinity(&self) -> Vec<u8> {
        let mut out = vec![0; self.len()];
        out[self.flag_byte()] = self.flags.infinity;
        out
    }

    /// Encodes a point, given as x‖y in the generic encoding.
    pub(super) fn write(&self, xy: &[u8], large: bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.len());
        for coordinate in xy.chunks(self.degree * self.len).take(self.coordinates) {
            for i in 0..self.degree {
                let place = if self.high_first { self.degree - 1 - i } else { i };
                let coefficient = &coordinate[place * self.len..(place + 1) * self.len];
                out.extend(std::iter::repeat_n(0, self.pad));
                match self.little_endian {
                    true => out.extend(coefficient.iter().rev()),
                    false => out.extend(coefficient),
                }
            }
        }
        out[self.flag_byte()] |= self.flags.point[usize::from(large)];
        out
    }

    /// Reads the flags, and x or x‖y in the generic encoding, from as many bytes as a point has. Coordinates are not
    /// compared with p here.
    pub(super) fn read(&self, bytes: &[u8]) -> Result<(Flag, Vec<u8>), PointError> {
        let (flags, found) = (&self.flags, self.flags(bytes));
        let mut body = bytes.to_vec();
        body[self.flag_byte()] &= !flags.mask;
        let is_point = flags.point.contains(&found);
        if found == flags.infinity && body.iter().all(|byte| *byte == 0) {
            return Ok((Flag::Infinity, Vec::new()));
        }
        if !is_point {
            return Err(if found == flags.infinity { PointError::Infinity } else { PointError::Flags(found) });
        }
        let mut out = vec![0; self.coordinates * self.degree * self.len];
        let size = self.degree * self.len;
        for (coordinate, (name, padded)) in
            out.chunks_mut(size).zip(['x', 'y'].into_iter().zip(body.chunks(self.degree * (self.pad + self.len))))
        {
            for (i, padded) in padded.chunks(self.pad + self.len).enumerate() {
                let (pad, coefficient) = padded.split_at(self.pad);
                if pad.iter().any(|byte| *byte != 0) {
                    return Err(PointError::Padding(name));
                }
                let place = if self.high_first { self.degree - 1 - i } else { i };
                let target = &mut coordinate[place * self.len..(place + 1) * self.len];
                target.copy_from_slice(coefficient);
                if self.little_endian {
                    target.reverse();
                }
            }
        }
        let large = (flags.point[0] != flags.point[1]).then(|| found == flags.point[1]);
        Ok((Flag::Point { large }, out))
    }
}
