package session

import (
	"errors"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// diagnostics holds the errors and warnings of the last statement for SHOW ERRORS and SHOW WARNINGS.
type diagnostics struct {
	session *Session
	failure *sql.Warning // the statement's error, if it failed
	// While a command runs: the error of the command before it, and its number of warnings and errors.
	Earlier  *sql.Warning
	troubles int
	// Recalled is set when the running command reads them, and must leave them as they are. Listing is set when it is
	// the engine's SHOW WARNINGS. kept are the warnings, which the engine may forget meanwhile.
	Recalled, Listing bool
	kept              []*sql.Warning
}

// NoteFailure keeps the error of a command, as it was sent to the client, for SHOW ERRORS and SHOW WARNINGS.
func (d *diagnostics) NoteFailure(err error) {
	w := &sql.Warning{Level: "Error", Code: mysql.ERUnknownError, Message: err.Error()}
	var e *mysql.SQLError
	if errors.As(err, &e) {
		w.Code, w.Message = e.Num, e.Message
	}
	d.session.ClearWarnings() // of the earlier statement
	d.failure = w
}

// begin is called when a command begins.
func (d *diagnostics) begin() {
	d.Recalled, d.Listing = false, false
	d.kept = d.session.BaseSession.Warnings()
	d.Earlier, d.failure, d.troubles = d.failure, nil, len(d.kept)
	if d.Earlier != nil {
		d.troubles++
	}
}

// end is called when a command ends: a command that has read the warnings leaves them as they were.
func (d *diagnostics) end() {
	if !d.Recalled {
		return
	}
	d.failure = d.Earlier
	d.session.ClearWarnings()
	for _, w := range slices.Backward(d.kept) { // the latest comes first
		d.session.Warn(w)
	}
}

// GetSessionVariable implements sql.Session: error_count and warning_count are those of the last statement.
func (s *Session) GetSessionVariable(ctx *sql.Context, name string) (interface{}, error) {
	name = setting.CurrentName(name)
	switch {
	case strings.EqualFold(name, "error_count"):
		if s.Diagnostics.Earlier != nil {
			return uint64(1), nil
		}
		return uint64(0), nil
	case strings.EqualFold(name, "warning_count"):
		return uint64(s.Diagnostics.troubles), nil
	case strings.EqualFold(name, varTimestamp) && s.StoppedAt(ctx) == 0 && ctx != nil:
		return secondsOf(ctx.QueryTime()), nil
	}
	if globals()[strings.ToLower(name)] {
		if _, v, ok := sql.SystemVariables.GetGlobal(name); ok {
			return v, nil // the engine's session has the value from its beginning
		}
	}
	return s.BaseSession.GetSessionVariable(ctx, name)
}

// KeptNotes is the number of notes of a statement that are kept, MySQL's max_error_count.
const KeptNotes = 1024

// Warn implements sql.Session. It drops two of the engine's warnings that are not true here. One says that the
// collation of a database is ignored: tables take it over. The other says that an index exists already, for any two
// with equally many columns. IGNORE adds a note for each row.
func (s *Session) Warn(w *sql.Warning) {
	if w.Code == 1831 || strings.HasPrefix(w.Message, "Setting CHARACTER SET, COLLATION") {
		return
	}
	if w.Level == "Note" && s.WarningCount() >= KeptNotes {
		return
	}
	if w.Code == mysql.ERDupEntry || w.Code == mysql.ErNoReferencedRow2 || w.Code == mysql.ERRowIsReferenced2 {
		// IGNORE turns the engine's error into a warning, and calls it a note.
		w = &sql.Warning{Level: "Warning", Code: w.Code, Message: mysqlerr.OwnText(w.Code, w.Message)}
	}
	if rest, ok := strings.CutPrefix(w.Message, "Truncated incorrect double value"); ok {
		w = &sql.Warning{Level: w.Level, Code: w.Code, Message: "Truncated incorrect DOUBLE value" + rest}
	}
	if short := mysqlerr.Shortened(w.Message); short != w.Message { // as short as errors; there may be many
		w = &sql.Warning{Level: w.Level, Code: w.Code, Message: short}
	}
	s.BaseSession.Warn(w)
}

// FinishDefinition replaces the text of an error that says to try again, and came after the command had changed
// definitions. Another try would fail because of the change.
func (s *Session) FinishDefinition(err error) error {
	var e *mysql.SQLError
	if !s.Defined || !errors.As(err, &e) || e.Num != mysqlerr.LockWait && e.Num != mysql.ERLockDeadlock {
		return err
	}
	text, _, _ := strings.Cut(e.Message, "; try restarting")
	return mysql.NewSQLError(e.Num, e.State, "%s; the definitions have been changed before that", text)
}
