//! Names of the encodings of points and of the target group.

use bilinear_pairing::names::UnknownName;
use bilinear_pairing::torus::Torus;
use std::fmt;
use std::str::FromStr;

/// The encoding of a point. An element of F_p² is c0 + c1·i; y is *large* where it is above −y, compared by c1, then
/// by c0.
///
/// | encoding | curve | bytes in G1, G2 | order | O | large y |
/// |---|---|---|---|---|---|
/// | `Zcash` | BLS12-381 | 48, 96 | big-endian, c1 first | first byte c0, zeros | first byte +a0, else +80 |
/// | `ZcashUncompressed` | BLS12-381 | 96, 192 | big-endian, c1 first | first byte 40, zeros | |
/// | `Eip` | alt_bn128 (EIP-196, EIP-197) | 64, 128 | big-endian, c1 first | zeros | |
/// | `Eip` | BLS12-381 (EIP-2537) | 128, 256 | 16 zeros before each coefficient, big-endian, c0 first | zeros | |
/// | `Gnark` | alt_bn128 | 32, 64 | big-endian, c1 first | first byte 40, zeros | first byte +c0, else +80 |
/// | `GnarkUncompressed` | alt_bn128 | 64, 128 | big-endian, c1 first | zeros | |
/// | `Arkworks` | alt_bn128 | 32, 64 | little-endian, c0 first | zeros, last byte 40 | last byte +80 |
/// | `ArkworksUncompressed` | alt_bn128 | 64, 128 | little-endian, c0 first | zeros, last byte 40 | last byte +80 |
///
/// On BLS12-381 the compressed encoding is also that of the CFRG (draft-irtf-cfrg-pairing-friendly-curves, appendix on point
/// serialization; draft-irtf-cfrg-bls-signature) and of gnark-crypto.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// BLS12-381, compressed: Zcash, Ethereum, CFRG.
    Zcash,
    /// BLS12-381, x and y.
    ZcashUncompressed,
    /// Ethereum's precompiled contracts: EIP-196 and EIP-197 on alt_bn128, EIP-2537 on BLS12-381.
    Eip,
    /// alt_bn128, compressed: gnark-crypto's `Bytes`.
    Gnark,
    /// alt_bn128: gnark-crypto's `RawBytes`.
    GnarkUncompressed,
    /// alt_bn128, compressed: `serialize_compressed` of ark-serialize.
    Arkworks,
    /// alt_bn128: `serialize_uncompressed` of ark-serialize.
    ArkworksUncompressed,
}

impl Encoding {
    /// All encodings of points.
    pub const ALL: [Encoding; 7] = [
        Encoding::Zcash,
        Encoding::ZcashUncompressed,
        Encoding::Eip,
        Encoding::Gnark,
        Encoding::GnarkUncompressed,
        Encoding::Arkworks,
        Encoding::ArkworksUncompressed,
    ];

    /// The name in commands and messages: `zcash`, `zcash-uncompressed`, `eip`, `gnark`, `gnark-uncompressed`, `arkworks` or
    /// `arkworks-uncompressed`.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Zcash => "zcash",
            Encoding::ZcashUncompressed => "zcash-uncompressed",
            Encoding::Eip => "eip",
            Encoding::Gnark => "gnark",
            Encoding::GnarkUncompressed => "gnark-uncompressed",
            Encoding::Arkworks => "arkworks",
            Encoding::ArkworksUncompressed => "arkworks-uncompressed",
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Encoding {
    type Err = UnknownName;
    fn from_str(name: &str) -> Result<Encoding, UnknownName> {
        UnknownName::find("encoding", name, &Encoding::ALL)
    }
}

/// The encoding of an element of the target group: coefficients over F_q, each big-endian in ⌈bits(q)/8⌉ bytes.
///
/// | encoding | curves | coefficients | 1 |
/// |---|---|---|---|
/// | `Plain` | all | k: those of x in full | 1, 0, … |
/// | `Torus2` | all of even k | k/2: those of c in x = (1 + cs)/(1 − cs), F_q^k = F_q^(k/2)(s) | zeros |
/// | `Torus6` | BN, BLS12, BLS24, BLS48, KSS18 | k/3: those of a1, a2 in x = (m + w)/(m − w), m = a0 + a1·w² + a2·w⁴ | zeros |
///
/// s is i for types A and A1, √v for D and G, w where F_q^k = E(w); coefficients stand in the order of `Plain`. Every
/// element has one encoding, and any other byte string is rejected with its reason. −1 is not in the group, whose
/// order is odd, and has no encoding. Rubin and Silverberg (CRYPTO 2003); Naehrig, Barreto and Schwabe (AFRICACRYPT
/// 2008); [`Torus`] has the equations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GtEncoding {
    /// All coefficients.
    #[default]
    Plain,
    /// A point of the torus T2: half as many coefficients.
    Torus2,
    /// A point of the torus T6: a third as many coefficients.
    Torus6,
}

impl GtEncoding {
    /// All encodings of the target group.
    pub const ALL: [GtEncoding; 3] = [GtEncoding::Plain, GtEncoding::Torus2, GtEncoding::Torus6];

    /// The name in commands and messages: `plain`, `torus2` or `torus6`.
    pub fn name(self) -> &'static str {
        match self {
            GtEncoding::Plain => "plain",
            GtEncoding::Torus2 => "torus2",
            GtEncoding::Torus6 => "torus6",
        }
    }

    /// The torus whose points this encoding writes; `None` for `Plain`.
    pub fn torus(self) -> Option<Torus> {
        match self {
            GtEncoding::Plain => None,
            GtEncoding::Torus2 => Some(Torus::Two),
            GtEncoding::Torus6 => Some(Torus::Six),
        }
    }
}

impl fmt::Display for GtEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GtEncoding {
    type Err = UnknownName;
    fn from_str(name: &str) -> Result<GtEncoding, UnknownName> {
        UnknownName::find("encoding of the target group", name, &GtEncoding::ALL)
    }
}
