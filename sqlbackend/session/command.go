package session

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// Command describes a command that the protocol handler begins.
type Command struct {
	Query string
	Began time.Time // of the first attempt
	// Context ends with the command, and when it is killed.
	Context context.Context
	// Interrupt ends the command when its time is over. It may be called after the command has ended.
	Interrupt func()
}

// Announce sets the command that runs next. If the engine has already parsed its statement, as a prepared one, it
// does not parse it again.
func (s *Session) Announce(c Command) {
	s.announcing = true
	s.Command = c
	text := sql.RemoveSpaceAndDelimiter(c.Query, ';')
	if s.Reparsed[text] {
		delete(s.Reparsed, text)
		s.Backend.Engine.PreparedDataCache.UncacheStmt(s.ID(), text)
		return
	}
	stmt, ok := s.Backend.Engine.PreparedDataCache.GetCachedStmt(s.ID(), text)
	if ok {
		s.Parsed.announced = []ast.Statement{stmt}
	}
}

// Released reports whether the last command ends its connection.
func (s *Session) Released() bool { return s.released }

// limitTime ends the running command after max_execution_time, or after the time in the statement's hint /*+
// MAX_EXECUTION_TIME(n) */. As in MySQL this applies to SELECT alone.
func (s *Session) limitTime(stmt ast.Statement) {
	if _, ok := stmt.(ast.SelectStatement); !ok || s.Command.Interrupt == nil {
		return
	}
	limit, ok := executionTime(stmt)
	if !ok {
		v, err := s.BaseSession.GetSessionVariable(nil, "max_execution_time")
		if err != nil {
			return
		}
		limit, _ = v.(int64)
	}
	if limit <= 0 {
		return
	}
	limit = min(limit, math.MaxUint32) // MySQL's greatest value: 49 days
	s.Timer = time.AfterFunc(time.Until(s.Command.Began.Add(time.Duration(limit)*time.Millisecond)), s.Command.Interrupt)
}

// executionTime returns the hint MAX_EXECUTION_TIME of a statement, in milliseconds.
func executionTime(stmt ast.Statement) (ms int64, ok bool) {
	for {
		switch n := stmt.(type) {
		case *ast.ParenSelect:
			stmt = n.Select
			continue
		case *ast.SetOp:
			stmt = n.Left
			continue
		case *ast.Select:
			for _, c := range n.Comments {
				text, hint := strings.CutPrefix(string(c), "/*+")
				if !hint {
					continue
				}
				tokens := statement.Tokenize(strings.TrimSuffix(text, "*/"))
				for i := 0; i+2 < len(tokens); i++ {
					if tokens[i].Is(text, "MAX_EXECUTION_TIME") && tokens[i+1].Is(text, "(") {
						n := tokens[i+2]
						ms, err := strconv.ParseInt(text[n.Start:n.End], 10, 64)
						return ms, err == nil
					}
				}
			}
		}
		return 0, false
	}
}

// Kill says what KILL ends: a query or a connection.
type Kill uint8

// CommandBegin implements sql.LifecycleAwareSession.
func (s *Session) CommandBegin() error {
	s.Readers.Close()
	s.Diagnostics.begin()
	s.Work.begin()
	s.Progress.Keys.Store(0)
	s.Progress.Documents.Store(0)
	s.Parsed.begin()
	s.Warned, s.assigned, s.ReadsMaps = nil, nil, false
	s.Looked, s.Building, s.Impatient = false, false, false
	s.variables = nil
	s.Completes, s.announcing = s.announcing, false
	s.Planning.begin()
	s.ProgramText = ""
	if p, ok := s.Programs.(interface{ Begin() }); ok {
		p.Begin()
	}
	s.Tables = nil
	s.Held.Begin()
	s.undo = nil
	s.Failed = nil
	s.Conflict, s.Outlasted, s.continued, s.Oversized = false, false, false, false
	s.Turn.waited = false
	if s.Resumable = nil; s.Batch != nil {
		s.Batch.Begin()
	}
	s.Insertion = Insertion{}
	s.Added.Forget()
	if s.Load != nil {
		s.Load.rewind()
	}
	s.Replaced, s.Taken, s.Rekeyed = 0, nil, 0
	s.Own.before = s.Own.Now
	s.Defined, s.Rewrote = false, false
	s.Numbers.Begin()
	s.released = false
	s.OfView, s.Views = "", 0
	s.usedBefore = s.GetCurrentDatabase()
	if t, ok := s.GetTransaction().(*Transaction); ok {
		t.beginCommand()
		t.refresh()
	}
	s.outside = s.GetTransaction() == nil && !s.GetIgnoreAutoCommit()
	s.Repeatable = s.outside && s.autocommit()
	if len(s.Parsed.All) > 0 {
		if err := s.Backend.Hooks.AwaitPrepared(s); err != nil {
			return err
		}
		return s.BeginStatement(s.Parsed.All[0], "")
	}
	return nil
}

// CommandEnd implements sql.LifecycleAwareSession. A transaction that the client did not begin ends with its command,
// however the engine left it.
func (s *Session) CommandEnd() {
	defer s.Own.clear()
	s.Held.Leave()
	if s.Timer != nil {
		s.Timer.Stop()
		s.Timer = nil
	}
	s.regexps.End()
	s.Work.end(s.Diagnostics.Recalled || s.Parsed.asksForFigures(), s.Conflict && !s.Outlasted && !s.Turn.waited)
	if s.Work.ended {
		s.warnOfWaste()
		s.warnOfContinuing()
		s.Backend.Hooks.WarnOfBatches(s)
	}
	s.Diagnostics.end()
	s.Readers.Close()
	if s.preparedIn != nil {
		s.SetTransaction(s.preparedIn)
		s.preparedIn = nil
	}
	s.cancelLeft()
	s.endChange()
	tx, ok := s.GetTransaction().(*Transaction)
	if !ok {
		return
	}
	// After a conflict the transaction can't commit any more; as in MySQL it is rolled back as a whole, and the
	// client begins again. A transaction that has read nothing ends too.
	if tx.over() || s.Conflict || !s.GetIgnoreAutoCommit() &&
		(s.autocommit() || !tx.begun() || s.outside && s.Parsed.readsNoTable()) {
		s.abandon(tx)
		return
	}
	tx.closeStatements()
	tx.locked = tx.locked || locks(s.Parsed.Statement())
}

// abandon rolls a transaction back and leaves the session without one.
func (s *Session) abandon(tx *Transaction) {
	tx.cancel()
	s.SetTransaction(nil)
	s.SetIgnoreAutoCommit(false)
}
