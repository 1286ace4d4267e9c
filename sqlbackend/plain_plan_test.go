package sqlbackend

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// TestNotOfPlain runs each rule of the engine that plain plans are spared over plain plans, which must stay what they
// are.
func TestNotOfPlain(t *testing.T) {
	p := newInProcess(t, t.TempDir(), inMemory())
	p.run("CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, n BIGINT, s VARCHAR(50), d DATE DEFAULT '2026-01-01', _doc JSON)")
	p.run("INSERT INTO t (_id, n, s) VALUES ('a', 1, 'x'), ('b', 2, 'y')")
	rules := map[string]analyzer.RuleFunc{}
	for _, list := range tree.EngineRules() {
		for _, r := range list {
			rules[r.Id.String()] = r.Apply
		}
	}
	for _, query := range []string{
		"SELECT * FROM t", "SELECT n, s FROM t WHERE n = 1",
		"SELECT u.n + 1 AS more, u.`_doc` FROM t AS u WHERE u.s > 'a' AND u.other IS NULL",
		"SELECT UPPER(s) FROM t WHERE _id = 'a' OR n IN (1, 2, 3)",
		"SELECT 1 FROM t WHERE d < '2027-01-01' AND NOT (n <=> NULL)",
	} {
		var analyzed sql.Node
		err := p.command(func(ctx *sql.Context) (err error) {
			analyzed, err = p.backend.Engine.AnalyzeQuery(ctx, query)
			if err != nil {
				return err
			}
			flags := &sql.QueryFlags{}
			if !tree.IsPlain(analyzed, flags) {
				t.Errorf("%s: not plain:\n%s", query, sql.DebugString(analyzed))
			}
			for _, name := range tree.NotOfPlain {
				rule := rules[name]
				if rule == nil {
					t.Fatalf("the engine has no rule %s", name)
				}
				foreign := sql.NewContext(ctx, sql.WithSession(sql.NewBaseSession())) // whose plans are not spared
				next, same, err := rule(foreign, p.backend.Engine.Analyzer, analyzed, nil, analyzer.DefaultRuleSelector, flags)
				if err != nil || !same || next != analyzed {
					t.Errorf("%s: %s makes of it (%v):\n%s", query, name, err, sql.DebugString(next))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
}
