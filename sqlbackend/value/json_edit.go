package value

import (
	"errors"
	"fmt"

	"github.com/sqlfdb/sqlfdb/document"
)

// Errors of the functions that change JSON.
var (
	// ErrJSONPathWildcard: the path could mean several places (MySQL's 3149).
	ErrJSONPathWildcard = errors.New(
		"In this situation, path expressions may not contain the * and ** tokens or an array range.")
	// ErrJSONPathRoot: the whole document can't be removed (MySQL's 3153).
	ErrJSONPathRoot = errors.New("The path expression '$' is not allowed in this context.")
	// ErrJSONPathNotCell: JSON_ARRAY_INSERT needs a path that ends in [n] (MySQL's 3165).
	ErrJSONPathNotCell = errors.New("A path expression is not a path to a cell in an array.")
)

// EditOperation is the effect of one of MySQL's JSON functions at the end of a path.
type EditOperation uint8

const (
	EditSet EditOperation = iota
	EditInsert
	EditReplace
	EditRemove
	EditArrayInsert
	EditArrayAppend
)

// EditValue returns v with raw set at the path by one operation's rules, and
// whether anything changed. Bytes beside the path stay as they are.
func EditValue(op EditOperation, v document.Value, p JSONPath, raw []byte) (document.Value, bool, error) {
	if p.Wildcard() {
		return v, false, ErrJSONPathWildcard
	}
	if op == EditRemove && len(p) == 0 {
		return v, false, ErrJSONPathRoot
	}
	if op == EditArrayInsert && (len(p) == 0 || p[len(p)-1].Kind != legElement) {
		return v, false, ErrJSONPathNotCell
	}
	text, changed := edit(op, v, p, raw)
	if !changed {
		return v, false, nil
	}
	result, err := document.ParseValue(text, document.Limits{})
	if err != nil {
		return v, false, fmt.Errorf("sqlbackend: change JSON: %w", err)
	}
	return result, true, nil
}

// edit returns the new text of v, and false if nothing changes.
func edit(op EditOperation, v document.Value, p JSONPath, raw []byte) ([]byte, bool) {
	if len(p) == 0 {
		return editHere(op, v, raw)
	}
	switch leg := p[0]; {
	case leg.Kind == LegMember && v.Type() == document.TypeObject:
		return editMember(op, v, p, raw)
	case leg.Kind == legElement && v.Type() == document.TypeArray:
		return editElement(op, v, p, raw)
	case leg.Kind == legElement:
		return editScalarAsArray(op, v, p, raw)
	}
	return nil, false
}

// editHere applies an operation to the value that the path leads to.
func editHere(op EditOperation, v document.Value, raw []byte) ([]byte, bool) {
	switch op {
	case EditSet, EditReplace:
		return raw, true
	case EditArrayAppend:
		if v.Type() == document.TypeArray {
			return appendElement(v, raw), true
		}
		return joinArray(v.Raw(), raw), true
	}
	return nil, false
}

func editMember(op EditOperation, v document.Value, p JSONPath, raw []byte) ([]byte, bool) {
	text := v.Raw()
	for m := range scanMembers(text) {
		if m.name() != p[0].Name {
			continue
		}
		if op == EditRemove && len(p) == 1 {
			return cut(text, m.start, m.end), true
		}
		changed, ok := edit(op, document.FromCompact(text[m.value:m.end]), p[1:], raw)
		if !ok {
			return nil, false
		}
		return splice(text, m.value, m.end, changed), true
	}
	if len(p) > 1 || (op != EditSet && op != EditInsert) {
		return nil, false
	}
	out := append(make([]byte, 0, len(text)+len(raw)+len(p[0].Name)+8), text[:len(text)-1]...)
	if len(text) > 2 {
		out = append(out, ',')
	}
	out = append(AppendString(out, p[0].Name), ':')
	return append(append(out, raw...), '}'), true
}

