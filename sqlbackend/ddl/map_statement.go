package ddl

import (
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/mapindex"
	"github.com/sqlfdb/sqlfdb/mapindex/sandbox"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// mapStatement is one of the statements about map indexes:
//
//	CREATE [OR REPLACE] MAP INDEX [IF NOT EXISTS] name ON table AS 'function' [INTERACTIVE | BACKGROUND]
//	DROP MAP INDEX [IF EXISTS] name ON table
//	SHOW CREATE MAP INDEX name ON table
//	CALL sqlfdb_put_design('table', 'design document')
//	CALL sqlfdb_view_cleanup('table')
type mapStatement struct {
	verb             string // CREATE, DROP, SHOW, DESIGN, CLEANUP
	database, table  string // an empty database means the current one
	name             string
	text             string // function or design document
	interactive      bool
	replace, lenient bool // OR REPLACE; IF [NOT] EXISTS
}

var (
	_ ast.Injectable    = (*mapStatement)(nil)
	_ sql.ExecSourceRel = (*mapStatement)(nil)
)

// ParseOwn reads a statement that MySQL does not have, or that is about accounts; rest is the text after it.
func ParseOwn(query string) (stmt ast.Statement, rest string, ok bool) {
	if m, rest, ok, err := parseMap(query); ok {
		if err != nil {
			return session.Failing(err), "", true
		}
		return ast.InjectedStatement{Statement: m, Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}, rest, true
	}
	return privilege.Parse(query)
}

// parseMap reads a statement about map indexes. ok is false for other statements; an error says what is wrong with
// it.
func parseMap(query string) (m *mapStatement, rest string, ok bool, err error) {
	s := statement.Scanner{Rest: query}
	m = &mapStatement{}
	wrong := func(what string) (*mapStatement, string, bool, error) {
		near := strings.TrimSpace(s.Rest)
		return nil, "", true, mysql.NewSQLError(mysql.ERParseError, "42000", "syntax error near '%s': %s",
			mysqlerr.Shortened(near), what)
	}
	switch {
	case s.Word("CREATE"):
		m.verb, m.replace = "CREATE", s.Word("OR") && s.Word("REPLACE")
	case s.Word("DROP"):
		m.verb = "DROP"
	case s.Word("SHOW"):
		if m.verb = "SHOW"; !s.Word("CREATE") {
			return nil, "", false, nil
		}
	case s.Word("CALL"):
		return parseMapCall(s)
	default:
		return nil, "", false, nil
	}
	if !s.Word("MAP") || !s.Word("INDEX") {
		return nil, "", false, nil
	}
	if m.verb != "SHOW" && s.Word("IF") {
		m.lenient = (m.verb == "DROP" || s.Word("NOT")) && s.Word("EXISTS")
		if !m.lenient {
			return wrong("IF NOT EXISTS or IF EXISTS is expected")
		}
	}
	if m.name = s.Name(); m.name == "" {
		return wrong("the name of a map index is expected")
	}
	if !s.Word("ON") {
		return wrong("ON and a table are expected")
	}
	if m.table = s.Name(); s.Symbol('.') {
		m.database, m.table = m.table, s.Name()
	}
	if m.table == "" {
		return wrong("the name of a table is expected")
	}
	if m.verb == "CREATE" {
		if !s.Word("AS") {
			return wrong("AS and the text of a function are expected")
		}
		var ok bool
		if m.text, ok = s.Text(); !ok {
			return wrong("the text of a function is expected, in quotes")
		}
		if m.interactive = s.Word("INTERACTIVE"); !m.interactive {
			s.Word("BACKGROUND")
		}
	}
	s.Space()
	if s.Rest != "" && !s.Symbol(';') {
		return wrong("nothing is expected here")
	}
	return m, s.Rest, true, nil
}

// parseMapCall reads the calls.
func parseMapCall(s statement.Scanner) (m *mapStatement, rest string, ok bool, err error) {
	m = &mapStatement{}
	switch name := strings.ToLower(s.Name()); name {
	case "sqlfdb_put_design":
		m.verb = "DESIGN"
	case "sqlfdb_view_cleanup":
		m.verb = "CLEANUP"
	default:
		return nil, "", false, nil
	}
	wrong := func(what string) (*mapStatement, string, bool, error) {
		near := strings.TrimSpace(s.Rest)
		return nil, "", true, mysql.NewSQLError(mysql.ERParseError, "42000", "syntax error near '%s': %s",
			mysqlerr.Shortened(near), what)
	}
	if !s.Symbol('(') {
		return wrong("( is expected")
	}
	table, ok := s.Text()
	if !ok {
		return wrong("the name of a table is expected, in quotes")
	}
	if m.database, m.table, ok = statement.SplitTableName(table); !ok {
		return nil, "", true, mysql.NewSQLError(mysql.ERWrongArguments, mysql.SSUnknownSQLState,
			"%q is no name of a table", table)
	}
	if m.verb == "DESIGN" {
		if !s.Symbol(',') {
			return wrong("a comma and a design document are expected")
		}
		if m.text, ok = s.Text(); !ok {
			return wrong("a design document is expected, in quotes")
		}
	}
	if !s.Symbol(')') {
		return wrong(") is expected")
	}
	s.Space()
	if s.Rest != "" && !s.Symbol(';') {
		return wrong("nothing is expected here")
	}
	return m, s.Rest, true, nil
}

// need returns the privilege that an account needs for the statement, and its name.
func (m *mapStatement) need() (p accounts.Privileges, what string) {
	if m.verb == "SHOW" {
		return accounts.Select, "SELECT"
	}
	return accounts.Index, "INDEX"
}

// WithResolvedChildren implements ast.Injectable.
func (m *mapStatement) WithResolvedChildren([]any) (any, error) { return m, nil }

// Resolved implements sql.Node.
func (m *mapStatement) Resolved() bool { return true }

// String implements sql.Node.
func (m *mapStatement) String() string { return m.verb + " MAP INDEX" }

// Schema implements sql.Node.
func (m *mapStatement) Schema() sql.Schema {
	if m.verb != "SHOW" {
		return types.OkResultSchema
	}
	return sql.Schema{{Name: "Map Index", Type: types.LongText}, {Name: "Create Map Index", Type: types.LongText}}
}

// Children implements sql.Node.
func (m *mapStatement) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (m *mapStatement) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(m, len(children), 0)
	}
	return m, nil
}

