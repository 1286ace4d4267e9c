package ddl

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// CREATE TABLE … SELECT makes the table from its definition and the columns of its query, as any CREATE TABLE does.
// Then it inserts the rows, as any INSERT … SELECT does. The engine's parser knows no definition beside a query: the
// two are read separately, and the texts of the definition stay with the statement.

// SelectedRows is a planned query that gives rows.
type SelectedRows struct {
	Query  sql.Node
	schema sql.Schema
}

// Resolved implements sql.Node.
func (*SelectedRows) Resolved() bool { return true }

// String implements sql.Node.
func (r *SelectedRows) String() string { return r.Query.String() }

// Schema implements sql.Node.
func (r *SelectedRows) Schema() sql.Schema { return r.schema }

// Children implements sql.Node. It returns none, so that the query is not planned again.
func (*SelectedRows) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (r *SelectedRows) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), 0)
	}
	return r, nil
}

// IsReadOnly implements sql.Node.
func (*SelectedRows) IsReadOnly() bool { return true }

// Build implements operator.Node.
func (r *SelectedRows) Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	return engine.Build(ctx, r.Query, row)
}

// CollationCoercibility implements sql.CollationCoercible.
func (r *SelectedRows) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, r.Query)
}

// CreateSelected makes the table of a CREATE TABLE … SELECT and returns the iterator that fills it.
func CreateSelected(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.TableCopier, _ sql.Row) (sql.RowIter, error) {
	create, ok := n.Destination.(*plan.CreateTable)
	if !ok {
		return nil, nil
	}
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	if there, err := createdBefore(s, ctx, n.Database(), create); err != nil {
		return nil, err
	} else if there {
		return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
	}
	parts := &statement.CreateSelect{}
	if ddl, ok := s.Parsed.Statement().(*ast.DDL); ok && ddl.SubStatementStr != "" {
		if err := json.Unmarshal([]byte(ddl.SubStatementStr), parts); err != nil {
			return nil, err
		}
	}
	name := sql.QuoteIdentifier(n.Database().Name()) + "." + sql.QuoteIdentifier(create.Name())
	elements, err := completed(parts, create.PkSchema().Schema, n.Source)
	if err != nil {
		return nil, err
	}
	kind := "TABLE "
	if create.Temporary() {
		kind = "TEMPORARY TABLE "
	}
	if err := runDefinition(ctx, engine, s, "CREATE "+kind+name+parts.Definition(elements)); err != nil {
		return nil, err
	}
	columns, rows := make([]string, len(n.Source.Schema())), make([]string, len(n.Source.Schema()))
	for i, c := range n.Source.Schema() {
		columns[i], rows[i] = sql.QuoteIdentifier(c.Name), "NULL"
	}
	insert := map[string]string{"": "INSERT", "IGNORE": "INSERT IGNORE", "REPLACE": "REPLACE"}[parts.Duplicates]
	insert += " INTO " + name + " (" + strings.Join(columns, ", ") + ") SELECT " + strings.Join(rows, ", ")
	bound, flags, err := bindText(s, ctx, insert, func(ast.Statement) {})
	if err != nil {
		return nil, err
	}
	into, ok := bound.(*plan.InsertInto)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: INSERT is bound as %T", bound)
	}
	filled := into.WithSource(&SelectedRows{n.Source, n.Source.Schema()})
	analyzed, err := s.Backend.Engine.Analyzer.Analyze(ctx, filled, nil, flags)
	if err != nil {
		return nil, err
	}
	return engine.Build(ctx, analyzed, nil)
}

// createdBefore reports whether the table of CREATE TABLE IF NOT EXISTS exists already, and fails if it exists
// without IF NOT EXISTS.
func createdBefore(s *session.Session, ctx *sql.Context, db sql.Database, create *plan.CreateTable) (bool, error) {
	_, there := s.Own.Now.Table(db.Name(), create.Name())
	if !there && !create.Temporary() {
		var err error
		if _, there, err = db.GetTableInsensitive(ctx, create.Name()); err != nil {
			return false, err
		}
	}
	if !there {
		return false, nil
	}
	if !create.IfNotExists() {
		return false, sql.ErrTableAlreadyExists.New(create.Name())
	}
	s.Warn(&sql.Warning{Level: "Note", Code: mysql.ERTableExists,
		Message: fmt.Sprintf("Table '%s' already exists", create.Name())})
	return true, nil
}

// bindText parses and binds a statement that is part of the running one; it calls parsed in between.
func bindText(s *session.Session, ctx *sql.Context, text string, parsed func(ast.Statement)) (sql.Node, *sql.QueryFlags,
	error) {
	engine := s.Backend.Engine
	stmt, _, _, err := engine.Parser.ParseWithOptions(ctx, text, ';', false, ast.ParserOptions{})
	if err != nil {
		return nil, nil, err
	}
	parsed(stmt)
	b := planbuilder.New(ctx, engine.Analyzer.Catalog, nil, engine.Parser)
	b.DisableAuth()
	return b.BindOnly(stmt, text, nil)
}

