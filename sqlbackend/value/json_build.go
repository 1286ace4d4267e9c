package value

import (
	"github.com/sqlfdb/sqlfdb/document"
)

// JSONMembers are the members of an object that is put together, in the order of
// their names' first values. Of a name that is there twice the last value stays.
type JSONMembers struct {
	names  []string
	values map[string][]byte
}

// Set gives a name its value, and returns the one before.
func (m *JSONMembers) Set(name string, text []byte) (before []byte) {
	if m.values == nil {
		m.values = map[string][]byte{}
	}
	before, there := m.values[name]
	if !there {
		m.names = append(m.names, name)
	}
	m.values[name] = text
	return before
}

// Len is how many members there are.
func (m *JSONMembers) Len() int { return len(m.names) }

// Object is the object of the members.
func (m *JSONMembers) Object() (any, error) {
	text := []byte{'{'}
	for i, name := range m.names {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(AppendString(text, name), ':'), m.values[name]...)
	}
	return OwnJSON(append(text, '}'))
}

// OwnJSON is text that was put together from values, checked: nesting adds up.
func OwnJSON(text []byte) (any, error) {
	v, err := document.ParseValue(text, document.Limits{})
	if err != nil {
		return nil, JSONTextError(err, "")
	}
	return JSON{Held: v}, nil
}
