package explain

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// jsonPlan is EXPLAIN FORMAT=JSON: the same nodes as FORMAT=TREE, each with the nodes that
// it takes rows from in "inputs".
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

	Ranges       []table.JSONRange `json:"ranges,omitempty"`
	Empty        string            `json:"empty,omitempty"`
	Certain      []string          `json:"certain,omitempty"` // conditions that every document satisfies
	Keys         *explainedKeys    `json:"keys,omitempty"`
	Documents    *int64            `json:"documents,omitempty"`
	EntriesOnly  bool              `json:"index_only,omitempty"`
	Tight        *bool             `json:"tight,omitempty"`
	Residual     string            `json:"residual,omitempty"`
	Cost         *float64          `json:"cost,omitempty"`
	FullScanCost *float64          `json:"full_scan_cost,omitempty"`
	Lost         []jsonLost        `json:"lost_candidates,omitempty"`
	NoRange      []string          `json:"no_range,omitempty"`
	Facts        []string          `json:"facts,omitempty"`
	Extra        []string          `json:"extra,omitempty"`

	Actual   *session.JSONActual `json:"actual,omitempty"`
	Subquery bool                `json:"subquery,omitempty"`
	Gave     string              `json:"value,omitempty"` // of a subquery that was run before the statement was planned
	Inputs   []*jsonNode         `json:"inputs,omitempty"`
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
		Operation: n.Operation, Detail: n.Detail, SelectID: n.selectID, SelectType: n.kind, Table: n.Table,
		Access: n.Access,
		Key:    n.Key, Ref: n.Ref, EntriesOnly: n.EntriesOnly, Facts: n.Facts, Extra: n.Extra, Subquery: n.subquery,
		Gave: n.gave, Actual: n.actual.JSON(),
	}
	switch {
	case n.Path != nil:
		out.Keys = keysOf(n.Estimate)
		jsonOfPath(n.Path, out)
	case n.Estimate != nil && n.Estimate.Exact && n.Estimate.Keys == n.Estimate.Bound:
		out.Documents = &n.Estimate.Keys // all of them
	default:
		out.Keys = keysOf(n.Estimate)
	}
	for _, l := range n.Lost {
		out.Lost = append(out.Lost, jsonLost{Candidate: l.Way, Keys: keysOf(l.Estimate), Why: l.Why})
	}
	for _, child := range n.children {
		out.Inputs = append(out.Inputs, child.json())
	}
	return out
}

// jsonOfPath adds the facts on a path's choice.
func jsonOfPath(p *table.AccessPath, out *jsonNode) {
	if keys := p.PossibleKeys(); keys != "" {
		out.Possible = strings.Split(keys, ",")
	}
	if len(p.Residual) > 0 {
		out.Residual = p.ResidualText()
	}
	if c := p.Candidate; c != nil {
		out.Tight = &c.Tight
		for _, part := range c.Parts {
			out.Ranges = append(out.Ranges, table.JSONRange{Key: table.IndexName(part), Spans: part.Text})
		}
		out.Empty = p.Empty()
		if out.Keys == nil {
			out.Keys = keysOf(p.ChosenEstimate())
		}
	}
	if len(p.Candidates) > 0 || p.Documents > 0 {
		out.Documents = &p.Documents
		cost, scan := table.Rounded(p.Choice.Cost), table.Rounded(p.Choice.FullScan)
		out.Cost, out.FullScanCost = &cost, &scan
	}
	for i, c := range p.Candidates {
		if i == p.Chosen {
			continue
		}
		l := jsonLost{Candidate: c.Readable, Keys: keysOf(&p.Estimates[i]), Why: p.Choice.Why[i].String()}
		if c.NeedsAllPresent {
			l.Missing = &p.Estimates[i].Missing
		}
		out.Lost = append(out.Lost, l)
	}
	out.NoRange, out.Certain = p.Reasons, p.CertainTexts()
}
