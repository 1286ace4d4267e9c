package server

import (
	"errors"
	"time"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// longestAbsence is for how long the store may not answer: each attempt waits by itself, too.
const longestAbsence = 10 * time.Second

// unanswered reports whether an error means that the store does not answer.
func unanswered(err error) bool {
	var e *mysql.SQLError
	return errors.As(mysqlerr.FinishError(err), &e) && e.Num == mysqlerr.LockWait
}
