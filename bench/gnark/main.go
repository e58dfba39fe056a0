// Package main is a shared library with gnark-crypto behind a few C functions. The ladder finds it by BILINEAR_GNARK.
//
//	go build -buildmode=c-shared -o libgnark.so .
//
// A table holds the decoded points of all rows, so that a call only computes. Results stay in the table. Everything runs on
// one processor.
package main

// #include <stddef.h>
// #include <stdint.h>
import "C"

import (
	"runtime"
	"runtime/cgo"
	"slices"
	"unsafe"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
)

// The numbers of the curves for gnark_open.
const (
	onBN254 = iota
	onBLS12381
)

func init() {
	runtime.GOMAXPROCS(1)
}

// gnark_open makes the table of a curve from the points of its rows (RawBytes) and from scalars of 32 bytes, big-endian. It
// returns a handle, or 0 if the curve is unknown. A point that is not in its group becomes the point at infinity;
// gnark_validate reports it.
//
//export gnark_open
func gnark_open(curve C.int, rows C.size_t, ps, qs, scalars *C.uint8_t) C.uintptr_t {
	var t table
	var sizes [2]C.size_t
	switch curve {
	case onBN254:
		t = tableOn(bn254.Pair, bn254.PrecomputeLines, bn254.PairFixedQ, bn254.HashToG1, bn254.HashToG2)
		sizes = [2]C.size_t{bn254.SizeOfG1AffineUncompressed, bn254.SizeOfG2AffineUncompressed}
	case onBLS12381:
		t = tableOn(bls12381.Pair, bls12381.PrecomputeLines, bls12381.PairFixedQ, bls12381.HashToG1, bls12381.HashToG2)
		sizes = [2]C.size_t{bls12381.SizeOfG1AffineUncompressed, bls12381.SizeOfG2AffineUncompressed}
	default:
		return 0
	}
	encoded := [2][][]byte{parts(ps, rows, sizes[0]), parts(qs, rows, sizes[1])}
	t.decode(encoded, parts(scalars, rows, fr.Bytes))
	return C.uintptr_t(cgo.NewHandle(t))
}

//export gnark_close
func gnark_close(handle C.uintptr_t) {
	cgo.Handle(handle).Delete()
}

// gnark_pair computes the product of the pairings of count rows, beginning with row first.
//
//export gnark_pair
func gnark_pair(handle C.uintptr_t, first, count C.size_t) {
	of(handle).pair(int(first), int(count))
}

// gnark_prepared computes the pairing of the P of a row and the Q of row 0, whose lines the table holds.
//
//export gnark_prepared
func gnark_prepared(handle C.uintptr_t, row C.size_t) {
	of(handle).prepared(int(row))
}

// gnark_value writes the last result of gnark_pair, gnark_prepared or gnark_power, as GT's Bytes. It returns the number of
// bytes of the result, and writes at most room bytes.
//
//export gnark_value
func gnark_value(handle C.uintptr_t, out *C.uint8_t, room C.size_t) C.size_t {
	return written(of(handle).value(), out, room)
}

// gnark_validate returns 1 if the encoded point of a row is in its group, 1 or 2, and 0 otherwise.
//
//export gnark_validate
func gnark_validate(handle C.uintptr_t, group C.int, row C.size_t) C.int {
	if of(handle).validate(int(group), int(row)) != nil {
		return 0
	}
	return 1
}

// gnark_hash hashes a message to a point, and writes the point as RawBytes. The result is the number of its bytes.
//
//export gnark_hash
func gnark_hash(handle C.uintptr_t, group C.int, message *C.uint8_t, messageLen C.size_t, tag *C.uint8_t, tagLen C.size_t,
	out *C.uint8_t, room C.size_t) C.size_t {
	return written(of(handle).hash(int(group), view(message, messageLen), view(tag, tagLen)), out, room)
}

// gnark_multiply multiplies the point of a row by the scalar of the row, and writes the result as RawBytes. It returns the
// number of bytes.
//
//export gnark_multiply
func gnark_multiply(handle C.uintptr_t, group C.int, row C.size_t, out *C.uint8_t, room C.size_t) C.size_t {
	return written(of(handle).multiply(int(group), int(row)), out, room)
}

// gnark_power raises the pairing of a row to the scalar of the row.
//
//export gnark_power
func gnark_power(handle C.uintptr_t, row C.size_t) {
	of(handle).power(int(row))
}

func of(handle C.uintptr_t) table {
	return cgo.Handle(handle).Value().(table)
}

func view(bytes *C.uint8_t, size C.size_t) []byte {
	return unsafe.Slice((*byte)(bytes), int(size))
}

// parts copies bytes into count parts of equal size.
func parts(bytes *C.uint8_t, count, size C.size_t) [][]byte {
	return slices.Collect(slices.Chunk(slices.Clone(view(bytes, count*size)), int(size)))
}

func written(bytes []byte, out *C.uint8_t, room C.size_t) C.size_t {
	copy(view(out, room), bytes)
	return C.size_t(len(bytes))
}

func main() {}
