package syntax

import (
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// A query within a query multiplies the engine's work. It puts a common table expression's query in each place that
// names it. And each time it needs the types of a query's columns, it computes them anew from the inner queries. So
// the expanded size of a short statement is bounded too.
const (
	MaxLevels     = 63      // nested queries, as in MySQL
	MaxJoined     = 61      // tables of one join, as in MySQL
	maxNamed      = 500     // tables after common table expressions replace their names
	maxTypeSteps  = 1 << 13 // steps to the types of nested scalar subqueries
	maxShapeSteps = 1 << 22 // steps to the columns of nested derived tables
	// Columns of a derived table. The engine lists all of them for each that is read, so the time grows with their
	// square.
	MaxDerived   = 2000
	maxWide      = 10_000 // columns of all derived tables together, counting each * expanded
	fewQueries   = 3      // no more queries can't exceed a bound, except those on columns and tables
	fewTableText = 4 * MaxJoined
)

// The errors are plain, like those of statement.TooComplex.
var (
	errLevels  = errors.New(mysqlerr.LevelsText)
	errJoined  = errors.New(mysqlerr.JoinedText)
	ErrColumns = errors.New(mysqlerr.ColumnsText)
)

// nests reports whether a text may hold more queries than fewQueries.
func nests(query string) bool {
	found := 0
	for i := 0; i+len("select") <= len(query); i++ {
		if query[i]|0x20 == 's' && strings.EqualFold(query[i:i+len("select")], "select") {
			if found++; found > fewQueries {
				return true
			}
		}
	}
	return false
}

// checkNested refuses a statement whose nested queries would keep the engine busy for minutes.
func checkNested(stmt ast.Statement, query string) error {
	if stmt == nil || len(query) < fewTableText && !nests(query) {
		return nil
	}
	_, err := (&nestedQueries{}).statement(stmt)
	return err
}

// statementAbout returns the statement within EXPLAIN or CREATE VIEW, else the statement itself.
func statementAbout(stmt ast.Statement) ast.Statement {
	switch n := stmt.(type) {
	case *ast.Explain:
		return statementAbout(n.Statement)
	case *ast.DDL:
		if n.ViewSpec != nil && n.ViewSpec.ViewExpr != nil {
			return n.ViewSpec.ViewExpr
		}
	}
	return stmt
}

// nestedQueries measures nested queries.
type nestedQueries struct {
	levels int
	named  []map[string]nestedSize // common table expressions by name; the innermost WITH last
}

// nestedSize is the expanded size of a part of a statement.
type nestedSize struct {
	named  int // tables through common table expressions
	types  int // steps to the types of all selected expressions
	column int // steps for the dearest column
	width  int // number of its columns, as far as known: of derived tables, with * expanded
	wide   int // columns of all derived tables within it
}

// derived returns the size of a query as a derived table, or an error if it has too many columns.
func (size nestedSize) derived() (nestedSize, error) {
	if size.width > MaxDerived {
		return nestedSize{}, ErrColumns
	}
	size.wide = capped(size.wide + size.width)
	return size, nil
}

// starWidth returns the number of columns that * stands for; sources has the numbers by table name.
func starWidth(star *ast.StarExpr, sources map[string]int) (width int) {
	if name := star.TableName.Name.String(); name != "" {
		return sources[strings.ToLower(name)]
	}
	for _, n := range sources {
		width += n
	}
	return width
}

// capped keeps a sum that grows by multiplication from overflowing.
func capped(n int) int { return min(n, 1<<40) }

// statement measures a statement, or a query within one.
func (q *nestedQueries) statement(n ast.SQLNode) (nestedSize, error) {
	with := statement.WithOf(n)
	if with != nil {
		here := map[string]nestedSize{}
		q.named = append(q.named, here)
		defer func() { q.named = q.named[:len(q.named)-1] }()
		for _, cte := range with.Ctes {
			size, err := q.inside(cte.AliasedTableExpr.Expr)
			if err == nil {
				size, err = size.derived()
			}
			if err != nil {
				return nestedSize{}, err
			}
			size.named = max(size.named, 1)
			here[strings.ToLower(cte.As.String())] = size
		}
	}
	var out nestedSize
	if set, ok := n.(*ast.SetOp); ok {
		for _, side := range []ast.SQLNode{set.Left, set.Right} {
			size, err := q.statement(side)
			if err != nil {
				return nestedSize{}, err
			}
			out.named, out.types, out.column = capped(out.named+size.named), max(out.types, size.types),
				max(out.column, size.column)
			out.width, out.wide = max(out.width, size.width), capped(out.wide+size.wide)
		}
		return out, q.check(out)
	}
	var err error
	var selected ast.SelectExprs
	below := 0 // steps for the dearest column of its sources
	sources := map[string]int{}
	first := true
	err = statement.Walk(func(child ast.SQLNode) (bool, error) {
		if first {
			first = false
			return true, nil
		}
		switch child := child.(type) {
		case *ast.With:
			return false, nil
		case ast.SelectExprs:
			selected = child
			return false, nil
		case ast.TableExprs:
			if joined := tablesInJoin(child); joined > MaxJoined {
				return false, errJoined
			}
			return true, nil
		case ast.TableName:
			for i := len(q.named) - 1; i >= 0 && child.DbQualifier.IsEmpty(); i-- {
				if size, ok := q.named[i][strings.ToLower(child.Name.String())]; ok {
					out.named, below, out.wide = capped(out.named+size.named), max(below, size.column), capped(out.wide+size.wide)
					break
				}
			}
		case *ast.AliasedTableExpr:
			derived, ok := child.Expr.(*ast.Subquery)
			if !ok {
				q.source(child, sources)
				return true, nil
			}
			size, err := q.inside(derived)
			if err == nil {
				size, err = size.derived()
			}
			sources[strings.ToLower(child.As.String())] = size.width
			out.named, below, out.wide = capped(out.named+size.named), max(below, size.column), capped(out.wide+size.wide)
			return false, err
		case *ast.Subquery:
			size, err := q.inside(child)
			out.named, out.wide = capped(out.named+size.named), capped(out.wide+size.wide)
			return false, err
		case ast.SelectStatement:
			size, err := q.statement(child)
			out.named, out.types, out.column = capped(out.named+size.named), max(out.types, size.types),
				max(out.column, size.column)
			out.width, out.wide = max(out.width, size.width), capped(out.wide+size.wide)
			return false, err
		}
		return true, nil
	}, n)
	if err != nil {
		return nestedSize{}, err
	}
	for _, e := range selected {
		if star, ok := e.(*ast.StarExpr); ok {
			out.width = capped(out.width + starWidth(star, sources))
		} else {
			out.width++
		}
		named, typed, nullable, err := q.selected(e)
		if err != nil {
			return nestedSize{}, err
		}
		steps := capped(typed + nullable)
		if plainColumn(e) {
			steps = below
		}
		out.named, out.types, out.column = capped(out.named+named), capped(out.types+steps), max(out.column, steps)
	}
	return out, q.check(out)
}

// check refuses a size beyond the bounds.
func (q *nestedQueries) check(size nestedSize) error {
	switch {
	case size.named > maxNamed:
		return statement.TooComplex("tables that common table expressions stand for", maxNamed)
	case size.types > maxTypeSteps:
		return statement.TooComplex("steps to the types of subqueries inside one another", maxTypeSteps)
	case size.wide > maxWide:
		return statement.TooComplex("columns of derived tables inside one another", maxWide)
	}
	return nil
}

// source notes the number of columns of a table name that means a common table expression.
func (q *nestedQueries) source(t *ast.AliasedTableExpr, sources map[string]int) {
	name, ok := t.Expr.(ast.TableName)
	for i := len(q.named) - 1; i >= 0 && ok && name.DbQualifier.IsEmpty(); i-- {
		if size, known := q.named[i][strings.ToLower(name.Name.String())]; known {
			alias := t.As.String()
			if alias == "" {
				alias = name.Name.String()
			}
			sources[strings.ToLower(alias)] = size.width
			return
		}
	}
}

// inside measures a query within a statement.
func (q *nestedQueries) inside(n ast.SQLNode) (nestedSize, error) {
	if s, ok := n.(*ast.Subquery); ok {
		n = s.Select
	}
	if q.levels++; q.levels > MaxLevels {
		return nestedSize{}, errLevels
	}
	size, err := q.statement(n)
	q.levels--
	return size, err
}

// selected measures an expression of a SELECT list. Its type needs the types of the subqueries in it. Each operator
// above them needs these again to know whether it may be NULL.
func (q *nestedQueries) selected(n ast.SQLNode) (named, typed, nullable int, err error) {
	if s, ok := n.(*ast.Subquery); ok {
		size, err := q.inside(s)
		return size.named, capped(2 * (size.types + 1)), capped(size.types + 1), err
	}
	first := true
	err = statement.Walk(func(child ast.SQLNode) (bool, error) {
		if first || child == nil {
			first = false
			return true, nil
		}
		tables, steps, again, err := q.selected(child)
		named, typed, nullable = capped(named+tables), capped(typed+steps), capped(nullable+again)
		return false, err
	}, n)
	if _, operator := n.(ast.Expr); operator {
		nullable = capped(nullable + typed)
	}
	return named, typed, nullable, err
}

// plainColumn reports whether a selected expression is a column, whose default the engine looks up in its derived
// table.
func plainColumn(e ast.SelectExpr) bool {
	switch e := e.(type) {
	case *ast.StarExpr:
		return true
	case *ast.AliasedExpr:
		_, ok := e.Expr.(*ast.ColName)
		return ok
	}
	return false
}

// tablesInJoin returns the number of tables in one join.
func tablesInJoin(n ast.SQLNode) (tables int) {
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n.(type) {
		case *ast.AliasedTableExpr:
			tables++
			return false, nil
		case ast.Expr:
			return false, nil
		}
		return true, nil
	}, n)
	return tables
}

