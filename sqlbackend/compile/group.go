package compile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/kernel"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Program is GROUP BY or aggregates, compiled for the batch executor.
type Program struct {
	run     exec.Aggregation
	in      input
	filter  *plan.Filter          // nil: none
	rows    *joined               // the same rows as in has, one by one; nil: those of a join alone have it
	results []func(group int) any // of the columns
	bytes   int                   // what a run holds beside its groups
	holding hold.Memory           // its groups
}

// programOf is the program of a GROUP BY before it is compiled; nil where the engine's executor is to run it, for the
// reason.
func programOf(ctx *sql.Context, n *plan.GroupBy) (*Program, string) {
	mode := setting.Of(ctx, setting.Executor)
	if mode == setting.Interpreted {
		return nil, setting.Executor + " is " + mode
	}
	if len(n.GroupByExprs) == 0 && !operator.Aggregates(n.SelectedExprs) {
		return nil, "no aggregate"
	}
	p, child := &Program{}, n.Child
	if f, ok := child.(*plan.Filter); ok {
		p.filter, child = f, f.Child
	}
	j, reason := joinedOf(n.Child)
	switch {
	case reason != "":
		return nil, reason
	case j != nil:
		h := hashedOf(ctx, child)
		if h == nil {
			return &Program{in: j}, ""
		}
		p.in, p.rows = h, j
	default:
		if p.in, reason = inputOf(child); p.in == nil {
			return nil, reason
		}
	}
	if mode == setting.Auto {
		if few, err := p.in.few(ctx); few || err != nil {
			if j != nil {
				return &Program{in: j}, ""
			}
			return nil, "few rows"
		}
	}
	return p, ""
}

// compile compiles the program; otherwise it says why not.
func (p *Program) compile(ctx *sql.Context, n *plan.GroupBy) (reason string) {
	c := &compiler{ctx: ctx, in: p.in, made: map[string]*exec.Expression{}}
	if !p.expressions(c, n) {
		return "not in batches: " + c.reason
	}
	p.run.Types = c.types
	p.bytes = c.bytes()
	return ""
}

// Executor names the executor that runs a GROUP BY, and why it is not this one; or the executor of a filter, if that is
// this one. It is empty for other nodes.
func Executor(ctx *sql.Context, n sql.Node) string {
	if f, ok := n.(*plan.Filter); ok {
		return filterExecutor(ctx, f)
	}
	if g, ok := n.(*plan.GroupBy); ok {
		return groupExecutor(ctx, g)
	}
	return ""
}

// compiledOf is the program of a GROUP BY, compiled unless that waits for the first rows; nil where there is none, for
// the reason.
func compiledOf(ctx *sql.Context, n *plan.GroupBy) (*Program, string) {
	p, reason := programOf(ctx, n)
	if p == nil {
		return nil, reason
	}
	if _, later := p.in.(*joined); later {
		return p, ""
	}
	if reason = p.compile(ctx, n); reason == "" {
		return p, ""
	}
	if p.rows != nil {
		return &Program{in: p.rows}, ""
	}
	return nil, reason
}

func groupExecutor(ctx *sql.Context, n *plan.GroupBy) string {
	p, reason := compiledOf(ctx, n)
	if p != nil && p.run.Types == nil {
		reason = p.compile(ctx, n)
	}
	if reason != "" {
		return setting.Interpreted + ": " + reason
	}
	if _, ok := p.in.(*joined); ok && setting.Of(ctx, setting.Executor) == setting.Auto {
		return fmt.Sprintf("%s, from %d rows on", setting.Batch, fewRows)
	}
	return setting.Batch
}

