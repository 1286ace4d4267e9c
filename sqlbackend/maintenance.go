package sqlbackend

import (
	"cmp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/ddl"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// maintenance is OPTIMIZE, ANALYZE, REPAIR or CHECKSUM TABLE. OPTIMIZE does the table's
// pending background work at once. Nothing needs to be done for the others: counts are
// exact at any time and the store compacts itself; tools that send them get the answers
// that they expect.
type maintenance struct {
	operation string // lower case
	tables    []maintainedTable
}

type maintainedTable struct {
	database, name string // database may be empty: the current one
}

var (
	_ ast.Injectable    = (*maintenance)(nil)
	_ sql.ExecSourceRel = (*maintenance)(nil)
)

// parseMaintenance reads such a statement from the start of the text and
// returns its length. It is quick to see that a text is another one.
func parseMaintenance(text string) (stmt ast.Statement, translated string, length int, ok bool) {
	t := statement.NextToken(text, 0)
	m := &maintenance{}
	for _, operation := range []string{"optimize", "analyze", "repair", "checksum"} {
		if t.Is(text, operation) {
			m.operation = operation
		}
	}
	if m.operation == "" {
		return nil, "", 0, false
	}
	t = statement.NextToken(text, t.End)
	if t.Is(text, "NO_WRITE_TO_BINLOG") || t.Is(text, "LOCAL") {
		t = statement.NextToken(text, t.End)
	}
	if !t.Is(text, "TABLE") && !t.Is(text, "TABLES") {
		return nil, "", 0, false
	}
	var names []string
	for {
		t = statement.NextToken(text, t.End)
		name, ok := statement.UnquotedName(text, t)
		if !ok {
			return nil, "", 0, false
		}
		table := maintainedTable{name: name}
		end := t.End
		if t = statement.NextToken(text, t.End); t.Is(text, ".") {
			t = statement.NextToken(text, t.End)
			if table.name, ok = statement.UnquotedName(text, t); !ok {
				return nil, "", 0, false
			}
			table.database, end = name, t.End
			t = statement.NextToken(text, t.End)
		}
		m.tables = append(m.tables, table)
		names = append(names, table.database, table.name)
		if t.Is(text, ",") {
			continue
		}
		for t.Kind == statement.TokenWord && maintenanceOption(m.operation, text[t.Start:t.End]) {
			end = t.End
			t = statement.NextToken(text, t.End)
		}
		if t.Kind != statement.TokenEnd && !t.Is(text, ";") {
			return nil, "", 0, false
		}
		return ast.InjectedStatement{
			Statement: m,
			Auth: ast.AuthInformation{
				AuthType:    ast.AuthType_SELECT,
				TargetType:  ast.AuthTargetType_MultipleTableIdentifiers,
				TargetNames: names,
			},
		}, "", end, true
	}
}

func maintenanceOption(operation, word string) bool {
	switch strings.ToUpper(word) {
	case "QUICK", "EXTENDED":
		return operation == "repair" || operation == "checksum"
	case "USE_FRM":
		return operation == "repair"
	}
	return false
}

// WithResolvedChildren implements ast.Injectable.
func (m *maintenance) WithResolvedChildren([]any) (any, error) { return m, nil }

// Resolved implements sql.Node.
func (m *maintenance) Resolved() bool { return true }

// String implements sql.Node.
func (m *maintenance) String() string { return strings.ToUpper(m.operation) + " TABLE" }

// Schema implements sql.Node.
func (m *maintenance) Schema() sql.Schema {
	if m.operation == "checksum" {
		return sql.Schema{
			{Name: "Table", Type: types.LongText},
			{Name: "Checksum", Type: types.Int64, Nullable: true},
		}
	}
	return sql.Schema{
		{Name: "Table", Type: types.LongText},
		{Name: "Op", Type: types.LongText},
		{Name: "Msg_type", Type: types.LongText},
		{Name: "Msg_text", Type: types.LongText},
	}
}

// Children implements sql.Node.
func (m *maintenance) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (m *maintenance) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(m, len(children), 0)
	}
	return m, nil
}

// IsReadOnly implements sql.Node.
func (m *maintenance) IsReadOnly() bool { return true }

// RowIter implements sql.ExecSourceRel.
func (m *maintenance) RowIter(ctx *sql.Context, _ sql.Row) (sql.RowIter, error) {
	var rows []sql.Row
	for _, t := range m.tables {
		database := t.database
		if database == "" {
			database = ctx.GetCurrentDatabase()
		}
		name := database + "." + t.name
		there, describes := true, false
		if f, ok := ctx.Session.(*session.Session); ok {
			var err error
			if there, err = f.Maintains(database, t.name); err != nil {
				return nil, err
			}
			describes = !there && information.IsSystemTable(f.Backend, ctx, database, t.name)
			if there && m.operation == "optimize" {
				if err := ddl.FinishBackground(ctx, f, database, t.name); err != nil {
					return nil, mysqlerr.Of(ctx, err)
				}
			}
		}
		switch {
		case m.operation == "checksum":
			rows = append(rows, sql.Row{name, nil})
		case describes:
			rows = append(rows, sql.Row{name, m.operation, "note",
				"The storage engine for the table doesn't support " + m.operation})
		case !there:
			rows = append(rows,
				sql.Row{name, m.operation, "Error", "Table '" + name + "' doesn't exist"},
				sql.Row{name, m.operation, "status", "Operation failed"})
		case m.operation == "repair":
			rows = append(rows, sql.Row{name, m.operation, "note", "The storage engine for the table doesn't support repair"})
		default:
			rows = append(rows, sql.Row{name, m.operation, "status", "OK"})
		}
	}
	return sql.RowsToRowIter(rows...), nil
}

func (m *maintenance) CommitsBefore() (commits, defines bool) { return true, false }

var _ session.Committing = (*maintenance)(nil)

var _ privilege.Needing = (*maintenance)(nil)

// Needs implements privilege.Needing.
func (m *maintenance) Needs(current string) (all []accounts.Need) {
	for _, t := range m.tables {
		all = append(all, accounts.Need{Privileges: accounts.Select | accounts.Insert, Command: "SELECT, INSERT",
			Database: cmp.Or(t.database, current), Table: t.name})
	}
	return all
}
