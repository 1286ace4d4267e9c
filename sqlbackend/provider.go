package sqlbackend

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/ddl"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/systemschema"
)

// provider is the engine's way to the databases.
type provider struct {
	backend *session.Instance
	system  *information.System
	others  []sql.Database
}

// other is a database that is not the store's.
func (p *provider) other(name string) (sql.Database, bool) {
	for _, db := range p.others {
		if strings.EqualFold(db.Name(), name) {
			return db, true
		}
	}
	return nil, false
}

var (
	_ sql.DatabaseProvider         = (*provider)(nil)
	_ sql.MutableDatabaseProvider  = (*provider)(nil)
	_ sql.CollatedDatabaseProvider = (*provider)(nil)
)

// Database implements sql.DatabaseProvider.
func (p *provider) Database(ctx *sql.Context, name string) (sql.Database, error) {
	switch {
	case name == "":
		// The engine looks a DELETE's table up in the current database even
		// when there is none.
		return &Database{backend: p.backend}, nil
	case strings.EqualFold(name, session.SystemDatabase):
		return p.system, nil
	}
	if db, ok := p.other(name); ok {
		return db, nil
	}
	if db, err := information.FindMysqlDatabase(p.backend, ctx, name); db != nil || err != nil {
		return db, err
	}
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return nil, s.SQLError(err)
	}
	proper, coll, ok := view.Database(name)
	if !ok {
		return nil, sql.ErrDatabaseNotFound.New(name)
	}
	return &Database{backend: p.backend, name: proper, collation: coll}, nil
}

// HasDatabase implements sql.DatabaseProvider.
func (p *provider) HasDatabase(ctx *sql.Context, name string) bool {
	if name == "" {
		return false
	}
	_, err := p.Database(ctx, name)
	return err == nil
}

// AllDatabases implements sql.DatabaseProvider: the databases that the session's account may know of. A dump does not
// see databases that can't be restored.
func (p *provider) AllDatabases(ctx *sql.Context) []sql.Database {
	all := p.everyDatabase(ctx)
	s, err := session.Of(ctx)
	if err != nil {
		return all
	}
	sees, err := privilege.Sees(s)
	if err != nil {
		s.Failed = err
		return nil
	}
	return slices.DeleteFunc(all, func(db sql.Database) bool { return sees != nil && !sees(db.Name(), "") })
}

func (p *provider) everyDatabase(ctx *sql.Context) []sql.Database {
	all := []sql.Database{p.system}
	for _, name := range systemschema.Databases() {
		if db, err := information.FindMysqlDatabase(p.backend, ctx, name); db != nil && err == nil {
			all = append(all, db)
		}
	}
	s, err := session.Of(ctx)
	if err != nil {
		return all
	}
	if s.Dumping.On() {
		all = nil
	}
	all = append(all, p.others...)
	view, err := s.Readers.Definitions()
	if err != nil {
		s.Failed = err
		return all
	}
	for _, name := range view.Databases() {
		proper, coll, ok := view.Database(name)
		if ok {
			all = append(all, &Database{backend: p.backend, name: proper, collation: coll})
		}
	}
	return all
}

// CreateDatabase implements sql.MutableDatabaseProvider.
func (p *provider) CreateDatabase(ctx *sql.Context, name string) error {
	return p.CreateCollatedDatabase(ctx, name, sql.Collation_Default)
}

// CreateCollatedDatabase implements sql.CollatedDatabaseProvider.
func (p *provider) CreateCollatedDatabase(ctx *sql.Context, name string, collation sql.CollationID) error {
	if _, other := p.other(name); other || strings.EqualFold(name, session.SystemDatabase) {
		return sql.ErrDatabaseExists.New(name)
	}
	if db, err := information.FindMysqlDatabase(p.backend, ctx, name); db != nil || err != nil {
		return cmp.Or(err, error(sql.ErrDatabaseExists.New(name)))
	}
	if utf8.RuneCountInString(name) > session.MaxIdentifier {
		return mysql.NewSQLError(1059, "42000", "Identifier name '%s' is too long", name)
	}
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	return session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		err := c.CreateDatabase(name, session.CollationName(collation))
		if errors.Is(err, catalog.ErrDatabaseExists) && ddl.Tolerated(s).There {
			s.Warn(&sql.Warning{Level: "Note", Code: mysql.ERDbCreateExists,
				Message: fmt.Sprintf("Can't create database %s; database exists", name)})
			return nil
		}
		return err
	})
}

// DropDatabase implements sql.MutableDatabaseProvider.
func (p *provider) DropDatabase(ctx *sql.Context, name string) error {
	if _, other := p.other(name); other || strings.EqualFold(name, session.SystemDatabase) {
		return mysqlerr.Unsupported("database %s can't be dropped", name)
	}
	if db, err := information.FindMysqlDatabase(p.backend, ctx, name); db != nil || err != nil {
		return cmp.Or(err, mysqlerr.Unsupported("database %s can't be dropped", name))
	}
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	var dropped []*catalog.Table
	err = session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		var names []catalog.Name
		dropped = c.View().Tables(name)
		for _, t := range dropped {
			names = append(names, catalog.Name{Database: name, Name: t.Name})
		}
		if err := ddl.RefuseReferenced(ctx, c.View(), names); err != nil {
			return err
		}
		err := c.DropDatabase(name)
		if errors.Is(err, catalog.ErrNoDatabase) && ddl.Tolerated(s).Missing {
			s.Warn(&sql.Warning{Level: "Note", Code: mysql.ERDbDropExists,
				Message: fmt.Sprintf("Can't drop database %s; database doesn't exist", name)})
			return nil
		}
		return err
	})
	if err == nil {
		ddl.NoteLeft(s, dropped)
	}
	return err
}
