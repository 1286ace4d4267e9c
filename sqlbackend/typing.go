package sqlbackend

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// typing is what the SQL types of a definition say of its documents.
type typing struct {
	ctx *sql.Context // of conversions: no session takes part in them
	// unsettled are the columns whose documents may hold a former type's
	// values, or values that did not fit.
	unsettled []unsettledColumn
}

// unsettledColumn is a column with the types that it had.
type unsettledColumn struct {
	now     column
	earlier []earlierColumn // the oldest first
}

// earlierColumn is a column as documents below a generation hold it.
type earlierColumn struct {
	column
	below  int64
	absent document.Value // see catalog.Encoding
}

var _ tables.Typing = (*typing)(nil)

// newTyping makes the typing of a table; columns are its declared ones.
func newTyping(t *catalog.Table, columns []column) (*typing, error) {
	y := &typing{}
	for i := range t.Columns {
		if !t.Columns[i].Unsettled() {
			continue
		}
		u := unsettledColumn{now: columns[i]}
		for _, e := range t.Columns[i].Earlier {
			c, err := columnAt(t.At(e.Below-1), i)
			if err != nil {
				return nil, err
			}
			var absent document.Value
			if e.Absent != "" {
				if absent, err = document.ParseValue([]byte(e.Absent), document.Limits{}); err != nil {
					return nil, fmt.Errorf("sqlbackend: column %s of %s: what absent values read as: %w", t.Columns[i].Name, t, err)
				}
			}
			u.earlier = append(u.earlier, earlierColumn{c, e.Below, absent})
		}
		y.unsettled = append(y.unsettled, u)
	}
	if len(y.unsettled) > 0 {
		y.ctx = sql.NewEmptyContext()
		y.ctx.GetCharacterSetResults() // the session looks it up once, and is shared from here on
	}
	return y, nil
}

// columnAt is the declared column in a place of a table.
func columnAt(t *catalog.Table, place int) (column, error) {
	def := &t.Columns[place]
	path, err := columnKeypath(def.Name)
	if err != nil {
		return column{}, fmt.Errorf("sqlbackend: column %s of %s: %w", def.Name, t, err)
	}
	if def.Type == "" {
		return column{name: def.Name, keypath: path, typ: types.JSON, declared: place, unit: unitJSON, undeclared: true}, nil
	}
	typ, err := parseType(def.Type)
	if err != nil {
		return column{}, err
	}
	typ = value.Collated(typ, columnCollation(t, place))
	return column{name: def.Name, keypath: path, typ: typ, declared: place, unit: unitOf(typ), unsettled: def.Unsettled(),
		keepsNull: def.KeepsNull}, nil
}

// Upgrade implements tables.Typing: each value goes through all the types that
// its column has had since. One that is missing begins as the column's default was.
func (y *typing) Upgrade(d document.Document, generation int64) (document.Document, error) {
	for i := range y.unsettled {
		u := &y.unsettled[i]
		v, there := d.Lookup(u.now.keypath)
		next := v
		for j := range u.earlier {
			if generation >= u.earlier[j].below {
				continue
			}
			from, to := &u.earlier[j].column, &u.now
			if from.readsNull(next) && !u.earlier[j].absent.IsZero() {
				next = u.earlier[j].absent
				continue
			}
			if j+1 < len(u.earlier) {
				to = &u.earlier[j+1].column
			}
			next, _ = convertStored(y.ctx, from, to, next)
		}
		if !there && next.IsZero() || there && next.Text() == v.Text() {
			continue
		}
		var err error
		if d, err = u.now.put(d, next); err != nil {
			return d, fmt.Errorf("sqlbackend: column %s: %w", u.now.name, err)
		}
	}
	return d, nil
}

// Misfits implements tables.Typing.
func (y *typing) Misfits(d document.Document, visit func(tables.Misfit)) error {
	for i := range y.unsettled {
		c := &y.unsettled[i].now
		v, there := d.Lookup(c.keypath)
		if !there {
			continue
		}
		if _, err := readStored(y.ctx, c, v); err != nil {
			visit(tables.Misfit{Column: c.name, Value: v})
		}
	}
	return nil
}

// OpenCollection opens the collection of a table outside of the SQL engine: its
// documents are read by the types that the table declares.
func OpenCollection(cat *catalog.Catalog, def *catalog.Table) (*tables.Collection, error) {
	d, err := newDefinition(cat, def)
	if err != nil {
		return nil, err
	}
	return d.collection, nil
}

// maxMisfitWarnings bounds the warnings of one command about values that do
// not fit their column.
const maxMisfitWarnings = 64

// value is the SQL value of a column in a document that was read: NULL, with a
// warning, for a value that could not be converted when the column's type changed.
func (t *Table) value(ctx *sql.Context, pk []byte, c *column, v document.Value) (any, error) {
	if !c.unsettled {
		return fromJSON(ctx, c, v)
	}
	x, err := readStored(ctx, c, v)
	if err != nil {
		t.misfit(ctx, pk, c, v)
		return nil, nil
	}
	return x, nil
}

// readColumn is fromJSON, but NULL for a value that does not fit an unsettled column.
func readColumn(ctx *sql.Context, c *column, v document.Value) (any, error) {
	if !c.unsettled {
		return fromJSON(ctx, c, v)
	}
	if x, err := readStored(ctx, c, v); err == nil {
		return x, nil
	}
	return nil, nil
}

// misfit warns of a value that reads as NULL because it does not fit its column.
func (t *Table) misfit(ctx *sql.Context, pk []byte, c *column, v document.Value) {
	s, err := sessionOf(ctx)
	if err != nil || pk == nil {
		return
	}
	// Declared columns are read whether a statement names them or not.
	if n := s.commandNames(); len(n.Stars) == 0 && !n.Mentions(c.name) {
		return
	}
	key := "\x00misfit\x00" + t.def.Database + "\x00" + t.def.Name + "\x00" + c.name + "\x00" + string(pk)
	if s.warned[key] || len(s.warned) >= maxMisfitWarnings {
		return
	}
	if s.warned == nil {
		s.warned = map[string]bool{}
	}
	s.warned[key] = true
	text := v.Text()
	if v.Type() == document.TypeString {
		text = v.Str()
	}
	functions.Warn(ctx, mysql.ERTruncatedWrongValueForField,
		"Incorrect %s value: '%.100s' for column '%s' of the document with the primary key '%s'; it reads as NULL",
		typeName(c.typ), text, c.name, t.def.keyName(ctx, pk))
}

// typeName is a column's type as messages spell it, without its collation.
func typeName(t sql.Type) string {
	if text, err := typeText(t); err == nil {
		return text
	}
	return t.String()
}

// keyName is an encoded primary key as clients see it.
func (d *definition) keyName(ctx *sql.Context, pk []byte) string {
	values, err := d.decodeKey(ctx, pk)
	if err != nil {
		return fmt.Sprintf("%x", pk)
	}
	if d.hidden() {
		return fmt.Sprint(values...)
	}
	return d.keyText(ctx, values)
}
