package sqlbackend

import (
	"errors"
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// foundRows is LIMIT with OFFSET of SQL_CALC_FOUND_ROWS, nil for any other: the engine counts the rows behind the OFFSET alone.
func (x *executor) foundRows(ctx *sql.Context, n *plan.Limit, row sql.Row) (sql.RowIter, error) {
	offset, ok := n.Child.(*plan.Offset)
	if !ok || !n.CalcFoundRows {
		return nil, nil
	}
	skip, err := iters.GetInt64Value(ctx, offset.Offset)
	if err != nil {
		return nil, err
	}
	left, err := rowsTaken(ctx, n.Limit)
	if err != nil {
		return nil, err
	}
	rows, err := x.engine.Build(ctx, offset.Child, row)
	if err != nil {
		return nil, err
	}
	return &foundRowsIter{RowIter: signed(rows), skip: skip, left: left}, nil
}

// foundRowsIter gives the rows behind some, no more than are wanted, and counts all.
type foundRowsIter struct {
	sql.RowIter
	skip, left, found int64
}

// Next implements sql.RowIter.
func (i *foundRowsIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		row, err := i.RowIter.Next(ctx)
		if err != nil {
			if errors.Is(err, io.EOF) {
				ctx.SetLastQueryInfoInt(sql.FoundRows, i.found)
			}
			return nil, err
		}
		if i.found++; i.found > i.skip && i.left > 0 {
			i.left--
			return row, nil
		}
	}
}

// Close implements sql.RowIter.
func (i *foundRowsIter) Close(ctx *sql.Context) error {
	err := i.RowIter.Close(ctx)
	ctx.SetLastQueryInfoInt(sql.FoundRows, i.found) // what is below may have counted rows of its own
	return err
}

// unionFound makes a derived table of a set operation whose first SELECT has SQL_CALC_FOUND_ROWS: the plan builder keeps that for a SELECT alone.
func unionFound(stmt ast.Statement) ast.Statement {
	union, ok := stmt.(*ast.SetOp)
	if !ok || union.Limit == nil {
		return stmt
	}
	s, _ := firstSelect(union)
	if s == nil || !s.QueryOpts.SQLCalcFoundRows || !namedApart(s) {
		return stmt
	}
	s.QueryOpts.SQLCalcFoundRows = false
	all := *union
	all.OrderBy, all.Limit, all.Into, all.Lock = nil, nil, nil, ""
	return &ast.Select{
		QueryOpts:   ast.QueryOpts{SQLCalcFoundRows: true},
		SelectExprs: ast.SelectExprs{&ast.StarExpr{}},
		From:        ast.TableExprs{derivedRows(&all)},
		OrderBy:     union.OrderBy, Limit: union.Limit, Into: union.Into, Lock: union.Lock,
	}
}

// namedApart reports whether no two columns of a SELECT have the same name, as those of a derived table must not.
func namedApart(s *ast.Select) bool {
	names := map[string]bool{}
	for _, e := range s.SelectExprs {
		switch e := e.(type) {
		case *ast.StarExpr:
			if len(s.SelectExprs) > 1 || tablesInJoin(s.From) > 1 {
				return false
			}
		case *ast.AliasedExpr:
			name := e.As.Lowered()
			if c, column := e.Expr.(*ast.ColName); column && name == "" {
				name = c.Name.Lowered()
			} else if name == "" {
				name = strings.ToLower(ast.String(e.Expr))
			}
			if names[name] {
				return false
			}
			names[name] = true
		}
	}
	return true
}

// derivedRows is a query as a derived table.
func derivedRows(query ast.SelectStatement) *ast.AliasedTableExpr {
	return &ast.AliasedTableExpr{Expr: &ast.Subquery{Select: query}, As: ast.NewTableIdent("derived rows"), Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}
}