// IsReadOnly implements sql.Node.
func (m *mapStatement) IsReadOnly() bool { return m.verb == "SHOW" }

// RowIter implements sql.ExecSourceRel.
func (m *mapStatement) RowIter(ctx *sql.Context, _ sql.Row) (sql.RowIter, error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	t, err := alterable(s, ctx, m.database, m.table)
	if err != nil {
		return nil, err
	}
	var affected uint64
	switch m.verb {
	case "SHOW":
		found, ok := t.Def.FindMap(m.name, catalog.MapIndex)
		if !ok {
			return nil, noMap(t, m.name)
		}
		return sql.RowsToRowIter(sql.Row{found.Name, information.MapText(t.Def.Table, found)}), nil
	case "CREATE":
		if _, err = sandbox.Compile(m.text); err == nil {
			err = putMap(t, ctx, m, catalog.Map{Name: m.name, Interactive: m.interactive,
				Views: []catalog.MapView{{Name: m.name, Function: m.text}}})
		}
	case "DROP":
		err = dropMap(t, ctx, m.name, catalog.MapIndex, m.lenient)
	case "DESIGN":
		err = putDesign(t, ctx, m)
	case "CLEANUP":
		affected, err = cleanMaps(t, ctx)
	}
	if err == nil {
		err = session.CommitDefinitions(ctx)
	}
	if err != nil {
		return nil, information.MapError(ctx, err)
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(int(affected)))), nil
}

// MySQL's error numbers for names of indexes.
const (
	errDuplicateKeyName = 1061
)

func noMap(t *table.Table, name string) error {
	return mysql.NewSQLError(errCantDrop, "42000", "%s has no map index '%s'", t.Def, name)
}

// putDesign defines the views of a design document, or drops them.
func putDesign(t *table.Table, ctx *sql.Context, m *mapStatement) error {
	design, err := mapindex.ParseDesign(m.text)
	if err != nil {
		return err
	}
	if design.Deleted {
		return dropMap(t, ctx, design.Name, catalog.MapDesign, false)
	}
	for _, name := range design.Reduces {
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: mysqlerr.NotSupported, Message: fmt.Sprintf(
			"The reduce function of the view %s is kept and not run: aggregates of SQL over its rows do that", name)})
	}
	again := *m
	again.replace = true
	return putMap(t, ctx, &again, design.Map)
}

