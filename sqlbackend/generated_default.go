package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
)

// defaultsOfGenerated takes what assigns DEFAULT to generated columns from UPDATE and from ON DUPLICATE KEY UPDATE:
// their values are computed anyway, and the engine refuses any that is assigned.
func (s *Session) defaultsOfGenerated(ctx *sql.Context, stmt ast.Statement) {
	switch n := stmt.(type) {
	case *ast.Insert:
		if len(n.OnDup) > 0 {
			n.OnDup = ast.OnDup(s.withoutDefaults(ctx, n.Table, ast.AssignmentExprs(n.OnDup)))
		}
	case *ast.Update:
		if len(n.TableExprs) != 1 {
			return
		}
		from, ok := n.TableExprs[0].(*ast.AliasedTableExpr)
		if !ok {
			return
		}
		if name, ok := from.Expr.(ast.TableName); ok {
			n.Exprs = s.withoutDefaults(ctx, name, n.Exprs)
		}
	}
}

// withoutDefaults are the assignments but those of DEFAULT to generated columns; one is kept if there are no others.
func (s *Session) withoutDefaults(ctx *sql.Context, table ast.TableName, all ast.AssignmentExprs) ast.AssignmentExprs {
	var kept ast.AssignmentExprs
	var t *catalog.Table
	for _, a := range all {
		if d, ok := a.Expr.(*ast.Default); ok && d.ColName == "" {
			if t == nil {
				t = s.namedTable(ctx, table)
			}
			if t != nil && isGenerated(t, a.Name.Name.String()) {
				continue
			}
		}
		kept = append(kept, a)
	}
	if len(kept) == 0 {
		return all
	}
	return kept
}

// namedTable is the definition of a table that a statement names; nil if there is none.
func (s *Session) namedTable(ctx *sql.Context, name ast.TableName) *catalog.Table {
	database := name.DbQualifier.String()
	if database == "" {
		database = ctx.GetCurrentDatabase()
	}
	view, err := s.definitions()
	if err != nil {
		return nil
	}
	t, ok := view.Table(database, name.Name.String())
	if !ok {
		return nil
	}
	return t
}

func isGenerated(t *catalog.Table, column string) bool {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, column) {
			return t.Columns[i].Generated != ""
		}
	}
	return false
}

// givesDefaults reports whether an INSERT without a list of columns gives each generated column, of which there are
// some, DEFAULT.
func givesDefaults(t *catalog.Table, insert *ast.Insert) bool {
	rows, ok := insert.Rows.(*ast.AliasedValues)
	if !ok || len(rows.Values) == 0 {
		return false
	}
	some := false
	for i := range t.Visible() {
		if t.Columns[i].Generated == "" {
			continue
		}
		some = true
		for _, row := range rows.Values {
			if i >= len(row) {
				return false
			}
			if d, ok := row[i].(*ast.Default); !ok || d.ColName != "" {
				return false
			}
		}
	}
	return some
}
