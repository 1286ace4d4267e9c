package table

import (
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// Fidelity is how much of its value an entry holds.
type Fidelity uint8

const (
	// FidelityExact: the value reads the same from the entry as from the document.
	FidelityExact Fidelity = iota
	// FidelityEqual: all values with these bytes are equal, but the document shows how
	// this one is written.
	FidelityEqual
	// FidelityPartial: different values may have these bytes.
	FidelityPartial
)

// EntryReader reads a column's values back from entries.
type EntryReader struct {
	Unit session.Unit
	Opts ordered.DecodeOptions
	JSON JSONSpelling
}

// JSONSpelling is how much it matters how a JSON value is written, and what is known of that.
type JSONSpelling struct {
	// shown: of equal values the one of the first document is shown as it is written. text: the text of
	// each value is asked for.
	Shown, Text bool
	// whole: the numbers are integers written as such, so that all but 0, which may be -0, are
	// written as their entries have them.
	Whole bool
	// numbers: there are some. containers: there are objects or arrays, of which an entry holds no more than that.
	Numbers, Containers bool
}

// anyJSON is of values that are shown as JSON, of whose spelling nothing is known.
var anyJSON = JSONSpelling{Shown: true}

// number is how much of a number's text an entry holds.
func (s JSONSpelling) number(literal string) Fidelity {
	switch {
	case literal != "0" && (s.Whole || !s.Shown && !s.Text):
		return FidelityExact
	case s.Text:
		return FidelityPartial
	}
	return FidelityEqual
}

// string is how much of a string an entry holds; its text may have escapes.
func (s JSONSpelling) string() Fidelity {
	if s.Shown {
		return FidelityEqual
	}
	return FidelityExact
}

// EntryReaderOf is the reader of a column's entries.
func EntryReaderOf(d *session.Definition, c *session.Column) EntryReader {
	return EntryReader{c.Unit, ordered.DecodeOptions{Collation: d.Encoder.Collation(c.Keypath.String()),
		Limit: d.Encoder.Limit()}, anyJSON}
}

// Value is the value of an entry, as far as the entry holds it.
func (r EntryReader) Value(encoded []byte) (v document.Value, tells Fidelity, err error) {
	x, err := ordered.Decode(encoded, r.Opts)
	if err != nil {
		return v, FidelityPartial, err
	}
	tells = FidelityExact
	switch x.Class {
	case ordered.ClassNull:
		return document.NullValue(), FidelityExact, nil
	case ordered.ClassBool:
		return document.BoolValue(x.Flag == 1), FidelityExact, nil
	case ordered.ClassNumber:
		if x.Text == "0" && (r.Unit == session.UnitDouble || r.Unit == session.UnitFloat) {
			tells = FidelityEqual // it may be -0
		}
		if r.Unit == session.UnitJSON {
			tells = r.JSON.number(x.Text)
		}
		v, err = document.NumberValue(x.Text)
		return v, tells, err
	case ordered.ClassString, ordered.ClassDate, ordered.ClassTime, ordered.ClassDatetime:
		if x.Truncated {
			return v, FidelityPartial, nil
		}
		if r.Unit == session.UnitJSON {
			tells = r.JSON.string()
		}
		v, err = document.StringValue(x.Text)
		return v, tells, err
	}
	return v, FidelityPartial, nil
}
