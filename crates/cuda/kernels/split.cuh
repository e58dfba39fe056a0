// Numbers of N = T·L words that T threads of a warp hold, thread t the words tL to tL + L − 1: a product multiplies one word of a after
// another, which all threads get, with the own words of b in each; so does a reduction with the words that make the lowest ones 0.
//
// Between records a half of the accumulator is a sum: L words x_t and a carry c_t >= 0 in each thread, Σ (x_t + c_t·2^(32L))·2^(32Lt).
// Negative multiples are those of a complement, −x = ~x + 1, so that no thread borrows from another one; the carry of the last thread of
// the upper half is the top of the number, and its sign. The coefficients of a sum that is kept, those of products 1, are at most 2^13
// together, since its range is (crates/cuda/src/check.rs); each adds at most itself to a carry, so that these stay below 2^14.
//
// Cost for a thread: NL multiply-adds for a product and 3N words from other threads; N(L + 1) + L and 2N for a reduction, that of
// modulus.cuh, with three rounds of carries of two votes each, and a fourth before it.
#pragma once
#include "modulus.cuh"
#include "warp.cuh"

template <int T, int WORDS_OF_ALL>
struct Split {
    static constexpr int N = WORDS_OF_ALL, L = N / T;
    static_assert(T * L == N && L > 1 && T < 32 && 32 % T == 0, "all threads have as many words, and more than a carry takes");

    const Modulus<N>& m;
    u32 t;

    INLINE bool is_last() const { return t == T - 1; }
    INLINE void own(u32* x, const u32* from) const {
        UNROLL
        for (int j = 0; j < L; j++) x[j] = from[t * L + j];
    }

    // Adds carries of 0 or 1 that leave the words of the threads to those of the next ones; the carry that leaves the last one. One sum
    // of bits of the threads does what sums of their words would: a carry enters the next bit, and goes on through those that have ones
    // alone, none of which makes one itself.
    INLINE u32 pass_on(u32* x, u32 carry) const {
        u32 ones = ~0u;
        UNROLL
        for (int j = 0; j < L; j++) ones &= x[j];
        u32 makes = votes<T>(carry != 0), passes = votes<T>(ones == ~0u);
        u32 sum = 2 * makes + passes;
        increment<L>(x, (sum ^ passes) >> t & 1);
        return sum >> T;
    }

    // A sum becomes words: `in` is added to the first, the top stays in the last thread, and carries elsewhere are 0. Thread 0 gets what
    // leaves the words. A carry is one word, so that it makes no carry of ones alone.
    INLINE u32 settle(u32* x, u32 in) const {
        u32 before = from_thread<T>(x[L], t - 1);
        u32 out = pass_on(x, increment<L>(x, t == 0 ? in : before));
        x[L] = is_last() ? x[L] + out : 0;
        return before + out;
    }

    // x += c·s modulo 2^(32(N + 1)), for a half s whose lowest word is that of the number if FIRST, and whose top if LAST.
    template <bool FIRST, bool LAST>
    INLINE void add_multiple(u32* x, int32_t c, u32* s) const {
        u32 sign = c < 0 ? ~0u : 0, size = c < 0 ? -c : c;
        UNROLL
        for (int j = 0; j < L; j++) s[j] ^= sign;
        if (LAST) s[L] ^= is_last() ? sign : 0;
        u32 above = FIRST && t == 0 ? size & sign : 0;
        UNROLL
        for (int j = 0; j <= L; j++) {
            u32 word = s[j];
            s[j] = mad_lo_cc(size, word, above);
            above = madc_hi(size, word, 0);
        }
        add<L + 1>(x, s);
    }

    // Adds Σ f_i·b·2^(32i) to y, in T blocks of L rows, and leaves the words from N on in y. The factors are those of a, and the words
    // below N go to `low`; if it REDUCES, they are those that make these words 0.
    //
    // In block s thread t has the words from (s + t)L on, 2L of them and a carry. Word i is complete before row i, but for what that row
    // adds. Behind the rows the L lower ones go to the thread below, and the others become the lower ones: y is at most 2·2^(32L) − 1
    // before them, and what they leave at most 2^(64L).
    template <bool REDUCES>
    INLINE void rows(u32* y, u32* low, const u32* a, const u32* b) const {
        LOOP
        for (u32 s = 0; s < T; s++) {
            u32 even[2 * L + 2] = {0}, odd[2 * L + 2] = {0}, factors[L], done[L], next[L];
            UNROLL
            for (int j = 0; j <= L; j++) even[j] = y[j];
            if (!REDUCES) from_thread<T, L>(factors, a, s);
            u32 carry = add_cc(0, 0);  // none for the first row either
            UNROLL
            for (int i = 0; i < L; i++) {
                u32& word = i % 2 == 0 ? even[i] : odd[i - 1];
                uint64_t sum = (uint64_t)word + carry + (i == 0 ? 0 : i % 2 == 0 ? odd[i - 1] : even[i]);
                word = (u32)sum;
                carry = (u32)(sum >> 32);
                row<L, true>(even, odd, i, REDUCES ? from_thread<T>(word * m.inverse, 0) : factors[i], b);
                done[i] = word;
            }
            UNROLL
            for (int j = 0; j <= L; j++) y[j] = even[L + j];
            increment<L + 1>(y, carry);
            add<L + 1>(y, odd + L - 1);
            // the last thread gets those of thread 0, which are 0 in a reduction
            from_thread<T, L>(next, done, t + 1);
            bool ends = !REDUCES && is_last();
            y[0] = add_cc(y[0], ends ? 0 : next[0]);
            UNROLL
            for (int j = 1; j < L; j++) y[j] = addc_cc(y[j], ends ? 0 : next[j]);
            y[L] = addc(y[L], 0);
            if (!REDUCES) {
                from_thread<T, L>(next, done, 0);
                UNROLL
                for (int j = 0; j < L; j++) low[j] = t == s ? next[j] : low[j];
            }
        }
    }

