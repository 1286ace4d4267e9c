package ddl

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// renameTables is RENAME TABLE: all names change in one transaction. The engine would rename the tables one after the
// other, all in the current database.
type renameTables struct {
	list []catalog.Renaming // an empty database means the current one
}

var (
	_ ast.Injectable    = (*renameTables)(nil)
	_ sql.ExecSourceRel = (*renameTables)(nil)
)

// Renaming replaces the engine's RENAME TABLE by ours, and returns other statements unchanged.
func Renaming(stmt ast.Statement) ast.Statement {
	ddl, ok := stmt.(*ast.DDL)
	if !ok || ddl.Action != ast.RenameStr || len(ddl.FromTables) == 0 || len(ddl.FromTables) != len(ddl.ToTables) {
		return stmt
	}
	r := &renameTables{}
	for i, from := range ddl.FromTables {
		to := ddl.ToTables[i]
		r.list = append(r.list, catalog.Renaming{
			From: catalog.Name{Database: from.DbQualifier.String(), Name: from.Name.String()},
			To:   catalog.Name{Database: to.DbQualifier.String(), Name: to.Name.String()},
		})
	}
	return ast.InjectedStatement{Statement: r, Auth: ddl.Auth}
}

// WithResolvedChildren implements ast.Injectable.
func (r *renameTables) WithResolvedChildren([]any) (any, error) { return r, nil }

// Resolved implements sql.Node.
func (r *renameTables) Resolved() bool { return true }

// String implements sql.Node.
func (r *renameTables) String() string { return "RENAME TABLE" }

// Schema implements sql.Node.
func (r *renameTables) Schema() sql.Schema { return types.OkResultSchema }

// Children implements sql.Node.
func (r *renameTables) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (r *renameTables) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), 0)
	}
	return r, nil
}

// IsReadOnly implements sql.Node.
func (r *renameTables) IsReadOnly() bool { return false }

// RowIter implements sql.ExecSourceRel.
func (r *renameTables) RowIter(ctx *sql.Context, _ sql.Row) (sql.RowIter, error) {
	list := append([]catalog.Renaming(nil), r.list...)
	for i := range list {
		for _, n := range []*catalog.Name{&list[i].From, &list[i].To} {
			if n.Database == "" {
				n.Database = ctx.GetCurrentDatabase()
			}
			if n.Database == "" {
				return nil, sql.ErrNoDatabaseSelected.New()
			}
			if n.Database == session.SystemDatabase {
				return nil, sql.ErrRenameTableNotSupported.New(n.Database)
			}
		}
	}
	if err := session.ChangeDefinitions(ctx, func(c *catalog.Change) error { return c.Rename(list) }); err != nil {
		return nil, err
	}
	if err := session.CommitDefinitions(ctx); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// TablesDropped runs DROP TABLE: all tables go in one transaction. It returns nil to leave the node to the engine.
func TablesDropped(ctx *sql.Context, n *plan.DropTable) (sql.RowIter, error) {
	var names []catalog.Name
	for _, node := range n.Tables {
		t, ok := node.(*plan.ResolvedTable)
		if !ok || t.SqlDatabase == nil {
			return nil, nil
		}
		if _, ok := t.SqlDatabase.(information.Collections); !ok {
			return nil, nil
		}
		names = append(names, catalog.Name{Database: t.SqlDatabase.Name(), Name: t.Name()})
	}
	if err := DropTables(ctx, names); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// DropTables removes tables: all of them, or with IF EXISTS the existing ones.
func DropTables(ctx *sql.Context, names []catalog.Name) error {
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	var dropped []*catalog.Table
	err = session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		if err := RefuseReferenced(ctx, c.View(), names); err != nil {
			return err
		}
		for _, n := range names {
			if of, ok := c.View().Table(n.Database, n.Name); ok {
				dropped = append(dropped, of)
			}
		}
		if !Tolerated(s).Missing {
			return c.DropTables(names)
		}
		missing, err := c.DropTablesThere(names)
		if err != nil {
			return err
		}
		for _, n := range missing {
			s.Warn(&sql.Warning{Level: "Note", Code: mysql.ERBadTable, Message: fmt.Sprintf("Unknown table '%s'", n.Name)})
		}
		return nil
	})
	if err == nil {
		NoteLeft(s, dropped)
	}
	return err
}

// CommitsBefore implements session.Committing.
func (r *renameTables) CommitsBefore() (commits, defines bool) { return true, true }

var _ session.Committing = (*renameTables)(nil)

// tolerance holds the conditions of a statement about the definition that it changes.
type tolerance struct {
	There    bool // IF NOT EXISTS
	Missing  bool // IF EXISTS
	Replaces bool // OR REPLACE
}

// Tolerated returns the conditions of the running command. The engine checks them before it makes the change, and
// another session, perhaps on another server, may be faster.
func Tolerated(s *session.Session) tolerance {
	switch stmt := s.Parsed.Statement().(type) {
	case *ast.DBDDL:
		return tolerance{There: stmt.IfNotExists, Missing: stmt.IfExists}
	case *ast.DDL:
		return tolerance{There: stmt.IfNotExists, Missing: stmt.IfExists, Replaces: stmt.OrReplace}
	}
	return tolerance{}
}
