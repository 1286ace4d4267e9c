package value

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
)

// Documents hold an ENUM and a SET as text. Where a member is the empty text, the text is ambiguous. A SET's is the
// member '' or no member; an ENUM's is the member '' or the 0 that stands for an invalid value. Such values are
// numbers in the document: the SET's bits, or the ENUM's 0.

// MemberText is the text of a value of an ENUM or a SET. The type's own would be in
// the character set that the session gets its results in.
func MemberText(t sql.Type, v any) (string, bool) {
	switch t := t.(type) {
	case sql.EnumType:
		if i, ok := v.(uint16); ok {
			if i == 0 {
				return "", true // it stands for a value that is not in the list
			}
			return t.At(int(i))
		}
	case sql.SetType:
		if bits, ok := v.(uint64); ok {
			return TextOfSet(t, bits), true
		}
	}
	return "", false
}

// TextOfSet is the members of a SET with commas between them. As in MySQL, an empty one that stands first has none.
func TextOfSet(t sql.SetType, bits uint64) string {
	var b strings.Builder
	for i, member := range t.Values() {
		if bits&(1<<i) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(member)
	}
	return b.String()
}

// MemberJSON is the JSON value in a document for a value of an ENUM or a SET.
func MemberJSON(ctx context.Context, t sql.Type, v any) (out document.Value, ok bool, err error) {
	text, ok := MemberText(t, v)
	if !ok {
		return out, false, nil
	}
	number := ""
	switch t := t.(type) {
	case sql.EnumType:
		if v == uint16(0) && t.IndexOf("") >= 0 {
			number = "0"
		}
	case sql.SetType:
		if back, _, err := t.Convert(ctx, text); err != nil || back != v {
			number = strconv.FormatUint(v.(uint64), 10)
		}
	}
	if number != "" {
		out, err = document.NumberValue(number)
	} else {
		out, err = document.StringValue(text)
	}
	return out, true, err
}

// MembersOf is the members of a SET that a text names, and whether it names nothing else. The engine leaves out empty
// ones. A text that names none may be the number of the SET's bits.
func MembersOf(ctx context.Context, t sql.SetType, text string) (bits uint64, whole bool) {
	if text == "" {
		return 0, true
	}
	values := t.Values()
	empty := slices.Index(values, "")
	most := ^uint64(0) >> (64 - len(values))
	whole = true
	for _, name := range strings.Split(text, ",") {
		name = strings.TrimRight(name, " ")
		if name == "" {
			if whole = whole && empty >= 0; empty >= 0 {
				bits |= 1 << empty
			}
			continue
		}
		if _, err := strconv.ParseUint(name, 10, 64); err == nil && !slices.Contains(values, name) {
			whole = false
			continue
		}
		found, _, err := t.Convert(ctx, name)
		if b, ok := found.(uint64); err == nil && ok {
			bits |= b
		} else {
			whole = false
		}
	}
	if bits == 0 && !whole {
		if n, err := strconv.ParseUint(text, 10, 64); err == nil && n <= most {
			return n, true
		}
	}
	return bits, whole
}
