// What the kernels use of CUDA, in plain C++: a thread is a fiber, and lanes that wait for each other give way to the others. A launch
// runs block by block, the fibers of a block in turn, forwards or backwards.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <ucontext.h>
#include <vector>

typedef uint32_t u32;

#define __global__
#define __grid_constant__
#define INLINE inline
#define UNROLL
#define SHARED(name)

// ---- words with a carry --------------------------------------------------------------------------------------------------

static u32 carry_flag;

static inline u32 with_carry(uint64_t sum) {
    carry_flag = (u32)(sum >> 32);
    return (u32)sum;
}
static inline u32 with_borrow(uint64_t difference) {
    carry_flag = (u32)(difference >> 63);
    return (u32)difference;
}
static inline u32 add_cc(u32 a, u32 b) { return with_carry((uint64_t)a + b); }
static inline u32 addc_cc(u32 a, u32 b) { return with_carry((uint64_t)a + b + carry_flag); }
static inline u32 addc(u32 a, u32 b) { return a + b + carry_flag; }
static inline u32 sub_cc(u32 a, u32 b) { return with_borrow((uint64_t)a - b); }
static inline u32 subc_cc(u32 a, u32 b) { return with_borrow((uint64_t)a - b - carry_flag); }
static inline u32 subc(u32 a, u32 b) { return a - b - carry_flag; }
static inline u32 high(u32 a, u32 b) { return (u32)((uint64_t)a * b >> 32); }
static inline u32 mad_lo_cc(u32 a, u32 b, u32 c) { return with_carry((uint64_t)(a * b) + c); }
static inline u32 madc_lo_cc(u32 a, u32 b, u32 c) { return with_carry((uint64_t)(a * b) + c + carry_flag); }
static inline u32 madc_hi_cc(u32 a, u32 b, u32 c) { return with_carry((uint64_t)high(a, b) + c + carry_flag); }
static inline u32 madc_hi(u32 a, u32 b, u32 c) { return high(a, b) + c + carry_flag; }

// ---- threads -------------------------------------------------------------------------------------------------------------

struct Dim {
    u32 x;
};
static Dim threadIdx, blockIdx, blockDim;
static u32 shared[1 << 20];

struct Fiber {
    ucontext_t context;
    std::vector<char> stack;
    u32 arrivals;  // how often it has waited
    bool done;
};
static std::vector<Fiber> fibers;
static ucontext_t scheduler;
static std::function<void()> kernel;

static void fiber_main() {
    u32 self = threadIdx.x;
    kernel();
    fibers[self].done = true;
}

static inline void __syncwarp(u32 mask) {
    u32 self = threadIdx.x, first = self / 32 * 32;
    u32 turn = ++fibers[self].arrivals;
    for (u32 lane = 0; lane < 32; lane++) {
        while (mask >> lane & 1 && fibers[first + lane].arrivals < turn) {
            if (fibers[first + lane].done) {
                fprintf(stderr, "thread %u waits for one that has ended\n", self);
                exit(1);
            }
            swapcontext(&fibers[self].context, &scheduler);
        }
    }
}

static void launch(u32 blocks, u32 threads, bool backwards, std::function<void()> run) {
    kernel = run;
    blockDim.x = threads;
    for (u32 block = 0; block < blocks; block++) {
        blockIdx.x = block;
        fibers = std::vector<Fiber>(threads);
        for (Fiber& fiber : fibers) {
            fiber.stack.resize(1 << 17);
            getcontext(&fiber.context);
            fiber.context.uc_stack.ss_sp = fiber.stack.data();
            fiber.context.uc_stack.ss_size = fiber.stack.size();
            fiber.context.uc_link = &scheduler;
            makecontext(&fiber.context, fiber_main, 0);
        }
        for (bool left = true; left;) {
            left = false;
            for (u32 i = 0; i < threads; i++) {
                u32 thread = backwards ? threads - 1 - i : i;
                if (fibers[thread].done) continue;
                threadIdx.x = thread;
                swapcontext(&scheduler, &fibers[thread].context);
                left = true;
            }
        }
    }
}
