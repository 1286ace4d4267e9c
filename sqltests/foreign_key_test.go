package sqltests

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// orphans counts the rows of a family of tables that have no parent.
const orphans = "SELECT (SELECT COUNT(*) FROM c LEFT JOIN p ON c.x = p.id WHERE c.x IS NOT NULL AND p.id IS NULL)" +
	" + (SELECT COUNT(*) FROM c LEFT JOIN p ON c.y = p.a AND c.z = p.b" +
	" WHERE c.y IS NOT NULL AND c.z IS NOT NULL AND p.id IS NULL)" +
	" + (SELECT COUNT(*) FROM g LEFT JOIN c ON g.x = c.id WHERE g.x IS NOT NULL AND c.id IS NULL)" +
	" + (SELECT COUNT(*) FROM s LEFT JOIN s AS t ON s.x = t.id WHERE s.x IS NOT NULL AND t.id IS NULL)"

// createFamily makes tables that refer to each other, with actions that are drawn.
func createFamily(t *testing.T, db *sql.DB, random *rand.Rand) {
	t.Helper()
	actions := []string{"RESTRICT", "NO ACTION", "CASCADE", "SET NULL"}
	key := func(columns, parent, parents string) string {
		return fmt.Sprintf("FOREIGN KEY (%s) REFERENCES %s (%s) ON DELETE %s ON UPDATE %s", columns, parent, parents,
			actions[random.IntN(len(actions))], actions[random.IntN(len(actions))])
	}
	harness.MustExec(t, db, "CREATE TABLE p (id INT PRIMARY KEY, a INT, b VARCHAR(9), UNIQUE KEY (a, b))",
		"CREATE TABLE c (id INT PRIMARY KEY, x INT, y INT, z VARCHAR(9), "+
			key("x", "p", "id")+", "+key("y, z", "p", "a, b")+")",
		"CREATE TABLE g (id INT PRIMARY KEY, x INT, "+key("x", "c", "id")+")",
		"CREATE TABLE s (id INT PRIMARY KEY, x INT, "+key("x", "s", "id")+")")
}

// randomRelation is a statement that changes a row of the family, or a few.
func randomRelation(random *rand.Rand) string {
	n := func() string { return fmt.Sprint(1 + random.IntN(7)) }
	null := func() string {
		if random.IntN(3) == 0 {
			return "NULL"
		}
		return n()
	}
	text := func() string { return []string{"'a'", "'A'", "NULL"}[random.IntN(3)] }
	switch random.IntN(12) {
	case 0, 1:
		return fmt.Sprintf("INSERT INTO p VALUES (%s, %s, %s)", n(), null(), text())
	case 2, 3:
		return fmt.Sprintf("INSERT INTO c VALUES (%s, %s, %s, %s)", n(), null(), null(), text())
	case 4:
		return fmt.Sprintf("INSERT INTO g VALUES (%s, %s)", n(), null())
	case 5:
		return fmt.Sprintf("INSERT INTO s VALUES (%s, %s)", n(), null())
	case 6:
		return fmt.Sprintf("INSERT IGNORE INTO c VALUES (%s, %s, NULL, NULL), (%s, %s, 1, 'a')", n(), null(), n(), null())
	case 7:
		return fmt.Sprintf("REPLACE INTO p VALUES (%s, %s, %s)", n(), null(), text())
	case 8:
		return fmt.Sprintf("DELETE FROM %s WHERE id IN (%s, %s)", []string{"p", "c", "s"}[random.IntN(3)], n(), n())
	case 9:
		return fmt.Sprintf("UPDATE p SET id = %s, a = %s WHERE id = %s", n(), null(), n())
	case 10:
		return fmt.Sprintf("UPDATE c SET id = %s, x = %s WHERE id = %s", n(), null(), n())
	}
	return fmt.Sprintf("INSERT INTO p VALUES (%s, %s, 'a') ON DUPLICATE KEY UPDATE id = %s, b = 'A'", n(), null(), n())
}

