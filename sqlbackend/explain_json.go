package sqlbackend

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"

	"github.com/sqlfdb/sqlfdb/costing"
)

// jsonPlan is EXPLAIN FORMAT=JSON: the same nodes as those of FORMAT=TREE, each
// with the nodes that it takes rows from in "inputs".
type jsonPlan struct {
	Plan      *jsonNode      `json:"query_plan"`
	Program   string         `json:"program,omitempty"`   // whether the statement has one
	Statement *jsonStatement `json:"statement,omitempty"` // EXPLAIN ANALYZE
}

type jsonNode struct {
	Operation  string   `json:"operation"`
	Detail     string   `json:"detail,omitempty"`
	SelectID   uint64   `json:"select_id,omitempty"`
	SelectType string   `json:"select_type"`
	Table      string   `json:"table_name,omitempty"`
	Access     string   `json:"access_type,omitempty"`
	Possible   []string `json:"possible_keys,omitempty"`
	Key        string   `json:"key,omitempty"`
	Ref        string   `json:"ref,omitempty"`

	Ranges       []jsonRange    `json:"ranges,omitempty"`
	Empty        string         `json:"empty,omitempty"`
	Certain      []string       `json:"certain,omitempty"` // conditions that every document satisfies
	Keys         *explainedKeys `json:"keys,omitempty"`
	Documents    *int64         `json:"documents,omitempty"`
	EntriesOnly  bool           `json:"index_only,omitempty"`
	Tight        *bool          `json:"tight,omitempty"`
	Residual     string         `json:"residual,omitempty"`
	Cost         *float64       `json:"cost,omitempty"`
	FullScanCost *float64       `json:"full_scan_cost,omitempty"`
	Lost         []jsonLost     `json:"lost_candidates,omitempty"`
	NoRange      []string       `json:"no_range,omitempty"`
	Facts        []string       `json:"facts,omitempty"`
	Extra        []string       `json:"extra,omitempty"`

	Actual   *jsonActual `json:"actual,omitempty"`
	Subquery bool        `json:"subquery,omitempty"`
	Gave     string      `json:"value,omitempty"` // of a subquery that was run before the statement was planned
	Inputs   []*jsonNode `json:"inputs,omitempty"`
}

// jsonRange is one part of what is read.
type jsonRange struct {
	Key   string `json:"key"`
	Spans string `json:"spans"`
}

// explainedKeys is an estimate: index keys, or of the primary key documents.
type explainedKeys struct {
	Estimated int64 `json:"estimated"`
	Counted   bool  `json:"counted"` // the estimate is exact
	Bound     int64 `json:"bound"`   // the exact count of all that could be within the spans
}

type jsonLost struct {
	Candidate string         `json:"candidate"`
	Keys      *explainedKeys `json:"keys,omitempty"`
	Missing   *int64         `json:"documents_without,omitempty"`
	Why       string         `json:"why"`
}

func keysOf(e *costing.Estimate) *explainedKeys {
	if e == nil {
		return nil
	}
	return &explainedKeys{e.Keys, e.Exact, e.Bound}
}

// jsonText is FORMAT=JSON as text.
func (n *explainedNode) jsonText(program string, s *jsonStatement) (string, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	err := out.Encode(jsonPlan{Plan: n.json(), Program: program, Statement: s})
	return strings.TrimSuffix(b.String(), "\n"), err
}

func (n *explainedNode) json() *jsonNode {
	out := &jsonNode{
		Operation: n.operation, Detail: n.detail, SelectID: n.selectID, SelectType: n.kind, Table: n.table, Access: n.access,
		Key: n.key, Ref: n.ref, EntriesOnly: n.entriesOnly, Facts: n.facts, Extra: n.extra, Subquery: n.subquery,
		Gave: n.gave, Actual: n.actual.json(),
	}
	switch {
	case n.path != nil:
		out.Keys = keysOf(n.estimate)
		n.path.json(out)
	case n.estimate != nil && n.estimate.Exact && n.estimate.Keys == n.estimate.Bound:
		out.Documents = &n.estimate.Keys // all of them
	default:
		out.Keys = keysOf(n.estimate)
	}
	for _, l := range n.lost {
		out.Lost = append(out.Lost, jsonLost{Candidate: l.way, Keys: keysOf(l.estimate), Why: l.why})
	}
	for _, child := range n.children {
		out.Inputs = append(out.Inputs, child.json())
	}
	return out
}

// rounded is a cost as people want to see it.
func rounded(cost float64) float64 { return math.Round(cost*100) / 100 }

// json adds what a path tells of its choice.
func (p *accessPath) json(out *jsonNode) {
	if keys := p.possibleKeys(); keys != "" {
		out.Possible = strings.Split(keys, ",")
	}
	if len(p.residual) > 0 {
		out.Residual = p.residualText()
	}
	if c := p.candidate; c != nil {
		out.Tight = &c.Tight
		for _, part := range c.Parts {
			out.Ranges = append(out.Ranges, jsonRange{indexName(part), part.Text})
		}
		out.Empty = p.empty()
		if out.Keys == nil {
			out.Keys = keysOf(p.chosenEstimate())
		}
	}
	if len(p.candidates) > 0 || p.documents > 0 {
		out.Documents = &p.documents
		cost, scan := rounded(p.choice.Cost), rounded(p.choice.FullScan)
		out.Cost, out.FullScanCost = &cost, &scan
	}
	for i, c := range p.candidates {
		if i == p.chosen {
			continue
		}
		l := jsonLost{Candidate: c.Readable, Keys: keysOf(&p.estimates[i]), Why: p.choice.Why[i].String()}
		if c.NeedsAllPresent {
			l.Missing = &p.estimates[i].Missing
		}
		out.Lost = append(out.Lost, l)
	}
	out.NoRange, out.Certain = p.reasons, p.certainTexts()
}
