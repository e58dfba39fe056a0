// Words of 32 bits with the carry that an instruction leaves for the next one: what PTX calls .cc.
//
// A product a·b + c of words is a pair of instructions, for its low and its high half. Where a chain of such pairs begins at an even
// register, the compiler makes one IMAD.WIDE of each. The shim defines the same functions in plain C++.
#pragma once
#include <cstdint>

typedef uint32_t u32;

// The numbers of words that kernels are compiled for whose threads have whole numbers: one that the compiler is told, or all.
#define EACH_SIZE_OF(kernel, N) kernel(N)
#ifdef WORDS
#define EACH_SIZE(kernel) EACH_SIZE_OF(kernel, WORDS)
#else
#define EACH_SIZE(kernel) kernel(8) kernel(12) kernel(16) kernel(24) kernel(33)
#endif

// The number of words that is split, and over how many threads.
#define EACH_SPLIT(kernel) kernel(68, 4)

// The numbers K for which residues have kernels: at most 8·K moduli in a base, and K warps in a block.
#ifdef BASE
#define EACH_BASE(kernel) EACH_SIZE_OF(kernel, BASE)
#else
#define EACH_BASE(kernel) kernel(2) kernel(3) kernel(5) kernel(7) kernel(9)
#endif

#ifdef __CUDACC__
#define INLINE __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#define LOOP _Pragma("unroll 1")
#define SHARED(name) extern __shared__ u32 name[];
#define CARRY(name, instruction)                                                                       \
    INLINE u32 name(u32 a, u32 b) {                                                                     \
        u32 r;                                                                                          \
        asm volatile(instruction " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));                            \
        return r;                                                                                       \
    }
#define CARRY_PRODUCT(name, instruction)                                                               \
    INLINE u32 name(u32 a, u32 b, u32 c) {                                                              \
        u32 r;                                                                                          \
        asm volatile(instruction " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                \
        return r;                                                                                       \
    }
CARRY(add_cc, "add.cc.u32")    // a + b
CARRY(addc_cc, "addc.cc.u32")  // a + b + carry
CARRY(addc, "addc.u32")        // the last of a chain
CARRY(sub_cc, "sub.cc.u32")    // a − b
CARRY(subc_cc, "subc.cc.u32")  // a − b − borrow
CARRY(subc, "subc.u32")        // the last of a chain
CARRY_PRODUCT(mad_lo_cc, "mad.lo.cc.u32")    // low half of a·b, + c
CARRY_PRODUCT(madc_lo_cc, "madc.lo.cc.u32")  // the same + carry
CARRY_PRODUCT(madc_hi_cc, "madc.hi.cc.u32")  // high half of a·b, + c + carry
CARRY_PRODUCT(madc_hi, "madc.hi.u32")        // the last of a chain
INLINE u32 high(u32 a, u32 b) { return __umulhi(a, b); }
#endif
