package plancache

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/sqlbackend/program"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// settled is the plan of an INSERT of given rows, or of an UPDATE or a DELETE of the one document that a primary key
// names, behind all rules. For other values it has other literals, and another key.
type settled struct {
	template *program.Template
	keyed    *keyed // nil of an INSERT
}

// settledOf is the settled plan that n is, which has been made of the program; nil if it is none.
func (p *tableProgram) settledOf(ctx *sql.Context, s *session.Session, t *table.Table, n sql.Node,
	m *newProgram) *settled {
	if t.Def.Temporary() {
		return nil
	}
	w := &settled{}
	var below sql.Node
	switch at := n.(type) {
	case *plan.InsertInto:
	case *plan.Update:
		source, is := at.Child.(*plan.UpdateSource)
		if !is {
			return nil
		}
		below = source.Child
	case *plan.DeleteFrom:
		below = at.Child
	default:
		return nil
	}
	if below != nil {
		if w.keyed = p.keyedOf(t, below, m.values); w.keyed == nil {
			return nil
		}
	}
	shape, err := program.ShapeOf(s.Parsed.All[0], m.text(), m.values)
	if err != nil {
		return nil
	}
	source, node, _, conjuncts := programSource(n)
	if node == nil {
		return nil
	}
	var fixed []int
	w.template, fixed, err = program.New(ctx, shape, program.Plan{Root: n, Source: source, StandIn: p.node,
		Conjuncts: conjuncts, Shared: sharedExpression}, m.values)
	for _, at := range fixed {
		if !slices.Contains(p.fixed, at) {
			return nil
		}
	}
	if err != nil {
		return nil
	}
	return w
}

// plan is the plan for values; not ok where it is to be made again.
func (w *settled) plan(ctx *sql.Context, p *tableProgram, t *table.Table, values program.Values) (n sql.Node, ok bool,
	err error) {
	var path *table.AccessPath
	if w.keyed != nil {
		pk, ok := w.keyed.key(values)
		if !ok {
			return nil, false, nil
		}
		_, value, err := tuple.DecodeBytes(pk)
		if err != nil {
			return nil, false, err
		}
		path = w.keyed.path.AtKey(t, value)
	}
	source, err := p.source(ctx, t, path, nil)
	if err != nil || source == nil {
		return nil, false, err
	}
	return w.template.With(ctx, values, source)
}
