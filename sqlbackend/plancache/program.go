package plancache

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
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/aggregate"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/order"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/program"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// VarPrograms turns programs on, which is the default, or off.
const VarPrograms = "sqlfdb_programs"

// tableProgram is a statement about one table as it was planned once, or why it is planned each time. Which path
// leads to the rows, and all that follows from that, is found again by each run.
type tableProgram struct {
	why error
	// fixed are the literals that are part of the plan: under the text's key their places alone are kept, and the
	// programs under keys that have the literals too.
	fixed    []int
	variants atomic.Int32 // how many of these there are
	template *program.Template
	table    *table.Table        // without a session
	node     *plan.ResolvedTable // of the table
	alias    *plan.TableAlias    // nil: it has no other name
	assigns  bool                // the table is one that is assigned to
	selects  bool
	flags    sql.QueryFlags
	defined  catalog.Mark // the definitions; for a SELECT only the table's matter
	stmt     ast.Statement
	names    *statement.Names
	results  value.ResultColumns
	last     atomic.Pointer[table.TableAt]
	key      atomic.Pointer[keyRead]  // nil: it reads no document by its key, as far as is known
	along    atomic.Pointer[pathRead] // nil: its rows need more than a path and columns, as far as is known
	settled  atomic.Pointer[settled]  // nil: not all that follows the template is the same for other values
	asked    atomic.Bool              // whether it is any of these three
}

// newProgram is a statement that is planned and may have a program afterwards.
type newProgram struct {
	key      program.Key
	values   program.Values
	prepared bool
	normal   string        // the text with parameters for its literals
	places   *tableProgram // of the literals that are part of its plan; nil if they are not known
	made     *tableProgram
}

// text is the statement's text with parameters for its literals; empty where it has parameters of its own.
func (m *newProgram) text() string {
	if m.prepared {
		return ""
	}
	return m.normal
}

// sessionPrograms is a session's state of programs for its running command.
type sessionPrograms struct {
	wanted    *newProgram // the statement that is planned, if it may have a program
	now       newProgram
	described map[string]*described // by text
}

// Begin begins a command.
func (p *sessionPrograms) Begin() { p.wanted = nil }

func programsOf(s *session.Session) *sessionPrograms {
	p, ok := s.Programs.(*sessionPrograms)
	if !ok {
		p = new(sessionPrograms)
		s.Programs = p
	}
	return p
}

// planSettings are the session variables that the plan of a statement depends on.
var planSettings = []string{
	setting.Modes, "sql_select_limit", "time_zone", "collation_connection", "character_set_connection",
	"character_set_client", "character_set_results", "div_precision_increment", "foreign_key_checks", "unique_checks",
	setting.UseIndex, VarPrograms, setting.BulkWrites, setting.LongReads, setting.FullScans, setting.BatchRows,
	setting.JoinBytes, "lc_time_names", "default_week_format",
	"max_allowed_packet",
}

// planningBy is a text that identifies the session's settings that plans depend on; not ok where they allow no
// programs.
func planningBy(s *session.Session, ctx *sql.Context) (settings string, ok bool) {
	if s.Settings == "" {
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
		s.Settings = b.String()
	}
	return s.Settings, s.Settings[0] == '+'
}

// mayHaveProgram reports, by the first word of a text, whether its statement may have a program.
func mayHaveProgram(query string) bool {
	query = strings.TrimLeft(query, " \t\r\n")
	for _, word := range [...]string{"SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE"} {
		if len(query) > len(word) && strings.EqualFold(query[:len(word)], word) {
			return true
		}
	}
	return false
}

// MakeRule makes a program of a plan, behind the engine's rules that depend on no path to its rows. It changes nothing.
func MakeRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, scope *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*session.Session)
	if !ok || s.Planning.Evaluating() || !scope.IsEmpty() || len(s.Parsed.All) == 0 {
		return n, transform.SameTree, nil
	}
	if e, is := s.Parsed.All[0].(*ast.Explain); is {
		explainProgram(s, ctx, n, e.Statement)
	}
	wanted := programsOf(s).wanted
	if wanted == nil || len(s.Parsed.All) != 1 {
		return n, transform.SameTree, nil
	}
	if p, err := programOf(s, ctx, n, s.Parsed.All[0], wanted); err != nil {
		wanted.made = &tableProgram{why: err}
	} else {
		wanted.made = p
	}
	return n, transform.SameTree, nil
}

