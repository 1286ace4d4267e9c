package pushdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// label is the readable form of an encoded value.
type label struct {
	text   string
	quoted bool   // a string, shown as SQL writes it
	suffix string // shown after it
}

func (l label) String() string {
	if l.quoted {
		return quote(l.text) + l.suffix
	}
	return l.text + l.suffix
}

// label keeps the readable form of an encoded value and returns the value.
func (a *analysis) label(encoded []byte, l label) []byte {
	if a.labels == nil {
		return encoded
	}
	if _, there := a.labels[string(encoded)]; !there {
		a.labels[string(encoded)] = l
	}
	return encoded
}

// labelEnd is label for the end of a span. An end that is a labelled value and a zero byte gets no label.
func (a *analysis) labelEnd(end []byte, l label) []byte {
	if n := len(end); n > 0 && end[n-1] == 0 {
		if _, there := a.labels[string(end[:n-1])]; there {
			return end
		}
	}
	return a.label(end, l)
}

// labelled is the readable form of encoded bytes, if it has one.
func (a *analysis) labelled(encoded []byte) (string, bool) {
	l, ok := a.labels[string(encoded)]
	return l.String(), ok
}

// classNames are the order classes by the names that spans of whole classes
// are shown with.
var classNames = []struct {
	class byte
	name  string
}{
	{ordered.ClassNull, "null"},
	{ordered.ClassNumber, "numbers"},
	{ordered.ClassString, "strings"},
	{ordered.ClassObject, "objects"},
	{ordered.ClassArray, "arrays"},
	{ordered.ClassBool, "booleans"},
	{ordered.ClassDate, "dates"},
	{ordered.ClassTime, "times"},
	{ordered.ClassDatetime, "datetimes"},
	{ordered.ClassBytes, "bytes"},
}

// maxDescribed bounds the spans that are shown one by one.
const maxDescribed = 20

// describe is a set of values as people read it: points, intervals with the
// usual brackets, and whole classes by name.
func (a *analysis) describe(s indexes.Spans) string {
	if len(s) == 1 && s[0].End == nil {
		if bytes.Compare(s[0].Start, ordered.ClassStart(ordered.ClassNull)) <= 0 {
			return "all values"
		}
		if bytes.Equal(s[0].Start, notNull.start) {
			return "not null"
		}
	}
	var parts []string
	for _, sp := range s {
		parts = append(parts, a.describeSpan(sp)...)
	}
	if len(parts) == 0 {
		return "no value"
	}
	if len(parts) > maxDescribed {
		parts = append(parts[:maxDescribed:maxDescribed], "…")
	}
	return strings.Join(parts, ", ")
}

// describeSpan shows a span class by class.
func (a *analysis) describeSpan(sp indexes.Span) []string {
	if text, ok := a.labelled(sp.Start); ok {
		if end, _ := a.labelled(sp.End); sp.IsPoint() || end == text {
			return []string{text}
		}
	}
	var parts []string
	for _, c := range classNames {
		start, end := ordered.ClassStart(c.class), ordered.ClassEnd(c.class)
		if sp.End != nil && bytes.Compare(sp.End, start) <= 0 || bytes.Compare(sp.Start, end) >= 0 {
			continue
		}
		fromStart := bytes.Compare(sp.Start, start) <= 0
		toEnd := sp.End == nil || bytes.Compare(sp.End, end) >= 0
		if sp.End == nil && fromStart && c.class >= ordered.ClassDate {
			break // no JSON value has these classes; an open end just includes them
		}
		if fromStart && toEnd {
			parts = append(parts, c.name)
			continue
		}
		if c.class == ordered.ClassObject || c.class == ordered.ClassArray {
			parts = append(parts, describeContainers(c.class, c.name, sp))
			continue
		}
		if c.class == ordered.ClassBool {
			for _, b := range []bool{false, true} {
				if (indexes.Spans{sp}).Contains(ordered.AppendBool(nil, b)) {
					parts = append(parts, strconv.FormatBool(b))
				}
			}
			continue
		}
		low, high := "(-∞", "+∞)"
		if c.class == ordered.ClassString {
			low, high = "[''", "…)"
		}
		if !fromStart {
			low = a.bound(sp.Start, "[", "(")
		}
		if !toEnd {
			high = a.upper(sp.End)
		}
		parts = append(parts, low+", "+high)
	}
	return parts
}

// bound shows a lower bound: at the value, or just after it.
func (a *analysis) bound(b []byte, at, past string) string {
	if text, ok := a.labelled(b); ok {
		return at + text
	}
	if n := len(b); n > 0 && b[n-1] == 0 {
		if text, ok := a.labelled(b[:n-1]); ok {
			return past + text
		}
	}
	return at + "?"
}

// upper shows an upper bound: up to the value, or including it.
func (a *analysis) upper(b []byte) string {
	if text, ok := a.labelled(b); ok {
		return text + ")"
	}
	if n := len(b); n > 0 && b[n-1] == 0 {
		if text, ok := a.labelled(b[:n-1]); ok {
			return text + "]"
		}
	}
	return "?)"
}

// describeContainers shows a part of the objects or arrays: by whether they hold
// anything, and whether that is indexed.
func describeContainers(class byte, name string, sp indexes.Span) string {
	var kinds []string
	for flag, kind := range []string{
		ordered.ContainerEmpty: "empty ", ordered.ContainerIndexed: "indexed ", ordered.ContainerStub: "unindexed ",
	} {
		if (indexes.Spans{sp}).Contains(ordered.AppendContainer(nil, class, byte(flag))) {
			kinds = append(kinds, kind)
		}
	}
	switch {
	case len(kinds) == 3:
		return name
	case len(kinds) == 2 && kinds[1] == "unindexed ":
		return "filled " + name
	}
	return strings.Join(kinds, "and ") + name
}
