"""Verification of BLS signatures on BLS12-381 as Ethereum has them: public keys in G1, signatures in G2 (draft-irtf-cfrg-bls-signature, the
scheme with proofs of possession). A line of the input is `PUBLIC-KEY MESSAGE SIGNATURE`, hexadecimal, points compressed. Prints `valid` or
`invalid` for each, a line that cannot be read as well. All others are verified in one batch: e(PK, H(m)) e(-G, S) = 1.

    python bls.py < signatures.txt

Keys are made and messages signed with the command (`bilinear key generate`, `bilinear sign`) or in Rust, whose secrets do not show in time.
"""

import sys

from bilinear import G1, G2, Curve

TAG = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"


def verify(signed):
    """Which of these keys, messages and signatures are right."""
    curve = Curve("bls12-381")
    keys = curve.points([key for key, _, _ in signed], G1, encoding="zcash")
    signatures = curve.points([signature for _, _, signature in signed], G2, encoding="zcash")
    hashes = curve.hashes([message for _, message, _ in signed], G2, dst=TAG)
    minus = ~curve.generator(G1)
    # what cannot be read is wrong, and so is the key that is the neutral element
    bad = {error.index for outcomes in (keys, signatures) for error in outcomes.errors}
    good = [i for i in range(len(signed)) if i not in bad and not keys[i].is_identity]
    p = [point for i in good for point in (keys[i], minus)]
    q = [point for i in good for point in (hashes[i], signatures[i])]
    right = dict(zip(good, curve.checks(p, q, 2)))
    return [right.get(i, False) for i in range(len(signed))]


def answers(lines):
    rows = [read(line) for line in lines]
    results = iter(verify([row for row in rows if row is not None]))
    return ["valid" if row is not None and next(results) else "invalid" for row in rows]


def read(line):
    """The key, message and signature of a line; none if it has not the three."""
    try:
        key, message, signature = map(bytes.fromhex, line.split(" "))
    except ValueError:
        return None
    return key, message, signature


if __name__ == "__main__":
    print("\n".join(answers(sys.stdin.read().splitlines())))
