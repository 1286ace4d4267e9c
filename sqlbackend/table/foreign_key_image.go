package table

import (
	"bytes"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// A foreign key may be between columns whose types differ in their definition: ENUMs of other members, DECIMALs of
// another scale. MySQL then compares their stored bytes: numbers of members, the bytes of a DECIMAL, the bytes of a
// fraction of seconds. With different sizes no two values are equal.

// imageKind is the meaning of the bytes of a type's values.
type imageKind uint8

const (
	imageNone imageKind = iota // values are compared, not bytes
	imageEnum
	imageSet
	imageDecimal
	imageBit
	imageDatetime
	imageTimestamp
)

// imageOf returns the kind of a type's bytes, and their number.
func imageOf(t sql.Type) (kind imageKind, size int) {
	switch t := t.(type) {
	case sql.EnumType:
		if t.NumberOfElements() < 256 {
			return imageEnum, 1
		}
		return imageEnum, 2
	case sql.SetType:
		if size = int(t.NumberOfElements()+7) / 8; size > 4 {
			size = 8
		}
		return imageSet, size
	case sql.DecimalType:
		return imageDecimal, len(decimalImage(decimal.Zero, int(t.Precision()), int(t.Scale())))
	case types.BitType:
		return imageBit, int(t.NumberOfBits()+7) / 8
	case sql.DatetimeType:
		kind, size = imageDatetime, 5+(t.Precision()+1)/2
		if types.IsTimestampType(t) {
			kind, size = imageTimestamp, 4+(t.Precision()+1)/2
		}
		if types.IsDateType(t) {
			kind = imageNone
		}
	}
	return kind, size
}

// alikeInImage reports whether a foreign key may be between columns of two types that differ in their definition.
func alikeInImage(a, b sql.Type) bool {
	kind, size := imageOf(a)
	other, its := imageOf(b)
	return kind != imageNone && kind == other && (kind != imageEnum && kind != imageSet || size == its)
}

// reimages reports whether a column's change of type changes the bytes of its values. New members after the old ones
// do not.
func reimages(was, now sql.Type) bool {
	kind, size := imageOf(was)
	other, its := imageOf(now)
	if kind == imageNone || was.Equals(now) {
		return false
	}
	var before, after []string
	switch t := was.(type) {
	case sql.EnumType:
		before = t.Values()
	case sql.SetType:
		before = t.Values()
	}
	switch t := now.(type) {
	case sql.EnumType:
		after = t.Values()
	case sql.SetType:
		after = t.Values()
	}
	return kind != other || size != its || len(before) == 0 || len(after) < len(before) ||
		!slices.Equal(before, after[:len(before)])
}

// sameImage returns the value of a type that has the same bytes as a value of another type; false if there is none.
func sameImage(from, to sql.Type, v any) (any, bool) {
	kind, size := imageOf(from)
	if other, its := imageOf(to); kind == imageNone || from.Equals(to) {
		return v, true
	} else if kind != other || size != its {
		return nil, false
	}
	switch x := v.(type) {
	case uint16:
		e, ok := to.(sql.EnumType)
		return x, ok && int(x) <= int(e.NumberOfElements())
	case uint64:
		switch t := to.(type) {
		case sql.SetType:
			return x, t.NumberOfElements() == 64 || x>>t.NumberOfElements() == 0
		case types.BitType:
			return x, t.NumberOfBits() == 64 || x>>t.NumberOfBits() == 0
		}
	case decimal.Decimal:
		of, ok := from.(sql.DecimalType)
		as, is := to.(sql.DecimalType)
		if !ok || !is {
			return nil, false
		}
		image := decimalImage(x, int(of.Precision()), int(of.Scale()))
		d, ok := ofDecimalImage(image, int(as.Precision()), int(as.Scale()))
		return d, ok
	}
	return v, true
}

// digitBytes is the number of bytes of a DECIMAL for this many digits; nine digits make a full group.
var digitBytes = [...]int{0, 1, 1, 2, 2, 3, 3, 4, 4, 4}

// decimalGroups returns the number of digits of each group of bytes, from the left. Before the point the first group
// may be short, after it the last.
func decimalGroups(precision, scale int) (groups []int) {
	whole := precision - scale
	if whole%9 > 0 {
		groups = append(groups, whole%9)
	}
	for range whole/9 + scale/9 {
		groups = append(groups, 9)
	}
	if scale%9 > 0 {
		groups = append(groups, scale%9)
	}
	return groups
}

// decimalImage returns the bytes that MySQL stores for a DECIMAL.
func decimalImage(d decimal.Decimal, precision, scale int) []byte {
	digits := d.Abs().Shift(int32(scale)).Round(0).String()
	digits = strings.Repeat("0", max(0, precision-len(digits))) + digits
	digits = digits[len(digits)-precision:]
	var out []byte
	for _, n := range decimalGroups(precision, scale) {
		value := 0
		for _, c := range digits[:n] {
			value = value*10 + int(c-'0')
		}
		digits = digits[n:]
		for i := digitBytes[n] - 1; i >= 0; i-- {
			out = append(out, byte(value>>(8*i)))
		}
	}
	if d.IsNegative() {
		for i := range out {
			out[i] = ^out[i]
		}
	}
	if len(out) > 0 {
		out[0] ^= 0x80
	}
	return out
}

// ofDecimalImage returns the DECIMAL of this precision and scale that has the bytes; false if there is none.
func ofDecimalImage(image []byte, precision, scale int) (decimal.Decimal, bool) {
	raw := bytes.Clone(image)
	if len(raw) == 0 {
		return decimal.Zero, false
	}
	raw[0] ^= 0x80
	negative := raw[0]&0x80 != 0
	if negative {
		for i := range raw {
			raw[i] = ^raw[i]
		}
	}
	d := decimal.Zero
	for _, n := range decimalGroups(precision, scale) {
		size := digitBytes[n]
		if size > len(raw) {
			return d, false
		}
		value := int64(0)
		for _, b := range raw[:size] {
			value = value<<8 | int64(b)
		}
		raw = raw[size:]
		d = d.Shift(int32(n)).Add(decimal.NewFromInt(value))
	}
	if d = d.Shift(int32(-scale)); negative {
		d = d.Neg()
	}
	return d, len(raw) == 0 && bytes.Equal(decimalImage(d, precision, scale), image)
}

// translated converts values of some columns to the values with the same bytes of other columns; ok is false if
// there are none.
func translated(from, to []*session.Column, values []any) (out []any, ok bool) {
	out = make([]any, len(values))
	for i, v := range values {
		if out[i], ok = sameImage(from[i].Typ, to[i].Typ, v); !ok {
			return nil, false
		}
	}
	return out, true
}

// compared returns the columns by whose types a child's values are compared with its parent's, after translation.
func (r *reference) compared() []*session.Column {
	out := make([]*session.Column, len(r.columns))
	for i, c := range r.columns {
		if out[i] = r.parentColumns[i]; !c.Typ.Equals(out[i].Typ) && alikeInImage(c.Typ, out[i].Typ) {
			out[i] = c
		}
	}
	return out
}

// ReimagesColumn reports whether a column's new definition changes the bytes of its values.
func ReimagesColumn(before, after *catalog.Table, place int) (bool, error) {
	was, err := session.ColumnAt(before, place)
	if err != nil {
		return false, err
	}
	now, err := session.ColumnAt(after, place)
	return err == nil && reimages(was.Typ, now.Typ), err
}