    // lower, upper += a·b.
    INLINE void add_product(u32* lower, u32* upper, const u32* a, const u32* b) const {
        u32 y[L + 1] = {0}, low[L + 1] = {0};
        rows<false>(y, low, a, b);
        add<L + 1>(lower, low);
        add<L + 1>(upper, y);
    }

    // r = x + 2^12·p modulo p, for a sum x in [−2^12·p, (2^12 + 1)p].
    INLINE void shrink(u32* r, u32* x) const {
        u32 k[L + 1];
        own(k, m.offset);
        k[L] = is_last() ? m.offset[N] : 0;
        add<L + 1>(x, k);
        settle(x, 0);
        u32 low = 0, above = 0;
        UNROLL
        for (int j = 0; j <= L; j++) {
            if (j < L) low |= x[j] & (0 - (u32)(t * L + j == m.word));
            above |= x[j] & (0 - (u32)(t * L + j == m.word + 1));
        }
        u32 h = (u32)((((uint64_t)any_of<T>(above) << 32) | any_of<T>(low)) >> m.bit);
        u32 quotient = high(h, m.mu);
        own(k, m.p);
        k[L] = 0;
        add_multiple<true, true>(x, -(int32_t)quotient, k);
        settle(x, 0);
        // x is in [0, 2p), and from p on it is less one p
        u32 y[L], top = from_thread<T>(x[L], T - 1);
        own(k, m.p);
        u32 reaches = plus(y, x, k, ~0u) | top;
        UNROLL
        for (int j = 0; j < L; j++) r[j] = reaches ? y[j] : x[j];
    }

    // r = x + y, or x − y = x + ~y + 1 where `minus` is ~0 and not 0, the 1 as a carry that comes into thread 0; the carry that leaves the
    // last thread. Ones alone in thread 0 pass nothing on, though they may come with a carry there, since none comes to them.
    INLINE u32 plus(u32* r, const u32* x, const u32* y, u32 minus) const {
        add_cc(t == 0 ? minus & 1 : 0, ~0u);
        UNROLL
        for (int j = 0; j < L; j++) r[j] = addc_cc(x[j], y[j] ^ minus);
        return pass_on(r, addc(0, 0));
    }

    // x += y or x −= y modulo p, for both below p.
    INLINE void combine(u32* x, const u32* y, bool is_minus) const {
        u32 minus = is_minus ? ~0u : 0, p[L], other[L];
        u32 carry = plus(x, x, y, minus);
        // one p less from p on, or one more for a difference below 0, which leaves no carry
        own(p, m.p);
        u32 reaches = plus(other, x, p, ~minus);
        bool takes = is_minus ? carry == 0 : (carry | reaches) != 0;
        UNROLL
        for (int j = 0; j < L; j++) x[j] = takes ? other[j] : x[j];
    }

    // r = (lower + upper·R)/R modulo p, for words in the lower half.
    INLINE void reduce(u32* r, const u32* lower, const u32* upper) const {
        u32 y[L + 1], p[L];
        UNROLL
        for (int j = 0; j < L; j++) y[j] = lower[j];
        y[L] = 0;
        own(p, m.p);
        rows<true>(y, nullptr, nullptr, p);
        add<L + 1>(y, upper);
        shrink(r, y);
    }

    // What an inversion asks for: `invert.cuh`.
    static constexpr int THREADS = T, OWN = L;
    INLINE int first() const { return t * L; }
    INLINE u32 any(u32 x) const { return any_of<T>(x); }
    INLINE void multiply(u32* r, const u32* a, const u32* b) const {
        u32 lower[L + 1] = {0}, upper[L + 1] = {0};
        add_product(lower, upper, a, b);  // that of one product are words, with no carries
        reduce(r, lower, upper);
    }
};
