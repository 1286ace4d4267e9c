package sqlbackend

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/tables"
)

// The engine's parser knows no CHECK TABLE. The statement is read here and
// becomes a SELECT from a table of the system database whose name says which
// tables to check; reading it runs the check.

const (
	checkPrefix    = "check\x1f"
	checkSeparator = "\x1f"
	// checkReports bounds how many violations of one table are reported.
	checkReports = 100
)

// translateCheck makes the SELECT of a CHECK TABLE statement; ok is false for
// any other statement, and for one that it can't read.
func translateCheck(query string) (translated string, ok bool) {
	s := scanner{rest: query}
	if !s.word("CHECK") || !(s.word("TABLE") || s.word("TABLES")) {
		return "", false
	}
	var name strings.Builder
	name.WriteString(strings.TrimSuffix(checkPrefix, checkSeparator))
	for {
		database, table := "", s.name()
		if s.symbol('.') {
			database, table = table, s.name()
		}
		if table == "" {
			return "", false
		}
		name.WriteString(checkSeparator + database + checkSeparator + table)
		if !s.symbol(',') {
			break
		}
	}
	for s.word("FOR") || s.word("UPGRADE") || s.word("QUICK") || s.word("FAST") || s.word("MEDIUM") ||
		s.word("EXTENDED") || s.word("CHANGED") {
		// The options choose how thorough the check is. It always is.
		continue
	}
	s.symbol(';')
	if !s.done() {
		return "", false
	}
	return "SELECT * FROM " + systemDatabase + ".`" + strings.ReplaceAll(name.String(), "`", "``") + "`", true
}

// scanner reads words and names from the left of a statement.
type scanner struct{ rest string }

func (s *scanner) space() {
	for {
		s.rest = strings.TrimLeftFunc(s.rest, unicode.IsSpace)
		if !strings.HasPrefix(s.rest, "/*") {
			return
		}
		end := strings.Index(s.rest, "*/")
		if end < 0 {
			return
		}
		s.rest = s.rest[end+2:]
	}
}

func (s *scanner) word(w string) bool {
	s.space()
	if len(s.rest) < len(w) || !strings.EqualFold(s.rest[:len(w)], w) {
		return false
	}
	if len(s.rest) > len(w) && statement.IsNameByte(s.rest[len(w)]) {
		return false
	}
	s.rest = s.rest[len(w):]
	return true
}

func (s *scanner) symbol(c byte) bool {
	s.space()
	if s.rest == "" || s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

// name reads an identifier, quoted or not; "" when there is none.
func (s *scanner) name() string {
	s.space()
	if strings.HasPrefix(s.rest, "`") {
		var b strings.Builder
		for i := 1; i < len(s.rest); i++ {
			if s.rest[i] != '`' {
				b.WriteByte(s.rest[i])
			} else if i+1 < len(s.rest) && s.rest[i+1] == '`' {
				b.WriteByte('`')
				i++
			} else {
				s.rest = s.rest[i+1:]
				return b.String()
			}
		}
		return ""
	}
	n := 0
	for n < len(s.rest) && statement.IsNameByte(s.rest[n]) {
		n++
	}
	name := s.rest[:n]
	s.rest = s.rest[n:]
	return name
}

func (s *scanner) done() bool {
	s.space()
	return s.rest == ""
}

// checkTable is the result of CHECK TABLE.
func (d *systemDB) checkTable(name string) (*systemTable, bool) {
	if !strings.HasPrefix(name, checkPrefix) {
		return nil, false
	}
	parts := strings.Split(name[len(checkPrefix):], checkSeparator)
	text := func(n string) systemColumn { return systemColumn{n, types.LongText} }
	return newSystemTable(systemDatabase, name, func(ctx *sql.Context, emit func(sql.Row)) error {
		named := make(map[string]bool, len(parts)/2)
		for i := 0; i+1 < len(parts); i += 2 {
			database := parts[i]
			if database == "" {
				database = ctx.GetCurrentDatabase()
			}
			name := strings.ToLower(database + checkSeparator + parts[i+1])
			if named[name] {
				return mysql.NewSQLError(mysqlerr.NotUniqueTable, "42000", "Not unique table/alias: '%s'", parts[i+1])
			}
			named[name] = true
		}
		for i := 0; i+1 < len(parts); i += 2 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := d.check(ctx, parts[i], parts[i+1], emit); err != nil {
				return err
			}
		}
		return nil
	}, text("Table"), text("Op"), text("Msg_type"), text("Msg_text")), true
}

