package sqlbackend

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// VarPrograms turns programs on, which is the default, or off.
const VarPrograms = "sqlfdb_programs"

// program is a SELECT of one table's columns by its primary key as it was planned once. The plan is right for every
// text, or every integer, that the key may be compared with, as long as the table has the same columns of the same
// types; the path to the document is found anew by each run.
type program struct {
	table     *Table
	shown     sql.Node           // what the plan gives, over nothing: the rows come from elsewhere
	columns   []sql.Expression   // of the rows; nil: all, as they are
	condition *expression.Equals // of the column and a literal
	results   value.ResultColumns
}

// programs are those of a server, found by the text of the statement without that literal, and by the current
// database.
type programs struct {
	mu   sync.RWMutex
	kept map[programKey]*program
	runs atomic.Int64
}

type programKey struct{ database, text string }

// maxPrograms bounds the programs that are kept: beyond it all begin anew.
const maxPrograms = 1024

func (p *programs) find(k programKey) *program {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.kept[k]
}

func (p *programs) keep(k programKey, made *program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept == nil || len(p.kept) >= maxPrograms {
		p.kept = map[programKey]*program{}
	}
	p.kept[k] = made
}

// figures are how many programs are kept and how often they have run.
func (p *programs) figures() (kept int, runs int64) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return len(p.kept), p.runs.Load()
}

// Query runs a statement as the engine's QueryWithBindings does. One that has a program is neither bound nor analysed.
func (b *Backend) Query(ctx *sql.Context, query string, parsed ast.Statement, bindings map[string]ast.Expr,
	flags *sql.QueryFlags) (sql.Schema, sql.RowIter, error) {
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, nil, err
	}
	if parsed == nil && len(s.parsed) == 0 && endsInLiteral(query) {
		// An error is met again by the engine, which ends what it has begun.
		if stmt, _, _, err := b.Engine.Parser.Parse(ctx, query, false); err == nil {
			parsed = stmt
		}
	}
	key, given := s.programKey(ctx, query, bindings)
	if given != nil {
		if p := b.programs.find(key); p != nil {
			ctx.ClearWarnings()
			schema, rows, err := p.run(ctx, s, given, flags)
			if rows != nil || err != nil {
				return schema, rows, err
			}
			s.warned = nil // what was warned of is met again
		}
	}
	schema, rows, _, err := b.Engine.QueryWithBindings(ctx, query, parsed, bindings, flags)
	if err == nil && given != nil {
		if p := s.programOf(s.work.plan); p != nil {
			b.programs.keep(key, p)
		}
	}
	return schema, rows, err
}

// endsInLiteral tells of a text whether it may be a SELECT that ends in a literal.
func endsInLiteral(query string) bool {
	const begin = "SELECT"
	query = sql.RemoveSpaceAndDelimiter(query, ';')
	if len(query) <= len(begin) || !strings.EqualFold(query[:len(begin)], begin) {
		return false
	}
	last := query[len(query)-1]
	return last == '\'' || last >= '0' && last <= '9'
}

// programKey is where the running statement's program is found, and what its key is compared with: the parameter, or
// the literal at the end of the text. There is none where it can have no program.
func (s *Session) programKey(ctx *sql.Context, query string, bindings map[string]ast.Expr) (programKey, *ast.SQLVal) {
	key := programKey{ctx.GetCurrentDatabase(), query}
	if len(s.parsed) != 1 || len(bindings) > 1 {
		return key, nil
	}
	given := comparedKey(s.parsed[0])
	if given == nil || !s.programsOn(ctx) {
		return key, nil
	}
	query = sql.RemoveSpaceAndDelimiter(query, ';')
	spelled := ""
	switch {
	case given.Type == ast.ValArg && len(bindings) == 1:
		given, _ = bindings[string(given.Val[1:])].(*ast.SQLVal)
		return key, given
	case len(bindings) > 0:
		return key, nil
	case given.Type == ast.StrVal:
		spelled = "'" + string(given.Val) + "'"
	case given.Type == ast.IntVal:
		spelled = string(given.Val)
	}
	before, ok := strings.CutSuffix(query, spelled)
	if !ok || spelled == "" {
		return key, nil
	}
	key.text = before + "\x00" + strconv.Itoa(int(given.Type)) // no text of a statement has a NUL
	return key, given
}

