package document

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// Step is one name of a keypath and whether the way goes on, or ends, in the
// elements of the array there.
type Step struct {
	Name  string
	Array bool
}

// Keypath is the way from the root of a document to a value. Through an array
// it names no element: grades[*].score. An array directly inside an array has
// no keypath of its own.
type Keypath []Step

// NamedKeypath is the keypath that a column's name spells. A name that spells none is the single key of that name.
func NamedKeypath(name string) Keypath {
	path, err := ParseKeypath(name)
	if err != nil {
		return Keypath{{Name: name}}
	}
	return path
}

// ParseKeypath reads the spelling that String writes: names joined by dots,
// each with [*] after it when the way goes through the array's elements. A name
// may be quoted as a JSON string, and must be when it is empty or holds '.',
// '[', '"', '\' or a control character. It fails with ErrKeypath.
func ParseKeypath(s string) (Keypath, error) {
	var k Keypath
	for i := 0; ; {
		name, end, err := parseName(s, i)
		if err != nil {
			return nil, err
		}
		step := Step{Name: name}
		i = end
		if strings.HasPrefix(s[i:], "[*]") {
			step.Array = true
			i += 3
		}
		k = append(k, step)
		switch {
		case i == len(s):
			return k, nil
		case s[i] == '.':
			i++
		case s[i] == '[' && step.Array && strings.HasPrefix(s[i:], "[*]"):
			return nil, keypathError(s, i, "an array directly inside an array has no keypath")
		case s[i] == '[':
			return nil, keypathError(s, i, "the only thing in brackets can be *")
		default:
			return nil, keypathError(s, i, "found %s, expected '.' or the end", describeAt(s, i))
		}
	}
}

// parseName reads the name at i, quoted or not.
func parseName(s string, i int) (name string, end int, err error) {
	if i < len(s) && s[i] == '"' {
		end, escaped, err := scanString(s, i+1)
		if err != nil {
			return "", 0, keypathError(s, err.(*SyntaxError).Offset, "%s", err.(*SyntaxError).Message)
		}
		name = s[i+1 : end-1]
		if escaped {
			name = string(appendUnescaped(nil, name))
		}
		return name, end, nil
	}
	end = i
	for end < len(s) && s[end] != '.' && s[end] != '[' {
		if c := s[end]; c == '"' || c == '\\' || c < ' ' {
			return "", 0, keypathError(s, end, "a name that holds %s must be quoted", describeAt(s, end))
		}
		end++
	}
	if end == i {
		return "", 0, keypathError(s, i, `found %s, expected a name (an empty one is written "")`, describeAt(s, i))
	}
	if !utf8.ValidString(s[i:end]) {
		return "", 0, keypathError(s, i, "a name is not valid UTF-8")
	}
	return s[i:end], end, nil
}

func keypathError(s string, i int, format string, args ...any) error {
	return fmt.Errorf("%w %s at byte %d: %s", ErrKeypath, quoteForMessage(s), i, fmt.Sprintf(format, args...))
}

// String spells the keypath. Two keypaths have one spelling only if they are
// equal, and ParseKeypath reads it back.
func (k Keypath) String() string { return string(k.Append(nil)) }

// Append appends the spelling of the keypath.
func (k Keypath) Append(dst []byte) []byte {
	for i, step := range k {
		if i > 0 {
			dst = append(dst, '.')
		}
		dst = appendName(dst, step.Name)
		if step.Array {
			dst = append(dst, "[*]"...)
		}
	}
	return dst
}

// appendName spells one name, quoted where it must be.
func appendName(dst []byte, name string) []byte {
	quote := name == ""
	for i := 0; i < len(name); i++ {
		if c := name[i]; c < ' ' || c == '.' || c == '[' || c == '"' || c == '\\' {
			quote = true
			break
		}
	}
	if quote {
		return appendQuoted(dst, name)
	}
	return append(dst, name...)
}

// Equal reports whether both are the same keypath.
func (k Keypath) Equal(other Keypath) bool { return slices.Equal(k, other) }

// HasArray reports whether the keypath goes through an array: [*] anywhere.
func (k Keypath) HasArray() bool {
	return slices.ContainsFunc(k, func(s Step) bool { return s.Array })
}

// JSONPath spells the keypath as a JSON path expression of MySQL:
// $.a."b.c"[*]. Names that are no identifiers are quoted.
func (k Keypath) JSONPath() string {
	dst := []byte{'$'}
	for _, step := range k {
		dst = append(dst, '.')
		dst = appendPathName(dst, step.Name)
		if step.Array {
			dst = append(dst, "[*]"...)
		}
	}
	return string(dst)
}

// Lookup returns the value at a keypath without [*]; false when there is none,
// or the keypath has a [*]. The empty keypath is the document itself.
func (d Document) Lookup(k Keypath) (Value, bool) {
	v := d.Value
	for _, step := range k {
		if step.Array {
			return Value{}, false
		}
		var ok bool
		if v, ok = v.Member(step.Name); !ok {
			return Value{}, false
		}
	}
	return v, true
}

// All iterates over the values at a keypath with their positions, as Flatten gives them.
// Positions are a single 0 for a value not below an array, otherwise the indexes from 1 of
// the enclosing arrays, outermost first. The slice of positions is reused; the caller must
// copy it to keep it.
func (d Document) All(k Keypath) iter.Seq2[[]int64, Value] {
	return func(yield func([]int64, Value) bool) {
		allAt(d.Value, k, nil, yield)
	}
}

func allAt(v Value, k Keypath, positions []int64, yield func([]int64, Value) bool) bool {
	for i, step := range k {
		var ok bool
		if v, ok = v.Member(step.Name); !ok {
			return true
		}
		if !step.Array {
			continue
		}
		positions = append(positions, 0)
		e := elementsOf(v.raw)
		for e.next() {
			positions[len(positions)-1]++
			if !allAt(e.value, k[i+1:], positions, yield) {
				return false
			}
		}
		return true
	}
	if len(positions) == 0 {
		positions = []int64{0}
	}
	return yield(positions, v)
}
