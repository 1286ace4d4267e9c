package sqlbackend

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
	"github.com/dolthub/go-mysql-server/sql/transform"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/program"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// VarPrograms turns programs on, which is the default, or off.
const VarPrograms = "sqlfdb_programs"

// tableProgram is a statement about one table as it was planned once, or why it is planned each time. Which path leads
// to the rows, and what follows from that, is found anew by each run.
type tableProgram struct {
	why      error
	template *program.Template
	table    *Table              // without a session
	node     *plan.ResolvedTable // of the table
	alias    *plan.TableAlias    // nil: it has no other name
	assigns  bool                // the table is one that is assigned to
	selects  bool
	flags    sql.QueryFlags
	defined  catalog.Mark // the definitions; of a SELECT those of the table are all that matters
	stmt     ast.Statement
	names    *statement.Names
	results  value.ResultColumns
	last     atomic.Pointer[tableAt]
	key      atomic.Pointer[keyRead]  // nil: it reads no document by its key, as far as is known
	along    atomic.Pointer[pathRead] // nil: its rows need more than a path and columns, as far as is known
	asked    atomic.Bool              // whether it is a key, a path and columns
}

// newProgram is a statement that is planned and may have a program afterwards.
type newProgram struct {
	key      program.Key
	values   program.Values
	prepared bool
	made     *tableProgram
}

// text is that of a statement with parameters for its literals; empty where it has parameters of its own.
func (m *newProgram) text() string {
	if m.prepared {
		return ""
	}
	return m.key.Text
}

// planSettings are the session variables that the plan of a statement depends on.
var planSettings = []string{
	setting.Modes, "sql_select_limit", "time_zone", "collation_connection", "character_set_connection",
	"character_set_client", "character_set_results", "div_precision_increment", "foreign_key_checks", "unique_checks",
	setting.UseIndex, VarPrograms, setting.BulkWrites, setting.LongReads, setting.FullScans, setting.BatchRows,
	setting.JoinBytes,
}

// planningBy is what a session's settings are told apart by; not ok where they allow no programs.
func (s *Session) planningBy(ctx *sql.Context) (settings string, ok bool) {
	if s.settings == "" {
		var b strings.Builder
		b.WriteByte('+')
		if !setting.On(ctx, VarPrograms) || !setting.On(ctx, setting.UseIndex) ||
			setting.Of(ctx, setting.BulkWrites) != "atomic" {
			b.Reset()
			b.WriteByte('-')
		}
		for _, name := range planSettings {
			v, err := s.BaseSession.GetSessionVariable(ctx, name)
			fmt.Fprintf(&b, "%v %v\x00", v, err)
		}
		s.settings = b.String()
	}
	return s.settings, s.settings[0] == '+'
}

// InitSessionVariable implements sql.Session.
func (s *Session) InitSessionVariable(ctx *sql.Context, name string, value any) error {
	s.settings = ""
	return s.BaseSession.InitSessionVariable(ctx, name, value)
}

// RunProgram runs a statement by its program; it has not run where it has none.
func (b *Backend) RunProgram(ctx *sql.Context, query string, parameters map[string]*querypb.BindVariable,
	flags *sql.QueryFlags) (schema sql.Schema, rows sql.RowIter, ran bool, err error) {
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, nil, false, err
	}
	s.wanted = nil
	if !mayHaveProgram(query) || s.batch != nil || s.load != nil || len(s.orderAliases) > 0 {
		return nil, nil, false, nil
	}
	settings, ok := s.planningBy(ctx)
	if !ok {
		return nil, nil, false, nil
	}
	query = sql.RemoveSpaceAndDelimiter(query, ';')
	m := &s.wantedNow
	*m = newProgram{key: program.Key{Database: ctx.GetCurrentDatabase(), Settings: settings, Text: query},
		values: m.values, prepared: len(s.parsed) == 1}
	switch {
	case len(s.parsed) > 1:
		return nil, nil, false, nil
	case m.prepared:
		if m.values, ok = program.Given(parameters, m.values); ok {
			m.key.Kinds = "p" + m.values.Kinds()
		}
	default:
		m.key.Text, m.values, ok = program.Normal(query, m.values)
	}
	if !ok {
		return nil, nil, false, nil
	}
	p, ok := b.programs.Find(m.key)
	switch {
	case !ok:
		s.wanted = m
		return nil, nil, false, nil
	case p.why != nil && p.defined == b.newestMark():
		return nil, nil, false, nil
	case p.why != nil: // a CHECK that was in the way may be gone
		s.wanted = m
		return nil, nil, false, nil
	}
	schema, rows, ran, err = p.run(ctx, s, m, flags)
	if ran || err != nil {
		return schema, rows, true, err
	}
	s.warned = nil // what was warned of is met again
	if !m.prepared {
		s.parsed, s.names = nil, nil
		if s.timer != nil {
			s.timer.Stop()
			s.timer = nil
		}
	}
	s.wanted = m
	return nil, nil, false, nil
}

