package delimited

import (
	"bytes"
	"io"

	"github.com/sqlfdb/sqlfdb/document"
)

// Writer writes documents as records.
type Writer struct {
	w         io.Writer
	delimiter byte
	columns   []document.Keypath
	line      []byte
}

// NewWriter writes the header, the columns' spellings, and returns a writer of records.
func NewWriter(w io.Writer, delimiter byte, columns []document.Keypath) (*Writer, error) {
	out := &Writer{w: w, delimiter: delimiter, columns: columns}
	for i, c := range columns {
		if i > 0 {
			out.line = append(out.line, delimiter)
		}
		out.text(c.String(), false)
	}
	return out, out.end()
}

// Write writes a document's columns; its other keypaths are left out.
func (w *Writer) Write(d document.Document) error {
	for i, c := range w.columns {
		if i > 0 {
			w.line = append(w.line, w.delimiter)
		}
		v, _ := d.Lookup(c)
		switch v.Type() {
		case document.TypeNone, document.TypeNull:
		case document.TypeString:
			// Quotes mark a text that would be read as something else.
			w.text(v.Str(), v.Str() == "" || looksLike([]byte(v.Str())) != isText)
		case document.TypeArray, document.TypeObject:
			w.text(v.Text(), true)
		default:
			w.line = append(w.line, v.Raw()...)
		}
	}
	return w.end()
}

// text appends a field, in quotes if it needs them or quoted is set.
func (w *Writer) text(s string, quoted bool) {
	if !quoted && bytes.IndexByte([]byte(s), w.delimiter) < 0 && !bytes.ContainsAny([]byte(s), "\"\r\n") &&
		s == string(bytes.TrimSpace([]byte(s))) && s != "" {
		w.line = append(w.line, s...)
		return
	}
	w.line = append(w.line, '"')
	w.line = append(w.line, bytes.ReplaceAll([]byte(s), []byte(`"`), []byte(`""`))...)
	w.line = append(w.line, '"')
}

// end ends a record. One that would be a blank line is an empty text.
func (w *Writer) end() error {
	if len(w.line) == 0 {
		w.line = append(w.line, `""`...)
	}
	w.line = append(w.line, '\n')
	_, err := w.w.Write(w.line)
	w.line = w.line[:0]
	return err
}

// Close does nothing: every record has been written.
func (w *Writer) Close() error { return nil }
