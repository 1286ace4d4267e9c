package plancache

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"github.com/sqlfdb/sqlfdb/sqlbackend/ddl"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// Description is what a client is told of a statement that it prepares.
type Description struct {
	Parameters int
	Fields     []*querypb.Field // none: it gives no rows
}

// described is a statement that a session has prepared. Its description holds as long as the table has the columns
// that it has in the program.
type described struct {
	is                 *Description
	database, settings string
	program            *tableProgram // that it ran last, in this database and with these settings
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
	d := ps.described[m.key.Text]
	if d == nil {
		if ps.described == nil || len(ps.described) >= mostDescribed {
			ps.described = map[string]*described{}
		}
		d = new(described)
		ps.described[strings.Clone(m.key.Text)] = d
	}
	if d.program != p || d.database != m.key.Database || d.settings != m.key.Settings {
		*d = described{database: m.key.Database, settings: m.key.Settings, program: p}
	}
}

// Described is the description of a statement that the session has prepared before, if it is the same now. Otherwise
// note, unless nil, takes the one that preparing it gives.
func (b *Cache) Described(ctx *sql.Context, query string) (is *Description, note func(Description), err error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, nil, err
	}
	query = sql.RemoveSpaceAndDelimiter(query, ';')
	d := programsOf(s).described[query]
	if d == nil || d.database != ctx.GetCurrentDatabase() || s.Reparsed[query] {
		return nil, nil, nil
	}
	stmt, kept := b.backend.Engine.PreparedDataCache.GetCachedStmt(s.ID(), query)
	if settings, ok := planningBy(s, ctx); !ok || !kept || d.settings != settings {
		return nil, nil, nil
	}
	ok, err := d.program.isAlike(ctx, s)
	switch {
	case err != nil || !ok:
		return nil, nil, err
	case d.is != nil:
		return d.is, nil, privilege.Authorize(s, ctx, stmt)
	}
	return nil, func(is Description) { d.is = &is }, nil
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
