// A stage by T threads a pairing that split the words of each number: split.cuh has the arithmetic, stage.cuh the records.
//
// The places of all pairings are in global memory. A thread writes and reads its own words alone. Word j of thread t of pairing g, of an
// element at place q, is at q·G + j·TG + Tg + t, G the pairings of all blocks, so that the threads of a warp read consecutive words; the
// upper half of an unreduced value follows like another element. Its top is at (q + 2N)·G + g, a truth value at q·G + g.
#include "invert.cuh"
#include "split.cuh"
#include "stage.cuh"

template <int T, int N>
struct SplitLane {
    static constexpr int L = N / T;

    Split<T, N> of;
    const u32* constants;
    u32* places;
    u32* slots;
    u32 count;
    u32 thread;   // of all
    u32 threads;  // of all blocks
    u32 pairing;  // the last one again where there is none
    bool is_there;

    u32 lower[L + 1], upper[L + 1];  // the accumulator

    INLINE u32& word(u32 at) const { return places[(size_t)at * (threads / T) + thread / T]; }
    // A truth value, which all threads write: when each has read what was there.
    INLINE void put(u32 at, u32 value) const {
        __syncwarp();
        word(at) = value;
    }
    INLINE u32& place(u32 at, int j) const { return places[(size_t)at * (threads / T) + (size_t)j * threads + thread]; }
    INLINE u32& slot(u32 at, u32 j) const { return slots[(size_t)(at + j) * count + pairing]; }

    INLINE void read(u32* x, u32 at) const {
        if (at & CONSTANT) return of.own(x, constants + (at ^ CONSTANT));
        UNROLL
        for (int j = 0; j < L; j++) x[j] = place(at, j);
    }
    INLINE void write(u32 at, const u32* x) const {
        UNROLL
        for (int j = 0; j < L; j++) place(at, j) = x[j];
    }

    // Whether the last of so many words is one that this thread has: a truth value, or a top.
    INLINE bool has_lone_word(u32 words) const { return words == 1 || (words == 2 * N + 1 && of.is_last()); }

    INLINE void clear() {
        UNROLL
        for (int j = 0; j <= L; j++) lower[j] = upper[j] = 0;
    }

    // The lower half becomes words.
    INLINE void settle_lower() {
        u32 carry = of.settle(lower, 0);
        lower[L] = 0;
        increment<L + 1>(upper, of.t == 0 ? carry : 0);
    }

    INLINE void add_multiple(int32_t c, u32* a, u32* b) {
        of.template add_multiple<true, false>(lower, c, a);
        of.template add_multiple<false, true>(upper, c, b);
    }

    // A factor of a product: x, or x ± y modulo p.
    INLINE void factor(u32* x, u32 first, u32 second, u32 signs) const {
        read(x, first);
        if (!(signs & HAS_C)) return;
        u32 y[L];
        read(y, second);
        of.combine(x, y, signs & MINUS_C);
    }

