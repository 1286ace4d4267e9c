package companion

import (
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// PartitionRows implements sql.Table.
func (t *ChangesTable) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	path, at, unsettled := t.path, any(t), false
	var err error
	switch {
	case path == nil:
		switch t.Session.Work.Ending(t) {
		case session.MayEnd:
			unsettled = true
		case session.ReachesEnd:
			err = AllowScanOf(t.Session, ctx, t)
		}
		path = &FeedPath{Sequences: EverySequence()}
	case path.AccessPath != nil:
		at = path.AccessPath
		if path.Whole {
			err = AllowScanOf(t.Session, ctx, t)
		}
	}
	if err != nil {
		return nil, err
	}
	i, err := t.Rows(ctx, at, path)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	i.unsettled = unsettled
	return i, nil
}

// Rows starts reading along a path. Its work is noted for at, a part of the plan.
func (t *ChangesTable) Rows(ctx *sql.Context, at any, path *FeedPath) (*ChangesIter, error) {
	r, err := t.Session.Readers.Committed()
	if err != nil {
		return nil, err
	}
	t.Session.Work.NoteVersion(r)
	if tx, ok := t.Session.GetTransaction().(*session.Transaction); ok {
		tx.NoteScanned(t.def.Table)
	}
	i := &ChangesIter{table: t, at: at, from: &hold.StoppableReader{Reader: r, Ctx: ctx}, left: path.Limit}
	i.Walk = path.open(t, i.from)
	return i, nil
}

// namesDocument reports whether the running command names the document column of the table at a place, or all
// columns.
func namesDocument(s *session.Session, at tree.Place) bool {
	n := s.Parsed.Names()
	if n.Stars[""] || n.Stars[at.Name] {
		return true
	}
	for _, c := range n.Columns {
		if strings.EqualFold(c.Name, session.DocumentColumn) && (c.Qualifier == "" || c.Qualifier == at.Name) {
			return true
		}
	}
	return false
}

// feedWalk walks changes, in any order.
type feedWalk interface {
	Next() bool
	Change() changes.Change
	Err() error
	Close()
}

// sequenceWalk reads spans of a feed one after the other.
type sequenceWalk struct {
	log   changes.Log
	r     kv.Reader
	reads []changes.ReadOptions // of the spans still to be read
	it    *changes.Iterator
	err   error
}

func (w *sequenceWalk) Next() bool {
	for w.err == nil {
		if w.it != nil {
			if w.it.Next() {
				return true
			}
			w.err = w.it.Err()
			w.it.Close()
			w.it = nil
			continue
		}
		if len(w.reads) == 0 {
			return false
		}
		w.it = w.log.Read(w.r, w.reads[0])
		w.reads = w.reads[1:]
	}
	return false
}

func (w *sequenceWalk) Change() changes.Change { return w.it.Change() }
func (w *sequenceWalk) Err() error             { return w.err }

func (w *sequenceWalk) Close() {
	if w.it != nil {
		w.it.Close()
		w.it = nil
	}
	w.reads = nil
}

// limitedWindow is how many documents are fetched ahead at first if `_doc` is read with a LIMIT. Without a LIMIT it
// is one, and grows later, so that a client that stops early has read little.
const limitedWindow = 32

// ChangesIter makes rows from changes.
type ChangesIter struct {
	table *ChangesTable
	at    any // the part of the plan, for Work.Note
	from  kv.Reader
	Walk  feedWalk
	count int
	Work  tables.Work
	over  bool // Close has been called
	// unsettled: the read counts as a full scan only if it goes far.
	unsettled bool

	window int
	left   int64 // number of changes still to be read; 0: no limit
	One    bool  // no change is read ahead of the row before
	ahead  []fetchedChange

	Document document.Document // of the last row, if it was read
}

// fetchedChange is a change whose document is being read; document is nil if it is not.
type fetchedChange struct {
	changes.Change
	document *tables.Pending
}

