package commands

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	memorySeed = flag.Uint64("memory-seed", 0, "the seed of TestMemoryBound; 0 draws one")
	crowdName  = flag.String("crowd", "",
		"a regular expression: the attacks that TestMemoryOfClients makes; empty for a share of them")
	memoryRounds = flag.Int("memory-rounds", 0,
		"TestMemoryBound asks all written statements, and so many random ones; 0 is a few")
)

// What the server of TestMemoryBound is given, and what it may take beside that: the kernel counts pages that the
// runtime has given back late.
const (
	givenMemory = "1536MiB"
	maxMemory   = 2 << 30
)

// TestMemoryBound: statements whose values have no bound, one after the other and several at once, end with an
// error or with their rows, and the server neither ends nor takes more memory than it was given. Where control
// groups of memory can be made the server runs in one of 2 GiB, so that the kernel ends it beyond.
func TestMemoryBound(t *testing.T) {
	seed := testseed.Of(t, "memory-seed", *memorySeed)
	random := rand.New(rand.NewPCG(seed, 0))
	p := harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", "pebble:" + t.TempDir(), "--listen",
		"127.0.0.1:0",
		"--memory", givenMemory, "--cache", "32MiB"}})
	confine(t, p)
	db := harness.Connect(t, p.Addr, "", "?maxAllowedPacket=0")
	harness.MustExec(t, db, "CREATE DATABASE d")
	db = harness.Connect(t, p.Addr, "d", "?maxAllowedPacket=0")
	db.SetMaxIdleConns(0) // what one statement leaves in its session is not the next one's
	harness.MustExec(t, db, "CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON)",
		"INSERT INTO t (_id) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT i FROM n")
	attacks := greedyStatements()
	if *memoryRounds == 0 {
		random.Shuffle(len(attacks), func(i, j int) { attacks[i], attacks[j] = attacks[j], attacks[i] })
		attacks = attacks[:4]
	}
	for range *memoryRounds {
		attacks = append(attacks, randomGreed(random))
	}
	for _, q := range attacks {
		askGreedily(t, p, db, q)
	}
	var clients sync.WaitGroup
	for i := range 4 {
		clients.Go(func() { askGreedily(t, p, db, attacks[i]) })
	}
	clients.Wait()
	var n int
	if err := db.QueryRow("SELECT COUNT(*) FROM t").Scan(&n); err != nil || n != 200 {
		t.Fatalf("after all of it: %d rows, %v; the server said\n%s", n, err, p.Stderr.String())
	}
	harness.CheckAll(t, db)
	peak := peakMemory(t, p)
	t.Logf("the server took %d MiB at most", peak>>20)
	if peak > maxMemory {
		t.Errorf("the server took %d bytes", peak)
	}
}

