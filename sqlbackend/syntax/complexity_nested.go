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

// A query within a query multiplies the engine's work: it puts a common table expression's query in each place that
// names it, and works the types of a query's columns out from those of the queries within it, each time that it needs
// one. So what a short statement stands for is bounded too.
const (
	MaxLevels     = 63      // queries inside one another, as in MySQL
	MaxJoined     = 61      // tables of one join, as in MySQL
	maxNamed      = 500     // tables that common table expressions stand for in all places that name them
	maxTypeSteps  = 1 << 13 // steps that the types of scalar subqueries inside one another take
	maxShapeSteps = 1 << 26 // steps that the columns of derived tables inside one another take
	// columns of a derived table: the engine lists all of them for each that is read, so that they take a time that grows
	// with their square
	MaxDerived   = 2000
	maxWide      = 10_000 // columns of all derived tables inside one another and beside one another, through each * too
	fewQueries   = 3      // so many queries can't exceed a bound, but for those of columns and tables
	fewTableText = 4 * MaxJoined
)

// The errors are plain, as statement.TooComplex.
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

// checkNested refuses a statement whose queries inside one another the engine would work on for minutes.
func checkNested(stmt ast.Statement, query string) error {
	if stmt == nil || len(query) < fewTableText && !nests(query) {
		return nil
	}
	_, err := (&nestedQueries{}).statement(stmt)
	return err
}

// statementAbout is the statement that EXPLAIN or CREATE VIEW is about.
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

// nestedQueries looks at queries inside one another.
type nestedQueries struct {
	levels int
	named  []map[string]nestedSize // the common table expressions, by name; the innermost last
}

// nestedSize is what a part of a statement stands for.
type nestedSize struct {
	named  int // tables through common table expressions
	types  int // steps for the types of all that it selects
	column int // for the dearest column
	width  int // columns that it has, as far as they are known: those of derived tables, through * too
	wide   int // columns of all derived tables within it
}

// derived is what a derived table of a query stands for, or an error where that has too many columns.
func (size nestedSize) derived() (nestedSize, error) {
	if size.width > MaxDerived {
		return nestedSize{}, ErrColumns
	}
	size.wide = capped(size.wide + size.width)
	return size, nil
}

// starWidth is how many columns * stands for, of sources by name.
func starWidth(star *ast.StarExpr, sources map[string]int) (width int) {
	if name := star.TableName.Name.String(); name != "" {
		return sources[strings.ToLower(name)]
	}
	for _, n := range sources {
		width += n
	}
	return width
}

// capped keeps a sum that grows by multiplication from running over.
func capped(n int) int { return min(n, 1<<40) }

// statement looks at a statement, or at a query within one.
func (q *nestedQueries) statement(n ast.SQLNode) (nestedSize, error) {
	var with *ast.With
	switch n := n.(type) {
	case *ast.Select:
		with = n.With
	case *ast.SetOp:
		with = n.With
	case *ast.Insert:
		with = n.With
	case *ast.Update:
		with = n.With
	case *ast.Delete:
		with = n.With
	}
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
	below := 0 // steps for the dearest column of what it reads
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

// check refuses what is too much.
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

// source notes how many columns a table has that stands for a common table expression.
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

// inside looks at a query within a statement.
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

// selected looks at an expression of a SELECT list. Its type takes the types of the subqueries in it, and whether it
// may be NULL asks for those again in each operator above them.
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

// plainColumn reports whether a selected expression is a column, for whose default the engine looks into the derived
// table that it is of.
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

// tablesInJoin is how many tables one join has.
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

// ShapesRule refuses a statement whose columns it takes the engine very many steps to tell: those of a derived table
// are told for each column that a query around it reads.
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

// shapes counts the steps that a node's columns take.
type shapes struct {
	ctx   *sql.Context
	nodes map[sql.Node]int // known ones: a common table expression's is one node in several places
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

// defaults are the steps to the default of one column of a node, for which the engine makes the columns of a derived
// table.
func (s shapes) defaults(n sql.Node) int {
	switch n := n.(type) {
	case *plan.SubqueryAlias:
		return s.node(n)
	case *plan.Filter:
		return s.defaults(n.Child)
	case *plan.GroupBy:
		return s.defaults(n.Child)
	case *plan.JoinNode:
		return max(s.defaults(n.Left()), s.defaults(n.Right()))
	}
	return 0
}

// selected are the steps to the type of an expression and to whether it may be NULL.
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
