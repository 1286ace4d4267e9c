package sqlbackend

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// predicateBench runs statements within the process, so that a test sees the
// conjuncts as the engine hands them over: after the rules that decide who compares.
type predicateBench struct{ *inProcess }

// newPredicateBench has the documents of testdata/predicates/setup.sql in t.
func newPredicateBench(t *testing.T) *predicateBench {
	t.Helper()
	b := &predicateBench{newInProcess(t, "store", inMemory())}
	setup, err := os.ReadFile("testdata/predicates/setup.sql")
	if err != nil {
		t.Fatal(err)
	}
	for stmt := range strings.SplitSeq(string(setup), ";\n") {
		if stmt = strings.TrimSpace(stmt); stmt != "" {
			b.must(stmt)
		}
	}
	return b
}

func (b *predicateBench) must(stmt string) {
	b.t.Helper()
	if _, err := b.query(stmt); err != nil {
		b.t.Fatalf("%s: %v", stmt, err)
	}
}

// query gives the rows of a statement, in order of their text.
func (b *predicateBench) query(stmt string) (rows []string, err error) {
	err = b.command(func(ctx *sql.Context) error {
		return b.each(ctx, stmt, func(row sql.Row) { rows = append(rows, fmt.Sprint(row...)) })
	})
	slices.Sort(rows)
	return rows, err
}

// split gives what the planner is told of a statement's WHERE clause.
func (b *predicateBench) split(stmt string) (conjuncts []sql.Expression, result pushdown.Result, err error) {
	b.must("SET sqlfdb_use_index = OFF") // or the filter would be gone
	defer b.must("SET sqlfdb_use_index = ON")
	err = b.command(func(ctx *sql.Context) error {
		node, err := b.backend.Engine.AnalyzeQuery(ctx, stmt)
		if err != nil {
			return err
		}
		defer func() { _ = b.session.Rollback(ctx, ctx.GetTransaction()) }()
		var tab *table.Table
		transform.Inspect(node, func(n sql.Node) bool {
			switch n := n.(type) {
			case *plan.Filter:
				conjuncts = append(conjuncts, expression.SplitConjunction(n.Expression)...)
			case *plan.ResolvedTable:
				if t, ok := n.UnderlyingTable().(*table.Table); ok && tab == nil {
					tab = t
				}
			}
			return true
		})
		if tab == nil || conjuncts == nil {
			return errNoFilter
		}
		read, err := b.session.Readers.Plan()
		if err != nil {
			return err
		}
		result = pushdown.Split(ctx, conjuncts, &table.LookupResolver{Table: tab, Read: read},
			pushdown.Options{Explain: true})
		return nil
	})
	return conjuncts, result, err
}

var errNoFilter = errors.New("no filter is left")

// TestPredicates shows for every predicate what its candidates are: the keypath and
// its spans, tight or not, what is still filtered, how many documents satisfy it; and
// for those without one, why. Each line is a WHERE clause over the documents of setup.sql.
// Package sqltests runs them all with and without the index, and prepared.
func TestPredicates(t *testing.T) {
	b := newPredicateBench(t)
	count := 0
	datadriven.Walk(t, "testdata/predicates", func(t *testing.T, path string) {
		if strings.HasSuffix(path, ".sql") {
			return
		}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "where" {
				t.Fatalf("unknown command %s", d.Cmd)
			}
			var out strings.Builder
			for line := range strings.SplitSeq(strings.TrimSpace(d.Input), "\n") {
				count++
				var found strings.Builder
				b.describe(&found, line)
				out.WriteString(line + "\n" + masked(line, found.String()))
			}
			return out.String()
		})
	})
	if least := 300; count < least {
		t.Errorf("the corpus has %d predicates, should have at least %d", count, least)
	}
}

// What a predicate with one of these functions finds is another thing each time.
var (
	changing = regexp.MustCompile(
		`(?i)\b(now|curdate|current_date|current_timestamp|utc_timestamp|unix_timestamp|sysdate|rand|uuid|connection_id)\b`)
	uuids   = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	numbers = regexp.MustCompile(`[0-9]+`)
)

func masked(where, found string) string {
	if !changing.MatchString(where) {
		return found
	}
	return numbers.ReplaceAllString(uuids.ReplaceAllString(found, "#"), "#")
}

func (b *predicateBench) describe(out *strings.Builder, where string) {
	rows, err := b.query("SELECT _id FROM t WHERE " + where)
	if err != nil {
		fmt.Fprintf(out, "  error: %v\n", err)
		if !strings.Contains(err.Error(), "errno 1690") { // that is of one row
			return
		}
	}
	conjuncts, result, err := b.split("SELECT _id FROM t WHERE " + where)
	if err != nil {
		fmt.Fprintf(out, "  %v, %d rows\n", err, len(rows))
		return
	}
	for _, c := range result.Candidates {
		fmt.Fprintf(out, "  %s", table.CandidateText(&c))
		if c.Tight {
			out.WriteString(", tight")
		}
		if c.NeedsAllPresent {
			out.WriteString(", if no document lacks it")
		}
		for i, n := range c.Residual {
			if i == 0 && len(c.Residual) == len(conjuncts) {
				out.WriteString(", filtered")
				break
			}
			if i == 0 {
				out.WriteString(", filtered by ")
			} else {
				out.WriteString(" AND ")
			}
			out.WriteString(strings.ReplaceAll(conjuncts[n].String(), "t.", ""))
		}
		out.WriteString("\n")
	}
	for _, reason := range result.Reasons {
		fmt.Fprintf(out, "  no range: %s\n", strings.ReplaceAll(reason, "t.", ""))
	}
	fmt.Fprintf(out, "  %d rows\n", len(rows))
}
