package plancache

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
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
		m.key.Text, m.values, ok = program.Normal(query, m.values)
	}
	if !ok {
		return nil, nil, false, nil
	}
	p, ok := b.kept.Find(m.key)
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
	}
	if ran || err != nil {
		return schema, rows, true, err
	}
	s.Warned = nil // planning warns again
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

// newestMark is the mark of the newest definitions that have been read; zero before the first.
func (b *Cache) newestMark() (mark catalog.Mark) {
	if view := b.backend.Catalog.Cached(); view != nil {
		mark = view.Mark()
	}
	return mark
}

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
	if err == nil && m != nil && m.made != nil && len(s.Parsed.All) == 1 {
		m.made.flags.Flags = flags.Flags.Copy()
		m.made.results = s.Planning.Results
		m.made.results.Decimals = slices.Clone(s.Planning.Results.Decimals)
		m.key.Text = strings.Clone(m.key.Text)
		if m.made.why != nil {
			m.made.defined = b.newestMark()
		}
		b.kept.Keep(m.key, m.made)
	}
	if err == nil && len(s.Parsed.All) == 1 {
		schema = information.ShownLike(s.Parsed.All[0], schema)
	}
	return schema, rows, err
}
