// What the lanes of a warp do together: products of matrices of 8-bit numbers on tensor cores, sums over lanes, pairs of words, and words
// and votes of the threads that split a number. The shim has the same in plain C++.
#pragma once
#include "carry.cuh"

// Two words side by side, of the two pairings of a lane.
struct Two {
    u32 x[2];
};

INLINE Two two(const u32* from) {
#ifdef __CUDACC__
    uint2 both = *(const uint2*)from;
    return {{both.x, both.y}};
#else
    return {{from[0], from[1]}};
#endif
}
INLINE void store(u32* to, Two both) {
#ifdef __CUDACC__
    *(uint2*)to = make_uint2(both.x[0], both.x[1]);
#else
    to[0] = both.x[0];
    to[1] = both.x[1];
#endif
}

#ifdef __CUDACC__
// c += a·b: the fragments of a lane of 16 × 32 and 32 × 8 numbers of 8 bits.
INLINE void multiply_digits(u32* c, const u32* a, const u32* b) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
// c += Σ_k a_k·b_k for the four products of a warp that has both quads, or for two of them.
template <int K>
INLINE void multiply_all(u32 (*c)[4], u32 (*a)[4], const u32 (*b)[K][2], u32 products) {
    UNROLL
    for (int k = 0; k < K; k++) {
        UNROLL
        for (u32 i = 0; i < 4; i++)
            if (i < products) multiply_digits(c[i], a[k], b[i][k]);
    }
}
INLINE uint64_t over_lanes(uint64_t x) {
    x += __shfl_xor_sync(~0u, x, 1);
    return x + __shfl_xor_sync(~0u, x, 2);
}
INLINE u32 any_of_lanes(u32 x) {
    x |= __shfl_xor_sync(~0u, x, 1);
    return x | __shfl_xor_sync(~0u, x, 2);
}
// A word of a thread of the same T, of the one with this number modulo T.
template <int T>
INLINE u32 from_thread(u32 x, u32 thread) {
    return __shfl_sync(~0u, x, thread, T);
}
template <int T, int L>
INLINE void from_thread(u32* r, const u32* x, u32 thread) {
    UNROLL
    for (int j = 0; j < L; j++) r[j] = from_thread<T>(x[j], thread);
}
// Which of the T threads say so, thread t by bit t.
template <int T>
INLINE u32 votes(bool yes) {
    return __ballot_sync(~0u, yes) >> (threadIdx.x % 32 / T * T) & ((1u << T) - 1);
}
// x of all T threads, or-ed.
template <int T>
INLINE u32 any_of(u32 x) {
    UNROLL
    for (int d = 1; d < T; d *= 2) x |= __shfl_xor_sync(~0u, x, d);
    return x;
}
#endif
