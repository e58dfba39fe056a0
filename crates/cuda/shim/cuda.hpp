// The parts of CUDA that the kernels use, in plain C++. A thread is a fiber, and lanes that wait for each other yield to other fibers. A
// launch runs block by block, with the fibers of a block in turn, forwards or backwards.
#pragma once
// the fortified longjmp takes a jump to another stack for a mistake
#undef _FORTIFY_SOURCE
#include <algorithm>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <ucontext.h>
#include <vector>

typedef uint32_t u32;

#define __global__
#define __grid_constant__
#define __launch_bounds__(threads, blocks)
#define INLINE inline
#define UNROLL
#define LOOP
#define SHARED(name)
#define __shared__ static

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
// Four words, and a load of them that passes over the cache of a multiprocessor, of which there is none here.
struct uint4 {
    u32 x, y, z, w;
};
static inline uint4 __ldcg(const uint4* at) { return *at; }

static Dim threadIdx, blockIdx, blockDim, gridDim;
static u32 shared[1 << 20];

// A fiber starts from a context, and is resumed by jumps, which make no system call.
struct Fiber {
    ucontext_t context;
    jmp_buf state;
    u32 arrivals, block_arrivals, warp_arrivals;  // the number of barriers of each kind that the fiber has reached
    u32 exchanges;
    bool started, done;
};
static std::vector<Fiber> fibers;
static jmp_buf scheduler;
static std::function<void()> kernel;

static void fiber_main() {
    u32 self = threadIdx.x;
    kernel();
    fibers[self].done = true;
    _longjmp(scheduler, 1);
}

// Runs a fiber until it yields or ends.
static void resume(Fiber& fiber) {
    if (_setjmp(scheduler) != 0) return;
    if (fiber.started) _longjmp(fiber.state, 1);
    fiber.started = true;
    setcontext(&fiber.context);
}

// Yields to the scheduler. The carry is saved, since each thread has its own.
static void give_way(Fiber& fiber) {
    u32 carry = carry_flag;
    if (_setjmp(fiber.state) == 0) _longjmp(scheduler, 1);
    carry_flag = carry;
}

static inline void __syncwarp(u32 mask = ~0u) {
    u32 self = threadIdx.x, first = self / 32 * 32, lanes = std::min(32u, blockDim.x - first);
    u32 turn = ++fibers[self].arrivals;
    for (u32 lane = 0; lane < lanes; lane++) {
        while (mask >> lane & 1 && fibers[first + lane].arrivals < turn) {
            if (fibers[first + lane].done) {
                fprintf(stderr, "thread %u waits for one that has ended\n", self);
                exit(1);
            }
            give_way(fibers[self]);
        }
    }
}

// Waits until all of these threads have reached as many barriers as this one.
static inline void wait_for(u32 first, u32 count, u32 Fiber::*arrivals) {
    u32 self = threadIdx.x, turn = ++(fibers[self].*arrivals);
    for (u32 thread = first; thread < first + count; thread++) {
        while (fibers[thread].*arrivals < turn) {
            if (fibers[thread].done) {
                fprintf(stderr, "thread %u waits for one that has ended\n", self);
                exit(1);
            }
            give_way(fibers[self]);
        }
    }
}

static inline void __syncthreads() { wait_for(0, blockDim.x, &Fiber::block_arrivals); }

// ---- operations of a warp ------------------------------------------------------------------------------------------------

// Gives a value of each lane to all lanes of a group of LANES lanes, or of a warp. The values are valid until the exchange after the next.
template <u32 LANES = 32, typename T>
static inline T* exchange(const T& own) {
    static T all[2][2048];
    u32 self = threadIdx.x, first = self / LANES * LANES, turn = fibers[self].exchanges++ % 2;
    all[turn][self] = own;
    wait_for(first, LANES, &Fiber::warp_arrivals);
    return all[turn] + first;
}

static inline uint64_t over_lanes(uint64_t x) {
    uint64_t* all = exchange(x) + threadIdx.x % 32 / 4 * 4;
    return all[0] + all[1] + all[2] + all[3];
}
static inline u32 any_of_lanes(u32 x) {
    u32* all = exchange(x) + threadIdx.x % 32 / 4 * 4;
    return all[0] | all[1] | all[2] | all[3];
}

