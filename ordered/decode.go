package ordered

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/collation"
)

// Decoded is a value read back from its encoding.
type Decoded struct {
	Class byte
	// Flag is a boolean's 0 or 1, an object's or array's ContainerX.
	Flag byte
	// Text is a number's canonical literal, a string's or byte string's
	// content, a date or time in its canonical form; empty for other classes.
	Text string
	// Truncated: a string of which the encoding doesn't hold all. Text is
	// empty then.
	Truncated bool
}

// DecodeOptions are the settings that the encoder had.
type DecodeOptions struct {
	Collation *collation.Collation // nil is collation.Default
	Limit     int
}

// Decode reads an encoding of this package. It fails with ErrEncoding. The
// result shares no memory with b.
func Decode(b []byte, o DecodeOptions) (Decoded, error) {
	if len(b) == 0 {
		return Decoded{}, fmt.Errorf("ordered: decode: %w: it is empty", ErrEncoding)
	}
	d := Decoded{Class: b[0]}
	payload := b[1:]
	ok := false
	switch d.Class {
	case ClassNull:
		ok = len(payload) == 0
	case ClassBool:
		if ok = len(payload) == 1 && payload[0] <= 1; ok {
			d.Flag = payload[0]
		}
	case ClassObject, ClassArray:
		if ok = len(payload) == 1 && payload[0] <= ContainerStub; ok {
			d.Flag = payload[0]
		}
	case ClassNumber:
		var rest []byte
		d.Text, rest, ok = decodeNumber(payload)
		ok = ok && len(rest) == 0
	case ClassString:
		d.Text, d.Truncated = decodeString(payload, o)
		ok = true
	case ClassBytes:
		d.Text, ok = string(payload), true
	case ClassDate:
		if ok = len(payload) == 3; ok {
			d.Text = formatDate(number(payload))
		}
	case ClassTime:
		if ok = len(payload) == 6; ok {
			d.Text = formatTime(number(payload) - timeBias)
		}
	case ClassDatetime:
		if ok = len(payload) == 9; ok {
			d.Text = formatDate(number(payload[:3])) + " " + formatClock(number(payload[3:6]), number(payload[6:]))
		}
	}
	if !ok {
		return Decoded{}, fmt.Errorf("ordered: decode % x: %w", b[:min(len(b), 40)], ErrEncoding)
	}
	return d, nil
}

func decodeString(payload []byte, o DecodeOptions) (s string, truncated bool) {
	c := o.Collation
	if c == nil {
		c = collation.Default
	}
	own := payload
	if !c.IsBinary() {
		var complete bool
		if _, own, complete = collation.SplitKey(payload); !complete {
			return "", true
		}
	}
	if o.Limit > 0 && len(own) >= o.Limit {
		return "", true
	}
	return string(own), false
}

func number(b []byte) int64 {
	var n int64
	for _, x := range b {
		n = n<<8 | int64(x)
	}
	return n
}

func formatTime(micros int64) string {
	sign := ""
	if micros < 0 {
		sign, micros = "-", -micros
	}
	return sign + formatClock(micros/1_000_000, micros%1_000_000)
}
