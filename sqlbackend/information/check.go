package information

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/buckettable"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/tables"
)

// The engine's parser knows no CHECK TABLE. The statement is read here and becomes a SELECT
// from a table of the system database whose name has the tables to check; reading it runs
// the check.

// checkReports bounds how many violations of one table are reported.
const checkReports = 100

// TranslateCheck makes the SELECT of a CHECK TABLE statement; ok is false for
// any other statement, and for one that it can't read.
func TranslateCheck(query string) (translated string, ok bool) {
	s := statement.Scanner{Rest: query}
	if !s.Word("CHECK") || !(s.Word("TABLE") || s.Word("TABLES")) {
		return "", false
	}
	var name strings.Builder
	name.WriteString(strings.TrimSuffix(session.CheckPrefix, session.CheckSeparator))
	for {
		database, table := "", s.Name()
		if s.Symbol('.') {
			database, table = table, s.Name()
		}
		if table == "" {
			return "", false
		}
		name.WriteString(session.CheckSeparator + database + session.CheckSeparator + table)
		if !s.Symbol(',') {
			break
		}
	}
	for s.Word("FOR") || s.Word("UPGRADE") || s.Word("QUICK") || s.Word("FAST") || s.Word("MEDIUM") ||
		s.Word("EXTENDED") || s.Word("CHANGED") {
		// The options choose how thorough the check is. It always is.
		continue
	}
	s.Symbol(';')
	if !s.Done() {
		return "", false
	}
	return "SELECT * FROM " + session.SystemDatabase + ".`" + strings.ReplaceAll(name.String(), "`", "``") + "`", true
}

// checkTable is the result of CHECK TABLE.
func (d *System) checkTable(name string) (*systemTable, bool) {
	if !strings.HasPrefix(name, session.CheckPrefix) {
		return nil, false
	}
	parts := strings.Split(name[len(session.CheckPrefix):], session.CheckSeparator)
	text := func(n string) systemColumn { return systemColumn{n, types.LongText} }
	return NewSystemTable(session.SystemDatabase, name, func(ctx *sql.Context, emit func(sql.Row)) error {
		named := make(map[string]bool, len(parts)/2)
		for i := 0; i+1 < len(parts); i += 2 {
			database := parts[i]
			if database == "" {
				database = ctx.GetCurrentDatabase()
			}
			name := strings.ToLower(database + session.CheckSeparator + parts[i+1])
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

func (d *System) check(ctx *sql.Context, database, table string, emit func(sql.Row)) error {
	if database == "" {
		database = ctx.GetCurrentDatabase()
	}
	tx, err := session.BeginCheck(ctx, d.backend.Store, d.backend.Catalog)
	if err != nil {
		return err
	}
	defer tx.Cancel()
	r := tx.Snapshot()
	view, err := d.backend.Catalog.View(r)
	if err != nil {
		return err
	}
	if s, err := session.Of(ctx); err == nil {
		view = view.With(s.Own.Now)
	}
	name := database + "." + table
	def, ok := view.Table(database, table)
	if !ok && IsSystemTable(d.backend, ctx, database, table) {
		emit(sql.Row{name, "check", "note", "The storage engine for the table doesn't support check"})
		return nil
	}
	if !ok {
		emit(sql.Row{name, "check", "Error", fmt.Sprintf("Table '%s' doesn't exist", name)})
		emit(sql.Row{name, "check", "status", "Operation failed"})
		return nil
	}
	full, err := d.backend.Definitions.Of(def)
	if err != nil {
		return err
	}
	if def.Bucket != nil {
		return checkBucket(ctx, full, emit)
	}
	if err := tx.Of(full.Collection); err != nil {
		return err
	}
	reported, warned := 0, 0
	sum, err := full.Collection.Check(ctx, r, func(v tables.Violation) {
		if v.Misfit != nil {
			if warned++; warned <= checkReports {
				emit(sql.Row{full.String(), "check", "warning", misfitText(full, v.PK, *v.Misfit)})
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
	err = duplicates(full, ctx, r, func(text string) {
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
			"the index is being rebuilt: %d of %d documents are not in it yet; of these the counts were checked, not "+
				"the entries",
			sum.Former, sum.Documents)})
	}
	if sum.Violations > 0 {
		emit(sql.Row{full.String(), "check", "error", "Corrupt"})
		return nil
	}
	emit(sql.Row{full.String(), "check", "status", "OK"})
	return nil
}

// IsSystemTable reports whether a table is a system table, which holds no documents.
func IsSystemTable(b *session.Instance, ctx *sql.Context, database, table string) bool {
	if !strings.EqualFold(database, session.SystemDatabase) &&
		!strings.EqualFold(database, sql.InformationSchemaDatabaseName) {
		return false
	}
	_, _, err := b.Engine.Analyzer.Catalog.Table(ctx, database, table)
	return err == nil
}

// misfitText is CHECK TABLE's text for a value that does not fit its column.
func misfitText(d *session.Definition, pk []byte, m tables.Misfit) string {
	return fmt.Sprintf("the value '%.100s' of column '%s' does not fit %s and reads as NULL, primary key '%s'",
		MisfitValue(m), m.Column, session.TypeName(d.ColumnNamed(m.Column).Typ), d.KeyName(d.Typing.Ctx, pk))
}

// MisfitValue is a value as messages show it.
func MisfitValue(m tables.Misfit) string {
	if m.Value.Type() == document.TypeString {
		return m.Value.Str()
	}
	return m.Value.Text()
}

// checkBucket is CHECK TABLE of a table in a bucket.
func checkBucket(ctx *sql.Context, full *session.Definition, emit func(sql.Row)) error {
	c, err := full.Bucket.Open(ctx)
	if err != nil {
		return buckettable.Error(ctx, err)
	}
	report, err := c.Check(ctx, collection.CheckOptions{})
	if err != nil {
		return buckettable.Error(ctx, err)
	}
	for i, v := range report.Violations {
		if i == checkReports {
			emit(sql.Row{full.String(), "check", "error", fmt.Sprintf("and %d more violations",
				len(report.Violations)-checkReports)})
			break
		}
		emit(sql.Row{full.String(), "check", "error", v.String()})
	}
	if len(report.Violations) > 0 {
		emit(sql.Row{full.String(), "check", "error", "Corrupt"})
		return nil
	}
	emit(sql.Row{full.String(), "check", "status", "OK"})
	return nil
}
