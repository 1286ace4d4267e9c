package pushdown

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/dolthub/go-mysql-server/memory"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// bench parses predicates over one table, which has a column of each shape.
type bench struct {
	ctx      *sql.Context
	catalog  *sql.MapCatalog
	resolver testResolver
}

type testResolver map[string]Column

// Column implements Resolver.
func (r testResolver) Column(f *expression.GetField) (Column, string, bool) {
	c, ok := r[f.Name()]
	if !ok {
		return Column{}, f.Name() + " is not indexed", false
	}
	return c, "", true
}

// Keypath implements Resolver.
func (r testResolver) Keypath(p document.Keypath) (Column, string, bool) {
	if len(p) > 5 {
		return Column{}, p.String() + " is below the depth limit", false
	}
	if p[0].Name == "secret" {
		return Column{}, p.String() + " is excluded from the index", false
	}
	if p[0].Name == "hidden" && p[0].Array {
		return Column{}, p.String() + " is excluded from the index", false
	}
	c := Column{Keypath: p.String(), Path: p, Shape: ShapeJSON, Collation: collation.Default, StringLimit: 64}
	if p[0].Name == "ci" {
		c.Collation, _ = collation.Lookup("utf8mb4_0900_ai_ci")
	}
	return c, "", true
}

// Stubs implements Resolver: the elements of the arrays at hidden are excluded.
func (r testResolver) Stubs(p document.Keypath, class byte) bool {
	return len(p) >= 5 || class == ordered.ClassArray && len(p) == 1 && p[0].Name == "hidden"
}

// Holds implements Resolver: no array at flat holds another one.
func (r testResolver) Holds(p document.Keypath, class byte) bool { return p[0].Name != "flat" }

// HasTexts implements Resolver.
func (r testResolver) HasTexts(Column) bool { return false }

// Certain implements Resolver: nothing is counted.
func (r testResolver) Certain(Column, Among) bool { return false }

// calledFunction stands for a function that the engine's own registry lacks.
type calledFunction struct {
	expression.NaryExpression
	name string
}

func called(name string) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(args ...sql.Expression) (sql.Expression, error) {
		return &calledFunction{expression.NaryExpression{ChildExpressions: args}, name}, nil
	}}
}

func (f *calledFunction) FunctionName() string { return f.name }
func (f *calledFunction) Description() string  { return f.name }
func (f *calledFunction) Type() sql.Type       { return types.Boolean }
func (f *calledFunction) IsNullable() bool     { return true }
func (f *calledFunction) Eval(*sql.Context, sql.Row) (any, error) {
	return nil, fmt.Errorf("%s is not evaluated here", f.name)
}
func (f *calledFunction) WithChildren(args ...sql.Expression) (sql.Expression, error) {
	return &calledFunction{expression.NaryExpression{ChildExpressions: args}, f.name}, nil
}
func (f *calledFunction) String() string {
	args := make([]string, len(f.ChildExpressions))
	for i, a := range f.ChildExpressions {
		args[i] = a.String()
	}
	return f.name + "(" + strings.Join(args, ", ") + ")"
}

// movedCall is a call of the engine's own function as a MovedExpression.
type movedCall struct {
	sql.FunctionExpression
	by   *expression.Interval
	sign int64
}

func moved(of func(...sql.Expression) (sql.Expression, error), sign int64) sql.Function {
	return sql.FunctionN{Fn: func(args ...sql.Expression) (sql.Expression, error) {
		f, err := of(args...)
		if err != nil {
			return nil, err
		}
		return &movedCall{f.(sql.FunctionExpression), args[1].(*expression.Interval), sign}, nil
	}}
}

func (m *movedCall) Children() []sql.Expression {
	return []sql.Expression{m.FunctionExpression.Children()[0], m.by.Child}
}
func (m *movedCall) WithChildren(...sql.Expression) (sql.Expression, error) { return m, nil }
func (m *movedCall) PushdownMoved(ctx *sql.Context) (int64, time.Duration, bool) {
	by, err := m.by.EvalDelta(ctx, nil)
	if err != nil || by == nil || by.Years > 1000 {
		return 0, 0, false
	}
	return m.sign * (12*by.Years + by.Months), time.Duration(m.sign) * (time.Duration(by.Days)*24*time.Hour +
		time.Duration(by.Minutes)*time.Minute), true
}

