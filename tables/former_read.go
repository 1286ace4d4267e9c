package tables

import (
	"context"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// unindexed is a lookup in a collection whose index is being rebuilt: all documents are
// read. It gives the documents that have, or will have, an entry within the spans. They
// come in the order of primary keys.
type unindexed struct {
	*scan
	c        *Collection
	keypath  int64
	versions []indexes.VersionSpans
	failed   error
}

func (c *Collection) lookupUnindexed(r kv.Reader, keypath int64, versions []indexes.VersionSpans,
	opts ScanOptions) Rows {
	s := &scan{c: c, r: r, opts: opts, ranges: []kv.Range{c.keys.Documents()}}
	s.open()
	return &unindexed{scan: s, c: c, keypath: keypath, versions: versions}
}

func (u *unindexed) Next() bool {
	for u.failed == nil && u.scan.Next() {
		found, err := u.c.hasEntry(u.PK(), u.Document(), u.keypath, u.versions)
		if err != nil {
			u.failed = err
			return false
		}
		if found {
			return true
		}
	}
	return false
}

func (u *unindexed) Err() error {
	if u.failed != nil {
		return u.failed
	}
	return u.scan.Err()
}

// hasEntry reports whether a document of the definition's generation must have an
// entry of the keypath within the spans.
func (c *Collection) hasEntry(pk []byte, d document.Document, keypath int64, versions []indexes.VersionSpans) (bool,
	error) {
	found := false
	v := indexes.Versioned{Document: d, Generation: c.def.Generation}
	// The context is for keypaths that get a number only now, by options that
	// have changed.
	_, err := c.maintainer.Entries(context.Background(), pk, v, func(key []byte) error {
		if found {
			return nil
		}
		e, err := c.keys.SplitEntry(key)
		if err == nil && e.Keypath == keypath {
			found = within(e, versions)
		}
		return err
	})
	return found, err
}

func within(e keyspace.Entry, versions []indexes.VersionSpans) bool {
	for _, v := range versions {
		if v.Version == e.FieldVersion && v.Spans.Contains(e.Value) {
			return true
		}
	}
	return false
}
