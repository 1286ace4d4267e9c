package plancache

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/ddl"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// Description is what a client is told of a statement that it prepares.
type Description struct {
	Parameters int
	Fields     []*querypb.Field // none: it gives no rows
}

// described is a statement that a session has prepared or run.
type described struct {
	is                 *Description
	database, settings string
	program            *tableProgram // that it ran last, in this database and with these settings
	basis              Basis         // of the description
}

// Basis is what a description rests on; zero: on what is not known.
type Basis struct {
	// program: the description holds as long as the table has the columns that it has in the program.
	program *tableProgram
	defined catalog.Mark // the definitions, of a statement about tables of declared columns alone
}

const (
	// mostDescribed is how many statements a session remembers the descriptions of; longestDescribed is how many bytes
	// their texts may have.
	mostDescribed    = 64
	longestDescribed = 4 << 10
)

// noteRan notes the program that a prepared statement has run.
func (ps *sessionPrograms) noteRan(m *newProgram, p *tableProgram) {
	if len(m.key.Text) > longestDescribed || p.why != nil {
		return
	}
	if d := ps.describing(m.key.Text, m.key.Database, m.key.Settings); d.program != p {
		*d = described{database: m.key.Database, settings: m.key.Settings, program: p}
	}
}

// describing is a statement in a database and with settings.
func (ps *sessionPrograms) describing(text, database, settings string) *described {
	d := ps.described[text]
	if d == nil {
		if ps.described == nil || len(ps.described) >= mostDescribed {
			ps.described = map[string]*described{}
		}
		d = new(described)
		ps.described[strings.Clone(text)] = d
	}
	if d.database != database || d.settings != settings {
		*d = described{database: database, settings: settings}
	}
	return d
}

// Described is the description of a statement that the session has prepared before, if it is the same now. Otherwise
// it is what the description rests on that preparing it gives now.
func (b *Cache) Described(ctx *sql.Context, query string) (is *Description, on Basis, err error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, on, err
	}
	query = sql.RemoveSpaceAndDelimiter(query, ';')
	stmt, kept := b.backend.Engine.PreparedDataCache.GetCachedStmt(s.ID(), query)
	settings, ok := planningBy(s, ctx)
	if !ok || !kept || s.Reparsed[query] || len(query) > longestDescribed {
		return nil, on, nil
	}
	d := programsOf(s).describing(query, ctx.GetCurrentDatabase(), settings)
	if d.program != nil {
		if ok, err := d.program.isAlike(ctx, s); err != nil || !ok {
			return nil, on, err
		}
		on.program = d.program
	} else {
		view, err := s.Readers.Definitions()
		if err != nil {
			return nil, on, err
		}
		if d.basis.defined == view.Mark() || declaredAlone(view, stmt, query, d.database) {
			on.defined = view.Mark()
		}
	}
	if d.is != nil && d.basis == on && on != (Basis{}) {
		return d.is, on, privilege.Authorize(s, ctx, stmt)
	}
	return nil, on, nil
}

// Remember remembers the description of a statement that the session has prepared.
func (b *Cache) Remember(s *session.Session, query string, is Description, on Basis) {
	query = sql.RemoveSpaceAndDelimiter(query, ';')
	if d := programsOf(s).described[query]; d != nil && on != (Basis{}) {
		d.is, d.basis = &is, on
	}
}

// declaredAlone reports whether a statement is about tables whose columns are all declared, and nothing else that its
// description may depend on.
func declaredAlone(view *catalog.View, stmt ast.Statement, query, database string) bool {
	if strings.ContainsAny(query, "@") || strings.Contains(strings.ToLower(query), "group_concat") {
		return false
	}
	switch stmt.(type) {
	case *ast.Select, *ast.SetOp, *ast.Insert, *ast.Update, *ast.Delete:
	default:
		return false
	}
	names := statement.CollectNames([]ast.Statement{stmt})
	if len(names.Common) > 0 {
		return false // a name may mean a common table expression in one place, a table in another
	}
	for _, source := range names.Sources {
		if source.Derived {
			continue // what it reads is among the sources
		}
		of := source.Database
		if of == "" {
			of = database
		}
		if t, ok := view.Table(of, source.Table); !ok || t.Open || t.Bucket != nil {
			return false
		}
	}
	return len(names.Sources) > 0
}

// isAlike reports whether a program's table has the columns that it has in the program. Where its statement gives no
// rows, they don't matter.
func (p *tableProgram) isAlike(ctx *sql.Context, s *session.Session) (bool, error) {
	if !p.selects {
		return p.isCurrent(s), nil
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return false, err
	}
	def := p.table.Def.Table
	if now, ok := view.Table(def.Database, def.Name); !ok || now != def {
		return false, nil
	}
	if at := p.last.Load(); at != nil {
		if at.Counts == nil {
			return true, nil
		}
		if counts, err := s.Readers.CountsNow(); err != nil || at.Counts == counts {
			return err == nil, err
		}
	}
	found, ok, err := ddl.FindTable(ctx, def.Database, def.Name)
	t, is := found.(*table.Table)
	return err == nil && ok && is && p.table.Alike(t), nil //nolint:nilerr // preparing meets the error again
}
