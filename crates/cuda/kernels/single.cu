// A stage by one thread a pairing. The places of all pairings are in global memory, those of neighbours side by side, so that the
// threads of a warp read consecutive words.
#include "stage.cuh"

template <int N>
INLINE void single(const Record* records, u32 steps, const u32* constants, Modulus<N> const& m, u32* places, u32* slots, u32 count) {
    u32 pairing = blockIdx.x * blockDim.x + threadIdx.x;
    if (pairing >= count) return;
    Lane<false> lane = {constants, places + pairing, count, slots + pairing, count, 0, nullptr};
    u32 sum[2 * N + 1] = {0};
    in_turn(records, steps, 1, [&](const Record& record) { execute<N>(sum, record, lane, m); });
}

#define SINGLE(N)                                                                                              \
    extern "C" __global__ void single_##N(const Record* records, u32 steps, const u32* constants,              \
                                          const __grid_constant__ Modulus<N> m, u32* places, u32* slots, u32 count) { \
        single<N>(records, steps, constants, m, places, slots, count);                                         \
    }
EACH_SIZE(SINGLE)
