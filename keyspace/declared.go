package keyspace

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// AppendDeclared appends the key of an entry of the declared index n. values are the
// packed elements of its columns, each one byte string.
func (c *Collection) AppendDeclared(dst []byte, n int64, values, pk []byte) []byte {
	dst = tuple.AppendInt(append(dst, c.declared...), n)
	return append(append(dst, values...), pk...)
}

// DeclaredEntries is the range of the entries of the declared index n.
func (c *Collection) DeclaredEntries(n int64) kv.Range {
	return kv.PrefixRange(tuple.AppendInt(join(c.declared, nil), n))
}

// AllDeclared is the range of the entries of all declared indexes.
func (c *Collection) AllDeclared() kv.Range { return kv.PrefixRange(c.declared) }

// DeclaredSpan is the range of the entries of the declared index n whose first columns have
// the packed elements in prefix. Their next column has a value in [start, end) as encoded
// by package ordered; a nil end means no end.
func (c *Collection) DeclaredSpan(n int64, prefix, start, end []byte) kv.Range {
	at := append(tuple.AppendInt(join(c.declared, nil), n), prefix...)
	if len(start) == 0 && end == nil {
		return kv.PrefixRange(at)
	}
	return valueRange(at, start, end)
}

// SplitDeclared takes the packed elements of an entry's columns and the primary key
// behind them out of its key; both are slices of k.
func (c *Collection) SplitDeclared(k []byte, columns int) (values, pk []byte, err error) {
	if len(k) < len(c.declared) {
		return nil, nil, fmt.Errorf("keyspace: short key %x of a declared index", k)
	}
	rest, err := tuple.Skip(k[len(c.declared):])
	from := len(k) - len(rest)
	for i := 0; i < columns && err == nil; i++ {
		rest, err = tuple.Skip(rest)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("keyspace: key %x of a declared index: %w", k, err)
	}
	behind := len(k) - len(rest)
	if pk, rest, err = c.splitPK(k, behind); err == nil && len(rest) > 0 {
		err = fmt.Errorf("keyspace: key %x of a declared index goes on behind its primary key", k)
	}
	return k[from:behind], pk, err
}

// DeclaredNumber is the number of the declared index that an entry's key, or one of
// Omitted, belongs to.
func (c *Collection) DeclaredNumber(k []byte) (int64, error) {
	if len(k) < len(c.declared) { // both prefixes are of one length
		return 0, fmt.Errorf("keyspace: short key %x of a declared index", k)
	}
	_, n, err := tuple.DecodeInt(k[len(c.declared):])
	if err != nil {
		return 0, fmt.Errorf("keyspace: key %x of a declared index: %w", k, err)
	}
	return n, nil
}

// Omitted is the key that says that the declared index n lacks the entry of the document
// pk, as its key would be too long.
func (c *Collection) Omitted(n int64, pk []byte) []byte {
	return append(tuple.AppendInt(join(c.omitted, nil), n), pk...)
}

// OmittedFrom is the range of the documents without an entry in the declared index n.
func (c *Collection) OmittedFrom(n int64) kv.Range {
	return kv.PrefixRange(tuple.AppendInt(join(c.omitted, nil), n))
}

// AllOmitted is the range of the documents without an entry in some declared index.
func (c *Collection) AllOmitted() kv.Range { return kv.PrefixRange(c.omitted) }

// SplitOmitted takes the primary key (a slice of k) out of a key of Omitted.
func (c *Collection) SplitOmitted(k []byte) ([]byte, error) {
	if len(k) < len(c.omitted) {
		return nil, fmt.Errorf("keyspace: short key %x of a declared index", k)
	}
	rest, err := tuple.Skip(k[len(c.omitted):])
	if err != nil {
		return nil, fmt.Errorf("keyspace: key %x of a declared index: %w", k, err)
	}
	pk, _, err := c.splitPK(k, len(k)-len(rest))
	return pk, err
}
