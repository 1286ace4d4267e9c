package session

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Figures are what a statement has cost.
type Figures struct {
	tables.Work
	Bucket       store.Requests // what has been asked of object stores
	Rows         int64          // sent to the client, or changed
	conflicts    int64
	retries      int64
	readVersions int64
	Time         time.Duration
}

// workLog keeps the figures of a session's statements. They are noted where
// reads end, by what the reads themselves have counted.
type workLog struct {
	last    Figures // of the statement before the running command
	Running Figures
	began   time.Time
	// executed is set once the command runs a statement: preparing one, or one
	// that can't be planned, leaves the figures as they are.
	Executed bool
	told     bool // running is of a command that has ended
	scanned  bool // it has read a whole collection
	Plan     sql.Node
	// again is set when the running command is another attempt at the one before.
	Again   bool
	readsAt kv.Reader // what the last read version was seen through
	// places are the figures of the parts of a plan; nil where nobody wants them.
	Places   map[any]*tables.Work
	Analysis *Analysis // of the EXPLAIN ANALYZE that runs
}

// NoteWork adds to the figures of the running statement what a read has cost,
// and to those of the part of the plan that caused it: the *accessPath, or the
// node or table where there is none. Iterators call it once, when they close.
func (s *Session) NoteWork(at any, w tables.Work) {
	s.Work.Running.Work = s.Work.Running.Plus(w)
	if s.Work.Places == nil || at == nil {
		return
	}
	if sum := s.Work.Places[at]; sum != nil {
		*sum = sum.Plus(w)
		return
	}
	s.Work.Places[at] = &w
}

// NoteRequests adds to the figures of the running statement what it has asked of an object store.
func (s *Session) NoteRequests(r store.Requests) {
	s.Work.Running.Bucket = s.Work.Running.Bucket.Plus(r)
}

// NoteVersion counts the read versions of the running statement: one for each
// transaction of the store that it reads through.
func (s *Session) NoteVersion(through kv.Reader) {
	if s.Work.readsAt != through {
		s.Work.readsAt = through
		s.Work.Running.readVersions++
	}
}

// Spent is what a statement has cost.
type Spent struct {
	tables.Work
	Rows, Conflicts, Retries int64
}

// Spent is what the statement that has just ended has cost; ok is false where it ran nothing.
func (s *Session) Spent() (spent Spent, ok bool) {
	f := &s.Work.Running
	return Spent{f.Work, f.Rows, f.conflicts, f.retries}, s.Work.told
}

// NoteRows adds rows that the running statement has sent or changed.
func (s *Session) NoteRows(n int) { s.Work.Running.Rows += int64(n) }

// beginWork begins a command's figures; those of another attempt go on.
func (s *Session) beginWork() {
	w := &s.Work
	w.Plan = nil
	w.Executed, w.told, w.scanned, w.Places, w.readsAt = false, false, false, nil, nil
	if w.Again {
		w.Again = false
		return
	}
	w.last, w.Running, w.began = w.Running, Figures{}, time.Now()
}

// endWork ends them. A command that asks for figures, or runs nothing, leaves
// those of the statement before it.
func (s *Session) endWork() {
	w := &s.Work
	w.Places, w.readsAt = nil, nil
	if !w.Executed || s.asksForFigures() {
		w.Running = w.last
		return
	}
	w.Running.Time = time.Since(w.began)
	if s.Conflict && !s.Outlasted && !s.turn.waited {
		w.Running.conflicts++
	}
	w.told = true
	s.warnOfWaste()
	s.warnOfContinuing()
	s.Backend.Hooks.WarnOfBatches(s)
}

// repeatWork makes the next command another attempt at the one that has ended.
func (s *Session) repeatWork() {
	s.Work.Again = true
	if !s.turn.waited {
		s.Work.Running.retries++
	}
}

// statusPrefix begins the names of the status variables that hold the figures of
// the session's last statement.
const statusPrefix = "sqlfdb_last_"

