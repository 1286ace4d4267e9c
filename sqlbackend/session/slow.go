package session

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
)

// A statement gets a warning if it has read at least manyKeys, index keys and documents together, and more than
// wastefulRatio for each returned row. A thousand documents take some milliseconds, as long as dozens of statements
// that read only the documents they return. A hundred keys a row are far more than the filter of a well chosen range
// removes.
const (
	manyKeys      = 1_000
	wastefulRatio = 100
)

// warnOfWaste warns of a statement that has read much more than it returned. A statement that folds rows into few, by
// an aggregate or DISTINCT, has to read them.
func (s *Session) warnOfWaste() {
	f := &s.Work.Running
	read := f.Entries + f.Documents
	if read < manyKeys || read <= wastefulRatio*max(f.Rows, 1) || s.Parsed.folds() {
		return
	}
	s.Warn(&sql.Warning{Level: "Warning", Code: mysql.ERUnknownError, Message: "The statement read " + Grouped(f.Entries) +
		" index keys and " + Grouped(f.Documents) + " documents for " + Grouped(f.Rows) + " rows; EXPLAIN shows why"})
}

// SlowStatement returns the figures of the command that has just ended, alternating names and values, if it belongs
// in the log of slow statements. MySQL's variables long_query_time, min_examined_row_limit and
// log_queries_not_using_indexes decide that.
func (s *Session) SlowStatement() (figures []string, slow bool) {
	w := &s.Work
	if !w.ended {
		return nil, false
	}
	f := &w.Running
	seconds, _ := numberOf(s.BaseSession, "long_query_time")
	if f.Time.Seconds() <= seconds && !(w.scanned && logsScans()) {
		return nil, false
	}
	if least, ok := numberOf(s.BaseSession, "min_examined_row_limit"); ok && float64(f.Entries+f.Documents) < least {
		return nil, false
	}
	sql.StatusVariables.IncrementGlobal("Slow_queries", 1)
	s.IncrementStatusVariable(nil, "Slow_queries", 1)
	_, on, ok := sql.SystemVariables.GetGlobal("slow_query_log")
	if is, err := sql.ConvertToBool(nil, on); !ok || err != nil || !is {
		return nil, false
	}
	for _, f := range f.Named() {
		figures = append(figures, f.Name, f.Value)
	}
	return figures, true
}

// logsScans reads log_queries_not_using_indexes.
func logsScans() bool {
	_, on, ok := sql.SystemVariables.GetGlobal("log_queries_not_using_indexes")
	is, err := sql.ConvertToBool(nil, on)
	return ok && err == nil && is
}

// numberOf reads a session variable that is a number.
func numberOf(s *sql.BaseSession, name string) (float64, bool) {
	v, err := s.GetSessionVariable(nil, name)
	if err != nil {
		return 0, false
	}
	switch n := v.(type) {
	case float64:
		return n, true
	case uint64:
		return float64(n), true
	}
	return 0, false
}
