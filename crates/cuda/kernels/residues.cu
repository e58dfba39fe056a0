// A stage in residue number systems, the base extensions on tensor cores: Y. Zhang, C. J. Xue, D. S. Wong, N. Mamoulis, S. M. Yiu,
// "Acceleration of composite order bilinear pairing on graphics hardware", ACNS 2012 (algorithm 1, in blocks of 67 threads a pairing);
// the corrections k and k' are those of S. Kawamura, M. Koike, F. Sano, A. Shimbo, "Cox-Rower architecture", EUROCRYPT 2000.
// docs/engines/rns.md has the reduction, crates/cuda/src/residues.rs the constants; here there is no redundant modulus.
//
// A block has 16 pairings and K warps; a base has R = 4·quads residues, those behind the n-th are 0. Lane (g, t) of a warp, g = lane/4
// and t = lane % 4, has the residues 4·quad + t of both bases for the pairings 2g and 2g + 1, for two quads: warp and warp + K. That is
// what an m16n8k32 product of 8-bit numbers wants and gives, where row g of its 16 stands for pairing 2g and row g + 8 for 2g + 1:
//
//   A   a word of ξ is four digits in a row, so that the fragment of a lane is ξ_(8k + t) and ξ_(8k + 4 + t) of its two pairings;
//   C   the columns 2t and 2t + 1 of a first product are the digits 0 and 1 of the residue t of a quad, of a second one 2 and 3.
//
// So nothing is exchanged but ξ, through memory that the block shares. Cost of a reduction, for a lane and a quad: 2·2K products of
// 16 × 8 × 32, 4 loads of a pair of words for each k, 13 multiply-adds of words for each residue of B and 16 for each of B'.
#include "residues.cuh"
#include "stage.cuh"
#include "warp.cuh"

constexpr u32 PAIRINGS = 16;  // of a block

// Some constants of the system, R words each, in this order; words(A'_j) follow, words(A') and words(p), N + 1 each; then the matrices.
enum Table : u32 { C_FIRST, SCALE_FIRST, MINUS_SECOND, C_SECOND, OVER_FIRST, SCALE_SECOND, MINUS_P, P_SECOND, TABLES };

template <int K>
struct Residues {
    const u32* constants;
    u32* places;       // of the block's pairings: word j of place q of pairing g at 16·(q + j) + g
    u32* far;          // those that the block does not share
    u32* slots;
    u32 count;
    u32 n, quads, words;
    const u32* tables;
    u32* xi[2];        // ξ and ξ', word i of pairing g at 16·i + g
    u32* flags;
    u32 warp, t, own;  // the first of the two pairings in the block
    u32 pairing;       // and among all
    u32 c[2][2], scale_first[2], minus_second[2], over_first[2], scale_second[2], minus_p[2];

    Sum sum[2][2][2];  // of a base, of a quad, of a pairing

    // The lane's fragments of both matrices: in registers, where there are enough, since they are 46 kB for K = 5, more than can be
    // read for each reduction.
    static constexpr bool KEEPS = K <= 5;
    u32 kept[2][4][KEEPS ? K : 1][2];

    INLINE u32 residues() const { return 4 * quads; }
    INLINE bool has(u32 i) const { return warp + i * K < quads; }
    INLINE u32 index(u32 i) const { return 4 * (warp + i * K) + t; }
    INLINE const u32* digits() const { return tables + TABLES * residues(); }
    INLINE const u32* matrix() const { return digits() + (residues() + 2) * (words + 1); }

    INLINE void start() {
        UNROLL
        for (u32 i = 0; i < 2; i++) {
            u32 at = has(i) ? index(i) : 0, r = residues();
            c[0][i] = tables[C_FIRST * r + at];
            c[1][i] = tables[C_SECOND * r + at];
            scale_first[i] = tables[SCALE_FIRST * r + at];
            minus_second[i] = tables[MINUS_SECOND * r + at];
            over_first[i] = tables[OVER_FIRST * r + at];
            scale_second[i] = tables[SCALE_SECOND * r + at];
            minus_p[i] = tables[MINUS_P * r + at];
        }
        clear();
        if constexpr (KEEPS) {
            load(kept[0], 0);
            load(kept[1], 1);
        }
    }

