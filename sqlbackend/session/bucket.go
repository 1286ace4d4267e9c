package session

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// bucketKnown returns the known keypaths of a collection in a bucket: none before it has been opened.
func (d *Definition) bucketKnown() collection.Keypaths {
	if d.Bucket == nil {
		return collection.Keypaths{}
	}
	c := d.Bucket.Known()
	if c == nil {
		return collection.Keypaths{}
	}
	return c.Keypaths()
}

// bucketKeypaths returns the keypaths of documents in a bucket; complete says that no document has others.
func (d *Definition) bucketKeypaths() (all []string, complete bool) {
	known := d.bucketKnown()
	return known.Order, known.Complete
}

// BucketCounts returns counts of a keypath in a bucket: some for each kind that documents may have there, since the
// number is not known.
func (d *Definition) BucketCounts(keypath string) costing.Keypath {
	return kindsOf(d.bucketKnown(), keypath)
}

func kindsOf(known collection.Keypaths, keypath string) costing.Keypath {
	counts := costing.Keypath{}
	kinds := map[string]bool{}
	for _, kind := range known.Kinds[keypath] {
		kinds[kind] = true
	}
	for _, kind := range document.Kinds() {
		if kinds[kind.String()] || !known.Complete {
			counts[kind] = costing.Count{Documents: 1, Entries: 1}
		}
	}
	return counts
}

// inferredOfBucket is Inferred for a collection in a bucket.
func (d *Definition) inferredOfBucket(s Shape) ([]Column, sql.Schema, error) {
	known := d.bucketKnown()
	var columns []Column
	var schema sql.Schema
	taken, listed := d.takenNames()
	add := func(name string, path document.Keypath) {
		taken[strings.ToLower(name)] = true
		column, c := d.inferred(s, name, path, kindsOf(known, path.String()))
		columns, schema = append(columns, column), append(schema, c)
	}
	if s.List {
		for _, name := range known.Order {
			if len(columns) >= d.Options.Listed() {
				break
			}
			path, err := document.ParseKeypath(name)
			if err == nil && !path.HasArray() && listed(name) && IsColumn(kindsOf(known, name)) {
				add(name, path)
			}
		}
	}
	for _, name := range s.Named {
		if taken[strings.ToLower(name)] {
			continue
		}
		path, err := ColumnKeypath(name)
		if err != nil {
			return nil, nil, err
		}
		add(name, path)
	}
	return columns, schema, nil
}

// findInBucket is FindKeypath for a collection in a bucket. If the keypaths are not all known, any keypath may exist.
func (d *Definition) findInBucket(given string) (spelled string, there bool) {
	all, complete := d.bucketKeypaths()
	found := ""
	for _, p := range all {
		if p == given {
			return given, true
		}
		if found == "" && strings.EqualFold(p, given) {
			found = p
		}
	}
	if found != "" {
		return found, true
	}
	return given, !complete
}

// CommitsItself reports whether the running statement is a transaction of its own.
func (s *Session) CommitsItself() bool { return s.autocommit() && !s.GetIgnoreAutoCommit() }

// BucketIndexes returns the indexes of a collection in a bucket, if it has been opened.
func (d *Definition) BucketIndexes() []catalog.Index {
	if d.Bucket == nil || d.Bucket.Known() == nil {
		return nil
	}
	var out []catalog.Index
	for _, x := range d.Bucket.Known().Indexes() {
		idx := catalog.Index{Name: x.Name, Comment: x.Comment}
		for _, f := range x.Fields {
			idx.Columns = append(idx.Columns, f.Path.String())
		}
		out = append(out, idx)
	}
	return out
}

// InBucket returns the error for a feature that tables in buckets do not have.
func InBucket(def *catalog.Table, what string) error {
	return mysqlerr.Unsupported("%s.%s is in a bucket, which has no %s", def.Database, def.Name, what)
}
