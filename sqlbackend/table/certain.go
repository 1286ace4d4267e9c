package table

import (
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// A condition that every document satisfies, as the exact counts prove, is no reason to read an index. An example is
// `name` IS NOT NULL where no document lacks a name or has a null there. A SELECT does not test it either. A writing
// statement does, as it reads the documents in any case; so does a SELECT that may go on at newer versions.

// countProof are the counts of a keypath that prove a condition true for every document.
type countProof struct {
	keypath string
	counts  costing.Keypath
	missing bool // documents may lack the keypath
}

// holds reports whether later counts, with this number of documents, still prove it.
func (p *countProof) holds(now costing.Keypath, documents int64) bool {
	for kind, n := range now {
		if of := p.counts[kind]; !n.IsZero() && of.IsZero() {
			return false
		}
	}
	return p.missing || now.Total().Documents == documents
}

// Certain implements pushdown.Resolver.
func (r *LookupResolver) Certain(c pushdown.Column, of pushdown.Among) bool {
	d := r.Table.Def
	if _, unsettled := d.UnsettledColumn(c.Path); unsettled || c.Path.HasArray() {
		return false
	}
	counts, ok := r.CountsOf(c.Keypath)
	if !ok || !counts[indexes.KindOmitted].IsZero() {
		return false
	}
	others := of.Values.Complement()
	for kind, n := range counts {
		if !n.IsZero() && others.Meets(costing.SpansOfKind(kind)) {
			return false
		}
	}
	documents, _, err := d.Collection.Statistics(r.Read).Documents()
	if err != nil {
		r.Err = err
		return false
	}
	p := countProof{keypath: c.Keypath, counts: counts, missing: of.Missing}
	if documents == 0 || !p.holds(counts, documents) {
		return false
	}
	r.Proofs = append(r.Proofs, p)
	return true
}

// DropCertain drops the conditions that every document satisfies from the filter, if the statement may rely on
// counts.
func (t *Table) DropCertain(split *pushdown.Result) {
	if len(split.Certain) > 0 && t.RestsOnCounts() {
		split.DropCertain()
	}
}

// RestsOnCounts reports whether the statement may rely on counts: it reads its rows at the version of its plan.
func (t *Table) RestsOnCounts() bool {
	return t.Session != nil && t.Session.Parsed.OnlySelects() && !t.Session.WouldContinue()
}

// dropIdle drops candidates that exclude no document, if there are other conditions that need a path. Candidates
// whose entries make rows stay.
func (t *Table) dropIdle(split *pushdown.Result, conjuncts int, use *NamedUse) {
	if len(split.Certain) == 0 || len(split.Certain) == conjuncts || HintAt(t.Session, t.Place) != nil {
		return
	}
	split.Candidates = slices.DeleteFunc(slices.Clone(split.Candidates), func(c pushdown.Candidate) bool {
		return split.Idle(&c) && t.coveredBy(&c, use.Needed(c.Residual)) == nil
	})
}

// Settled completes the path of an aggregation, which reads no documents, with the proofs of dropped conditions.
func (p *AccessPath) Settled(split *pushdown.Result, r *LookupResolver) {
	if len(split.Certain) > 0 && p.Table.RestsOnCounts() {
		p.Residual, p.Proofs = split.Uncertain(p.Residual), r.Proofs
	}
}

// ConfirmCertain reads again the counts because of which the path drops conditions. The counts then take part in
// conflict detection, as the documents would.
func (p *AccessPath) ConfirmCertain(r kv.Reader) error {
	if !slices.ContainsFunc(p.Certain, func(i int) bool { return !slices.Contains(p.Residual, i) }) {
		return nil
	}
	c := p.Table.Def.Collection
	stats := c.Statistics(r)
	documents, _, err := stats.Documents()
	if err != nil {
		return err
	}
	for i := range p.Proofs {
		proof := &p.Proofs[i]
		number, known, err := c.Number(r, proof.keypath)
		if err != nil {
			return err
		}
		now := costing.Keypath{}
		if known {
			if now, err = stats.Keypath(number); err != nil {
				return err
			}
		}
		if !proof.holds(now, documents) {
			return fmt.Errorf("sqlbackend: read %s: documents differ at %s from what the plan rests on: %w", p.Table.Def,
				proof.keypath, kv.ErrConflict)
		}
	}
	return nil
}

// CertainTexts returns the texts of the conditions that every document satisfies, for EXPLAIN, without the
// conditions that the path answers.
func (p *AccessPath) CertainTexts() []string {
	if p.Candidate == nil && len(p.Certain) == len(p.Conjuncts) {
		return nil
	}
	var texts []string
	for _, i := range p.Certain {
		if p.Candidate == nil || !slices.Contains(p.Candidate.Answers, i) {
			texts = append(texts, operator.ExprText(p.Conjuncts[i]))
		}
	}
	return texts
}