// programsOn reports whether the settings of a session are those that programs are made with.
func (s *Session) programsOn(ctx *sql.Context) bool {
	if !isOn(ctx, VarPrograms) || !isOn(ctx, VarUseIndex) {
		return false
	}
	most, err := s.BaseSession.GetSessionVariable(ctx, "sql_select_limit")
	limit, _, known := sql.SystemVariables.GetGlobal("sql_select_limit")
	return err == nil && known && limit.GetDefault() == most
}

// programOf makes a program of a statement that has just been planned; nil where it can't have one.
func (s *Session) programOf(n sql.Node) *program {
	p := &program{results: s.results}
	p.results.Decimals = slices.Clone(s.results.Decimals)
	project, projects := n.(*plan.Project)
	if projects {
		n, p.columns = project.Child, project.Projections
	}
	access, ok := n.(*plan.IndexedTableAccess)
	if !ok {
		return nil
	}
	p.shown = plan.NewEmptyTableWithSchema(access.Schema())
	if projects {
		p.shown = plan.NewProject(p.columns, p.shown)
	}
	for _, e := range p.columns {
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		if _, ok := e.(*expression.GetField); !ok {
			return nil
		}
	}
	path, ok := plan.GetIndexLookup(access).Ranges.(*accessPath)
	if !ok || !path.byKeyAlone() {
		return nil
	}
	is, ok := path.conjuncts[0].(*expression.Equals)
	if !ok || len(path.conjuncts) != 1 {
		return nil
	}
	t := *path.table
	t.session, t.bound = nil, nil // a program outlives its session
	p.table, p.condition = &t, is
	_, column := is.Left().(*expression.GetField)
	literal, ok := is.Right().(*expression.Literal)
	if !ok || !column || p.literal(literal.Val) == nil {
		return nil
	}
	return p
}

// byKeyAlone reports whether a path leads to one document by its key, and nothing else is asked of it.
func (p *accessPath) byKeyAlone() bool {
	return p.isOneDocument() && len(p.residual) == 0 && p.order == nil && p.members == nil && p.covered == nil &&
		p.table.covered == nil && !p.explained && !p.elements && len(p.candidate.Parts) == 1
}

// comparedKey is the one parameter or literal of a SELECT of one table's columns under one comparison with it.
func comparedKey(stmt ast.Statement) *ast.SQLVal {
	sel, ok := stmt.(*ast.Select)
	if !ok || len(sel.From) != 1 || sel.Where == nil || len(sel.Comments) > 0 || sel.Lock != "" || sel.Into != nil {
		return nil
	}
	for _, e := range sel.SelectExprs {
		switch e := e.(type) {
		case *ast.StarExpr:
		case *ast.AliasedExpr:
			if _, ok := e.Expr.(*ast.ColName); !ok {
				return nil
			}
		default:
			return nil
		}
	}
	if sel.With != nil || sel.QueryOpts != (ast.QueryOpts{}) || len(sel.GroupBy) > 0 || sel.Having != nil ||
		len(sel.OrderBy) > 0 || sel.Limit != nil || len(sel.Window) > 0 {
		return nil
	}
	from, ok := sel.From[0].(*ast.AliasedTableExpr)
	if !ok || from.AsOf != nil || from.Hints != nil {
		return nil
	}
	if _, ok := from.Expr.(ast.TableName); !ok {
		return nil
	}
	is, ok := sel.Where.Expr.(*ast.ComparisonExpr)
	if !ok || is.Operator != ast.EqualStr {
		return nil
	}
	v, ok := is.Right.(*ast.SQLVal)
	if !ok {
		return nil
	}
	values := 0
	_ = statement.Walk(func(node ast.SQLNode) (bool, error) {
		if _, ok := node.(*ast.SQLVal); ok {
			values++
		}
		return true, nil
	}, stmt)
	if values != 1 {
		return nil
	}
	return v
}

