package sqlbackend

import (
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// foresee starts what the running command's binding and planning will read of counts, by the definitions that
// the process has known last. So those are on their way while the schema version is asked for, which tells whether the
// definitions still are as they were; if they aren't, what was started is not asked for.
func (t *Transaction) foresee() {
	if !ahead.Of(t.committed).Starts() {
		return
	}
	n := t.session.commandNames()
	view := t.backend.catalog.Cached()
	if view == nil || n.Declared || n.Show || len(n.Sources) == 0 {
		return
	}
	version, err := t.writes.ReadVersion()
	if err != nil {
		return // the read of the schema version tells
	}
	r := costing.Remember(t.committed, t.session.known(version))
	current := t.session.GetCurrentDatabase()
	for i, src := range n.Sources {
		if src.Database == "" {
			src.Database = current
		}
		if src.Derived || slices.ContainsFunc(n.Sources[:i],
			func(o statement.SourceName) bool { return o.Table == src.Table }) {
			continue
		}
		t.session.foreseeTable(r, view, n, src)
	}
}

func (s *Session) foreseeTable(r kv.Reader, view *catalog.View, n *statement.Names, src statement.SourceName) {
	isTable := func(name string) bool {
		_, there := view.Table(src.Database, name)
		return there
	}
	table, path, child := src.Table, document.Keypath(nil), false
	if !isTable(table) {
		if table, path, child = splitChildName(src.Table, isTable); !child {
			return
		}
	}
	def, ok := view.Table(src.Database, table)
	if !ok {
		return
	}
	d, err := s.backend.definitions.of(def)
	if err != nil {
		return
	}
	w := n.Writes[src.Table]
	if n.Starred(src.Table) && !(w.Inserts && !n.Reads(src.Table)) && (d.Open || child) {
		d.startListing(r)
	}
	if child {
		d.startCountsAt(r, foreseenElements(n, src.Table, path))
		return
	}
	if len(n.Sources) > 1 {
		d.collection.Statistics(r).Start() // joins are planned by it
	}
	d.startCounts(r, d.foreseen(n, src.Table))
}

// foreseen are the columns whose counts a statement wants of a table: those that its conditions may look up or its
// orders follow, and those that become columns of an open table by being named.
func (d *definition) foreseen(n *statement.Names, table string) []string {
	var out []string
	for _, c := range n.Columns {
		declared, searched := d.column(c.Name), c.Filters || c.Weak
		switch {
		case slices.Contains(out, c.Name) || strings.EqualFold(c.Name, documentColumn) || !n.Qualifies(c, table):
		case declared != nil && (!searched || declared.declared >= 0 && d.isKey(declared.declared)):
		case declared == nil && (!d.Open || !searched && n.Starred(table)):
		default:
			out = append(out, c.Name)
		}
	}
	return out
}

// foreseenElements are the keypaths whose counts a statement wants of a child table: of the elements, of the arrays,
// and of the keypaths that it names.
func foreseenElements(n *statement.Names, table string, elements document.Keypath) []string {
	array := slices.Clone(elements)
	array[len(array)-1].Array = false
	out := []string{elements.String(), array.String()}
	for _, c := range n.Columns {
		inner, err := columnKeypath(c.Name)
		if err != nil || !n.Qualifies(c, table) || !c.Filters && n.Starred(table) {
			continue
		}
		if path := slices.Concat(elements, inner).String(); !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}
