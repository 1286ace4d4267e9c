package sqlbackend

import (
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
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
	if view == nil || n.declared || n.show || len(n.sources) == 0 {
		return
	}
	version, err := t.writes.ReadVersion()
	if err != nil {
		return // the read of the schema version tells
	}
	r := costing.Remember(t.committed, t.session.known(version))
	current := t.session.GetCurrentDatabase()
	for i, src := range n.sources {
		if src.database == "" {
			src.database = current
		}
		if src.derived || slices.ContainsFunc(n.sources[:i], func(o sourceName) bool { return o.table == src.table }) {
			continue
		}
		t.session.foreseeTable(r, view, n, src)
	}
}

func (s *Session) foreseeTable(r kv.Reader, view *catalog.View, n *names, src sourceName) {
	isTable := func(name string) bool {
		_, there := view.Table(src.database, name)
		return there
	}
	table, path, child := src.table, document.Keypath(nil), false
	if !isTable(table) {
		if table, path, child = splitChildName(src.table, isTable); !child {
			return
		}
	}
	def, ok := view.Table(src.database, table)
	if !ok {
		return
	}
	d, err := s.backend.definitions.of(def)
	if err != nil {
		return
	}
	w := n.writes[src.table]
	if n.starred(src.table) && !(w.inserts && !n.reads(src.table)) && (d.Open || child) {
		d.startListing(r)
	}
	if child {
		d.startCountsAt(r, foreseenElements(n, src.table, path))
		return
	}
	if len(n.sources) > 1 {
		d.collection.Statistics(r).Start() // joins are planned by it
	}
	d.startCounts(r, d.foreseen(n, src.table))
}

// foreseen are the columns whose counts a statement wants of a table: those that its conditions may look up or its
// orders follow, and those that become columns of an open table by being named.
func (d *definition) foreseen(n *names, table string) []string {
	var out []string
	for _, c := range n.columns {
		declared, searched := d.column(c.name), c.filters || c.weak
		switch {
		case slices.Contains(out, c.name) || strings.EqualFold(c.name, documentColumn) || !n.qualifies(c, table):
		case declared != nil && (!searched || declared.declared >= 0 && d.isKey(declared.declared)):
		case declared == nil && (!d.Open || !searched && n.starred(table)):
		default:
			out = append(out, c.name)
		}
	}
	return out
}

// foreseenElements are the keypaths whose counts a statement wants of a child table: of the elements, of the arrays, and of
// the keypaths that it names.
func foreseenElements(n *names, table string, elements document.Keypath) []string {
	array := slices.Clone(elements)
	array[len(array)-1].Array = false
	out := []string{elements.String(), array.String()}
	for _, c := range n.columns {
		inner, err := columnKeypath(c.name)
		if err != nil || !n.qualifies(c, table) || !c.filters && n.starred(table) {
			continue
		}
		if path := slices.Concat(elements, inner).String(); !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}