// expressions makes the program's expressions; false where one has none.
func (p *Program) expressions(c *compiler, n *plan.GroupBy) bool {
	if !c.all(restOf(p.in), &p.run.Conditions) {
		return false
	}
	p.run.On = len(p.run.Conditions)
	if p.filter != nil && !c.all(expression.SplitConjunction(p.filter.Expression), &p.run.Conditions) {
		return false
	}
	var values []func(row int32, columns []*exec.Column) (any, error)
	for i, e := range n.GroupByExprs {
		weight, weighed := e.(*tree.WeightKey)
		shown := e
		if weighed {
			shown = weight.Child
		}
		of, box := c.shown(shown)
		if of == nil {
			return false
		}
		p.run.Groups.Of = append(p.run.Groups.Of, of)
		values = append(values, func(row int32, columns []*exec.Column) (any, error) {
			v, err := boxed(box, of, columns[i], row)
			if !weighed || err != nil {
				return v, err
			}
			key, err := weight.WithChildren(expression.NewLiteral(v, shown.Type()))
			if err != nil {
				return nil, err
			}
			return key.Eval(c.ctx, nil)
		})
	}
	p.known(c.ctx, n.GroupByExprs, values)
	for _, e := range n.SelectedExprs {
		result := p.aggregate(c, e)
		if result == nil {
			return c.no("%s", e) != nil
		}
		p.results = append(p.results, result)
	}
	return true
}

// conditions are those of a filter; nil where one has no expression.
func (c *compiler) conditions(of *plan.Filter) (all []*exec.Expression) {
	if !c.all(expression.SplitConjunction(of.Expression), &all) {
		return nil
	}
	return all
}

// all appends conditions to others; false where one has no expression.
func (c *compiler) all(of []sql.Expression, to *[]*exec.Expression) bool {
	for _, e := range of {
		condition := c.truth(e)
		if condition == nil {
			return false
		}
		*to = append(*to, condition)
	}
	return true
}

// known finds groups that SQL holds equal by the keys that GROUP BY has otherwise.
func (p *Program) known(ctx *sql.Context, by []sql.Expression,
	values []func(row int32, columns []*exec.Column) (any, error)) {
	groups := map[string]int32{}
	var key []byte
	p.run.Groups.Known = func(row int32, columns []*exec.Column, next int32) (int32, error) {
		key = key[:0]
		for i, of := range values {
			v, err := of(row, columns)
			if err != nil {
				return 0, err
			}
			if key, err = value.AppendRowKey(ctx, key, v, by[i].Type()); err != nil {
				return 0, err
			}
		}
		n, ok := groups[string(key)]
		if !ok {
			n = next
			groups[string(key)] = n
		}
		if p.holding.Hold(ctx, 2*(hold.KeyBytes+len(key))+hold.GroupBytes*(1+len(p.results))) != nil {
			return 0, exec.ErrUnexpected // the other executor holds less
		}
		return n, nil
	}
}

// shown is an expression whose values are shown or distinguished, and a function that makes the value of a row of an
// integer.
func (c *compiler) shown(e sql.Expression) (*exec.Expression, func(int64) (any, error)) {
	if a, ok := e.(*expression.Alias); ok {
		e = a.Child
	}
	e = tree.Unwrapped(e)
	of := c.expression(e)
	if of == nil {
		return nil, nil
	}
	box := func(n int64) (any, error) { return n, nil }
	switch e := e.(type) {
	case *expression.GetField:
		box = func(n int64) (any, error) { return asInteger(c.ctx, e.Type(), n) }
	case kernel.Exact:
		box = func(n int64) (any, error) { return asInteger(c.ctx, e.Type(), n) }
	case *expression.Arithmetic:
	case sql.FunctionExpression:
		if !plainFunctions[strings.ToLower(e.FunctionName())] {
			return c.no("%s", e), nil
		}
		box = func(n int64) (any, error) { return asInteger(c.ctx, e.Type(), n) }
	default:
		return c.no("%s", e), nil
	}
	switch of.Type.Kind {
	case exec.Decimal:
		scale := -int32(of.Type.Scale)
		box = func(n int64) (any, error) { return decimal.New(n, scale), nil }
	case exec.Time:
		box = func(n int64) (any, error) { return time.UnixMicro(n).UTC(), nil }
	}
	return of, box
}

