package delimited

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/document"
)

// Empty is the meaning of an empty field. A quoted empty field is always an empty text.
type Empty string

// The meanings of an empty field.
const (
	EmptyNull   Empty = "null"
	EmptyText   Empty = "text"
	EmptyAbsent Empty = "absent" // the document lacks the key
)

// Header says whether the first record names the columns.
type Header string

// The values of Header. HeaderLook recognizes a header by the first record.
const (
	HeaderLook Header = ""
	HeaderYes  Header = "yes"
	HeaderNo   Header = "no"
)

// Options are facts about a file that need not be recognized. The zero value recognizes everything.
type Options struct {
	Delimiter byte // 0: recognized
	Header    Header
	// Columns are names that replace the file's header, or stand for a missing one.
	Columns   []string
	Backslash bool
	// Null is a text that stands for null where it is not quoted; "" is none.
	Null  string
	Empty Empty // EmptyNull unless set
	// Text are columns whose values all stay text.
	Text []string
	// AllText lets every value stay text.
	AllText bool
	// Types gets the types that Learn finds, and may be shared by files whose columns have the same types. nil: the
	// file's own.
	Types *Types
}

// delimiters are the delimiters that can be recognized, the likelier first.
var delimiters = []byte{',', ';', '\t', '|'}

// lookRecords is how many records are read to recognize the delimiter.
const lookRecords = 50

// look recognizes the dialect from head, the beginning of a file. columns is how many fields its records have; whole
// says that head is all of the file.
func look(head []byte, whole bool, o Options) (d Dialect, columns int) {
	d = Dialect{Delimiter: o.Delimiter, Backslash: o.Backslash}
	d.Return = bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0
	best := 0.0
	for _, c := range delimiters {
		if d.Delimiter != 0 {
			c = d.Delimiter
		}
		n, share := fieldsBy(head, whole, Dialect{Delimiter: c, Backslash: d.Backslash, Return: d.Return})
		if d.Delimiter != 0 {
			return d, n
		}
		if n > 1 && share > best {
			best, columns, o.Delimiter = share, n, c
		}
	}
	if columns == 0 {
		o.Delimiter, columns = ',', 1
	}
	d.Delimiter = o.Delimiter
	return d, columns
}

// fieldsBy is how many fields most records have by a dialect, and which share of the records.
func fieldsBy(head []byte, whole bool, d Dialect) (fields int, share float64) {
	r := NewReader(bufio.NewReader(bytes.NewReader(head)), d)
	seen := map[int]int{}
	records, last := 0, 0
	for records < lookRecords {
		_, f, err := r.Next()
		if err != nil {
			if err == io.EOF && !whole && records > 1 {
				seen[last]-- // it may be cut
				records--
			}
			break
		}
		last = len(f)
		seen[last]++
		records++
	}
	for n, times := range seen {
		if s := float64(times) / float64(max(records, 1)); s > share || s == share && n > fields {
			fields, share = n, s
		}
	}
	return fields, share
}

// File reads a file's records as documents.
type File struct {
	*Reader
	Dialect Dialect
	// Named: the first record named the columns.
	Named bool
	// Odd counts the values that stayed text in columns of numbers, booleans or nulls.
	Odd int64

	o       Options
	names   []string
	types   []*columnType
	root    *branch
	pending *pending // the first record, when it is none of names
	out     []byte
	as      []looks
}

type pending struct {
	line   int64
	fields []Field
}

