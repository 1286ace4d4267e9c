package sqlbackend

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
)

// heapBytes is how much memory is in use.
func heapBytes() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// withHeld is an engine with a table a of 200 small documents, a table big of 50 that are 500,000 bytes long, and a
// table grown of 25 small ones before 25 that are not.
func withHeld(t *testing.T) *inProcess {
	p := newInProcess(t, t.TempDir(), inMemory())
	p.run("CREATE TABLE a (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	p.run("INSERT INTO a (_id, n, x, s, j) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE " +
		"i < 200) SELECT CONCAT('a', i), i, i / 7, REPEAT('x', i), JSON_ARRAY(i, 'y') FROM s")
	p.run("CREATE TABLE big (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	for i := range 50 {
		p.run(fmt.Sprintf(`INSERT INTO big (_id, n, s, j, t) VALUES ('b%03d', %d, 's%[2]d', '["j%[2]d"]', 't%[2]d%[3]s')`, i,
			i, strings.Repeat("z", 500_000)))
	}
	p.run("CREATE TABLE grown (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	p.run("INSERT INTO grown (_id, n, s, t) SELECT _id, n, s, IF(n < 25, 'short', LEFT(t, 200000)) FROM big")
	return p
}

// TestHeldBytes: what a statement is said to hold is about what it holds, while it gives its first row, or its fiftieth
// of a recursion.
func TestHeldBytes(t *testing.T) {
	p := withHeld(t)
	const (
		least, most = 0.7, 5.0
		slack       = 2_000_000 // of documents that are being read, and of the test's surroundings
	)
	for _, query := range []string{
		"SELECT SUM(a.n) OVER () FROM a JOIN a b ON 1 = 1",
		"SELECT SUM(a.n) OVER (ORDER BY b.n), ROW_NUMBER() OVER (ORDER BY a.n) FROM a JOIN a b ON 1 = 1",
		"SELECT a.x, SUM(a.x) OVER (PARTITION BY b.x), AVG(b.x) OVER () FROM a JOIN a b ON 1 = 1",
		"SELECT a.j, FIRST_VALUE(a.j) OVER (ORDER BY b.n) FROM a JOIN a b ON 1 = 1",
		"SELECT COUNT(*) OVER (ORDER BY a.s), RANK() OVER (ORDER BY a.s, b.s), LAG(b.s) OVER (ORDER BY a.s) FROM a " +
			"JOIN a b ON 1 = 1",
		"SELECT CONCAT(a.s, b.n), ROW_NUMBER() OVER () FROM a JOIN a b ON 1 = 1",
		"SELECT n, JSON_ARRAYAGG(CONCAT('k', n)) OVER (ORDER BY n) FROM a",
		"SELECT a.n, b.n FROM a JOIN a b ON 1 = 1 ORDER BY a.n * b.n",
		"SELECT a.x * b.x AS k FROM a JOIN a b ON 1 = 1 ORDER BY k",
		"SELECT CONCAT(a.n, b.n) AS k, JSON_ARRAY(a.n, b.n) FROM a JOIN a b ON 1 = 1 ORDER BY a.n + b.n",
		"SELECT s FROM big ORDER BY s + 1, n",
		"SELECT s, j FROM big ORDER BY CONCAT(s, n) LIMIT 40",
		"SELECT s, ROW_NUMBER() OVER (ORDER BY n * -1) FROM big",
		"SELECT t FROM grown ORDER BY n * -1 LIMIT 25",
		"SELECT t FROM grown ORDER BY s DESC, n LIMIT 25",
		"SELECT j, t FROM big ORDER BY s + 1, n",
		"SELECT a.n, b.n, COUNT(*) FROM a JOIN a b ON 1 = 1 GROUP BY a.n, b.n",
		"SELECT a.n, b.n, SUM(a.n), MAX(b.s), AVG(a.x) FROM a JOIN a b ON 1 = 1 GROUP BY a.n, b.n",
		"SELECT b.n * 1, SUM(DISTINCT a.n * b.n), COUNT(DISTINCT a.n, b.n) FROM a JOIN a b ON 1 = 1 GROUP BY b.n * 1",
		"SELECT a.n * 1, JSON_ARRAYAGG(CONCAT(b.n, '')) FROM a JOIN a b ON 1 = 1 GROUP BY a.n * 1",
		"SELECT a.n * 1, JSON_OBJECTAGG(b.s, b.n) FROM a JOIN a b ON 1 = 1 GROUP BY a.n * 1",
		"SELECT a.n * 1, GROUP_CONCAT(b.n ORDER BY b.n DESC) FROM a JOIN a b ON 1 = 1 GROUP BY a.n * 1",
		"SELECT a.n * 1, GROUP_CONCAT(DISTINCT a.n, b.n) FROM a JOIN a b ON 1 = 1 GROUP BY a.n * 1",
		"SELECT ANY_VALUE(s), ANY_VALUE(_doc->'$.j'), COUNT(*) FROM big GROUP BY CONCAT(s, '')",
		"SELECT MAX(s), MIN(_doc->'$.j'), JSON_ARRAYAGG(s), GROUP_CONCAT(s), JSON_OBJECTAGG(s, j) FROM big GROUP BY " +
			"CONCAT(s, '')",
		"SELECT MAX(t), s FROM big GROUP BY s",
		"SELECT a.n FROM a JOIN a b ON 1 = 1 INTERSECT SELECT a.n * b.n FROM a JOIN a b ON 1 = 1",
		"SELECT n FROM a WHERE n * 1 NOT IN (SELECT b.n * c.n + 1000 FROM a AS b JOIN a AS c ON 1 = 1)",
		"SELECT n FROM a WHERE CONCAT('k', n) IN (SELECT CONCAT('l', b.n, c.n) FROM a AS b JOIN a AS c ON 1 = 1) OR n > 0",
		"SELECT n FROM a WHERE (n, n) IN (SELECT b.n, c.n + 1000 FROM a AS b JOIN a AS c ON 1 = 1) OR n > 0",
		"SELECT n FROM a WHERE n * -1 > ALL (SELECT b.n * -c.n - 200 FROM a AS b JOIN a AS c ON 1 = 1) OR n > 0",
		"SELECT s FROM a WHERE s IN (SELECT s FROM big) OR n > 0",
		"WITH RECURSIVE r AS (SELECT n, s FROM big UNION ALL SELECT n + 100, s FROM r WHERE n < 100) SELECT * FROM r",
		"SELECT b.s FROM big JOIN big AS b ON CONCAT(big.n, '') = CONCAT(b.n, '')",
	} {
		err := p.command(func(ctx *sql.Context) error {
			before, rows, at := heapBytes(), 0, 1
			if strings.HasPrefix(query, "WITH RECURSIVE") {
				at = 50
			}
			return p.each(ctx, query, func(sql.Row) {
				if rows++; rows != at {
					return
				}
				said, is := float64(p.session.Held.Bytes.Load()), float64(heapBytes()-before)
				if said < least*is-slack || said > most*is+slack {
					t.Errorf("%s: holds %.0f bytes, and says %.0f", query, is, said)
				}
			})
		})
		if err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// killedLater is the context of a statement that is killed once it has looked so often whether it is.
type killedLater struct {
	context.Context
	looks *int
	after int
}

// Err implements context.Context.
func (k killedLater) Err() error {
	if *k.looks++; *k.looks > k.after {
		return context.Canceled
	}
	return k.Context.Err()
}

// looks runs a statement that is killed at a look, and tells how often it has looked.
func (p *inProcess) looks(query string, after int) (looks int, err error) {
	err = p.command(func(ctx *sql.Context) error {
		return p.each(ctx.WithContext(killedLater{ctx.Context, &looks, after}), query, func(sql.Row) {})
	})
	return looks, err
}

// TestKilledWindow: a statement that is killed ends while window functions are computed, some of which take a time that
// grows with the square of their rows.
func TestKilledWindow(t *testing.T) {
	p := withHeld(t)
	const rows = 2000
	read, err := p.looks("SELECT a.n FROM a JOIN a b ON b.n <= 10", math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	var killed *mysql.SQLError
	if looks, err := p.looks(
		"SELECT STD(a.n) OVER (ORDER BY a.n ROWS BETWEEN 1000 PRECEDING AND CURRENT ROW) FROM a JOIN a b ON b.n <= 10 "+
			"LIMIT 1", read+rows/2); !errors.As(err, &killed) || killed.Num != mysql.ERQueryInterrupted {
		t.Errorf("%d looks, of which reading takes %d: %v", looks, read, err)
	}
}
