package statement

import "strings"

// Reads reports whether the table stands in a FROM, not only behind INTO.
func (n *Names) Reads(table string) bool {
	count := 0
	for _, src := range n.Sources {
		if src.Table == table {
			count++
		}
	}
	return count > 1
}

// Qualifies reports whether a column with this qualifier may be one of the
// table.
func (n *Names) Qualifies(c ColumnName, table string) bool {
	if c.Qualifier == "" {
		return true
	}
	for _, src := range n.Sources {
		if src.Table == table && src.Alias == c.Qualifier {
			return true
		}
	}
	return false
}

// Sets reports whether the statement writes the column.
func (w Writes) Sets(column string) bool {
	for _, list := range [][]string{w.Columns, w.onDuplicate} {
		for _, c := range list {
			if strings.EqualFold(c, column) {
				return true
			}
		}
	}
	return false
}
