package buckettable

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// Numbers of MySQL's errors about data in other places.
const (
	errAddress     = 1432 // the data source's address can't be read
	errUnreachable = 1429 // it can't be reached
	errSource      = 1430 // it has failed
	errReadOnly    = 1036 // the table is read only
)

// numbers are MySQL's for failures of a bucket; the first that matches counts.
var numbers = []struct {
	is     error
	number int
	state  string
}{
	{store.ErrAddress, errAddress, "HY000"},
	{store.ErrUnconditional, errReadOnly, "HY000"},
	{collection.ErrEntryFull, mysqlerr.TransactionTooLarge, "HY000"},
	{collection.ErrTooLarge, mysqlerr.TransactionTooLarge, "HY000"},
	{collection.ErrBusy, mysqlerr.LockWait, "HY000"},
	{collection.ErrUnfinished, errSource, "HY000"},
	{layout.ErrName, mysqlerr.DataTooLong, "22001"},
	{layout.ErrDefinition, mysqlerr.NotSupported, "42000"},
	{store.ErrRefused, errUnreachable, "HY000"},
	{store.ErrNotFound, errUnreachable, "HY000"},
}

// Error makes MySQL's error of a bucket's failure.
func Error(ctx *sql.Context, err error) error {
	if err == nil || isEnd(err) {
		return err
	}
	var done *mysql.SQLError
	if errors.As(err, &done) || sql.ErrUniqueKeyViolation.Is(err) || sql.ErrTableNotFound.Is(err) {
		return mysqlerr.Of(ctx, err)
	}
	if cause := ctx.Err(); cause != nil { // the errors of the requests that it ended don't matter
		return mysqlerr.Of(ctx, cause)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return mysql.NewSQLError(errSource, "HY000", "The bucket did not answer in time: %s", err)
	}
	if errors.Is(err, collection.ErrChanged) || errors.Is(err, collection.ErrIndex) {
		return mysqlerr.Of(ctx, fmt.Errorf("%s: %w", err, kv.ErrConflict))
	}
	for _, n := range numbers {
		if errors.Is(err, n.is) {
			return mysql.NewSQLError(n.number, n.state, "%s", err)
		}
	}
	if errors.As(mysqlerr.From(err), &done) && done.Num != mysqlerr.Unknown {
		return mysqlerr.Of(ctx, err)
	}
	return mysql.NewSQLError(errSource, "HY000", "The bucket can't be used: %s", err)
}

// takenID is the id that exists already, from an error of Write.
func takenID(err error) string {
	_, id, _ := strings.Cut(err.Error(), collection.ErrExists.Error()+": ")
	return id
}
