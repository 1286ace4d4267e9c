package explain

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

// analyze runs the query of an EXPLAIN ANALYZE and gathers its nodes' figures.
func analyze(ctx *sql.Context, engine sql.NodeExecBuilder, s *session.Session, n sql.Node) (*session.Analysis, error) {
	if !n.IsReadOnly() {
		return nil, mysqlerr.Unsupported("EXPLAIN ANALYZE of a statement that writes")
	}
	a := s.Planning.BeginAnalysis()
	defer func() { s.Work.Analysis = nil }()
	iter, err := engine.Build(ctx, n, nil)
	if err != nil {
		return nil, err
	}
	for {
		if _, err = iter.Next(ctx); err != nil {
			break
		}
		s.Work.Running.Rows++
	}
	if err == io.EOF {
		err = nil
	}
	if failed := iter.Close(ctx); err == nil {
		err = failed
	}
	return a, err
}

// Timed builds a node's iterator so that it counts for the analysis; nil where
// there is none, or the node is the one that this has just been called for.
func Timed(ctx *sql.Context, engine sql.NodeExecBuilder, n sql.Node, row sql.Row) (sql.RowIter, error) {
	s, ok := ctx.Session.(*session.Session)
	if !ok || s.Work.Analysis == nil || reflect.TypeOf(n).Kind() != reflect.Pointer {
		return nil, nil
	}
	a := s.Work.Analysis
	if a.Entering == n {
		a.Entering = nil
		return nil, nil
	}
	a.Entering = n
	began := time.Now()
	iter, err := engine.Build(ctx, n, row)
	a.Entering = nil
	if err != nil {
		return nil, err
	}
	return a.Watch(n, iter, began), nil
}

// observe adds the nodes' actual rows and times to the explanation.
func (n *explainedNode) observe(s *session.Session, a *session.Analysis) {
	n.each(func(n *explainedNode) {
		if n.counted {
			return
		}
		n.actual = a.Nodes[n.node]
		if n.node == nil || reflect.TypeOf(n.node).Kind() != reflect.Pointer {
			return
		}
		for _, at := range []any{n.At, n.node} {
			if w := s.Work.Places[at]; at != nil && w != nil {
				if n.actual == nil {
					n.actual = &session.Actual{}
				}
				n.actual.Work = *w
				delete(s.Work.Places, at) // two nodes may share it: a path in a subquery
				break
			}
		}
	})
}

// actualText are a node's actual figures, for FORMAT=TREE. There are none for nodes above
// the tables of a subquery that the engine copies for each outer row.
func (n *explainedNode) actualText() string {
	a := n.actual
	if a == nil {
		executed := false
		n.each(func(n *explainedNode) { executed = executed || n.actual != nil })
		if executed {
			return ""
		}
		return "  (never executed)"
	}
	text := ""
	// of a path in a plan that was copied only its work is known
	if worked := a.Work != (tables.Work{}); a.Loops > 0 || !worked {
		text = fmt.Sprintf("  (actual time=%.3f..%.3f rows=%d loops=%d)", session.PerLoop(a.First, a.Loops),
			session.PerLoop(a.All, a.Loops),
			a.Rows, a.Loops)
	}
	if a.Work != (tables.Work{}) {
		text += "  (" + strings.Join(workTexts(a.Work), " ") + ")"
	}
	return text
}

func workTexts(w tables.Work) []string {
	texts := []string{fmt.Sprintf("keys=%d", w.Entries), fmt.Sprintf("documents=%d", w.Documents),
		fmt.Sprintf("bytes=%d", w.Bytes)}
	if w.Counters > 0 {
		texts = append(texts, fmt.Sprintf("counters=%d", w.Counters))
	}
	return texts
}

// jsonStatement are the actual figures of the whole statement.
type jsonStatement map[string]json.Number

func statementJSON(f *session.Figures) *jsonStatement {
	out := jsonStatement{}
	for _, f := range f.Named() {
		out[f.Name] = json.Number(f.Value)
	}
	return &out
}

// statementText are the actual figures of the whole statement, as a line of FORMAT=TREE.
func statementText(f *session.Figures) string {
	var texts []string
	for _, f := range f.Named() {
		texts = append(texts, strings.ReplaceAll(f.Name, "_", " ")+"="+f.Value)
	}
	return "Statement: " + strings.Join(texts, " ")
}
