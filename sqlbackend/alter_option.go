package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// alterOption is ALTER TABLE … COMMENT or ENGINE_ATTRIBUTE, of which the
// engine's parser keeps nothing.
type alterOption struct {
	database, table string // database may be empty: the current one
	option, value   string // option in lower case
}

var (
	_ ast.Injectable    = (*alterOption)(nil)
	_ sql.ExecSourceRel = (*alterOption)(nil)
)

// parseAlterOption reads such a statement. For those among other clauses of an ALTER TABLE see clauseOptions.
func parseAlterOption(query string) (ast.Statement, bool) {
	s := scanner{rest: query}
	if !s.word("ALTER") || !s.word("TABLE") {
		return nil, false
	}
	a := &alterOption{table: s.name()}
	if s.symbol('.') {
		a.database, a.table = a.table, s.name()
	}
	switch {
	case a.table == "":
		return nil, false
	case s.word("COMMENT"):
		a.option = "comment"
	case s.word("ENGINE_ATTRIBUTE"):
		a.option = "engine_attribute"
	default:
		return nil, false
	}
	s.symbol('=')
	var ok bool
	if a.value, ok = s.text(); !ok {
		return nil, false
	}
	s.symbol(';')
	if !s.done() {
		return nil, false
	}
	return ast.InjectedStatement{Statement: a, Auth: ast.AuthInformation{
		AuthType:    ast.AuthType_ALTER,
		TargetType:  ast.AuthTargetType_SingleTableIdentifier,
		TargetNames: []string{a.database, a.table},
	}}, true
}

// text reads a quoted string with MySQL's escapes.
func (s *scanner) text() (string, bool) {
	s.space()
	if s.rest == "" || (s.rest[0] != '\'' && s.rest[0] != '"') {
		return "", false
	}
	quote := s.rest[0]
	var b strings.Builder
	for i := 1; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == '\\' && i+1 < len(s.rest):
			i++
			switch c = s.rest[i]; c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			case '0':
				c = 0
			}
			b.WriteByte(c)
		case c == quote && i+1 < len(s.rest) && s.rest[i+1] == quote:
			i++
			b.WriteByte(quote)
		case c == quote:
			s.rest = s.rest[i+1:]
			return b.String(), true
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

// tableOption is one option of a table with the value that a clause gives it.
type tableOption struct{ name, value string }

// clauseOptions are the options among the clauses of an ALTER TABLE, in their order. A column has a comment too, but no
// clause begins with it.
func clauseOptions(text string) []tableOption {
	s := scanner{rest: text}
	if !s.word("ALTER") || !s.word("TABLE") || s.name() == "" || s.symbol('.') && s.name() == "" {
		return nil
	}
	var out []tableOption
	for {
		option := ""
		switch {
		case s.word("COMMENT"):
			option = "comment"
		case s.word("ENGINE_ATTRIBUTE"):
			option = "engine_attribute"
		}
		if option != "" {
			s.symbol('=')
			if value, ok := s.text(); ok {
				out = append(out, tableOption{option, value})
			}
		}
		if s.rest = syntax.NextClause(s.rest); s.rest == "" {
			return out
		}
	}
}

// optionsAmong are the options among the clauses of the running ALTER TABLE.
func (s *Session) optionsAmong() []tableOption {
	if alter, ok := s.statement().(*ast.AlterTable); ok && len(alter.Statements) > 0 {
		return clauseOptions(s.TextOf(s.command.Query))
	}
	return nil
}

// setClauseOptions changes what the running ALTER TABLE says of options among its clauses, before it changes
// anything else.
func (s *Session) setClauseOptions(ctx *sql.Context) error {
	options := s.optionsAmong()
	if len(options) == 0 {
		return nil
	}
	first := s.statement().(*ast.AlterTable).Statements[0]
	of := first.Table
	if len(first.FromTables) > 0 {
		of = first.FromTables[0] // RENAME TO
	}
	for _, o := range options {
		t, err := s.alterable(ctx, of.DbQualifier.String(), of.Name.String())
		if err != nil {
			return err
		}
		if err := t.setOption(ctx, o.name, o.value); err != nil {
			return err
		}
	}
	return nil
}

// alterable finds a table of our own; database may be empty, the current one.
func (s *Session) alterable(ctx *sql.Context, database, name string) (*Table, error) {
	if database == "" {
		database = ctx.GetCurrentDatabase()
	}
	if database == "" {
		return nil, sql.ErrNoDatabaseSelected.New()
	}
	found, ok, err := (&Database{backend: s.backend, name: database}).GetTableInsensitive(ctx, name)
	if err != nil {
		return nil, err
	}
	t, mine := found.(*Table)
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
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, err
	}
	t, err := s.alterable(ctx, a.database, a.table)
	if err != nil {
		return nil, err
	}
	if err := t.setOption(ctx, a.option, a.value); err != nil {
		return nil, err
	}
	if err := commitDefinitions(ctx); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// setOption changes a table's comment or options. Options that change what is
// indexed make the index be rebuilt.
func (t *Table) setOption(ctx *sql.Context, option, value string) error {
	if option == "comment" {
		return t.alter(ctx, alteration{edit: func(def *catalog.Table) error {
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
	_, err = t.alterIndexed(ctx, "the table's options have changed", func(def *catalog.Table) error {
		def.Options = attribute.Options
		return nil
	})
	return err
}