    INLINE void clear() {
        UNROLL
        for (u32 e = 0; e < 8; e++) (&sum[0][0][0])[e] = {0, 0, 0};
    }

    // does something for each residue of the lane: base, quad, number in a value
    template <typename F>
    INLINE void each(F f) {
        UNROLL
        for (u32 e = 0; e < 2; e++) {
            UNROLL
            for (u32 i = 0; i < 2; i++)
                if (has(i)) f(e, i, e * residues() + index(i));
        }
    }

    INLINE Two read(u32 at, u32 j) const {
        if (at & CONSTANT) {
            u32 word = constants[(at ^ CONSTANT) + j];
            return {{word, word}};
        }
        return two(at & FAR ? far + (size_t)((at ^ FAR) + j) * PAIRINGS + own : places + (at + j) * PAIRINGS + own);
    }
    INLINE void write(u32 at, u32 j, Two x) const {
        store(at & FAR ? far + (size_t)((at ^ FAR) + j) * PAIRINGS + own : places + (at + j) * PAIRINGS + own, x);
    }

    // ξ of one base extension as fragments, and ⌊Σ ξ/2^32 + half/2⌋ of both pairings.
    INLINE void fragments(u32 (*a)[4], u32* k_hat, const u32* from, u32 half) const {
        uint64_t totals[2] = {0, 0};
        UNROLL
        for (u32 k = 0; k < K; k++) {
            Two near = two(from + (8 * k + t) * PAIRINGS + own), far = two(from + (8 * k + 4 + t) * PAIRINGS + own);
            a[k][0] = near.x[0];
            a[k][1] = near.x[1];
            a[k][2] = far.x[0];
            a[k][3] = far.x[1];
            totals[0] += (uint64_t)near.x[0] + far.x[0];
            totals[1] += (uint64_t)near.x[1] + far.x[1];
        }
        UNROLL
        for (u32 h = 0; h < 2; h++) k_hat[h] = (u32)((over_lanes(totals[h]) + ((uint64_t)half << 31)) >> 32);
    }

    // The lane's fragments of a matrix, by product.
    INLINE void load(u32 (*b)[K][2], u32 base) const {
        UNROLL
        for (u32 i = 0; i < 4; i++) {
            UNROLL
            for (u32 k = 0; k < K; k++) {
                b[i][k][0] = b[i][k][1] = 0;
                if (!has(i / 2)) continue;
                u32 product = (base * quads + warp + i / 2 * K) * 2 + i % 2;
                Two both = two(matrix() + ((size_t)(product * K + k) * 32 + threadIdx.x % 32) * 2);
                b[i][k][0] = both.x[0];
                b[i][k][1] = both.x[1];
            }
        }
    }

    // Σ ξ_i·M_ij for the lane's residues of the other base, below 2^51: v[i][h].
    INLINE void extend(uint64_t (*v)[2], u32 (*a)[4], u32 base) const {
        u32 c[4][4] = {{0}}, products = has(1) ? 4 : has(0) ? 2 : 0;
        if constexpr (KEEPS) {
            multiply_all<K>(c, a, kept[base], products);
        } else {
            u32 b[4][K][2];
            load(b, base);
            multiply_all<K>(c, a, b, products);
        }
        UNROLL
        for (u32 i = 0; i < 2; i++) {
            UNROLL
            for (u32 h = 0; h < 2; h++) {
                const u32 *low = c[2 * i] + 2 * h, *high = c[2 * i + 1] + 2 * h;
                v[i][h] = ((uint64_t)high[1] << 24) + ((uint64_t)high[0] << 16) + ((uint64_t)low[1] << 8) + low[0];
            }
        }
    }

