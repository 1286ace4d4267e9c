package buckettable

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/bucket/plan"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// Explain describes for EXPLAIN how the table is read; name is its name in the statement.
func (t *Table) Explain(ctx *sql.Context, name string) (table.Explanation, error) {
	a := t.access
	if a == nil {
		var err error
		if a, err = t.accessFor(ctx, wanted{}); err != nil {
			return table.Explanation{}, err
		}
	}
	if t.joined != nil {
		return t.explainJoined(name, a), nil
	}
	p := a.path
	found := int64(max(p.Documents, p.Entries))
	out := table.Explanation{Operation: "Bucket read of " + name, Table: name, Detail: p.String(), EntriesOnly: p.Covers,
		At: t, Estimate: &costing.Estimate{Keys: found, Bound: found}}
	switch p.Kind {
	case plan.ByID:
		out.Access, out.Key = "eq_ref", "PRIMARY"
		if len(p.Query.IDs) != 1 {
			out.Access = "range"
		}
	case plan.ByPrefix:
		out.Access, out.Key = "range", "PRIMARY"
	case plan.ByEntry:
		out.Access, out.Key = "ref", p.Index.Name
	default:
		out.Access = "ALL"
	}
	out.Facts = append(out.Facts, fmt.Sprintf("requests: %s; %s", p.Requests(), dollars(p.Price(a.prices))))
	out.Extra = append(out.Extra, p.Requests()+", "+dollars(p.Price(a.prices)))
	out.Facts = append(out.Facts, t.asked(a)...)
	for _, l := range a.lost {
		out.Lost = append(out.Lost, table.LostWay{Way: l.Path.Name(), Why: l.Why})
	}
	for _, r := range a.reasons {
		if r != "" {
			out.Facts = append(out.Facts, "no index: "+r)
		}
	}
	return out, nil
}

// asked are EXPLAIN ANALYZE's lines on the requests that were made.
func (t *Table) asked(a *access) []string {
	if !analyzes(t.rows.Session) {
		return nil
	}
	did := t.of.tally.Requests()
	return []string{"asked: " + requestsText(did) + "; " + dollars(a.prices.Of(did))}
}

// explainJoined is Explain of a table that is looked up in a join.
func (t *Table) explainJoined(name string, a *access) table.Explanation {
	j := t.joined
	found := int64(max(1, j.Rows/plan.MaxKeys) * float64(j.Path.Documents))
	out := table.Explanation{Operation: "Bucket look-ups in " + name, Table: name, Detail: j.Condition, At: t,
		Access: "eq_ref", Key: "PRIMARY", Ref: j.Values, Estimate: &costing.Estimate{Keys: found, Bound: found}}
	if j.Path.Kind == plan.ByEntry {
		out.Access, out.Key = "ref", j.Path.Index.Name
		out.Detail = "index " + out.Key + ": " + out.Detail
	}
	out.Extra = append(out.Extra, j.Path.Requests()+", "+dollars(j.Price))
	out.Facts = append(out.Facts, fmt.Sprintf("for about %.0f rows: %s; %s", j.Rows, j.Path.Requests(), dollars(j.Price)))
	out.Facts = append(out.Facts, t.asked(a)...)
	out.Lost = []table.LostWay{{Way: j.Instead.Name(), Why: fmt.Sprintf("%s, %s cost %s", j.Instead.Requests(),
		j.Path.Name(), j.Path.Requests())}}
	return out
}

// analyzes reports whether the running statement is an EXPLAIN ANALYZE.
func analyzes(s *session.Session) bool {
	for _, stmt := range s.Parsed.All {
		if e, ok := stmt.(*ast.Explain); ok {
			return e.Analyze
		}
	}
	return false
}

// dollars is a price as people read it, for as many statements as cost something.
func dollars(price float64) string {
	return fmt.Sprintf("$%.2f for a million such statements", price*1e6)
}

// requestsText says how many requests there were of each kind, and their bytes.
func requestsText(r store.Requests) string {
	var parts []string
	add := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(r.Gets, "GET")
	add(r.Lists, "LIST")
	add(r.Puts, "PUT")
	add(r.Deletes, "DELETE")
	add(r.BytesRead, "bytes read")
	add(r.BytesWritten, "bytes written")
	return strings.Join(parts, ", ")
}
