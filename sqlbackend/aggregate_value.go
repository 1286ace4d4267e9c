package sqlbackend

import (
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// told is how much an entry tells of the value that it stands for.
type told uint8

const (
	// toldAll: the value reads the same from the entry as from the document.
	toldAll told = iota
	// toldEqual: all values with these bytes are equal, but the document shows how
	// this one is written.
	toldEqual
	// toldSome: different values may have these bytes.
	toldSome
)

// entryReader reads a column's values back from entries.
type entryReader struct {
	unit unit
	opts ordered.DecodeOptions
}

// entryReader is the reader of a column's entries.
func (d *definition) entryReader(c *column) entryReader {
	return entryReader{c.unit, ordered.DecodeOptions{Collation: d.encoder.Collation(c.keypath.String()), Limit: d.encoder.Limit()}}
}

// value is the value of an entry, as far as the entry tells.
func (r entryReader) value(encoded []byte) (v document.Value, tells told, err error) {
	x, err := ordered.Decode(encoded, r.opts)
	if err != nil {
		return v, toldSome, err
	}
	tells = toldAll
	if r.unit == unitJSON {
		tells = toldEqual // JSON shows literals as they were written
	}
	switch x.Class {
	case ordered.ClassNull:
		return document.NullValue(), toldAll, nil
	case ordered.ClassBool:
		return document.BoolValue(x.Flag == 1), toldAll, nil
	case ordered.ClassNumber:
		if x.Text == "0" && (r.unit == unitDouble || r.unit == unitFloat) {
			tells = toldEqual // it may be -0
		}
		v, err = document.NumberValue(x.Text)
		return v, tells, err
	case ordered.ClassString, ordered.ClassDate, ordered.ClassTime, ordered.ClassDatetime:
		if x.Truncated {
			return v, toldSome, nil
		}
		v, err = document.StringValue(x.Text)
		return v, tells, err
	}
	return v, toldSome, nil
}
