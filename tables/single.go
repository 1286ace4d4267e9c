package tables

import (
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// single is the walk over the one document that a whole primary key names: a get,
// where a range would cost the store an iterator.
type single struct {
	pending *Pending // nil once it has been read
	pk      []byte
	doc     document.Document
	work    Work
	err     error
}

// pointScan is Scan for spans that are a single whole key; ok is false for others.
func (c *Collection) pointScan(r kv.Reader, spans indexes.Spans) (rows Rows, ok bool) {
	if !spans.IsPoint() || c.keys.PrimaryKeyParts() != 1 {
		return nil, false
	}
	return c.ScanKey(r, tuple.AppendBytes(nil, spans[0].Start)), true
}

// ScanKey is Scan for one whole primary key, which must stay as it is.
func (c *Collection) ScanKey(r kv.Reader, pk []byte) Rows {
	s := &single{pk: pk}
	if len(pk) <= MaxPrimaryKey { // no document has a longer one
		s.pending = c.fetch(r, pk)
	}
	return s
}

func (s *single) Next() bool {
	if s.pending == nil {
		return false
	}
	d, ok, err := s.pending.Get()
	s.pending = nil
	if err != nil || !ok {
		s.err = err
		return false
	}
	s.doc = d
	s.work = Work{Documents: 1, Bytes: int64(d.Len())}
	return true
}

func (s *single) PK() []byte                  { return s.pk }
func (s *single) Document() document.Document { return s.doc }
func (s *single) Read() Work                  { return s.work }
func (s *single) Err() error                  { return s.err }
func (s *single) Close()                      { s.pending = nil }
