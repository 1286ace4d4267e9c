package sqlbackend

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// explainedRanges are ranges of ours that the engine reads a table along.
type explainedRanges interface {
	// explanation is what EXPLAIN tells of the table of that name or alias.
	explanation(table string) explanation
}

var (
	_ explainedRanges = (*accessPath)(nil)
	_ explainedRanges = (*childPath)(nil)
)

// name is how EXPLAIN calls the path.
func (p *accessPath) name() string {
	if p.candidate == nil {
		return "full scan"
	}
	if len(p.candidate.Parts) == 0 {
		return "nothing"
	}
	names := make([]string, len(p.candidate.Parts))
	for i, part := range p.candidate.Parts {
		names[i] = lookupName(part)
	}
	return strings.Join(names, ", ")
}

// lookupName is how the engine shows what a part is read by.
func lookupName(part pushdown.Part) string {
	switch {
	case part.PrimaryKey:
		return "primary key"
	case part.Declared != nil:
		return part.Declared.Name
	}
	return cmp.Or(part.Column.Index, part.Column.Keypath)
}

// partName is how people know what a part is read by: its column or its path.
func partName(part pushdown.Part) string {
	switch {
	case part.PrimaryKey:
		return "primary key"
	case part.Declared != nil:
		return declaredName(part.Declared)
	case part.Column.Name == "":
		return part.Column.Path.JSONPath()
	}
	return "`" + part.Column.Name + "`"
}

// indexName is the name of a part's index: as the columns of EXPLAIN, and index
// hints, have it.
func indexName(part pushdown.Part) string {
	if part.PrimaryKey {
		return "PRIMARY"
	}
	return lookupName(part)
}

// candidateName lists what a candidate is read by.
func candidateName(c *pushdown.Candidate) string {
	if len(c.Parts) == 0 {
		return "nothing"
	}
	names := make([]string, len(c.Parts))
	for i, part := range c.Parts {
		names[i] = partName(part)
	}
	return strings.Join(names, ", ")
}

// indexNames lists the indexes of a candidate's parts, each once.
func indexNames(c *pushdown.Candidate) string {
	var names []string
	for _, part := range c.Parts {
		names = appendNew(names, indexName(part))
	}
	return strings.Join(names, ",")
}

// candidateText shows what a candidate reads, part by part.
func candidateText(c *pushdown.Candidate) string {
	return partsText(c.Parts, partName)
}

func partsText(parts []pushdown.Part, name func(pushdown.Part) string) string {
	if len(parts) == 0 {
		return "nothing to read: no document satisfies it"
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = name(part) + " in " + part.Text
	}
	if len(parts) == 1 {
		return texts[0]
	}
	return "union of " + strings.Join(texts, ", and ")
}

// String is the path in one line, as the engine shows it.
func (p *accessPath) String() string {
	if p.candidate == nil {
		return p.name()
	}
	if len(p.members) > 0 {
		return membersText(p.members, lookupName)
	}
	return partsText(p.candidate.Parts, lookupName)
}

// DebugString implements sql.DebugStringer.
func (p *accessPath) DebugString() string { return p.String() }

// explanation implements explainedRanges.
func (p *accessPath) explanation(table string) explanation {
	e := explanation{table: table, path: p, access: "ALL", operation: "Table scan on " + table, at: p}
	c := p.candidate
	if e.entriesOnly = p.covered != nil; p.order != nil {
		p.order.explain(&e)
	}
	if c == nil {
		return e
	}
	e.key = indexNames(c)
	if len(c.Parts) == 0 {
		e.access, e.operation = "", "No rows of "+table
		e.extra = []string{"Impossible WHERE"}
		return e
	}
	using := " on " + table + " using " + strings.ReplaceAll(e.key, ",", ", ")
	switch {
	case len(p.members) > 0:
		e.access, e.operation = "index_merge", "Intersection of index ranges"+using
		e.extra = []string{"Using intersect(" + e.key + ")"}
	case len(c.Parts) > 1:
		e.access, e.operation = "index_merge", "Union of index ranges"+using
		e.extra = []string{"Using union(" + e.key + ")"}
	case p.isOneDocument():
		e.access, e.operation, e.ref = "const", "Single-row index lookup"+using, "const"
	case isPoint(c):
		e.access, e.operation, e.ref = "ref", "Index lookup"+using, "const"
	default:
		e.access, e.operation = "range", "Index range scan"+using
	}
	return e
}

