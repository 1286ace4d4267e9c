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
	json jsonSpelling
}

// jsonSpelling is how much it matters how a JSON value is written, and what is known of that.
type jsonSpelling struct {
	// shown: of equal values the one of the first document is shown as it is written. text: the text of
	// each value is asked for.
	shown, text bool
	// whole: the numbers are integers written as such, so that all but 0, which may be -0, are
	// written as their entries have them.
	whole bool
	// numbers: there are some. containers: there are objects or arrays, of which an entry tells no more than that.
	numbers, containers bool
}

// anyJSON is of values that are shown as JSON, of whose spelling nothing is known.
var anyJSON = jsonSpelling{shown: true}

// number is how much an entry tells of a number's text.
func (s jsonSpelling) number(literal string) told {
	switch {
	case literal != "0" && (s.whole || !s.shown && !s.text):
		return toldAll
	case s.text:
		return toldSome
	}
	return toldEqual
}

// string is how much an entry tells of a string, which may be written with escapes.
func (s jsonSpelling) string() told {
	if s.shown {
		return toldEqual
	}
	return toldAll
}

// entryReader is the reader of a column's entries.
func (d *definition) entryReader(c *column) entryReader {
	return entryReader{c.unit, ordered.DecodeOptions{Collation: d.encoder.Collation(c.keypath.String()),
		Limit: d.encoder.Limit()}, anyJSON}
}

// value is the value of an entry, as far as the entry tells.
func (r entryReader) value(encoded []byte) (v document.Value, tells told, err error) {
	x, err := ordered.Decode(encoded, r.opts)
	if err != nil {
		return v, toldSome, err
	}
	tells = toldAll
	switch x.Class {
	case ordered.ClassNull:
		return document.NullValue(), toldAll, nil
	case ordered.ClassBool:
		return document.BoolValue(x.Flag == 1), toldAll, nil
	case ordered.ClassNumber:
		if x.Text == "0" && (r.unit == unitDouble || r.unit == unitFloat) {
			tells = toldEqual // it may be -0
		}
		if r.unit == unitJSON {
			tells = r.json.number(x.Text)
		}
		v, err = document.NumberValue(x.Text)
		return v, tells, err
	case ordered.ClassString, ordered.ClassDate, ordered.ClassTime, ordered.ClassDatetime:
		if x.Truncated {
			return v, toldSome, nil
		}
		if r.unit == unitJSON {
			tells = r.json.string()
		}
		v, err = document.StringValue(x.Text)
		return v, tells, err
	}
	return v, toldSome, nil
}
