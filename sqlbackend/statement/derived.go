package statement

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// The engine looks for the default of each plain column that a derived table selects. So it asks the derived table
// below for all of its columns, which does the same: for n columns and m levels it takes n^m steps, so that a chain of
// eight common table expressions with six columns takes many seconds. It doesn't look through HAVING.

// PlainLevels is how many levels of derived tables are left as they are.
const PlainLevels = 2

// StopDefaults gives the queries of deeper derived tables a HAVING TRUE. views is how many views the running statement
// has read with this one; 0 says that the text is no view's.
func StopDefaults(stmt ast.Statement, query string, views int) {
	if stmt == nil || views <= PlainLevels && !nestsDerived(query) {
		return
	}
	(&derivedQueries{ofView: views > PlainLevels}).query(stmt, views > PlainLevels)
}

// nestsDerived reports whether a text may have derived tables on more than PlainLevels levels.
func nestsDerived(query string) bool {
	found := 0
	for i := 0; i+len("select") <= len(query); i++ {
		if query[i]|0x20 == 's' && strings.EqualFold(query[i:i+len("select")], "select") {
			if found++; found > PlainLevels+1 {
				return true
			}
		}
	}
	return false
}

// derivedQueries measures on how many levels derived tables stand below a query.
type derivedQueries struct {
	named  []map[string]int // levels of common table expressions by name; the innermost WITH last
	ofView bool             // tables may be views
}

// query returns the levels of a query with itself.
func (d *derivedQueries) query(n ast.SQLNode, derived bool) (levels int) {
	if with := WithOf(n); with != nil {
		here := map[string]int{}
		d.named = append(d.named, here)
		defer func() { d.named = d.named[:len(d.named)-1] }()
		for _, cte := range with.Ctes {
			if s, ok := cte.AliasedTableExpr.Expr.(*ast.Subquery); ok {
				here[strings.ToLower(cte.As.String())] = d.query(s.Select, true)
			}
		}
	}
	if set, ok := n.(*ast.SetOp); ok {
		return max(d.query(set.Left, derived), d.query(set.Right, derived))
	}
	if d.ofView && derived {
		levels = PlainLevels
	}
	first, windowed := true, false
	_ = Walk(func(child ast.SQLNode) (bool, error) {
		if first || child == nil {
			first = false
			return true, nil
		}
		switch child := child.(type) {
		case *ast.With:
			return false, nil
		case *ast.Over:
			windowed = windowed || child != nil
		case ast.TableName:
			levels = max(levels, d.level(child))
		case *ast.Subquery:
			levels = max(levels, d.query(child.Select, true))
			return false, nil
		case ast.SelectStatement:
			levels = max(levels, d.query(child, derived))
			return false, nil
		}
		return true, nil
	}, n)
	levels++
	if s, ok := n.(*ast.Select); ok && derived && levels > PlainLevels && s.Having == nil && !windowed && !selectsAll(s) &&
		!selectsQuery(s) {
		s.Having = ast.NewWhere(ast.HavingStr, ast.BoolVal(true))
	}
	return levels
}

// level returns the levels of a table name, if it means a common table expression.
func (d *derivedQueries) level(t ast.TableName) int {
	for i := len(d.named) - 1; i >= 0 && t.DbQualifier.IsEmpty(); i-- {
		if levels, ok := d.named[i][strings.ToLower(t.Name.String())]; ok {
			return levels
		}
	}
	return 0
}

// selectsAll reports whether a query selects * of one table alone: the engine takes the derived table itself for it.
func selectsAll(s *ast.Select) bool {
	if len(s.SelectExprs) != 1 || len(s.From) != 1 {
		return false
	}
	_, star := s.SelectExprs[0].(*ast.StarExpr)
	_, one := s.From[0].(*ast.AliasedTableExpr)
	return star && one
}

// selectsQuery reports whether a query selects values of queries, which HAVING would have the engine plan twice.
func selectsQuery(s *ast.Select) (found bool) {
	_ = Walk(func(n ast.SQLNode) (bool, error) {
		_, query := n.(*ast.Subquery)
		found = found || query
		return !found, nil
	}, s.SelectExprs)
	return found
}

// WithOf returns the WITH of a statement; nil if it has none.
func WithOf(n ast.SQLNode) *ast.With {
	switch n := n.(type) {
	case *ast.Select:
		return n.With
	case *ast.SetOp:
		return n.With
	case *ast.Insert:
		return n.With
	case *ast.Update:
		return n.With
	case *ast.Delete:
		return n.With
	}
	return nil
}
