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

// A condition that every document satisfies, as the exact counts prove, is no reason to read anything: `name` IS NOT
// NULL where no document lacks a name, and none has a null there. A SELECT does not test it either. What writes does,
// since it reads the documents in any case; so does a SELECT that may go on at newer versions.

// countProof is what the counts say of a keypath that a condition's being true of every document rests on.
type countProof struct {
	keypath string
	counts  costing.Keypath
	missing bool // documents may lack the keypath
}

// holds reports whether later counts prove as much, of so many documents.
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

// DropCertain leaves conditions that every document satisfies out of what is filtered, where that may rest on counts.
func (t *Table) DropCertain(split *pushdown.Result) {
	if len(split.Certain) > 0 && t.RestsOnCounts() {
		split.DropCertain()
	}
}

// RestsOnCounts reports whether the statement reads its rows at the version at which it is planned.
func (t *Table) RestsOnCounts() bool {
	return t.Session != nil && t.Session.Parsed.OnlySelects() && !t.Session.WouldContinue()
}

// dropIdle leaves candidates out that rule no document out, if there is a condition that others may be for: but for
// those whose entries make rows.
func (t *Table) dropIdle(split *pushdown.Result, conjuncts int, use *NamedUse) {
	if len(split.Certain) == 0 || len(split.Certain) == conjuncts || HintAt(t.Session, t.Place) != nil {
		return
	}
	split.Candidates = slices.DeleteFunc(slices.Clone(split.Candidates), func(c pushdown.Candidate) bool {
		return split.Idle(&c) && t.coveredBy(&c, use.Needed(c.Residual)) == nil
	})
}

// Settled completes the path of an aggregation, which reads no documents.
func (p *AccessPath) Settled(split *pushdown.Result, r *LookupResolver) {
	if len(split.Certain) > 0 && p.Table.RestsOnCounts() {
		p.Residual, p.Proofs = split.Uncertain(p.Residual), r.Proofs
	}
}

// ConfirmCertain reads the counts again that the path rests on in leaving conditions out, so that they take part in
// conflict detection: no document is read that would.
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

// CertainTexts are the conditions that every document satisfies, as EXPLAIN shows them: those that the path need not be
// for.
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