// literal is what the parameter is compared as; nil where it is of another kind than the first was.
func (p *program) literal(v any) *expression.Literal {
	t := p.condition.Left().Type()
	switch v := v.(type) {
	case string:
		if _, ok := t.(value.TextType); ok && utf8.ValidString(v) {
			return expression.NewLiteral(v, t)
		}
	default:
		if n, ok := asInt64(v); ok && types.IsSigned(t) {
			return expression.NewLiteral(n, types.Int64)
		}
	}
	return nil
}

// parameterValue is a parameter as a text or an integer; nil where it is neither.
func parameterValue(v *ast.SQLVal) any {
	switch v.Type {
	case ast.StrVal:
		return string(v.Val)
	case ast.IntVal:
		if n, err := strconv.ParseInt(string(v.Val), 10, 64); err == nil {
			return n
		}
	}
	return nil
}

// run runs a program; there are no rows where the statement is to be planned.
func (p *program) run(ctx *sql.Context, s *Session, given *ast.SQLVal,
	flags *sql.QueryFlags) (sql.Schema, sql.RowIter, error) {
	literal := p.literal(parameterValue(given))
	if literal == nil {
		return nil, nil, nil
	}
	if err := s.ValidateSession(ctx); err != nil {
		return nil, nil, err
	}
	if ctx.GetTransaction() == nil {
		tx, err := s.StartTransaction(ctx, sql.ReadWrite)
		if err != nil {
			return nil, nil, err
		}
		ctx.SetTransaction(tx)
	}
	if from, ok := s.parsed[0].(*ast.Select).From[0].(*ast.AliasedTableExpr); ok {
		auth := s.backend.Engine.Analyzer.Catalog.AuthorizationHandler()
		if err := auth.HandleAuth(ctx, auth.NewQueryState(ctx), from.Auth); err != nil {
			return nil, nil, err
		}
	}
	d := &Database{backend: s.backend, name: p.table.def.Database}
	found, ok, err := d.GetTableInsensitive(ctx, p.table.def.Name)
	if err != nil || !ok {
		return nil, nil, nil //nolint:nilerr // whoever plans it meets the error
	}
	t, ok := found.(*Table)
	if !ok || !p.table.alike(t) {
		return nil, nil, nil
	}
	t.place = p.table.place
	condition := expression.NewEquals(p.condition.Left(), literal)
	path, err := t.plan(ctx, []sql.Expression{condition})
	if err != nil {
		return nil, nil, mysqlerr.Of(ctx, err)
	}
	if path == nil || !path.byKeyAlone() {
		return nil, nil, nil
	}
	s.backend.programs.runs.Add(1)
	s.work.executed, s.work.plan = true, p.shown
	sql.IncrementStatusVariable(ctx, "Questions", 1)
	sql.IncrementStatusVariable(ctx, "Com_select", 1)
	s.results = p.results
	s.results.Decimals = slices.Clone(p.results.Decimals) // which the session writes over
	rows, err := (&lookupTable{t}).PartitionRows(ctx, pathPartition{path})
	if err != nil {
		return nil, nil, err
	}
	if p.columns != nil {
		rows = &shownRows{RowIter: rows, shown: p.columns}
	}
	rows, _, err = rowexec.FinalizeIters(ctx, p.shown, flags, rows)
	return p.shown.Schema(), rows, err
}

// alike reports whether another table of a definition has the same columns.
func (t *Table) alike(other *Table) bool {
	if t.def != other.def || len(t.columns) != len(other.columns) || other.covered != nil {
		return false
	}
	for i := range t.columns {
		a, b := &t.columns[i], &other.columns[i]
		if a.name != b.name || !a.typ.Equals(b.typ) || a.unit != b.unit || a.keypath.String() != b.keypath.String() {
			return false
		}
	}
	return true
}
