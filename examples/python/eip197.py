"""The pairing check of EIP-197 on alt_bn128: a line of the input is what a contract hands to the precompiled contract 8, pairs of 64 bytes of
G1 and 128 of G2 in hexadecimal. Prints for each line 1 if the product of its pairings is 1, 0 if it is not, and `invalid` where the contract
fails. All lines are checked in one batch.

    python eip197.py < calls.txt
"""

import sys

from bilinear import G1, G2, Curve

POINT, PAIR = 64, 192


def answers(calls):
    curve = Curve("alt-bn128")
    inputs = [read(call) for call in calls]
    # the pairs of all calls lie behind each other
    pairs = [data[at : at + PAIR] for data in inputs if data is not None for at in range(0, len(data), PAIR)]
    p = curve.points([pair[:POINT] for pair in pairs], G1, encoding="eip")
    q = curve.points([pair[POINT:] for pair in pairs], G2, encoding="eip")
    lengths = [len(data) // PAIR for data in inputs if data is not None]
    checked = curve.checks(p, q, lengths)
    wrong = {error.index for error in checked.errors}
    results = iter("invalid" if i in wrong else str(int(checked[i])) for i in range(len(checked)))
    return ["invalid" if data is None else next(results) for data in inputs]


def read(call):
    """The bytes of a call; none if they are not whole pairs."""
    try:
        data = bytes.fromhex(call)
    except ValueError:
        return None
    return data if len(data) % PAIR == 0 else None


if __name__ == "__main__":
    print("\n".join(answers(sys.stdin.read().splitlines())))
