package ddl

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// placeOf returns the place among a definition's columns that an ALTER TABLE names.
func placeOf(def *catalog.Table, order *sql.ColumnOrder, otherwise int) (int, error) {
	switch {
	case order == nil:
		return otherwise, nil
	case order.First:
		return 0, nil
	case order.AfterColumn != "":
		if strings.EqualFold(order.AfterColumn, session.DocumentColumn) {
			return def.Visible(), nil
		}
		i, ok := def.Column(order.AfterColumn)
		if !ok {
			return 0, sql.ErrTableColumnNotFound.New(def.Name, order.AfterColumn)
		}
		return i + 1, nil
	}
	return otherwise, nil
}

// insertColumn inserts a column at a place; the primary key keeps its columns.
func insertColumn(def *catalog.Table, place int, c catalog.Column) {
	def.Columns = slices.Insert(def.Columns, place, c)
	for i, k := range def.PrimaryKey {
		if k >= place {
			def.PrimaryKey[i]++
		}
	}
	if def.DocumentColumn > place {
		def.DocumentColumn++
	}
}

func removeColumn(def *catalog.Table, place int) {
	def.Columns = slices.Delete(def.Columns, place, place+1)
	for i, k := range def.PrimaryKey {
		if k > place {
			def.PrimaryKey[i]--
		}
	}
	if def.DocumentColumn > place {
		def.DocumentColumn--
	}
}

// moveColumn moves a column before the one that is at place now.
func moveColumn(def *catalog.Table, from, place int) {
	names := make([]string, len(def.PrimaryKey))
	for i, k := range def.PrimaryKey {
		names[i] = def.Columns[k].Name
	}
	c := def.Columns[from]
	def.Columns = slices.Delete(def.Columns, from, from+1)
	if place > from {
		place--
	}
	def.Columns = slices.Insert(def.Columns, place, c)
	for i, name := range names {
		def.PrimaryKey[i], _ = def.Column(name)
	}
}
