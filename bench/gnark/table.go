package main

import "math/big"

// point is a pointer to an affine point of gnark-crypto in one group.
type point[T any] interface {
	*T
	SetBytes([]byte) (int, error)
	Marshal() []byte
	ScalarMultiplication(*T, *big.Int) *T
}

// value is a pointer to a value of gnark-crypto in the target group.
type value[T any] interface {
	*T
	Marshal() []byte
	ExpGLV(T, *big.Int) *T
}

// table is a curve with the inputs of all rows. It hides the types of the curve.
type table interface {
	// decode reads the points of all rows in both groups, x‖y as RawBytes writes them, and the scalars, big-endian. An
	// invalid point becomes the point at infinity.
	decode(encoded [2][][]byte, scalars [][]byte)
	// pair computes the product of the pairings of count rows, beginning with row first.
	pair(first, count int)
	// prepared computes the pairing of the P of a row and the Q of row 0, whose lines are precomputed.
	prepared(row int)
	// value returns the last result of pair, prepared or power, as Bytes writes it: the last coefficient first.
	value() []byte
	// validate decodes the encoded point of a row again and checks range, curve and subgroup. Groups are 1 and 2.
	validate(group, row int) error
	// hash returns the encoded point of a message.
	hash(group int, message, tag []byte) []byte
	// multiply returns the encoded multiple of the point of a row by the scalar of the row.
	multiply(group, row int) []byte
	// power raises the pairing of a row to the scalar of the row.
	power(row int)
}

// on is the table of a curve with points P and Q, lines L and values V.
type on[P, Q, L, V any, PP point[P], PQ point[Q], PV value[V]] struct {
	pairing func([]P, []Q) (V, error)
	lines   func(Q) L
	fixed   func([]P, []L) (V, error)
	hashP   func(message, tag []byte) (P, error)
	hashQ   func(message, tag []byte) (Q, error)

	encoded [2][][]byte
	ps      []P
	qs      []Q
	values  []V
	scalars []*big.Int
	// first holds the lines of the first Q. spent holds the lines for one call, which overwrites them.
	first L
	spent [1]L
	// last keeps results alive, so that no call is without effect.
	last V
	p    P
	q    Q
}

// tableOn makes an empty table of the curve with these functions.
func tableOn[P, Q, L, V any, PP point[P], PQ point[Q], PV value[V]](
	pairing func([]P, []Q) (V, error), lines func(Q) L, fixed func([]P, []L) (V, error),
	hashP func(message, tag []byte) (P, error), hashQ func(message, tag []byte) (Q, error),
) table {
	return &on[P, Q, L, V, PP, PQ, PV]{pairing: pairing, lines: lines, fixed: fixed, hashP: hashP, hashQ: hashQ}
}

func (t *on[P, Q, L, V, PP, PQ, PV]) decode(encoded [2][][]byte, scalars [][]byte) {
	t.encoded = encoded
	for row, scalar := range scalars {
		t.scalars = append(t.scalars, new(big.Int).SetBytes(scalar))
		for group := range encoded {
			if t.validate(group+1, row) != nil {
				t.p, t.q = *new(P), *new(Q)
			}
		}
		t.ps, t.qs = append(t.ps, t.p), append(t.qs, t.q)
		t.pair(row, 1)
		t.values = append(t.values, t.last)
	}
	if len(t.qs) > 0 {
		t.first = t.lines(t.qs[0])
	}
}

func (t *on[P, Q, L, V, PP, PQ, PV]) prepared(row int) {
	t.spent[0] = t.first
	t.last, _ = t.fixed(t.ps[row:row+1], t.spent[:])
}

func (t *on[P, Q, L, V, PP, PQ, PV]) pair(first, count int) {
	// an error is impossible: it means slices of different lengths
	t.last, _ = t.pairing(t.ps[first:first+count], t.qs[first:first+count])
}

func (t *on[P, Q, L, V, PP, PQ, PV]) value() []byte {
	return PV(&t.last).Marshal()
}

func (t *on[P, Q, L, V, PP, PQ, PV]) validate(group, row int) (err error) {
	if group == 1 {
		_, err = PP(&t.p).SetBytes(t.encoded[0][row])
	} else {
		_, err = PQ(&t.q).SetBytes(t.encoded[1][row])
	}
	return err
}

func (t *on[P, Q, L, V, PP, PQ, PV]) hash(group int, message, tag []byte) []byte {
	// an error means a tag of more than 255 bytes
	if group == 1 {
		t.p, _ = t.hashP(message, tag)
		return PP(&t.p).Marshal()
	}
	t.q, _ = t.hashQ(message, tag)
	return PQ(&t.q).Marshal()
}

func (t *on[P, Q, L, V, PP, PQ, PV]) multiply(group, row int) []byte {
	if group == 1 {
		PP(&t.p).ScalarMultiplication(&t.ps[row], t.scalars[row])
		return PP(&t.p).Marshal()
	}
	PQ(&t.q).ScalarMultiplication(&t.qs[row], t.scalars[row])
	return PQ(&t.q).Marshal()
}

func (t *on[P, Q, L, V, PP, PQ, PV]) power(row int) {
	PV(&t.last).ExpGLV(t.values[row], t.scalars[row])
}
