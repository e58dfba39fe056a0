//! The errors of descriptions, factor files and requests for new parameters.

use crate::{Location, nearest::did_you_mean};

/// An error, one variant per cause. Messages name file, line and key where they are known, and never a secret value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    // files and their syntax
    /// Reading or writing a file failed.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// A file or text is longer than [`crate::MAX_FILE_BYTES`].
    #[error("{file}: larger than {limit} bytes, the limit for curve descriptions and factor files")]
    FileTooLarge {
        /// The file.
        file: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// A file of secrets is open to others than its owner, or is not a file.
    #[error("{file}: {reason}")]
    NotPrivate {
        /// The file.
        file: String,
        /// The fault of the file.
        reason: String,
    },
    /// A file is not text.
    #[error("{file}: not UTF-8 text")]
    NotUtf8 {
        /// The file.
        file: String,
    },
    /// The text is not TOML, or not lines of `key value`.
    #[error("{at}: {reason}")]
    Syntax {
        /// The location of the fault.
        at: Location,
        /// The parser's reason.
        reason: String,
    },
    /// A required key is missing.
    #[error("{at}: key is missing")]
    MissingKey {
        /// The key.
        at: Location,
    },
    /// A key occurs twice.
    #[error("{at}: key occurs twice")]
    DuplicateKey {
        /// The location of the second occurrence.
        at: Location,
    },
    /// A TOML key that no description of this family has.
    #[error("{at}: unknown key")]
    UnknownKey {
        /// The key.
        at: Location,
    },
    /// A value of the wrong TOML type, or one that the key does not accept.
    #[error("{at}: must be {expected}")]
    WrongType {
        /// The key.
        at: Location,
        /// A description of the values that the key accepts.
        expected: &'static str,
    },
    /// Text that is not an unsigned integer.
    #[error("{at}: not an unsigned integer in decimal or 0x hexadecimal")]
    NotAnInteger {
        /// The key.
        at: Location,
    },
    /// Text that is not a signed integer.
    #[error("{at}: not an integer in decimal or 0x hexadecimal, optionally with a minus sign")]
    NotASignedInteger {
        /// The key.
        at: Location,
    },
    /// An integer beyond the supported size.
    #[error("{at}: more than {limit} bits")]
    TooManyBits {
        /// The key.
        at: Location,
        /// The largest size in bits.
        limit: u64,
    },
    /// A curve name that is not 1 to 64 letters, digits, `.`, `_` or `-`.
    #[error("{at}: a name is 1 to 64 lower-case letters, digits, '.', '_' or '-'")]
    BadName {
        /// The key.
        at: Location,
    },
    /// A `family` that this version does not know.
    #[error("{at}: unknown family {value:?}; known: a, a1, bn, bls12, bls24, bls48, kss18, d, e, g, ss2, hss2, ss3")]
    UnknownFamily {
        /// The key.
        at: Location,
        /// The value found.
        value: String,
    },
    /// A `layout` that does not exist or is not available for this family.
    #[error("{at}: must be {known}")]
    BadLayout {
        /// The key.
        at: Location,
        /// The layouts that this family accepts.
        known: &'static str,
    },
    /// An array with too few or too many coefficients.
    #[error("{at}: the number of coefficients is {found}, not {expected}")]
    CoefficientCount {
        /// The key.
        at: Location,
        /// The number of coefficients needed.
        expected: usize,
        /// The number of coefficients found.
        found: usize,
    },
    /// A key that has no meaning without another key.
    #[error("{at}: allowed in a description only together with `{key}`")]
    NeedsKey {
        /// The location of the key that is present.
        at: Location,
        /// The key that is missing.
        key: &'static str,
    },
    /// A PBC type that does not exist.
    #[error("{at}: unknown PBC type {value:?}")]
    UnknownPbcType {
        /// The key.
        at: Location,
        /// The value found.
        value: String,
    },

    // mathematics of a description
    /// The order is even or below 3.
    #[error("{at}: the order must be odd and at least 3")]
    OrderNotOdd {
        /// The order's key.
        at: Location,
    },
    /// order * cofactor differs from q + 1.
    #[error("{at}: {order} * {cofactor} is not {q} + 1")]
    CofactorMismatch {
        /// The cofactor's key.
        at: Location,
        /// Name of the order in this file.
        order: &'static str,
        /// Name of the cofactor in this file.
        cofactor: &'static str,
        /// Name of the field characteristic in this file.
        q: &'static str,
    },
    /// Neither q nor the cofactor is given.
    #[error("{at}: key is missing (one of {q} and {cofactor} is needed)")]
    MissingField {
        /// The field's key.
        at: Location,
        /// Name of the field characteristic in this file.
        q: &'static str,
        /// Name of the cofactor in this file.
        cofactor: &'static str,
    },
    /// q is even.
    #[error("{at}: the field characteristic is even")]
    FieldEven {
        /// The field's key.
        at: Location,
    },
    /// q mod 4 is not 3.
    #[error("{at}: the field characteristic is not 3 mod 4, so y^2 = x^3 + x is not supersingular over it")]
    FieldNotThreeModFour {
        /// The field's key.
        at: Location,
    },
    /// q is composite.
    #[error("{at}: the field characteristic is not prime")]
    FieldComposite {
        /// The field's key.
        at: Location,
    },
    /// The order of a prime-order curve is composite.
    #[error("{at}: the group order is not prime")]
    OrderComposite {
        /// The order's key.
        at: Location,
    },
    /// Order and cofactor share a factor, so the pairing would be degenerate on a subgroup.
    #[error("{at}: the group order and the cofactor have a common factor")]
    CommonFactor {
        /// The cofactor's key.
        at: Location,
    },
    /// The exponents and signs of a Solinas order do not give that order.
    #[error("{at}: 2^exp2 + sign1 * 2^exp1 + sign0 is not r")]
    ExponentForm {
        /// The order's key.
        at: Location,
    },
    /// The factors do not multiply to the order.
    #[error("{at}: the factors do not multiply to the group order")]
    FactorProduct {
        /// The factors' key.
        at: Location,
    },
    /// A factor is composite.
    #[error("{at}: factor {index} (from 0) is not prime")]
    FactorComposite {
        /// The factors' key.
        at: Location,
        /// The index of the factor, from 0.
        index: usize,
    },
    /// A factor occurs twice.
    #[error("{at}: factor {index} (from 0) occurs twice")]
    FactorRepeated {
        /// The factors' key.
        at: Location,
        /// The index of the second occurrence, from 0.
        index: usize,
    },
    /// Two factors are too close to each other: Fermat's method factors their product.
    #[error("{at}: factor {index} (from 0) is so close to an earlier one that their product is easy to factor")]
    FactorsClose {
        /// The factors' key.
        at: Location,
        /// The index of the second of the two factors, from 0.
        index: usize,
    },
    /// The sizes of the prime factors do not fit the size of the order.
    #[error("{at}: primes of these sizes do not multiply to an order of {bits} bits")]
    PrimeSizes {
        /// The sizes' key.
        at: Location,
        /// Bits of the order.
        bits: u64,
    },
    /// Factors marked public without being given, or given without being marked public.
    #[error("{at}: factors and `factors_public = true` are allowed in a curve file only together")]
    FactorsNotPublic {
        /// The offending key.
        at: Location,
    },
    /// The field has characteristic 2 or 3, over which the curve equation has another form.
    #[error("{at}: the field characteristic is below 5")]
    FieldTooSmall {
        /// The field's key.
        at: Location,
    },
    /// A seed at which a polynomial of the family takes no integer value.
    #[error("{at}: {polynomial}(u) is not an integer: its numerator is not divisible by {divisor}")]
    SeedCongruence {
        /// The seed's key.
        at: Location,
        /// The polynomial: p, r, t or h1, the cofactor of G1.
        polynomial: &'static str,
        /// The denominator of the polynomial.
        divisor: u32,
    },
    /// A seed whose field characteristic is beyond the supported size.
    #[error("{at}: p(u) has more than {limit} bits")]
    SeedTooLarge {
        /// The seed's key.
        at: Location,
        /// The largest size in bits.
        limit: u64,
    },
    /// A seed so small that p(u) is below 5 or r(u) no larger than the embedding degree.
    #[error("{at}: u is too small: p(u) is below 5 or r(u) not above the embedding degree")]
    SeedTooSmall {
        /// The seed's key.
        at: Location,
    },
    /// q and r of PBC type f are not values of the polynomials of Barreto and Naehrig.
    #[error("{at}: no u gives q = 36u^4 + 36u^3 + 24u^2 + 6u + 1 and r = 36u^4 + 36u^3 + 18u^2 + 6u + 1")]
    NotBarretoNaehrig {
        /// The field's key.
        at: Location,
    },
    /// A coefficient of a curve or of a tower is not below the field characteristic in absolute value.
    #[error("{at}: coefficient is not below the field characteristic")]
    CoefficientRange {
        /// The coefficient's key.
        at: Location,
    },
    /// A coefficient that must not be 0.
    #[error("{at}: must not be 0")]
    ZeroCoefficient {
        /// The coefficient's key.
        at: Location,
    },
    /// A kernel polynomial of a degree that is 0 or too large, or with part of a coefficient missing.
    #[error("{at}: expected 1 to {limit} coefficients of {degree} numbers each, without the leading 1")]
    KernelLength {
        /// The kernel's key.
        at: Location,
        /// The number of integers in a coefficient.
        degree: usize,
        /// The largest number of coefficients.
        limit: usize,
    },
    /// Z does not satisfy RFC 9380, section 6.6.2.
    #[error("{at}: must not be -1, and g(B / (Z A)) must be a square")]
    BadMapConstant {
        /// The key of Z.
        at: Location,
    },
    /// Kernel and scale do not define a map to the curve.
    #[error("{at}: kernel and scale define no isogeny from y^2 = x^3 + a x + b to the curve")]
    NotAnIsogeny {
        /// The kernel's key.
        at: Location,
    },
    /// The curve equation has a double root.
    #[error("{at}: the curve is singular: 4 a^3 + 27 b^2 is 0")]
    SingularCurve {
        /// The key of b.
        at: Location,
    },
    /// A number that should be a non-residue is a residue.
    #[error("{at}: is a {power} in {field}, so it does not define the next field of the tower")]
    NotANonResidue {
        /// The key of the number.
        at: Location,
        /// The kind of the residue: square or cube.
        power: &'static str,
        /// The field in which the number is a residue.
        field: &'static str,
    },
    /// A parameter that a description with a seed leaves out and that is not found.
    #[error("{at}: {reason}; give `{key}`")]
    NotFound {
        /// The seed's key.
        at: Location,
        /// The parameter that is missing.
        key: &'static str,
        /// The reason.
        reason: &'static str,
    },
    /// A curve, its twist or a generator does not have the order that it should have.
    #[error("{at}: {reason}")]
    WrongOrder {
        /// The key of b, of the twist's type, or of the generator.
        at: Location,
        /// The reason, which says what has the wrong order.
        reason: &'static str,
    },
    /// A polynomial that should define an extension field has a factor.
    #[error("{at}: the polynomial with these coefficients is reducible")]
    Reducible {
        /// The coefficients' key.
        at: Location,
    },
    /// h r differs from n.
    #[error("{at}: h * r is not n")]
    OrderMismatch {
        /// The cofactor's key.
        at: Location,
    },
    /// h r^2 + 1 differs from q, although embedding degree 1 requires them to be equal.
    #[error("{at}: h * r^2 + 1 is not q")]
    UnitCofactor {
        /// The cofactor's key.
        at: Location,
    },
    /// The order lies outside Hasse's interval.
    #[error("{at}: differs from q + 1 by more than 2 sqrt(q)")]
    HasseBound {
        /// The order's key.
        at: Location,
    },
    /// r does not divide the cyclotomic polynomial of the embedding degree at q.
    #[error("{at}: the embedding degree is not {k}")]
    EmbeddingDegree {
        /// The key of r, or of k in a PBC file.
        at: Location,
        /// The embedding degree of the family.
        k: u32,
    },
    /// The order over F_{q^k} in a PBC file, or its cofactor, is not that of the curve.
    #[error("{at}: not the value that follows from q, n and r")]
    ExtensionOrder {
        /// The key: nk or hk.
        at: Location,
    },
    /// A cofactor that does not divide the order of a curve, or has a factor in common with the quotient.
    #[error("{at}: {number} is not h times an r prime to h")]
    OrderCofactor {
        /// The cofactor's key.
        at: Location,
        /// The order, in words.
        number: &'static str,
    },
    /// A property that curves of this family do not have.
    #[error("curves of family {family} have no {property}")]
    WrongFamily {
        /// The family.
        family: &'static str,
        /// The property that was to be set.
        property: &'static str,
    },
    /// A generator coordinate is q or more.
    #[error("{at}: coordinate is not below the field characteristic")]
    GeneratorRange {
        /// The coordinate's key.
        at: Location,
    },
    /// The number of secret generators differs from the number of primes.
    #[error("{at}: expected one generator for each prime: as many x and as many y as primes")]
    GeneratorCount {
        /// The location of the fault.
        at: Location,
    },
    /// The generator does not satisfy the curve equation.
    #[error("{at}: the generator is not on {curve}")]
    GeneratorOffCurve {
        /// The generator's key.
        at: Location,
        /// The curve equation.
        curve: &'static str,
    },

    // names and factor files
    /// No shipped curve has this name or alias.
    #[error("no curve is named {name:?}{}; known: {known}", did_you_mean(suggestions))]
    UnknownCurve {
        /// The name asked for.
        name: String,
        /// Known names that are close to the name asked for, nearest first; may be empty.
        suggestions: Vec<String>,
        /// All known names, separated by commas.
        known: String,
    },
    /// A factor file belongs to another curve.
    #[error("{at}: these factors belong to another curve (fingerprints differ)")]
    FingerprintMismatch {
        /// The fingerprint's key.
        at: Location,
    },

    // generation
    /// Fewer than two primes were asked for.
    #[error("a composite order needs at least two prime factors")]
    NoPrimes,
    /// A size below the smallest that makes sense.
    #[error("{what} of {bits} bits is too small: at least {least} bits are needed")]
    TooFewBits {
        /// The quantity that is too small, in words.
        what: &'static str,
        /// The size asked for, in bits.
        bits: usize,
        /// The smallest size accepted, in bits.
        least: usize,
    },
    /// The field would exceed [`crate::MAX_FIELD_BITS`].
    #[error("the field would have about {bits} bits: at most {limit} are supported")]
    FieldTooLarge {
        /// Bits of the field.
        bits: usize,
        /// The limit.
        limit: u64,
    },
    /// A Montgomery-friendly q was asked for, but the caller's values determine q.
    #[error("a Montgomery-friendly q can be found only for types A and A1 with fresh primes, not for {what}")]
    NotFriendly {
        /// The values that the caller gives, in words.
        what: &'static str,
    },
    /// A search ended without a result, which can happen if there are few candidates.
    #[error("no {what} was found; try other sizes")]
    NothingFound {
        /// The object of the search, in words.
        what: &'static str,
    },
    /// The result would be below 80 bits and the caller did not allow that ([`Generator::insecure`](crate::generate::Generator::insecure)).
    #[error("refused: about {bits} bits of security, limited by {limit}; fewer than {least} need --insecure")]
    Insecure {
        /// The estimate in bits.
        bits: u32,
        /// The cheapest attack.
        limit: crate::security::Attack,
        /// The lowest level that needs no permission, in bits.
        least: u32,
    },
    /// The operating system provided no randomness.
    #[error("the operating system's random number generator failed: {reason}")]
    Randomness {
        /// The reason given.
        reason: String,
    },
}