// runDefinition runs a definition that is part of the running statement as if it were the running statement.
func runDefinition(ctx *sql.Context, engine sql.NodeExecBuilder, s *session.Session, text string) error {
	before := s.Parsed.All
	defer func() { s.Parsed.Replace(before, nil); s.Tables = nil }()
	bound, flags, err := bindText(s, ctx, text, func(stmt ast.Statement) {
		s.Parsed.Replace([]ast.Statement{stmt}, nil)
		s.Tables = nil
	})
	if err != nil {
		return err
	}
	analyzed, err := s.Backend.Engine.Analyzer.Analyze(ctx, bound, nil, flags)
	if err != nil {
		return err
	}
	rows, err := engine.Build(ctx, analyzed, nil)
	if err != nil {
		return err
	}
	_, err = sql.RowIterToRows(ctx, rows)
	return err
}

// completed returns the columns and keys of a CREATE TABLE … SELECT. The columns that are not selected come first,
// then the selected ones in the order of the query. These are as declared, or else as in the planned query: the plan
// builder calls every SUM and AVG a DOUBLE.
func completed(parts *statement.CreateSelect, typed sql.Schema, query sql.Node) ([]string, error) {
	selected, results := query.Schema(), compare.ResultExpressions(query)
	declared, isSelected := map[string]string{}, map[string]bool{}
	for _, c := range selected {
		isSelected[strings.ToLower(c.Name)] = true
	}
	var out, keys []string
	for _, e := range parts.Elements {
		name, ok := statement.ElementColumn(e)
		switch name = strings.ToLower(name); {
		case !ok:
			keys = append(keys, e)
		case isSelected[name] && declared[name] == "":
			declared[name] = e
		default:
			out = append(out, e)
		}
	}
	for i, c := range selected {
		if e := declared[strings.ToLower(c.Name)]; e != "" {
			out = append(out, e)
			continue
		}
		column := *typed[i]
		column.Type = c.Type
		if system, ok := c.Type.(sql.SystemVariableType); ok {
			column.Type = system.UnderlyingType()
		}
		if len(results) == len(selected) {
			column.Type = ofLength(results[i], column.Type)
		}
		text, err := selectedText(&column, parts.Options)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	if out = append(out, keys...); isSelected[tables.HiddenKey] && !slices.ContainsFunc(out, declaresPrimary) {
		out = append(out, "PRIMARY KEY ("+tables.HiddenKey+")") // no other column can have that name
	}
	return out, nil
}

// longestVarchar is the greatest length, in characters, of a computed column that is no TEXT, as in MySQL.
const longestVarchar = 512

// ofLength returns VARCHAR for a computed text of a known length, and the given type otherwise.
func ofLength(e sql.Expression, t sql.Type) sql.Type {
	text, ok := t.(sql.StringType)
	if !ok || t.Type() != sqltypes.Text {
		return t
	}
	if n, ok := textLength(e); ok && n > 0 && n <= longestVarchar {
		return types.MustCreateString(sqltypes.VarChar, n, text.Collation())
	}
	return t
}

// textLength returns the greatest length of a text in characters; ok is false where it is not known.
func textLength(e sql.Expression) (n int64, ok bool) {
	switch e := e.(type) {
	case *expression.Alias:
		return textLength(e.Child)
	case *expression.Literal:
		text, ok := e.Val.(string)
		return int64(utf8.RuneCountInString(text)), ok || e.Val == nil
	case *expression.GetField:
		t, ok := e.Type().(sql.StringType)
		if !ok || t.Type() != sqltypes.VarChar && t.Type() != sqltypes.Char {
			return 0, false
		}
		return t.MaxCharacterLength(), true
	}
	f, ok := e.(sql.FunctionExpression)
	if !ok {
		return 0, false
	}
	args := e.Children()
	switch strings.ToLower(f.FunctionName()) {
	case "lower", "upper", "lcase", "ucase", "left", "right", "substring", "substr", "mid", "trim", "ltrim", "rtrim",
		"reverse":
		args = args[:min(1, len(args))]
	case "concat":
	default:
		return 0, false
	}
	for _, a := range args {
		length, known := textLength(a)
		if !known {
			return 0, false
		}
		n += length
	}
	return n, true
}

func declaresPrimary(element string) bool { return statement.Holds(element, "primary") }

// emptyBytes is the type of a column that has only NULL.
var emptyBytes = types.MustCreateBinary(sqltypes.Binary, 0)

// selectedText declares a column with its type in the query.
func selectedText(c *sql.Column, options string) (string, error) {
	if c.Type == types.Null {
		c = &sql.Column{Name: c.Name, Type: emptyBytes, Nullable: true}
	}
	def, err := table.Declare(c)
	if err != nil {
		return "", err
	}
	if own, ok := value.CollationOfType(c.Type); ok && def.Class == "" {
		def.Collation = own.Name()
	}
	if def.Collation == collation.Default.Name() && !statement.Holds(options, "collate") {
		def.Collation = "" // the table's collation
	}
	alone := &catalog.Table{Columns: []catalog.Column{def}}
	typed, err := session.ColumnAt(alone, 0)
	if err != nil {
		return "", err
	}
	return information.ColumnText(&session.Definition{Table: alone, SQLColumns: []session.Column{typed}}, 0), nil
}
