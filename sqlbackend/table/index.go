package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

var _ sql.IndexAlterableTable = (*Table)(nil)

// SpelledColumn returns a column's name as its declaration spells it; a key's definition may spell it otherwise.
func SpelledColumn(of *catalog.Table, name string) string {
	for _, c := range of.Columns {
		if strings.EqualFold(c.Name, name) {
			return c.Name
		}
	}
	return name
}

// DeclaredInline reports whether an index belongs to a column that the running CREATE TABLE declares UNIQUE.
func DeclaredInline(s *session.Session, idx catalog.Index) bool {
	ddl, ok := s.Parsed.Statement().(*ast.DDL)
	if !ok || ddl.TableSpec == nil || !idx.Unique || len(idx.Columns) != 1 ||
		!strings.EqualFold(idx.Name, idx.Columns[0]) {
		return false
	}
	return slices.ContainsFunc(ddl.TableSpec.Columns, func(c *ast.ColumnDefinition) bool {
		return strings.EqualFold(c.Name.String(), idx.Name) && c.Type.KeyOpt != 0
	})
}

// FindIndex returns the position of an index of this name; -1: there is none.
func FindIndex(def *catalog.Table, name string) int {
	return slices.IndexFunc(def.Indexes, func(x catalog.Index) bool { return strings.EqualFold(x.Name, name) })
}

// shownIndexes returns the declared indexes, for statements that show or change them. There are none for the planner
// of a statement that reads the table: it would use them as access paths of its own, and it splits their names at
// dots.
func (t *Table) shownIndexes() []sql.Index {
	if t.Session == nil || t.Session.Parsed.Names().Uses(strings.ToLower(t.Def.Name)) {
		return nil
	}
	var out []sql.Index
	if !t.Def.Hidden() {
		primary := catalog.Index{Name: "PRIMARY", Unique: true}
		for _, k := range t.Def.PrimaryKey {
			primary.Columns = append(primary.Columns, t.Def.Columns[k].Name)
		}
		out = append(out, &DeclaredIndex{t.Def, primary})
	}
	modifies, likens := modifiesColumn(t.Session), Likened(t.Session) != nil
	for _, x := range t.Def.Table.Indexes {
		if likens && Partial(t.Def, &x) {
			continue // CreateTable makes it: the engine knows only columns
		}
		if modifies {
			// The engine looks the columns of indexes up, and panics for undeclared names.
			x.Columns = slices.DeleteFunc(slices.Clone(x.Columns), func(name string) bool {
				i, ok := t.Def.Table.Column(name)
				return !ok || t.Def.Columns[i].Hidden
			})
		}
		out = append(out, &DeclaredIndex{t.Def, x})
	}
	if name := droppedIfThere(t.Session); name != "" && FindIndex(t.Def.Table, name) < 0 {
		out = append(out, &DeclaredIndex{t.Def, catalog.Index{Name: name}}) // DropIndex reports that there is none
	}
	return out
}

// modifiesColumn reports whether the running command is an ALTER TABLE … MODIFY or CHANGE of a column.
func modifiesColumn(s *session.Session) bool {
	for _, stmt := range s.Parsed.All {
		var all []*ast.DDL
		switch stmt := stmt.(type) {
		case *ast.DDL:
			all = []*ast.DDL{stmt}
		case *ast.AlterTable:
			all = stmt.Statements
		}
		if slices.ContainsFunc(all, func(d *ast.DDL) bool {
			return d.ColumnAction == ast.ModifyStr ||
				d.ColumnAction == ast.ChangeStr
		}) {
			return true
		}
	}
	return false
}

// DeclaredIndex is a declared index for the engine.
type DeclaredIndex struct {
	Def *session.Definition
	Idx catalog.Index
}

var _ sql.Index = (*DeclaredIndex)(nil)

// ID implements sql.Index.
func (x *DeclaredIndex) ID() string { return x.Idx.Name }

// Database implements sql.Index.
func (x *DeclaredIndex) Database() string { return x.Def.Database }

// Table implements sql.Index.
func (x *DeclaredIndex) Table() string { return x.Def.Name }

// Expressions implements sql.Index.
func (x *DeclaredIndex) Expressions() []string {
	out := make([]string, len(x.Idx.Columns))
	for i, c := range x.Idx.Columns {
		out[i] = x.Def.Name + "." + c
	}
	return out
}

// IsUnique implements sql.Index.
func (x *DeclaredIndex) IsUnique() bool { return x.Idx.Unique }

// IsSpatial implements sql.Index.
func (x *DeclaredIndex) IsSpatial() bool { return false }

// IsFullText implements sql.Index.
func (x *DeclaredIndex) IsFullText() bool { return false }

// IsVector implements sql.Index.
func (x *DeclaredIndex) IsVector() bool { return false }

// Comment implements sql.Index.
func (x *DeclaredIndex) Comment() string { return x.Idx.Comment }

// IndexType implements sql.Index.
func (x *DeclaredIndex) IndexType() string { return "BTREE" }

