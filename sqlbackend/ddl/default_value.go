package ddl

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rollup"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// MySQL's error numbers for columns without a DEFAULT.
const (
	errNoDefault         = 1364
	errDefaultExpression = 3773
	errAmbiguousColumn   = 1052
)

// DefaultValues replaces DEFAULT(column), which the engine takes for DEFAULT, by the column's default. It refuses to
// assign DEFAULT to a column that has none. DEFAULT and DEFAULT(column) that are assigned to the same column stay,
// since the engine reads them.
func DefaultValues(s *session.Session, ctx *sql.Context, stmt ast.Statement, query string) (ast.Statement, error) {
	if !statement.Holds(query, "default") {
		return stmt, nil
	}
	switch stmt.(type) {
	case ast.SelectStatement, *ast.Insert, *ast.Update, *ast.Delete:
	default:
		return stmt, nil
	}
	d := defaultReader{session: s, ctx: ctx, updates: map[*ast.Default]*catalog.Table{}}
	same, err := d.assigned(stmt)
	if err != nil {
		return stmt, err
	}
	found, keys := false, map[ast.Expr]bool{}
	note := func(e ast.Expr) {
		switch e.(type) {
		case *ast.Default, *ast.FuncExpr: // others are no defaults, and not all are comparable
			keys[e] = true
		}
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Order:
			note(n.Expr)
		case ast.GroupBy:
			for _, e := range n {
				note(e)
			}
		case *ast.Default:
			found = found || n.ColName != "" && !same[n]
		case *ast.FuncExpr:
			found = found || n.Name.EqualString(syntax.DefaultOf)
		case *ast.AliasedTableExpr:
			d.names(n)
		}
		return true, nil
	}, stmt)
	if !found {
		return stmt, nil
	}
	s.Rewrote = true
	next := rollup.Copied(stmt, func(e ast.Expr) ast.Expr {
		switch e := e.(type) {
		case *ast.Default:
			if e.ColName == "" || same[e] {
				return e
			}
		case *ast.FuncExpr:
			if !e.Name.EqualString(syntax.DefaultOf) {
				return nil
			}
		default:
			return nil
		}
		value := d.read(e)
		if value != nil && keys[e] { // a number there is the position of a column
			return &ast.FuncExpr{Name: ast.NewColIdent("coalesce"), Exprs: ast.SelectExprs{&ast.AliasedExpr{Expr: value}}}
		}
		return value
	})
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if e, ok := n.(*ast.AliasedExpr); ok && e != nil {
			e.InputExpression = strings.ReplaceAll(e.InputExpression, syntax.DefaultOf, "DEFAULT")
		}
		return true, nil
	}, next)
	return next, d.err
}

// read returns the default that an expression stands for; nil for other expressions.
func (d *defaultReader) read(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.Default:
		return d.value(ast.TableName{}, strings.Trim(e.ColName, "`"), d.updates[e])
	case *ast.FuncExpr:
		if len(e.Exprs) != 1 {
			return nil
		}
		arg, ok := e.Exprs[0].(*ast.AliasedExpr)
		if !ok {
			return nil
		}
		if c, ok := arg.Expr.(*ast.ColName); ok {
			return d.value(c.Qualifier, c.Name.String(), nil)
		}
	}
	return nil
}

// defaultReader reads the defaults of the columns of a statement's tables.
type defaultReader struct {
	session *session.Session
	ctx     *sql.Context
	tables  []namedDefinition
	// updates are assignments of ON DUPLICATE KEY UPDATE to columns of their own defaults, which may be expressions,
	// with the table.
	updates map[*ast.Default]*catalog.Table
	err     error
}

// namedDefinition is a table with its name in a statement.
type namedDefinition struct {
	name string
	*catalog.Table
}

func (d *defaultReader) names(t *ast.AliasedTableExpr) {
	if t == nil {
		return
	}
	tables := map[string]ast.TableName{}
	table.AssignedTables(t, tables)
	for name, of := range tables {
		if def := table.NamedTable(d.session, d.ctx, of); def != nil {
			d.tables = append(d.tables, namedDefinition{name, def})
		}
	}
}

