// Words modulo m = 2^32 − c with c < 2^13, where 2^32 ≡ c: crates/field/src/rns/word.rs has the same in Rust. A residue is any word of
// its class; nothing is compared.
#pragma once
#include "carry.cuh"

// A sum of products of words, below 2^72.
struct Sum {
    u32 low, high, top;
};

// s += a·b.
INLINE void add_product(Sum& s, u32 a, u32 b) {
    s.low = mad_lo_cc(a, b, s.low);
    s.high = madc_hi_cc(a, b, s.high);
    s.top = addc(s.top, 0);
}

// s += x.
INLINE void add(Sum& s, uint64_t x) {
    s.low = add_cc(s.low, (u32)x);
    s.high = addc_cc(s.high, (u32)(x >> 32));
    s.top = addc(s.top, 0);
}

// A number of the class of x, below 2^32·(c + 1) at first.
INLINE uint64_t fold(uint64_t x, u32 c) { return (x >> 32) * (uint64_t)c + (u32)x; }

// A residue of x. The folds leave less than 2^45 + 2^32, 2^32 + 2^26 and 2^32.
INLINE u32 residue(uint64_t x, u32 c) {
    x = fold(fold(x, c), c);
    return (u32)(x >> 32) * c + (u32)x;
}

// A residue of a sum. What is above 2^32 becomes u < 2^33, and the sum u·c + s.low < 2^47, whose next folds leave less than 2^33 and
// 2^32.
INLINE u32 residue(const Sum& s, u32 c) {
    uint64_t u = (uint64_t)s.top * c + s.high;
    uint64_t x = (uint64_t)(u32)u * c + s.low;
    x += (uint64_t)((u32)(u >> 32) * c) << 32;
    x = fold(x, c);
    return (u32)(x >> 32) * c + (u32)x;
}

// The residue below m. x + c reaches 2^32 where x reaches m.
INLINE u32 canonical(u32 x, u32 c) { return x + c * (u32)(((uint64_t)x + c) >> 32); }

// −x, of the class of 2m − x ≥ 0: below 2^33.
INLINE uint64_t negative(u32 x, u32 c) { return ((uint64_t)1 << 33) - 2 * c - x; }
