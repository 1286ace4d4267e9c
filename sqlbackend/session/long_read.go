package session

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// A statement reads at one version, which lives for a time that the store sets. With sqlfdb_long_reads = 'continue'
// an autocommit SELECT that takes longer goes on at a newer version. Package kv/longread moves its scans there, and
// package tables ensures that each row is of one version. Here it is decided which statements may, and which
// differences of a newer version are errors.

// errTableChanged is MySQL's ER_TABLE_DEF_CHANGED.
const errTableChanged = 1412

// ErrLeft says that a document no longer has the entry that led to it; see tables.Entries.
var ErrLeft = errors.New("sqlbackend: the document has left the entry")

// WouldContinue reports whether the planned statement may go on at newer versions when it runs: an EXPLAIN answers
// for its SELECT.
func (s *Session) WouldContinue() bool {
	stmt := s.Parsed.Statement()
	if x, ok := stmt.(*ast.Explain); ok {
		stmt = x.Statement
	}
	_, ok := stmt.(ast.SelectStatement)
	return ok && s.Repeatable && setting.OfSession(s, setting.LongReads) != "error"
}

// mayContinue reports whether the running command may go on at newer versions.
func (s *Session) mayContinue() bool {
	return s.Repeatable && s.Parsed.reads() && setting.OfSession(s, setting.LongReads) != "error"
}

// beginLong begins a transaction of the store that goes on at newer versions. With 'hold' it does so only if the
// store can't keep the first one.
func (t *Transaction) beginLong() (kv.Transaction, error) {
	return longread.Begin(t.Backend.Ctx, t.Backend.Store, longread.Options{
		Transaction: kv.TransactionOptions{NoReadYourWrites: true,
			Hold: setting.OfSession(t.Session, setting.LongReads) == "hold"},
		Renewed: t.renewed,
	})
}

// renewed checks a newer version before the statement goes on there: the tables that it reads must have the same
// definitions.
func (t *Transaction) renewed(at kv.Reader) error {
	t.Session.Work.Running.readVersions++
	t.Session.continued = true
	if t.View == nil {
		return nil
	}
	view, err := t.Backend.Catalog.View(at)
	if err != nil || view.Version() == t.View.Version() && !anyUpgrading(t.scanned) {
		return err
	}
	for _, def := range t.scanned {
		if def.Temporary() {
			continue // only the session itself changes it
		}
		if def.Upgrading() {
			return mysql.NewSQLError(mysqlerr.NotSupported, "42000",
				mysqlerr.Outlived+" its read version, and can't go on at a newer one while documents of %s get the types of "+
					"altered columns; "+
					"OPTIMIZE TABLE ends that, sqlfdb.jobs shows it", def)
		}
		now, ok := view.TableByID(def.ID)
		if !ok || now != def && !reflect.DeepEqual(now, def) {
			return mysql.NewSQLError(errTableChanged, "HY000",
				"Table definition has changed, please retry transaction: the statement has outlived its read version, and "+
					"%s is not the same at a newer one", def)
		}
	}
	return nil
}

func anyUpgrading(defs []*catalog.Table) bool {
	for _, def := range defs {
		if def.Upgrading() {
			return true
		}
	}
	return false
}

// NoteScanned remembers a table that the statement reads.
func (t *Transaction) NoteScanned(def *catalog.Table) {
	for _, d := range t.scanned {
		if d == def {
			return
		}
	}
	t.scanned = append(t.scanned, def)
}

// warnOfContinuing warns that the statement's rows are of several versions.
func (s *Session) warnOfContinuing() {
	if s.continued {
		functions.WarnSession(s, mysql.ERUnknownError,
			"The statement outlived its read version and went on at newer ones: it has read at %d versions, and "+
				"documents that were changed meanwhile may be missing, "+
				"or be there as they were and as they are", s.Work.Running.readVersions)
	}
}

// outlived returns the error of a statement whose transaction has outlived its read version, with advice; nil for
// other errors.
func (s *Session) outlived(err error) error {
	var life *kv.LifeError
	if !errors.As(err, &life) {
		return nil
	}
	limit := lifeText(life.Limit)
	switch {
	case !s.Repeatable:
		return mysql.NewSQLError(mysql.ERLockDeadlock, "40001",
			"The transaction has outlived the %s that a read version lives, and is rolled back; try restarting "+
				"transaction, and do less in it", limit)
	case s.Parsed.reads():
		return mysql.NewSQLError(mysqlerr.TimedOut, "HY000",
			mysqlerr.Outlived+" the %s that a read version lives; SET %s = 'continue' lets it go on at newer versions, "+
				"'hold' does so only where the store can't keep this one, a smaller range or pages with LIMIT take less time",
			limit, setting.LongReads)
	}
	if s.Backend.Hooks.Batchable(s) {
		return mysql.NewSQLError(mysqlerr.TimedOut, "HY000",
			mysqlerr.Outlived+" the %s that a transaction lives, and has written nothing; SET %s = 'batched' commits it "+
				"in parts, WHERE or LIMIT make it smaller",
			limit, setting.BulkWrites)
	}
	return mysql.NewSQLError(mysqlerr.TimedOut, "HY000",
		mysqlerr.Outlived+" the %s that a transaction lives, and has written nothing; let it change less at a time", limit)
}

// lifeText returns a duration as people write it.
func lifeText(d time.Duration) string {
	if d >= time.Second {
		return fmt.Sprintf("%g s", d.Seconds())
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}