// GetAllStatusVariables implements sql.Session: the engine's status variables,
// and the figures of the statement before this one.
func (s *Session) GetAllStatusVariables(ctx *sql.Context) map[string]sql.StatusVarValue {
	all := s.BaseSession.GetAllStatusVariables(ctx)
	for _, f := range s.Work.last.Named() {
		all[statusPrefix+f.Name] = &sql.ImmutableStatusVarValue{
			Var: &sql.MySQLStatusVariable{Name: statusPrefix + f.Name, Scope: sql.StatusVariableScope_Session},
			Val: f.Value,
		}
	}
	if s.Backend.Traffic != nil {
		received, sent := s.Backend.Traffic(s.ID())
		for name, n := range map[string]uint64{"Bytes_received": received, "Bytes_sent": sent} {
			all[name] = &sql.ImmutableStatusVarValue{
				Var: &sql.MySQLStatusVariable{Name: name, Scope: sql.StatusVariableScope_Both}, Val: n,
			}
		}
	}
	kept, runs := s.Backend.CountPrograms()
	waits := s.Backend.RowWaits()
	for _, f := range []figure{{"sqlfdb_programs_kept", fmt.Sprint(kept)}, {"sqlfdb_programs_runs", fmt.Sprint(runs)},
		{"Innodb_row_lock_waits", fmt.Sprint(waits.Times)}, {"Innodb_row_lock_current_waits", fmt.Sprint(waits.Now)},
		{"Innodb_row_lock_time", fmt.Sprint(waits.All.Milliseconds())},
		{"Innodb_row_lock_time_avg", fmt.Sprint(waits.All.Milliseconds() / max(waits.Times-waits.Now, 1))},
		{"Innodb_row_lock_time_max", fmt.Sprint(waits.Most.Milliseconds())}} {
		all[f.Name] = &sql.ImmutableStatusVarValue{
			Var: &sql.MySQLStatusVariable{Name: f.Name, Scope: sql.StatusVariableScope_Global}, Val: f.Value,
		}
	}
	return all
}

// figure is one of a statement's figures as people see it.
type figure struct {
	Name, Value string
}

// Named are the figures with their names.
func (f *Figures) Named() []figure {
	count := func(name string, n int64) figure { return figure{name, fmt.Sprint(n)} }
	figures := []figure{
		count("keys", f.Entries), count("documents", f.Documents), count("bytes", f.Bytes), count("counters", f.Counters),
		count("rows", f.Rows), count("conflicts", f.conflicts), count("retries", f.retries),
		count("read_versions", f.readVersions),
		{"seconds", fmt.Sprintf("%.6f", f.Time.Seconds())},
	}
	if f.Bucket.All() == 0 {
		return figures
	}
	return append(figures,
		count("bucket_gets", f.Bucket.Gets), count("bucket_puts", f.Bucket.Puts),
		count("bucket_deletes", f.Bucket.Deletes), count("bucket_lists", f.Bucket.Lists),
		count("bucket_bytes", f.Bucket.BytesRead+f.Bucket.BytesWritten))
}

// asksForFigures reports whether the running command tells of the one before it:
// it then leaves no figures of its own.
func (s *Session) asksForFigures() bool {
	if s.Diagnostics.Recalled {
		return true
	}
	if len(s.Parsed) == 0 {
		return false
	}
	show, ok := s.Parsed[0].(*ast.Show)
	if !ok {
		return false
	}
	switch strings.ToLower(show.Type) {
	case "status", "warnings", "errors":
		return true
	}
	return false
}

// CounterOf is the status variable that counts a statement.
func CounterOf(stmt ast.Statement) string {
	if injected, ok := stmt.(ast.InjectedStatement); ok {
		if control, ok := injected.Statement.(*TransactionControl); ok {
			return "Com_" + strings.ToLower(control.verb)
		}
	}
	return statement.Counter(stmt)
}

// progress is how far a session's running command has come, about: others read it. Unlike the figures of the command,
// which are noted where reads end, it moves while they run.
type progress struct{ Keys, Documents atomic.Int64 }