// Open looks at the beginning of a file: its dialect and its header.
func Open(in *bufio.Reader, o Options) (*File, error) {
	if o.Empty == "" {
		o.Empty = EmptyNull
	}
	if o.Types == nil {
		o.Types = &Types{}
	}
	if bom, err := in.Peek(3); err == nil && string(bom) == "\xef\xbb\xbf" {
		_, _ = in.Discard(3)
	}
	lines := int64(0)
	// Excel's own line that names the delimiter.
	if line, err := in.Peek(7); err == nil && bytes.HasPrefix(line, []byte("sep=")) && (line[5] == '\r' ||
		line[5] == '\n') && !o.Backslash {
		if o.Delimiter == 0 {
			o.Delimiter = line[4]
		}
		_, _ = in.ReadSlice('\n')
		lines = 1
	}
	head, err := in.Peek(in.Size())
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return nil, err
	}
	f := &File{}
	var columns int
	f.Dialect, columns = look(head, err == io.EOF, o)
	f.o = o
	f.Reader = NewReader(in, f.Dialect)
	f.line = lines
	line, first, err := f.Reader.Next()
	if err != nil {
		if err == io.EOF {
			err = fmt.Errorf("there is no record: %w", err)
		}
		return nil, err
	}
	f.Named = o.Header == HeaderYes || o.Header == HeaderLook && o.Columns == nil && namesColumns(first)
	switch {
	case o.Columns != nil:
		f.names = o.Columns
	case f.Named:
		for _, field := range first {
			f.names = append(f.names, string(field.Text))
			if !field.Quoted && len(field.Text) > 0 {
				o.Types.bare++
			}
		}
	default:
		f.names = make([]string, columns)
	}
	if !f.Named {
		f.pending = &pending{line: line}
		for _, field := range first {
			field.Text = bytes.Clone(field.Text)
			f.pending.fields = append(f.pending.fields, field)
		}
	}
	for i, name := range f.names {
		if strings.TrimSpace(name) == "" {
			f.names[i] = fmt.Sprintf("c%d", i+1)
		}
	}
	f.types = o.Types.of(f.names)
	f.root, err = treeOf(f.names)
	return f, err
}

// namesColumns guesses whether a record names the columns: nothing in it is a number, or there twice.
func namesColumns(fields []Field) bool {
	named := map[string]bool{}
	for _, f := range fields {
		text := strings.TrimSpace(string(f.Text))
		if f.Null || looksLike([]byte(text)) != isText || text != "" && named[text] {
			return false
		}
		named[text] = true
	}
	return !named[""] || len(named) > 1
}

// Columns are the names of the columns.
func (f *File) Columns() []string { return slices.Clone(f.names) }

// Next returns the next record that holds values.
func (f *File) Next() (line int64, fields []Field, err error) {
	if p := f.pending; p != nil {
		f.pending = nil
		return p.line, p.fields, nil
	}
	return f.Reader.Next()
}

// branch is a part of the documents' shape: a column, or an object of such.
type branch struct {
	key      []byte // quoted, with a colon
	column   int    // -1: an object
	names    []string
	children []*branch
}

// treeOf is the shape of the documents: a name that spells a keypath, as address.zipcode, lies in an object. When names
// contradict each other so, all are keys as they stand.
func treeOf(names []string) (*branch, error) {
	seen := map[string]int{}
	for i, name := range names {
		if other, twice := seen[name]; twice {
			return nil, fmt.Errorf("columns %d and %d are both named %q: name the columns by --columns", other+1, i+1, name)
		}
		seen[name] = i
	}
	root := &branch{column: -1}
	for i, name := range names {
		path := document.NamedKeypath(name)
		if path.HasArray() {
			path = document.Keypath{{Name: name}}
		}
		if !root.add(path, i) {
			root = &branch{column: -1}
			for i, name := range names {
				if !root.add(document.Keypath{{Name: name}}, i) {
					return nil, fmt.Errorf("column %q can't be a key", name)
				}
			}
			return root, nil
		}
	}
	return root, nil
}

// add gives a column its place; false when another one is in its way.
func (b *branch) add(path document.Keypath, column int) bool {
	name := path[0].Name
	at := slices.Index(b.names, name)
	if len(path) == 1 {
		if at >= 0 {
			return false
		}
		return b.child(name, column) != nil
	}
	if at < 0 {
		child := b.child(name, -1)
		return child != nil && child.add(path[1:], column)
	}
	return b.children[at].column < 0 && b.children[at].add(path[1:], column)
}

func (b *branch) child(name string, column int) *branch {
	key, err := document.AppendQuoted(nil, name)
	if err != nil {
		return nil
	}
	child := &branch{key: append(key, ':'), column: column}
	b.names = append(b.names, name)
	b.children = append(b.children, child)
	return child
}

// Alone reports whether nothing was found to be a delimiter.
func (f *File) Alone() bool { return len(f.names) == 1 && f.o.Delimiter == 0 }

// Detected describes the format that was detected.
func (f *File) Detected(format string) string {
	between, ok := map[byte]string{'\t': "tabs", ',': "commas", ';': "semicolons", '|': "bars"}[f.Dialect.Delimiter]
	if !ok {
		between = fmt.Sprintf("%q", f.Dialect.Delimiter)
	}
	header := "a header"
	if !f.Named {
		header = "no header"
	}
	return fmt.Sprintf("%s with %s between %d columns and %s", format, between, len(f.names), header)
}
