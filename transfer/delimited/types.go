package delimited

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/document"
)

// looks is the type as which a field's text can be read.
type looks uint8

const (
	isText looks = iota
	isNumber
	isBool
	isJSON // an array or an object
)

// looksLike is the type as which a text can be read. A number must be spelled as in JSON: with leading zeros, a plus,
// or separators it is text.
func looksLike(text []byte) looks {
	if len(text) == 0 {
		return isText
	}
	switch c := text[0]; {
	case c == '-' || c >= '0' && c <= '9':
		if _, err := document.NumberValue(string(text)); err == nil {
			return isNumber
		}
	case c == '[' || c == '{':
		if _, err := document.ParseValue(text, document.Limits{}); err == nil {
			return isJSON
		}
	case c == 't' || c == 'T' || c == 'f' || c == 'F':
		if boolOf(text) != "" {
			return isBool
		}
	}
	return isText
}

func boolOf(text []byte) string {
	switch string(text) {
	case "true", "True", "TRUE":
		return "true"
	case "false", "False", "FALSE":
		return "false"
	}
	return ""
}

// Types are counts of the types of the values of some files' columns, by the columns' names. The zero value knows
// none.
type Types struct {
	columns map[string]*columnType
	bare    int64 // names in headers without quotes
}

func (t *Types) of(names []string) []*columnType {
	if t.columns == nil {
		t.columns = map[string]*columnType{}
	}
	out := make([]*columnType, len(names))
	for i, name := range names {
		if t.columns[name] == nil {
			t.columns[name] = &columnType{}
		}
		out[i] = t.columns[name]
	}
	return out
}

// columnType counts the types of a column's values.
type columnType struct {
	seen   [4]int64 // by looks
	quoted int64    // numbers and booleans in quotes
	bare   int64    // values of any kind without quotes
}

// ErrRagged: a record with another number of fields than there are columns.
var ErrRagged = errors.New("fields")

func (f *File) ragged(fields []Field) error {
	if len(fields) == len(f.names) {
		return nil
	}
	from := "the header has"
	if !f.Named {
		from = "the others have"
	}
	return fmt.Errorf("%d %w, where %s %d", len(fields), ErrRagged, from, len(f.names))
}

// Learn reads another copy of the file, or of its beginning, to the end to find the columns' types. A column has a
// type if all of its values have it.
func (f *File) Learn(ctx context.Context, copy *File) error {
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		_, fields, err := copy.Next()
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, ErrQuote):
			continue
		case err != nil:
			return nil // the import itself reports it
		case len(fields) == len(f.types):
			f.observe(fields)
		}
	}
}

func (f *File) observe(fields []Field) {
	for i, field := range fields {
		if f.isNull(field) || len(field.Text) == 0 {
			continue
		}
		t := f.types[i]
		if !field.Quoted {
			t.bare++
		}
		if t.seen[isText] > 0 {
			continue
		}
		is := looksLike(field.Text)
		t.seen[is]++
		if field.Quoted && is != isJSON {
			t.quoted++
		}
	}
}

// isNull reports whether a field is null by its own text.
func (f *File) isNull(field Field) bool {
	return field.Null || f.o.Null != "" && !field.Quoted && string(field.Text) == f.o.Null
}

// readAs are the types as which the columns are read. If a file has fields with and without quotes, a quoted number
// is text.
func (f *File) readAs() []looks {
	bare := f.o.Types.bare
	for _, t := range f.types {
		bare += t.bare
	}
	as := make([]looks, len(f.types))
	for i, t := range f.types {
		var kinds []looks
		for k, n := range t.seen {
			if n > 0 {
				kinds = append(kinds, looks(k))
			}
		}
		textual := f.o.AllText || slices.Contains(f.o.Text, f.names[i]) || bare > 0 && t.quoted > 0
		if len(kinds) == 1 && !textual {
			as[i] = kinds[0]
		}
	}
	return as
}

// Document is a record as a document.
func (f *File) Document(fields []Field) (document.Document, error) {
	if err := f.ragged(fields); err != nil {
		return document.Document{}, err
	}
	if f.as == nil {
		f.as = f.readAs()
	}
	out, _, err := f.object(append(f.out[:0], '{'), f.root, fields)
	if err != nil {
		return document.Document{}, err
	}
	f.out = out
	return document.Parse(out, document.Limits{})
}

// object appends the members of an object and its end; any is false when there are none.
func (f *File) object(dst []byte, b *branch, fields []Field) (out []byte, any bool, err error) {
	for _, child := range b.children {
		before := len(dst)
		if any {
			dst = append(dst, ',')
		}
		dst = append(dst, child.key...)
		there := true
		if child.column < 0 {
			dst, there, err = f.object(append(dst, '{'), child, fields)
		} else {
			dst, there, err = f.value(dst, child.column, fields[child.column])
		}
		if err != nil {
			return dst, false, err
		}
		if !there {
			dst = dst[:before]
		}
		any = any || there
	}
	return append(dst, '}'), any, nil
}

func (f *File) value(dst []byte, column int, field Field) (out []byte, there bool, err error) {
	text := field.Text
	empty := len(text) == 0 && !field.Quoted && !f.o.Backslash && f.o.Empty != EmptyText
	if f.isNull(field) || empty {
		return append(dst, "null"...), f.o.Empty != EmptyAbsent, nil
	}
	if as := f.as[column]; as != isText && len(text) > 0 {
		switch {
		case looksLike(text) != as:
			f.Odd++
		case as == isBool:
			return append(dst, boolOf(text)...), true, nil
		default:
			return append(dst, text...), true, nil
		}
	}
	dst, err = document.AppendQuoted(dst, string(text))
	if err != nil {
		err = fmt.Errorf("column %s: %w", f.names[column], err)
	}
	return dst, true, err
}

// ParseDelimiter reads the name of a delimiter: a character, tab, or \t.
func ParseDelimiter(name string) (byte, error) {
	switch strings.ToLower(name) {
	case "":
		return 0, nil
	case "tab", `\t`:
		return '\t', nil
	}
	if len(name) != 1 || strings.ContainsAny(name, "\"\r\n\\") || name[0] >= 0x80 {
		return 0, fmt.Errorf("%q is no delimiter: use one character, or tab", name)
	}
	return name[0], nil
}
