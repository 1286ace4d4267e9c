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

// bucketKnown is what is known of the keypaths of a collection in a bucket: nothing before it has been opened.
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

// bucketKeypaths are the keypaths that documents in a bucket have; complete: no document has others.
func (d *Definition) bucketKeypaths() (all []string, complete bool) {
	known := d.bucketKnown()
	return known.Order, known.Complete
}

// BucketCounts stand for the counts of a keypath in a bucket: there are some of each kind that documents may have
// there, and how many is not known.
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

// findInBucket is FindKeypath for a collection in a bucket. Of what is not known any keypath may be there.
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

// CommitsItself reports whether the running statement is a transaction by itself.
func (s *Session) CommitsItself() bool { return s.autocommit() && !s.GetIgnoreAutoCommit() }

// BucketIndexes are the indexes that a collection in a bucket has, as far as it has been opened.
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

// InBucket refuses what tables in buckets have not.
func InBucket(def *catalog.Table, what string) error {
	return mysqlerr.Unsupported("%s.%s is in a bucket, which has no %s", def.Database, def.Name, what)
}
