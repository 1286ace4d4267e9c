package information

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// views fills VIEWS. The engine binds every view in the current database, with a parser of its own, and leaves out
// views that it can't bind.
func (i *infoReading) views() error {
	return i.databases(func(_, db sql.Database) error {
		views, err := i.viewsOf(db)
		if err != nil {
			return err
		}
		coll := plan.GetDatabaseCollation(i.ctx, db)
		for _, v := range views {
			if !i.within.hasTable(v.Name) {
				continue
			}
			options := sql.NewSqlModeFromString(v.SqlMode).ParserOptions()
			parsed, _, _, err := i.session.Backend.Engine.Parser.ParseWithOptions(i.ctx, v.CreateViewStatement, ';',
				false, options)
			if err != nil {
				continue
			}
			create, ok := parsed.(*ast.DDL)
			if !ok || create.ViewSpec == nil {
				continue
			}
			spec := create.ViewSpec
			updatable := uint16(1) // NO
			if !strings.EqualFold(spec.Algorithm, "temptable") && UpdatableView(spec.ViewExpr) {
				updatable = 2 // YES
			}
			definer, security := strings.ReplaceAll(spec.Definer, "`", ""), spec.Security
			if definer == "" {
				client := i.session.Client()
				definer = fmt.Sprintf("%s@%s", client.User, client.Address)
			}
			check := uint16(1) // NONE
			if spec.CheckOption != "" {
				check = 3 // CASCADED; LOCAL is refused
			}
			if security == "" {
				security = "DEFINER"
			}
			i.emit(infoCatalog, db.Name(), v.Name, v.TextDefinition, check, updatable, definer, security,
				coll.CharacterSet().String(), coll.String())
		}
		return nil
	})
}

// UpdatableView reports whether a view gives rows of tables as they are.
func UpdatableView(e ast.SQLNode) bool {
	s, ok := e.(*ast.Select)
	if !ok || s.QueryOpts.Distinct || len(s.GroupBy) > 0 || s.Having != nil || syntax.HasAggregates(s) {
		return false
	}
	for _, from := range s.From {
		if t, ok := from.(*ast.AliasedTableExpr); ok {
			if _, derived := t.Expr.(*ast.Subquery); derived {
				return false
			}
		}
	}
	column := false
	for _, e := range s.SelectExprs {
		switch e := e.(type) {
		case *ast.StarExpr:
			column = true
		case *ast.AliasedExpr:
			switch e.Expr.(type) {
			case *ast.Subquery:
				return false
			case *ast.SQLVal, *ast.NullVal:
			default:
				column = true
			}
		}
	}
	return column
}
