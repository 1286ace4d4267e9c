package table

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// ExplainedRanges are ranges, along which the engine reads a table, that EXPLAIN can describe.
type ExplainedRanges interface {
	// Explanation describes the path for EXPLAIN; table is the table's name or alias.
	Explanation(table string) Explanation
}

var _ ExplainedRanges = (*AccessPath)(nil)

// Name is the path's name in EXPLAIN.
func (p *AccessPath) Name() string {
	if p.Candidate == nil {
		return "full scan"
	}
	if len(p.Candidate.Parts) == 0 {
		return "nothing"
	}
	names := make([]string, len(p.Candidate.Parts))
	for i, part := range p.Candidate.Parts {
		names[i] = lookupName(part)
	}
	return strings.Join(names, ", ")
}

// lookupName is the name, for the engine, of the index or key that a part reads.
func lookupName(part pushdown.Part) string {
	switch {
	case part.PrimaryKey:
		return "primary key"
	case part.Declared != nil:
		return part.Declared.Name
	}
	return cmp.Or(part.Column.Index, part.Column.Keypath)
}

// PartName is the readable name of the key, index, column or path that a part reads.
func PartName(part pushdown.Part) string {
	switch {
	case part.PrimaryKey:
		return "primary key"
	case part.Declared != nil:
		return DeclaredName(part.Declared)
	case part.Column.Name == "":
		return part.Column.Path.JSONPath()
	}
	return "`" + part.Column.Name + "`"
}

// IndexName is the name of a part's index in EXPLAIN's columns and in index hints.
func IndexName(part pushdown.Part) string {
	if part.PrimaryKey {
		return "PRIMARY"
	}
	return lookupName(part)
}

// candidateName lists the names of a candidate's parts.
func candidateName(c *pushdown.Candidate) string {
	if len(c.Parts) == 0 {
		return "nothing"
	}
	names := make([]string, len(c.Parts))
	for i, part := range c.Parts {
		names[i] = PartName(part)
	}
	return strings.Join(names, ", ")
}

// IndexNames lists the indexes of a candidate's parts, each once.
func IndexNames(c *pushdown.Candidate) string {
	var names []string
	for _, part := range c.Parts {
		names = AppendNew(names, IndexName(part))
	}
	return strings.Join(names, ",")
}