// newestMark tells the newest definitions that have been read from those of before.
func (b *Backend) newestMark() (mark catalog.Mark) {
	if view := b.catalog.Cached(); view != nil {
		mark = view.Mark()
	}
	return mark
}

// mayHaveProgram tells by the first word of a text.
func mayHaveProgram(query string) bool {
	query = strings.TrimLeft(query, " \t\r\n")
	const word = len("SELECT")
	if len(query) <= word {
		return false
	}
	switch query[0] | 0x20 {
	case 's':
		return strings.EqualFold(query[:word], "SELECT")
	case 'i':
		return strings.EqualFold(query[:word], "INSERT")
	case 'u':
		return strings.EqualFold(query[:word], "UPDATE")
	case 'd':
		return strings.EqualFold(query[:word], "DELETE")
	}
	return false
}

// Query runs a statement as the engine's QueryWithBindings does, and keeps a program of it if it can have one.
func (b *Backend) Query(ctx *sql.Context, query string, parsed ast.Statement, bindings map[string]ast.Expr,
	flags *sql.QueryFlags) (sql.Schema, sql.RowIter, error) {
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, nil, err
	}
	if len(s.parsed) > 0 { // it was prepared: the parser has not been asked now
		if err := s.authorize(ctx, s.parsed[0]); err != nil {
			return nil, nil, err
		}
	}
	s.hideProcesses(ctx)
	schema, rows, _, err := b.Engine.QueryWithBindings(ctx, query, parsed, bindings, flags)
	m := s.wanted
	s.wanted = nil
	if err == nil && m != nil && m.made != nil && len(s.parsed) == 1 {
		m.made.flags.Flags = flags.Flags.Copy()
		m.made.results = s.results
		m.made.results.Decimals = slices.Clone(s.results.Decimals)
		m.key.Text = strings.Clone(m.key.Text)
		if m.made.why != nil {
			m.made.defined = b.newestMark()
		}
		b.programs.Keep(m.key, m.made)
	}
	if err == nil && len(s.parsed) == 1 {
		schema = shownLike(s.parsed[0], schema)
	}
	return schema, rows, err
}

// makeRule makes a program of a plan, behind the engine's rules that depend on no path to its rows. It changes nothing.
func makeRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, scope *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*Session)
	if !ok || s.evaluating > 0 || !scope.IsEmpty() || len(s.parsed) == 0 {
		return n, transform.SameTree, nil
	}
	if e, is := s.parsed[0].(*ast.Explain); is {
		s.explainProgram(ctx, n, e.Statement)
	}
	if s.wanted == nil || len(s.parsed) != 1 {
		return n, transform.SameTree, nil
	}
	if p, err := s.programOf(ctx, n, s.parsed[0], s.wanted); err != nil {
		s.wanted.made = &tableProgram{why: err}
	} else {
		s.wanted.made = p
	}
	return n, transform.SameTree, nil
}

// makeWriteRule is makeRule for what the engine plans with its short lists of rules.
func makeWriteRule(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	switch n.(type) {
	case *plan.InsertInto, *plan.Update, *plan.DeleteFrom:
		return makeRule(ctx, a, n, scope, sel, flags)
	}
	return n, transform.SameTree, nil
}

// programOf makes a program of a plan.
func (s *Session) programOf(ctx *sql.Context, n sql.Node, stmt ast.Statement, m *newProgram) (*tableProgram, error) {
	if s.rewrote {
		return nil, errRewritten // its literals are not all of the text
	}
	shape, err := program.ShapeOf(stmt, m.text(), m.values)
	if err != nil {
		return nil, err
	}
	source, node, alias, conjuncts := programSource(n)
	if node == nil {
		return nil, errNoTable
	}
	t, ok := node.UnderlyingTable().(*Table)
	if looked, is := node.UnderlyingTable().(*lookupTable); is {
		t, ok = looked.Table, true
	}
	if !ok || t.session != s || t.drives() != nil {
		return nil, errNoTable
	}
	p := &tableProgram{names: s.commandNames()}
	if !m.prepared {
		p.stmt = stmt
	}
	_, p.selects = stmt.(*ast.Select)
	_, p.assigns = stmt.(*ast.Update)
	if !p.selects {
		view, err := s.definitions()
		if err != nil {
			return nil, err
		}
		p.defined = view.Mark()
	}
	kept := *t
	kept.session, kept.bound = nil, nil // a program outlives its session
	p.table = &kept
	there, err := node.ReplaceTable(&kept)
	if err != nil {
		return nil, err
	}
	if p.node, ok = there.(*plan.ResolvedTable); !ok {
		return nil, errNoTable
	}
	if alias != nil {
		under, err := alias.WithChildren(p.node)
		if err != nil {
			return nil, err
		}
		p.alias, _ = under.(*plan.TableAlias)
	}
	p.template, err = program.New(ctx, shape, program.Plan{Root: n, Source: source, StandIn: p.node, Conjuncts: conjuncts,
		Shared: sharedExpression}, m.values)
	return p, err
}