// greedyStatements hold more than 4 GiB each, if nothing stops them.
func greedyStatements() []string {
	const text = "REPEAT('a', 60000000)"
	const shorter = "REPEAT('a', 6000000)"
	nested := func(name string, levels int) string {
		return strings.Repeat(name+"(", levels) + shorter + strings.Repeat(")", levels)
	}
	times := func(n int, of string) string { return strings.TrimSuffix(strings.Repeat(of+", ", n), ", ") }
	var variables []string
	for i := range 80 {
		variables = append(variables, fmt.Sprintf("@v%d = %s", i, text))
	}
	return []string{
		"SELECT LENGTH(CONCAT(" + times(100, text) + "))",
		"SELECT LENGTH(CONCAT_WS(',', " + times(100, text) + "))",
		"SELECT " + text + " FROM t LIMIT 40",
		"SELECT LENGTH(" + nested("HEX", 12) + ")",
		"SELECT LENGTH(" + nested("TO_BASE64", 20) + ")",
		"SELECT LENGTH(" + nested("QUOTE", 40) + ")",
		"SELECT LENGTH(" + nested("JSON_QUOTE", 20) + ")",
		"SELECT LENGTH(" + nested("REVERSE", 30) + ")",
		"SET " + strings.Join(variables, ", "),
		"VALUES " + times(80, "ROW("+text+")"),
		"SELECT 1 IN (" + times(80, text) + ")",
		"SELECT _id FROM t WHERE _id IN (" + times(80, text) + ")",
		"SELECT LENGTH(JSON_ARRAY(" + times(300, text) + "))",
		"SELECT LENGTH(JSON_OBJECT('a', " + strings.Join(strings.SplitAfter(times(100, text), "), "), "'b', ") + "))",
		"SELECT GROUP_CONCAT(" + text + ") FROM t",
		"SELECT JSON_ARRAYAGG(" + text + ") FROM t",
		"SELECT DISTINCT CONCAT(_id, " + text + ") FROM t LIMIT 150, 1",
		"SELECT LENGTH(MAX(CONCAT(_id, " + text + "))) FROM t GROUP BY _id ORDER BY 1",
		"SELECT COUNT(*) FROM (SELECT CONCAT(_id, " + shorter + ") AS a FROM t) x" +
			" JOIN (SELECT CONCAT(_id, " + shorter + ") AS a FROM t) y ON x.a = y.a",
		"SELECT _id FROM t ORDER BY CONCAT(" + text + ", _id) LIMIT 100, 1",
		"WITH RECURSIVE n AS (SELECT 1 AS i, CAST(" + shorter + " AS CHAR) AS a UNION ALL SELECT i + 1," +
			" CONCAT(REPEAT('b', i), SUBSTRING(a, i)) FROM n WHERE i < 30) SELECT SUM(LENGTH(a)) FROM n",
		"SELECT LENGTH(CONCAT(" + times(100, "CAST("+text+" AS BINARY)") + "))",
		"SELECT LENGTH(CONCAT(" + times(100, "UPPER("+text+")") + "))",
		"SELECT LENGTH(UNCOMPRESS(COMPRESS(" + text + ")))",
		"SELECT COALESCE(" + times(60, "NULLIF(REPLACE("+text+", 'a', 'b'), '')") + ") > 0",
		"INSERT INTO t (_id, _doc) VALUES (1000, JSON_OBJECT('a', " + text + "))",
		"UPDATE t SET _doc = JSON_SET(_doc, '$.a', " + text + ")",
		"SELECT JSON_PRETTY(CONCAT('[', REPEAT('1,', 25000000), '1]'))",
		"SELECT REGEXP_REPLACE(REPEAT('a', 6000000), 'a', REPEAT('b', 100))",
		"SELECT LENGTH(REPLACE(REPEAT('a', 60000), 'a', REPEAT('b', 60000)))",
		"SELECT LENGTH(EXPORT_SET(18446744073709551615, " + times(3, text) + ", 64))",
		"SELECT LENGTH(MAKE_SET(18446744073709551615, " + times(63, "a") + ")) FROM (SELECT " + text + " AS a) x",
		"SELECT LENGTH(ELT(2, " + times(80, text) + "))",
		"SELECT LENGTH(DATE_FORMAT('2024-09-18', REPEAT('%W', 30000000)))",
		"SELECT LENGTH(TIME_FORMAT('10:11:12', REPEAT('%T', 30000000)))",
		"SELECT LENGTH(CONVERT(" + text + " USING utf32))",
		"SELECT LENGTH(REGEXP_REPLACE(" + shorter + ", 'a', REPEAT('b', 1000)))",
		"SELECT LENGTH(REGEXP_REPLACE(REPEAT('ab', 1000), '(a)', REPEAT('$1', 3000000)))",
		"SELECT " + text + " LIKE CONCAT(REPEAT('%a', 30000000), 'b')",
	}
}