// Next implements sql.RowIter.
func (i *ChangesIter) Next(ctx *sql.Context) (sql.Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if i.count++; i.count%table.RowsPerCheck == 0 {
		if i.unsettled && i.count > session.Patience {
			i.unsettled = false
			if err := AllowScanOf(i.table.Session, ctx, i.table); err != nil {
				return nil, err
			}
		}
	}
	for {
		c, ok, err := i.next()
		if err == nil && !ok {
			return nil, io.EOF
		}
		if err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
		row, err := i.row(ctx, c)
		if row != nil || err != nil {
			return row, mysqlerr.Of(ctx, err)
		}
	}
}

// next returns the next change.
func (i *ChangesIter) next() (c fetchedChange, ok bool, err error) {
	if !i.table.Documents {
		if !i.Walk.Next() {
			return c, false, i.Walk.Err()
		}
		i.Work.Entries++
		return fetchedChange{Change: i.Walk.Change()}, true, nil
	}
	if tables.Refills(len(i.ahead), i.window) {
		i.fill()
		if len(i.ahead) == 0 {
			return c, false, i.Walk.Err()
		}
	}
	c = i.ahead[0]
	i.ahead = i.ahead[1:]
	if i.left > 1 {
		i.left--
	}
	return c, true, nil
}

// fill starts reads of further documents, up to the window. The walk's error is returned after the changes before
// it.
func (i *ChangesIter) fill() {
	switch {
	case i.One:
		i.window = 1
	case i.window > 0:
		i.window = tables.NextWindow(i.window, i.Work)
	case i.left > 0:
		i.window = limitedWindow
	default:
		i.window = 1
	}
	want := i.window
	if i.left > 0 {
		want = int(min(int64(want), i.left))
	}
	for len(i.ahead) < want && i.Walk.Next() {
		i.Work.Entries++
		c := fetchedChange{Change: i.Walk.Change()}
		if !c.Deleted {
			c.document = i.table.def.Collection.Get(i.from, c.PK)
		}
		i.ahead = append(i.ahead, c)
	}
}

// row returns a change's row. It is nil if a later change of the document is seen, as the statement has moved to a
// newer version; the later change has its own row.
func (i *ChangesIter) row(ctx *sql.Context, c fetchedChange) (sql.Row, error) {
	row := make(sql.Row, 0, len(i.table.schema))
	row = append(row, c.Sequence.String())
	var doc any
	if c.document != nil {
		d, ok, err := c.document.Get()
		if err != nil {
			return nil, err
		}
		if ok {
			i.Work.Documents++
			i.Work.Bytes += int64(d.Len())
			i.Document = d
			shown, err := table.WithoutHidden(i.table.def, d)
			if err != nil {
				return nil, err
			}
			doc = value.NewJSON(shown.Value)
		}
		if longread.Of(i.from).Epoch() > 0 {
			meta, there, err := i.table.def.Collection.Rev(i.from, c.PK)
			if err != nil || !there || meta.Rev != c.Rev {
				return nil, err
			}
		}
	}
	key, err := i.table.def.DecodeKey(ctx, c.PK)
	if err != nil {
		return nil, err
	}
	row = append(row, key...)
	deleted := int8(0)
	if c.Deleted {
		deleted = 1
	}
	return append(row, c.Rev.String(), deleted, doc), nil
}

// Close implements sql.RowIter.
func (i *ChangesIter) Close(*sql.Context) error {
	i.Walk.Close()
	if !i.over {
		i.over = true
		if by, ok := i.Walk.(*changes.KeyIterator); ok {
			i.Work.Entries = by.Read() // with the keys that no document has
		}
		i.table.Session.Work.Note(i.at, i.Work)
	}
	return nil
}

// AllowScanOf is AllowScan for a change feed.
func AllowScanOf(s *session.Session, ctx *sql.Context, t *ChangesTable) error {
	return s.AllowReading(ctx, t.def.Database+"."+t.Name(), "")
}
