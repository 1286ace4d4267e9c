package information

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/dolthub/vitess/go/vt/proto/query"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// columns fills COLUMNS with the columns that * stands for: declared ones and listed keypaths. It includes the
// columns of views, and of the tables that describe others. A dump sees the columns that it writes.
func (i *infoReading) columns() error {
	return i.databases(func(shown, db sql.Database) error {
		err := i.tablesOf(shown, db, func(t infoSubject) error {
			if t.def != nil {
				return i.collectionColumns(t.def)
			}
			for n, c := range t.table.Schema() {
				key := ""
				if c.PrimaryKey {
					key = "PRI"
				}
				i.column(infoColumn{schema: t.schema, table: t.name, place: n, column: c, key: key,
					notNull: !c.Nullable})
			}
			return nil
		})
		if err != nil {
			return err
		}
		return i.viewColumns(db)
	})
}

// collectionColumns emits the columns of a table that holds documents.
func (i *infoReading) collectionColumns(def *session.Definition) error {
	dumps := i.session.Dumping.On()
	columns, schema, err := def.Layout(i.from, session.Shape{List: !dumps, Document: dumps})
	if err != nil {
		return err
	}
	keys := columnKeys(def)
	for n, c := range schema {
		if at := columns[n].Declared; dumps && at >= 0 && !table.Dumped(def.Table, at) {
			continue
		}
		out := infoColumn{schema: def.Database, table: def.Name, place: n, column: c, extra: c.Extra}
		out.key = keys[strings.ToLower(c.Name)]
		if at := columns[n].Declared; at >= 0 {
			declared := &def.Columns[at]
			var expression bool
			out.fallback, expression = defaultText(declared)
			if expression && out.extra == "" {
				out.extra = "DEFAULT_GENERATED"
			}
			if declared.OnUpdate != "" {
				out.extra = strings.TrimSpace(out.extra + " on update " + session.WithoutParentheses(declared.OnUpdate))
			}
			out.generated = session.WithoutParentheses(def.QuoteColumns(declared.Generated))
			// sqlColumn makes columns for statements, which may leave some out.
			out.notNull = !declared.Nullable
		}
		i.column(out)
	}
	return nil
}

// columnKeys is MySQL's word for the declared keys that columns begin, by
// lower-cased name.
func columnKeys(d *session.Definition) map[string]string {
	keys := map[string]string{}
	put := func(column, word string) {
		if lower := strings.ToLower(column); keys[lower] == "" {
			keys[lower] = word
		}
	}
	for _, k := range d.PrimaryKey {
		put(d.Columns[k].Name, "PRI")
	}
	for _, idx := range d.Table.Indexes {
		nullable := slices.ContainsFunc(idx.Columns, func(name string) bool {
			c := d.ColumnNamed(name)
			return c == nil || c.Declared < 0 || d.Columns[c.Declared].Nullable
		})
		if len(d.PrimaryKey) == 0 && idx.Unique && len(idx.Columns) > 0 && !nullable {
			for _, c := range idx.Columns { // MySQL shows these where there is no primary key
				put(c, "PRI")
			}
			break
		}
	}
	for _, idx := range d.Table.Indexes {
		if idx.Unique && len(idx.Columns) == 1 {
			put(idx.Columns[0], "UNI")
		}
	}
	for _, idx := range d.Table.Indexes {
		if len(idx.Columns) > 0 {
			column, _, _ := table.ShownPartOf(d, &idx, 0)
			put(column, "MUL")
		}
	}
	return keys
}

// defaultText is a declared default as COLUMN_DEFAULT shows it, and whether it
// is an expression.
func defaultText(c *catalog.Column) (any, bool) {
	if c.Default == "" || c.Generated != "" {
		return nil, false
	}
	text := session.WithoutParentheses(c.Default)
	stmt, err := ast.Parse("select " + c.Default)
	if err != nil {
		return text, true
	}
	query, ok := stmt.(*ast.Select)
	if !ok || len(query.SelectExprs) != 1 {
		return text, true
	}
	selected, ok := query.SelectExprs[0].(*ast.AliasedExpr)
	if !ok {
		return text, true
	}
	switch e := selected.Expr.(type) {
	case *ast.NullVal:
		return nil, false
	case ast.BoolVal:
		if e {
			return "1", false
		}
		return "0", false
	case *ast.SQLVal:
		return string(e.Val), false
	case *ast.UnaryExpr:
		if v, ok := e.Expr.(*ast.SQLVal); ok {
			return e.Operator + string(v.Val), false
		}
	}
	return text, true
}