func (d *systemDB) check(ctx *sql.Context, database, table string, emit func(sql.Row)) error {
	if database == "" {
		database = ctx.GetCurrentDatabase()
	}
	// A transaction of its own, since it may take longer than one lives. Where the store can't keep its version,
	// it goes on at a newer one as long as that is the same for the table.
	var same func(kv.Reader) error
	tx, err := longread.Begin(ctx, d.backend.store, longread.Options{
		Transaction: kv.TransactionOptions{NoReadYourWrites: true, Hold: true},
		Renewed:     func(at kv.Reader) error { return same(at) },
	})
	if err != nil {
		return err
	}
	defer tx.Cancel()
	r := tx.Snapshot()
	same = func(kv.Reader) error { return nil } // nothing has been checked
	view, err := d.backend.catalog.View(r)
	if err != nil {
		return err
	}
	if s, err := sessionOf(ctx); err == nil {
		view = view.With(s.own.now)
	}
	name := database + "." + table
	def, ok := view.Table(database, table)
	if !ok && d.backend.describes(ctx, database, table) {
		emit(sql.Row{name, "check", "note", "The storage engine for the table doesn't support check"})
		return nil
	}
	if !ok {
		emit(sql.Row{name, "check", "Error", fmt.Sprintf("Table '%s' doesn't exist", name)})
		emit(sql.Row{name, "check", "status", "Operation failed"})
		return nil
	}
	full, err := d.backend.definitions.of(def)
	if err != nil {
		return err
	}
	newest, _, err := full.collection.Log().Last(r)
	if err != nil {
		return err
	}
	same = func(at kv.Reader) error {
		now, _, err := full.collection.Log().Last(at)
		if err != nil {
			return err
		}
		view, err := d.backend.catalog.View(at)
		if err != nil {
			return err
		}
		if later, ok := view.TableByID(def.ID); now != newest || !def.Temporary() &&
			(!ok || !reflect.DeepEqual(later, def)) || working(def) {
			return mysql.NewSQLError(mysqlerr.TimedOut, "HY000",
				"CHECK TABLE takes longer than this store keeps a version, and %s has been written to meanwhile: check it while nobody writes, or check a copy", full)
		}
		return nil
	}
	reported, warned := 0, 0
	sum, err := full.collection.Check(ctx, r, func(v tables.Violation) {
		if v.Misfit != nil {
			if warned++; warned <= checkReports {
				emit(sql.Row{full.String(), "check", "warning", full.misfitText(v.PK, *v.Misfit)})
			}
			return
		}
		if reported++; reported <= checkReports {
			emit(sql.Row{full.String(), "check", "error", v.Error()})
		}
	})
	if err != nil {
		return err
	}
	err = full.duplicates(ctx, r, func(text string) {
		sum.Violations++
		if reported++; reported <= checkReports {
			emit(sql.Row{full.String(), "check", "error", text})
		}
	})
	if err != nil {
		return err
	}
	if sum.Violations > checkReports {
		emit(sql.Row{full.String(), "check", "error", fmt.Sprintf("and %d more violations", sum.Violations-checkReports)})
	}
	if sum.Misfits > checkReports {
		emit(sql.Row{full.String(), "check", "warning", fmt.Sprintf("and %d more values that do not fit",
			sum.Misfits-checkReports)})
	}
	if full.Rebuilding() {
		emit(sql.Row{full.String(), "check", "note", fmt.Sprintf(
			"the index is being rebuilt: %d of %d documents are not in it yet; of these the counts were checked, not the entries",
			sum.Former, sum.Documents)})
	}
	if sum.Violations > 0 {
		emit(sql.Row{full.String(), "check", "error", "Corrupt"})
		return nil
	}
	emit(sql.Row{full.String(), "check", "status", "OK"})
	return nil
}

// working reports whether a job writes to the table without a change in its feed.
func working(def *catalog.Table) bool {
	return def.Upgrading() || def.Rebuilding() || slices.ContainsFunc(def.Indexes,
		func(i catalog.Index) bool { return i.Building != 0 })
}

// describes reports whether a table is one that tells of others, and holds no documents.
func (b *Backend) describes(ctx *sql.Context, database, table string) bool {
	if !strings.EqualFold(database, systemDatabase) && !strings.EqualFold(database, sql.InformationSchemaDatabaseName) {
		return false
	}
	_, _, err := b.Engine.Analyzer.Catalog.Table(ctx, database, table)
	return err == nil
}
