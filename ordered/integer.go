package ordered

// maxPairs is how many digits of base 100 an integer may have for Int64: 10^18 is below 2^63.
const maxPairs = 9

// Int64 is the integer of an encoding; ok is false if it is of another value, or has more than 18 digits. It is
// Decode without making a text, for reads of many.
func Int64(b []byte) (n int64, ok bool) {
	if len(b) < 2 || b[0] != ClassNumber {
		return 0, false
	}
	if b[1] == headerZero {
		return 0, len(b) == 2
	}
	var flip byte
	if b[1] < headerZero {
		flip = 0xff
	}
	pairs := int(b[1]^flip) - headerE0 // before the point
	digits := b[2:]
	if pairs < 1 || pairs > maxPairs || len(digits) == 0 || len(digits) > pairs {
		return 0, false
	}
	for i, x := range digits {
		x ^= flip
		last := i == len(digits)-1
		if d := x >> 1; d > 99 || d == 0 && (last || i == 0) || x&1 == 0 != last {
			return 0, false
		}
		n = n*100 + int64(x>>1)
	}
	for range pairs - len(digits) {
		n *= 100
	}
	if flip != 0 {
		n = -n
	}
	return n, true
}
