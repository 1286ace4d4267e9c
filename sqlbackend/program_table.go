package sqlbackend

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// tableAt is a table that a program has run with. As long as what its columns are made of is the same, so are they.
type tableAt struct {
	table  Table          // without a session
	counts *costing.Known // of the version at which it was made; nil: no column rests on counts
}

// tableNow is a program's table for the running command; nil: the statement is to be planned.
func (p *tableProgram) tableNow(ctx *sql.Context, s *Session) (*Table, error) {
	if !p.selects && (!p.isCurrent(s) || ctx.GetTransaction().IsReadOnly()) {
		return nil, nil
	}
	def := p.table.def.Table
	counts, err := s.knownCounts()
	if err != nil {
		return nil, err
	}
	if at := p.last.Load(); at != nil && (at.counts == nil || at.counts == counts) {
		s.useNextAccess()
		view, err := s.definitions()
		if err != nil {
			return nil, nil //nolint:nilerr // whoever plans it meets the error
		}
		if now, ok := view.Table(def.Database, def.Name); !ok || now != def {
			return nil, nil
		}
		t := at.table
		t.session = s
		return &t, nil
	}
	d := &Database{backend: s.backend, name: def.Database}
	found, ok, err := d.GetTableInsensitive(ctx, def.Name)
	t, is := found.(*Table)
	if err != nil || !ok || !is || !p.table.alike(t) {
		return nil, nil //nolint:nilerr // whoever plans it meets the error
	}
	t = t.PlacedAt(p.table.place).(*Table)
	if p.assigns {
		t = t.Assigning().(*Table)
	}
	if rests := p.restsOnCounts(); !def.Temporary() && len(s.warned) == 0 && (!rests || counts != nil) {
		at := &tableAt{table: *t, counts: counts}
		at.table.session, at.table.bound, at.table.used = nil, nil, &atomic.Pointer[namedUse]{}
		if !rests {
			at.counts = nil
		}
		p.last.Store(at)
	}
	return t, nil
}

// restsOnCounts reports whether the counts tell which columns the program's table has, and of which types.
func (p *tableProgram) restsOnCounts() bool {
	d := p.table.def
	if !d.Open {
		return false
	}
	return p.names.Starred(strings.ToLower(d.Name)) ||
		slices.ContainsFunc(p.names.Columns, func(c statement.ColumnName) bool {
			return !strings.EqualFold(c.Name, documentColumn) && d.column(c.Name) == nil
		})
}

// alike reports whether another table of a definition has the same columns.
func (t *Table) alike(other *Table) bool {
	if t.def != other.def || len(t.columns) != len(other.columns) || other.covered != nil {
		return false
	}
	for i := range t.columns {
		a, b := &t.columns[i], &other.columns[i]
		if a.name != b.name || !a.typ.Equals(b.typ) || a.unit != b.unit || a.takes != b.takes || a.mixed != b.mixed ||
			a.unsettled != b.unsettled || a.undeclared != b.undeclared || !slices.Equal(a.keypath, b.keypath) {
			return false
		}
	}
	return true
}
