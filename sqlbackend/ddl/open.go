package ddl

import (
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// FindTable finds the table with a name in a database, wherever its documents are, or a table that comes with another
// one.
func FindTable(ctx *sql.Context, database, name string) (sql.Table, bool, error) {
	if database == "" {
		return nil, false, nil
	}
	s, err := session.Of(ctx)
	if err != nil {
		return nil, false, err
	}
	s.Next.Use()
	view, err := s.Readers.Definitions()
	if err != nil {
		return nil, false, s.SQLError(err)
	}
	def, ok := view.Table(database, name)
	if drops(s) && s.Parsed.IsTemporary() && (!ok || !def.Temporary()) {
		return nil, false, nil
	}
	if !ok {
		t, err := companion.Find(database, ctx, s, view, name)
		if err != nil {
			return nil, false, s.SQLError(err)
		}
		return t, t != nil, nil
	}
	key := strings.ToLower(database) + "\x00" + strings.ToLower(name)
	if c, ok := s.Tables[key]; ok && c.Def == def && c.Statements == len(s.Parsed.All) {
		return c.Table, true, nil
	}
	t, err := OpenAny(database, ctx, s, def)
	if errors.Is(err, tables.ErrCollator) && drops(s) {
		return information.NewSystemTable(database, def.Name, nil), true, nil
	}
	if err != nil {
		return nil, false, s.SQLError(err)
	}
	if s.Tables == nil {
		s.Tables = map[string]session.CachedTable{}
	}
	s.Tables[key] = session.CachedTable{Def: def, Statements: len(s.Parsed.All), Table: t}
	return t, true, nil
}

// OpenAny returns a table for the running command, wherever its documents are.
func OpenAny(database string, ctx *sql.Context, s *session.Session, def *catalog.Table) (sql.Table, error) {
	if def.Bucket != nil {
		return openBucket(database, ctx, s, def)
	}
	return openTable(ctx, s, def)
}

// openTable returns a table for the running command.
func openTable(ctx *sql.Context, s *session.Session, def *catalog.Table) (*table.Table, error) {
	full, err := s.Backend.Definitions.Of(def)
	if err != nil {
		return nil, err
	}
	r, err := s.Readers.Plan()
	if err != nil {
		return nil, err
	}
	if t, ok := s.GetTransaction().(*session.Transaction); ok && !t.Ended && def.Temporary() {
		if err := t.Owns(def); err != nil {
			return nil, err
		}
	}
	find := func(name string) (string, bool, error) { return table.Index(full, r, name) }
	if err := table.ResolveHints(s, ctx, full.Name, find); err != nil {
		return nil, err
	}
	sh, err := companion.TableShape(s, ctx, full, r)
	if err != nil {
		return nil, err
	}
	t, err := table.NewTable(s, full, r, sh)
	if err != nil {
		return nil, err
	}
	t.NameWritten(s)
	return t, nil
}
