package syntax

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rollup"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// refuseNamesakes refuses to change the rows of a join in which two tables have one name, d1.t and d2.t. The engine
// distinguishes the tables that it writes by name alone, and would write the rows of one into the other.
func refuseNamesakes(stmt ast.Statement) error {
	var tables ast.TableExprs
	switch s := stmt.(type) {
	case *ast.Update:
		tables = s.TableExprs
	case *ast.Delete:
		tables = s.TableExprs
	case *ast.Explain:
		return refuseNamesakes(s.Statement)
	}
	names := map[string]bool{}
	for _, t := range tables {
		if sharesName(t, names) {
			return errors.New(mysqlerr.NamesakesText)
		}
	}
	return nil
}

// InsertedValues turns the query of an INSERT with VALUES(column) in ON DUPLICATE KEY UPDATE into a derived table.
// Its columns are the inserted columns, under the name by which the plan builder looks for them.
func InsertedValues(stmt ast.Statement) {
	i, ok := stmt.(*ast.Insert)
	if !ok || len(i.OnDup) == 0 || len(i.Columns) == 0 {
		return
	}
	query, ok := i.Rows.(ast.SelectStatement)
	if !ok {
		return
	}
	if s, ok := query.(*ast.Select); ok && len(s.From) == 1 {
		t, ok := s.From[0].(*ast.AliasedTableExpr)
		if ok && t.As.String() == planbuilder.OnDupValuesPrefix {
			return // it is one
		}
	}
	values, others := false, false
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.ValuesFuncExpr:
			values = true
			return false, nil
		case *ast.ColName: // a column of a table that the query reads
			table := n.Qualifier.Name.String()
			others = others || table != "" && !strings.EqualFold(table, i.Table.Name.String())
		case *ast.Subquery:
			return false, nil
		}
		return true, nil
	}, ast.AssignmentExprs(i.OnDup))
	if !values || others {
		return
	}
	derived := &ast.AliasedTableExpr{Expr: &ast.Subquery{Select: query, Columns: i.Columns},
		As: ast.NewTableIdent(planbuilder.OnDupValuesPrefix)}
	i.Rows = &ast.Select{SelectExprs: ast.SelectExprs{&ast.StarExpr{}}, From: ast.TableExprs{derived}}
}

// withoutParentheses turns tables that are listed in parentheses, as in t LEFT JOIN (u, v) ON …, into a cross join.
// It also turns a list of one query alone into that query.
func withoutParentheses(stmt ast.Statement) {
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch p := n.(type) {
		case *ast.ComparisonExpr: // IN ((SELECT …))
			if t, ok := p.Right.(ast.ValTuple); ok && len(t) == 1 {
				if q, ok := t[0].(*ast.Subquery); ok {
					p.Right = q
				}
			}
		case *ast.ParenTableExpr:
			for len(p.Exprs) > 1 {
				joined := &ast.JoinTableExpr{LeftExpr: p.Exprs[0], Join: ast.JoinStr, RightExpr: p.Exprs[1]}
				p.Exprs = append(ast.TableExprs{joined}, p.Exprs[2:]...)
			}
		}
		return true, nil
	}, stmt)
}

// sharesName adds the names of the joined tables, and reports whether two tables have one name.
func sharesName(t ast.TableExpr, names map[string]bool) bool {
	switch t := t.(type) {
	case *ast.ParenTableExpr:
		for _, t := range t.Exprs {
			if sharesName(t, names) {
				return true
			}
		}
	case *ast.JoinTableExpr:
		return sharesName(t.LeftExpr, names) || sharesName(t.RightExpr, names)
	case *ast.AliasedTableExpr:
		name := t.As.String()
		if table, ok := t.Expr.(ast.TableName); ok && name == "" {
			name = table.Name.String()
		}
		name = strings.ToLower(name)
		known := names[name]
		names[name] = true
		return known && name != ""
	}
	return false
}

