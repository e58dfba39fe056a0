// A stage by groups of 4 or 8 threads a pairing. The first `near` words of the places of each are in shared memory, for as many pairings as the block has or one
// more, so that words of one pairing lie in different banks; `far_words` are in the memory of the device, those of TILE pairings of the block side by side.
// Lane l of a group takes record l of each step; at the end of a bundle the lanes of a group wait for each other, and for no one else.
#include "stage.cuh"

template <int N>
INLINE void group(u32 width, const Record* records, u32 steps, const u32* constants, Modulus<N> const& m, u32* shared, u32 near, u32* far, u32 far_words, u32* slots, u32 count) {
    u32 groups = blockDim.x / width, own = threadIdx.x / width, l = threadIdx.x % width;
    u32 pairing = blockIdx.x * groups + own, tile = blockIdx.x * ((groups + TILE - 1) / TILE) + own / TILE;
    if (pairing >= count) return;
    u32 mask = ((1u << width) - 1) << (threadIdx.x % 32 / width * width);
    Lane<true> lane = {constants, shared + own, groups | 1, slots + pairing, count, near, far + (size_t)tile * far_words * TILE + own % TILE};
    u32 sum[2 * N + 1] = {0};
    in_turn(records + l, steps, width, [&](const Record& record) {
        execute<N>(sum, record, lane, m);
        if (record.opcode & BARRIER) __syncwarp(mask);
    });
}

#define GROUP(N)                                                                                               \
    extern "C" __global__ void group_##N(u32 width, const Record* records, u32 steps, const u32* constants,    \
                                         const __grid_constant__ Modulus<N> m, u32 near, u32* far,             \
                                         u32 far_words, u32* slots, u32 count) {                               \
        SHARED(shared)                                                                                         \
        group<N>(width, records, steps, constants, m, shared, near, far, far_words, slots, count);             \
    }
EACH_SIZE(GROUP)
