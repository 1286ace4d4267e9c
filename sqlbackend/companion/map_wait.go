package companion

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Values of VarMapUpdate. SET … = FALSE sets the first.
const (
	MapFalse = "false"
	MapLazy  = "lazy"
)

// MapUpdateType is the type of VarMapUpdate. It accepts FALSE as the word.
type MapUpdateType struct{ sql.SystemVariableType }

// Convert implements sql.Type.
func (t MapUpdateType) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	if on, ok := v.(bool); ok && !on {
		v = MapFalse
	}
	return t.SystemVariableType.Convert(ctx, v)
}

// VarMapWait is how many seconds a statement waits for a map index that is being built, or is behind the changes.
const VarMapWait = "sqlfdb_map_wait"

// DefaultMapWait is VarMapWait's default, in seconds.
const DefaultMapWait = 30

// mapPatience returns the session's VarMapWait.
func mapPatience(s *session.Session) time.Duration {
	n := int64(DefaultMapWait)
	if v, err := s.GetSessionVariable(nil, VarMapWait); err == nil {
		n, _ = v.(int64)
	}
	return time.Duration(n) * time.Second
}

// VarMapBatch is how many changes a background step of a map index handles.
const VarMapBatch = "sqlfdb_map_batch"

// MapBatchVariable returns the system variable VarMapBatch, shared by all servers of the process.
func MapBatchVariable() sql.SystemVariable {
	return &sql.MysqlSystemVariable{
		Name:    VarMapBatch,
		Scope:   sql.GetMysqlScope(sql.SystemVariableScope_Global),
		Dynamic: true,
		Type:    types.NewSystemIntType(VarMapBatch, 1, 10_000, false),
		Default: int64(tables.MapBatch),
	}
}

// MapBatch returns the value of VarMapBatch.
func MapBatch() int {
	if _, v, ok := sql.SystemVariables.GetGlobal(VarMapBatch); ok {
		if n, ok := v.(int64); ok {
			return int(n)
		}
	}
	return tables.MapBatch
}

// AwaitMaps brings the map indexes that a statement reads up to date, as VarMapUpdate says, and waits for map
// indexes that are being built. It runs before the statement's version is chosen; a transaction that has read has
// its version already.
func AwaitMaps(s *session.Session, ctx context.Context, stmt ast.Statement) error {
	if t, ok := s.GetTransaction().(*session.Transaction); ok && !t.Ended && t.Writes != nil {
		return nil
	}
	if known := s.Backend.Catalog.Cached(); known != nil && !s.Backend.Maps.Any(known) {
		return nil
	}
	mode := setting.OfSession(s, table.VarMapUpdate)
	var names []catalog.Name
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if t, ok := n.(ast.TableName); ok && !t.IsEmpty() {
			name := catalog.Name{Database: t.DbQualifier.String(), Name: t.Name.String()}
			if name.Database == "" {
				name.Database = s.GetCurrentDatabase()
			}
			names = append(names, name)
		}
		return true, nil
	}, stmt)
	if len(names) == 0 || strings.EqualFold(names[0].Name, "dual") {
		return nil
	}
	if !mayBeMaps(s, names) {
		return nil
	}
	s.Looked, s.Unlooked = true, false
	waiting, stop := context.WithTimeout(ctx, mapPatience(s))
	defer stop()
	for {
		next, err := findLateMap(s, waiting, names, mode == table.MapWait)
		if err != nil || next == nil {
			return awaited(s, ctx, waiting, err)
		}
		if err := bringOn(s, waiting, next); err != nil {
			return awaited(s, ctx, waiting, err)
		}
		if !next.rows.Interactive && next.rows.Building == 0 {
			names = deleteName(names, next) // it has all changes up to the statement's start
		}
	}
}

// AwaitPrepared is AwaitMaps for a statement that is parsed before its command begins.
func AwaitPrepared(s *session.Session) error {
	ctx := s.Command.Context
	if ctx == nil {
		ctx = s.Backend.Closing
	}
	waits, stop, why := s.Backend.Waiting(ctx)
	defer stop()
	return why(AwaitMaps(s, waits, s.Parsed.All[0]))
}

// mayBeMaps reports, without reading, whether some of the names may lead to map indexes: directly, or through views
// that the process knows.
func mayBeMaps(s *session.Session, names []catalog.Name) bool {
	known := s.Backend.Catalog.Cached()
	for _, n := range names {
		if known == nil {
			return true
		}
		if v, ok := known.View(n.Database, n.Name); ok && strings.Contains(v.TextDefinition, childSeparator) {
			return true
		}
		if _, ok := findMap(known, n.Database, n.Name); ok {
			return true
		}
	}
	return false
}

func deleteName(names []catalog.Name, f *lateMap) []catalog.Name {
	out := names[:0]
	for _, n := range names {
		if !strings.EqualFold(n.Name, f.FoundMap.Name()) || !strings.EqualFold(n.Database, f.def.Database) {
			out = append(out, n)
		}
	}
	return out
}