// withCondition gives an UPDATE of a join without WHERE a true one: without it the engine decides differently which
// rows are written.
func withCondition(stmt ast.Statement) {
	if s, ok := stmt.(*ast.Update); ok && s.Where == nil && len(s.TableExprs) == 1 {
		if _, joins := s.TableExprs[0].(*ast.JoinTableExpr); joins {
			s.Where = ast.NewWhere(ast.WhereStr, ast.BoolVal(true))
		}
	}
}

// forPlanner changes a statement where the engine's plan builder would misread it. It changes only statements that
// nobody keeps as text.
func forPlanner(stmt ast.Statement, query string) {
	if x, ok := stmt.(*ast.Explain); ok && x.Statement != nil {
		forPlanner(x.Statement, query)
		return
	}
	if d, ok := stmt.(*ast.DDL); ok && d.OptSelect != nil { // CREATE TABLE ... SELECT
		forPlanner(d.OptSelect.Select, query)
		nameSelected(d.OptSelect.Select, query)
		return
	}
	withCondition(stmt)
	withoutParentheses(stmt)
	InsertedValues(stmt)
	joinsOn(stmt)
	usingAsOn(stmt)
	switch s := stmt.(type) {
	case *ast.Flush:
		flushed(s)
	case *ast.DBDDL:
		s.SchemaOrDatabase = "database" // the engine's schemas are something within a database
	case *ast.Insert, *ast.Update, *ast.Delete, ast.SelectStatement, *ast.Set, *ast.AlterTable:
		compare.DateLiterals(stmt, query)
		planAsCalls(stmt, query)
	case *ast.DDL:
		compare.DateLiterals(stmt, query)
		planAsCalls(stmt, query)
		if s.ViewSpec != nil {
			keepViewText(s, query)
			planAsCalls(s.ViewSpec.ViewExpr, query)
			compare.DateLiterals(s.ViewSpec.ViewExpr, query)
		}
	}
	globalDefaults(stmt)
	serialColumns(stmt, query)
	timeColumns(stmt, query)
	trimHeaders(stmt, query)
	keepDecimals(stmt, query)
	if len(query) >= statement.ShallowLength {
		switch stmt.(type) {
		case *ast.Insert, *ast.Update, *ast.Delete, ast.SelectStatement:
			balance(stmt)
		}
	}
	switch s := stmt.(type) {
	case *ast.Insert, ast.SelectStatement:
		orderDistinct(stmt, query)
		wholeExpressions(stmt, query)
		namedSides(stmt, query)
		keepOuterJoins(stmt, query)
		lateralAfterComma(stmt, query)
	case *ast.Update, *ast.Delete:
		wholeExpressions(stmt, query)
		namedSides(stmt, query)
		keepOuterJoins(stmt, query)
		lateralAfterComma(stmt, query)
	case *ast.DDL:
		if s.ViewSpec != nil { // the text of a view is kept separately
			orderDistinct(s.ViewSpec.ViewExpr, query)
			wholeExpressions(s.ViewSpec.ViewExpr, query)
			namedSides(s.ViewSpec.ViewExpr, query)
			keepOuterJoins(s.ViewSpec.ViewExpr, query)
			lateralAfterComma(s.ViewSpec.ViewExpr, query)
		}
	}
	switch s := stmt.(type) {
	case *ast.Update:
		if s.Where != nil {
			s.Where.Expr = visibleExists(s.Where.Expr)
		}
		for _, e := range s.Exprs {
			e.Expr = visibleExists(e.Expr)
		}
		visibleInOrder(s.OrderBy)
	case *ast.Delete:
		deleteWithExists(s)
		visibleInOrder(s.OrderBy)
	case *ast.Insert, ast.SelectStatement:
	default:
		return
	}
	plainKeys(stmt, query)
}

