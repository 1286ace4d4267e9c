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

// Figures are the costs of a statement.
type Figures struct {
	tables.Work
	Bucket       store.Requests // requests to object stores
	Rows         int64          // sent to the client, or changed
	conflicts    int64
	retries      int64
	readVersions int64
	BatchRows    int64 // read by the batch executor
	Time         time.Duration
}

// workLog keeps the figures of a session's statements. They are noted when reads end, by the reads' own counts.
type workLog struct {
	last    Figures // of the statement before the running command
	Running Figures
	began   time.Time
	// Executed is set once the command runs a statement: preparing one, or one that can't be planned, leaves the
	// figures unchanged.
	Executed bool
	ended    bool // Running is of a command that has ended
	scanned  bool // it has read a whole collection
	Plan     sql.Node
	// Again is set when the running command is another attempt at the one before.
	Again   bool
	readsAt kv.Reader // the reader of the last read version
	// Places has the figures of the parts of a plan; nil where nobody needs them.
	Places   map[any]*tables.Work
	Analysis *Analysis // of the running EXPLAIN ANALYZE
}

// Note adds the cost of a read to the figures of the running statement. It also adds it to those of the part of the
// plan that caused it: the *accessPath, or the node or table where there is none. Iterators call it once, when they
// close.
func (l *workLog) Note(at any, w tables.Work) {
	l.Running.Work = l.Running.Plus(w)
	if l.Places == nil || at == nil {
		return
	}
	if sum := l.Places[at]; sum != nil {
		*sum = sum.Plus(w)
		return
	}
	l.Places[at] = &w
}

// NoteRequests adds requests to an object store to the figures of the running statement.
func (l *workLog) NoteRequests(r store.Requests) {
	l.Running.Bucket = l.Running.Bucket.Plus(r)
}

// NoteVersion counts the read versions of the running statement: one for each transaction of the store that it reads
// through.
func (l *workLog) NoteVersion(through kv.Reader) {
	if l.readsAt != through {
		l.readsAt = through
		l.Running.readVersions++
	}
}

// Spent is the cost of a statement.
type Spent struct {
	tables.Work
	Rows, Conflicts, Retries int64
}

// Spent returns the cost of the statement that has just ended; ok is false where it ran nothing.
func (l *workLog) Spent() (spent Spent, ok bool) {
	f := &l.Running
	return Spent{f.Work, f.Rows, f.conflicts, f.retries}, l.ended
}

// NoteRows adds rows that the running statement has sent or changed.
func (l *workLog) NoteRows(n int) { l.Running.Rows += int64(n) }

// begin begins a command's figures; another attempt continues its figures.
func (l *workLog) begin() {
	l.Plan = nil
	l.Executed, l.ended, l.scanned, l.Places, l.readsAt = false, false, false, nil, nil
	if l.Again {
		l.Again = false
		return
	}
	l.last, l.Running, l.began = l.Running, Figures{}, time.Now()
}

// end ends a command's figures. A command that leaves none, or has run nothing, keeps those of the statement before
// it.
func (l *workLog) end(leavesNone, conflict bool) {
	l.Places, l.readsAt = nil, nil
	if !l.Executed || leavesNone {
		l.Running = l.last
		return
	}
	l.Running.Time = time.Since(l.began)
	if conflict {
		l.Running.conflicts++
	}
	l.ended = true
}

// repeat makes the next command another attempt at the one that has ended; retried says that it counts as a retry.
func (l *workLog) repeat(retried bool) {
	l.Again = true
	if retried {
		l.Running.retries++
	}
}

// statusPrefix begins the names of the status variables that hold the figures of the session's last statement.
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
	for _, f := range s.Backend.Store.Figures() {
		if f.Name == "requests_total" && len(f.Labels) == 2 {
			name := "sqlfdb_store_" + f.Labels[1] + "s"
			all[name] = &sql.ImmutableStatusVarValue{
				Var: &sql.MySQLStatusVariable{Name: name, Scope: sql.StatusVariableScope_Global}, Val: fmt.Sprint(f.Value),
			}
		}
	}
	return all
}

// figure is one of a statement's figures in readable form.
type figure struct {
	Name, Value string
}

// Named returns the figures with their names.
func (f *Figures) Named() []figure {
	count := func(name string, n int64) figure { return figure{name, fmt.Sprint(n)} }
	figures := []figure{
		count("keys", f.Entries), count("documents", f.Documents), count("bytes", f.Bytes), count("counters", f.Counters),
		count("rows", f.Rows), count("conflicts", f.conflicts), count("retries", f.retries),
		count("read_versions", f.readVersions),
		{"seconds", fmt.Sprintf("%.6f", f.Time.Seconds())},
	}
	if f.BatchRows > 0 {
		figures = append(figures, count("batch_rows", f.BatchRows))
	}
	if f.Bucket.All() == 0 {
		return figures
	}
	return append(figures,
		count("bucket_gets", f.Bucket.Gets), count("bucket_puts", f.Bucket.Puts),
		count("bucket_deletes", f.Bucket.Deletes), count("bucket_lists", f.Bucket.Lists),
		count("bucket_bytes", f.Bucket.BytesRead+f.Bucket.BytesWritten))
}

// CounterOf returns the status variable that counts a statement.
func CounterOf(stmt ast.Statement) string {
	if injected, ok := stmt.(ast.InjectedStatement); ok {
		if control, ok := injected.Statement.(*TransactionControl); ok {
			return "Com_" + strings.ToLower(control.verb)
		}
	}
	return statement.Counter(stmt)
}

// progress is the approximate progress of a session's running command, which other sessions read. Unlike the
// command's figures, which are noted when reads end, it changes while they run.
type progress struct{ Keys, Documents atomic.Int64 }