// awaited returns the error of a wait. A timeout is no error here: the reader of the map index reports it.
func awaited(s *session.Session, ctx, waiting context.Context, err error) error {
	if s.Impatient = err != nil && ctx.Err() == nil && waiting.Err() != nil; err == nil || s.Impatient {
		return nil
	}
	return s.SQLError(err)
}

// lateMap is a map index that a statement waits for.
type lateMap struct {
	*FoundMap
	rows *catalog.MapGroup
	upTo []byte // the sequence up to which it must have the changes
}

// findLateMap finds a map index among the names, or their views' tables, that is being built, or is behind the
// changes.
func findLateMap(s *session.Session, ctx context.Context, names []catalog.Name, follow bool) (late *lateMap,
	err error) {
	tx, err := s.Backend.Store.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		return nil, err
	}
	defer tx.Cancel()
	r := tx.Snapshot()
	view, err := s.Backend.Catalog.View(r)
	if err != nil {
		return nil, err
	}
	seen := map[catalog.Name]bool{}
	var look func(names []catalog.Name) error
	look = func(names []catalog.Name) error {
		for _, n := range names {
			if seen[n] || late != nil {
				continue
			}
			seen[n] = true
			if v, ok := view.View(n.Database, n.Name); ok {
				if strings.Contains(v.TextDefinition, childSeparator) {
					if err := look(namesIn(v)); err != nil {
						return err
					}
				}
				continue
			}
			if !strings.Contains(n.Name, childSeparator) {
				continue
			}
			found, ok := findMap(view, n.Database, n.Name)
			if !ok {
				continue
			}
			l := &lateMap{FoundMap: found, rows: found.Group}
			if !l.rows.Interactive && !follow {
				continue
			}
			if l.rows.Building != 0 {
				if l.rows.Error == "" && !s.Backend.Jobs.Held() {
					late = l
				}
				continue
			}
			if l.rows.Interactive {
				continue
			}
			c, err := s.Backend.OpenCollection(found.def)
			if err != nil {
				return err
			}
			g, err := c.MapGroup(l.rows.Number)
			if err != nil {
				return err
			}
			upTo, err := c.MapUpTo(r, g)
			if err != nil {
				return err
			}
			last, ok, err := c.Log().Last(r)
			if err != nil {
				return err
			}
			if ok && bytes.Compare(upTo[:], last[:]) < 0 {
				l.upTo = last[:]
				late = l
			}
		}
		return nil
	}
	return late, look(names)
}

// namesIn returns the tables that a view names.
func namesIn(v catalog.SQLView) (names []catalog.Name) {
	stmt, err := ast.Parse(v.TextDefinition)
	if err != nil {
		return nil
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if t, ok := n.(ast.TableName); ok && !t.IsEmpty() {
			name := catalog.Name{Database: t.DbQualifier.String(), Name: t.Name.String()}
			if name.Database == "" {
				name.Database = v.Database
			}
			names = append(names, name)
		}
		return true, nil
	}, stmt)
	return names
}

// shortPause is how long a wait pauses while another worker handles the map index.
const shortPause = 5 * time.Millisecond

// bringOn builds a map index, or handles the changes that it lacks, together with others that do the same.
func bringOn(s *session.Session, ctx context.Context, l *lateMap) error {
	b := s.Backend
	b.Awaiting.Add(1)
	defer b.Awaiting.Add(-1)
	if l.rows.Interactive || l.rows.Building != 0 {
		worked, err := b.Jobs.Advance(ctx, l.def.ID)
		if err == nil && !worked {
			err = sleepFor(ctx, 4*shortPause)
		}
		return err
	}
	for {
		out, err := jobs.FollowMap(ctx, b.Catalog, b.OpenCollection, l.def.ID, l.rows.Number, MapBatch())
		switch {
		case errors.Is(err, catalog.ErrNoMap):
			return nil
		case kv.Retryable(err):
			if err := sleepFor(ctx, shortPause); err != nil {
				return err
			}
		case err != nil:
			return err
		}
		if err == nil && (out.Building || out.Done || string(out.UpTo[:]) >= string(l.upTo)) {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// FinishMaps handles the changes that a table's map indexes lack. building reports whether one must be built first.
func FinishMaps(s *session.Session, ctx *sql.Context, database, table string) (building bool, err error) {
	view, err := s.Readers.Definitions()
	if err != nil {
		return false, err
	}
	def, ok := view.Table(database, table)
	if !ok {
		return false, nil
	}
	for i := range def.MapGroups {
		g := &def.MapGroups[i]
		for done := g.Interactive || g.Error != ""; !done; {
			out, err := jobs.FollowMap(ctx, s.Backend.Catalog, s.Backend.OpenCollection, def.ID, g.Number, MapBatch())
			if done = out.Done || errors.Is(err, catalog.ErrNoMap); err != nil && !done && !kv.Retryable(err) {
				return false, err
			}
			if err == nil && out.Building {
				return true, nil
			}
			if !done && out.Changes == 0 {
				if err := sleepFor(ctx, shortPause); err != nil {
					return false, err
				}
			}
			if err := ctx.Err(); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

func sleepFor(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