    // The first extension of the sum: S = (T + q·p)/A in B', s[i][h]. The sum becomes 0.
    INLINE void first(u32 (*s)[2]) {
        u32 t_second[2][2];
        each([&](u32 e, u32 i, u32) {
            Two x;
            UNROLL
            for (u32 h = 0; h < 2; h++) {
                u32 word = residue(sum[e][i][h], c[e][i]);
                if (e == 0) x.x[h] = residue((uint64_t)word * scale_first[i], c[0][i]);
                else t_second[i][h] = word;
            }
            if (e == 0) store(xi[0] + index(i) * PAIRINGS + own, x);
        });
        clear();
        __syncthreads();
        u32 a[K][4], k_hat[2];
        uint64_t v[2][2];
        fragments(a, k_hat, xi[0], 0);
        extend(v, a, 0);
        each([&](u32 e, u32 i, u32) {
            if (e == 0) return;
            UNROLL
            for (u32 h = 0; h < 2; h++) {
                Sum total = {(u32)v[i][h], (u32)(v[i][h] >> 32), 0};
                add_product(total, t_second[i][h], over_first[i]);
                add(total, (uint64_t)k_hat[h] * minus_p[i]);
                s[i][h] = residue(total, c[1][i]);
            }
        });
    }

    // ξ' = S/A'_j, for the second extension or for digits.
    INLINE void scaled(const u32 (*s)[2]) const {
        UNROLL
        for (u32 i = 0; i < 2; i++) {
            if (!has(i)) continue;
            Two x;
            UNROLL
            for (u32 h = 0; h < 2; h++) x.x[h] = residue((uint64_t)s[i][h] * scale_second[i], c[1][i]);
            store(xi[1] + index(i) * PAIRINGS + own, x);
        }
    }

    // T/A of the sum, in (−p, 2p).
    INLINE void close(u32 at) {
        u32 s[2][2], a[K][4], k_hat[2];
        uint64_t v[2][2];
        first(s);
        scaled(s);
        __syncthreads();
        fragments(a, k_hat, xi[1], 1);
        extend(v, a, 1);
        each([&](u32 e, u32 i, u32 j) {
            Two x;
            UNROLL
            for (u32 h = 0; h < 2; h++)
                x.x[h] = e == 1 ? s[i][h] : residue(v[i][h] + (uint64_t)k_hat[h] * minus_second[i], c[0][i]);
            write(at, j, x);
        });
    }

    // Whether x/A, in [0, 2p), is 0 modulo p: 0 or p, by its residues in B'.
    INLINE void zero(u32 at, u32 from) {
        each([&](u32 e, u32 i, u32 j) {
            Two x = read(from, j);
            UNROLL
            for (u32 h = 0; h < 2; h++) add(sum[e][i][h], x.x[h]);
        });
        u32 s[2][2], differs[2][2] = {{0}};  // from 0 and from p
        first(s);
        each([&](u32 e, u32 i, u32) {
            if (e == 0) return;
            UNROLL
            for (u32 h = 0; h < 2; h++) {
                u32 x = canonical(s[i][h], c[1][i]);
                differs[h][0] |= x;
                differs[h][1] |= x ^ tables[P_SECOND * residues() + index(i)];
            }
        });
        UNROLL
        for (u32 h = 0; h < 2; h++) {
            UNROLL
            for (u32 k = 0; k < 2; k++) {
                u32 any = any_of_lanes(differs[h][k]);
                if (t == 0) flags[(warp * PAIRINGS + own + h) * 2 + k] = any;
            }
        }
        __syncthreads();
        UNROLL
        for (u32 h = 0; h < 2; h++) {
            u32 any[2] = {0, 0};
            for (u32 w = 0; w < K; w++) {
                any[0] |= flags[(w * PAIRINGS + own + h) * 2];
                any[1] |= flags[(w * PAIRINGS + own + h) * 2 + 1];
            }
            places[at * PAIRINGS + own + h] = any[0] == 0 || any[1] == 0 ? ~0u : 0;
        }
    }

