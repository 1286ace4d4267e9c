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
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/systemschema"
)

// provider is the engine's way to the databases.
type provider struct {
	backend *Backend
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
	case strings.EqualFold(name, systemDatabase):
		return p.backend.system, nil
	}
	if db, ok := p.other(name); ok {
		return db, nil
	}
	if db, err := p.backend.mysqlDatabase(ctx, name); db != nil || err != nil {
		return db, err
	}
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, err
	}
	view, err := s.definitions()
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

// AllDatabases implements sql.DatabaseProvider: those that the session's account may know of. A dump is not shown those
// that can't be restored.
func (p *provider) AllDatabases(ctx *sql.Context) []sql.Database {
	all := p.everyDatabase(ctx)
	s, err := sessionOf(ctx)
	if err != nil {
		return all
	}
	sees, err := s.sees()
	if err != nil {
		s.failure = err
		return nil
	}
	return slices.DeleteFunc(all, func(db sql.Database) bool { return sees != nil && !sees(db.Name(), "") })
}

func (p *provider) everyDatabase(ctx *sql.Context) []sql.Database {
	all := []sql.Database{p.backend.system}
	for _, name := range systemschema.Databases() {
		if db, err := p.backend.mysqlDatabase(ctx, name); db != nil && err == nil {
			all = append(all, db)
		}
	}
	s, err := sessionOf(ctx)
	if err != nil {
		return all
	}
	if s.dumping.on() {
		all = nil
	}
	all = append(all, p.others...)
	view, err := s.definitions()
	if err != nil {
		s.failure = err
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

// maxIdentifier is the longest name of a database, in characters.
const maxIdentifier = 64

// CreateDatabase implements sql.MutableDatabaseProvider.
func (p *provider) CreateDatabase(ctx *sql.Context, name string) error {
	return p.CreateCollatedDatabase(ctx, name, sql.Collation_Default)
}

// CreateCollatedDatabase implements sql.CollatedDatabaseProvider.
func (p *provider) CreateCollatedDatabase(ctx *sql.Context, name string, collation sql.CollationID) error {
	if _, other := p.other(name); other || strings.EqualFold(name, systemDatabase) {
		return sql.ErrDatabaseExists.New(name)
	}
	if db, err := p.backend.mysqlDatabase(ctx, name); db != nil || err != nil {
		return cmp.Or(err, error(sql.ErrDatabaseExists.New(name)))
	}
	if utf8.RuneCountInString(name) > maxIdentifier {
		return mysql.NewSQLError(1059, "42000", "Identifier name '%s' is too long", name)
	}
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	return changeDefinitions(ctx, func(c *catalog.Change) error {
		err := c.CreateDatabase(name, collationName(collation))
		if errors.Is(err, catalog.ErrDatabaseExists) && s.tolerated().there {
			s.Warn(&sql.Warning{Level: "Note", Code: mysql.ERDbCreateExists,
				Message: fmt.Sprintf("Can't create database %s; database exists", name)})
			return nil
		}
		return err
	})
}

// DropDatabase implements sql.MutableDatabaseProvider.
func (p *provider) DropDatabase(ctx *sql.Context, name string) error {
	if _, other := p.other(name); other || strings.EqualFold(name, systemDatabase) {
		return mysqlerr.Unsupported("database %s can't be dropped", name)
	}
	if db, err := p.backend.mysqlDatabase(ctx, name); db != nil || err != nil {
		return cmp.Or(err, mysqlerr.Unsupported("database %s can't be dropped", name))
	}
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	return changeDefinitions(ctx, func(c *catalog.Change) error {
		var names []catalog.Name
		for _, t := range c.View().Tables(name) {
			names = append(names, catalog.Name{Database: name, Name: t.Name})
		}
		if err := refuseReferenced(ctx, c.View(), names); err != nil {
			return err
		}
		err := c.DropDatabase(name)
		if errors.Is(err, catalog.ErrNoDatabase) && s.tolerated().missing {
			s.Warn(&sql.Warning{Level: "Note", Code: mysql.ERDbDropExists,
				Message: fmt.Sprintf("Can't drop database %s; database doesn't exist", name)})
			return nil
		}
		return err
	})
}

// tolerance is what a definition that is to be changed may already be like, as the statement says.
type tolerance struct {
	there    bool // IF NOT EXISTS
	missing  bool // IF EXISTS
	replaces bool // OR REPLACE
}

// tolerated is what the running command says. The engine looks whether there is something before it asks for the
// change; another session, of another server perhaps, may be faster.
func (s *Session) tolerated() tolerance {
	switch stmt := s.statement().(type) {
	case *ast.DBDDL:
		return tolerance{there: stmt.IfNotExists, missing: stmt.IfExists}
	case *ast.DDL:
		return tolerance{there: stmt.IfNotExists, missing: stmt.IfExists, replaces: stmt.OrReplace}
	}
	return tolerance{}
}

// collationName is the name under which the catalog keeps one of the engine's
// collations; empty is our default, which the engine knows as its own.
func collationName(id sql.CollationID) string {
	if id == sql.Collation_Default || id == sql.Collation_Unspecified {
		return ""
	}
	return id.Name()
}

// collationID is the engine's collation of that name.
func collationID(name string) sql.CollationID {
	if name == "" {
		return sql.Collation_Default
	}
	id, err := sql.ParseCollation("", name, false)
	if err != nil || id == sql.Collation_Unspecified {
		return sql.Collation_Default
	}
	return id
}
