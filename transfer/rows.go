package transfer

import (
	"context"
	"database/sql"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/sqlfdb/sqlfdb/document"
)

// A table with declared columns alone takes documents as rows. Each key, or path of keys, that is a column's name
// gives its value. A missing column gets its default, and any other key refuses the document. The server converts
// under the strict rules of an INSERT. Byte strings are in base64, as documents hold them, and columns that are
// generated are left to the table: an export has both.

// maxParameters is how many values one statement is given; the protocol has a bound of 65,535.
const maxParameters = 60000

// rowTable is a table of rows, nil of documents.
type rowTable struct {
	columns []rowColumn
	places  map[string]int // of the columns, by their names in lower case
}

type rowColumn struct {
	name      string
	json      bool
	text      bool
	bytes     bool
	bits      bool
	generated bool
}

// readRowTable reads a table's columns from the server.
func readRowTable(ctx context.Context, db *sql.DB, database, table string) (*rowTable, error) {
	rows, err := db.QueryContext(ctx, "SELECT COLUMN_NAME, DATA_TYPE, GENERATION_EXPRESSION "+
		"FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION",
		database, table)
	if err != nil {
		return nil, fmt.Errorf("transfer: columns of %s.%s: %w", database, table, err)
	}
	defer rows.Close()
	t := &rowTable{places: map[string]int{}}
	for rows.Next() {
		var name, typ string
		var generated sql.NullString
		if err := rows.Scan(&name, &typ, &generated); err != nil {
			return nil, fmt.Errorf("transfer: columns of %s.%s: %w", database, table, err)
		}
		typ = strings.ToLower(typ)
		t.places[strings.ToLower(name)] = len(t.columns)
		t.columns = append(t.columns, rowColumn{name: name, json: typ == "json",
			text:      strings.HasSuffix(typ, "char") || strings.HasSuffix(typ, "text"),
			bytes:     strings.HasSuffix(typ, "binary") || strings.HasSuffix(typ, "blob"),
			bits:      typ == "bit",
			generated: generated.String != ""})
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("transfer: columns of %s.%s: %w", database, table, err)
	}
	if len(t.columns) == 0 {
		return nil, fmt.Errorf("transfer: the server tells of no columns of %s.%s", database, table)
	}
	return t, nil
}

// cell is a document's value for a column.
type cell struct {
	there bool
	value any
}

// row is a document as a row.
func (t *rowTable) row(d document.Document) ([]cell, error) {
	out := make([]cell, len(t.columns))
	return out, t.members(out, "", d.Value)
}

func (t *rowTable) members(out []cell, path string, object document.Value) error {
	for name, v := range object.Members() {
		name = path + name
		i, known := t.places[strings.ToLower(name)]
		switch {
		case !known && v.Type() == document.TypeObject && !v.IsEmpty():
			if err := t.members(out, name+".", v); err != nil {
				return err
			}
		case !known:
			return fmt.Errorf("the table has no column `%s`", name)
		case out[i].there:
			return fmt.Errorf("two values for column `%s`", t.columns[i].name)
		case !t.columns[i].generated:
			value, err := t.columns[i].value(v)
			if err != nil {
				return err
			}
			out[i] = cell{there: true, value: value}
		}
	}
	return nil
}

// value is a JSON value as a parameter of a statement.
func (c *rowColumn) value(v document.Value) (any, error) {
	switch {
	case v.IsNull():
		return nil, nil
	case c.json:
		return v.Text(), nil
	case v.Type() == document.TypeString && c.bytes:
		b, err := base64.StdEncoding.DecodeString(v.Str())
		if err != nil {
			return nil, fmt.Errorf("the value of column `%s` is not base64: %.40q", c.name, v.Str())
		}
		return b, nil
	case v.Type() == document.TypeString:
		return v.Str(), nil
	case v.Type() == document.TypeNumber && c.bits:
		n, err := strconv.ParseUint(v.Number(), 10, 64) // a text would be the bits of its bytes
		if err != nil {
			return nil, fmt.Errorf("the value of column `%s` is no number of bits: %s", c.name, v.Number())
		}
		return n, nil
	case v.Type() == document.TypeBool && !c.text:
		return v.Bool(), nil
	}
	return v.Text(), nil
}

// insertion is a statement that stores documents as rows, with its values.
func (t *rowTable) insertion(verb, table string, batch []Item) (text string, args []any, err error) {
	all := make([][]cell, len(batch))
	used := make([]bool, len(t.columns))
	for i, item := range batch {
		if all[i], err = t.row(item.Document); err != nil {
			return "", nil, err
		}
		for n := range used {
			used[n] = used[n] || all[i][n].there
		}
	}
	var b strings.Builder
	var names []string
	for n, c := range t.columns {
		if used[n] {
			names = append(names, QuoteName(c.name))
		}
	}
	fmt.Fprintf(&b, "%s INTO %s (%s) VALUES ", verb, table, strings.Join(names, ", "))
	for i, row := range all {
		separator := ", ("
		if i == 0 {
			separator = "("
		}
		for n, c := range row {
			if !used[n] {
				continue
			}
			b.WriteString(separator)
			separator = ", "
			if c.there {
				b.WriteByte('?')
				args = append(args, c.value)
			} else {
				b.WriteString("DEFAULT")
			}
		}
		if len(names) == 0 {
			b.WriteString(separator)
		}
		b.WriteByte(')')
	}
	return b.String(), args, nil
}

// unchanged is an assignment for ON DUPLICATE KEY UPDATE that leaves rows as they are.
func (t *rowTable) unchanged() string {
	for _, c := range t.columns {
		if !c.generated {
			return QuoteName(c.name) + " = " + QuoteName(c.name)
		}
	}
	return ""
}

// most is how many rows of the table one statement may have.
func (t *rowTable) most() int { return max(1, maxParameters/max(1, len(t.columns))) }

// refusedRow is an error of one document that can't be a row.
type refusedRow struct{ error }