// randomGreed is a statement of large texts in nested and repeated calls.
func randomGreed(random *rand.Rand) string {
	var expression func(depth int) string
	expression = func(depth int) string {
		if depth == 0 {
			return fmt.Sprintf("REPEAT('a', %d)", 1<<(10+random.IntN(14)))
		}
		a := func() string { return expression(depth - 1) }
		switch random.IntN(12) {
		case 0:
			return "CONCAT(" + a() + ", " + a() + ", " + a() + ")"
		case 1:
			return "HEX(" + a() + ")"
		case 2:
			return "JSON_ARRAY(" + a() + ", " + a() + ")"
		case 3:
			return "LPAD(" + a() + ", 9000000, " + a() + ")"
		case 4:
			return "REPLACE(" + a() + ", 'a', 'bcd')"
		case 5:
			return "TO_BASE64(" + a() + ")"
		case 6:
			return "CONCAT_WS(" + a() + ", " + a() + ", " + a() + ")"
		case 7:
			return "QUOTE(UPPER(" + a() + "))"
		case 8:
			return "IF(" + a() + " = " + a() + ", " + a() + ", " + a() + ")"
		case 9:
			return "JSON_OBJECT('k', " + a() + ", 'l', " + a() + ")"
		case 10:
			return "(SELECT GROUP_CONCAT(" + a() + ") FROM t WHERE _id < 9)"
		}
		return "CAST(" + a() + " AS BINARY)"
	}
	switch e := expression(2 + random.IntN(4)); random.IntN(4) {
	case 0:
		return "SELECT LENGTH(" + e + ")"
	case 1:
		return "SELECT COUNT(*) FROM t WHERE " + e + " > CONCAT(_id)"
	case 2:
		return "SELECT MAX(LENGTH(CONCAT(" + e + ", _id))) FROM t"
	default:
		return "SET @r = " + e
	}
}

// askGreedily runs a statement to its last row; the server must be there afterwards.
func askGreedily(t *testing.T, p *harness.Process, db *sql.DB, query string) {
	t.Helper()
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	err := readValues(ctx, db, query)
	var refused *mysql.MySQLError
	if err != nil && !errors.As(err, &refused) {
		t.Fatalf("%.150s: %v\n%s", query, err, p.Stderr.String())
	}
	t.Logf("%.0f ms: %.90s: %.130v", float64(time.Since(began).Milliseconds()), query, err)
	if refused != nil && (refused.Number == 1105 || refused.Number == 1064) {
		t.Errorf("%.150s: %v", query, err)
	}
}

// readValues reads a result's values and throws them away.
func readValues(ctx context.Context, db *sql.DB, query string) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values := make([]any, len(columns))
	for i := range values {
		values[i] = new(sql.RawBytes)
	}
	for rows.Next() {
		if err := rows.Scan(values...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// peakMemory is the most memory that a process has had, in bytes.
func peakMemory(t *testing.T, p *harness.Process) int64 { return memoryField(t, p, "VmHWM:") }

// memoryField is what the kernel tells of a process's memory under a name, in bytes.
func memoryField(t *testing.T, p *harness.Process, name string) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Cmd.Process.Pid))
	if err != nil {
		t.Skipf("nobody tells what the server takes: %v", err)
	}
	for line := range strings.Lines(string(status)) {
		if words := strings.Fields(line); len(words) == 3 && words[0] == name {
			if kib, err := strconv.ParseInt(words[1], 10, 64); err == nil {
				return kib << 10
			}
		}
	}
	t.Fatalf("no %s in\n%s", name, status)
	return 0
}

// confine puts a process into a control group that has maxMemory, if this user can make one.
func confine(t *testing.T, p *harness.Process) {
	t.Helper()
	for _, version := range []struct{ place, limit string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
		{"/sys/fs/cgroup", "memory.max"},
	} {
		group := filepath.Join(version.place, fmt.Sprintf("sqlfdb-%d", p.Cmd.Process.Pid))
		if os.Mkdir(group, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { // before the one of spawn, which kills the process, too
			_ = p.Cmd.Process.Kill()
			<-p.Ended
			_ = os.Remove(group)
		})
		err := os.WriteFile(filepath.Join(group, version.limit), []byte(strconv.Itoa(maxMemory)), 0)
		if err == nil {
			err = os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(strconv.Itoa(p.Cmd.Process.Pid)), 0)
		}
		if err == nil {
			t.Logf("the server is in a control group of %d MiB", maxMemory>>20)
			return
		}
	}
	t.Log("no control group of memory can be made here: what the server takes is looked at alone")
}
