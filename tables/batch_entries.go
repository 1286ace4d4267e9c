package tables

import (
	"bytes"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
)

// EachEntries walks the entries that have a value in one of many spans, and gives for each in which. It is an Each that
// reads no documents: Document is an empty one.
type EachEntries struct {
	entries *Entries
	spans   indexes.Spans
	at      int // the span of the current entry
	pk      []byte
	err     error
}

var _ Each = (*EachEntries)(nil)

// EntriesEach walks the entries of the documents that LookupEach walks, in the same order.
func (c *Collection) EntriesEach(r kv.Reader, keypath, fieldVersion int64, spans indexes.Spans) *EachEntries {
	// Spans that touch are read as one.
	return &EachEntries{entries: c.Entries(r, keypath, indexes.InVersion(fieldVersion, indexes.NewSpans(spans...)),
		ScanOptions{}), spans: spans}
}

// Entries is the walk over the entries, which is at the current one.
func (e *EachEntries) Entries() *Entries { return e.entries }

// Next implements Rows.
func (e *EachEntries) Next() bool {
	if e.err != nil || !e.entries.Next() {
		return false
	}
	for !e.entries.Same() && e.spans[e.at].End != nil && bytes.Compare(e.entries.Value(), e.spans[e.at].End) >= 0 {
		e.at++
	}
	e.pk, e.err = e.entries.PK()
	return e.err == nil
}

// Span implements Each.
func (e *EachEntries) Span() int { return e.at }

// PK implements Rows.
func (e *EachEntries) PK() []byte { return e.pk }

// Document implements Rows.
func (e *EachEntries) Document() document.Document { return document.Document{} }

// Err implements Rows.
func (e *EachEntries) Err() error {
	if e.err != nil {
		return e.err
	}
	return e.entries.Err()
}

// Read implements Rows.
func (e *EachEntries) Read() Work { return e.entries.Read() }

// Close implements Rows.
func (e *EachEntries) Close() { e.entries.Close() }
