package table

import (
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// Fidelity is how exactly an entry holds its value.
type Fidelity uint8

const (
	// FidelityExact: the value reads the same from the entry as from the document.
	FidelityExact Fidelity = iota
	// FidelityEqual: all values with these bytes are equal, but only the document shows how this one is written.
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

// JSONSpelling is how much the spelling of JSON values matters, and what is known about it.
type JSONSpelling struct {
	// Shown: of equal values the first document's is shown, as it is written there. Text: each value's text is needed.
	Shown, Text bool
	// Whole: the numbers are integers written as such. All but 0, which may be -0, are then written as in their
	// entries.
	Whole bool
	// Numbers: there are numbers. Containers: there are objects or arrays, whose entries don't hold their contents.
	Numbers, Containers bool
}

// anyJSON is for values that are shown as JSON, and whose spelling is not known.
var anyJSON = JSONSpelling{Shown: true}

// number is how exactly an entry holds a number's text.
func (s JSONSpelling) number(literal string) Fidelity {
	switch {
	case literal != "0" && (s.Whole || !s.Shown && !s.Text):
		return FidelityExact
	case s.Text:
		return FidelityPartial
	}
	return FidelityEqual
}

// string is how exactly an entry holds a string; its text may have escapes.
func (s JSONSpelling) string() Fidelity {
	if s.Shown {
		return FidelityEqual
	}
	return FidelityExact
}

// EntryReaderOf returns the reader of a column's entries.
func EntryReaderOf(d *session.Definition, c *session.Column) EntryReader {
	return EntryReader{c.Unit, ordered.DecodeOptions{Collation: d.Encoder.Collation(c.Keypath.String()),
		Limit: d.Encoder.Limit()}, anyJSON}
}

// Value decodes the value of an entry; tells is how exactly the entry holds it.
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