// ShapesRule refuses a statement whose columns take the engine very many steps to compute: it computes a derived
// table's columns for each column that a query around it reads.
func ShapesRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if steps := (shapes{ctx: ctx, nodes: map[sql.Node]int{}}).node(n); steps > maxShapeSteps {
		if err := ctx.Err(); err != nil {
			return n, transform.SameTree, err
		}
		return n, transform.SameTree, statement.TooComplex("steps to the columns of derived tables inside one another",
			maxShapeSteps)
	}
	return n, transform.SameTree, nil
}

// shapes counts the steps to a node's columns.
type shapes struct {
	ctx   *sql.Context
	nodes map[sql.Node]int // known counts: a common table expression is one node in several places
}

func (s shapes) node(n sql.Node) int {
	if steps, ok := s.nodes[n]; ok {
		return steps
	}
	steps := 0
	switch n := n.(type) {
	case *plan.ResolvedTable, *plan.IndexedTableAccess:
		return 1
	case *plan.Project:
		below := s.defaults(n.Child)
		s.node(n.Child)
		for _, e := range n.Projections {
			steps += s.selected(e)
			if _, column := tree.Unaliased(e).(*expression.GetField); column {
				steps += below
			}
			steps = capped(steps)
		}
	case *plan.GroupBy:
		s.node(n.Child)
		for _, e := range n.SelectedExprs {
			steps = capped(steps + s.selected(e))
		}
	default:
		for _, child := range n.Children() {
			steps = capped(steps + s.node(child))
		}
		steps++
	}
	s.nodes[n] = steps
	return steps
}

// defaults returns the steps to the default of one column of a node, for which the engine computes the columns of a
// derived table.
func (s shapes) defaults(n sql.Node) int {
	switch n := n.(type) {
	case plan.TableIdNode: // a derived table, or a set operation
		return s.node(n)
	case *plan.HashLookup:
		return s.defaults(n.Child)
	case *plan.Filter:
		return s.defaults(n.Child)
	case *plan.GroupBy:
		return s.defaults(n.Child)
	case *plan.JoinNode:
		return max(s.defaults(n.Left()), s.defaults(n.Right()))
	}
	return 0
}

// selected returns the steps to the type of an expression and to whether it may be NULL.
func (s shapes) selected(e sql.Expression) int {
	steps := 2
	transform.InspectExpr(e, func(e sql.Expression) bool {
		if q, ok := e.(*plan.Subquery); ok {
			steps = capped(steps + 4*s.node(q.Query))
		}
		steps++
		return false
	})
	return steps
}