// explanation implements explainedRanges: a document may have many rows.
func (p *childPath) explanation(table string) explanation {
	e := p.accessPath.explanation(table)
	e.entriesOnly = p.entries
	if e.access == "const" {
		e.access, e.operation = "ref", "Index lookup on "+table+" using "+e.key
	}
	if p.ordered {
		e.facts = append(e.facts, "in the order that is asked for"+direction(p.reverse))
	}
	return e
}

// chosenEstimate is what the path is thought to read; nil where nothing was
// counted.
func (p *accessPath) chosenEstimate() *costing.Estimate {
	if p.candidate == nil {
		return &costing.Estimate{Keys: p.documents, Bound: p.documents, Exact: true}
	}
	if p.chosen >= len(p.estimates) {
		return nil
	}
	return &p.estimates[p.chosen]
}

// residualText is what the filter still has to check.
func (p *accessPath) residualText() string {
	parts := make([]string, len(p.residual))
	for i, n := range p.residual {
		parts[i] = operator.ExprText(p.conjuncts[n])
	}
	return strings.Join(parts, " AND ")
}

// empty tells why there is nothing to read, if the counts prove it.
func (p *accessPath) empty() string {
	e := p.chosenEstimate()
	if p.candidate == nil || len(p.candidate.Parts) == 0 || e == nil || !e.Exact || e.Bound > 0 {
		return ""
	}
	names := make([]string, len(p.candidate.Parts))
	for i, part := range p.candidate.Parts {
		if part.PrimaryKey {
			return "the table is empty"
		}
		names[i] = partName(part)
	}
	if len(names) == 1 && e.Missing == p.documents {
		return "no document has " + names[0]
	}
	return "no document has a value of that type at " + strings.Join(names, " or ")
}

// absent reports whether the counts say that no document has the keypath of a
// part. Where they can't be read it is not said.
func (p *accessPath) absent(part pushdown.Part) bool {
	if part.PrimaryKey {
		return false
	}
	read, err := p.table.session.planReader()
	if err != nil {
		return false
	}
	resolver := &lookupResolver{table: p.table, read: read}
	counts, ok := resolver.countsOf(part.Column.Keypath)
	return ok && counts.Total().IsZero()
}

// filteredShare is the share of the rows read that the filter lets through, as
// far as the counts tell; ok is false where a condition has no range.
func (p *accessPath) filteredShare() (share float64, ok bool) {
	share = 1
	used := map[int]bool{}
	if p.chosen >= 0 {
		used[p.chosen] = true
	}
	for _, conjunct := range p.residual {
		i := p.answering(conjunct, used)
		if i < 0 {
			return 0, false
		}
		if !used[i] && p.documents > 0 {
			share *= min(1, float64(p.estimates[i].Keys)/float64(p.documents))
		}
		used[i] = true
	}
	return share, true
}

// answering is the candidate whose spans stand for a conjunct, one of those used
// already if possible; -1 if there is none.
func (p *accessPath) answering(conjunct int, used map[int]bool) int {
	found := -1
	for i, c := range p.candidates {
		for _, answer := range c.Answers {
			if answer == conjunct && !p.estimates[i].Incomplete && !p.split[i].OnlyThere {
				if used[i] {
					return i
				}
				if found < 0 {
					found = i
				}
			}
		}
	}
	return found
}

// documentsText says how many documents a table has.
func documentsText(e *costing.Estimate) string {
	if e.Exact && e.Keys == e.Bound {
		return grouped(e.Keys) + ", exactly"
	}
	return keysText(e)
}

// keysText says how many keys are read: index keys, or of the primary key
// documents.
func keysText(e *costing.Estimate) string {
	text := "about " + grouped(e.Keys)
	if e.Exact {
		text = grouped(e.Keys) + " counted"
	}
	return text + " of " + grouped(e.Bound)
}

// lackText says how many documents have no entry, where that matters.
func (p *accessPath) lackText(i int) string {
	if !p.candidates[i].NeedsAllPresent {
		return ""
	}
	unit := "documents"
	if p.elements {
		unit = "elements"
	}
	return fmt.Sprintf("; %s %s lack the keypath", grouped(p.estimates[i].Missing), unit)
}

func appendNew(list []string, s string) []string {
	for _, there := range list {
		if there == s {
			return list
		}
	}
	return append(list, s)
}