func editElement(op EditOperation, v document.Value, p JSONPath, raw []byte) ([]byte, bool) {
	text, length := v.Raw(), v.Count()
	index := p[0].from.in(length)
	last := len(p) == 1
	if index < 0 || index >= length {
		if !last {
			return nil, false
		}
		switch {
		case op == EditArrayInsert && index < 0, (op == EditSet || op == EditInsert) && index < 0:
			return insertElement(v, 0, raw), true
		case op == EditArrayInsert, op == EditSet, op == EditInsert:
			return appendElement(v, raw), true
		}
		return nil, false
	}
	if op == EditArrayInsert && last {
		return insertElement(v, index, raw), true
	}
	e := nthElement(text, index)
	if op == EditRemove && last {
		return cut(text, e.start, e.end), true
	}
	changed, ok := edit(op, document.FromCompact(text[e.value:e.end]), p[1:], raw)
	if !ok {
		return nil, false
	}
	return splice(text, e.value, e.end, changed), true
}

// editScalarAsArray treats a value that is no array as an array of one:
// $[0] is the value itself, beyond it JSON_SET and JSON_INSERT make an array.
func editScalarAsArray(op EditOperation, v document.Value, p JSONPath, raw []byte) ([]byte, bool) {
	index := p[0].from.in(1)
	if index == 0 {
		if op == EditRemove || op == EditArrayInsert {
			if len(p) == 1 {
				return nil, false
			}
		}
		return edit(op, v, p[1:], raw)
	}
	if len(p) > 1 || (op != EditSet && op != EditInsert) {
		return nil, false
	}
	if index < 0 {
		return joinArray(raw, v.Raw()), true
	}
	return joinArray(v.Raw(), raw), true
}

func joinArray(a, b []byte) []byte {
	out := append(make([]byte, 0, len(a)+len(b)+3), '[')
	out = append(append(out, a...), ',')
	return append(append(out, b...), ']')
}

func appendElement(v document.Value, raw []byte) []byte {
	text := v.Raw()
	out := append(make([]byte, 0, len(text)+len(raw)+1), text[:len(text)-1]...)
	if len(text) > 2 {
		out = append(out, ',')
	}
	return append(append(out, raw...), ']')
}

func insertElement(v document.Value, index int, raw []byte) []byte {
	text := v.Raw()
	if len(text) <= 2 {
		return appendElement(v, raw)
	}
	at := nthElement(text, index).start
	out := append(make([]byte, 0, len(text)+len(raw)+1), text[:at]...)
	out = append(append(out, raw...), ',')
	return append(out, text[at:]...)
}

func splice(text []byte, start, end int, with []byte) []byte {
	out := append(make([]byte, 0, len(text)-(end-start)+len(with)), text[:start]...)
	return append(append(out, with...), text[end:]...)
}

// cut removes a member or element and the comma that goes with it.
func cut(text []byte, start, end int) []byte {
	if text[end] == ',' {
		end++
	} else if text[start-1] == ',' {
		start--
	}
	return splice(text, start, end, nil)
}

// jsonMember is the place of one member or element in compact JSON text: start is
// where its name (or, in an array, its value) begins, end is behind its value.
type jsonMember struct {
	text              []byte
	start, value, end int
}

func (m jsonMember) name() string {
	return document.FromCompact(m.text[m.start : m.value-1]).Str()
}

// scanMembers walks the members of an object's compact, valid text.
func scanMembers(text []byte) func(func(jsonMember) bool) {
	return func(yield func(jsonMember) bool) {
		for pos := 1; pos < len(text)-1; {
			value := skipJSON(text, pos) + 1
			end := skipJSON(text, value)
			if !yield(jsonMember{text: text, start: pos, value: value, end: end}) {
				return
			}
			pos = end + 1
		}
	}
}

// nthElement finds an element that exists in an array's compact, valid text.
func nthElement(text []byte, n int) jsonMember {
	pos := 1
	for ; n > 0; n-- {
		pos = skipJSON(text, pos) + 1
	}
	return jsonMember{text: text, start: pos, value: pos, end: skipJSON(text, pos)}
}

// skipJSON returns the position behind the value that begins at pos.
func skipJSON(text []byte, pos int) int {
	depth := 0
	for pos < len(text) {
		switch text[pos] {
		case '"':
			for pos++; pos < len(text) && text[pos] != '"'; pos++ {
				if text[pos] == '\\' {
					pos++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return pos // the end of a scalar's container
			}
			depth--
		case ',', ':':
			if depth == 0 {
				return pos
			}
		}
		pos++
		if depth == 0 && (text[pos-1] == '"' || text[pos-1] == '}' || text[pos-1] == ']') {
			return pos
		}
	}
	return min(pos, len(text))
}
