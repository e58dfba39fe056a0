// Numbers of several words: products, sums, multiples by a small coefficient.
//
// A product a·b of N words takes N² pairs of multiply-adds. Pairs that begin at an even word of the result are added up in `even`,
// the others in `odd`, one word shifted, so that every pair is one wide register. A row i adds a_i·b; its carry goes into a word that
// no earlier row filled, so that it ends there.
#pragma once
#include "carry.cuh"

// d += a·(b_FIRST + b_(FIRST + 2)·2^64 + ...), d of an even word on; the word behind takes the carry.
//
// A chain that is LINKED begins with the carry that the one before it left, which is 0. So ptxas has to keep their order: left to itself it
// goes by columns where rows are not all there is, and saves more carries than there are predicates.
template <int N, int FIRST, bool LINKED>
INLINE void chain(u32* d, u32 a, const u32* b) {
    constexpr int LENGTH = (N - FIRST + 1) / 2 * 2;
    d[0] = LINKED ? madc_lo_cc(a, b[FIRST], d[0]) : mad_lo_cc(a, b[FIRST], d[0]);
    d[1] = madc_hi_cc(a, b[FIRST], d[1]);
    UNROLL
    for (int j = 2; j < LENGTH; j += 2) {
        d[j] = madc_lo_cc(a, b[FIRST + j], d[j]);
        d[j + 1] = madc_hi_cc(a, b[FIRST + j], d[j + 1]);
    }
    d[LENGTH] = LINKED ? addc_cc(d[LENGTH], 0) : addc(d[LENGTH], 0);
}

// Row i of a product: adds a·b·2^(32i) to even + odd·2^32.
template <int N, bool LINKED = false>
INLINE void row(u32* even, u32* odd, int i, u32 a, const u32* b) {
    if (i % 2 == 0) {
        chain<N, 0, LINKED>(even + i, a, b);
        chain<N, 1, LINKED>(odd + i, a, b);
    } else {
        chain<N, 1, LINKED>(even + i + 1, a, b);
        chain<N, 0, LINKED>(odd + i - 1, a, b);
    }
}

// d += s, both of L words; the carry is lost.
template <int L>
INLINE void add(u32* d, const u32* s) {
    d[0] = add_cc(d[0], s[0]);
    UNROLL
    for (int j = 1; j < L; j++) d[j] = addc_cc(d[j], s[j]);
}

// d += word, d of L words; the carry out of them.
template <int L>
INLINE u32 increment(u32* d, u32 word) {
    d[0] = add_cc(d[0], word);
    UNROLL
    for (int j = 1; j < L; j++) d[j] = addc_cc(d[j], 0);
    return addc(0, 0);
}

// d -= s, both of L words; −1 if that borrows, else 0.
template <int L>
INLINE u32 subtract(u32* d, const u32* s) {
    d[0] = sub_cc(d[0], s[0]);
    UNROLL
    for (int j = 1; j < L; j++) d[j] = subc_cc(d[j], s[j]);
    return subc(0, 0);
}

// d += a·b, d of 2N + 1 words.
template <int N>
INLINE void add_product(u32* d, const u32* a, const u32* b) {
    u32 even[2 * N + 2] = {0}, odd[2 * N + 2] = {0};
    UNROLL
    for (int i = 0; i < N; i += 2) {
        row<N>(even, odd, i, a[i], b);
        if (i + 1 < N) row<N>(even, odd, i + 1, a[i + 1], b);
    }
    add<2 * N + 1>(d, even);
    add<2 * N>(d + 1, odd);
}

// d = c·s modulo 2^(32L), for c >= 0.
template <int L>
INLINE void multiple(u32* d, u32 c, const u32* s) {
    u32 above = 0;
    UNROLL
    for (int j = 0; j < L; j++) {
        u32 word = s[j];
        d[j] = mad_lo_cc(c, word, above);
        above = madc_hi(c, word, 0);
    }
}

// d = −d modulo 2^(32L).
template <int L>
INLINE void negate(u32* d) {
    d[0] = sub_cc(0, d[0]);
    UNROLL
    for (int j = 1; j < L; j++) d[j] = subc_cc(0, d[j]);
}

// d += c·s modulo 2^(32L).
template <int L>
INLINE void add_multiple(u32* d, int32_t c, u32* s) {
    if (c != 1 && c != -1) multiple<L>(s, c < 0 ? -c : c, s);
    if (c < 0) {
        subtract<L>(d, s);
    } else {
        add<L>(d, s);
    }
}

// d *= c modulo 2^(32L).
template <int L>
INLINE void scale(u32* d, int32_t c) {
    if (c != 1 && c != -1) multiple<L>(d, c < 0 ? -c : c, d);
    if (c < 0) negate<L>(d);
}
