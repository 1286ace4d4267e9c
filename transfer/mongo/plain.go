package mongo

import (
	"encoding/base64"
	"math"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/sqlfdb/sqlfdb/document"
)

// These functions append each type of BSON as plain JSON to dst.

// Texts that stand for values that JSON lacks.
const (
	minKey = "MinKey"
	maxKey = "MaxKey"
)

// subtypeUUID is the subtype of binary data that is a UUID; the older one, 3, has its bytes in an order that
// differs by driver.
const subtypeUUID = 4

// appendText appends a text; one that is not UTF-8 is an error.
func appendText(dst []byte, s string) ([]byte, error) { return document.AppendQuoted(dst, s) }

// appendDate appends milliseconds since 1970 as a text that sorts as the dates do, or, out of the years 0 to 9999,
// as the number that they are.
func appendDate(dst []byte, ms int64) []byte {
	t := time.UnixMilli(ms).UTC()
	if t.Year() < 0 || t.Year() > 9999 {
		return strconv.AppendInt(dst, ms, 10)
	}
	dst = append(dst, '"')
	dst = t.AppendFormat(dst, "2006-01-02T15:04:05.000Z")
	return append(dst, '"')
}

// appendDouble appends a number that is a float, or the text NaN, Infinity or -Infinity.
func appendDouble(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	}
	v, err := document.FloatValue(f)
	if err != nil {
		return append(dst, "null"...) // it is finite
	}
	return append(dst, v.Raw()...)
}

// appendLiteral appends a number with its digits, or the text itself when JSON has no such number.
func appendLiteral(dst []byte, literal string) ([]byte, error) {
	if v, err := document.NumberValue(literal); err == nil {
		return append(dst, v.Raw()...), nil
	}
	return appendText(dst, literal)
}

// appendBinary appends a UUID as it is spelled, other bytes in base64.
func appendBinary(dst []byte, subtype byte, data []byte) []byte {
	dst = append(dst, '"')
	if id, err := uuid.FromBytes(data); err == nil && subtype == subtypeUUID {
		dst = append(dst, id.String()...)
	} else {
		dst = base64.StdEncoding.AppendEncode(dst, data)
	}
	return append(dst, '"')
}

// appendRegex appends /pattern/options.
func appendRegex(dst []byte, pattern, options string) ([]byte, error) {
	return appendText(dst, "/"+pattern+"/"+options)
}

// appendTimestamp appends the two parts of an internal timestamp.
func appendTimestamp(dst []byte, t, i uint32) []byte {
	dst = append(dst, `{"t":`...)
	dst = strconv.AppendUint(dst, uint64(t), 10)
	dst = append(dst, `,"i":`...)
	dst = strconv.AppendUint(dst, uint64(i), 10)
	return append(dst, '}')
}
