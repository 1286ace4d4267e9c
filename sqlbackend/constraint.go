package sqlbackend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// constraints are what a table's definition says about rows as a whole. The
// engine applies them to the row that a statement gives. In an open table `_doc` may
// hold the columns' values, which the engine doesn't look into: there they are
// applied to the document.
type constraints struct {
	generated []generatedColumn
	checks    []check
	reads     map[int]bool // the columns that the expressions read
}

type generatedColumn struct {
	place int
	value sql.Expression
}

type check struct {
	name string
	expr sql.Expression
}

// finish makes a document of an open table what its definition wants: columns
// that must have a value have one, generated columns are computed.
func (t *Table) finish(ctx *sql.Context, d document.Document) (document.Document, error) {
	if !t.def.Open {
		return t.computeParts(ctx, d)
	}
	if len(t.def.Columns) == len(t.def.PrimaryKey) {
		return d, nil
	}
	for i := range t.def.Columns {
		def := &t.def.Columns[i]
		if def.Nullable || def.Generated != "" || t.def.isKey(i) {
			continue
		}
		v, there := d.Lookup(t.columns[i].keypath)
		if !there {
			return d, sql.ErrInsertIntoNonNullableDefaultNullColumn.New(def.Name)
		}
		if t.columns[i].readsNull(v) {
			return d, sql.ErrInsertIntoNonNullableProvidedNull.New(def.Name)
		}
	}
	return t.compute(ctx, d)
}

// compute gives the generated columns of a document their values.
func (t *Table) compute(ctx *sql.Context, d document.Document) (document.Document, error) {
	return t.computeFrom(ctx, d, 0)
}

// computeFrom is compute for the columns from a place on.
func (t *Table) computeFrom(ctx *sql.Context, d document.Document, first int) (document.Document, error) {
	for i := t.def.Visible(); i < len(t.def.Columns); i++ {
		if t.def.Columns[i].PrefixOf != "" {
			var err error
			if d, err = t.def.fillPrefix(ctx, d, &t.def.columns[i]); err != nil {
				return d, err
			}
		}
	}
	if !slices.ContainsFunc(t.def.Columns[first:], func(c catalog.Column) bool { return c.Generated != "" }) {
		return d, nil
	}
	c, err := t.constraints(ctx)
	if err != nil {
		return d, err
	}
	row, err := t.constrained(ctx, c, d)
	if err != nil {
		return d, err
	}
	for _, g := range c.generated {
		if g.place < first {
			continue
		}
		column := &t.def.columns[g.place]
		v, err := g.value.Eval(ctx, row)
		if err != nil {
			return d, err
		}
		switch {
		case v == nil:
		case t.nearest != nil:
			v, _, err = t.nearest.Wrapped(column.typ, column.name, -1).Convert(ctx, v)
		default:
			v, err = convertValue(ctx, column, v)
		}
		if err != nil {
			return d, err
		}
		if !t.def.Columns[g.place].Hidden {
			row[g.place] = v
		}
		value, err := toJSON(ctx, column, v)
		if err != nil {
			return d, err
		}
		if d, err = column.put(d, value); err != nil {
			return d, err
		}
	}
	return d, nil
}

// readsDocument reports whether an expression may read `_doc`; doubt counts.
func readsDocument(text string) bool {
	return strings.Contains(strings.ToLower(text), documentColumn)
}

// checksDocuments reports whether a check reads whole documents.
func (d *definition) checksDocuments() bool {
	return d.Open && slices.ContainsFunc(d.Checks, func(c catalog.Check) bool {
		return c.Enforced &&
			readsDocument(c.Expression)
	})
}

// holds applies the checks that the engine leaves to us to a document as it will be stored.
func (t *Table) holds(ctx *sql.Context, d document.Document) error {
	if !t.def.Open && !t.writes.Joined {
		return nil
	}
	return t.keepsChecks(ctx, d)
}

// keepsChecks fails when a document breaks a CHECK.
func (t *Table) keepsChecks(ctx *sql.Context, d document.Document) error {
	if len(t.def.Checks) == 0 {
		return nil
	}
	c, err := t.constraints(ctx)
	if err != nil || len(c.checks) == 0 {
		return err
	}
	row, err := t.constrained(ctx, c, d)
	if err != nil {
		return err
	}
	for _, check := range c.checks {
		holds, err := sql.EvaluateCondition(ctx, check.expr, row)
		if err != nil {
			return err
		}
		if sql.IsFalse(holds) {
			return sql.ErrCheckConstraintViolated.New(check.name)
		}
	}
	return nil
}