// viewColumns emits the columns of a database's views. A view that can't be bound is left
// out.
func (i *infoReading) viewColumns(db sql.Database) error {
	views, err := i.viewsOf(db)
	if err != nil {
		return err
	}
	for _, v := range views {
		if !i.within.hasTable(v.Name) {
			continue
		}
		b := planbuilder.New(i.ctx, i.session.Backend.Engine.Analyzer.Catalog, nil,
			syntax.NewParser(sql.GlobalParser, session.ParseTransaction))
		b.SetParserOptions(sql.LoadSqlMode(i.ctx).ParserOptions())
		before := i.session.OfView
		i.session.OfView = db.Name()
		node, _, _, flags, err := b.Parse(v.CreateViewStatement, nil, false)
		i.session.OfView = before
		if err != nil {
			continue
		}
		created, ok := node.(*plan.CreateView)
		if !ok {
			continue
		}
		typed, _, err := compare.ResultTypeRule(i.ctx, nil, created.Child, nil, nil, flags)
		if err != nil {
			continue
		}
		for n, c := range created.TargetSchema() {
			if s := typed.Schema(); n < len(s) && types.IsDecimal(s[n].Type) {
				c = c.Copy()
				c.Type = s[n].Type
			}
			i.column(infoColumn{schema: db.Name(), table: v.Name, place: n, column: c,
				notNull: !c.Nullable})
		}
	}
	return nil
}

// infoColumn is one row of COLUMNS.
type infoColumn struct {
	schema, table string
	place         int // from 0
	column        *sql.Column
	fallback      any // COLUMN_DEFAULT
	key           string
	extra         string
	generated     string
	notNull       bool
}

func (i *infoReading) column(c infoColumn) {
	if !privilege.ShowsColumn(i.own(), c.schema, c.table, c.column.Name) {
		return
	}
	t := c.column.Type
	text := plainType(t)
	nullable := "YES"
	if c.notNull {
		nullable = "NO"
	}
	var charset, collation, characters, bytes, precision, scale, fractions any
	if with, ok := t.(sql.TypeWithCollation); ok && !types.IsBinaryType(t) {
		id := with.Collation()
		charset, collation = id.CharacterSet().String(), id.Name()
		if own, ok := t.(value.TextType); ok {
			collation = own.Coll.Name() // the engine knows it by another
		}
		if types.IsEnum(t) || types.IsSet(t) {
			length := int64(t.MaxTextResponseByteLength(i.ctx))
			characters, bytes = length/id.CharacterSet().MaxLength(), length
		}
	}
	if s, ok := t.(sql.StringType); ok {
		characters, bytes = s.MaxCharacterLength(), s.MaxByteLength()
	}
	switch n := t.(type) {
	case types.BitType:
		precision = int(n.NumberOfBits())
	case sql.DecimalType:
		precision, scale = int(n.Precision()), int(n.Scale())
	case sql.NumberType:
		if p, ok := numericPrecision[t.Type()]; ok {
			precision = p
		}
		if !types.IsFloat(t) {
			scale = 0
		}
	case sql.DatetimeType:
		fractions = n.Precision()
	case value.TimeType:
		fractions = n.Digits
	}
	i.emit(infoCatalog, c.schema, c.table, c.column.Name, uint32(c.place+1), c.fallback, nullable,
		strings.Split(strings.Split(text, "(")[0], " ")[0], characters, bytes, precision, scale, fractions,
		charset, collation, text, c.key, c.extra, i.privileges(c.schema, c.table, c.column.Name),
		c.column.Comment, c.generated, nil)
}

// numericPrecision is NUMERIC_PRECISION as MySQL gives it for types without one
// of their own.
var numericPrecision = map[query.Type]int{
	sqltypes.Int8: 3, sqltypes.Uint8: 3, sqltypes.Int16: 5, sqltypes.Uint16: 5, sqltypes.Int24: 7, sqltypes.Uint24: 7,
	sqltypes.Int32: 10, sqltypes.Uint32: 10, sqltypes.Int64: 19, sqltypes.Uint64: 20, sqltypes.Float32: 12,
	sqltypes.Float64: 22,
}

// own is the session's account. If it can't be read, it is an account without privileges.
func (i *infoReading) own() *accounts.Account {
	if i.account == nil {
		a, err := i.session.Login.Account()
		if err != nil {
			a = &accounts.Account{}
		}
		i.account = a
	}
	return i.account
}

// privileges lists the privileges of the session's user on a column, as COLUMNS shows them.
func (i *infoReading) privileges(database, table, column string) string {
	var words []string
	p := i.own().OnColumn(database, table, column)
	if privilege.OpenToAll(database, table) {
		p |= accounts.Select
	}
	for _, one := range []accounts.Privileges{accounts.Insert, accounts.References, accounts.Select, accounts.Update} {
		if p.Has(one) {
			words = append(words, strings.ToLower(one.Names()[0]))
		}
	}
	return strings.Join(words, ",")
}
