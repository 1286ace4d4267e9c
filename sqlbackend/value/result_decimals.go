package value

import "github.com/dolthub/go-mysql-server/sql"

// ResultColumn is what the engine's description of a result's column leaves out.
type ResultColumn struct {
	Decimals uint32 // how many the seconds of a TIMESTAMP have
	Table    string // what the statement calls a view or derived table of which the column is; empty for others
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

// NoteTables notes what a statement calls the tables of its result's columns before it is merged with them, and after.
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