func newBench() *bench {
	db := memory.NewDatabase("db")
	provider := memory.NewDBProvider(db)
	ctx := sql.NewContext(context.Background(), sql.WithSession(memory.NewSession(sql.NewBaseSession(), provider)))
	ctx.SetCurrentDatabase("db")
	boolean := types.Boolean
	amount := types.MustCreateDecimalType(20, 5)
	schema := sql.Schema{
		{Name: "_id", Type: types.MustCreateStringWithDefaults(sqltypes.VarChar, 255), PrimaryKey: true},
		{Name: "n", Type: types.Int64, Nullable: true},
		{Name: "u", Type: types.Uint64, Nullable: true},
		{Name: "x", Type: types.Float64, Nullable: true},
		{Name: "d", Type: amount, Nullable: true},
		{Name: "flag", Type: boolean, Nullable: true},
		{Name: "s", Type: types.LongText, Nullable: true},
		{Name: "address.zipcode", Type: types.LongText, Nullable: true},
		{Name: "b", Type: types.LongText, Nullable: true},
		{Name: "ci", Type: types.LongText, Nullable: true},
		{Name: "j", Type: types.JSON, Nullable: true},
		{Name: "tags", Type: types.JSON, Nullable: true},
		{Name: "day", Type: types.Date, Nullable: true},
		{Name: "stamp", Type: types.Datetime, Nullable: true},
		{Name: "blob", Type: types.LongBlob, Nullable: true},
		{Name: "deep", Type: types.LongText, Nullable: true},
		{Name: "k.l.m.n.o.p", Type: types.JSON, Nullable: true},
		{Name: "_doc", Type: types.JSON, Nullable: true},
	}
	shapes := map[string]Shape{
		"n": ShapeNumber, "u": ShapeNumber, "x": ShapeNumber, "d": ShapeNumber, "flag": ShapeBoolean, "s": ShapeString,
		"address.zipcode": ShapeString, "b": ShapeString, "ci": ShapeString, "j": ShapeJSON, "tags": ShapeJSON,
		"k.l.m.n.o.p": ShapeJSON, "day": ShapeDate,
		"stamp": ShapeDatetime, "blob": ShapeOther,
	}
	resolver := testResolver{"_doc": {Document: true},
		"_id": {Name: "_id", PrimaryKeyPart: 1, Shape: ShapeString, Collation: collation.Binary}}
	for name, shape := range shapes {
		path, err := document.ParseKeypath(name)
		if err != nil {
			panic(err)
		}
		coll := collation.Default
		switch name {
		case "b":
			coll = collation.Binary
		case "ci":
			coll, _ = collation.Lookup("utf8mb4_0900_ai_ci")
		}
		resolver[name] = Column{Stubbed: len(path) > 5, Keypath: name, Path: path, Shape: shape, Collation: coll,
			StringLimit: 64, Rounded: name == "d", Scale: 5}
	}
	for _, c := range schema {
		c.Source, c.DatabaseSource = "t", "db"
	}
	functions := function.NewRegistry()
	for _, name := range []string{"member_of", "json_overlaps", "json_search"} {
		functions[name] = called(name)
	}
	functions["date_add"], functions["date_sub"] = moved(function.NewDateAdd, 1), moved(function.NewDateSub, -1)
	table := memory.NewTable(db, "t", sql.NewPrimaryKeySchema(schema), nil)
	db.AddTable("t", table)
	return &bench{
		ctx: ctx,
		catalog: &sql.MapCatalog{
			Databases: map[string]sql.Database{"db": db},
			Tables:    map[string]sql.Table{"t": table},
			Funcs:     functions,
		},
		resolver: resolver,
	}
}

// parse gives the conjuncts of a WHERE clause.
func (b *bench) parse(where string) (conjuncts []sql.Expression, err error) {
	node, _, _, _, err := planbuilder.New(b.ctx, b.catalog, nil, nil).Parse("SELECT 1 FROM t WHERE "+where, nil, false)
	if err != nil {
		return nil, err
	}
	transform.Inspect(node, func(n sql.Node) bool {
		if f, ok := n.(*plan.Filter); ok {
			conjuncts = expression.SplitConjunction(f.Expression)
		}
		return true
	})
	if conjuncts == nil {
		return nil, fmt.Errorf("no filter in %s", where)
	}
	return conjuncts, nil
}

// TestCorpus checks what each predicate becomes: one predicate a line in, and
// for each of its candidates the keypath, the spans, tight or not, whether no
// document may lack the keypath, and the residual conjuncts.
func TestCorpus(t *testing.T) {
	b := newBench()
	count := 0
	datadriven.Walk(t, "testdata/split", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "split" {
				t.Fatalf("unknown command %s", d.Cmd)
			}
			var out strings.Builder
			for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
				count++
				conjuncts, err := b.parse(line)
				if err != nil {
					fmt.Fprintf(&out, "%s\n  not parsed: %v\n", line, err)
					continue
				}
				out.WriteString(line + "\n")
				writeResult(&out, Split(b.ctx, conjuncts, b.resolver, Options{Explain: true}), conjuncts)
			}
			return out.String()
		})
	})
	if least := 400; count < least {
		t.Errorf("the corpus has %d predicates, should have at least %d", count, least)
	}
}

func writeResult(out *strings.Builder, r Result, conjuncts []sql.Expression) {
	for _, c := range r.Candidates {
		fmt.Fprintf(out, "  %s", c)
		if c.PrimaryKey {
			out.WriteString(" (primary key)")
		}
		if c.Tight {
			out.WriteString(" tight")
		} else {
			out.WriteString(" loose")
		}
		if c.NeedsAllPresent {
			out.WriteString(" if-none-lacks-it")
		}
		for i, n := range c.Residual {
			if i == 0 {
				out.WriteString(" residual:")
			} else {
				out.WriteString(" AND")
			}
			out.WriteString(" " + strings.ReplaceAll(conjuncts[n].String(), "t.", ""))
		}
		out.WriteString("\n")
	}
	for _, reason := range r.Reasons {
		fmt.Fprintf(out, "  no range: %s\n", strings.ReplaceAll(reason, "t.", ""))
	}
}