var (
	errNoTable   = errors.New("it reads no table of documents")
	errRewritten = errors.New("it writes to a view, or names a default")
)

// explainProgram notes whether the statement of an EXPLAIN has a program, or why not.
func (s *Session) explainProgram(ctx *sql.Context, n sql.Node, stmt ast.Statement) {
	s.programText = ""
	if _, ok := s.planningBy(ctx); !ok {
		return
	}
	_, err := s.programOf(ctx, n, stmt, &newProgram{values: program.ValuesIn(stmt)})
	switch {
	case len(s.parsed) > 1:
		s.programText = "no: a view"
	case err != nil:
		s.programText = "no: " + err.Error()
	default:
		s.programText = "yes"
	}
}

// sharedExpression reports whether an expression of ours keeps nothing of the statement that it is computed in.
func sharedExpression(e sql.Expression) bool {
	switch e := e.(type) {
	case *compare.ExactArithmetic, *functions.SumOf:
		return true
	case *functions.JSONFunction:
		return e.Path == nil
	}
	return false
}

// programSource finds the table of a plan that has one: the node that another table and its filter take the place of.
func programSource(n sql.Node) (source sql.Node, table *plan.ResolvedTable, alias *plan.TableAlias,
	conjuncts []sql.Expression) {
	for {
		if f, ok := n.(*plan.Filter); ok {
			_, table, alias, conjuncts = programSource(f.Child)
			if conjuncts == nil {
				conjuncts = expression.SplitConjunction(f.Expression)
			}
			return n, table, alias, conjuncts
		}
		switch at := n.(type) {
		case *plan.ResolvedTable:
			return n, at, nil, nil
		case *plan.TableAlias:
			rt, ok := at.Child.(*plan.ResolvedTable)
			if !ok {
				return nil, nil, nil, nil
			}
			return n, rt, at, nil
		case *plan.IndexedTableAccess:
			path, ok := plan.GetIndexLookup(at).Ranges.(*accessPath)
			if !ok {
				return nil, nil, nil, nil
			}
			switch below := at.TableNode.(type) {
			case *plan.ResolvedTable:
				table = below
			default:
				return nil, nil, nil, nil
			}
			return n, table, nil, path.conjuncts
		case *plan.InsertInto:
			n = at.Destination
		default:
			children := n.Children()
			if len(children) != 1 {
				return nil, nil, nil, nil
			}
			n = children[0]
		}
	}
}

// run runs a program. It has not where the statement is to be planned.
func (p *tableProgram) run(ctx *sql.Context, s *Session, m *newProgram,
	flags *sql.QueryFlags) (schema sql.Schema, rows sql.RowIter, ran bool, err error) {
	b := s.backend
	if !m.prepared {
		s.NoteStatement(p.stmt)
		if err := s.beginStatement(p.stmt, m.key.Text); err != nil {
			return nil, nil, true, err
		}
	}
	s.names = p.names
	if err := s.ValidateSession(ctx); err != nil {
		return nil, nil, true, err
	}
	if ctx.GetTransaction() == nil {
		tx, err := s.StartTransaction(ctx, sql.ReadWrite)
		if err != nil {
			return nil, nil, true, err
		}
		ctx.SetTransaction(tx)
	}
	ctx.ClearWarnings()
	if err := s.authorize(ctx, s.parsed[0]); err != nil {
		return nil, nil, true, err
	}
	t, err := p.tableNow(ctx, s)
	if err != nil || t == nil {
		return nil, nil, err != nil, err
	}
	var shown *shownColumns
	if k := p.key.Load(); k != nil {
		if rows, ran, err = k.rows(ctx, t, m.values); err != nil {
			return nil, nil, true, err
		}
		shown = &k.shownColumns
	}
	var n sql.Node
	if !ran {
		along := p.along.Load()
		if n, rows, err = p.plan(ctx, s, t, m.values, flags, along); err != nil || n == nil && rows == nil {
			return nil, nil, err != nil, err
		}
		if shown = nil; rows != nil {
			shown = &along.shownColumns
		}
	}
	b.programs.Hits.Add(1)
	sql.IncrementStatusVariable(ctx, "Questions", 1)
	if p.selects {
		sql.IncrementStatusVariable(ctx, "Com_select", 1)
	}
	s.results = p.results
	s.results.Decimals = slices.Clone(p.results.Decimals) // which the session writes over
	if shown != nil {
		rows, err = shown.finished(ctx, s, rows, flags)
		return shown.schema, rows, true, err
	}
	if rows, err = b.Engine.Analyzer.ExecBuilder.Build(ctx, n, nil); err != nil {
		return nil, nil, true, err
	}
	if rows, schema, err = rowexec.FinalizeIters(ctx, n, flags, rows); err != nil {
		return nil, nil, true, err
	}
	if schema == nil {
		schema = n.Schema()
	}
	return schema, rows, true, nil
}

