//go:build unix

package sqlbackend

import (
	"fmt"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/processor"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// TestLongPlanning: what is planned in a second or two took minutes. It is processor time that counts, which another
// load of the machine does not stretch.
func TestLongPlanning(t *testing.T) {
	p := newInProcess(t, t.TempDir(), inMemory())
	p.run("CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	p.run(`INSERT INTO t (_id, _doc) VALUES ('1', '{"a": 1, "b": 2}')`)
	const n = 2500
	for name, query := range map[string]string{
		"different columns": "SELECT COUNT(*) FROM t WHERE " + listed(n, " AND ",
			func(i int) string { return fmt.Sprintf("p%d = %[1]d", i) }),
		"different paths": "SELECT COUNT(*) FROM t WHERE " + listed(n, " AND ",
			func(i int) string { return fmt.Sprintf("_doc->'$.p%d' = %[1]d", i) }),
		"AND of OR": "SELECT COUNT(*) FROM t WHERE " + listed(n, " AND ",
			func(i int) string { return fmt.Sprintf("(a = %d OR b = %[1]d)", i) }),
		"joined by many": "SELECT COUNT(*) FROM t x JOIN t y ON " + listed(600, " AND ",
			func(i int) string { return fmt.Sprintf("x.p%d = y.p%[1]d", i) }),
		"NOT EXISTS": notExistsNested(syntax.MaxLevels),
	} {
		t.Run(name, func(t *testing.T) {
			const most = 20 * time.Second
			began := processor.Time()
			p.run(query)
			if took := processor.Time() - began; took > most {
				t.Errorf("took %v", took)
			}
		})
	}
}
