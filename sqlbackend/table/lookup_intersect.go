package table

import (
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

// mergeable reports whether a candidate's documents may be intersected with other candidates': its entries show
// which documents it has.
func mergeable(d *session.Definition, c *pushdown.Candidate) bool {
	if len(c.Parts) == 0 || d.Rebuilding() {
		return false
	}
	for i := range c.Parts {
		if p := &c.Parts[i]; p.PrimaryKey || p.Declared != nil || len(d.Versions(p.Column, p.Spans)) != 1 {
			return false
		}
	}
	return true
}

// intersected adds the intersection of the chosen members to the candidates, and chooses it. A conjunct is answered
// if a member answers it, as each document is in all members.
func intersected(split *pushdown.Result, costed []costing.Candidate, estimates []costing.Estimate,
	choice *costing.Choice, explained bool) ([]costing.Candidate, []costing.Estimate) {
	both := pushdown.Candidate{Tight: true}
	sum := costing.Estimate{Documents: choice.Joint}
	for n, m := range choice.Members {
		c, e := &split.Candidates[m], estimates[m]
		for _, part := range c.Parts {
			part.NeedsPresent = part.NeedsPresent || c.NeedsAllPresent && len(c.Parts) == 1
			both.Parts = append(both.Parts, part)
		}
		both.Tight, both.NeedsAllPresent = both.Tight && c.Tight, both.NeedsAllPresent || c.NeedsAllPresent
		for _, i := range c.Answers {
			if !slices.Contains(both.Answers, i) {
				both.Answers = append(both.Answers, i)
			}
		}
		if n == 0 {
			both.Residual = slices.Clone(c.Residual)
		}
		both.Residual = slices.DeleteFunc(both.Residual, func(i int) bool { return !slices.Contains(c.Residual, i) })
		sum.Keys, sum.Bound = sum.Keys+e.Keys, sum.Bound+e.Bound
	}
	slices.Sort(both.Answers)
	added := costing.Candidate{Tight: both.Tight, Answers: both.Answers}
	if explained {
		var names, texts []string
		for _, m := range choice.Members {
			names, texts = append(names, costed[m].Name), append(texts, costed[m].Readable)
		}
		added.Name, added.Readable = strings.Join(names, ", "), "intersection of "+strings.Join(texts, ", and ")
	}
	split.Candidates = append(slices.Clone(split.Candidates), both)
	choice.Chosen = len(split.Candidates) - 1
	choice.Why = append(choice.Why, costing.Reason{Text: "chosen"})
	return append(costed, added), append(estimates, sum)
}

// openIntersection starts reading the documents that are in all members; nil: there are none.
func (p *AccessPath) openIntersection(t *Table, r kv.Reader) (tables.Rows, error) {
	members, err := p.intersected(t, r)
	if err != nil || members == nil {
		return nil, err
	}
	return t.Def.Collection.Intersect(r, members, tables.IntersectOptions{}), nil
}

// intersected returns the members to read; nil: one of them has no documents.
func (p *AccessPath) intersected(t *Table, r kv.Reader) ([]tables.Member, error) {
	members := make([]tables.Member, len(p.Members))
	for n, c := range p.Members {
		for i := range c.Parts {
			part := &c.Parts[i]
			number, versions, err := p.resolve(t, r, part)
			if err != nil {
				return nil, err
			}
			if versions != nil {
				members[n] = append(members[n], tables.MemberPart{Keypath: number, Versions: versions, Repeats: part.Repeats()})
			}
		}
		if members[n] == nil {
			return nil, nil
		}
	}
	return members, nil
}

// membersText describes the members of an intersection.
func membersText(members []*pushdown.Candidate, name func(pushdown.Part) string) string {
	texts := make([]string, len(members))
	for i, c := range members {
		texts[i] = partsText(c.Parts, name)
	}
	return "intersection of " + strings.Join(texts, ", and ")
}
