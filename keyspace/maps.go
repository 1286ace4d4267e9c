package keyspace

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// Tags below (c) VIEW g.
const (
	viewRows   = 10
	viewIDs    = 20
	viewInfo   = 30
	viewUpTo   = 40
	viewErrors = 50
)

// Maps joins the keys of one group of map indexes. It is immutable and safe for concurrent use.
type Maps struct {
	of   *Collection
	all  []byte
	rows []byte
	ids  []byte
	info []byte
	upTo []byte
	errs []byte
}

// Maps are the keys of the group of that number.
func (c *Collection) Maps(group int64) *Maps {
	sub := func(tags ...int64) []byte {
		return key(append([]int64{tagCollection, c.number, tagView, group}, tags...)...)
	}
	return &Maps{of: c, all: sub(), rows: sub(viewRows), ids: sub(viewIDs), info: sub(viewInfo),
		upTo: sub(viewUpTo), errs: sub(viewErrors)}
}

// AllMaps is the range of all groups of map indexes.
func (c *Collection) AllMaps() kv.Range { return kv.PrefixRange(key(tagCollection, c.number, tagView)) }

// MapGroup takes the number of the group out of a key of AllMaps.
func (c *Collection) MapGroup(k []byte) (int64, error) {
	prefix := len(key(tagCollection, c.number, tagView))
	if len(k) < prefix {
		return 0, fmt.Errorf("keyspace: short key %x of a map index", k)
	}
	_, n, err := tuple.DecodeInt(k[prefix:])
	if err != nil {
		return 0, fmt.Errorf("keyspace: key %x of a map index: %w", k, err)
	}
	return n, nil
}

// All is the range of everything of the group.
func (m *Maps) All() kv.Range { return kv.PrefixRange(m.all) }

// Row is the key of a row: encoded is the key as package mapindex encodes it, n distinguishes equal ones of a document.
func (m *Maps) Row(view int64, encoded, pk []byte, n int64) []byte {
	dst := make([]byte, 0, len(m.rows)+len(encoded)+len(pk)+16)
	dst = tuple.AppendBytes(tuple.AppendInt(append(dst, m.rows...), view), encoded)
	return tuple.AppendInt(append(dst, pk...), n)
}

// Rows is the range of all rows of the group.
func (m *Maps) Rows() kv.Range { return kv.PrefixRange(m.rows) }

// RowSpan is the range of a view's rows whose encoded keys are in [start, end); a nil end means no end.
func (m *Maps) RowSpan(view int64, start, end []byte) kv.Range {
	return valueRange(tuple.AppendInt(join(m.rows, nil), view), start, end)
}

// SplitRow splits a row's key; pk is a slice of k.
func (m *Maps) SplitRow(k []byte) (view int64, encoded, pk []byte, n int64, err error) {
	fail := func(err error) (int64, []byte, []byte, int64, error) {
		return 0, nil, nil, 0, fmt.Errorf("keyspace: key %x of a map index: %w", k, err)
	}
	if len(k) < len(m.rows) {
		return fail(fmt.Errorf("it is short"))
	}
	rest, view, err := tuple.DecodeInt(k[len(m.rows):])
	if err != nil {
		return fail(err)
	}
	if rest, encoded, err = tuple.DecodeBytes(rest); err != nil {
		return fail(err)
	}
	if pk, rest, err = m.of.splitPK(k, len(k)-len(rest)); err != nil {
		return fail(err)
	}
	if _, n, err = tuple.DecodeInt(rest); err != nil {
		return fail(err)
	}
	return view, encoded, pk, n, nil
}

// ID is the key of the list of a document's rows; IDs is the range of all of them.
func (m *Maps) ID(pk []byte) []byte { return join(m.ids, pk) }

// IDs is the range of the lists of all documents' rows.
func (m *Maps) IDs() kv.Range { return kv.PrefixRange(m.ids) }

// IDPart is the key of a further part of the list of a document's rows, from 1.
func (m *Maps) IDPart(pk []byte, part int64) []byte { return tuple.AppendInt(join(m.ids, pk), part) }

// SplitID decodes the primary key (a slice of k) and the part from an ID, which is part 0, or an IDPart.
func (m *Maps) SplitID(k []byte) (pk []byte, part int64, err error) {
	pk, rest, err := m.of.splitPK(k, len(m.ids))
	if err == nil && len(rest) > 0 {
		_, part, err = tuple.DecodeInt(rest)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("keyspace: key %x of a map index: %w", k, err)
	}
	return pk, part, nil
}

// Info is the counter of a view's rows; Infos is the range of all of them.
func (m *Maps) Info(view int64) []byte { return tuple.AppendInt(join(m.info, nil), view) }

// Infos is the range of the counters of all views.
func (m *Maps) Infos() kv.Range { return kv.PrefixRange(m.info) }

// SplitInfo takes the view out of a counter's key.
func (m *Maps) SplitInfo(k []byte) (int64, error) {
	if len(k) < len(m.info) {
		return 0, fmt.Errorf("keyspace: short key %x of a map index", k)
	}
	_, view, err := tuple.DecodeInt(k[len(m.info):])
	if err != nil {
		return 0, fmt.Errorf("keyspace: key %x of a map index: %w", k, err)
	}
	return view, nil
}

// UpTo is the key of the sequence that the rows of a group in the background are of.
func (m *Maps) UpTo() []byte { return join(m.upTo, nil) }

// Error is the key of the failure of a view's function on a document.
func (m *Maps) Error(pk []byte, view int64) []byte { return tuple.AppendInt(join(m.errs, pk), view) }

// Errors is the range of all failures, ErrorsOf the range of one document's failures.
func (m *Maps) Errors() kv.Range { return kv.PrefixRange(m.errs) }

// ErrorsOf is the range of a document's failures.
func (m *Maps) ErrorsOf(pk []byte) kv.Range { return kv.PrefixRange(join(m.errs, pk)) }

// SplitError takes the primary key (a slice of k) and the view out of an Error.
func (m *Maps) SplitError(k []byte) (pk []byte, view int64, err error) {
	pk, rest, err := m.of.splitPK(k, len(m.errs))
	if err == nil {
		_, view, err = tuple.DecodeInt(rest)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("keyspace: key %x of a map index: %w", k, err)
	}
	return pk, view, nil
}