// nameSelected gives the columns of CREATE TABLE … SELECT the names that they have in results: the texts of their
// expressions as written.
func nameSelected(s ast.SelectStatement, query string) {
	switch s := s.(type) {
	case *ast.Select:
		for _, e := range s.SelectExprs {
			e, ok := e.(*ast.AliasedExpr)
			if !ok || !e.As.IsEmpty() || e.EndParsePos <= e.StartParsePos || e.EndParsePos > len(query) {
				continue
			}
			name := strings.Trim(query[e.StartParsePos:e.EndParsePos], ", \t\r\n")
			if _, named := e.Expr.(*ast.ColName); !named && name != "" && len(name) <= maxOfName {
				e.As = ast.NewColIdent(strings.Trim(name, `'"`))
			}
		}
	case *ast.SetOp:
		nameSelected(s.Left, query)
	case *ast.ParenSelect:
		nameSelected(s.Select, query)
	}
}

const maxOfName = 64 // of a column's name, in characters

// wholeExpressions changes expressions of which the plan builder would leave out a part: calls, and grouped
// expressions. query is the text of the statement.
func wholeExpressions(stmt ast.SQLNode, query string) {
	if !strings.Contains(query, "(") && !statement.Holds(query, "by") {
		return
	}
	lent := distinguishBlocks(stmt)
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.ComparisonExpr:
			quantify(n)
		case *ast.GroupConcatExpr:
			functions.ConcatenateAll(n)
		case *ast.Select:
			groupedSelect(n, lent[n])
		}
		return true, nil
	}, stmt)
}

// deleteWithExists names the table of a DELETE with EXISTS as its target: the engine turns the two into a join, and
// must know which side to delete from.
func deleteWithExists(d *ast.Delete) {
	if d.Where == nil {
		return
	}
	d.Where.Expr = visibleExists(d.Where.Expr)
	if len(d.Targets) > 0 || len(d.TableExprs) != 1 || !hasSubquery(d.Where.Expr) {
		return
	}
	t, ok := d.TableExprs[0].(*ast.AliasedTableExpr)
	if !ok {
		return
	}
	name, ok := t.Expr.(ast.TableName)
	if !ok {
		return
	}
	if !t.As.IsEmpty() {
		name = ast.TableName{Name: t.As}
	}
	d.Targets = ast.TableNames{name}
}

func hasSubquery(parts ...ast.SQLNode) bool {
	found := false
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if _, ok := n.(*ast.Subquery); ok {
			found = true
		}
		return !found, nil
	}, parts...)
	return found
}

// visibleExists makes the subqueries of EXISTS in an UPDATE or DELETE visible to the plan builder. It overlooks them,
// takes the statement for a simple one and does not prepare the subqueries.
func visibleExists(e ast.Expr) ast.Expr {
	var found []*ast.ExistsExpr
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.ExistsExpr:
			found = append(found, n)
			return false, nil
		case *ast.Subquery:
			return false, nil
		}
		return true, nil
	}, e)
	for _, x := range found {
		e = ast.ReplaceExpr(e, x, ast.InjectedExpr{
			Expression: existsSubquery{},
			Children:   ast.Exprs{x.Subquery},
			Auth:       ast.AuthInformation{AuthType: ast.AuthType_IGNORE},
		})
	}
	return e
}

// visibleInOrder is visibleExists for ORDER BY.
func visibleInOrder(order ast.OrderBy) {
	for _, o := range order {
		o.Expr = visibleExists(o.Expr)
	}
}

// existsSubquery turns a subquery that the plan builder has built into EXISTS.
type existsSubquery struct{}

// WithResolvedChildren implements ast.Injectable.
func (existsSubquery) WithResolvedChildren(children []any) (any, error) {
	if len(children) == 1 {
		if query, ok := children[0].(*plan.Subquery); ok {
			return plan.NewExistsSubquery(query), nil
		}
	}
	return nil, sql.ErrInvalidChildrenNumber.New("exists", len(children), 1)
}

// plainKeys removes the parentheses around keys of ORDER BY and GROUP BY: within them the plan builder does not find
// a column of the result.
func plainKeys(stmt ast.Statement, query string) {
	if !statement.Holds(query, "by") {
		return
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Order:
			n.Expr = plainKey(n.Expr)
		case *ast.Select:
			for i, e := range n.GroupBy {
				n.GroupBy[i] = plainKey(e)
			}
		}
		return true, nil
	}, stmt)
}

