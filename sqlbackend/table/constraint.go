package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Constraints are a table's rules for whole rows. The engine applies them to the row that a statement gives. In an
// open table `_doc` may hold the columns' values, which the engine doesn't see; there they are applied to the
// document.
type Constraints struct {
	generated []generatedColumn
	checks    []check
	Reads     map[int]bool // indexes of the columns that the expressions read
}

type generatedColumn struct {
	place int
	value sql.Expression
}

type check struct {
	name string
	expr sql.Expression
}

// finish completes a document of an open table: it checks that NOT NULL columns have values, and computes generated
// columns. In a closed table it computes only the hidden columns.
func (t *Table) finish(ctx *sql.Context, d document.Document) (document.Document, error) {
	if !t.Def.Open {
		return t.ComputeParts(ctx, d)
	}
	if len(t.Def.Columns) == len(t.Def.PrimaryKey) {
		return d, nil
	}
	for i := range t.Def.Columns {
		def := &t.Def.Columns[i]
		if def.Nullable || def.Generated != "" || t.Def.IsKey(i) {
			continue
		}
		v, there := d.Lookup(t.Columns[i].Keypath)
		if !there {
			return d, sql.ErrInsertIntoNonNullableDefaultNullColumn.New(def.Name)
		}
		if t.Columns[i].ReadsNull(v) {
			return d, sql.ErrInsertIntoNonNullableProvidedNull.New(def.Name)
		}
	}
	return t.Compute(ctx, d)
}

// Compute sets the values of a document's generated columns.
func (t *Table) Compute(ctx *sql.Context, d document.Document) (document.Document, error) {
	return t.computeFrom(ctx, d, 0)
}

// computeFrom is Compute for the columns from index first on; prefix columns are always set.
func (t *Table) computeFrom(ctx *sql.Context, d document.Document, first int) (document.Document, error) {
	for i := t.Def.Visible(); i < len(t.Def.Columns); i++ {
		if t.Def.Columns[i].PrefixOf != "" {
			var err error
			if d, err = FillPrefix(t.Def, ctx, d, &t.Def.SQLColumns[i]); err != nil {
				return d, err
			}
		}
	}
	if !slices.ContainsFunc(t.Def.Columns[first:], func(c catalog.Column) bool { return c.Generated != "" }) {
		return d, nil
	}
	c, err := t.constraints(ctx)
	if err != nil {
		return d, err
	}
	row, err := t.Constrained(ctx, c, d)
	if err != nil {
		return d, err
	}
	for _, g := range c.generated {
		if g.place < first {
			continue
		}
		column := &t.Def.SQLColumns[g.place]
		v, err := g.value.Eval(ctx, row)
		if err != nil {
			return d, err
		}
		switch {
		case v == nil:
		case t.Nearest != nil:
			v, _, err = t.Nearest.Wrapped(column.Typ, column.Name, -1).Convert(ctx, v)
		default:
			v, err = session.ConvertValue(ctx, column, v)
		}
		if err != nil {
			return d, err
		}
		if !t.Def.Columns[g.place].Hidden {
			row[g.place] = v
		}
		value, err := session.ToJSON(ctx, column, v)
		if err != nil {
			return d, err
		}
		if d, err = column.Put(d, value); err != nil {
			return d, err
		}
	}
	return d, nil
}

// readsDocument reports whether an expression may read `_doc`; any mention counts.
func readsDocument(text string) bool {
	return strings.Contains(strings.ToLower(text), session.DocumentColumn)
}

// ChecksDocuments reports whether a check reads whole documents.
func ChecksDocuments(d *session.Definition) bool {
	return d.Open && slices.ContainsFunc(d.Checks, func(c catalog.Check) bool {
		return c.Enforced &&
			readsDocument(c.Expression)
	})
}

// holds applies the checks that the engine doesn't apply to a document that will be stored.
func (t *Table) holds(ctx *sql.Context, d document.Document) error {
	if !t.Def.Open && !t.Writes.Joined {
		return nil
	}
	return t.KeepsChecks(ctx, d)
}

