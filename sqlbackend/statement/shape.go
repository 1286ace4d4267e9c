package statement

import (
	"slices"
	"strings"
)

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
	return w.Updates(column) || slices.ContainsFunc(w.Columns, func(c string) bool { return strings.EqualFold(c, column) })
}

// Updates reports whether the statement's ON DUPLICATE KEY UPDATE writes the column.
func (w Writes) Updates(column string) bool {
	return slices.ContainsFunc(w.onDuplicate, func(c string) bool { return strings.EqualFold(c, column) })
}
