package ddl

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// computedColumnOf returns nil for a column that has one value for all rows, which is absent, or has none.
func computedColumnOf(t *table.Table, ctx *sql.Context, c *sql.Column, absent any) (*table.ComputedColumn, error) {
	text := table.ExpressionText(c.Generated)
	if text == "" && absent == nil && c.Default != nil && !c.Default.IsLiteral() {
		text = table.ExpressionText(c.Default)
	}
	if text == "" {
		return nil, nil
	}
	before := *t // t becomes the altered table later
	value, err := before.BindValue(ctx, before.Def.QuoteColumns(text))
	if err != nil {
		return nil, err
	}
	reads := table.Constraints{Reads: map[int]bool{}}
	transform.InspectExpr(value, func(e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok {
			reads.Reads[f.Index()] = true
		}
		return false
	})
	return &table.ComputedColumn{Table: &before, Reads: reads, Value: value, Generated: c.Generated != nil}, nil
}

// fillComputed gives a document its value. A value that it already has stays if the new one is only a default.
func fillComputed(c *table.ComputedColumn, ctx *sql.Context, d document.Document, to *session.Column,
	required bool) (document.Document,
	error) {
	if _, there := d.Lookup(to.Keypath); there && !c.Generated {
		return conform(ctx, d, to, required)
	}
	row, err := c.Table.Constrained(ctx, &c.Reads, d)
	if err != nil {
		return d, err
	}
	v, err := c.Value.Eval(ctx, row)
	if err != nil {
		return d, err
	}
	switch {
	case v == nil && required:
		return d, table.ErrNullInColumn(to.Name)
	case v != nil:
		if v, err = session.ConvertValue(ctx, to, v); err != nil {
			return d, err
		}
	}
	value, err := session.ToJSON(ctx, to, v)
	if err != nil {
		return d, err
	}
	return to.Put(d, value)
}

// following returns the rewriting of a change after which, by the table's new definition, generated columns have
// their values and checks hold.
func following(t *table.Table, ctx *sql.Context, to *session.Definition, a alteration) (rewriting, error) {
	computed := func(c catalog.Column) bool { return c.Generated != "" }
	if !a.follows || len(to.Checks) == 0 && !slices.ContainsFunc(to.Columns, computed) {
		return a.rewrite, nil
	}
	after, err := t.Altered(ctx, to)
	if err != nil {
		return nil, err
	}
	after.Nearest = a.nearest
	return func(ctx *sql.Context, from, to *session.Definition, d document.Document) (document.Document, error) {
		d, err := a.rewrite(ctx, from, to, d)
		if err == nil {
			d, err = after.Compute(ctx, d)
		}
		for i := range to.Columns {
			c := &to.Columns[i]
			if err != nil || c.Nullable || !computed(*c) || c.Hidden {
				continue
			}
			if v, _ := d.Lookup(to.SQLColumns[i].Keypath); to.SQLColumns[i].ReadsNull(v) {
				err = table.ErrNullInColumn(c.Name)
			}
		}
		if err != nil {
			return d, err
		}
		return d, after.KeepsChecks(ctx, d)
	}, nil
}
