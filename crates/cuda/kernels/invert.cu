// 1/x for every pairing of a batch, and 0 for 0: a thread takes `each` pairings, which share one power x^(p − 2) by Montgomery's trick
// (Math. Comp. 48, 1987). Cost of a thread: 3 products a pairing, and at most 2·bits(p).
#include "modulus.cuh"

template <int N>
INLINE void invert(const Modulus<N>& m, u32* slots, u32 from, u32 to, u32 count, u32 each) {
    u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    u32 first = thread * each;
    if (first >= count) return;
    u32 last = first + each < count ? first + each : count;
    auto at = [&](u32 slot, int j, u32 g) -> u32& { return slots[(size_t)(slot + j) * count + g]; };
    // x, or 1 for 0
    auto read = [&](u32* x, u32 g) {
        u32 any = 0;
        UNROLL
        for (int j = 0; j < N; j++) any |= x[j] = at(from, j, g);
        UNROLL
        for (int j = 0; j < N; j++) x[j] = any == 0 ? m.one[j] : x[j];
        return any == 0;
    };
    u32 product[N], x[N], power[N];
    UNROLL
    for (int j = 0; j < N; j++) product[j] = power[j] = m.one[j];
    for (u32 g = first; g < last; g++) {
        UNROLL
        for (int j = 0; j < N; j++) at(to, j, g) = product[j];
        read(x, g);
        multiply<N>(product, product, x, m);
    }
    // a square for each bit of p − 2, and a product for each that is 1; one piece of code for both, since it is long
#pragma unroll 1
    for (int i = 64 * N - 1; i >= 0; i--) {
        bool square = i % 2;
        if (!square && !(m.exponent[i / 64] >> (i / 2 % 32) & 1)) continue;
        u32 factor[N];
        UNROLL
        for (int j = 0; j < N; j++) factor[j] = square ? power[j] : product[j];
        multiply<N>(power, power, factor, m);
    }
    // 1/(x_first ... x_g)
    for (u32 g = last; g-- > first;) {
        u32 before[N];
        UNROLL
        for (int j = 0; j < N; j++) before[j] = at(to, j, g);
        bool zero = read(x, g);
        // before·power is 1/x, then power·x is 1/(x_first ... x_(g − 1))
#pragma unroll 1
        for (int k = 0; k < 2; k++) {
            u32 factor[N];
            UNROLL
            for (int j = 0; j < N; j++) factor[j] = k == 0 ? before[j] : x[j];
            multiply<N>(factor, power, factor, m);
            UNROLL
            for (int j = 0; j < N; j++) {
                if (k == 0) {
                    at(to, j, g) = zero ? 0 : factor[j];
                } else {
                    power[j] = factor[j];
                }
            }
        }
    }
}

#define INVERT(N)                                                                                              \
    extern "C" __global__ void invert_##N(const __grid_constant__ Modulus<N> m, u32* slots, u32 from, u32 to, u32 count, u32 each) { \
        invert<N>(m, slots, from, to, count, each);                                                            \
    }
EACH_SIZE(INVERT)
