package ddl

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/buckettable"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// alterOption is ALTER TABLE … COMMENT, ENGINE_ATTRIBUTE or ENGINE, which the engine's parser drops.
type alterOption struct {
	database, table string // an empty database means the current one
	option, value   string // option in lower case
	address         string // the CONNECTION beside ENGINE
}

var (
	_ ast.Injectable    = (*alterOption)(nil)
	_ sql.ExecSourceRel = (*alterOption)(nil)
)

// ParseAlterOption reads such a statement. For options among other clauses of an ALTER TABLE see clauseOptions.
func ParseAlterOption(query string) (ast.Statement, bool) {
	s := statement.Scanner{Rest: query}
	if !s.Word("ALTER") || !s.Word("TABLE") {
		return nil, false
	}
	a := &alterOption{table: s.Name()}
	if s.Symbol('.') {
		a.database, a.table = a.table, s.Name()
	}
	clauses := s.Rest
	switch {
	case a.table == "":
		return nil, false
	case s.Word("ENGINE"):
		s.Symbol('=')
		a.option, a.value = "engine", s.Name()
		known := a.value != ""
		if s.Word("CONNECTION") {
			s.Symbol('=')
			a.address, known = s.Text()
		}
		if s.Symbol(';'); known && s.Done() {
			return a.statement(), true
		}
		return otherClauses(clauses)
	case s.Word("COMMENT"):
		a.option = "comment"
	case s.Word("ENGINE_ATTRIBUTE"):
		a.option = "engine_attribute"
	default:
		return otherClauses(clauses)
	}
	s.Symbol('=')
	var ok bool
	if a.value, ok = s.Text(); !ok {
		return nil, false
	}
	s.Symbol(';')
	if !s.Done() {
		return otherClauses(clauses)
	}
	return a.statement(), true
}

// otherClauses refuses clauses of which one moves the table into a bucket, and leaves others to the engine's parser.
func otherClauses(text string) (ast.Statement, bool) {
	if !namesBucket(text) {
		return nil, false
	}
	return session.Failing(mysqlerr.Unsupported("ALTER TABLE … ENGINE=%s CONNECTION='…' has no other clauses",
		information.BucketEngine)), true
}

// statement returns the option as a statement to run.
func (a *alterOption) statement() ast.Statement {
	return ast.InjectedStatement{Statement: a, Auth: ast.AuthInformation{
		AuthType:    ast.AuthType_ALTER,
		TargetType:  ast.AuthTargetType_SingleTableIdentifier,
		TargetNames: []string{a.database, a.table},
	}}
}

// tableOption is one option of a table with the value that a clause gives it.
type tableOption struct{ name, value string }

// clauseOptions returns the options among the clauses of an ALTER TABLE, in their order. A column may have a comment
// too, but no clause begins with it.
func clauseOptions(text string) []tableOption {
	s := statement.Scanner{Rest: text}
	if !s.Word("ALTER") || !s.Word("TABLE") || s.Name() == "" || s.Symbol('.') && s.Name() == "" {
		return nil
	}
	var out []tableOption
	for {
		option := ""
		switch {
		case s.Word("COMMENT"):
			option = "comment"
		case s.Word("ENGINE_ATTRIBUTE"):
			option = "engine_attribute"
		}
		if option != "" {
			s.Symbol('=')
			if value, ok := s.Text(); ok {
				out = append(out, tableOption{option, value})
			}
		}
		if s.Rest = syntax.NextClause(s.Rest); s.Rest == "" {
			return out
		}
	}
}

// OptionsAmong returns the options among the clauses of the running ALTER TABLE.
func OptionsAmong(s *session.Session) []tableOption {
	if alter, ok := s.Parsed.Statement().(*ast.AlterTable); ok && len(alter.Statements) > 0 {
		return clauseOptions(s.Parsed.Text(s.Command.Query))
	}
	return nil
}

// SetClauseOptions sets the options among the clauses of the running ALTER TABLE, before it changes anything else.
func SetClauseOptions(s *session.Session, ctx *sql.Context) error {
	options := OptionsAmong(s)
	if len(options) == 0 {
		return nil
	}
	first := s.Parsed.Statement().(*ast.AlterTable).Statements[0]
	of := first.Table
	if len(first.FromTables) > 0 {
		of = first.FromTables[0] // for RENAME TO
	}
	for _, o := range options {
		t, err := alterable(s, ctx, of.DbQualifier.String(), of.Name.String())
		if err != nil {
			return err
		}
		if err := setOption(t, ctx, o.name, o.value); err != nil {
			return err
		}
	}
	return nil
}

// alterable finds a table of our own; an empty database means the current one.
func alterable(s *session.Session, ctx *sql.Context, database, name string) (*table.Table, error) {
	if database == "" {
		database = ctx.GetCurrentDatabase()
	}
	if database == "" {
		return nil, sql.ErrNoDatabaseSelected.New()
	}
	found, ok, err := FindTable(ctx, database, name)
	if err != nil {
		return nil, err
	}
	t, mine := found.(*table.Table)
	if b, ok := found.(*buckettable.Table); ok {
		return nil, alteredInBucket(b.Name())
	}
	if !ok || !mine {
		return nil, sql.ErrTableNotFound.New(name)
	}
	return t, nil
}

// WithResolvedChildren implements ast.Injectable.
func (a *alterOption) WithResolvedChildren([]any) (any, error) { return a, nil }

// Resolved implements sql.Node.
func (a *alterOption) Resolved() bool { return true }

// String implements sql.Node.
func (a *alterOption) String() string { return "ALTER TABLE " + a.table + " " + a.option }

// Schema implements sql.Node.
func (a *alterOption) Schema() sql.Schema { return types.OkResultSchema }

// Children implements sql.Node.
func (a *alterOption) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (a *alterOption) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(a, len(children), 0)
	}
	return a, nil
}

// IsReadOnly implements sql.Node.
func (a *alterOption) IsReadOnly() bool { return false }

// RowIter implements sql.ExecSourceRel.
func (a *alterOption) RowIter(ctx *sql.Context, _ sql.Row) (sql.RowIter, error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	if a.option == "engine" {
		if err := a.move(ctx, s); err != nil {
			return nil, buckettable.Error(ctx, err)
		}
		return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
	}
	t, err := alterable(s, ctx, a.database, a.table)
	if err != nil {
		return nil, err
	}
	if err := setOption(t, ctx, a.option, a.value); err != nil {
		return nil, err
	}
	if err := session.CommitDefinitions(ctx); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// setOption changes a table's comment or options. Options that change which keypaths are indexed make the index be
// rebuilt.
func setOption(t *table.Table, ctx *sql.Context, option, value string) error {
	if option == "comment" {
		return alter(t, ctx, alteration{edit: func(def *catalog.Table) error {
			def.Comment = value
			return nil
		}})
	}
	attribute, err := parseOptions(ctx, value)
	if err == nil && len(attribute.Maps) > 0 {
		err = mysqlerr.Unsupported("table options: map_indexes in an ALTER TABLE; CREATE MAP INDEX makes one")
	}
	if err != nil {
		return err
	}
	_, err = alterIndexed(t, ctx, "the table's options have changed", func(def *catalog.Table) error {
		def.Options = attribute.Options
		return nil
	})
	return err
}

// CommitsBefore implements session.Committing.
func (a *alterOption) CommitsBefore() (commits, defines bool) { return true, true }

var _ session.Committing = (*alterOption)(nil)
