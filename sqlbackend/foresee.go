package sqlbackend

import (
	"slices"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// foresee starts reading the counts that the running command's binding and planning will need, by the last
// definitions that the process knows. They arrive while the schema version is read, which shows whether the
// definitions are still current. If they aren't, the started reads are not used.
func foresee(t *session.Transaction) {
	if !ahead.Of(t.Committed).Starts() {
		return
	}
	n := t.Session.Parsed.Names()
	view := t.Backend.Catalog.Cached()
	if view == nil || n.Declared || n.Show || len(n.Sources) == 0 {
		return
	}
	version, err := t.Writes.ReadVersion()
	if err != nil {
		return // the read of the schema version reports it
	}
	r := costing.Remember(t.Committed, t.Session.Readers.CountsAt(version))
	current := t.Session.GetCurrentDatabase()
	for i, src := range n.Sources {
		if src.Database == "" {
			src.Database = current
		}
		if src.Derived || slices.ContainsFunc(n.Sources[:i],
			func(o statement.SourceName) bool { return o.Table == src.Table }) {
			continue
		}
		foreseeTable(t.Session, r, view, n, src)
	}
}

func foreseeTable(s *session.Session, r kv.Reader, view *catalog.View, n *statement.Names, src statement.SourceName) {
	isTable := func(name string) bool {
		_, there := view.Table(src.Database, name)
		return there
	}
	table, path, child := src.Table, document.Keypath(nil), false
	if !isTable(table) {
		if table, path, child = companion.SplitChildName(src.Table, isTable); !child {
			return
		}
	}
	def, ok := view.Table(src.Database, table)
	if !ok {
		return
	}
	d, err := s.Backend.Definitions.Of(def)
	if err != nil {
		return
	}
	w := n.Writes[src.Table]
	if n.Starred(src.Table) && !(w.Inserts && !n.Reads(src.Table)) && (d.Open || child) {
		d.StartListing(r)
	}
	if child {
		d.StartCountsAt(r, session.ForeseenElements(n, src.Table, path))
		return
	}
	if len(n.Sources) > 1 {
		d.Collection.Statistics(r).Start() // joins are planned by it
	}
	d.StartCounts(r, d.Foreseen(n, src.Table))
}
