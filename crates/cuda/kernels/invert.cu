// Inversions by one thread for some pairings.
#include "invert.cuh"

#define INVERT(N)                                                                                              \
    extern "C" __global__ void invert_##N(const __grid_constant__ Modulus<N> m, u32* slots, u32 from, u32 to, u32 count, u32 each) { \
        invert(Whole<N>{m}, slots, from, to, count, each);                                                     \
    }
EACH_SIZE(INVERT)
