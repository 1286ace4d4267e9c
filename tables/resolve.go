package tables

import (
	"bytes"
	"fmt"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// foldedParts reports for each column of the primary key whether different strings can be
// equal in its collation; nil when none can. Such strings differ in the bytes behind the
// sort key, so that all keys equal to one are a span.
func foldedParts(t *catalog.Table) []bool {
	var folded []bool
	for n, i := range t.PrimaryKey {
		col := &t.Columns[i]
		if col.Class != "" || col.Collation == "" {
			continue
		}
		if c, ok := collation.Lookup(col.Collation); ok && !c.IsIdentity() {
			if folded == nil {
				folded = make([]bool, len(t.PrimaryKey))
			}
			folded[n] = true
		}
	}
	return folded
}

// Resolve finds the document whose primary key SQL holds equal to pk. That is pk itself,
// unless a column of the key is in a collation in which different strings can be equal. Its
// reads take part in conflict detection, so that no other transaction stores such a
// document meanwhile.
func (c *Collection) Resolve(r kv.Reader, pk []byte) (existing []byte, ok bool, err error) {
	if c.folded == nil {
		head, err := r.Get(c.keys.Document(pk, 0)).Get()
		if err != nil {
			return nil, false, fmt.Errorf("tables: resolve a key of %s: %w", c.def, err)
		}
		return pk, head != nil, nil
	}
	return c.equalKey(r, pk, nil)
}

// equalKey finds a document other than except whose primary key is equal to pk.
func (c *Collection) equalKey(r kv.Reader, pk, except []byte) (existing []byte, ok bool, err error) {
	f := keyFinder{c: c, r: r, except: except}
	for rest := pk; len(rest) > 0; {
		var value []byte
		if rest, value, err = tuple.DecodeBytes(rest); err != nil {
			return nil, false, fmt.Errorf("tables: resolve a key of %s: %w", c.def, err)
		}
		f.values = append(f.values, value)
	}
	if len(f.values) != len(c.folded) {
		return nil, false, fmt.Errorf("tables: resolve a key of %s: %w: %d of %d columns", c.def, ErrBadKey, len(f.values),
			len(c.folded))
	}
	existing, err = f.find(nil, 0)
	if err != nil {
		return nil, false, fmt.Errorf("tables: resolve a key of %s: %w", c.def, err)
	}
	return existing, existing != nil, nil
}

// keyFinder looks for a primary key equal to values. A column in front of
// others is walked from spelling to spelling, so that it costs a read for each spelling that
// is there, however many documents share it.
type keyFinder struct {
	c      *Collection
	r      kv.Reader
	values [][]byte // encoded, one for each column of the key
	except []byte
}

// find looks for keys that begin with prefix, the elements before column n.
func (f *keyFinder) find(prefix []byte, n int) ([]byte, error) {
	prefix = bytes.Clone(prefix)
	for ; n < len(f.values) && !f.c.folded[n]; n++ {
		prefix = tuple.AppendBytes(prefix, f.values[n])
	}
	if n == len(f.values) {
		if bytes.Equal(prefix, f.except) {
			return nil, nil
		}
		head, err := f.r.Get(f.c.keys.Document(prefix, 0)).Get()
		if err != nil || head == nil {
			return nil, err
		}
		return prefix, nil
	}
	start, end, err := equalSpan(f.values[n])
	if err != nil {
		return nil, err
	}
	for {
		pk, err := f.first(f.c.keys.DocumentSpanBelow(prefix, start, end))
		if err != nil || pk == nil {
			return nil, err
		}
		_, value, err := tuple.DecodeBytes(pk[len(prefix):])
		if err != nil {
			return nil, err
		}
		found := pk
		if n+1 < len(f.values) {
			found, err = f.find(tuple.AppendBytes(bytes.Clone(prefix), value), n+1)
		} else if bytes.Equal(pk, f.except) {
			found = nil
		}
		if err != nil || found != nil {
			return found, err
		}
		start = append(bytes.Clone(value), 0)
	}
}

// first is the primary key of the first document in a range, nil if there is none.
func (f *keyFinder) first(r kv.Range) ([]byte, error) {
	it := f.r.Range(r, kv.RangeOptions{Limit: 1, Streaming: kv.StreamSmall})
	defer it.Close()
	if !it.Next() {
		return nil, it.Err()
	}
	pk, _, err := f.c.keys.SplitDocument(it.Key())
	return bytes.Clone(pk), err
}

// equalSpan is the span of the strings that are equal to an encoded one: the strings with
// its sort key.
func equalSpan(value []byte) (start, end []byte, err error) {
	if len(value) > 0 && value[0] == ordered.ClassString {
		if key, _, ok := collation.SplitKey(value[1:]); ok {
			n := 1 + len(key)
			return value[: n+1 : n+1], append(value[:n:n], collation.Terminator+1), nil
		}
	}
	return nil, nil, fmt.Errorf("%w: %x has no sort key", ErrBadKey, value)
}

// equalKey proves that no other document has a primary key equal to pk.
func (k *checker) equalKey(pk []byte) error {
	if k.c.folded == nil {
		return nil
	}
	other, ok, err := k.c.equalKey(k.r, pk, pk)
	if err != nil {
		k.violation(Violation{What: "a primary key can't be read", PK: bytes.Clone(pk), Detail: err.Error()})
		return nil
	}
	if ok {
		k.violation(Violation{What: "two documents have equal primary keys", PK: bytes.Clone(pk),
			Detail: fmt.Sprintf("the other is %x", other)})
	}
	return nil
}