// plan is the plan for values, or the rows where they need none; neither where the statement is to be planned as a
// whole.
func (p *tableProgram) plan(ctx *sql.Context, s *Session, t *Table, values program.Values, flags *sql.QueryFlags,
	along *pathRead) (n sql.Node, rows sql.RowIter, err error) {
	given := s.Warnings() // the engine turns round those that come before rows are looked for
	ctx.ClearWarnings()
	for _, w := range slices.Backward(given) {
		s.Warn(w)
	}
	conjuncts, ok, err := p.template.Conjuncts(ctx, values)
	if err != nil || !ok {
		return nil, nil, err
	}
	flags.Flags = p.flags.Flags.Copy()
	path, most, err := p.path(ctx, t, values, conjuncts)
	if err != nil {
		return nil, nil, err
	}
	if along != nil {
		if rows, err := along.rows(ctx, t, path, most); rows != nil || err != nil {
			return nil, rows, err
		}
	}
	source, err := p.source(ctx, t, path, conjuncts)
	if err != nil || source == nil {
		return nil, nil, err
	}
	if n, ok, err = p.template.With(ctx, values, source); err != nil || !ok {
		return nil, nil, err
	}
	a := s.backend.Engine.Analyzer
	if p.selects {
		n, _, err = programRules(ctx, a, n, nil, everyRule, flags)
	}
	for _, rule := range analyzer.OnceAfterAll {
		if err != nil {
			return nil, nil, err
		}
		n, _, err = rule.Apply(ctx, a, n, nil, everyRule, flags)
	}
	if err == nil && p.selects && !p.asked.Swap(true) {
		if k := p.keyReadOf(t, n, values); k != nil {
			p.key.Store(k)
		} else {
			p.along.Store(pathReadOf(t, n))
		}
	}
	return n, nil, err
}

// isCurrent reports whether the definitions are those that a program was made with.
func (p *tableProgram) isCurrent(s *Session) bool {
	view, err := s.definitions()
	return err == nil && view.Mark() == p.defined
}

func everyRule(analyzer.RuleId) bool { return true }

// programRules are the rules that depend on values and counts, of a SELECT of one table.
var programRules = tree.InTurn(aggregateRule, orderRule, topRule, coveredRule, decimalsRule)

// fewWalked is how many rows a walk in order gives at most that is known to be the way, whatever the others would cost:
// costing takes it at once.
const fewWalked = costing.FewRows

// path chooses how the table is read; nil is a full scan. most is how many rows are taken in the order of a column; 0
// where that is not what the statement does.
func (p *tableProgram) path(ctx *sql.Context, t *Table, values program.Values, conjuncts []sql.Expression) (
	path *accessPath, most int64, err error) {
	if len(conjuncts) == 0 {
		return nil, 0, nil
	}
	by, most, ok := p.template.Walk(ctx, values)
	if !ok || most > fewWalked {
		most = 0
	} else if at := t.fieldAt(by); at >= 0 {
		t.walked = t.columns[at].keypath.String()
	}
	path, err = t.plan(ctx, conjuncts)
	return path, most, mysqlerr.Of(ctx, err)
}

// source is a table that is read along a path.
func (p *tableProgram) source(ctx *sql.Context, t *Table, path *accessPath, conjuncts []sql.Expression) (sql.Node,
	error) {
	there, err := p.node.ReplaceTable(t)
	if err != nil {
		return nil, err
	}
	table, ok := there.(*plan.ResolvedTable)
	if !ok {
		return nil, nil
	}
	var source sql.Node = table
	if p.alias != nil {
		if source, err = p.alias.WithChildren(table); err != nil {
			return nil, err
		}
	}
	lookup, left, found := t.lookupAlong(path, conjuncts)
	switch {
	case len(conjuncts) == 0:
		return source, nil
	case !found:
		return plan.NewFilter(expression.JoinAnd(conjuncts...), source), nil
	}
	access, err := plan.NewStaticIndexedAccessForTableNode(ctx, table, lookup)
	if err != nil || left == nil {
		return access, err
	}
	return plan.NewFilter(left, access), nil
}
