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

// walkAll adds the walk over all entries of the only column that a statement needs, for any conditions. It gives all
// documents' rows without their documents, if no document lacks the keypath. Nothing is added if a condition has a
// range of such entries.
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

// foldsCase reports whether different texts of a column may be equal. The order of rows decides which of them
// DISTINCT shows, as it decides the last digit of a sum of doubles. Without a condition that order stays the
// documents' order.
func (t *Table) foldsCase(c *session.Column) bool {
	return (c.Unit == session.UnitText || c.Unit == session.UnitString) &&
		!t.Def.Encoder.Collation(c.Keypath.String()).IsIdentity()
}

// long reports whether values at a keypath may often be too long for their entries. That is so if entries have on
// average more than half of the indexed length.
func (r *LookupResolver) long(c pushdown.Column) bool {
	counts, ok := r.CountsOf(c.Keypath)
	total := counts.Total()
	return !ok || c.StringLimit > 0 && total.Bytes > total.Entries*int64(c.StringLimit)/2
}

// keyUnion walks the keys of the documents in any part of a candidate, each once, and reads no document. The parts
// are opened one after the other.
type keyUnion struct {
	path  *AccessPath
	table *Table
	from  kv.Reader
	parts int     // number of parts opened
	at    keyWalk // walk of the last opened part; nil before the first and between two
	seen  map[string]struct{}
	// once: the last part has no key twice, so its keys need not be kept.
	once bool
	pk   []byte
	work tables.Work // of the closed parts
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

// end closes the current part and adds its work.
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