    // An element from the words of a residue in a slot, the highest first: x ← x·2^32 + word.
    INLINE void enter(u32 at, u32 slot) {
        each([&](u32 e, u32 i, u32 j) {
            Two x = {{0, 0}};
            for (u32 k = words; k-- > 0;) {
                UNROLL
                for (u32 h = 0; h < 2; h++) {
                    u32 word = pairing + h < count ? slots[(size_t)(slot + k) * count + pairing + h] : 0;
                    uint64_t next = fold((uint64_t)x.x[h] * c[e][i] + word, c[e][i]);
                    x.x[h] = (u32)(next >> 32) * c[e][i] + (u32)next;
                }
            }
            write(at, j, x);
        });
    }

    // The words of an S in [0, 2p), or of S − p: S = Σ ξ'_j·A'_j − k'·A'. One thread a pairing.
    INLINE void leave(u32 slot, u32 from) {
        u32 s[2][2];
        __syncthreads();  // somebody may read ξ' still
        each([&](u32 e, u32 i, u32 j) {
            if (e == 0) return;
            Two x = read(from, j);
            s[i][0] = x.x[0];
            s[i][1] = x.x[1];
        });
        scaled(s);
        __syncthreads();
        u32 g = threadIdx.x, who = blockIdx.x * PAIRINGS + g;
        if (g >= PAIRINGS || who >= count) return;
        uint64_t total = (uint64_t)1 << 31;
        for (u32 j = 0; j < n; j++) total += xi[1][j * PAIRINGS + g];
        int64_t k_hat = (int64_t)(total >> 32);
        const u32 *own_p = digits() + (n + 1) * (words + 1), *all = digits() + n * (words + 1);
        bool negative = false;
        // first only the sign of S − p, then words
        for (u32 turn = 0; turn < 2; turn++) {
            int64_t carry = 0;
            for (u32 l = 0; l <= words; l++) {
                uint64_t low = 0, high = 0;
                for (u32 j = 0; j < n; j++) {
                    uint64_t product = (uint64_t)xi[1][j * PAIRINGS + g] * digits()[j * (words + 1) + l];
                    low += (u32)product;
                    high += product >> 32;
                }
                int64_t sum = (int64_t)low + carry - k_hat * (int64_t)all[l] - (negative ? 0 : (int64_t)own_p[l]);
                if (turn == 1 && l < words) slots[(size_t)(slot + l) * count + who] = (u32)sum;
                if (turn == 0 && l == words) negative = (int32_t)(u32)sum < 0;
                carry = (sum >> 32) + (int64_t)high;
            }
        }
    }

