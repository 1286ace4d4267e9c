package aggregate

import (
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// How a JSON value is written is known from its document only. To show it, the first document of each value is
// fetched. To make a text of 0, which may be -0, each document with 0 is fetched.

// probedValues is how many values are read to find out whether there are few. Each takes a seek.
const probedValues = 64

// affordable reports whether fetching the documents that show how values are written costs less than reading all.
func (p *aggregatePlanner) affordable(path *Path, e costing.Estimator) (bool, error) {
	if path.use.path == nil || path.method == readCounters || path.method == readEnds {
		return true, nil
	}
	counts, ok := p.resolver.CountsOf(path.column.Keypath)
	if !ok {
		return false, p.resolver.Err
	}
	fetched := counts[document.KindObject].Documents + counts[document.KindArray].Documents
	if path.json.Text && numbersOf(counts) > 0 {
		zeros, err := path.zeros(e)
		if err != nil {
			return false, err
		}
		fetched += zeros
	}
	if path.json.Shown {
		shown := counts[document.KindString].Documents
		if !path.json.Whole {
			shown += numbersOf(counts)
		}
		if shown > probedValues {
			few, err := p.fewValues(path)
			if err != nil {
				return false, err
			}
			if few {
				shown = probedValues
			}
		}
		fetched += shown
	}
	return fetched <= probedValues || fetched*fetchesPerScanned <= path.Documents, nil
}

// numbersOf is how many documents have a number.
func numbersOf(counts costing.Keypath) (n int64) {
	for kind, of := range counts {
		if kind != indexes.KindOmitted && kind.Type() == document.TypeNumber {
			n += of.Documents
		}
	}
	return n
}

// zeros is about how many documents have the number 0.
func (p *Path) zeros(e costing.Estimator) (int64, error) {
	zero, err := ordered.AppendNumber(nil, "0")
	if err != nil {
		return 0, err
	}
	part := pushdown.Part{Column: p.column, Spans: indexes.Point(zero)}
	estimate, err := e.Estimate(table.CostWalk(p.Table.Def,
		&pushdown.Candidate{Parts: []pushdown.Part{part}, Column: part.Column,
			Spans: part.Spans}, false))
	return estimate.Keys, err
}

// fewValues reports whether the path meets no more than probedValues different values.
func (p *aggregatePlanner) fewValues(path *Path) (bool, error) {
	part := &pushdown.Part{Column: path.column, Spans: indexes.Everything()}
	if path.Candidate != nil {
		part = &path.Candidate.Parts[0]
	}
	d := path.Table.Def
	number, known, err := d.Collection.Dictionary().Lookup(p.resolver.Read, path.column.Keypath)
	if err != nil || !known {
		return err == nil, err
	}
	walk := d.Collection.Entries(p.resolver.Read, number, d.Versions(part.Column, part.Spans),
		tables.ScanOptions{Streaming: kv.StreamIterate})
	defer walk.Close()
	n := 0
	for n <= probedValues && walk.NextValue() {
		n++
	}
	return n <= probedValues, walk.Err()
}
