package tables

import (
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
)

// fetching is the common part of the walks that fetch documents ahead of their reader: it
// implements a part of Rows.
type fetching struct {
	ahead  []*Pending // on their way, in the order in which they are given
	window int        // how many are to be on their way
	pk     []byte     // of the document that was given last
	doc    document.Document
	work   Work
	err    error
}

// next takes the first of the documents that are being read, after fill has started further reads if these are due.
// It is nil at the end, and after a failure.
func (f *fetching) next(fill func()) *Pending {
	if Refills(len(f.ahead), f.window) {
		fill()
	}
	if f.err != nil || len(f.ahead) == 0 {
		return nil
	}
	p := f.ahead[0]
	f.ahead = f.ahead[1:]
	return p
}

// send starts reading documents behind the ones that are being read, and returns them; the window grows.
func (f *fetching) send(c *Collection, from kv.Reader, pks [][]byte) []*Pending {
	f.ahead = c.fetchAll(f.ahead, from, pks)
	f.window = NextWindow(f.window, f.work)
	return f.ahead[len(f.ahead)-len(pks):]
}

// give makes a document the one that PK and Document return.
func (f *fetching) give(pk []byte, d document.Document) {
	f.pk, f.doc = pk, d
	f.work.Documents++
	f.work.Bytes += int64(d.Len())
}

// PK implements Rows.
func (f *fetching) PK() []byte { return f.pk }

// Document implements Rows.
func (f *fetching) Document() document.Document { return f.doc }

// Err implements Rows.
func (f *fetching) Err() error { return f.err }
