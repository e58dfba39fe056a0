// 1/x for every pairing of a batch, and 0 for 0: a thread, or a group of threads that split the words of a number, takes `each` pairings,
// which share one power x^(p − 2) by Montgomery's trick (Math. Comp. 48, 1987). Cost: 3 products a pairing, and at most 2·bits(p).
#pragma once
#include "modulus.cuh"

// Numbers that a thread has whole.
template <int N>
struct Whole {
    static constexpr int THREADS = 1, OWN = N;
    const Modulus<N>& m;

    INLINE int first() const { return 0; }
    INLINE u32 any(u32 x) const { return x; }
    INLINE void multiply(u32* r, const u32* a, const u32* b) const { ::multiply<N>(r, a, b, m); }
};

// A thread has OWN words of each number, the first of them `first()`. All threads of a warp that has a pairing go through the same
// products; a pairing that is not there counts as 1.
template <class Numbers>
INLINE void invert(const Numbers& numbers, u32* slots, u32 from, u32 to, u32 count, u32 each) {
    constexpr int L = Numbers::OWN;
    u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    u32 first = thread / Numbers::THREADS * each;
    if (thread / 32 * 32 / Numbers::THREADS * each >= count) return;
    auto at = [&](u32 slot, int j, u32 g) -> u32& { return slots[(size_t)(slot + numbers.first() + j) * count + g]; };
    auto one = [&](int j) { return numbers.m.one[numbers.first() + j]; };
    // x, or 1 for 0
    auto read = [&](u32* x, u32 g) {
        u32 any = 0;
        UNROLL
        for (int j = 0; j < L; j++) any |= x[j] = g < count ? at(from, j, g) : 0;
        any = numbers.any(any);
        UNROLL
        for (int j = 0; j < L; j++) x[j] = any == 0 ? one(j) : x[j];
        return any == 0;
    };
    u32 product[L], x[L], power[L];
    UNROLL
    for (int j = 0; j < L; j++) product[j] = power[j] = one(j);
    LOOP
    for (u32 k = 0; k < each; k++) {
        u32 g = first + k;
        if (g < count) {
            UNROLL
            for (int j = 0; j < L; j++) at(to, j, g) = product[j];
        }
        read(x, g);
        numbers.multiply(product, product, x);
    }
    // a square for each bit of p, and a product for each of p − 2 that is 1; one piece of code for both, since it is long. The loop has a constant
    // length, without which 33 words spill more.
    LOOP
    for (int i = 64 * L * Numbers::THREADS - 1; i >= 0; i--) {
        bool square = i % 2;
        if (square ? i / 2 >= (int)numbers.m.bits() : !(numbers.m.exponent[i / 64] >> (i / 2 % 32) & 1)) continue;
        u32 factor[L];
        UNROLL
        for (int j = 0; j < L; j++) factor[j] = square ? power[j] : product[j];
        numbers.multiply(power, power, factor);
    }
    // 1/(x_first ... x_g)
    LOOP
    for (u32 k = each; k-- > 0;) {
        u32 before[L], g = first + k;
        UNROLL
        for (int j = 0; j < L; j++) before[j] = g < count ? at(to, j, g) : one(j);
        bool zero = read(x, g);
        // before·power is 1/x, then power·x is 1/(x_first ... x_(g − 1))
        LOOP
        for (int turn = 0; turn < 2; turn++) {
            u32 factor[L];
            UNROLL
            for (int j = 0; j < L; j++) factor[j] = turn == 0 ? before[j] : x[j];
            numbers.multiply(factor, power, factor);
            UNROLL
            for (int j = 0; j < L; j++) {
                if (turn == 0) {
                    if (g < count) at(to, j, g) = zero ? 0 : factor[j];
                } else {
                    power[j] = factor[j];
                }
            }
        }
    }
}
