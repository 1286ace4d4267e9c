package sqlbackend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/mapindex"
	"github.com/sqlfdb/sqlfdb/mapindex/sandbox"
)

// The tables of the system database about map indexes.
const (
	mapIndexesTable = "map_indexes"
	mapErrorsTable  = "map_errors"
)

// mapTables finds sqlfdb.map_indexes and sqlfdb.map_errors.
func (d *systemDB) mapTables(name string) (sql.Table, bool) {
	text := func(n string) systemColumn { return systemColumn{n, types.LongText} }
	number := func(n string) systemColumn { return systemColumn{n, types.Int64} }
	switch {
	case strings.EqualFold(name, mapIndexesTable):
		return newSystemTable(systemDatabase, mapIndexesTable, d.mapIndexes, text("database"), text("table"),
			text("index"), text("view"), text("rows_in"),
			text("signature"), text("mode"), text("state"), text("sequence"), text("progress"), number("documents"),
			number("rows"), number("bytes"),
			number("errors"), text("definition")), true
	case strings.EqualFold(name, mapErrorsTable):
		return newSystemTable(systemDatabase, mapErrorsTable, d.mapErrors, text("database"), text("table"),
			text("rows_in"), text("document"), text("sequence"),
			text("error"), number("line")), true
	}
	return nil, false
}

// mapIndexes emits a row for each view.
func (d *systemDB) mapIndexes(ctx *sql.Context, emit func(sql.Row)) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	r, err := s.answerReader()
	if err != nil {
		return err
	}
	plan, err := s.planReader()
	if err != nil {
		return err
	}
	all, err := jobs.List(plan)
	if err != nil {
		return err
	}
	return d.eachTable(ctx, func(def *definition) error {
		var failure error
		eachView(def.Table, func(f *foundMap) bool {
			failure = def.mapRow(r, f, all, emit)
			return failure == nil
		})
		return failure
	})
}

func (d *definition) mapRow(r kv.Reader, f *foundMap, all []jobs.Job, emit func(sql.Row)) error {
	g, err := d.collection.MapGroup(f.group.Number)
	if err != nil {
		return err
	}
	view, _ := f.group.ViewIn(f.view)
	count, err := g.Count(r, view)
	if err != nil {
		return err
	}
	failures := int64(0)
	if err := d.eachMapError(r, g, func(_ []byte, of int64, _ mapindex.Failure) error {
		if of == view {
			failures++
		}
		return nil
	}); err != nil {
		return err
	}
	index, mode, state, sequence, progress := f.of.Name, "background", "ready", any(nil), any(nil)
	if f.of.Design != "" {
		index = "_design/" + index
	}
	if g.Interactive {
		if mode = "interactive"; g.Building != 0 {
			state = "building"
		}
	} else {
		upTo, err := d.collection.MapUpTo(r, g)
		if err != nil {
			return err
		}
		last, ok, err := d.collection.Log().Last(r)
		if err != nil {
			return err
		}
		if sequence = upTo.String(); g.Building != 0 {
			state = "building"
		} else if ok && bytes.Compare(upTo[:], last[:]) < 0 {
			state = "behind"
		}
	}
	if f.group.Error != "" {
		state = "failed: " + f.group.Error
	}
	building := g.Builders()
	if next := f.of.Next; next != nil {
		state += ", another is built"
		if of, ok := d.GroupOf(next.Group); ok {
			building = of.Builders()
		}
	}
	if p, ok := togetherOf(all, building); ok {
		progress = progressOf(p)
	}
	if _, err := sandbox.Compile(f.view.Function); err != nil {
		state += ", the function is refused: " + err.Error()
	}
	emit(sql.Row{d.Database, d.Name, index, f.view.Name, f.name(), g.Signature, mode, state, sequence, progress,
		count.Documents, count.Entries, count.Bytes,
		failures, mapText(d.Table, f.of)})
	return nil
}

// togetherOf is the progress of jobs that build one group.
func togetherOf(all []jobs.Job, building []int64) (p jobs.Progress, ok bool) {
	for i := range all {
		if slices.Contains(building, all[i].ID) {
			of := all[i].Progress
			p.Done, p.Of, p.Failed, ok = p.Done+of.Done, p.Of+of.Of, p.Failed+of.Failed, true
			p.Message = of.Message
		}
	}
	return p, ok
}

// eachMapError visits what the functions of a group have failed with.
func (d *definition) eachMapError(r kv.Reader, g *mapindex.Group, visit func(pk []byte, view int64,
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

// mapErrors emits what functions have failed with, for each view that has the function.
func (d *systemDB) mapErrors(ctx *sql.Context, emit func(sql.Row)) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	r, err := s.answerReader()
	if err != nil {
		return err
	}
	return d.eachTable(ctx, func(def *definition) error {
		names := map[[2]int64][]string{}
		eachView(def.Table, func(f *foundMap) bool {
			if view, ok := f.group.ViewIn(f.view); ok {
				at := [2]int64{f.group.Number, view}
				names[at] = append(names[at], f.name())
			}
			return true
		})
		for i := range def.MapGroups {
			g, err := def.collection.MapGroup(def.MapGroups[i].Number)
			if err != nil {
				return err
			}
			if err := def.eachMapError(r, g, func(pk []byte, view int64, f mapindex.Failure) error {
				return def.mapErrorRows(ctx, r, pk, f, names[[2]int64{g.Number, view}], emit)
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *definition) mapErrorRows(ctx *sql.Context, r kv.Reader, pk []byte, f mapindex.Failure, names []string,
	emit func(sql.Row)) error {
	meta, _, err := d.collection.Rev(r, pk)
	if err != nil {
		return err
	}
	key, err := d.decodeKey(ctx, pk)
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

// mapNames are the tables of a table's map indexes.
func mapNames(def *catalog.Table) (names []string) {
	eachView(def, func(f *foundMap) bool {
		names = append(names, f.name())
		return true
	})
	return names
}
