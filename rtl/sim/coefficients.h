// Residues as five coefficients with signs, for p(u) = 36u^4 + 36u^3 + 24u^2 + 6u + 1 with u = 2^63 + 857 (bn-258): many vectors represent
// the same residue. Closed ones (alu_polynomial.sv) are bounded by |p(u)|, so two that are equal differ by p, 0 or -p.
#pragma once
#include <cstdint>

namespace coefficients {

constexpr __int128 U = (static_cast<__int128>(1) << 63) + 857;
constexpr int64_t P[5] = {1, 6, 24, 36, 36};

// returns whether the value of a polynomial at u is 0: each coefficient but the last is divided by u without a remainder
inline bool zero(const __int128 (&x)[5]) {
    __int128 carry = 0;
    for (int i = 0; i < 4; i++) {
        if ((x[i] + carry) % U != 0) return false;
        carry = (x[i] + carry) / U;
    }
    return x[4] + carry == 0;
}

inline bool equal(const int64_t *x, const int64_t *y) {
    for (int64_t k = -1; k <= 1; k++) {
        __int128 difference[5];
        for (int i = 0; i < 5; i++) difference[i] = static_cast<__int128>(x[i]) - y[i] + k * P[i];
        if (zero(difference)) return true;
    }
    return false;
}

inline bool closed(const int64_t *x) {
    for (int i = 0; i < 5; i++) {
        const int64_t most = i < 4 ? (1ll << 62) + (1 << 20) : 35;
        if (x[i] > most || x[i] < -most) return false;
    }
    return true;
}

}  // namespace coefficients
