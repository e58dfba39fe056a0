// gnark-crypto behind a few C functions: the shared library that the ladder loads by BILINEAR_GNARK.
//
//	go build -buildmode=c-shared -o libgnark.so .
//
// A table holds the points of all rows, decoded, so that a call computes and does nothing else; its results stay in the
// table. Everything runs on one processor.
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

// Curves as gnark_open takes them.
const (
	onBN254 = iota
	onBLS12381
)

func init() {
	runtime.GOMAXPROCS(1)
}

// gnark_open makes the table of a curve from the points of its rows (RawBytes) and scalars of 32 bytes, big-endian; 0 if the
// curve is unknown. Points that are none of their group become the point at infinity: gnark_validate tells.
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

// gnark_pair computes the product of the pairings of count rows from first on.
//
//export gnark_pair
func gnark_pair(handle C.uintptr_t, first, count C.size_t) {
	of(handle).pair(int(first), int(count))
}

// gnark_prepared computes the pairing of the P of a row and the Q of row 0, whose lines the table has.
//
//export gnark_prepared
func gnark_prepared(handle C.uintptr_t, row C.size_t) {
	of(handle).prepared(int(row))
}

// gnark_value writes what gnark_pair, gnark_prepared or gnark_power has computed last, as GT's Bytes; gives the number of bytes, of which up to
// room are written.
//
//export gnark_value
func gnark_value(handle C.uintptr_t, out *C.uint8_t, room C.size_t) C.size_t {
	return written(of(handle).value(), out, room)
}

// gnark_validate is 1 if the encoded point of a row is one of group 1 or 2.
//
//export gnark_validate
func gnark_validate(handle C.uintptr_t, group C.int, row C.size_t) C.int {
	if of(handle).validate(int(group), int(row)) != nil {
		return 0
	}
	return 1
}

// gnark_hash writes the point of a message, as RawBytes.
//
//export gnark_hash
func gnark_hash(handle C.uintptr_t, group C.int, message *C.uint8_t, messageLen C.size_t, tag *C.uint8_t, tagLen C.size_t,
	out *C.uint8_t, room C.size_t) C.size_t {
	return written(of(handle).hash(int(group), view(message, messageLen), view(tag, tagLen)), out, room)
}

// gnark_multiply writes the multiple of a row's point by its scalar, as RawBytes.
//
//export gnark_multiply
func gnark_multiply(handle C.uintptr_t, group C.int, row C.size_t, out *C.uint8_t, room C.size_t) C.size_t {
	return written(of(handle).multiply(int(group), int(row)), out, room)
}

// gnark_power raises the value of a row to its scalar.
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

// parts copies count parts of a size each.
func parts(bytes *C.uint8_t, count, size C.size_t) [][]byte {
	return slices.Collect(slices.Chunk(slices.Clone(view(bytes, count*size)), int(size)))
}

func written(bytes []byte, out *C.uint8_t, room C.size_t) C.size_t {
	copy(view(out, room), bytes)
	return C.size_t(len(bytes))
}

func main() {}
