package table

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// DumpColumns returns the columns that a table with a document is restored from.
func DumpColumns(t *catalog.Table) []string {
	var names []string
	for i := range t.Visible() {
		if Dumped(t, i) {
			names = append(names, t.Columns[i].Name)
		}
	}
	return append(names, session.DocumentColumn)
}

// Dumped reports whether a dump reads a declared column.
func Dumped(t *catalog.Table, column int) bool {
	return !t.Open || slices.Contains(t.PrimaryKey, column)
}

// restoredColumns returns the columns of an INSERT without a column list that has as many values as a dump writes,
// but fewer than the table has columns. It is nil for other INSERTs.
func restoredColumns(t *catalog.Table, insert *ast.Insert) []string {
	rows, ok := insert.Rows.(*ast.AliasedValues)
	if !ok || len(rows.Values) == 0 {
		return nil
	}
	all, names := t.Visible(), []string(nil)
	if t.Open {
		all, names = all+1, DumpColumns(t)
	} else { // earlier versions did not write generated columns
		for _, c := range t.Columns[:all] {
			if c.Generated == "" {
				names = append(names, c.Name)
			}
		}
	}
	if n := len(rows.Values[0]); n == all || n != len(names) {
		return nil
	}
	return names
}

// restoreGenerated replaces the values of generated columns in a dump of MariaDB by DEFAULT; MariaDB ignores them
// when it reads a dump. A dump is read with the only SQL mode that it sets.
func restoreGenerated(s *session.Session, ctx *sql.Context, t *catalog.Table, insert *ast.Insert) {
	rows, ok := insert.Rows.(*ast.AliasedValues)
	if !ok || !Restores(ctx) {
		return
	}
	generated := func(place int) bool {
		known := true
		if len(insert.Columns) > 0 {
			place, known = t.Column(insert.Columns[place].String())
		}
		return known && t.Columns[place].Generated != ""
	}
	given := t.Visible()
	if n := len(insert.Columns); n > 0 {
		given = n
	}
	for i := range given {
		if !generated(i) {
			continue
		}
		for _, row := range rows.Values {
			if len(row) == given {
				row[i] = &ast.Default{}
			}
		}
	}
}

// Restores reports whether the session has just the SQL mode that dumps set.
func Restores(ctx *sql.Context) bool {
	return strings.EqualFold(sql.LoadSqlMode(ctx).String(), "NO_AUTO_VALUE_ON_ZERO")
}

// Declare converts a column of the engine to the catalog's.
func Declare(c *sql.Column) (catalog.Column, error) {
	text, err := session.TypeText(c.Type)
	if err != nil {
		return catalog.Column{}, err
	}
	if c.AutoIncrement && !types.IsInteger(c.Type) && !types.IsFloat(c.Type) {
		return catalog.Column{}, mysql.NewSQLError(mysql.ERWrongFieldSpec, "42000",
			"Incorrect column specifier for column '%s'", c.Name)
	}
	if err := refuseVariables(c); err != nil {
		return catalog.Column{}, err
	}
	if !validDefault(c) {
		return catalog.Column{}, mysql.NewSQLError(mysqlerr.InvalidDefault, "42000",
			"Invalid default value for '%s'", c.Name)
	}
	return catalog.Column{
		Name:          c.Name,
		Type:          text,
		Nullable:      c.Nullable,
		Default:       ExpressionText(c.Default),
		OnUpdate:      ExpressionText(c.OnUpdate),
		Generated:     ExpressionText(c.Generated),
		NamedVirtual:  c.Generated != nil && (c.Virtual || c.Extra == session.VirtualGenerated),
		AutoIncrement: c.AutoIncrement,
		Comment:       c.Comment,
		Class:         session.ClassOf(c.Type),
		Length:        session.LengthOf(c.Type),
		Collation:     session.IndexCollation(session.CollationOf(c.Type)),
	}, nil
}

// validDefault reports whether a literal default is in the range of the column's type. The engine's own check
// accepts an integer beyond 2^64, and the number of an ENUM's member.
func validDefault(c *sql.Column) bool {
	if c.Default == nil || !types.IsInteger(c.Type) && !types.IsEnum(c.Type) {
		return true
	}
	if _, long := c.Default.Expr.(*tree.Retype); !c.Default.Literal && !long {
		return true
	}
	ctx := sql.NewEmptyContext()
	v, err := c.Default.Expr.Eval(ctx, nil)
	if err != nil || v == nil {
		return true
	}
	if types.IsEnum(c.Type) {
		return !types.IsNumber(c.Default.Expr.Type())
	}
	_, in, err := compare.ExactType(c.Type).Convert(ctx, v)
	return err == nil && in == sql.InRange
}

// refuseVariables refuses variables in the expressions of a default and a generated column, as they don't belong to
// the table.
func refuseVariables(c *sql.Column) error {
	reads := func(e *sql.ColumnDefaultValue) bool {
		return e != nil && tree.ReadsVariable(e)
	}
	switch {
	case reads(c.Default):
		return mysql.NewSQLError(mysqlerr.DefaultVariables, "HY000",
			"Default value expression of column '%s' cannot refer user or system variables.", c.Name)
	case reads(c.Generated):
		return mysql.NewSQLError(mysqlerr.GeneratedVariables, "HY000",
			"Expression of generated column '%s' cannot refer user or system variables.", c.Name)
	}
	return nil
}

// ExpressionText returns a default as text that the engine can parse again; its columns have no table names.
func ExpressionText(e *sql.ColumnDefaultValue) string {
	if e == nil {
		return ""
	}
	if l, ok := e.Expr.(*expression.Literal); ok {
		if t, ok := l.Type().(value.TimeType); ok && l.Val != nil { // the engine has made a TIME from a literal
			if span, err := t.ConvertToTimespan(l.Val); err == nil {
				return "'" + t.Spelled(span) + "'"
			}
		}
	}
	plain, _, err := transform.Expr(e, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		if f, ok := e.(*expression.GetField); ok {
			return f.WithTable(""), transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	})
	if err != nil {
		return e.String()
	}
	return plain.String()
}
