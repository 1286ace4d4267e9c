package sqltests

import (
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	clausesSeed   = flag.Uint64("clauses-seed", 0, "the seed of the clauses of ALTER TABLE; 0 picks one")
	clausesRounds = flag.Int("clauses-rounds", 15, "how many statements of them are tried")
)

// alterClauses can be had together in this order. Those of one line exclude each other.
var alterClauses = [][]string{
	{"DROP PRIMARY KEY", "DROP PRIMARY KEY, ADD PRIMARY KEY (id, e)"},
	{"ADD COLUMN n INT NOT NULL DEFAULT 4", "ADD COLUMN n VARCHAR(9) FIRST",
		"ADD COLUMN n INT AS (e + 1) STORED AFTER e"},
	{"ADD COLUMN m DATE", "ADD COLUMN m DECIMAL(9,2) DEFAULT 1.5 AFTER id",
		"ADD COLUMN m INT DEFAULT 3, ADD INDEX km (m, e)"},
	{"MODIFY b VARCHAR(40)", "MODIFY b TEXT", "MODIFY b MEDIUMTEXT",
		"MODIFY b VARCHAR(20) NOT NULL FIRST", "CHANGE b bb VARCHAR(30)"},
	{"ADD INDEX ca (c, a)", "ADD UNIQUE INDEX ca (c, a)"},
	{"DROP INDEX kc", "MODIFY c BIGINT", "ALTER COLUMN c SET DEFAULT 5"},
	{"RENAME COLUMN a TO aa", "MODIFY a VARCHAR(20)", "MODIFY a DOUBLE"},
	{"ADD UNIQUE INDEX ue (e)", "ADD CONSTRAINT ce CHECK (e > 0)"},
	{"DROP CHECK pc", "DROP COLUMN f", "MODIFY f DATETIME"},
	{"COLLATE utf8mb4_0900_ai_ci", "COMMENT 'x'", "AUTO_INCREMENT = 100"},
}

// TestAlterClauses: an ALTER TABLE of several clauses makes of a table what its clauses do one by one, and does not
// conflict with itself.
func TestAlterClauses(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.Of(t, "clauses-seed", *clausesSeed), 21))
	_, db := harness.Database(t)
	whole := []string{"DROP PRIMARY KEY", "ADD COLUMN n INT NOT NULL DEFAULT 4", "MODIFY b VARCHAR(40)",
		"ADD INDEX ca (c, a)", "DROP INDEX kc", "RENAME COLUMN a TO aa", "ADD UNIQUE INDEX ue (e)",
		"COLLATE utf8mb4_0900_ai_ci"}
	began, done := time.Now(), 0
	for round := range *clausesRounds {
		clauses := whole
		if round == 1 {
			clauses = []string{"MODIFY b TEXT"} // which has met a panic
		}
		if round > 1 {
			clauses = nil
			for _, line := range alterClauses {
				if random.IntN(2) == 0 {
					clauses = append(clauses, line[random.IntN(len(line))])
				}
			}
			if round%3 == 0 {
				random.Shuffle(len(clauses), func(i, j int) { clauses[i], clauses[j] = clauses[j], clauses[i] })
			}
		}
		if len(clauses) == 0 {
			continue
		}
		makeAltered(t, db)
		var oneByOne error
		for _, clause := range clauses {
			if _, oneByOne = db.Exec("ALTER TABLE one.t " + clause); oneByOne != nil {
				break
			}
		}
		stmt := "ALTER TABLE whole.t " + strings.Join(clauses, ", ")
		_, err := db.Exec(stmt)
		if (err == nil) != (oneByOne == nil) || harness.ErrorNumber(err) == 1213 {
			t.Errorf("%s: %v; one by one: %v", stmt, err, oneByOne)
			continue
		}
		if err != nil {
			continue
		}
		done++
		for _, q := range []string{"SHOW CREATE TABLE %s.t", "SELECT * FROM %s.t ORDER BY e",
			"SELECT COUNT(*), MIN(e), MAX(c) FROM %s.t",
			"SELECT `index`, columns, state FROM sqlfdb.indexes WHERE `database` = '%s' ORDER BY 1"} {
			a, b := harness.Answered(db, fmt.Sprintf(q, "whole")), harness.Answered(db, fmt.Sprintf(q, "one"))
			if a != b {
				t.Errorf("%s: %s\n%s\none by one:\n%s", stmt, q, a, b)
			}
		}
		harness.CheckAll(t, db)
	}
	t.Logf("%d statements succeeded, in %v", done, time.Since(began).Round(time.Millisecond))
}

// makeAltered makes the same table twice.
func makeAltered(t testing.TB, db *sql.DB) {
	t.Helper()
	for _, d := range []string{"one", "whole"} {
		harness.MustExec(t, db, "DROP DATABASE IF EXISTS "+d, "CREATE DATABASE "+d,
			"CREATE TABLE "+d+".t (id INT PRIMARY KEY, a INT, b VARCHAR(20), c INT, e INT NOT NULL, f VARCHAR(30), "+
				"KEY kc (c), CONSTRAINT pc CHECK (f <> ''))",
			"INSERT INTO "+d+".t VALUES (1, 10, 'x', 5, 1, '2024-01-02'), (2, 20, 'y', 5, 2, '2024-01-03'), "+
				"(3, 30, '7', 6, 3, NULL)")
	}
}
