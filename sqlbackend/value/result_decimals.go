package value

import "github.com/dolthub/go-mysql-server/sql"

// ResultColumn has facts on a result's column that the engine's description leaves out.
type ResultColumn struct {
	Decimals uint32 // the number of decimals of the seconds of a TIMESTAMP
	Table    string // the statement's name of the view or derived table that the column is of; empty for others
}

// ResultColumns are the result columns of the statement that was planned last.
type ResultColumns struct {
	Decimals []uint32
	Tables   []string
}

// Fill is a list that has an element at i.
func Fill[T any](list []T, i int) []T {
	for len(list) <= i {
		var none T
		list = append(list, none)
	}
	return list
}

// NoteTables notes the statement's names of its result columns' tables, where they differ before and after views and
// derived tables are merged into it.
func (c *ResultColumns) NoteTables(before, after sql.Schema) {
	c.Tables = nil
	for i, column := range before {
		if column.Source == "" || i >= len(after) || after[i].Source == column.Source {
			continue
		}
		c.Tables = Fill(c.Tables, i)
		c.Tables[i] = column.Source
	}
}

// Column describes the column at i of the statement's result.
func (c *ResultColumns) Column(i int) (of ResultColumn) {
	if i < len(c.Decimals) {
		of.Decimals = c.Decimals[i]
	}
	if i < len(c.Tables) {
		of.Table = c.Tables[i]
	}
	return of
}
