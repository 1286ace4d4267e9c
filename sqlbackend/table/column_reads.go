package table

import (
	"slices"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// The expression of a generated column or a default may not read every column, nor call every function.

const (
	errGeneratedDependent = 3108
	errGeneratedNonPrior  = 3107
	errGeneratedCounts    = 3109
	errGeneratedFunction  = 3763
	errDefaultDependent   = 3766
	errDefaultNonPrior    = 3767
	errDefaultCounts      = 3768
)

// volatileFunctions return another value for each call or session; generated columns can't use them.
var volatileFunctions = map[string]bool{
	"benchmark": true, "connection_id": true, "curdate": true, "current_date": true, "current_role": true,
	"current_time": true, "current_timestamp": true, "current_user": true, "curtime": true, "database": true,
	"found_rows": true, "get_lock": true, "is_free_lock": true, "is_used_lock": true, "last_insert_id": true,
	"load_file": true, "localtime": true, "localtimestamp": true, "now": true, "rand": true, "random_bytes": true,
	"release_all_locks": true, "release_lock": true, "row_count": true, "schema": true, "session_user": true,
	"sleep": true, "sysdate": true, "system_user": true, "user": true, "utc_date": true, "utc_time": true,
	"utc_timestamp": true, "uuid": true, "uuid_short": true, "version": true,
}

// ColumnReads returns the columns that an expression's text names, in lower case, and one of volatileFunctions in
// it. Both are empty if the parser rejects the text.
func ColumnReads(def *catalog.Table, text string) (columns map[string]bool, volatile string) {
	columns = map[string]bool{}
	stmt, err := ast.Parse("select " + (&session.Definition{Table: def}).QuoteColumns(text))
	if err != nil {
		return columns, ""
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			columns[n.Name.Lowered()] = true
		case *ast.FuncExpr:
			if name := n.Name.Lowered(); volatileFunctions[name] {
				volatile = name
			}
		}
		return true, nil
	}, stmt)
	return columns, volatile
}

// RefuseReads fails if the column at a place reads columns or functions that it may not. For an AUTO_INCREMENT
// column it also fails if another column reads it.
func RefuseReads(def *catalog.Table, place int) error {
	c := &def.Columns[place]
	if c.AutoIncrement {
		for i := range def.Columns {
			if o := &def.Columns[i]; i != place && (o.Generated != "" || o.Default != "") {
				if err := refuseReadsOf(def, i, place); err != nil {
					return err
				}
			}
		}
	}
	return refuseReadsOf(def, place, -1)
}

// refuseReadsOf is RefuseReads for what the column at a place reads; of is the only column checked, -1 for all.
func refuseReadsOf(def *catalog.Table, place, of int) error {
	c := &def.Columns[place]
	text, counts, prior := c.Generated, errGeneratedCounts, errGeneratedNonPrior
	if text == "" {
		text, counts, prior = c.Default, errDefaultCounts, errDefaultNonPrior
	}
	if text == "" || !strings.HasPrefix(strings.TrimSpace(text), "(") && c.Generated == "" {
		return nil // a literal
	}
	reads, volatile := ColumnReads(def, text)
	for name := range reads { // the engine treats an aggregate as a column named by its text
		if _, there := def.Column(name); !there && strings.HasSuffix(name, ")") {
			return mysql.NewSQLError(1111, "HY000", "Invalid use of group function")
		}
	}
	if volatile != "" && c.Generated != "" && !c.Hidden && of < 0 {
		return mysql.NewSQLError(errGeneratedFunction, "HY000",
			"Expression of generated column '%s' contains a disallowed function: %s.", c.Name, volatile)
	}
	for i := range def.Columns {
		o := &def.Columns[i]
		computed := o.Generated != "" || c.Generated == "" && strings.HasPrefix(strings.TrimSpace(o.Default), "(")
		switch {
		case of >= 0 && of != i || !reads[strings.ToLower(o.Name)] || c.Hidden:
		case o.AutoIncrement && c.Generated != "":
			return mysql.NewSQLError(counts, "HY000",
				"Generated column '%s' cannot refer to auto-increment column.", c.Name)
		case o.AutoIncrement:
			return mysql.NewSQLError(counts, "HY000",
				"Default value expression of column '%s' cannot refer to an auto-increment column.", c.Name)
		case i < place || !computed:
		case c.Generated != "":
			return mysql.NewSQLError(prior, "HY000",
				"Generated column can refer only to generated columns defined prior to it.")
		default:
			return mysql.NewSQLError(prior, "HY000", "Default value expression of column '%s' cannot refer to a "+
				"column defined after it if that column is a generated column or has an expression as default value.",
				c.Name)
		}
	}
	return nil
}

// RefuseRead fails if a column to be dropped or renamed is read by another column that stays.
func (t *Table) RefuseRead(column string) error {
	lower := strings.ToLower(column)
	for i := range t.Def.Columns[:t.Def.Visible()] {
		c := &t.Def.Columns[i]
		text := c.Generated
		if text == "" && strings.HasPrefix(c.Default, "(") {
			text = c.Default
		}
		if text == "" || strings.EqualFold(c.Name, column) || dropsColumn(t.Session, c.Name) {
			continue
		}
		if reads, _ := ColumnReads(t.Def.Table, text); !reads[lower] {
			continue
		}
		if c.Generated != "" {
			return mysql.NewSQLError(errGeneratedDependent, "HY000",
				"Column '%s' has a generated column dependency.", column)
		}
		return mysql.NewSQLError(errDefaultDependent, "HY000", "Column '%s' of table '%s' has a default value "+
			"expression dependency and cannot be dropped or renamed.", column, t.Def.Name)
	}
	return nil
}

// dropsColumn reports whether the running ALTER TABLE drops a column.
func dropsColumn(s *session.Session, column string) bool {
	return Alters(s, func(d *ast.DDL) bool { return d.ColumnAction == ast.DropStr && d.Column.EqualString(column) })
}

// AddsColumn reports whether the running ALTER TABLE adds a column.
func AddsColumn(s *session.Session) bool {
	return Alters(s, func(d *ast.DDL) bool { return d.ColumnAction == ast.AddStr })
}

// Alters reports whether the running ALTER TABLE has a clause for which clause is true.
func Alters(s *session.Session, clause func(*ast.DDL) bool) bool {
	return slices.ContainsFunc(s.Parsed.All, func(p ast.Statement) bool {
		alter, ok := p.(*ast.AlterTable)
		return ok && slices.ContainsFunc(alter.Statements, clause)
	})
}
