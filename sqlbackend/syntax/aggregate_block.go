package syntax

import (
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// aggregateBlocks finds out which SELECT an aggregate belongs to. The plan builder looks for an aggregate by its text
// in its own SELECT and in all outer ones. It would take SUM(n) of a subquery for the outer query's SUM(n).
//
// An aggregate belongs to its own SELECT, and gets a distinct text there. If all its columns come from one outer
// SELECT, it belongs to that SELECT, as in MySQL, which builds it first.
type aggregateBlocks struct {
	around []*aggregateBlock // from the outermost
	met    int
	found  map[*ast.Select]*aggregateBlock // SELECTs that build aggregates of subqueries
}

type aggregateBlock struct {
	shapes map[string]bool // texts of its aggregates
	tables map[string]bool // the names in its FROM, in lower case
	part   int             // index in selectParts; -1 elsewhere
	lent   map[int]ast.Exprs
}

// distinguishBlocks walks through a statement and returns the aggregates that SELECTs build for subqueries.
func distinguishBlocks(stmt ast.SQLNode) map[*ast.Select]*aggregateBlock {
	b := &aggregateBlocks{found: map[*ast.Select]*aggregateBlock{}}
	b.within(stmt)
	return b.found
}

// within looks for SELECTs.
func (b *aggregateBlocks) within(nodes ...ast.SQLNode) {
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		s, ok := n.(*ast.Select)
		if ok {
			b.selection(s)
		}
		return !ok, nil
	}, nodes...)
}

func (b *aggregateBlocks) selection(s *ast.Select) {
	b.within(s.With, s.From) // these don't see its groups
	parts := selectParts(s)
	own := &aggregateBlock{shapes: map[string]bool{}, tables: namesInFrom(s.From), part: -1, lent: map[int]ast.Exprs{}}
	looked := parts
	if s.Where != nil {
		looked = append(looked[:len(looked):len(looked)], &s.Where.Expr)
	}
	b.met++
	number := b.met
	for _, p := range looked {
		for _, a := range aggregatesOf(*p) {
			shape := aggregateShape(a)
			if owner := b.owner(own, a); owner != nil {
				if owner.part >= 0 {
					owner.lent[owner.part] = append(owner.lent[owner.part], a)
				}
				continue
			}
			for _, outer := range b.around {
				if outer.part >= 0 && (outer.shapes[shape] || outer.builds(shape)) { // WHERE is built before aggregates are
					callOtherwise(a, "of query "+strconv.Itoa(number))
					break
				}
			}
			own.shapes[shape] = true
		}
	}
	b.around = append(b.around, own)
	for i, p := range parts {
		own.part = i
		b.within(*p)
	}
	own.part = -1
	if s.Where != nil {
		b.within(s.Where.Expr)
	}
	b.around = b.around[:len(b.around)-1]
	if len(own.lent) > 0 {
		b.found[s] = own
	}
}

// builds reports whether a block builds an aggregate with this shape for a subquery.
func (o *aggregateBlock) builds(shape string) bool {
	for _, list := range o.lent {
		for _, e := range list {
			if aggregateShape(e) == shape {
				return true
			}
		}
	}
	return false
}

// owner returns the outer SELECT that an aggregate belongs to; nil if it belongs to its own.
func (b *aggregateBlocks) owner(own *aggregateBlock, aggregate ast.Expr) *aggregateBlock {
	var owner *aggregateBlock
	outer := len(b.around) > 0
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			outer = false
		case *ast.ColName:
			table := strings.ToLower(n.Qualifier.Name.String())
			if table == "" && len(own.tables) > 0 || table != "" && own.tables[table] {
				outer = false
			}
			for i := len(b.around) - 1; i >= 0 && outer; i-- {
				if at := b.around[i]; table == "" && len(at.tables) > 0 || at.tables[table] {
					if owner != nil && owner != at {
						outer = false // columns of several: MySQL takes the innermost SELECT, which sees them all
					}
					owner = at
					break
				}
			}
		}
		return outer, nil
	}, aggregate)
	if !outer {
		return nil
	}
	return owner
}

// namesInFrom returns the names of the tables in a FROM, in lower case.
func namesInFrom(from ast.TableExprs) map[string]bool {
	names := map[string]bool{}
	note := func(as ast.TableIdent, of ast.SQLNode) {
		if name, ok := of.(ast.TableName); ok && as.IsEmpty() {
			as = name.Name
		}
		if name := strings.ToLower(as.String()); name != "dual" {
			names[name] = true
		}
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			return false, nil
		case *ast.AliasedTableExpr:
			note(n.As, n.Expr)
		case *ast.JSONTableExpr:
			note(n.Alias, n)
		case *ast.TableFuncExpr:
			note(n.Alias, n)
		}
		return true, nil
	}, from)
	return names
}

// aggregateShape returns the text of an aggregate without the differences that the plan builder ignores.
func aggregateShape(a ast.Expr) string {
	text := strings.ToLower(unqualified(a))
	if text == "count(*)" {
		return "count(1)"
	}
	return text
}

// callOtherwise gives an aggregate that is not built yet a unique text.
func callOtherwise(a ast.Expr, name string) {
	var args ast.SelectExprs
	switch a := a.(type) {
	case *ast.FuncExpr:
		args = a.Exprs
	case *ast.GroupConcatExpr:
		functions.ConcatenateAll(a)
		args = a.Exprs
	}
	if len(args) == 0 {
		return
	}
	if arg, ok := args[0].(*ast.AliasedExpr); ok {
		arg.Expr = injected(&calledOtherwise{name: name, text: ast.String(arg.Expr), passing: true}, arg.Expr)
	}
}

// lend adds to each part of a SELECT the aggregates that its subqueries take from the SELECT, so that they are built
// first.
func (o *aggregateBlock) lend(s *ast.Select) {
	if o == nil {
		return
	}
	for i, p := range selectParts(s) {
		if list := o.lent[i]; len(list) > 0 {
			*p = injected(lastOf{ast.String(*p)}, append(list, *p)...)
		}
	}
}

// PlainArguments removes the mark that distinguishes a grouping's aggregates from outer queries' aggregates.
func PlainArguments(selected []sql.Expression) ([]sql.Expression, bool, error) {
	out, changed := append([]sql.Expression(nil), selected...), false
	for i, e := range out {
		next, same, err := transform.Expr(e, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			if c, ok := e.(*calledOtherwise); ok && c.passing {
				return c.Child, transform.NewTree, nil
			}
			return e, transform.SameTree, nil
		})
		if err != nil {
			return nil, false, err
		}
		out[i], changed = next, changed || !bool(same)
	}
	return out, changed, nil
}
