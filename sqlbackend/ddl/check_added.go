package ddl

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// CreateCheck adds a check to a table as the clauses before it have left it. The engine would read the rows that the
// table had before ALTER TABLE, which lack a column that is added with its check. It returns nil for a table that is
// not ours.
func CreateCheck(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.CreateCheck, _ sql.Row) (sql.RowIter, error) {
	found, ok, err := n.Database().GetTableInsensitive(ctx, n.Table.Name())
	if err != nil || !ok {
		return nil, err
	}
	t, ok := found.(*table.Table)
	if !ok {
		return nil, nil
	}
	added, err := plan.NewCheckDefinition(ctx, n.Check)
	if err != nil {
		return nil, err
	}
	if added.Name == "" {
		added.Name = freeCheckName(t.Def.Table)
	}
	holds, err := t.BindValue(ctx, added.CheckExpression)
	if err != nil {
		return nil, err
	}
	rows, err := engine.Build(ctx, plan.NewResolvedTable(t, n.Database(), nil), nil)
	if err != nil {
		return nil, err
	}
	for {
		row, err := rows.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		var v any
		if err == nil {
			v, err = sql.EvaluateCondition(ctx, holds, row)
		}
		if err == nil && sql.IsFalse(v) {
			err = sql.ErrCheckConstraintViolated.New(added.Name)
		}
		if err != nil {
			return nil, errors.Join(err, rows.Close(ctx))
		}
	}
	if err := rows.Close(ctx); err != nil {
		return nil, err
	}
	if err := t.CreateCheck(ctx, added); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// CreateCheck implements sql.CheckAlterableTable. The engine has tried the
// check on every row.
func (Definer) CreateCheck(ctx *sql.Context, t *table.Table, check *sql.CheckDefinition) error {
	if t.Def.Open && strings.ReplaceAll(check.CheckExpression, "`", "") == "json_valid("+session.DocumentColumn+")" {
		return nil // the check of MariaDB's JSON type
	}
	added := catalog.Check{Name: check.Name, Expression: check.CheckExpression, Enforced: check.Enforced}
	return alter(t, ctx, alteration{edit: func(def *catalog.Table) error {
		if added.Name == "" {
			added.Name = freeCheckName(def)
		}
		if hasCheck(def, added.Name) {
			return mysql.NewSQLError(3822, "HY000", "Duplicate check constraint name '%s'.", added.Name)
		}
		def.Checks = append(def.Checks, added)
		return nil
	}})
}

// freeCheckName returns a name for a check that is added without one.
func freeCheckName(def *catalog.Table) string {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s_chk_%d", def.Name, n)
		if !hasCheck(def, name) {
			return name
		}
	}
}

// DropCheck implements sql.CheckAlterableTable. The engine also drops the checks of a column that it drops, which an
// earlier clause may have dropped. DropConstraintRule has refused unknown names.
func (Definer) DropCheck(ctx *sql.Context, t *table.Table, name string) error {
	return alter(t, ctx, alteration{edit: func(def *catalog.Table) error {
		for i, c := range def.Checks {
			if strings.EqualFold(c.Name, name) {
				def.Checks = slices.Delete(def.Checks, i, i+1)
				return nil
			}
		}
		if table.Alters(t.Session, func(d *ast.DDL) bool { return d.ColumnAction == ast.DropStr }) {
			return nil
		}
		return sql.ErrUnknownConstraint.New(name)
	}})
}

// DropConstraintRule turns DROP CONSTRAINT of a UNIQUE into DROP INDEX: the engine looks among checks and foreign
// keys alone. It refuses to drop a column or a check that does not exist.
func DropConstraintRule(_ *sql.Context, a *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	switch n.(type) {
	case *plan.DropConstraint, *plan.DropColumn, *plan.DropCheck, *plan.Block:
	default:
		return n, transform.SameTree, nil
	}
	return transform.Node(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		if drop, ok := n.(*plan.DropColumn); ok {
			if of, ok := drop.Table.(*plan.ResolvedTable); ok {
				if t, ok := of.UnderlyingTable().(*table.Table); ok && t.Def.ColumnNamed(drop.Column) == nil {
					return n, transform.SameTree, cantDrop(drop.Column)
				}
			}
		}
		if drop, ok := n.(*plan.DropCheck); ok && !drop.IfExists {
			if t, ok := drop.Table.UnderlyingTable().(*table.Table); ok && !hasCheck(t.Def.Table, drop.Name) {
				return n, transform.SameTree, sql.ErrUnknownConstraint.New(drop.Name)
			}
		}
		drop, ok := n.(*plan.DropConstraint)
		if !ok {
			return n, transform.SameTree, nil
		}
		of, ok := drop.Child.(*plan.ResolvedTable)
		if !ok {
			return n, transform.SameTree, nil
		}
		t, ok := sql.GetUnderlyingTable(of.Table).(*table.Table)
		if !ok {
			return n, transform.SameTree, nil
		}
		if i := table.FindIndex(t.Def.Table, drop.Name); i >= 0 && t.Def.Indexes[i].Unique {
			return plan.NewAlterDropIndex(of.SqlDatabase, of, drop.Name), transform.NewTree, nil
		}
		if hasForeignKey(t.Def.Table, drop.Name) {
			next := plan.NewAlterDropForeignKey(of.SqlDatabase.Name(), t.Def.Name, drop.Name)
			next.DbProvider = a.Catalog.DbProvider
			return next, transform.NewTree, nil
		}
		if drop.IfExists || hasCheck(t.Def.Table, drop.Name) {
			return n, transform.SameTree, nil
		}
		return n, transform.SameTree, cantDrop(drop.Name)
	})
}

func hasCheck(def *catalog.Table, name string) bool {
	return slices.ContainsFunc(def.Checks, func(c catalog.Check) bool { return strings.EqualFold(c.Name, name) })
}

func cantDrop(name string) error {
	return mysql.NewSQLError(errCantDrop, "42000", "Can't DROP '%s'; check that column/key exists", name)
}

// errCantDrop is MySQL's number for dropping a column or key that does not exist.
const errCantDrop = 1091
