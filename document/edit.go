package document

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// With returns d with v at a keypath, every other byte as it was. A value that
// is there is replaced where it stands; otherwise the member, and any objects
// that are missing above it, are appended last.
//
// It fails with *PathError when the keypath leads through a value that is no object. It
// fails with ErrKeypath when the keypath is empty, has [*] or a name that is not valid
// UTF-8. Limits are not checked: see Within.
func (d Document) With(path Keypath, v Value) (Document, error) {
	if err := checkEditable(path); err != nil {
		return Document{}, err
	}
	if v.IsZero() {
		return Document{}, fmt.Errorf("document: set %s: no value", path)
	}
	place, err := d.find(path)
	if err != nil {
		return Document{}, err
	}
	var b strings.Builder
	if place.found {
		b.Grow(len(d.raw) + len(v.raw))
		b.WriteString(d.raw[:place.valueStart])
		b.WriteString(v.raw)
		b.WriteString(d.raw[place.end:])
		return Document{Value{raw: b.String()}}, nil
	}
	var insert []byte
	if !place.emptyObject {
		insert = append(insert, ',')
	}
	missing := path[place.steps:]
	for i, step := range missing {
		if i > 0 {
			insert = append(insert, '{')
		}
		insert = append(appendQuoted(insert, step.Name), ':')
	}
	b.Grow(len(d.raw) + len(insert) + len(v.raw) + len(missing))
	b.WriteString(d.raw[:place.end])
	b.Write(insert)
	b.WriteString(v.raw)
	for range len(missing) - 1 {
		b.WriteByte('}')
	}
	b.WriteString(d.raw[place.end:])
	return Document{Value{raw: b.String()}}, nil
}

// Without returns d without the value at a keypath, every other byte as it
// was; d itself when nothing is there. It fails with ErrKeypath as With does.
func (d Document) Without(path Keypath) (Document, error) {
	if err := checkEditable(path); err != nil {
		return Document{}, err
	}
	place, err := d.find(path)
	if err != nil || !place.found {
		return d, nil
	}
	start, end := place.start, place.end
	switch {
	case end < len(d.raw) && d.raw[end] == ',':
		end++
	case d.raw[start-1] == ',':
		start--
	}
	return Document{Value{raw: d.raw[:start] + d.raw[end:]}}, nil
}

// Prepend returns d with one more member, before all others: the way to add a
// primary key. If d has a member of that name, it is replaced where it stands.
// It fails with ErrKeypath when name is not valid UTF-8.
func (d Document) Prepend(name string, v Value) (Document, error) {
	path := Keypath{{Name: name}}
	if _, ok := d.Member(name); ok || v.IsZero() || !utf8.ValidString(name) || len(d.raw) < 2 {
		return d.With(path, v)
	}
	text := make([]byte, 0, len(d.raw)+len(v.raw)+len(name)+8)
	text = append(text, '{')
	text = append(appendQuoted(text, name), ':')
	text = append(text, v.raw...)
	if d.raw != "{}" {
		text = append(text, ',')
	}
	text = append(text, d.raw[1:]...)
	return Document{FromCompact(text)}, nil
}

// Within fails with *SizeError or *DepthError when v exceeds a limit, as it
// may after With.
func (v Value) Within(lim Limits) error {
	if len(v.raw) > lim.size() {
		return &SizeError{Size: len(v.raw), Limit: lim.size()}
	}
	depth := 0
	for i := 0; i < len(v.raw); i++ {
		switch v.raw[i] {
		case '"':
			i = skipString(v.raw, i) - 1
		case '{', '[':
			if depth++; depth > lim.depth() {
				return &DepthError{Limit: lim.depth(), Offset: i}
			}
		case '}', ']':
			depth--
		}
	}
	return nil
}

func checkEditable(path Keypath) error {
	if len(path) == 0 {
		return fmt.Errorf("%w: it is empty", ErrKeypath)
	}
	if path.HasArray() {
		return fmt.Errorf("%w %s: the elements of an array can't be set by a keypath", ErrKeypath, path)
	}
	for _, step := range path {
		if !utf8.ValidString(step.Name) {
			return fmt.Errorf("%w: the name %q is not valid UTF-8", ErrKeypath, step.Name)
		}
	}
	return nil
}

// place is where a keypath leads in a document's text.
type place struct {
	found       bool
	start       int  // of the member, if found
	valueStart  int  // of its value, if found
	end         int  // of its value, if found; otherwise of the innermost object's contents
	steps       int  // names of the keypath that were found
	emptyObject bool // the innermost object has no members
}

// find follows a keypath as far as it goes.
func (d Document) find(path Keypath) (place, error) {
	at, object := 0, d.raw
	for i, step := range path {
		m := membersOf(object)
		found := false
		for m.next() {
			if m.is(step.Name) {
				found = true
				break
			}
		}
		if !found {
			return place{end: at + len(object) - 1, steps: i, emptyObject: len(object) == 2}, nil
		}
		p := place{found: true, start: at + m.start, valueStart: at + m.pos - len(m.value.raw), end: at + m.pos, steps: i + 1}
		if i == len(path)-1 {
			return p, nil
		}
		if t := m.value.Type(); t != TypeObject {
			return place{}, &PathError{Path: path, Above: path[:i+1], Type: t}
		}
		at, object = p.valueStart, m.value.raw
	}
	return place{}, nil
}