// Words and votes of a group of T threads, which wait only for each other.
template <int T>
static inline u32 from_thread(u32 x, u32 thread) {
    return exchange<T>(x)[thread % T];
}
template <int T, int L>
static inline void from_thread(u32* r, const u32* x, u32 thread) {
    struct Words {
        u32 x[L];
    } own;
    memcpy(own.x, x, sizeof own.x);
    memcpy(r, exchange<T>(own)[thread % T].x, sizeof own.x);
}
template <int T>
static inline u32 votes(bool yes) {
    const bool* all = exchange<T>(yes);
    u32 bits = 0;
    for (int t = 0; t < T; t++) bits |= (u32)all[t] << t;
    return bits;
}
template <int T>
static inline u32 any_of(u32 x) {
    const u32* all = exchange<T>(x);
    u32 any = 0;
    for (int t = 0; t < T; t++) any |= all[t];
    return any;
}

// Computes c += Σ_k a_k·b_k for the first `products` products, on 8-bit numbers in the fragments that PTX describes for mma.m16n8k32: lane
// 4g + t has rows g and g + 8 of the first matrix and column g of the second one, with k from 4t and from 16 + 4t on.
template <int K>
struct Operands {
    u32 a[K][4], b[4][K][2];
};
template <int K>
static inline void multiply_all(u32 (*c)[4], u32 (*a)[4], const u32 (*b)[K][2], u32 products) {
    Operands<K> own;
    memcpy(own.a, a, sizeof own.a);
    memcpy(own.b, b, sizeof own.b);
    const Operands<K>* all = exchange(own);
    u32 lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    // the two rows and the two columns of the results of this lane, 8·K words each in the order of their digits
    typedef uint8_t Digits[32 * K];
    alignas(32) Digits rows[2], columns[2];
    auto word = [](uint8_t* digits, u32 at, u32 word) { memcpy(digits + 4 * at, &word, 4); };
    for (u32 k = 0; k < K; k++)
        for (u32 four = 0; four < 8; four++)
            for (u32 h = 0; h < 2; h++) word(rows[h], 8 * k + four, all[4 * g + four % 4].a[k][four / 4 * 2 + h]);
    for (u32 i = 0; i < products; i++) {
        for (u32 k = 0; k < K; k++)
            for (u32 four = 0; four < 8; four++)
                for (u32 h = 0; h < 2; h++)
                    word(columns[h], 8 * k + four, all[4 * (2 * t + h) + four % 4].b[i][k][four / 4]);
        for (u32 out = 0; out < 4; out++) {
            const uint8_t *row = rows[out / 2], *column = columns[out % 2];
            u32 sum = 0;
            for (u32 at = 0; at < 32 * K; at++) sum += (u32)row[at] * column[at];
            c[i][out] += sum;
        }
    }
}

template <typename A>
static inline void multiply_digits(u32* c, A& a, const u32* b) {
    const u32 columns[4][1][2] = {{{b[0], b[1]}}};
    multiply_all<1>((u32(*)[4])c, (u32(*)[4])a, columns, 1);
}

// Runs a kernel. A block has the first `shared_words` words of `shared`. These words and the next 4096 are
// overwritten before each block, so that they hold no values of the previous block.
static void launch(u32 blocks, u32 threads, size_t shared_words, bool backwards, std::function<void()> run) {
    constexpr size_t STACK = 1 << 17;
    // stacks are not initialised, since most of a stack is never used
    static std::vector<std::unique_ptr<char[]>> stacks;
    while (stacks.size() < threads) stacks.emplace_back(new char[STACK]);
    kernel = run;
    blockDim.x = threads;
    gridDim.x = blocks;
    for (u32 block = 0; block < blocks; block++) {
        blockIdx.x = block;
        std::fill_n(shared, std::min(shared_words + 4096, sizeof shared / 4), 0xabadcafe);
        fibers = std::vector<Fiber>(threads);
        for (u32 thread = 0; thread < threads; thread++) {
            ucontext_t& context = fibers[thread].context;
            getcontext(&context);
            context.uc_stack.ss_sp = stacks[thread].get();
            context.uc_stack.ss_size = STACK;
            makecontext(&context, fiber_main, 0);
        }
        for (bool left = true; left;) {
            left = false;
            for (u32 i = 0; i < threads; i++) {
                u32 thread = backwards ? threads - 1 - i : i;
                if (fibers[thread].done) continue;
                threadIdx.x = thread;
                resume(fibers[thread]);
                left = true;
            }
        }
    }
}
