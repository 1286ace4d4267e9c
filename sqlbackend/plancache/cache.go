package plancache

import (
	"errors"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/program"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// Cache has the programs of a server's statements.
type Cache struct {
	backend *session.Instance
	kept    program.Kept[*tableProgram]
}

// New has no programs yet.
func New(b *session.Instance) *Cache { return &Cache{backend: b} }

// Count is how many programs are kept, and how often one was run.
func (b *Cache) Count() (kept int, runs int64) { return b.kept.Count(), b.kept.Hits.Load() }

// Run runs a statement by its program; ran is false if it has none.
func (b *Cache) Run(ctx *sql.Context, query string, parameters map[string]*querypb.BindVariable,
	flags *sql.QueryFlags) (schema sql.Schema, rows sql.RowIter, ran bool, err error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, nil, false, err
	}
	ps := programsOf(s)
	ps.wanted = nil
	if !mayHaveProgram(query) || s.Batch != nil || s.Load != nil || len(s.Parsed.OrderAliases) > 0 {
		return nil, nil, false, nil
	}
	settings, ok := planningBy(s, ctx)
	if !ok {
		return nil, nil, false, nil
	}
	query = sql.RemoveSpaceAndDelimiter(query, ';')
	m := &ps.now
	*m = newProgram{key: program.Key{Database: ctx.GetCurrentDatabase(), Settings: settings, Text: query},
		values: m.values, prepared: len(s.Parsed.All) == 1}
	switch {
	case len(s.Parsed.All) > 1:
		return nil, nil, false, nil
	case m.prepared:
		if m.values, ok = program.Given(parameters, m.values); ok {
			m.key.Kinds = "p" + m.values.Kinds()
		}
	default:
		m.normal, m.values, ok = program.Normal(query, m.values)
		m.key.Text = m.normal
	}
	if !ok {
		return nil, nil, false, nil
	}
	p, ok := b.find(m)
	switch {
	case !ok:
		ps.wanted = m
		return nil, nil, false, nil
	case p.why != nil && p.defined == b.newestMark():
		return nil, nil, false, nil
	case p.why != nil: // a CHECK that was in the way may be gone
		ps.wanted = m
		return nil, nil, false, nil
	}
	schema, rows, ran, err = p.run(ctx, s, m, flags)
	if ran && err == nil {
		b.kept.Hits.Add(1)
		if m.prepared {
			ps.noteRan(m, p)
		}
	}
	if ran || err != nil {
		return schema, rows, true, err
	}
	s.Warned, s.Tables = nil, nil // planning warns again, and lays tables out again
	if !m.prepared {
		s.Parsed.Replace(nil, nil)
		if s.Timer != nil {
			s.Timer.Stop()
			s.Timer = nil
		}
	}
	ps.wanted = m
	return nil, nil, false, nil
}

// find finds the program of a statement, under the key of its text, or of that and of literals.
func (b *Cache) find(m *newProgram) (p *tableProgram, ok bool) {
	if p, ok = b.kept.Find(m.key); !ok || p.why != nil || p.template != nil {
		return p, ok
	}
	part, ok := program.Fixed(m.normal, m.values, p.fixed)
	if !ok {
		return &tableProgram{why: errSpelled, defined: b.newestMark()}, true
	}
	m.places, m.key.Text = p, m.normal+part
	return b.kept.Find(m.key)
}

// mostVariants is how many programs of one text may differ in the literals that are part of their plans.
const mostVariants = 8

var (
	errSpelled  = errors.New("a literal that is part of the plan is spelled with an escape")
	errVariants = errors.New("literals that are part of the plan differ too often")
)

// keep keeps the program that was made of a statement.
func (b *Cache) keep(m *newProgram) {
	text := m.key
	if text.Text = m.normal; m.prepared {
		text.Text = m.key.Text
	}
	text.Text = strings.Clone(text.Text)
	switch p := m.places; {
	case p == nil && len(m.made.fixed) == 0:
		b.kept.Keep(text, m.made)
		return
	case p == nil:
		m.places = &tableProgram{fixed: m.made.fixed}
		b.kept.Keep(text, m.places)
	case m.made.why == nil && !slices.Equal(p.fixed, m.made.fixed) || p.variants.Load() >= mostVariants:
		b.kept.Keep(text, &tableProgram{why: errVariants, defined: b.newestMark()})
		return
	}
	if part, ok := program.Fixed(m.normal, m.values, m.places.fixed); ok {
		m.places.variants.Add(1)
		m.key.Text = text.Text + part
		b.kept.Keep(m.key, m.made)
	}
}

// newestMark is the mark of the newest definitions that have been read; zero before the first.
func (b *Cache) newestMark() (mark catalog.Mark) {
	if view := b.backend.Catalog.Cached(); view != nil {
		mark = view.Mark()
	}
	return mark
}

// ofLiteral reports whether a warning of planning is of a literal, and not of a keypath that no document has, which a
// program looks for again.
func ofLiteral(w *sql.Warning) bool { return w.Code != mysql.ERBadFieldError }

// Query runs a statement as the engine's QueryWithBindings does, and keeps a program of it if it can have one.
func (b *Cache) Query(ctx *sql.Context, query string, parsed ast.Statement, bindings map[string]ast.Expr,
	flags *sql.QueryFlags) (sql.Schema, sql.RowIter, error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, nil, err
	}
	if len(s.Parsed.All) > 0 { // it was prepared: the parser has not run now
		if err := privilege.Authorize(s, ctx, s.Parsed.All[0]); err != nil {
			return nil, nil, err
		}
	}
	information.HideProcesses(s, ctx)
	schema, rows, _, err := b.backend.Engine.QueryWithBindings(ctx, query, parsed, bindings, flags)
	ps := programsOf(s)
	m := ps.wanted
	ps.wanted = nil
	if err == nil && m != nil && m.made != nil && len(s.Parsed.All) == 1 && !slices.ContainsFunc(s.Warnings(), ofLiteral) {
		m.made.flags.Flags = flags.Flags.Copy()
		m.made.results = s.Planning.Results
		m.made.results.Decimals = slices.Clone(s.Planning.Results.Decimals)
		if m.made.why != nil {
			m.made.defined = b.newestMark()
		}
		b.keep(m)
	}
	if err == nil && len(s.Parsed.All) == 1 {
		schema = information.ShownLike(s.Parsed.All[0], schema)
	}
	return schema, rows, err
}
