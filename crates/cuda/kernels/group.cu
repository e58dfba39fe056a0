// A stage by groups of 4 or 8 threads a pairing, whose places are in shared memory: `places` words for each of the block's pairings, or one more
// than there are, so that words of one pairing lie in different banks.
// Lane l of a group takes record l of each step; at the end of a bundle the lanes of a group wait for each other, and for no one else.
#include "stage.cuh"

template <int N>
INLINE void group(u32 width, const Record* records, u32 steps, const u32* constants, Modulus<N> const& m, u32* shared, u32* slots, u32 count) {
    u32 groups = blockDim.x / width, own = threadIdx.x / width, l = threadIdx.x % width;
    u32 pairing = blockIdx.x * groups + own;
    if (pairing >= count) return;
    u32 mask = ((1u << width) - 1) << (threadIdx.x % 32 / width * width);
    Lane lane = {constants, shared + own, groups | 1, slots + pairing, count};
    u32 sum[2 * N + 1] = {0};
    in_turn(records + l, steps, width, [&](const Record& record) {
        execute<N>(sum, record, lane, m);
        if (record.opcode & BARRIER) __syncwarp(mask);
    });
}

#define GROUP(N)                                                                                               \
    extern "C" __global__ void group_##N(u32 width, const Record* records, u32 steps, const u32* constants,    \
                                         const __grid_constant__ Modulus<N> m, u32* slots, u32 count) {        \
        SHARED(shared)                                                                                         \
        group<N>(width, records, steps, constants, m, shared, slots, count);                                   \
    }
EACH_SIZE(GROUP)
