package table

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

const errForeignKeyTypes = 3780

const ErrForeignKeyTruncate = 1701

// ForeignKeyError returns MySQL's error for a foreign key, with this number.
func ForeignKeyError(number int, format string, args ...any) error {
	state := "HY000"
	if number == ErrForeignKeyTruncate {
		state = "42000"
	}
	return mysql.NewSQLError(number, state, format, args...)
}

// ChecksForeignKeys reports whether foreign keys are enforced: SET foreign_key_checks = 0 allows loading tables in
// any order.
func ChecksForeignKeys(ctx *sql.Context) bool { return setting.On(ctx, "foreign_key_checks") }

// SimilarColumns refuses a foreign key between columns whose values can't be looked up in each other. Strings of
// different lengths can be, and so can strings that only the parent compares as bytes.
func SimilarColumns(child *catalog.Table, i int, parent *catalog.Table, j int, name string) error {
	a, err := session.ColumnAt(child, i)
	if err != nil {
		return err
	}
	b, err := session.ColumnAt(parent, j)
	if err != nil {
		return err
	}
	similar := a.Typ.Equals(b.Typ) || alikeInImage(a.Typ, b.Typ)
	if own, ok := value.CollationOfType(a.Typ); ok {
		its, ok := value.CollationOfType(b.Typ)
		similar = ok && (its.IsBinary() || own.Name() == its.Name()) && child.Columns[i].Class == parent.Columns[j].Class
	} else if child.Columns[i].Class == catalog.ClassBytes {
		similar = parent.Columns[j].Class == catalog.ClassBytes
	}
	if !similar || types.IsJSON(a.Typ) {
		return ForeignKeyError(errForeignKeyTypes, "Referencing column '%s' and referenced column '%s' "+
			"in foreign key constraint '%s' are incompatible.", a.Name, b.Name, name)
	}
	return nil
}

// FitsParent reports whether a table has the columns that a foreign key refers to, with fitting types.
func FitsParent(child, parent *catalog.Table, f *catalog.ForeignKey) bool {
	for n := range f.Columns {
		i, there := child.Column(f.Columns[n])
		j, is := parent.Column(f.ParentColumns[n])
		if !there || !is || SimilarColumns(child, i, parent, j, f.Name) != nil {
			return false
		}
	}
	return true
}

// ForeignKeyClause returns a foreign key as a clause of CREATE TABLE.
func ForeignKeyClause(def *catalog.Table, f *catalog.ForeignKey) string {
	parent := sql.QuoteIdentifier(f.ParentTable)
	if !strings.EqualFold(f.ParentDatabase, def.Database) {
		parent = sql.QuoteIdentifier(f.ParentDatabase) + "." + parent
	}
	text := "CONSTRAINT " + sql.QuoteIdentifier(f.Name) + " FOREIGN KEY (" + QuotedNames(f.Columns) + ") REFERENCES " +
		parent + " (" + QuotedNames(f.ParentColumns) + ")"
	for _, x := range []struct{ on, action string }{{"DELETE", f.OnDelete}, {"UPDATE", f.OnUpdate}} {
		if x.action != "" && x.action != "NO ACTION" {
			text += " ON " + x.on + " " + x.action
		}
	}
	return text
}

// WrongArguments returns MySQL's error for a function's arguments.
func WrongArguments(function, why string) error {
	return mysql.NewSQLError(mysql.ERWrongArguments, mysql.SSUnknownSQLState, "Incorrect arguments to %s: %s", function,
		why)
}

// QuotedNames returns names in backquotes, separated by commas.
func QuotedNames(names []string) string { return strings.Join(sql.QuoteIdentifiers(names), ",") }

// Absent reports whether a row is the row of NULLs that an outer join puts in place of a document: it has no primary
// key.
func (t *Table) Absent(row sql.Row) bool {
	for i := range t.Columns {
		if t.Columns[i].Key && row[i] == nil {
			return true
		}
	}
	return slices.ContainsFunc(t.Def.PrimaryKey, func(i int) bool { return row[i] == nil })
}

// ErrNullInColumn is ALTER TABLE's error for a NULL in a column that becomes NOT NULL.
func ErrNullInColumn(column string) error {
	return mysql.NewSQLError(1138, "22004", "Invalid use of NULL value: column '%s'", column)
}

// ErrUnfit is the error for a value that a column can't take.
func ErrUnfit(to *session.Column, v document.Value) error {
	return mysql.NewSQLError(mysql.ERTruncatedWrongValueForField, "HY000",
		"Incorrect %s value: '%.100s' for column '%s'", session.TypeName(to.Typ), SpelledValue(v), to.Name)
}

// SpelledValue returns a value as text for a message; a string has no quotes.
func SpelledValue(v document.Value) string {
	if v.Type() == document.TypeString {
		return v.Str()
	}
	return v.Text()
}

// A statement that changes definitions is one transaction of the session. What the client had open is committed
// before it. Its own changes, of definitions and documents, are committed at its end. The engine runs the clauses of
// an ALTER TABLE one after the other, and looks the table up before each. Until the end, only the session sees the
// changed definitions. Any failure undoes all of it. A conflict, with another definition or with writers of
// documents that it has read, makes the statement run again from its text, as any autocommit statement does.
// Background jobs start once it is committed.

// AfterCommit calls do once the change of definitions is committed, before the client gets its answer.
func AfterCommit(ctx *sql.Context, do func(*sql.Context) error) {
	if t, err := session.CurrentTransaction(ctx); err == nil {
		t.After = append(t.After, do)
	}
}
