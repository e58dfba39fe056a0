// What a card can do at most, for the share of it that kernels reach: chains of operations in every thread of full blocks, so many that
// some thread always goes on. Each thread of 256 does `rounds` times what its kernel says; `out` only keeps the compiler from leaving it out.
#include "warp.cuh"
#include "words.cuh"

// 16 multiply-adds of words, each with a sum of 64 bits and carries, as rows of products have them: of sums without carries the compiler adds
// halves of several at once, of a factor that stays it multiplies once, and one that all threads share is in a uniform register.
extern "C" __global__ void ceiling_multiply_adds(u32 rounds, u32* out) {
    u32 d[33], b[32];
    UNROLL
    for (u32 i = 0; i < 33; i++) d[i] = threadIdx.x + i;
    UNROLL
    for (u32 i = 0; i < 32; i++) b[i] = threadIdx.x * (i + 1);
#pragma unroll 16
    for (u32 round = 0; round < rounds; round++) chain<32, 0, false>(d, round + threadIdx.x, b);
    u32 sum = 0;
    UNROLL
    for (u32 i = 0; i < 33; i++) sum ^= d[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// 16 products of matrices, which are 16·16·8·32 multiply-adds of digits for a warp.
extern "C" __global__ void ceiling_digits(u32 rounds, u32* out) {
    u32 c[16][4] = {{0}}, a[4], b[2] = {threadIdx.x, threadIdx.x + 1};
    UNROLL
    for (u32 i = 0; i < 4; i++) a[i] = threadIdx.x * 4 + i;
    for (u32 round = 0; round < rounds; round++) {
        UNROLL
        for (u32 i = 0; i < 16; i++) multiply_digits(c[i], a, b);
    }
    u32 sum = 0;
    UNROLL
    for (u32 i = 0; i < 64; i++) sum ^= (&c[0][0])[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// 16 loads of two words from memory that the block shares, in a row of threads: 32 words.
extern "C" __global__ void ceiling_shared(u32 rounds, u32* out) {
    __shared__ u32 memory[16 * 512];
    for (u32 i = threadIdx.x; i < 16 * 512; i += blockDim.x) memory[i] = i;
    __syncthreads();
    u32 sum = 0, from = 2 * threadIdx.x;
    for (u32 round = 0; round < rounds; round++) {
        UNROLL
        for (u32 i = 0; i < 16; i++) {
            Two both = two(memory + 512 * i + (from & 511));
            sum += both.x[0] ^ both.x[1];
        }
        from += 2 * (sum & 1);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// 16 words from the memory of the device, a block's in a row; `words` of them are there, a power of two.
extern "C" __global__ void ceiling_memory(u32 rounds, u32* out, const u32* memory, u32 words) {
    u32 sum = 0, at = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    for (u32 round = 0; round < rounds; round++) {
        UNROLL
        for (u32 i = 0; i < 16; i++, at += stride) sum += memory[at & (words - 1)];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// 16 times eight records side by side, which the threads of a warp read as those of groups of eight do: a word for each thread. They are read from
// the second-level cache, past that of the multiprocessor; `words` are there, a power of two.
extern "C" __global__ void ceiling_records(u32 rounds, u32* out, const u32* memory, u32 words) {
    const uint4* records = (const uint4*)memory;
    u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, at = warp * 8 * 4099 + threadIdx.x % 8, sum = 0;
    for (u32 round = 0; round < rounds; round++) {
        UNROLL
        for (u32 i = 0; i < 16; i++, at += 8) {
            uint4 four = __ldcg(records + (at & (words / 4 - 1)));
            sum += four.x ^ four.y ^ four.z ^ four.w;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