// CandidateText describes what a candidate reads, part by part.
func CandidateText(c *pushdown.Candidate) string {
	return partsText(c.Parts, PartName)
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

// String returns the path in one line, for the engine.
func (p *AccessPath) String() string {
	if p.Candidate == nil {
		return p.Name()
	}
	if len(p.Members) > 0 {
		return membersText(p.Members, lookupName)
	}
	return partsText(p.Candidate.Parts, lookupName)
}

// DebugString implements sql.DebugStringer.
func (p *AccessPath) DebugString() string { return p.String() }

// Explanation implements ExplainedRanges.
func (p *AccessPath) Explanation(table string) Explanation {
	e := Explanation{Table: table, Path: p, Access: "ALL", Operation: "Table scan on " + table, At: p}
	c := p.Candidate
	if e.EntriesOnly = p.Covered != nil; p.Order != nil {
		p.Order.explain(&e)
	}
	if c == nil {
		return e
	}
	e.Key = IndexNames(c)
	if len(c.Parts) == 0 {
		e.Access, e.Operation = "", "No rows of "+table
		e.Extra = []string{"Impossible WHERE"}
		return e
	}
	using := " on " + table + " using " + strings.ReplaceAll(e.Key, ",", ", ")
	switch {
	case len(p.Members) > 0:
		e.Access, e.Operation = "index_merge", "Intersection of index ranges"+using
		e.Extra = []string{"Using intersect(" + e.Key + ")"}
	case len(c.Parts) > 1:
		e.Access, e.Operation = "index_merge", "Union of index ranges"+using
		e.Extra = []string{"Using union(" + e.Key + ")"}
	case p.IsOneDocument():
		e.Access, e.Operation, e.Ref = "const", "Single-row index lookup"+using, "const"
	case isPoint(c):
		e.Access, e.Operation, e.Ref = "ref", "Index lookup"+using, "const"
	default:
		e.Access, e.Operation = "range", "Index range scan"+using
	}
	return e
}

// ChosenEstimate estimates what the path reads; nil if nothing was counted.
func (p *AccessPath) ChosenEstimate() *costing.Estimate {
	if p.Candidate == nil {
		return &costing.Estimate{Keys: p.Documents, Bound: p.Documents, Exact: true}
	}
	if p.Chosen >= len(p.Estimates) {
		return nil
	}
	return &p.Estimates[p.Chosen]
}

// ResidualText returns the conditions that a filter still tests.
func (p *AccessPath) ResidualText() string {
	parts := make([]string, len(p.Residual))
	for i, n := range p.Residual {
		parts[i] = operator.ExprText(p.Conjuncts[n])
	}
	return strings.Join(parts, " AND ")
}

// Empty returns the reason why there is nothing to read, if the counts prove it; else "".
func (p *AccessPath) Empty() string {
	e := p.ChosenEstimate()
	if p.Candidate == nil || len(p.Candidate.Parts) == 0 || e == nil || !e.Exact || e.Bound > 0 {
		return ""
	}
	names := make([]string, len(p.Candidate.Parts))
	for i, part := range p.Candidate.Parts {
		if part.PrimaryKey {
			return "the table is empty"
		}
		names[i] = PartName(part)
	}
	if len(names) == 1 && e.Missing == p.Documents {
		return "no document has " + names[0]
	}
	return "no document has a value of that type at " + strings.Join(names, " or ")
}

// Absent reports whether the counts prove that no document has the keypath of a part. It is false if they can't be
// read.
func (p *AccessPath) Absent(part pushdown.Part) bool {
	if part.PrimaryKey {
		return false
	}
	read, err := p.Table.Session.Readers.Plan()
	if err != nil {
		return false
	}
	resolver := &LookupResolver{Table: p.Table, Read: read}
	counts, ok := resolver.CountsOf(part.Column.Keypath)
	return ok && counts.Total().IsZero()
}

// FilteredShare returns the share of the read rows that pass the filter, as far as the counts show. ok is false if a
// condition has no range.
func (p *AccessPath) FilteredShare() (share float64, ok bool) {
	share = 1
	used := map[int]bool{}
	if p.Chosen >= 0 {
		used[p.Chosen] = true
	}
	for _, conjunct := range p.Residual {
		i := p.answering(conjunct, used)
		if i < 0 {
			return 0, false
		}
		if !used[i] && p.Documents > 0 {
			share *= min(1, float64(p.Estimates[i].Keys)/float64(p.Documents))
		}
		used[i] = true
	}
	return share, true
}

// answering returns the index of a candidate whose spans stand for a conjunct, if possible one in used; -1 if there
// is none.
func (p *AccessPath) answering(conjunct int, used map[int]bool) int {
	found := -1
	for i, c := range p.Candidates {
		for _, answer := range c.Answers {
			if answer == conjunct && !p.Estimates[i].Incomplete && !p.Split[i].OnlyThere {
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

// DocumentsText returns the number of documents of a table, as text.
func DocumentsText(e *costing.Estimate) string {
	if e.Exact && e.Keys == e.Bound {
		return session.Grouped(e.Keys) + ", exactly"
	}
	return KeysText(e)
}

// KeysText returns the number of keys that are read, as text: index keys, or documents for the primary key.
func KeysText(e *costing.Estimate) string {
	text := "about " + session.Grouped(e.Keys)
	if e.Exact {
		text = session.Grouped(e.Keys) + " counted"
	}
	return text + " of " + session.Grouped(e.Bound)
}

// lackText returns how many documents have no entry, as text, if that matters.
func (p *AccessPath) lackText(i int) string {
	if !p.Candidates[i].NeedsAllPresent {
		return ""
	}
	unit := "documents"
	if p.Elements {
		unit = "elements"
	}
	return fmt.Sprintf("; %s %s lack the keypath", session.Grouped(p.Estimates[i].Missing), unit)
}

// AppendNew appends s to a list, unless the list has it.
func AppendNew(list []string, s string) []string {
	for _, there := range list {
		if there == s {
			return list
		}
	}
	return append(list, s)
}

// Explained is a plan node that describes itself for EXPLAIN. The table, the tree and the JSON text are all made
// from its Explanation; its String is not used. Its children are described below it.
type Explained interface {
	sql.Node
	Explain() Explanation
}

// Explanation describes one node for EXPLAIN. All fields but Operation may be empty.
type Explanation struct {
	// Operation is what the node does, the start of its line in FORMAT=TREE, as "Count keys". The table, if there is
	// one, and Detail follow it.
	Operation string
	// Detail is what the operation applies to: a condition, expressions.
	Detail string

	// Table is the name or alias of the table that the node itself reads. The table then has a line in EXPLAIN's table.
	Table string
	// Path is how the node finds its rows, with the candidates that lost.
	Path *AccessPath
	// Access and Key are EXPLAIN's columns type and key, and Ref its ref, as "ALL" or "eq_ref". They are set where Path
	// does not have them, or is nil.
	Access, Key, Ref string
	// Estimate is what will be read, where Path does not have it or the node reads less.
	Estimate *costing.Estimate
	// EntriesOnly: no document is read.
	EntriesOnly bool

	// Facts are further lines about the node.
	Facts []string
	// Lost are other ways that were considered, besides Path's candidates.
	Lost []LostWay
	// Extra is for EXPLAIN's column Extra, in MySQL's words where it has any.
	Extra []string
	// At is the part of the plan for which the node's work is noted, see Session.Work, if it is neither the node nor
	// Path.
	At any
}

// LostWay is a way to read that was not chosen.
type LostWay struct {
	Way string // what it would read: "`n` in (1, 5)"
	Why string // what it would cost, or why it can't be used
	// Estimate is what it would read; nil if not known.
	Estimate *costing.Estimate
}

// Lines returns the lines that describe a path's choice.
func (p *AccessPath) Lines(withKeys bool) []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	chosen := p.Candidate != nil && p.Chosen < len(p.Estimates)
	switch {
	case chosen && withKeys:
		add("keys: %s%s", KeysText(&p.Estimates[p.Chosen]), p.lackText(p.Chosen))
	case p.Candidate == nil && (len(p.Choice.Why) > 0 || p.Documents > 0):
		add("documents: %s, exactly", session.Grouped(p.Documents))
	}
	if c := p.Candidate; c != nil {
		if c.Tight {
			add("tight")
		} else {
			add("not tight: the filter stays")
		}
	}
	if len(p.Residual) > 0 {
		add("residual: %s", p.ResidualText())
	}
	if chosen {
		add("cost: %.1f, a full scan costs %.1f", p.Choice.Cost, p.Choice.FullScan)
	}
	for i := range p.Candidates {
		if i != p.Chosen {
			add("lost: %s, keys: %s%s: %s", p.Candidates[i].Readable, KeysText(&p.Estimates[i]), p.lackText(i), p.Choice.Why[i])
		}
	}
	return lines
}

// PossibleKeys lists the indexes of all candidates.
func (p *AccessPath) PossibleKeys() string {
	var names []string
	for _, c := range p.Split {
		for _, part := range c.Parts {
			names = AppendNew(names, IndexName(part))
		}
	}
	return strings.Join(names, ",")
}

// JSONRange is one part that is read, in FORMAT=JSON.
type JSONRange struct {
	Key   string `json:"key"`
	Spans string `json:"spans"`
}

// Rounded rounds a cost to two decimals, for EXPLAIN.
func Rounded(cost float64) float64 { return math.Round(cost*100) / 100 }

// NoteScan keeps the path of a table for which EXPLAIN found nothing better than a full scan.
func NoteScan(s *session.Session, at tree.Place, p *AccessPath) {
	if s.Planning.Scans == nil {
		s.Planning.Scans = map[tree.Place]any{}
	}
	s.Planning.Scans[at] = p
}