// assigned returns the expressions that assign a column its own default. Under strict rules it fails if the column
// has none.
func (d *defaultReader) assigned(stmt ast.Statement) (map[*ast.Default]bool, error) {
	same := map[*ast.Default]bool{}
	of := func(def *catalog.Table, column string, e ast.Expr) error {
		x, ok := e.(*ast.Default)
		if !ok || x.ColName != "" && !strings.EqualFold(strings.Trim(x.ColName, "`"), column) {
			return nil
		}
		same[x] = true
		i, ok := def.Column(column)
		if !ok || compare.RulesOf(d.ctx, false).Lenient {
			return nil
		}
		// An ENUM's first member is a default.
		if c := &def.Columns[i]; c.Default == "" && !c.Nullable && !c.AutoIncrement && c.Generated == "" &&
			!strings.HasPrefix(c.Type, "enum(") {
			return errWithoutDefault(c.Name)
		}
		return nil
	}
	switch n := stmt.(type) {
	case *ast.Update:
		for _, from := range n.TableExprs {
			_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
				if t, ok := n.(*ast.AliasedTableExpr); ok {
					d.names(t)
				}
				return true, nil
			}, from)
		}
		tables := d.tables
		d.tables = nil
		for _, a := range n.Exprs {
			for _, t := range tables {
				if q := a.Name.Qualifier.Name.String(); q != "" && !strings.EqualFold(q, t.name) {
					continue
				}
				if _, has := t.Column(a.Name.Name.String()); has || len(tables) == 1 {
					if err := of(t.Table, a.Name.Name.String(), a.Expr); err != nil {
						return nil, err
					}
				}
			}
		}
	case *ast.Insert:
		def := table.NamedTable(d.session, d.ctx, n.Table)
		if def == nil {
			return same, nil
		}
		d.tables = append(d.tables, namedDefinition{n.Table.Name.String(), def})
		for _, a := range n.OnDup {
			if err := of(def, a.Name.Name.String(), a.Expr); err != nil {
				return nil, err
			}
			if x, ok := a.Expr.(*ast.Default); ok && same[x] { // the engine does not read DEFAULT there
				delete(same, x)
				d.updates[x], x.ColName = def, a.Name.Name.String()
			}
		}
		rows, ok := n.Rows.(*ast.AliasedValues)
		if !ok || n.Ignore != "" {
			return same, nil
		}
		for _, row := range rows.Values {
			for i, e := range row {
				column := ""
				switch {
				case i < len(n.Columns):
					column = n.Columns[i].String()
				case len(n.Columns) == 0 && i < def.Visible():
					column = def.Columns[i].Name
				}
				if err := of(def, column, e); err != nil {
					return nil, err
				}
			}
		}
	}
	return same, nil
}

// value returns a column's default as an expression. If it is assigned to the column, assigned is the table.
func (d *defaultReader) value(qualifier ast.TableName, column string, assigned *catalog.Table) ast.Expr {
	of := assigned
	table, database := qualifier.Name.String(), qualifier.DbQualifier.String()
	for _, t := range d.tables {
		if table != "" && !strings.EqualFold(table, t.name) || database != "" && !strings.EqualFold(database, t.Database) {
			continue
		}
		if _, ok := t.Column(column); !ok || of == t.Table || assigned != nil {
			continue
		}
		if of != nil {
			d.fail(mysql.NewSQLError(errAmbiguousColumn, "23000", "Column '%s' in field list is ambiguous", column))
		}
		of = t.Table
	}
	if of == nil {
		d.fail(mysql.NewSQLError(mysql.ERBadFieldError, "42S22", "Unknown column '%s' in 'field list'", column))
		return &ast.NullVal{}
	}
	i, ok := of.Column(column)
	if !ok {
		return &ast.NullVal{} // the assignment itself is refused
	}
	c := &of.Columns[i]
	if c.Default == "" {
		if !c.Nullable || c.AutoIncrement || c.Generated != "" {
			d.fail(errWithoutDefault(c.Name))
		}
		return &ast.NullVal{}
	}
	stmt, err := d.session.Backend.Engine.Parser.ParseSimple("SELECT " + c.Default)
	if err != nil {
		d.fail(err)
		return &ast.NullVal{}
	}
	if sel, ok := stmt.(*ast.Select); ok && len(sel.SelectExprs) == 1 {
		if e, ok := sel.SelectExprs[0].(*ast.AliasedExpr); ok {
			if _, is := literalOf(e.Expr); assigned != nil && !is {
				return &ast.ParenExpr{Expr: e.Expr}
			}
			return d.literal(c, e.Expr)
		}
	}
	return &ast.NullVal{}
}

