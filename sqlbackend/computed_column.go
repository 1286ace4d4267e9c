package sqlbackend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/catalog"
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

// following is what a change makes of a document, after which generated columns have their values and checks hold by
// the definition that the table has then.
func (t *Table) following(ctx *sql.Context, to *definition, a alteration) (rewriting, error) {
	computed := func(c catalog.Column) bool { return c.Generated != "" }
	if !a.follows || len(to.Checks) == 0 && !slices.ContainsFunc(to.Columns, computed) {
		return a.rewrite, nil
	}
	after, err := t.altered(ctx, to)
	if err != nil {
		return nil, err
	}
	after.nearest = a.nearest
	return func(ctx *sql.Context, from, to *definition, d document.Document) (document.Document, error) {
		d, err := a.rewrite(ctx, from, to, d)
		if err == nil {
			d, err = after.compute(ctx, d)
		}
		for i := range to.Columns {
			c := &to.Columns[i]
			if err != nil || c.Nullable || !computed(*c) || c.Hidden {
				continue
			}
			if v, _ := d.Lookup(to.columns[i].keypath); to.columns[i].readsNull(v) {
				err = errNullInColumn(c.Name)
			}
		}
		if err != nil {
			return d, err
		}
		return d, after.keepsChecks(ctx, d)
	}, nil
}

// altered is the table as a change makes it that is not made yet: its expressions are bound to the columns of then.
func (t *Table) altered(ctx *sql.Context, to *definition) (*Table, error) {
	s := t.session
	view, err := s.definitions()
	if err != nil {
		return nil, err
	}
	def, ok := view.Table(t.def.Database, t.def.Name)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: %s: %w", t.def, catalog.ErrNoTable)
	}
	r, err := s.planReader()
	if err != nil {
		return nil, err
	}
	after, err := s.newTable(to, r, shape{document: true, key: true})
	if err != nil {
		return nil, err
	}
	before := s.tables
	defer func() { s.tables = before }()
	s.tables = map[string]cachedTable{strings.ToLower(def.Database) + "\x00" + strings.ToLower(def.Name): {
		def: def, statements: len(s.parsed), table: after}}
	_, err = after.constraints(ctx)
	return after, err
}
