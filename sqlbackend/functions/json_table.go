package functions

import (
	"io"
	"iter"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// JSON_TABLE. The engine's reads JSON as Go values: numbers lost their digits, objects the order of their keys, and
// paths are another library's. Its semantics are in MySQL's manual, "JSON Table Functions".

// MySQL's error numbers for columns of JSON_TABLE that have no value.
const (
	errJSONTableMissing = 3665
	errJSONTableScalar  = 3666
	errJSONTableRange   = 3669
)

// JSONTable returns the rows of a JSON_TABLE; its argument reads the row outer.
func JSONTable(ctx *sql.Context, _ sql.NodeExecBuilder, t *plan.JSONTable, outer sql.Row) (sql.RowIter, error) {
	data, err := t.DataExpr.Eval(ctx, outer)
	if err != nil || data == nil {
		return sql.RowsToRowIter(), err
	}
	if data, err = sql.UnwrapAny(ctx, data); err != nil {
		return nil, err
	}
	c := jsonCall{ctx: ctx, name: "json_table", args: []interface{}{data}}
	doc, err := c.document(0)
	if err != nil {
		return nil, err
	}
	level, err := jsonLevelOf(ctx, t.RootPath, t.Cols, 0, outer)
	if err != nil {
		return nil, err
	}
	next, stop := iter.Pull2(func(yield func(sql.Row, error) bool) {
		w := &jsonTableWalk{ctx: ctx, row: make(sql.Row, level.to), yield: yield}
		w.level(level, doc)
	})
	return &jsonTableIter{next: next, stop: stop}, nil
}

// jsonTableIter gives the rows of a JSON_TABLE one by one.
type jsonTableIter struct {
	next func() (sql.Row, error, bool)
	stop func()
}

// Next implements sql.RowIter.
func (i *jsonTableIter) Next(ctx *sql.Context) (sql.Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	row, err, ok := i.next()
	if !ok {
		return nil, io.EOF
	}
	return row, err
}

// Close implements sql.RowIter.
func (i *jsonTableIter) Close(*sql.Context) error {
	i.stop()
	return nil
}

// jsonLevel has the columns of a JSON_TABLE, or of a NESTED PATH in it, for each value that its path leads to.
type jsonLevel struct {
	path     value.JSONPath
	columns  []jsonTableColumn
	nested   []*jsonLevel
	from, to int // its places in the row, with those of nested levels
}

type jsonTableColumn struct {
	*plan.JSONTableColOpts
	at               int
	path             value.JSONPath
	onEmpty, onError interface{} // values of DEFAULT, converted for the column
}

// jsonLevelOf reads a level, whose first column is at place from.
func jsonLevelOf(ctx *sql.Context, path string, columns []plan.JSONTableCol, from int, outer sql.Row) (*jsonLevel,
	error) {
	p, err := value.ParseJSONPath(path)
	if err != nil {
		return nil, pathError(err)
	}
	l := &jsonLevel{path: p, from: from, to: from}
	for _, c := range columns {
		if c.Opts == nil {
			nested, err := jsonLevelOf(ctx, c.Path, c.NestedCols, l.to, outer)
			if err != nil {
				return nil, err
			}
			l.nested, l.to = append(l.nested, nested), nested.to
			continue
		}
		column := jsonTableColumn{JSONTableColOpts: c.Opts, at: l.to}
		if !c.Opts.ForOrd {
			if column.path, err = value.ParseJSONPath(c.Path); err != nil {
				return nil, pathError(err)
			}
		}
		if column.onEmpty, err = column.defaultOf(ctx, c.Opts.DefEmptyVal, outer); err == nil {
			column.onError, err = column.defaultOf(ctx, c.Opts.DefErrorVal, outer)
		}
		if err != nil {
			return nil, err
		}
		l.columns = append(l.columns, column)
		l.to++
	}
	return l, nil
}

// defaultOf returns the value of DEFAULT: the text of a JSON value, as in MySQL, or any other value.
func (c *jsonTableColumn) defaultOf(ctx *sql.Context, e sql.Expression, outer sql.Row) (interface{}, error) {
	v, err := e.Eval(ctx, outer)
	if err != nil || v == nil {
		return nil, err
	}
	if text, ok := v.(string); ok {
		if doc, err := document.ParseValue([]byte(text), document.Limits{}); err == nil {
			return c.of(ctx, doc)
		}
	}
	value, err := value.ValueOf(v)
	if err != nil {
		return nil, err
	}
	return c.of(ctx, value)
}

// of converts a JSON value to a value of the column.
func (c *jsonTableColumn) of(ctx *sql.Context, v document.Value) (interface{}, error) {
	switch {
	case types.IsJSON(c.Type):
		return value.JSON{Held: v}, nil
	case v.Type() == document.TypeNull:
		return nil, nil
	case v.Type() == document.TypeArray || v.Type() == document.TypeObject:
		return nil, mysql.NewSQLError(errJSONTableScalar, "2203F",
			"Can't store an array or an object in the scalar column '%s' of JSON_TABLE", c.Name)
	}
	out, err := scalarAs(ctx, v, c.Type)
	if err != nil {
		return nil, mysql.NewSQLError(errJSONTableRange, "22003", "Value is out of range for JSON_TABLE's column '%s'",
			c.Name)
	}
	return out, nil
}

// value returns the column's value for the value at its level's path, which has the number ordinal.
func (c *jsonTableColumn) value(ctx *sql.Context, v document.Value, ordinal int) (interface{}, error) {
	if c.ForOrd {
		n, _, err := c.Type.Convert(ctx, ordinal)
		return n, err
	}
	var first document.Value
	found := 0
	c.path.Each(v, func(m document.Value) bool {
		if found++; found == 1 {
			first = m
		}
		return found < 2 && !c.Exists
	})
	if c.Exists {
		n, _, err := c.Type.Convert(ctx, min(found, 1))
		return n, err
	}
	if found > 1 { // the array of all values
		first, _ = c.path.Extract(v)
	}
	switch {
	case found == 0 && c.ErrorOnEmpty:
		return nil, mysql.NewSQLError(errJSONTableMissing, "22035", "Missing value for JSON_TABLE column '%s'", c.Name)
	case found == 0:
		return c.onEmpty, nil
	}
	out, err := c.of(ctx, first)
	if err != nil && !c.ErrorOnError {
		return c.onError, nil
	}
	return out, err
}

// jsonTableWalk produces the rows.
type jsonTableWalk struct {
	ctx   *sql.Context
	row   sql.Row // values from the levels so far
	yield func(sql.Row, error) bool
}

// level yields the rows of the values at a level's path. It reports whether there were any, and whether more are
// wanted.
func (w *jsonTableWalk) level(l *jsonLevel, v document.Value) (any, more bool) {
	ordinal := 0
	more = l.path.Each(v, func(m document.Value) bool {
		ordinal++
		if err := w.ctx.Err(); err != nil {
			return w.yield(nil, err) && false
		}
		for i := range l.columns {
			c := &l.columns[i]
			value, err := c.value(w.ctx, m, ordinal)
			if err != nil {
				return w.yield(nil, err) && false
			}
			w.row[c.at] = value
		}
		below := false
		for _, nested := range l.nested {
			some, more := w.level(nested, m)
			if !more {
				return false
			}
			below = below || some
			clear(w.row[nested.from:nested.to]) // rows of the next nested level have no values of this one
		}
		return below || w.yield(slices.Clone(w.row), nil)
	})
	return ordinal > 0, more
}