    // One record: crates/cuda/src/record.rs says what it does.
    INLINE void execute(const Record& record) {
        switch (record.opcode & (BARRIER - 1)) {
        case NOP: return;
        case PRODUCT:
            return each([&](u32 e, u32 i, u32 j) {
                Two a = read(record.a, j), b = record.opcode & SQUARE ? a : read(record.b, j);
                UNROLL
                for (u32 h = 0; h < 2; h++) add_product(sum[e][i][h], a.x[h], b.x[h]);
            });
        case SCALE:
            return each([&](u32 e, u32 i, u32) {
                u32 size = record.c < 0 ? -record.c : record.c;
                UNROLL
                for (u32 h = 0; h < 2; h++) {
                    u32 x = residue(sum[e][i][h], c[e][i]);
                    uint64_t scaled = size * (record.c < 0 ? negative(x, c[e][i]) : x);
                    sum[e][i][h] = {(u32)scaled, (u32)(scaled >> 32), 0};
                }
            });
        case FORM:
        case ELEMENT:
        case LOW:
            return each([&](u32 e, u32 i, u32 j) {
                Two a = read(record.a, j);
                u32 size = record.opcode % BARRIER == LOW ? 1 : record.c < 0 ? -record.c : record.c;
                bool minus = record.opcode % BARRIER != LOW && record.c < 0;
                UNROLL
                for (u32 h = 0; h < 2; h++) add(sum[e][i][h], size * (minus ? negative(a.x[h], c[e][i]) : a.x[h]));
            });
        case SELECT: {
            Two mask = two(places + (u32)record.c * PAIRINGS + own);
            return each([&](u32 e, u32 i, u32 j) {
                Two a = read(record.a, j), b = read(record.b, j);
                UNROLL
                for (u32 h = 0; h < 2; h++) add(sum[e][i][h], (a.x[h] & mask.x[h]) | (b.x[h] & ~mask.x[h]));
            });
        }
        case WIDE:
        case SUM:
        case HIGH:
            each([&](u32 e, u32 i, u32 j) {
                Two x;
                UNROLL
                for (u32 h = 0; h < 2; h++) x.x[h] = residue(sum[e][i][h], c[e][i]);
                write(record.a, j, x);
            });
            return clear();
        case CLOSE: return close(record.a);
        case ZERO: return zero(record.a, record.b);
        // truth values, which every warp writes: no other one may read what was there
        case AND:
        case NOT: {
            Two x = two(places + record.b * PAIRINGS + own), y = two(places + (u32)record.c * PAIRINGS + own);
            bool both = (record.opcode & (BARRIER - 1)) == AND;
            Two made = {{both ? x.x[0] & y.x[0] : ~x.x[0], both ? x.x[1] & y.x[1] : ~x.x[1]}};
            __syncthreads();
            return store(places + record.a * PAIRINGS + own, made);
        }
        case LOAD:
            if (record.c == 1) {
                __syncthreads();
                for (u32 h = 0; h < 2; h++) {
                    u32 word = pairing + h < count ? slots[(size_t)record.b * count + pairing + h] : 0;
                    places[record.a * PAIRINGS + own + h] = word;
                }
                return;
            }
            return each([&](u32, u32, u32 j) {
                Two x;
                for (u32 h = 0; h < 2; h++) x.x[h] = pairing + h < count ? slots[(size_t)(record.b + j) * count + pairing + h] : 0;
                write(record.a, j, x);
            });
        case SAVE:
            if (record.c == 1) {
                for (u32 h = 0; h < 2 && warp == 0; h++)
                    if (pairing + h < count) slots[(size_t)record.a * count + pairing + h] = places[record.b * PAIRINGS + own + h];
                return;
            }
            return each([&](u32, u32, u32 j) {
                Two x = read(record.b, j);
                for (u32 h = 0; h < 2; h++)
                    if (pairing + h < count) slots[(size_t)(record.a + j) * count + pairing + h] = x.x[h];
            });
        case RESIDUES: return enter(record.a, record.b);
        case WORDS_OF: return leave(record.a, record.b);
        default: return;
        }
    }
};

// The words that a block shares beside its places: ξ, ξ' and flags.
template <int K>
INLINE void residues(const Record* records, u32 steps, const u32* constants, const u32* tables, u32 n, u32 quads, u32 words, u32* far,
                     u32 far_words, u32* shared, u32* slots, u32 count) {
    constexpr u32 BUFFER = 8 * K * PAIRINGS;
    Residues<K> own;
    own.constants = constants;
    own.tables = tables;
    own.n = n;
    own.quads = quads;
    own.words = words;
    own.slots = slots;
    own.count = count;
    own.xi[0] = shared;
    own.xi[1] = shared + BUFFER;
    own.flags = shared + 2 * BUFFER;
    own.places = shared + 2 * BUFFER + 2 * K * PAIRINGS;
    own.far = far + (size_t)blockIdx.x * far_words * PAIRINGS;
    own.warp = threadIdx.x / 32;
    own.t = threadIdx.x % 4;
    own.own = threadIdx.x % 32 / 4 * 2;
    own.pairing = blockIdx.x * PAIRINGS + own.own;
    own.start();
    for (u32 i = threadIdx.x; i < 2 * BUFFER; i += blockDim.x) shared[i] = 0;
    __syncthreads();
    for (u32 step = 0; step < steps; step++) own.execute(records[step]);
}

#define KERNEL(K)                                                                                                       \
    extern "C" __global__ void residues_##K(const Record* records, u32 steps, const u32* constants, const u32* tables,    \
                                            u32 n, u32 quads, u32 words, u32* far, u32 far_words, u32* slots, u32 count) {   \
        SHARED(shared)                                                                                                    \
        residues<K>(records, steps, constants, tables, n, quads, words, far, far_words, shared, slots, count);            \
    }
EACH_BASE(KERNEL)
