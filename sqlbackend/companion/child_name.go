package companion

import (
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// A child table's name is the table's name, `__`, and the way to the array. The names within one array's elements are
// joined as in keypaths; `__` is each step into the elements of an array.
//
//	t__grades            grades[*]
//	t__address.tags      address.tags[*]
//	t__grades__history   grades[*].history[*]
//	t__"a__b"            "a__b"[*]
//
// A key is quoted as a JSON string where keypaths quote it. It is also quoted where it has `__`, begins or ends with
// `_`, or would make the name of another companion table. Unneeded quotes are accepted, too. So every array has one
// name, and every name one array: each run of `_` between two keys ends with the separator.

// childSeparator is before each array's keys in a child table's name.
const childSeparator = "__"

// childSuffix is the part of a child table's name after the table's name and the first separator. The keypath ends
// in the elements of an array.
func childSuffix(path document.Keypath) string {
	if len(path) == 1 && strings.EqualFold(childSeparator+path[0].Name, table.ChangesSuffix) {
		return quotedSuffix(path)
	}
	return spellSuffix(path, func(name string) bool {
		return strings.Contains(name, childSeparator) || strings.HasPrefix(name, "_") || strings.HasSuffix(name, "_")
	})
}

// quotedSuffix is childSuffix with all keys quoted, for a name that a table already has.
func quotedSuffix(path document.Keypath) string {
	return spellSuffix(path, func(string) bool { return true })
}

func spellSuffix(path document.Keypath, quote func(name string) bool) string {
	var b strings.Builder
	for i, step := range path {
		switch {
		case i == 0:
		case path[i-1].Array:
			b.WriteString(childSeparator)
		default:
			b.WriteByte('.')
		}
		b.WriteString(spellName(step.Name, quote(step.Name)))
	}
	return b.String()
}

// spellName spells a key as keypaths do; in quotes if quote is set or they need them.
func spellName(name string, quote bool) string {
	if spelled := (document.Keypath{{Name: name}}).String(); !quote || strings.HasPrefix(spelled, `"`) {
		return spelled
	}
	return `"` + name + `"`
}

// parseChildSuffix returns the keypath of a suffix; false if it has none.
func parseChildSuffix(suffix string) (document.Keypath, bool) {
	var path document.Keypath
	for {
		level, rest, more := cutLevel(suffix)
		steps, err := document.ParseKeypath(level)
		if err != nil || steps.HasArray() || !plainEnds(level) {
			return nil, false
		}
		steps[len(steps)-1].Array = true
		path = append(path, steps...)
		if !more {
			return path, true
		}
		suffix = rest
	}
}

// cutLevel cuts at the first unquoted separator.
func cutLevel(s string) (level, rest string, more bool) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case quoted && s[i] == '\\':
			i++
		case !quoted && strings.HasPrefix(s[i:], childSeparator):
			return s[:i], s[i+len(childSeparator):], true
		}
	}
	return s, "", false
}

// plainEnds reports whether no unquoted key of a level begins or ends with `_`.
func plainEnds(level string) bool {
	quoted := false
	for i := 0; i < len(level); i++ {
		switch {
		case level[i] == '"':
			quoted = !quoted
		case quoted && level[i] == '\\':
			i++
		case !quoted && level[i] == '_':
			if i == 0 || i == len(level)-1 || level[i-1] == '.' || level[i+1] == '.' {
				return false
			}
		}
	}
	return true
}

// SplitChildName splits a child table's name into the table's name and the array's keypath. The longest table name
// that it can begin with counts. ok is false if there is none.
func SplitChildName(name string, isTable func(string) bool) (tab string, path document.Keypath, ok bool) {
	for i := len(name) - len(childSeparator) - 1; i > 0; i-- {
		if !strings.HasPrefix(name[i:], childSeparator) || !isTable(name[:i]) {
			continue
		}
		suffix := name[i+len(childSeparator):]
		if strings.EqualFold(childSeparator+suffix, table.ChangesSuffix) {
			return "", nil, false
		}
		if path, ok := parseChildSuffix(suffix); ok {
			return name[:i], path, true
		}
	}
	return "", nil, false
}

// childName returns the name of an array's child table: the usual one, or one with more quotes if a table or view
// has that name. It is empty if these names are in use, too.
func childName(table string, path document.Keypath, isTable, isTaken func(string) bool) string {
	first := func(name string) bool { return name == path[0].Name }
	for _, suffix := range []string{childSuffix(path), spellSuffix(path, first), quotedSuffix(path)} {
		name := table + childSeparator + suffix
		if isTaken(name) {
			continue
		}
		if t, p, ok := SplitChildName(name, isTable); ok && strings.EqualFold(t, table) && slices.Equal(p, path) {
			return name
		}
	}
	return ""
}

// arrayOf is the keypath of the array itself, without the step into its elements.
func arrayOf(elements document.Keypath) document.Keypath {
	array := slices.Clone(elements)
	array[len(array)-1].Array = false
	return array
}
