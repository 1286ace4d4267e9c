package sqlbackend

import (
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
)

// NoteFailure keeps the error that a command ended with, as it was sent to the
// client, for SHOW ERRORS and SHOW WARNINGS. The next command forgets it.
func (s *Session) NoteFailure(err error) {
	w := &sql.Warning{Level: "Error", Code: mysql.ERUnknownError, Message: err.Error()}
	var e *mysql.SQLError
	if errors.As(err, &e) {
		w.Code, w.Message = e.Num, e.Message
	}
	s.ClearWarnings() // of the statement before
	s.failure = w
}

// recallFailure makes the running command one that asks for the last one's error.
func (s *Session) recallFailure() { s.failure = s.earlier }

// GetSessionVariable implements sql.Session: error_count and warning_count are of
// the last statement.
func (s *Session) GetSessionVariable(ctx *sql.Context, name string) (interface{}, error) {
	switch {
	case strings.EqualFold(name, "error_count"):
		if s.earlier != nil {
			return uint64(1), nil
		}
		return uint64(0), nil
	case strings.EqualFold(name, "warning_count"):
		return uint64(s.troubles), nil
	}
	return s.BaseSession.GetSessionVariable(ctx, name)
}
