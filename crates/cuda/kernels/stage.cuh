// The records of a stage, executed by one thread for one pairing or by a lane of a group: crates/cuda/src/record.rs says what each
// does. The accumulator stays in registers; operands are read from the memory of the stage, word by word, or from the constants.
//
// Word j of place q of the pairing's memory is at (q + j)·stride, and of slot s of the batch at (s + j)·count. Places of a group from `near` on are far, in the
// memory of the device: word j of place q at (q − near + j)·TILE there, TILE pairings side by side. Truth values are near.
#pragma once
#include "modulus.cuh"

enum Opcode : u32 { NOP, PRODUCT, SCALE, FORM, ELEMENT, LOW, SELECT, WIDE, CLOSE, SUM, HIGH, ODD, ZERO, AND, NOT, LOAD, SAVE, RESIDUES, WORDS_OF };

// What is said of an operand.
constexpr u32 CONSTANT = 1u << 31;
constexpr u32 FAR = 1u << 30;

// The first word: the opcode, and of a product what its factors are.
constexpr u32 BARRIER = 1u << 5;  // of any record
constexpr u32 HAS_C = 1u << 6, MINUS_C = 1u << 7, HAS_D = 1u << 8, MINUS_D = 1u << 9;
constexpr u32 SQUARE = 1u << 10;  // the second factor is the first
constexpr int FOURTH = 11;        // where d lies

struct alignas(16) Record {
    u32 opcode;
    int32_t c;
    u32 a, b;

    INLINE u32 d() const { return (opcode & CONSTANT) | (opcode & ~CONSTANT) >> FOURTH; }
};

// Executes records that lie `stride` apart; each is loaded before the one before it is executed, so that no record waits for memory.
template <class Execute>
INLINE void in_turn(const Record* records, u32 steps, u32 stride, Execute execute) {
    if (steps == 0) return;
    Record next = *records;
    LOOP
    for (; steps > 0; steps--) {
        const Record record = next;
        if (steps > 1) next = *(records += stride);
        execute(record);
    }
}

// Pairings whose far words lie side by side: a constant, so that the words of a value are at one address and offsets that instructions have in them.
constexpr u32 TILE = 32;

// What a lane of a pairing works on; HAS_FAR says whether it has far places.
template <bool HAS_FAR>
struct Lane {
    const u32* constants;
    u32* places;   // of the pairing
    u32 stride;
    u32* slots;    // of the pairing
    u32 count;
    u32 near;
    u32* far;      // of the pairing

    INLINE bool is_far(u32 at) const { return HAS_FAR && at >= near; }

    template <int L>
    INLINE void read(u32* x, u32 at) const {
        if (at & CONSTANT) {
            const u32* from = constants + (at ^ CONSTANT);
            UNROLL
            for (int j = 0; j < L; j++) x[j] = from[j];
        } else if (is_far(at)) {
            const u32* from = far + (at - near) * TILE;
            UNROLL
            for (int j = 0; j < L; j++) x[j] = from[j * TILE];
        } else {
            const u32* from = places + (size_t)at * stride;
            UNROLL
            for (int j = 0; j < L; j++) x[j] = from[(size_t)j * stride];
        }
    }

    template <int L>
    INLINE void write(u32 at, const u32* x) const {
        if (is_far(at)) {
            u32* to = far + (at - near) * TILE;
            UNROLL
            for (int j = 0; j < L; j++) to[j * TILE] = x[j];
            return;
        }
        u32* to = places + (size_t)at * stride;
        UNROLL
        for (int j = 0; j < L; j++) to[(size_t)j * stride] = x[j];
    }

    // A word that is near.
    INLINE u32& word(u32 at) const { return places[(size_t)at * stride]; }
    // Any word.
    INLINE u32& any(u32 at) const { return is_far(at) ? far[(at - near) * TILE] : word(at); }

    // A factor of a product: x, or x ± y modulo p.
    template <int N>
    INLINE void factor(u32* x, u32 first, u32 second, u32 signs, const Modulus<N>& m) const {
        read<N>(x, first);
        if (!(signs & HAS_C)) return;
        u32 y[N];
        read<N>(y, second);
        combine<N>(x, y, signs & MINUS_C, m);
    }
};

// One record.
template <int N, bool HAS_FAR>
INLINE void execute(u32* sum, const Record& record, const Lane<HAS_FAR>& lane, const Modulus<N>& m) {
    constexpr int W = 2 * N + 1;
    u32 a[W], b[N];
    u32 opcode = record.opcode & (BARRIER - 1);
    switch (opcode) {
    case NOP: return;
    case PRODUCT:
        // both by the same code, since it is long
        LOOP
        for (u32 turn = 0; turn < (record.opcode & SQUARE ? 1 : 2); turn++) {
            lane.template factor<N>(b, turn ? record.b : record.a, turn ? record.d() : (u32)record.c, record.opcode >> 2 * turn, m);
            UNROLL
            for (int j = 0; j < N; j++) a[j] = turn ? a[j] : b[j];
        }
        add_product<N>(sum, a, b);
        return;
    case SCALE: scale<W>(sum, record.c); return;
    case FORM:
        lane.template read<W>(a, record.a);
        add_multiple<W>(sum, record.c, a);
        return;
    case ELEMENT:
        lane.template read<N>(a, record.a);
        a[N] = 0;
        add_multiple<N + 1>(sum + N, record.c, a);
        return;
    case LOW:
        lane.template read<N>(a, record.a);
        UNROLL
        for (int j = N; j < W; j++) a[j] = 0;
        add<W>(sum, a);
        return;
    case SELECT: {
        u32 mask = lane.word((u32)record.c);
        lane.template read<N>(a, record.a);
        lane.template read<N>(b, record.b);
        UNROLL
        for (int j = 0; j < N; j++) a[j] = (a[j] & mask) | (b[j] & ~mask);
        a[N] = 0;
        add<N + 1>(sum + N, a);
        return;
    }
    case ZERO: {
        lane.template read<N>(a, record.b);
        u32 any = 0;
        UNROLL
        for (int j = 0; j < N; j++) any |= a[j];
        lane.word(record.a) = any == 0 ? ~0u : 0;
        return;
    }
    case AND: lane.word(record.a) = lane.word(record.b) & lane.word((u32)record.c); return;
    case NOT: lane.word(record.a) = ~lane.word(record.b); return;
    case LOAD:
        for (u32 j = 0; j < (u32)record.c; j++) lane.any(record.a + j) = lane.slots[(size_t)(record.b + j) * lane.count];
        return;
    case SAVE:
        for (u32 j = 0; j < (u32)record.c; j++) {
            u32 word = record.b & CONSTANT ? lane.constants[(record.b ^ CONSTANT) + j] : lane.any(record.b + j);
            lane.slots[(size_t)(record.a + j) * lane.count] = word;
        }
        return;
    default: break;
    }
    // what keeps the sum
    if (opcode == WIDE) {
        lane.template write<W>(record.a, sum);
    } else {
        if (opcode == CLOSE || opcode == ODD) {
            reduce<N>(b, sum, m);
        } else if (opcode == SUM) {
            shrink<N>(b, sum + N, m);
        } else {
            UNROLL
            for (int j = 0; j < N; j++) b[j] = sum[N + j];
        }
        if (opcode == ODD) {
            lane.word(record.a) = 0 - (b[0] & 1);
        } else {
            lane.template write<N>(record.a, b);
        }
    }
    UNROLL
    for (int j = 0; j < W; j++) sum[j] = 0;
}
