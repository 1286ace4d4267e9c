package plancache

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/ddl"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// tableNow is a program's table for the running command; nil: the statement is to be planned.
func (p *tableProgram) tableNow(ctx *sql.Context, s *session.Session) (*table.Table, error) {
	if !p.selects && (!p.isCurrent(s) || ctx.GetTransaction().IsReadOnly()) {
		return nil, nil
	}
	def := p.table.Def.Table
	counts, err := s.Readers.Counts()
	if err != nil {
		return nil, err
	}
	if at := p.last.Load(); at != nil && (at.Counts == nil || at.Counts == counts) {
		s.Next.Use()
		view, err := s.Readers.Definitions()
		if err != nil {
			return nil, nil //nolint:nilerr // planning meets the error again
		}
		if now, ok := view.Table(def.Database, def.Name); !ok || now != def {
			return nil, nil
		}
		t := at.Table
		t.Session = s
		return &t, nil
	}
	found, ok, err := ddl.FindTable(ctx, def.Database, def.Name)
	t, is := found.(*table.Table)
	if err != nil || !ok || !is || !p.table.Alike(t) {
		return nil, nil //nolint:nilerr // planning meets the error again
	}
	t = t.PlacedAt(p.table.Place).(*table.Table)
	if p.assigns {
		t = t.Assigning().(*table.Table)
	}
	if rests := p.restsOnCounts(); !def.Temporary() && len(s.Warned) == 0 && (!rests || counts != nil) {
		at := &table.TableAt{Table: *t, Counts: counts}
		at.Table.Session, at.Table.Bound, at.Table.Used = nil, nil, &atomic.Pointer[table.NamedUse]{}
		if !rests {
			at.Counts = nil
		}
		p.last.Store(at)
	}
	return t, nil
}

// restsOnCounts reports whether the columns of the program's table and their types come from the counts.
func (p *tableProgram) restsOnCounts() bool {
	d := p.table.Def
	if !d.Open {
		return false
	}
	return p.names.Starred(strings.ToLower(d.Name)) ||
		slices.ContainsFunc(p.names.Columns, func(c statement.ColumnName) bool {
			return !strings.EqualFold(c.Name, session.DocumentColumn) && d.ColumnNamed(c.Name) == nil
		})
}