// boxed is the value of a row of a column as rows have it.
func boxed(box func(int64) (any, error), of *exec.Expression, c *exec.Column, row int32) (any, error) {
	switch {
	case c.IsNull(row):
		return nil, nil
	case of.Type.Kind == exec.Float:
		return c.Floats[row], nil
	case of.Type.Kind == exec.Text:
		return strings.Clone(c.Texts[row]), nil
	}
	return box(c.Ints[row])
}

// aggregate adds what computes a column of the result; nil where nothing does. Aggregates of the same are computed
// once.
func (p *Program) aggregate(c *compiler, e sql.Expression) func(group int) any {
	switch e := e.(type) {
	case *aggregation.Count:
		return p.count(c, e.Child)
	case *functions.SumOf:
		return p.sum(c, e)
	case *aggregation.Max:
		return p.extreme(c, e.Child, true)
	case *aggregation.Min:
		return p.extreme(c, e.Child, false)
	case sql.Aggregation:
		return nil
	case *expression.Literal:
		if len(p.run.Groups.Of) > 0 {
			return func(int) any { return e.Val }
		}
		return nil
	}
	of, box := c.shown(e)
	if of == nil {
		return nil
	}
	if of.Type.Kind == exec.Text && !slices.Contains(p.run.Groups.Of, of) {
		return nil // texts that groups hold are counted row by row
	}
	f := &exec.First{Of: of}
	p.run.Aggregates = append(p.run.Aggregates, f)
	return func(group int) any {
		if f.Null[group] || p.run.Passed == 0 {
			return nil
		}
		return p.held(of, box, f.Ints, f.Floats, f.Texts, group)
	}
}

// held is a value of a group as rows have it.
func (p *Program) held(of *exec.Expression, box func(int64) (any, error), ints []int64, floats []float64,
	texts []string, group int) any {
	switch of.Type.Kind {
	case exec.Float:
		return floats[group]
	case exec.Text:
		return texts[group]
	}
	v, err := box(ints[group])
	if err != nil {
		return nil // no integer of a column's type is beyond that type
	}
	return v
}

func (p *Program) count(c *compiler, child sql.Expression) func(group int) any {
	n := &exec.Count{}
	l, constant := child.(*expression.Literal)
	if _, star := child.(*expression.Star); !star && (!constant || l.Val == nil) {
		if n.Of = c.expression(child); n.Of == nil {
			return nil
		}
	}
	p.run.Aggregates = append(p.run.Aggregates, n)
	return func(group int) any { return n.N[group] }
}

func (p *Program) sum(c *compiler, e *functions.SumOf) func(group int) any {
	if _, distinct := e.Child.(*expression.DistinctExpression); distinct || e.Over != nil {
		return nil
	}
	of := c.expression(e.Child)
	if of == nil {
		return nil
	}
	_, exact := e.Type().(sql.DecimalType)
	if exact != isExact(of) || !exact && of.Type.Kind != exec.Float {
		return nil
	}
	s := p.sumOf(of)
	if !exact {
		return func(group int) any { return e.DoubleResult(s.Double(group), s.N[group]) }
	}
	scale := -int32(of.Type.Scale)
	return func(group int) any { return e.Result(decimal.NewFromBigInt(s.Whole(group), scale), s.N[group]) }
}

// sumOf is the sum of an expression, which SUM and AVG share.
func (p *Program) sumOf(of *exec.Expression) *exec.Sum {
	for _, a := range p.run.Aggregates {
		if s, ok := a.(*exec.Sum); ok && s.Of == of {
			return s
		}
	}
	s := &exec.Sum{Of: of}
	p.run.Aggregates = append(p.run.Aggregates, s)
	return s
}

func (p *Program) extreme(c *compiler, child sql.Expression, most bool) func(group int) any {
	of, box := c.shown(child)
	if of == nil {
		return nil
	}
	if of.Type.Kind == exec.Text {
		return nil // texts that groups hold are counted row by row
	}
	x := &exec.Extreme{Of: of, Max: most}
	p.run.Aggregates = append(p.run.Aggregates, x)
	return func(group int) any {
		if !x.Met[group] {
			return nil
		}
		return p.held(of, box, x.Ints, x.Floats, x.Texts, group)
	}
}