// constrained is the part of a document's row that the constraints read. The
// rest may not fit the types of the statement's columns: those of keypaths that
// no column declares are what documents had before it.
func (t *Table) constrained(ctx *sql.Context, c *constraints, d document.Document) (sql.Row, error) {
	row := make(sql.Row, len(t.columns))
	for i := range t.columns {
		column := &t.columns[i]
		switch {
		case column.document:
			row[i] = value.NewJSON(d.Value)
		case c.reads[i]:
			v, ok := d.Lookup(column.keypath)
			if !ok {
				continue
			}
			var err error
			if row[i], err = t.value(ctx, nil, column, v); err != nil {
				return nil, fmt.Errorf("sqlbackend: read %s: %w", t.def, err)
			}
		}
	}
	return row, nil
}

// constraints binds the table's expressions to its columns, once per statement.
func (t *Table) constraints(ctx *sql.Context) (*constraints, error) {
	if t.bound != nil {
		return t.bound, nil
	}
	c := &constraints{}
	for i := range t.def.Columns {
		if text := t.def.Columns[i].Generated; text != "" {
			e, err := t.bind(ctx, text)
			if err != nil {
				return nil, err
			}
			c.generated = append(c.generated, generatedColumn{i, e})
		}
	}
	for _, x := range t.def.Checks {
		if !x.Enforced {
			continue
		}
		e, err := t.bind(ctx, x.Expression)
		if err != nil {
			return nil, err
		}
		c.checks = append(c.checks, check{x.Name, e})
	}
	c.reads = map[int]bool{}
	read := func(e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok {
			c.reads[f.Index()] = true
		}
		return false
	}
	for _, g := range c.generated {
		transform.InspectExpr(g.value, read)
	}
	for _, x := range c.checks {
		transform.InspectExpr(x.expr, read)
	}
	t.bound = c
	return c, nil
}

// bind makes an expression over the table's rows of its text.
func (t *Table) bind(ctx *sql.Context, text string) (e sql.Expression, err error) {
	engine := t.session.backend.Engine
	of := &ast.AliasedTableExpr{Expr: ast.TableName{
		Name: ast.NewTableIdent(t.def.Name), DbQualifier: ast.NewTableIdent(t.def.Database)}}
	stmt, err := engine.Parser.ParseSimple("SELECT " + text)
	defer func() {
		// The engine's builder reports errors by panicking, with what only its own functions can read.
		if p := recover(); p != nil {
			e, err = nil, fmt.Errorf("sqlbackend: expression %s of %s: %v", text, t.def, p)
			if sel, ok := stmt.(*ast.Select); ok {
				sel.From = ast.TableExprs{of}
				b := planbuilder.New(ctx, engine.Analyzer.Catalog, nil, engine.Parser)
				b.DisableAuth()
				if _, _, failed := b.BindOnly(sel, "SELECT "+text, nil); failed != nil {
					err = failed
				}
			}
		}
	}()
	if err != nil {
		return nil, fmt.Errorf("sqlbackend: expression %s of %s: %w", text, t.def, err)
	}
	sel, ok := stmt.(*ast.Select)
	if !ok || len(sel.SelectExprs) != 1 {
		return nil, fmt.Errorf("sqlbackend: expression %s of %s is not one expression", text, t.def)
	}
	aliased, ok := sel.SelectExprs[0].(*ast.AliasedExpr)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: expression %s of %s is not one expression", text, t.def)
	}
	b := planbuilder.New(ctx, engine.Analyzer.Catalog, nil, engine.Parser)
	b.DisableAuth()
	built := b.BuildScalarWithTable(aliased.Expr, of)
	out, _, err := transform.Expr(built, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		f, ok := e.(*expression.GetField)
		if !ok {
			return e, transform.SameTree, nil
		}
		i := t.schema.IndexOfColName(f.Name())
		if i < 0 {
			return nil, transform.SameTree, sql.ErrColumnNotFound.New(f.Name())
		}
		return f.WithIndex(i), transform.NewTree, nil
	})
	return out, err
}