// literal returns a default as a value of its column's type. Among expressions only the current time is supported.
func (d *defaultReader) literal(c *catalog.Column, e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.SQLVal:
		typ, err := session.ParseType(c.Type)
		if err != nil || x.Type != ast.StrVal || !types.IsNumber(typ) {
			return e
		}
		if types.IsInteger(typ) {
			return ast.NewIntVal(x.Val)
		}
		return ast.NewFloatVal(x.Val)
	case *ast.NullVal, *ast.UnaryExpr, ast.BoolVal:
		return e
	case *ast.FuncExpr:
		switch x.Name.Lowered() {
		case "now", "current_timestamp", "localtime", "localtimestamp":
			return e
		}
	}
	d.fail(mysql.NewSQLError(errDefaultExpression, "HY000",
		"DEFAULT function cannot be used with default value expressions"))
	return e
}

func (d *defaultReader) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

func errWithoutDefault(column string) error {
	return mysql.NewSQLError(errNoDefault, "HY000", "Field '%s' doesn't have a default value", column)
}

// RefusedDefaults returns the error for literal defaults that don't fit the columns of a statement; nil if all fit.
// The engine's own errors name no column.
func RefusedDefaults(s *session.Session, ctx *sql.Context, stmt ast.Statement) error {
	spec := func(of *ast.TableSpec) error {
		if of == nil {
			return nil
		}
		for _, c := range of.Columns {
			typ, err := types.ColumnTypeToType(&c.Type)
			if err != nil || c.Type.Default == nil {
				continue
			}
			required := bool(c.Type.NotNull) || bool(c.Type.Autoincrement) || syntax.IsPrimary(c.Type.KeyOpt)
			if err := refusedDefault(ctx, c.Name.String(), typ, c.Type.Default, required); err != nil {
				return err
			}
			if c.Type.Autoincrement {
				return errInvalidDefault(c.Name.String())
			}
		}
		return nil
	}
	switch n := stmt.(type) {
	case *ast.DDL:
		return spec(n.TableSpec)
	case *ast.AlterTable:
		for _, d := range n.Statements {
			if err := spec(d.TableSpec); err != nil {
				return err
			}
			if d.DefaultSpec == nil || d.DefaultSpec.Action != ast.SetStr {
				continue
			}
			def := table.NamedTable(s, ctx, d.Table)
			if def == nil {
				continue
			}
			if i, ok := def.Column(d.DefaultSpec.Column.String()); ok {
				typ, err := session.ParseType(def.Columns[i].Type)
				if err != nil {
					continue
				}
				err = refusedDefault(ctx, def.Columns[i].Name, typ, d.DefaultSpec.Value, !def.Columns[i].Nullable)
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func refusedDefault(ctx *sql.Context, column string, typ sql.Type, e ast.Expr, required bool) error {
	v, ok := literalOf(e)
	switch text, _ := v.(string); {
	case !ok:
		return nil
	case v == nil && required:
		return errInvalidDefault(column)
	case v == nil:
		return nil
	case types.IsJSON(typ), typ.Type() == sqltypes.Text, typ.Type() == sqltypes.Blob:
		if table.Restores(ctx) {
			return nil // MariaDB accepts such defaults, and writes them into its dumps
		}
		return mysql.NewSQLError(mysql.ERBlobCantHaveDefault, "42000",
			"BLOB, TEXT, GEOMETRY or JSON column '%s' can't have a default value", column)
	case types.IsTime(typ) && strings.HasPrefix(text, "0000-00-00"):
		if modes := setting.Of(ctx, setting.Modes); strings.Contains(modes, "no_zero_date") &&
			strings.Contains(modes, "strict_") {
			return errInvalidDefault(column)
		}
		return nil
	}
	if _, in, err := typ.Convert(ctx, v); err != nil || in != sql.InRange {
		return errInvalidDefault(column)
	}
	return nil
}

// literalOf returns the value of a literal that is a text, a number or NULL.
func literalOf(e ast.Expr) (any, bool) {
	switch x := e.(type) {
	case *ast.NullVal:
		return nil, true
	case *ast.UnaryExpr:
		if v, ok := x.Expr.(*ast.SQLVal); ok && x.Operator == ast.MinusStr && v.Type != ast.StrVal {
			n, ok := session.NumberIn("-" + string(v.Val))
			return n, ok
		}
	case *ast.SQLVal:
		switch x.Type {
		case ast.StrVal:
			return string(x.Val), true
		case ast.IntVal, ast.FloatVal:
			n, ok := session.NumberIn(string(x.Val))
			return n, ok
		}
	}
	return nil, false
}

func errInvalidDefault(column string) error {
	return mysql.NewSQLError(mysqlerr.InvalidDefault, "42000", "Invalid default value for '%s'", column)
}
