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

// ExplainedRanges are ranges of ours that the engine reads a table along.
type ExplainedRanges interface {
	// explanation is what EXPLAIN shows of the table of that name or alias.
	Explanation(table string) Explanation
}

var _ ExplainedRanges = (*AccessPath)(nil)

// Name is how EXPLAIN calls the path.
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

// PartName is how people know what a part is read by: its column or its path.
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

// IndexName is the name of a part's index: as the columns of EXPLAIN, and index
// hints, have it.
func IndexName(part pushdown.Part) string {
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

// CandidateText shows what a candidate reads, part by part.
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

// String is the path in one line, as the engine shows it.
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

// ChosenEstimate is what the path is thought to read; nil where nothing was
// counted.
func (p *AccessPath) ChosenEstimate() *costing.Estimate {
	if p.Candidate == nil {
		return &costing.Estimate{Keys: p.Documents, Bound: p.Documents, Exact: true}
	}
	if p.Chosen >= len(p.Estimates) {
		return nil
	}
	return &p.Estimates[p.Chosen]
}

// ResidualText is what the filter still has to check.
func (p *AccessPath) ResidualText() string {
	parts := make([]string, len(p.Residual))
	for i, n := range p.Residual {
		parts[i] = operator.ExprText(p.Conjuncts[n])
	}
	return strings.Join(parts, " AND ")
}

// Empty says why there is nothing to read, if the counts prove it.
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

// Absent reports whether the counts say that no document has the keypath of a
// part. Where they can't be read it is not said.
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

// FilteredShare is the share of the rows read that the filter lets through, as
// far as the counts show; ok is false where a condition has no range.
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

// answering is the candidate whose spans stand for a conjunct, one of those used
// already if possible; -1 if there is none.
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

// DocumentsText says how many documents a table has.
func DocumentsText(e *costing.Estimate) string {
	if e.Exact && e.Keys == e.Bound {
		return session.Grouped(e.Keys) + ", exactly"
	}
	return KeysText(e)
}

// KeysText says how many keys are read: index keys, or of the primary key
// documents.
func KeysText(e *costing.Estimate) string {
	text := "about " + session.Grouped(e.Keys)
	if e.Exact {
		text = session.Grouped(e.Keys) + " counted"
	}
	return text + " of " + session.Grouped(e.Bound)
}

// lackText says how many documents have no entry, where that matters.
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

// AppendNew appends what a list lacks.
func AppendNew(list []string, s string) []string {
	for _, there := range list {
		if there == s {
			return list
		}
	}
	return append(list, s)
}

// Explained is a plan node of this package. EXPLAIN asks it what it does: the
// table, the tree and the JSON text are all made from the answer, and nobody
// reads its String. Its children are explained below it.
type Explained interface {
	sql.Node
	Explain() Explanation
}

// Explanation is what EXPLAIN shows of one node. All but the operation may be
// left empty.
type Explanation struct {
	// operation is what the node does, as a line of FORMAT=TREE begins: "Count
	// keys". The table, if there is one, and the detail follow it.
	Operation string
	// detail is what it is done to: a condition, expressions.
	Detail string

	// table is the name or alias of the table that the node itself reads; the
	// table then has its line in EXPLAIN's own format.
	Table string
	// path is how the node finds what it reads, with the candidates that lost.
	Path *AccessPath
	// access and key are EXPLAIN's type and key, and ref its ref, where the path
	// does not name them or there is none: "ALL", "index", "eq_ref".
	Access, Key, Ref string
	// estimate is what will be read, where the path does not give it or the node
	// reads less.
	Estimate *costing.Estimate
	// EntriesOnly: no document is read.
	EntriesOnly bool

	// facts are further lines about the node.
	Facts []string
	// lost are ways that were thought of beside the candidates of the path.
	Lost []LostWay
	// extra is for EXPLAIN's column Extra, in MySQL's words where there are any.
	Extra []string
	// at is what the node's work is noted under, see Session.Work, if it is
	// neither the node itself nor the path.
	At any
}

// LostWay is a way to read that was not taken.
type LostWay struct {
	Way string // what would be read: "`n` in (1, 5)"
	Why string // what it would have cost, or why it can't be used
	// What it would have read; nil where that is not known.
	Estimate *costing.Estimate
}

// Lines are what a path says of its choice.
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

// JSONRange is one part of what is read.
type JSONRange struct {
	Key   string `json:"key"`
	Spans string `json:"spans"`
}

// Rounded is a cost as people want to see it.
func Rounded(cost float64) float64 { return math.Round(cost*100) / 100 }

// NoteScan keeps what there is to say of a table that an EXPLAIN found no better
// way for than to read it as a whole.
func NoteScan(s *session.Session, at tree.Place, p *AccessPath) {
	if s.Planning.Scans == nil {
		s.Planning.Scans = map[tree.Place]any{}
	}
	s.Planning.Scans[at] = p
}