// IsGenerated implements sql.Index.
func (x *DeclaredIndex) IsGenerated() bool { return false }

// ColumnExpressionTypes implements sql.Index.
func (x *DeclaredIndex) ColumnExpressionTypes() []sql.ColumnExpressionType {
	out := make([]sql.ColumnExpressionType, len(x.Idx.Columns))
	for i, e := range x.Expressions() {
		out[i].Expression = e
		if c := x.Def.ColumnNamed(x.Idx.Columns[i]); c != nil {
			out[i].Type = c.Typ
		} else {
			out[i].Type = value.NewTextType(x.Def.SQLCollation)
		}
	}
	return out
}

// CanSupport implements sql.Index.
func (x *DeclaredIndex) CanSupport(*sql.Context, ...sql.Range) bool { return false }

// CanSupportOrderBy implements sql.Index.
func (x *DeclaredIndex) CanSupportOrderBy(sql.Expression) bool { return false }

// PrefixLengths implements sql.Index.
func (x *DeclaredIndex) PrefixLengths() []uint16 { return nil }

// Conditional returns the running statement if it is CREATE or DROP INDEX with IF [NOT] EXISTS, else nil.
func Conditional(s *session.Session) *ast.DDL {
	a, ok := s.Parsed.Statement().(*ast.AlterTable)
	if !ok || len(a.Statements) != 1 || a.Statements[0].IndexSpec == nil || !a.Statements[0].IfExists {
		return nil
	}
	return a.Statements[0]
}

// droppedIfThere returns the name of the index in a running DROP INDEX IF EXISTS; "" for other statements.
func droppedIfThere(s *session.Session) string {
	if d := Conditional(s); d != nil && d.IndexSpec.Action == ast.DropStr {
		return d.IndexSpec.ToName.String()
	}
	return ""
}

// Likened returns the table that the running CREATE TABLE … LIKE copies; nil for other statements.
func Likened(s *session.Session) *ast.TableName {
	ddl, ok := s.Parsed.Statement().(*ast.DDL)
	if !ok || ddl.OptLike == nil || len(ddl.OptLike.LikeTables) == 0 {
		return nil
	}
	return &ddl.OptLike.LikeTables[0]
}

// Partial reports whether a part of an index is an expression or a prefix of a column.
func Partial(d *session.Definition, idx *catalog.Index) bool {
	return len(idx.Lengths) > 0 || len(HiddenOf(d.Table, idx)) > 0
}

// ComputedColumn is the value that ALTER TABLE writes into existing rows: of a generated column, or of a default
// that is an expression. The engine writes only defaults. It reads their columns from a row that already has the new
// column, at the places that they had without it.
type ComputedColumn struct {
	Table     *Table // before the change
	Reads     Constraints
	Value     sql.Expression
	Generated bool
}

// Altered returns the table as it will be after a change. Its expressions are bound to the columns after the change.
func (t *Table) Altered(ctx *sql.Context, to *session.Definition) (*Table, error) {
	s := t.Session
	view, err := s.Readers.Definitions()
	if err != nil {
		return nil, err
	}
	def, ok := view.Table(t.Def.Database, t.Def.Name)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: %s: %w", t.Def, catalog.ErrNoTable)
	}
	r, err := s.Readers.Plan()
	if err != nil {
		return nil, err
	}
	after, err := NewTable(s, to, r, session.Shape{Document: true, Key: true})
	if err != nil {
		return nil, err
	}
	before := s.Tables
	defer func() { s.Tables = before }()
	s.Tables = map[string]session.CachedTable{strings.ToLower(def.Database) + "\x00" + strings.ToLower(def.Name): {
		Def: def, Statements: len(s.Parsed.All), Table: after}}
	_, err = after.constraints(ctx)
	return after, err
}

// A column is unsettled while documents hold values of a former type, and after that if some values did not fit. SQL
// then reads other values than the index holds. So ranges over it are widened, never tight, and not used where NULL
// satisfies the predicate: a value that does not fit reads as NULL, wherever its entry is.

// unsettledShape sets the shape of an unsettled column, whose counts don't show it, and the rounding that ranges
// must allow for. It is false if it has no ranges.
func unsettledShape(d *session.Definition, c *session.Column, counts costing.Keypath, out *pushdown.Column) bool {
	out.Shape = ShapeOf(c, nil)
	if out.Shape != pushdown.ShapeNumber || session.Only(counts, session.IntegerKinds...) && c.Unit != session.UnitDouble {
		return out.Shape != pushdown.ShapeOther
	}
	if c.Unit == session.UnitDouble {
		// Larger integers and longer decimals are rounded to doubles.
		return !slices.ContainsFunc([]document.Kind{document.KindInt64, document.KindUint64, document.KindBigInt,
			document.KindBigNum},
			func(k document.Kind) bool { return !counts[k].IsZero() })
	}
	scale, ok := d.LeastScale(c)
	out.Rounded, out.Scale = true, scale
	return ok
}
