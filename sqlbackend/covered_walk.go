package sqlbackend

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// walkAll adds to the candidates the walk over all entries of the one column that a
// statement needs, whatever its conditions are: all documents' rows, if none lacks the
// keypath, without their documents. Where a condition has a range of such entries
// nothing is added.
func (t *Table) walkAll(resolver *lookupResolver, split *pushdown.Result, costed []costing.Candidate, conjuncts int,
	use *namedUse) []costing.Candidate {
	better := func(c costing.Candidate) bool { return c.EntriesOnly || c.Nothing || c.PrimaryKey && c.Spans.IsPoint() }
	if use == nil || slices.ContainsFunc(costed, better) {
		return costed
	}
	needed := use.needed(all(conjuncts))
	covered := t.coveredByKey(needed)
	if covered == nil || covered.column < 0 {
		return costed
	}
	c := &t.columns[covered.column]
	if c.unit == unitDouble || c.unit == unitFloat || t.foldsCase(c) {
		return costed
	}
	described, _, ok := resolver.column(c)
	if !ok || described.Document || described.Stubbed || described.PrimaryKeyPart > 0 || resolver.long(described) {
		return costed
	}
	part := pushdown.Part{Column: described, Spans: indexes.Everything(), Text: "all values"}
	walk := pushdown.Candidate{
		Parts: []pushdown.Part{part}, Column: described, Spans: part.Spans, Text: part.Text,
		Tight: true, NeedsAllPresent: true, Residual: all(conjuncts),
	}
	if t.coveredBy(&walk, needed) == nil {
		return costed
	}
	split.Candidates = append(slices.Clone(split.Candidates), walk)
	added := t.def.costed(&walk, t.session.Explains())
	added.EntriesOnly = true
	return append(costed, added)
}

// foldsCase reports whether different texts of a column are equal. Which of them stands
// for all in a DISTINCT, and what a sum of doubles is in its last digit, depends on the
// order of rows: without a condition it stays that of the documents.
func (t *Table) foldsCase(c *column) bool {
	return (c.unit == unitText || c.unit == unitString) && !t.def.encoder.Collation(c.keypath.String()).IsIdentity()
}

// long reports whether values at a keypath may be too long for entries to hold all of
// them: their entries are longer than half of what is indexed, on average.
func (r *lookupResolver) long(c pushdown.Column) bool {
	counts, ok := r.countsOf(c.Keypath)
	total := counts.Total()
	return !ok || c.StringLimit > 0 && total.Bytes > total.Entries*int64(c.StringLimit)/2
}

// walked is the node that reads a table without conditions along the entries of the one
// column that is needed; nil where a scan is as good.
func (r *coveredTables) walked(n *plan.ResolvedTable, t *Table, needed []bool) (sql.Node, error) {
	if c := t.coveredByKey(needed); c == nil || c.column < 0 || !setting.UsesIndex(r.ctx) {
		return nil, nil
	}
	path, err := t.plan(r.ctx, nil)
	if err != nil {
		return nil, mysqlerr.Of(r.ctx, err)
	}
	if path == nil {
		return nil, nil
	}
	if path.covered = path.coverable(needed); path.covered == nil {
		return nil, nil
	}
	return plan.NewStaticIndexedAccessForTableNode(r.ctx, n, sql.IndexLookup{Index: path.index(), Ranges: path})
}
