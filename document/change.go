package document

import (
	"fmt"
	"unsafe"
)

// The methods below are MySQL's functions that change JSON, for one path each.
// They return the changed value, every byte elsewhere as it was, or v itself
// when the path leads nowhere that they may change. They fail with
// *JSONPathError when the path can find many values. Limits are not checked:
// see Within.

// Set is JSON_SET: it replaces the value at the path, or adds one where all but
// the last step of the path is there.
func (v Value) Set(path JSONPath, to Value) (Value, error) {
	if err := checkChange("JSON_SET", path, to); err != nil {
		return Value{}, err
	}
	if changed, ok := v.replaceAt(path, to); ok {
		return changed, nil
	}
	return v.addAt(path, to), nil
}

// Insert is JSON_INSERT: Set where nothing is yet.
func (v Value) Insert(path JSONPath, to Value) (Value, error) {
	if err := checkChange("JSON_INSERT", path, to); err != nil {
		return Value{}, err
	}
	if _, ok := v.Extract(path); ok {
		return v, nil
	}
	return v.addAt(path, to), nil
}

// Replace is JSON_REPLACE: Set where something is already.
func (v Value) Replace(path JSONPath, to Value) (Value, error) {
	if err := checkChange("JSON_REPLACE", path, to); err != nil {
		return Value{}, err
	}
	changed, ok := v.replaceAt(path, to)
	if !ok {
		return v, nil
	}
	return changed, nil
}

// Remove is JSON_REMOVE. Of a value that is no array, its last step removes
// nothing. It also fails with *JSONPathError for $ alone.
func (v Value) Remove(path JSONPath) (Value, error) {
	if err := checkChange("JSON_REMOVE", path, NullValue()); err != nil {
		return Value{}, err
	}
	if len(path) == 0 {
		return Value{}, &JSONPathError{Path: path.String(), Message: "JSON_REMOVE can't remove the whole value"}
	}
	parent, last, ok := v.parentOf(path)
	if !ok || last.Kind == PathElement && parent.Type() != TypeArray {
		return v, nil
	}
	found, ok := parent.Extract(JSONPath{last})
	if !ok {
		return v, nil
	}
	start := v.offsetOf(found)
	end := start + len(found.raw)
	if last.Kind == PathMember {
		m := membersOf(parent.raw)
		for m.next() && !m.is(last.Name) {
		}
		start = v.offsetOf(parent) + m.start
	}
	switch {
	case end < len(v.raw) && v.raw[end] == ',':
		end++
	case start > 0 && v.raw[start-1] == ',':
		start--
	}
	return v.splice(start, end, ""), nil
}

// ArrayAppend is JSON_ARRAY_APPEND: it appends to the array at the path; a
// value that is no array becomes an array's first element.
func (v Value) ArrayAppend(path JSONPath, element Value) (Value, error) {
	if err := checkChange("JSON_ARRAY_APPEND", path, element); err != nil {
		return Value{}, err
	}
	found, ok := v.Extract(path)
	if !ok {
		return v, nil
	}
	start := v.offsetOf(found)
	if found.Type() != TypeArray {
		return v.splice(start, start+len(found.raw), ArrayValue(found, element).raw), nil
	}
	return v.insertElement(found, len(found.raw)-1, element), nil
}

// ArrayInsert is JSON_ARRAY_INSERT: it inserts before the element that the
// path names, at the array's end if the array is shorter. It also fails with
// *JSONPathError when the path doesn't end with an index.
func (v Value) ArrayInsert(path JSONPath, element Value) (Value, error) {
	if err := checkChange("JSON_ARRAY_INSERT", path, element); err != nil {
		return Value{}, err
	}
	if len(path) == 0 || path[len(path)-1].Kind != PathElement {
		return Value{}, &JSONPathError{Path: path.String(), Message: "JSON_ARRAY_INSERT needs a path that ends with an index"}
	}
	array, last, ok := v.parentOf(path)
	if !ok || array.Type() != TypeArray {
		return v, nil
	}
	at := len(array.raw) - 1
	index, _ := last.From.of(array.Count())
	if before, ok := array.Element(index); ok {
		at = array.offsetOf(before)
	}
	return v.insertElement(array, at, element), nil
}

func checkChange(function string, path JSONPath, to Value) error {
	if path.FindsMany() {
		return &JSONPathError{Path: path.String(), Message: function + " takes no *, ** or range"}
	}
	if to.IsZero() {
		return fmt.Errorf("document: %s: no value", function)
	}
	return nil
}

// parentOf finds the value that the path's last step starts from.
func (v Value) parentOf(path JSONPath) (parent Value, last PathStep, ok bool) {
	n := len(path) - 1
	parent, ok = v.Extract(path[:n])
	return parent, path[n], ok
}

// offsetOf returns where part, a view of v's text, starts in it.
func (v Value) offsetOf(part Value) int {
	start := uintptr(unsafe.Pointer(unsafe.StringData(v.raw)))
	return int(uintptr(unsafe.Pointer(unsafe.StringData(part.raw))) - start)
}

func (v Value) splice(start, end int, text string) Value {
	return Value{raw: v.raw[:start] + text + v.raw[end:]}
}

// replaceAt replaces the value at the path, if there is one.
func (v Value) replaceAt(path JSONPath, to Value) (Value, bool) {
	found, ok := v.Extract(path)
	if !ok {
		return Value{}, false
	}
	start := v.offsetOf(found)
	return v.splice(start, start+len(found.raw), to.raw), true
}

// addAt adds a value at a path where nothing is: a member last in its object,
// an element last in its array, or first for an index from the end. A value
// that is no array is made one for that.
func (v Value) addAt(path JSONPath, to Value) Value {
	if len(path) == 0 {
		return v
	}
	parent, last, ok := v.parentOf(path)
	if !ok {
		return v
	}
	start := v.offsetOf(parent)
	switch t := parent.Type(); {
	case last.Kind == PathMember && t == TypeObject:
		var text []byte
		if len(parent.raw) > 2 {
			text = append(text, ',')
		}
		text = append(appendQuoted(text, last.Name), ':')
		text = append(text, to.raw...)
		end := start + len(parent.raw) - 1
		return v.splice(end, end, string(text))
	case last.Kind == PathMember:
		return v
	case t == TypeArray && last.From.FromEnd:
		return v.insertElement(parent, 1, to)
	case t == TypeArray:
		return v.insertElement(parent, len(parent.raw)-1, to)
	case last.From.FromEnd:
		return v.splice(start, start+len(parent.raw), ArrayValue(to, parent).raw)
	default:
		return v.splice(start, start+len(parent.raw), ArrayValue(parent, to).raw)
	}
}

// insertElement inserts an element into array, a view of v's text, at an
// offset in array that is its end or where an element starts.
func (v Value) insertElement(array Value, at int, element Value) Value {
	text := element.raw
	switch {
	case len(array.raw) == 2:
	case at == len(array.raw)-1:
		text = "," + text
	default:
		text += ","
	}
	at += v.offsetOf(array)
	return v.splice(at, at, text)
}