    INLINE void execute(const Record& record) {
        u32 a[L + 1], b[L + 1];
        a[L] = b[L] = 0;
        switch (record.opcode & (BARRIER - 1)) {
        case NOP: return;
        case PRODUCT:
            LOOP
            for (u32 turn = 0; turn < (record.opcode & SQUARE ? 1 : 2); turn++) {
                factor(b, turn ? record.b : record.a, turn ? record.d() : (u32)record.c, record.opcode >> 2 * turn);
                UNROLL
                for (int j = 0; j < L; j++) a[j] = turn ? a[j] : b[j];
            }
            return of.add_product(lower, upper, a, b);
        case SCALE:
            settle_lower();
            of.settle(upper, 0);
            UNROLL
            for (int j = 0; j <= L; j++) {
                a[j] = lower[j];
                b[j] = upper[j];
            }
            clear();
            return add_multiple(record.c, a, b);
        case FORM:
            read(a, record.a);
            read(b, record.a + N);
            if (of.is_last()) b[L] = word(record.a + 2 * N);
            return add_multiple(record.c, a, b);
        case ELEMENT:
            read(a, record.a);
            return of.template add_multiple<true, true>(upper, record.c, a);
        case LOW:
            read(a, record.a);
            return add<L + 1>(lower, a);
        case SELECT: {
            u32 mask = word((u32)record.c);
            read(a, record.a);
            read(b, record.b);
            UNROLL
            for (int j = 0; j < L; j++) a[j] = (a[j] & mask) | (b[j] & ~mask);
            return add<L + 1>(upper, a);
        }
        case ZERO: {
            read(a, record.b);
            u32 any = 0;
            UNROLL
            for (int j = 0; j < L; j++) any |= a[j];
            return put(record.a, of.any(any) == 0 ? ~0u : 0);
        }
        case AND: return put(record.a, word(record.b) & word((u32)record.c));
        case NOT: return put(record.a, ~word(record.b));
        case LOAD:
            if (record.c == 1) return put(record.a, slot(record.b, 0));
            for (u32 half = 0; half < (u32)record.c / N; half++) {
                UNROLL
                for (int j = 0; j < L; j++) place(record.a + half * N, j) = slot(record.b, half * N + of.first() + j);
            }
            if (has_lone_word((u32)record.c)) word(record.a + record.c - 1) = slot(record.b, record.c - 1);
            return;
        case SAVE:
            if (!is_there) return;
            for (u32 half = 0; half < (u32)record.c / N; half++) {
                read(a, record.b + half * N);
                UNROLL
                for (int j = 0; j < L; j++) slot(record.a, half * N + of.first() + j) = a[j];
            }
            if (has_lone_word((u32)record.c)) slot(record.a, record.c - 1) = word(record.b + record.c - 1);
            return;
        default: return keep(record.opcode & (BARRIER - 1), record.a);
        }
    }

    INLINE void keep(u32 opcode, u32 at) {
        u32 r[L];
        settle_lower();
        switch (opcode) {
        case WIDE:
            of.settle(upper, 0);
            write(at, lower);
            write(at + N, upper);
            if (of.is_last()) word(at + 2 * N) = upper[L];
            return clear();
        case SUM: of.shrink(r, upper); break;
        case HIGH:
            UNROLL
            for (int j = 0; j < L; j++) r[j] = upper[j];
            break;
        default: of.reduce(r, lower, upper); break;
        }
        if (opcode == ODD) {
            put(at, 0 - (from_thread<T>(r[0], 0) & 1));
        } else {
            write(at, r);
        }
        clear();
    }
};

// All threads of a warp that has a pairing go on to the end, since they exchange words: those without one read the last one's slots.
template <int T, int N>
INLINE void split(const Record* records, u32 steps, const u32* constants, Modulus<N> const& m, u32* places, u32* slots, u32 count) {
    u32 thread = blockIdx.x * blockDim.x + threadIdx.x, pairing = thread / T;
    if (thread / 32 * 32 / T >= count) return;
    bool is_there = pairing < count;
    SplitLane<T, N> lane = {{m, thread % T}, constants, places, slots, count, thread, gridDim.x * blockDim.x, is_there ? pairing : count - 1, is_there, {}, {}};
    lane.clear();
    in_turn(records, steps, 1, [&](const Record& record) { lane.execute(record); });
}

// Three blocks of 128 threads have all registers of a multiprocessor.
#define SPLIT(N, T)                                                                                                    \
    extern "C" __global__ void __launch_bounds__(128, 3)                                                               \
        split_##N(const Record* records, u32 steps, const u32* constants, const __grid_constant__ Modulus<N> m,        \
                  u32* places, u32* slots, u32 count) {                                                                \
        split<T, N>(records, steps, constants, m, places, slots, count);                                               \
    }                                                                                                                  \
    extern "C" __global__ void invert_split_##N(const __grid_constant__ Modulus<N> m, u32* slots, u32 from, u32 to,    \
                                                u32 count, u32 each) {                                                 \
        invert(Split<T, N>{m, threadIdx.x % T}, slots, from, to, count, each);                                         \
    }
EACH_SPLIT(SPLIT)