// MakeWriteRule is MakeRule for the statements that the engine plans with its short lists of rules.
func MakeWriteRule(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	switch n.(type) {
	case *plan.InsertInto, *plan.Update, *plan.DeleteFrom:
		return MakeRule(ctx, a, n, scope, sel, flags)
	}
	return n, transform.SameTree, nil
}

// programOf makes a program of a plan.
func programOf(s *session.Session, ctx *sql.Context, n sql.Node, stmt ast.Statement, m *newProgram) (*tableProgram,
	error) {
	if s.Rewrote {
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
	t, ok := node.UnderlyingTable().(*table.Table)
	if looked, is := node.UnderlyingTable().(*table.LookupTable); is {
		t, ok = looked.Table, true
	}
	if !ok || t.Session != s || t.Driver() != nil {
		return nil, errNoTable
	}
	p := &tableProgram{names: s.Parsed.Names()}
	if !m.prepared {
		p.stmt = stmt
	}
	_, p.selects = stmt.(*ast.Select)
	_, p.assigns = stmt.(*ast.Update)
	if !p.selects {
		view, err := s.Readers.Definitions()
		if err != nil {
			return nil, err
		}
		p.defined = view.Mark()
	}
	kept := *t
	kept.Session, kept.Bound = nil, nil // a program outlives its session
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
	p.template, p.fixed, err = program.New(ctx, shape, program.Plan{Root: n, Source: source, StandIn: p.node,
		Conjuncts: conjuncts, Shared: sharedExpression}, m.values)
	return p, err
}

var (
	errNoTable   = errors.New("it reads no table of documents")
	errRewritten = errors.New("it writes to a view, or names a default")
)

// explainProgram notes whether the statement of an EXPLAIN has a program, or why not.
func explainProgram(s *session.Session, ctx *sql.Context, n sql.Node, stmt ast.Statement) {
	s.ProgramText = ""
	if _, ok := planningBy(s, ctx); !ok {
		return
	}
	_, err := programOf(s, ctx, n, stmt, &newProgram{values: program.ValuesIn(stmt)})
	switch {
	case len(s.Parsed.All) > 1:
		s.ProgramText = "no: a view"
	case err != nil:
		s.ProgramText = "no: " + err.Error()
	default:
		s.ProgramText = "yes"
	}
}

// sharedExpression reports whether an expression that is not the engine's own comparison or arithmetic keeps nothing of
// the statement that it is computed in.
func sharedExpression(e sql.Expression) bool {
	switch e.(type) {
	case *tree.Case, *tree.IfNull, *tree.Retype, *value.SpelledNumber, *value.NumberOfText:
		return true
	}
	return functions.Shared(e) || compare.Shared(e)
}

// programSource finds the table of a plan that has one: the node that another table and its filter take the place of.
func programSource(n sql.Node) (source sql.Node, tab *plan.ResolvedTable, alias *plan.TableAlias,
	conjuncts []sql.Expression) {
	for {
		if f, ok := n.(*plan.Filter); ok {
			_, tab, alias, conjuncts = programSource(f.Child)
			if conjuncts == nil {
				conjuncts = expression.SplitConjunction(f.Expression)
			}
			return n, tab, alias, conjuncts
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
			path, ok := plan.GetIndexLookup(at).Ranges.(*table.AccessPath)
			if !ok {
				return nil, nil, nil, nil
			}
			switch below := at.TableNode.(type) {
			case *plan.ResolvedTable:
				tab = below
			default:
				return nil, nil, nil, nil
			}
			return n, tab, nil, path.Conjuncts
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

// run runs a program. ran is false if the statement is to be planned.
func (p *tableProgram) run(ctx *sql.Context, s *session.Session, m *newProgram,
	flags *sql.QueryFlags) (schema sql.Schema, rows sql.RowIter, ran bool, err error) {
	b := s.Backend
	if !m.prepared {
		s.Parsed.Note(p.stmt)
		if err := s.BeginStatement(p.stmt, m.normal); err != nil {
			return nil, nil, true, err
		}
	}
	s.Parsed.Replace(s.Parsed.All, p.names)
	if w := p.settled.Load(); w != nil && w.keyed != nil { // before anything is read
		if pk, ok := w.keyed.key(m.values); ok {
			if _, err := s.Turn.Await(ctx, p.table.Def.ID, pk); err != nil {
				return nil, nil, true, err
			}
		}
	}
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
	if err := privilege.Authorize(s, ctx, s.Parsed.All[0]); err != nil {
		return nil, nil, true, err
	}
	p.start(s, m.values)
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
		if n, rows, err = p.plan(ctx, s, t, m, flags, along); err != nil || n == nil && rows == nil {
			return nil, nil, err != nil, err
		}
		if shown = nil; rows != nil {
			shown = &along.shownColumns
		}
	}
	sql.IncrementStatusVariable(ctx, "Questions", 1)
	if counter := counterOf(s.Parsed.All[0]); counter != "" {
		sql.IncrementStatusVariable(ctx, counter, 1)
	}
	s.Planning.Results = p.results
	s.Planning.Results.Decimals = slices.Clone(p.results.Decimals) // which the session writes over
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

// counterOf is the status variable in which the engine counts a statement when it binds it.
func counterOf(stmt ast.Statement) string {
	switch stmt.(type) {
	case *ast.Select:
		return "Com_select"
	case *ast.Insert:
		return "Com_insert"
	case *ast.Update:
		return "Com_update"
	case *ast.Delete:
		return "Com_delete"
	}
	return ""
}

// plan is the plan for values, or the rows where they need none; neither where the statement is to be planned as a
// whole.
func (p *tableProgram) plan(ctx *sql.Context, s *session.Session, t *table.Table, m *newProgram, flags *sql.QueryFlags,
	along *pathRead) (n sql.Node, rows sql.RowIter, err error) {
	values := m.values
	given := s.Warnings() // the engine reverses warnings that come before rows are looked for
	ctx.ClearWarnings()
	for _, w := range slices.Backward(given) {
		s.Warn(w)
	}
	flags.Flags = p.flags.Flags.Copy()
	if w := p.settled.Load(); w != nil {
		if n, ok, err := w.plan(ctx, p, t, values); ok || err != nil {
			return n, nil, err
		}
	}
	conjuncts, ok, err := p.template.Conjuncts(ctx, values)
	if err != nil || !ok {
		return nil, nil, err
	}
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
	a := s.Backend.Engine.Analyzer
	if p.selects {
		n, _, err = programRules(ctx, a, n, nil, everyRule, flags)
	}
	for _, rule := range analyzer.OnceAfterAll {
		if err != nil {
			return nil, nil, err
		}
		n, _, err = rule.Apply(ctx, a, n, nil, everyRule, flags)
	}
	if err == nil && !p.asked.Swap(true) {
		if !p.selects {
			p.settled.Store(p.settledOf(ctx, s, t, n, m))
		} else if k := p.keyReadOf(t, n, values); k != nil {
			p.key.Store(k)
		} else {
			p.along.Store(pathReadOf(t, n))
		}
	}
	return n, nil, err
}

// isCurrent reports whether the program was made with the present definitions.
func (p *tableProgram) isCurrent(s *session.Session) bool {
	view, err := s.Readers.Definitions()
	return err == nil && view.Mark() == p.defined
}

func everyRule(analyzer.RuleId) bool { return true }

// programRules are the rules that depend on values and counts, of a SELECT of one table.
var programRules = tree.InTurn(aggregate.Rule, order.Rule(aggregate.SortedGroups), order.TopRule, order.CoveredRule,
	session.DecimalsRule)

// fewWalked is the most rows for which a walk in order is chosen at once, without the cost of other ways. It is
// costing's bound.
const fewWalked = costing.FewRows

// path chooses how the table is read; nil is a full scan. most is how many rows are read in the order of a column; 0
// where the statement doesn't read that way.
func (p *tableProgram) path(ctx *sql.Context, t *table.Table, values program.Values, conjuncts []sql.Expression) (
	path *table.AccessPath, most int64, err error) {
	if len(conjuncts) == 0 {
		return nil, 0, nil
	}
	by, most, ok := p.template.Walk(ctx, values)
	if !ok || most > fewWalked {
		most = 0
	} else if at := fieldAt(t, by); at >= 0 {
		t.Walked = t.Columns[at].Keypath.String()
	}
	path, err = t.Plan(ctx, conjuncts)
	return path, most, mysqlerr.Of(ctx, err)
}

// source is a table that is read along a path.
func (p *tableProgram) source(ctx *sql.Context, t *table.Table, path *table.AccessPath,
	conjuncts []sql.Expression) (sql.Node,
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
	lookup, left, found := t.LookupAlong(path, conjuncts)
	switch {
	case path == nil && len(conjuncts) == 0:
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
