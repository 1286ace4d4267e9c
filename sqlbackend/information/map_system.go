package information

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/mapindex"
	"github.com/sqlfdb/sqlfdb/mapindex/sandbox"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// The tables of the system database about map indexes.
const (
	mapIndexesTable = "map_indexes"
	mapErrorsTable  = "map_errors"
)

// mapTables finds sqlfdb.map_indexes and sqlfdb.map_errors.
func (d *System) mapTables(name string) (sql.Table, bool) {
	text := func(n string) systemColumn { return systemColumn{n, types.LongText} }
	number := func(n string) systemColumn { return systemColumn{n, types.Int64} }
	switch {
	case strings.EqualFold(name, mapIndexesTable):
		return NewSystemTable(session.SystemDatabase, mapIndexesTable, d.mapIndexes, text("database"), text("table"),
			text("index"), text("view"), text("rows_in"),
			text("signature"), text("mode"), text("state"), text("sequence"), text("progress"), number("documents"),
			number("rows"), number("bytes"),
			number("errors"), text("definition")), true
	case strings.EqualFold(name, mapErrorsTable):
		return NewSystemTable(session.SystemDatabase, mapErrorsTable, d.mapErrors, text("database"), text("table"),
			text("rows_in"), text("document"), text("sequence"),
			text("error"), number("line")), true
	}
	return nil, false
}

// mapIndexes emits a row for each view.
func (d *System) mapIndexes(ctx *sql.Context, emit func(sql.Row)) error {
	s, _, all, err := jobsOf(ctx)
	if err != nil {
		return err
	}
	r, err := s.Readers.Answer()
	if err != nil {
		return err
	}
	return eachTable(ctx, func(def *session.Definition) error {
		var failure error
		companion.EachView(def.Table, func(f *companion.FoundMap) bool {
			failure = mapRow(def, r, f, all, emit)
			return failure == nil
		})
		return failure
	})
}

func mapRow(d *session.Definition, r kv.Reader, f *companion.FoundMap, all []jobs.Job, emit func(sql.Row)) error {
	g, err := d.Collection.MapGroup(f.Group.Number)
	if err != nil {
		return err
	}
	view, _ := f.Group.ViewIn(f.View)
	count, err := g.Count(r, view)
	if err != nil {
		return err
	}
	failures := int64(0)
	if err := eachMapError(d, r, g, func(_ []byte, of int64, _ mapindex.Failure) error {
		if of == view {
			failures++
		}
		return nil
	}); err != nil {
		return err
	}
	index, mode, state, sequence, progress := f.Of.Name, "background", "ready", any(nil), any(nil)
	if f.Of.Design != "" {
		index = "_design/" + index
	}
	if g.Interactive {
		if mode = "interactive"; g.Building != 0 {
			state = "building"
		}
	} else {
		upTo, err := d.Collection.MapUpTo(r, g)
		if err != nil {
			return err
		}
		last, ok, err := d.Collection.Log().Last(r)
		if err != nil {
			return err
		}
		if sequence = upTo.String(); g.Building != 0 {
			state = "building"
		} else if ok && bytes.Compare(upTo[:], last[:]) < 0 {
			state = "behind"
		}
	}
	if f.Group.Error != "" {
		state = "failed: " + f.Group.Error
	}
	building := g.Builders()
	if next := f.Of.Next; next != nil {
		state += ", another is built"
		if of, ok := d.GroupOf(next.Group); ok {
			building = of.Builders()
		}
	}
	if p, ok := table.TogetherOf(all, building); ok {
		progress = progressOf(p)
	}
	if _, err := sandbox.Compile(f.View.Function); err != nil {
		state += ", the function is refused: " + err.Error()
	}
	emit(sql.Row{d.Database, d.Name, index, f.View.Name, f.Name(), g.Signature, mode, state, sequence, progress,
		count.Documents, count.Entries, count.Bytes,
		failures, MapText(d.Table, f.Of)})
	return nil
}

// eachMapError visits the failures of a group's functions.
func eachMapError(d *session.Definition, r kv.Reader, g *mapindex.Group, visit func(pk []byte, view int64,
	f mapindex.Failure) error) error {
	it := r.Range(g.Keys.Errors(), kv.RangeOptions{})
	defer it.Close()
	for it.Next() {
		pk, view, err := g.Keys.SplitError(it.Key())
		if err != nil {
			return err
		}
		var f mapindex.Failure
		if err := json.Unmarshal(it.Value(), &f); err != nil {
			return fmt.Errorf("sqlbackend: a failure of a map index: %w", err)
		}
		if err := visit(pk, view, f); err != nil {
			return err
		}
	}
	return it.Err()
}

// mapErrors emits the failures of functions, for each view that has the function.
func (d *System) mapErrors(ctx *sql.Context, emit func(sql.Row)) error {
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	r, err := s.Readers.Answer()
	if err != nil {
		return err
	}
	return eachTable(ctx, func(def *session.Definition) error {
		names := map[[2]int64][]string{}
		companion.EachView(def.Table, func(f *companion.FoundMap) bool {
			if view, ok := f.Group.ViewIn(f.View); ok {
				at := [2]int64{f.Group.Number, view}
				names[at] = append(names[at], f.Name())
			}
			return true
		})
		for i := range def.MapGroups {
			g, err := def.Collection.MapGroup(def.MapGroups[i].Number)
			if err != nil {
				return err
			}
			if err := eachMapError(def, r, g, func(pk []byte, view int64, f mapindex.Failure) error {
				return mapErrorRows(def, ctx, r, pk, f, names[[2]int64{g.Number, view}], emit)
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

func mapErrorRows(d *session.Definition, ctx *sql.Context, r kv.Reader, pk []byte, f mapindex.Failure, names []string,
	emit func(sql.Row)) error {
	meta, _, err := d.Collection.Rev(r, pk)
	if err != nil {
		return err
	}
	key, err := d.DecodeKey(ctx, pk)
	if err != nil {
		return err
	}
	parts := make([]string, len(key))
	for i := range key {
		parts[i] = fmt.Sprint(key[i])
	}
	var line, sequence any
	if f.Line > 0 {
		line = int64(f.Line)
	}
	if !meta.Sequence.Pending() {
		sequence = meta.Sequence.String()
	}
	for _, name := range names {
		emit(sql.Row{d.Database, d.Name, name, strings.Join(parts, "-"), sequence, f.Error, line})
	}
	return nil
}

// MapText is the statement that defines a map index, or a design document.
func MapText(t *catalog.Table, m *catalog.Map) string {
	quote := func(text string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", "''").Replace(text) + "'"
	}
	if m.Design != "" {
		return "CALL sqlfdb_put_design(" + quote(sql.QuoteIdentifier(t.Name)) + ", " + quote(m.Design) + ")"
	}
	mode := "BACKGROUND"
	if m.Interactive {
		mode = "INTERACTIVE"
	}
	return fmt.Sprintf("CREATE MAP INDEX %s ON %s AS %s %s", sql.QuoteIdentifier(m.Name),
		sql.QuoteIdentifier(t.Name), quote(m.Views[0].Function), mode)
}
