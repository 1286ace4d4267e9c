package costing

import "github.com/sqlfdb/sqlfdb/indexes"

// Candidate is an access path that would answer a part of the WHERE clause.
type Candidate struct {
	// Name is how people know the path: the keypath, or "primary key".
	Name string
	// Keypath is the spelled keypath; empty for the primary key.
	Keypath    string
	PrimaryKey bool
	// Spans are encoded values of the keypath, or of the primary key's first
	// column.
	Spans indexes.Spans
	// Versions are the field versions of the keypath that are read, each with its
	// spans; none means version 0 and Spans.
	Versions []indexes.VersionSpans
	// Parts are the parts that are read: a document must have an entry in one of them. None
	// means the one part that Keypath, PrimaryKey, Spans and Versions describe; or, with
	// Nothing, that no document satisfies the conjuncts.
	Parts   []Part
	Nothing bool
	// Tight: the spans are exactly the conjuncts that they answer.
	Tight bool
	// NeedsAllPresent: the spans hold every matching document only if no document
	// lacks the keypath.
	NeedsAllPresent bool
	// EntriesOnly: the entries hold all wanted columns, no document is fetched. For a range of
	// the primary key, the documents' keys do.
	EntriesOnly bool
	// Mergeable: its documents may be intersected with other candidates' documents.
	Mergeable bool
	// KeyCovers: the primary key holds all needed columns, except for the conjuncts Tested, which need the document.
	KeyCovers bool
	Tested    []int
	// Answers lists the conjuncts that the spans stand for.
	Answers []int
	// Readable is the keypath and the spans for people.
	Readable string
}

// Part is entries at one keypath, or documents by the first column of the primary
// key.
type Part struct {
	Keypath    string // spelled; empty for the primary key
	PrimaryKey bool
	Spans      indexes.Spans
	Versions   []indexes.VersionSpans // none means version 0 and Spans
	// Repeats: a document may have several entries at the keypath, which leads
	// through an array.
	Repeats bool
	// NeedsPresent: of several parts, this one is a part that needs all documents to have the
	// keypath.
	NeedsPresent bool
	// Declared are the entries that are read of a declared index; nil for entries of a keypath.
	Declared *Declared
}

// Declared is entries of the declared index of that number, where each document has one.
type Declared struct {
	Number int64
	Ranges []indexes.DeclaredRange
	// Bounds are the values of columns of the index that all entries in the ranges have,
	// as parts at the columns' keypaths. Documents that lack a keypath have a null.
	Bounds []Part
}

// parts are the parts of the candidate, in either form.
func (c *Candidate) parts() []Part {
	if len(c.Parts) > 0 || c.Nothing {
		return c.Parts
	}
	return []Part{{Keypath: c.Keypath, PrimaryKey: c.PrimaryKey, Spans: c.Spans, Versions: c.Versions}}
}

// versions are the field versions that the part reads.
func (p *Part) versions() []indexes.VersionSpans {
	if len(p.Versions) > 0 {
		return p.Versions
	}
	return indexes.InVersion(0, p.Spans)
}

// ranges is the number of ranges of keys that the candidate reads.
func (c *Candidate) ranges() int {
	n := 0
	for _, p := range c.parts() {
		if p.Declared != nil {
			n += len(p.Declared.Ranges)
			continue
		}
		for _, v := range p.versions() {
			n += len(v.Spans)
		}
	}
	return n
}

// inKeyOrder reports whether the entries of each range of the candidate are in the
// order of primary keys: each is a single value.
func (c *Candidate) inKeyOrder() bool {
	for _, p := range c.parts() {
		if p.Declared != nil {
			return false
		}
		for _, v := range p.versions() {
			for _, s := range v.Spans {
				if p.PrimaryKey || !s.IsPoint() {
					return false
				}
			}
		}
	}
	return true
}

// Estimate is an estimate of a candidate from the counts.
type Estimate struct {
	// Keys is the number of index keys (or documents, for the primary key)
	// within the spans; exact when Exact.
	Keys  int64
	Exact bool
	// Least: counting stopped where the choice was settled; Keys is the count by then.
	Least bool
	// Documents is the number of documents that the keys belong to, exactly when Exact. It is
	// less than Keys where documents have several keys.
	Documents int64
	// Bound is the exact count of all keys in the keypath's order classes that the spans touch:
	// the spans hold no more.
	Bound int64
	// Missing is the number of documents that lack the keypath, exactly; of several parts, the most
	// that lack one that needs them all.
	Missing int64
	// Incomplete: some values have no entries, so that the spans may miss documents.
	Incomplete bool
}