// KeepsChecks fails if a document breaks a CHECK.
func (t *Table) KeepsChecks(ctx *sql.Context, d document.Document) error {
	if len(t.Def.Checks) == 0 {
		return nil
	}
	c, err := t.constraints(ctx)
	if err != nil || len(c.checks) == 0 {
		return err
	}
	row, err := t.Constrained(ctx, c, d)
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

// Constrained returns the part of a document's row that the constraints read. Other values may not fit their
// columns' types: columns that are not declared have the types of the documents before the statement.
func (t *Table) Constrained(ctx *sql.Context, c *Constraints, d document.Document) (sql.Row, error) {
	row := make(sql.Row, len(t.Columns))
	for i := range t.Columns {
		column := &t.Columns[i]
		switch {
		case column.Document:
			row[i] = value.NewJSON(d.Value)
		case c.Reads[i]:
			v, ok := d.Lookup(column.Keypath)
			if !ok {
				continue
			}
			var err error
			if row[i], err = t.value(ctx, nil, column, v); err != nil {
				return nil, fmt.Errorf("sqlbackend: read %s: %w", t.Def, err)
			}
		}
	}
	return row, nil
}

// constraints binds the table's expressions to its columns, once per statement.
func (t *Table) constraints(ctx *sql.Context) (*Constraints, error) {
	if t.Bound != nil {
		return t.Bound, nil
	}
	c := &Constraints{}
	for i := range t.Def.Columns {
		if text := t.Def.Columns[i].Generated; text != "" {
			e, err := t.BindValue(ctx, text)
			if err != nil {
				return nil, err
			}
			c.generated = append(c.generated, generatedColumn{i, e})
		}
	}
	for _, x := range t.Def.Checks {
		if !x.Enforced {
			continue
		}
		e, err := t.BindValue(ctx, x.Expression)
		if err != nil {
			return nil, err
		}
		c.checks = append(c.checks, check{x.Name, e})
	}
	c.Reads = map[int]bool{}
	read := func(e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok {
			c.Reads[f.Index()] = true
		}
		return false
	}
	for _, g := range c.generated {
		transform.InspectExpr(g.value, read)
	}
	for _, x := range c.checks {
		transform.InspectExpr(x.expr, read)
	}
	t.Bound = c
	return c, nil
}

// valueRules replace the engine's comparisons and functions in an expression, so that it evaluates as in a
// statement.
var valueRules = tree.InTurn(compare.MixedRule, compare.ResultTypeRule, compare.CompareRule)

// BindValue is Bind for an expression that will be evaluated. Its value is the same as in a statement.
func (t *Table) BindValue(ctx *sql.Context, text string) (sql.Expression, error) {
	e, err := t.Bind(ctx, text)
	if err != nil {
		return nil, err
	}
	return t.evaluable(ctx, e)
}

// evaluable applies valueRules to an expression from Bind.
func (t *Table) evaluable(ctx *sql.Context, e sql.Expression) (sql.Expression, error) {
	selected := plan.NewProject([]sql.Expression{e}, plan.NewResolvedTable(t, nil, nil))
	n, _, err := valueRules(ctx, nil, selected, nil, nil, &sql.QueryFlags{})
	if err != nil {
		return nil, err
	}
	return n.(*plan.Project).Projections[0], nil
}

// Bind parses an expression over the table's rows, with the engine's own comparisons and functions.
func (t *Table) Bind(ctx *sql.Context, text string) (e sql.Expression, err error) {
	engine := t.Session.Backend.Engine
	of := &ast.AliasedTableExpr{Expr: ast.TableName{
		Name: ast.NewTableIdent(t.Def.Name), DbQualifier: ast.NewTableIdent(t.Def.Database)}}
	stmt, err := engine.Parser.ParseSimple("SELECT " + text)
	defer func() {
		// The engine's builder reports errors by panicking with a value that only its own functions can read.
		if p := recover(); p != nil {
			e, err = nil, fmt.Errorf("sqlbackend: expression %s of %s: %v", text, t.Def, p)
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
		return nil, fmt.Errorf("sqlbackend: expression %s of %s: %w", text, t.Def, err)
	}
	sel, ok := stmt.(*ast.Select)
	if !ok || len(sel.SelectExprs) != 1 {
		return nil, fmt.Errorf("sqlbackend: expression %s of %s is not one expression", text, t.Def)
	}
	aliased, ok := sel.SelectExprs[0].(*ast.AliasedExpr)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: expression %s of %s is not one expression", text, t.Def)
	}
	b := planbuilder.New(ctx, engine.Analyzer.Catalog, nil, engine.Parser)
	b.DisableAuth()
	built := b.BuildScalarWithTable(aliased.Expr, of)
	out, _, err := transform.Expr(built, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		f, ok := e.(*expression.GetField)
		if !ok {
			return e, transform.SameTree, nil
		}
		i := t.Layout.IndexOfColName(f.Name())
		if i < 0 {
			return nil, transform.SameTree, sql.ErrColumnNotFound.New(f.Name())
		}
		return f.WithIndex(i), transform.NewTree, nil
	})
	return out, err
}