// plainKey returns a column without parentheses; (1) stays, since it is no position.
func plainKey(e ast.Expr) ast.Expr {
	inner := e
	for {
		p, ok := inner.(*ast.ParenExpr)
		if !ok {
			break
		}
		inner = p.Expr
	}
	if _, ok := inner.(*ast.ColName); ok {
		return inner
	}
	return e
}

// flushed turns kinds of FLUSH that have nothing to do into FLUSH TABLES, which does nothing. Privileges are not
// cached, there is no list of hosts, and the log has no file of its own that could be opened again.
func flushed(f *ast.Flush) {
	if t := strings.ToLower(f.Type); t == "local" || t == "no_write_to_binlog" { // there is no binary log
		f.Type = ""
	}
	switch strings.ToLower(f.Option.Name) {
	case "privileges", "hosts", "logs", "error logs", "general logs", "slow logs", "optimizer_costs", "user_resources",
		"status":
		f.Option.Name = "tables"
	}
}

// keepViewText notes the text of a view's query. The engine would look for it in the rest of the text without its
// leading space, which a statement after another one has.
func keepViewText(s *ast.DDL, query string) {
	from, to := s.SubStatementPositionStart, s.SubStatementPositionEnd
	if s.SubStatementStr == "" && from < to && to <= len(query) {
		s.SubStatementStr = rollup.Written(query[from:to])
	}
}

// Spellings that translateUnit and translateSized give a unit and INTERVAL(n, …).
var (
	quotedUnit      = regexp.MustCompile("(?i)`((year|day|hour|minute|second)_(month|hour|minute|second|microsecond))`")
	writtenInterval = regexp.MustCompile(`(?i)\b(interval)_of\b`)
)

// trimHeaders spells the names of a result's columns as the user wrote them. The parser takes a comma after a space
// for a part of the next name, and leaves out a NOT at the beginning of the first.
func trimHeaders(stmt ast.Statement, query string) {
	switch stmt.(type) {
	case ast.SelectStatement, *ast.Insert, *ast.DDL:
	default:
		return
	}
	marks := []string{" ,", "\n,", "\t,", "\r,", "/,", "/*||*/", "interval", "not"}
	if !slices.ContainsFunc(marks, func(mark string) bool { return statement.Holds(query, mark) }) {
		return
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if e, ok := n.(*ast.AliasedExpr); ok && e.InputExpression != "" {
			written := statement.PipesAgain(strings.TrimLeft(e.InputExpression, ", \t\r\n"))
			e.InputExpression = quotedUnit.ReplaceAllString(writtenInterval.ReplaceAllString(written,
				"$1"), "$1")
			if _, not := e.Expr.(*ast.NotExpr); not && e.StartParsePos <= len(query) {
				before := strings.TrimRight(query[:e.StartParsePos], " \t\r\n")
				if word := before[max(0, len(before)-len("NOT")):]; strings.EqualFold(word, "NOT") {
					e.InputExpression = word + " " + e.InputExpression
				}
			}
		}
		return true, nil
	}, stmt)
}

// globalDefaults gives SET GLOBAL variable = DEFAULT the variable's own default: the engine takes the current global
// value.
func globalDefaults(stmt ast.Statement) {
	s, ok := stmt.(*ast.Set)
	if !ok {
		return
	}
	for _, e := range s.Exprs {
		if _, ok := e.Expr.(*ast.Default); !ok || e.Scope != ast.SetScope_Global {
			continue
		}
		v, _, ok := sql.SystemVariables.GetGlobal(e.Name.Name.String())
		if !ok {
			continue // which the engine refuses
		}
		switch value := v.GetDefault().(type) {
		case nil:
			e.Expr = &ast.NullVal{}
		case string:
			e.Expr = ast.NewStrVal([]byte(value))
		case float64:
			e.Expr = ast.NewFloatVal(fmt.Append(nil, value))
		default:
			e.Expr = ast.NewIntVal(fmt.Append(nil, value))
		}
	}
}
