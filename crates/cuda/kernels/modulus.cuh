// Reductions modulo p, R = 2^(32N): Montgomery's (Math. Comp. 44, 1985), and one by an estimated quotient.
//
// An unreduced value t of 2N + 1 words in two's complement lies in [−2^12·pR, 2^12·pR]. With m = −t/p mod R, (t + mp)/R lies in
// [−2^12·p, (2^12 + 1)p]; 2^12·p more make that [0, (2^13 + 1)p], and ⌊hμ/2^32⌋ with h = ⌊x/2^(b − 17)⌋, μ = ⌊2^(b + 15)/p⌋ is
// ⌊x/p⌋ or one less. Cost: N² + 2N pairs of multiply-adds. All elements are in [0, p).
#pragma once
#include "words.cuh"

// p and its constants, as `Modulus::constants` writes them.
template <int N>
struct Modulus {
    u32 p[N];
    u32 offset[N + 1];    // 2^12·p
    u32 one[N];           // R mod p
    u32 exponent[N];      // p − 2
    u32 inverse;          // −1/p mod 2^32
    u32 mu;               // ⌊2^(b + 15)/p⌋
    u32 word, bit;        // b − 17

    INLINE u32 bits() const { return 32 * word + bit + 17; }
};

// r = x modulo p, for x of N + 1 words in [0, 2p).
template <int N>
INLINE void once(u32* r, const u32* x, const Modulus<N>& m) {
    u32 y[N];
    UNROLL
    for (int j = 0; j < N; j++) y[j] = x[j];
    u32 borrows = subtract<N>(y, m.p);
    u32 below = borrows & (x[N] - 1);  // x[N] is 0 or 1: a borrow that it does not pay
    UNROLL
    for (int j = 0; j < N; j++) r[j] = below ? x[j] : y[j];
}

// x += y or x −= y modulo p, for both of N words below p.
template <int N>
INLINE void combine(u32* x, u32* y, bool minus, const Modulus<N>& m) {
    if (minus) {
        u32 borrows = subtract<N>(x, y);
        UNROLL
        for (int j = 0; j < N; j++) y[j] = m.p[j] & borrows;
        add<N>(x, y);
    } else {
        u32 sum[N + 1];
        UNROLL
        for (int j = 0; j < N; j++) sum[j] = x[j];
        add<N>(sum, y);
        sum[N] = addc(0, 0);
        once<N>(x, sum, m);
    }
}

// r = x + 2^12·p modulo p, for x of N + 1 words in [−2^12·p, (2^12 + 1)p].
template <int N>
INLINE void shrink(u32* r, u32* x, const Modulus<N>& m) {
    add<N + 1>(x, m.offset);
    u32 low = 0, above = 0;
    // by masks: of a condition the compiler makes an array in memory with an index
    UNROLL
    for (int j = 0; j < N; j++) {
        u32 here = 0 - (u32)(j == (int)m.word);
        low |= x[j] & here;
        above |= x[j + 1] & here;
    }
    u32 h = (u32)((((uint64_t)above << 32) | low) >> m.bit);
    u32 quotient = high(h, m.mu);
    u32 t[N + 1];
    u32 carry = 0;
    UNROLL
    for (int j = 0; j < N; j++) {
        t[j] = mad_lo_cc(quotient, m.p[j], carry);
        carry = madc_hi(quotient, m.p[j], 0);
    }
    t[N] = carry;
    subtract<N + 1>(x, t);
    once<N>(r, x, m);
}

// r = t/R modulo p.
template <int N>
INLINE void reduce(u32* r, const u32* t, const Modulus<N>& m) {
    u32 even[2 * N + 2] = {0}, odd[2 * N + 2] = {0};
    UNROLL
    for (int j = 0; j < N; j++) even[j] = t[j];
    u32 carry = 0;
    // word i of even + odd·2^32 where row i adds to it: then it becomes 0
    auto clear = [&](int i, u32& word, u32 other) {
        word = add_cc(word, carry);
        carry = addc(0, 0);
        word = add_cc(word, other);
        carry = addc(carry, 0);
        row<N>(even, odd, i, word * m.inverse, m.p);
    };
    UNROLL
    for (int i = 0; i < N; i += 2) {
        clear(i, even[i], i == 0 ? 0 : odd[i - 1]);
        if (i + 1 < N) clear(i + 1, odd[i], even[i + 1]);
    }
    u32 x[N + 1];
    UNROLL
    for (int j = 0; j <= N; j++) x[j] = even[N + j];
    x[0] = add_cc(x[0], carry);
    UNROLL
    for (int j = 1; j <= N; j++) x[j] = addc_cc(x[j], 0);
    add<N + 1>(x, odd + N - 1);
    add<N + 1>(x, t + N);
    shrink<N>(r, x, m);
}

// r = a·b/R modulo p.
template <int N>
INLINE void multiply(u32* r, const u32* a, const u32* b, const Modulus<N>& m) {
    u32 t[2 * N + 1] = {0};
    add_product<N>(t, a, b);
    reduce<N>(r, t, m);
}