// TestForeignKeysAtRandom: whatever statements and actions, no row is left without its parent, and a statement that
// fails changes nothing.
func TestForeignKeysAtRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 0))
	for range 4 {
		_, db := harness.Database(t)
		createFamily(t, db, random)
		one, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		contents := func() string {
			var b strings.Builder
			for _, columns := range []string{"id, a, b FROM p", "id, x, CONCAT_WS(',', y, z) FROM c", "id, x FROM g",
				"id, x FROM s"} {
				b.WriteString(after(t.Context(), one, "SELECT "+columns))
			}
			return b.String()
		}
		refused := 0
		for range 150 {
			query, before := randomRelation(random), contents()
			_, err := one.ExecContext(t.Context(), query)
			if err != nil {
				refused++
				if now := contents(); now != before {
					t.Fatalf("%s: %v, but\n%s\nis now\n%s", query, err, before, now)
				}
			}
			var n int
			if err := one.QueryRowContext(t.Context(), orphans).Scan(&n); err != nil || n != 0 {
				t.Fatalf("%d rows without a parent after %s, %v\n%s", n, query, err, contents())
			}
		}
		if refused == 0 || refused == 150 {
			t.Errorf("%d of 150 statements refused", refused)
		}
		_ = one.Close()
		harness.CheckAll(t, db)
	}
}

// TestForeignKeysOfSessions: sessions that add children and remove parents at once leave no child without its parent.
func TestForeignKeysOfSessions(t *testing.T) {
	seed := testseed.Of(t, "", 0)
	_, db := harness.Database(t)
	createFamily(t, db, rand.New(rand.NewPCG(seed, 0)))
	for round := range 15 {
		var sessions sync.WaitGroup
		for i := range 4 {
			sessions.Go(func() {
				random := rand.New(rand.NewPCG(seed, uint64(1+round*4+i)))
				for range 8 {
					relateAtOnce(t, db, random)
				}
			})
		}
		sessions.Wait()
		if n := harness.Number(t, db, orphans); n != 0 {
			t.Fatalf("%d rows without a parent", n)
		}
	}
	harness.CheckAll(t, db)
}

// relateAtOnce is a transaction of a few statements; what is not refused is committed, unless it conflicts.
func relateAtOnce(t *testing.T, db *sql.DB, random *rand.Rand) {
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		t.Error(err)
		return
	}
	for range 1 + random.IntN(3) {
		query := randomRelation(random)
		if random.IntN(3) == 0 {
			query = fmt.Sprintf("DELETE FROM p WHERE id = %d", 1+random.IntN(7))
		}
		var known *mysql.MySQLError
		if _, err := tx.Exec(query); err != nil && !errors.As(err, &known) {
			t.Errorf("%s: %v", query, err)
		}
	}
	_ = tx.Commit()
}

// TestPreparedForeignKeys: a prepared CREATE TABLE has its foreign keys and its indexes on keypaths whatever runs
// between, and each time that it runs.
func TestPreparedForeignKeys(t *testing.T) {
	_, db := harness.Database(t)
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	harness.MustExec(t, c, "CREATE TABLE p (id INT PRIMARY KEY)")
	create, err := c.PrepareContext(t.Context(), "CREATE TABLE c (id INT PRIMARY KEY, p INT, _doc JSON, "+
		"UNIQUE KEY u (n), CONSTRAINT f FOREIGN KEY (p) REFERENCES p (id) ON DELETE CASCADE)")
	if err != nil {
		t.Fatal(err)
	}
	defer create.Close()
	for range 2 {
		harness.MustExec(t, c, "CREATE TABLE o (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id))")
		if _, err := create.ExecContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		for query, number := range map[string]uint16{
			"INSERT INTO c VALUES (1, 1, '{}')":                                 1452,
			`INSERT INTO c VALUES (1, NULL, '{"n": 1}'), (2, NULL, '{"n": 1}')`: 1062,
		} {
			var refused *mysql.MySQLError
			if _, err := c.ExecContext(t.Context(), query); !errors.As(err, &refused) || refused.Number != number {
				t.Errorf("%s: %v", query, err)
			}
		}
		harness.MustExec(t, c, "DROP TABLE c, o")
	}
}