// putMap defines a map, and starts the job that makes its rows.
func putMap(t *table.Table, ctx *sql.Context, m *mapStatement, def catalog.Map) error {
	if t.Def.Temporary() {
		return mysql.NewSQLError(mysqlerr.NotSupported, "42000", "Map indexes of temporary tables are not supported")
	}
	if err := information.CheckMapNames(&def); err != nil {
		return err
	}
	var wait int64
	err := session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		w, err := session.WritesOf(ctx)
		if err != nil {
			return err
		}
		before, ok := c.View().Table(t.Def.Database, t.Def.Name)
		if !ok {
			return fmt.Errorf("sqlbackend: %s: %w", t.Def, catalog.ErrNoTable)
		}
		kind := catalog.MapIndex
		if def.Design != "" {
			kind = catalog.MapDesign
		}
		if _, there := before.FindMap(def.Name, kind); there && !m.replace {
			if m.lenient {
				ctx.Session.Warn(&sql.Warning{Level: "Note", Code: errDuplicateKeyName,
					Message: fmt.Sprintf("%s has a map index '%s'", t.Def, def.Name)})
				return nil
			}
			return mysql.NewSQLError(errDuplicateKeyName, "42000", "%s has a map index '%s'", t.Def, def.Name)
		}
		opened, err := session.NewDefinition(t.Session.Backend.Catalog, before)
		if err != nil {
			return err
		}
		documents, err := documentsIfAny(w, opened)
		if err != nil {
			return err
		}
		_, err = c.AlterTable(t.Def.Database, t.Def.Name, func(after *catalog.Table) error {
			group, fresh, err := after.PutMap(def)
			if err != nil {
				return err
			}
			number := group.Number
			switch {
			case fresh && documents > 0:
				between, err := jobs.MapParts(w.Snapshot(), opened.Collection, t.Session.Backend.Jobs.Part())
				if err != nil {
					return err
				}
				builders, err := jobs.EnqueueMap(w, after, number, between,
					jobs.Progress{Of: documents, Message: "map index " + def.Name})
				if err != nil {
					return err
				}
				if group.SetBuilders(builders); group.Interactive {
					wait = number
				} else if err := opened.Collection.MapFrom(w, w.Snapshot(), number); err != nil {
					return err
				}
			case group.Building == 0 && (group.Interactive || documents == 0):
				after.MapBuilt(number)
			}
			after.DropUnusedMaps(w)
			return nil
		})
		jobs.Wake(w)
		return err
	})
	if err == nil && wait != 0 {
		table.AfterCommit(ctx, func(ctx *sql.Context) error { return awaitMap(t, ctx, wait) })
	}
	return err
}

// dropMap removes a map, and the rows that no other map needs.
func dropMap(t *table.Table, ctx *sql.Context, name string, kind catalog.MapKind, lenient bool) error {
	return session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		w, err := session.WritesOf(ctx)
		if err != nil {
			return err
		}
		before, _ := c.View().Table(t.Def.Database, t.Def.Name)
		if before == nil {
			return fmt.Errorf("sqlbackend: %s: %w", t.Def, catalog.ErrNoTable)
		}
		if _, there := before.FindMap(name, kind); !there {
			if lenient {
				ctx.Session.Warn(&sql.Warning{Level: "Note", Code: errCantDrop,
					Message: fmt.Sprintf("%s has no map index '%s'", t.Def, name)})
				return nil
			}
			return noMap(t, name)
		}
		_, err = c.AlterTable(t.Def.Database, t.Def.Name, func(after *catalog.Table) error {
			if err := after.DropMap(name, kind); err != nil {
				return err
			}
			after.DropUnusedMaps(w)
			return nil
		})
		return err
	})
}

// cleanMaps removes groups of maps that no definition needs, and counts them.
func cleanMaps(t *table.Table, ctx *sql.Context) (removed uint64, err error) {
	err = session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		w, err := session.WritesOf(ctx)
		if err != nil {
			return err
		}
		after, err := c.AlterTable(t.Def.Database, t.Def.Name, func(def *catalog.Table) error {
			removed = uint64(def.DropUnusedMaps(w))
			return nil
		})
		if err != nil {
			return err
		}
		opened, err := session.NewDefinition(t.Session.Backend.Catalog, after)
		if err != nil {
			return err
		}
		stray, err := opened.Collection.DropStrayMaps(ctx, w)
		removed += uint64(stray)
		return err
	})
	return removed, err
}

// awaitMap builds a group, together with the background. If the statement ends early, the background does the rest.
func awaitMap(t *table.Table, ctx *sql.Context, group int64) error {
	const pause = 20 * time.Millisecond // while another process works on it
	b := t.Session.Backend
	b.Awaiting.Add(1)
	defer b.Awaiting.Add(-1)
	for {
		left, err := isLeft(b, ctx, t.Def.ID, func(def *catalog.Table) bool {
			g, ok := def.GroupOf(group)
			return ok && g.Building != 0
		})
		switch {
		case err != nil || !left:
			return mysqlerr.Of(ctx, err)
		case b.Jobs.Held():
			ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1105, Message: fmt.Sprintf(
				"The map index of %s is built when %s is %s again. See %s.jobs", t.Def, VarJobs, JobsRun,
				session.SystemDatabase)})
			return nil
		}
		worked, err := b.Jobs.Advance(ctx, t.Def.ID)
		if err != nil {
			return mysqlerr.Of(ctx, err)
		}
		if worked {
			continue
		}
		select {
		case <-ctx.Done():
			return mysqlerr.Of(ctx, ctx.Err())
		case <-time.After(pause):
		}
	}
}

// CommitsBefore implements session.Committing.
func (m *mapStatement) CommitsBefore() (commits, defines bool) {
	return m.verb != "SHOW", m.verb != "SHOW"
}

var _ session.Committing = (*mapStatement)(nil)
