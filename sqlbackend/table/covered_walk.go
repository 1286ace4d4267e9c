package table

import (
	"slices"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

// walkAll adds to the candidates the walk over all entries of the one column that a
// statement needs, whatever its conditions are: all documents' rows, if none lacks the
// keypath, without their documents. Where a condition has a range of such entries
// nothing is added.
func (t *Table) walkAll(resolver *LookupResolver, split *pushdown.Result, costed []costing.Candidate, conjuncts int,
	use *NamedUse) []costing.Candidate {
	better := func(c costing.Candidate) bool { return c.EntriesOnly || c.Nothing || c.PrimaryKey && c.Spans.IsPoint() }
	if use == nil || slices.ContainsFunc(costed, better) {
		return costed
	}
	needed := use.Needed(session.All(conjuncts))
	covered := t.CoveredByKey(needed)
	if covered == nil || covered.Column < 0 {
		return costed
	}
	c := &t.Columns[covered.Column]
	if c.Unit == session.UnitDouble || c.Unit == session.UnitFloat || t.foldsCase(c) {
		return costed
	}
	described, _, ok := resolver.ColumnNamed(c)
	if !ok || described.Document || described.Stubbed || described.PrimaryKeyPart > 0 || resolver.long(described) {
		return costed
	}
	part := pushdown.Part{Column: described, Spans: indexes.Everything(), Text: "all values"}
	walk := pushdown.Candidate{
		Parts: []pushdown.Part{part}, Column: described, Spans: part.Spans, Text: part.Text,
		Tight: true, NeedsAllPresent: true, Residual: session.All(conjuncts),
	}
	if t.coveredBy(&walk, needed) == nil {
		return costed
	}
	split.Candidates = append(slices.Clone(split.Candidates), walk)
	added := CostWalk(t.Def, &walk, t.Session.Parsed.Explains())
	added.EntriesOnly = true
	return append(costed, added)
}

// foldsCase reports whether different texts of a column are equal. Which of them stands
// for all in a DISTINCT, and what a sum of doubles is in its last digit, depends on the
// order of rows: without a condition it stays that of the documents.
func (t *Table) foldsCase(c *session.Column) bool {
	return (c.Unit == session.UnitText || c.Unit == session.UnitString) &&
		!t.Def.Encoder.Collation(c.Keypath.String()).IsIdentity()
}

// long reports whether values at a keypath may be too long for entries to hold all of
// them: their entries are longer than half of what is indexed, on average.
func (r *LookupResolver) long(c pushdown.Column) bool {
	counts, ok := r.CountsOf(c.Keypath)
	total := counts.Total()
	return !ok || c.StringLimit > 0 && total.Bytes > total.Entries*int64(c.StringLimit)/2
}

// keyUnion walks the keys of the documents that any part of a candidate leads to, each once, and reads no document.
// The parts are opened one after the other.
type keyUnion struct {
	path  *AccessPath
	table *Table
	from  kv.Reader
	parts int     // that have been opened
	at    keyWalk // of the last of them; nil before the first and between two
	seen  map[string]struct{}
	// once: the last part leads to no key twice, so that its keys need not be kept.
	once bool
	pk   []byte
	work tables.Work // of parts that are over
	err  error
}

func newKeyUnion(p *AccessPath, t *Table, r kv.Reader) *keyUnion {
	parts := p.Candidate.Parts
	return &keyUnion{
		path: p, table: t, from: r, seen: map[string]struct{}{},
		once: longread.Of(r) == nil && !parts[len(parts)-1].Repeats(),
	}
}

// Next implements keyWalk.
func (u *keyUnion) Next() bool {
	parts := u.path.Candidate.Parts
	for u.err == nil {
		if u.at == nil {
			if u.parts == len(parts) {
				return false
			}
			u.at, u.err = u.path.keysOfPart(u.table, u.from, &parts[u.parts])
			u.parts++
			continue
		}
		if !u.at.Next() {
			u.err = u.at.Err()
			u.end()
			continue
		}
		if u.pk, u.err = u.at.PK(); u.err != nil {
			return false
		}
		if _, again := u.seen[string(u.pk)]; again {
			continue
		}
		if u.parts < len(parts) || !u.once {
			u.seen[string(u.pk)] = struct{}{}
		}
		return true
	}
	return false
}

// end closes the part that is walked and keeps what it has cost.
func (u *keyUnion) end() {
	if u.at != nil {
		u.at.Close()
		u.work = u.work.Plus(u.at.Read())
		u.at = nil
	}
}

// PK implements keyWalk.
func (u *keyUnion) PK() ([]byte, error) { return u.pk, nil }

// Err implements keyWalk.
func (u *keyUnion) Err() error { return u.err }

// Read implements keyWalk.
func (u *keyUnion) Read() tables.Work {
	if u.at == nil {
		return u.work
	}
	return u.work.Plus(u.at.Read())
}

// Close implements keyWalk.
func (u *keyUnion) Close() {
	u.end()
	u.parts, u.seen = len(u.path.Candidate.Parts), nil
}
