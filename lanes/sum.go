package lanes

import (
	"encoding/binary"

	"github.com/sqlfdb/sqlfdb/keyspace"
)

const (
	// width is the length in bytes of a counter, a little-endian two's complement integer.
	width = 24
	// blockWidth is the width in bytes of a block's sums: one integer, to which each lane's sum is added at its place.
	blockWidth = width * keyspace.LanesPerBlock
)

// count is a counter's value.
type count [width]byte

func (c *count) isZero() bool { return *c == count{} }

// add adds modulo 2^192.
func (c *count) add(o *count) {
	var carry uint64
	for i := 0; i < width; i += 8 {
		a, b := binary.LittleEndian.Uint64(c[i:]), binary.LittleEndian.Uint64(o[i:])
		s := a + b
		t := s + carry
		carry = 0
		if s < a || t < s {
			carry = 1
		}
		binary.LittleEndian.PutUint64(c[i:], t)
	}
}

// negated is the value with the opposite sign.
func (c count) negated() count {
	for i := range c {
		c[i] = ^c[i]
	}
	c.add(&one)
	return c
}

var one, minusOne = count{1}, (count{1}).negated()

func isNegative(b []byte) bool { return b[width-1]&0x80 != 0 }

// laneOf takes a lane's value out of the sums of its block, which are empty where nothing was added. A lane below zero
// has borrowed one from the lane above it.
func laneOf(sums []byte, lane int) (c count) {
	if len(sums) != blockWidth {
		return c
	}
	at := lane * width
	copy(c[:], sums[at:])
	if lane > 0 && isNegative(sums[at-width:at]) {
		c.add(&one)
	}
	return c
}

// operand is the operand of an atomic add that adds to each lane of a block its count.
func operand(lanes *[keyspace.LanesPerBlock]count) []byte {
	out := make([]byte, blockWidth)
	borrowed := false
	for lane := range lanes {
		c := lanes[lane]
		if borrowed {
			c.add(&minusOne)
		}
		borrowed = isNegative(c[:])
		copy(out[lane*width:], c[:])
	}
	return out
}
