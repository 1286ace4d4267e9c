package table

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// DefaultsOfGenerated removes DEFAULT for generated columns from INSERT, UPDATE and ON DUPLICATE KEY UPDATE. Their
// values are computed anyway, and the engine refuses to assign them.
func DefaultsOfGenerated(s *session.Session, ctx *sql.Context, stmt ast.Statement) {
	switch n := stmt.(type) {
	case *ast.Insert:
		if rows, ok := n.Rows.(*ast.AliasedValues); ok {
			withoutListed(s, ctx, n, rows)
		}
		if len(n.OnDup) > 0 {
			n.OnDup = ast.OnDup(withoutDefaults(s, ctx, map[string]ast.TableName{"": n.Table}, ast.AssignmentExprs(n.OnDup)))
		}
	case *ast.Update:
		tables := map[string]ast.TableName{}
		for _, from := range n.TableExprs {
			AssignedTables(from, tables)
		}
		n.Exprs = withoutDefaults(s, ctx, tables, n.Exprs)
	}
}

// withoutListed removes the generated columns for which all rows have DEFAULT from the column list of an INSERT. The
// engine computes unlisted columns in the order in which they need each other.
func withoutListed(s *session.Session, ctx *sql.Context, n *ast.Insert, rows *ast.AliasedValues) {
	for at := len(n.Columns) - 1; at >= 0 && len(n.Columns) > 1 && len(rows.Columns) == 0; at-- {
		t := NamedTable(s, ctx, n.Table)
		if t == nil || !IsGenerated(t, n.Columns[at].String()) {
			continue
		}
		given := slices.ContainsFunc(rows.Values, func(row ast.ValTuple) bool {
			if len(row) != len(n.Columns) {
				return true
			}
			d, ok := row[at].(*ast.Default)
			return !ok || d.ColName != ""
		})
		if given {
			continue
		}
		n.Columns = slices.Delete(n.Columns, at, at+1)
		for i := range rows.Values {
			rows.Values[i] = slices.Delete(rows.Values[i], at, at+1)
		}
	}
}

// AssignedTables adds the tables of a FROM clause to out, by their names or aliases in lower case.
func AssignedTables(from ast.TableExpr, out map[string]ast.TableName) {
	switch from := from.(type) {
	case *ast.AliasedTableExpr:
		if name, ok := from.Expr.(ast.TableName); ok {
			as := from.As.String()
			if as == "" {
				as = name.Name.String()
			}
			out[strings.ToLower(as)] = name
		}
	case *ast.JoinTableExpr:
		AssignedTables(from.LeftExpr, out)
		AssignedTables(from.RightExpr, out)
	case *ast.ParenTableExpr:
		for _, e := range from.Exprs {
			AssignedTables(e, out)
		}
	}
}

// withoutDefaults returns the assignments without DEFAULT for generated columns. If there are no others, a column is
// assigned to itself.
func withoutDefaults(s *session.Session, ctx *sql.Context, named map[string]ast.TableName,
	all ast.AssignmentExprs) ast.AssignmentExprs {
	var kept ast.AssignmentExprs
	var itself *ast.AssignmentExpr
	for _, a := range all {
		if d, ok := a.Expr.(*ast.Default); ok && d.ColName == "" {
			if t := generates(s, ctx, named, a.Name); t != nil {
				for i := range t.Columns {
					if itself == nil && t.Columns[i].Generated == "" {
						name := &ast.ColName{Name: ast.NewColIdent(t.Columns[i].Name), Qualifier: a.Name.Qualifier}
						itself = &ast.AssignmentExpr{Name: name, Expr: name}
					}
				}
				continue
			}
		}
		kept = append(kept, a)
	}
	if len(kept) == 0 && itself != nil {
		return ast.AssignmentExprs{itself}
	}
	if len(kept) == 0 {
		return all
	}
	return kept
}

// generates returns the definition of the table in which a column is generated; nil if there is none.
func generates(s *session.Session, ctx *sql.Context, named map[string]ast.TableName,
	column *ast.ColName) *catalog.Table {
	qualifier := column.Qualifier.Name.String()
	for as, name := range named {
		if qualifier != "" && as != "" && !strings.EqualFold(as, qualifier) {
			continue
		}
		if t := NamedTable(s, ctx, name); t != nil && IsGenerated(t, column.Name.String()) {
			return t
		}
	}
	return nil
}

// NamedTable returns the definition of a table that a statement names; nil if there is none.
func NamedTable(s *session.Session, ctx *sql.Context, name ast.TableName) *catalog.Table {
	database := name.DbQualifier.String()
	if database == "" {
		database = ctx.GetCurrentDatabase()
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return nil
	}
	t, ok := view.Table(database, name.Name.String())
	if !ok {
		return nil
	}
	return t
}

// IsGenerated reports whether a column is a generated one.
func IsGenerated(t *catalog.Table, column string) bool {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, column) {
			return t.Columns[i].Generated != ""
		}
	}
	return false
}

// givesDefaults reports whether an INSERT without a column list has DEFAULT for all generated columns, and there are
// some.
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
