package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/document"
)

// computedColumn is what ALTER TABLE gives the rows that were there before: the value of a generated column, or a
// default that is an expression. The engine writes only defaults, and takes their columns from the row with
// the new column in it, at the places that they had without it.
type computedColumn struct {
	table     *Table // before the change
	reads     constraints
	value     sql.Expression
	generated bool
}

// computedColumn is nil for a column whose rows get one value, or none: absent is that value.
func (t *Table) computedColumn(ctx *sql.Context, c *sql.Column, absent any) (*computedColumn, error) {
	text := expressionText(c.Generated)
	if text == "" && absent == nil && c.Default != nil && !c.Default.IsLiteral() {
		text = expressionText(c.Default)
	}
	if text == "" {
		return nil, nil
	}
	before := *t // t becomes the altered table
	value, err := before.bind(ctx, before.def.quoteColumns(text))
	if err != nil {
		return nil, err
	}
	reads := constraints{reads: map[int]bool{}}
	transform.InspectExpr(value, func(e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok {
			reads.reads[f.Index()] = true
		}
		return false
	})
	return &computedColumn{&before, reads, value, c.Generated != nil}, nil
}

// fill gives a document its value. One that it has already stays where the value is only a default.
func (c *computedColumn) fill(ctx *sql.Context, d document.Document, to *column, required bool) (document.Document,
	error) {
	if _, there := d.Lookup(to.keypath); there && !c.generated {
		return conform(ctx, d, to, required)
	}
	row, err := c.table.constrained(ctx, &c.reads, d)
	if err != nil {
		return d, err
	}
	v, err := c.value.Eval(ctx, row)
	if err != nil {
		return d, err
	}
	switch {
	case v == nil && required:
		return d, errNullInColumn(to.name)
	case v != nil:
		if v, err = convertValue(ctx, to, v); err != nil {
			return d, err
		}
	}
	value, err := toJSON(ctx, to, v)
	if err != nil {
		return d, err
	}
	return to.put(d, value)
}
