package sqltests

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestPlannedReadsConflict: a transaction whose answer another has made wrong meanwhile
// can't commit, by whatever path the answer was found.
func TestPlannedReadsConflict(t *testing.T) {
	s := harness.Start(t)
	db := harness.Connect(t, s.Addr(), "", "")
	harness.ExecAll(t, db, "CREATE DATABASE d")
	db = harness.Connect(t, s.Addr(), "d", "?multiStatements=true")
	harness.ExecAll(t, db,
		"CREATE TABLE t (_id INT PRIMARY KEY, n INT, m INT, s TEXT, dt DATE, _doc JSON)",
		"CREATE TABLE u (_id INT PRIMARY KEY, k INT, _doc JSON)",
		"CREATE TABLE w (_id INT PRIMARY KEY, _doc JSON)")
	for _, c := range skews {
		t.Run(c.name, func(t *testing.T) {
			harness.ExecAll(t, db, "DELETE FROM t", "DELETE FROM u", "DELETE FROM w")
			harness.ExecAll(t, db,
				"INSERT INTO t (_id, _doc) WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 300) "+
					"SELECT i, JSON_OBJECT('n', i, 'm', MOD(i, 30), 's', CONCAT('s', i), 'j', i, 'dt', '2020-01-01', 'a', "+
					"JSON_ARRAY(i, i + 1), 'b', JSON_ARRAY(JSON_OBJECT('x', i))) FROM c",
				"INSERT INTO u (_id, k) VALUES (1, 5), (2, 6)")
			ctx := context.Background()
			reader, err := db.Conn(ctx)
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
			for _, q := range []string{"BEGIN", c.read} {
				if !strings.HasPrefix(q, "SELECT") {
					if _, err := reader.ExecContext(ctx, q); err != nil {
						t.Fatal(q, err)
					}
					continue
				}
				drain(t, reader, q)
			}
			harness.ExecAll(t, db, c.write)
			_, err = reader.ExecContext(ctx, "INSERT INTO w (_id) VALUES (1)")
			if err == nil {
				_, err = reader.ExecContext(ctx, "COMMIT")
			}
			var refused *mysql.MySQLError
			if conflict := errors.As(err, &refused) && refused.Number == 1213; conflict == c.free {
				t.Errorf("%s; %s: %v", c.read, c.write, err)
			}
			_, _ = reader.ExecContext(ctx, "ROLLBACK")
		})
	}
	harness.CheckAll(t, db)
}

func drain(t *testing.T, c *sql.Conn, q string) {
	t.Helper()
	rows, err := c.QueryContext(context.Background(), q)
	if err != nil {
		t.Fatal(q, err)
	}
	defer rows.Close()
	for rows.Next() {
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

var skews = []struct {
	name, read, write string
	free              bool // the answer is not touched, and the commit succeeds
}{
	{"count", "SELECT COUNT(*) FROM t", "INSERT INTO t (_id) VALUES (1000)", false},
	{"count range", "SELECT COUNT(*) FROM t WHERE n > 250", "INSERT INTO t (_id, n) VALUES (1000, 1000)", false},
	{"count range update", "SELECT COUNT(*) FROM t WHERE n > 250", "UPDATE t SET n = 1 WHERE _id = 299", false},
	{"count column", "SELECT COUNT(n) FROM t", "UPDATE t SET n = NULL WHERE _id = 3", false},
	{"count is null", "SELECT COUNT(*) FROM t WHERE n IS NULL", "INSERT INTO t (_id) VALUES (1000)", false},
	{"count new kind", "SELECT COUNT(*) FROM t WHERE n > 250",
		"INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"n\":\"777\"}')", false},
	{"new kind", "SELECT _id, m FROM t WHERE n > 290", "INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"n\":\"777\"}')",
		false},
	{"new kind text", "SELECT _id, m FROM t WHERE s = '777'", "INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"s\":777}')",
		false},
	{"new kind covered", "SELECT n FROM t WHERE n > 290", "INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"n\":\"777\"}')",
		false},
	{"new kind order", "SELECT _id, m FROM t WHERE n > 100 ORDER BY n LIMIT 3",
		"INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"n\":\"101\"}')", false},
	{"new kind order all", "SELECT _id, m FROM t ORDER BY n DESC LIMIT 3",
		"INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"n\":\"101000\"}')", false},
	{"new kind max", "SELECT MAX(n) FROM t", "INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"n\":\"777\"}')", false},
	{"new kind min where", "SELECT MIN(n) FROM t WHERE n > 100",
		"INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"n\":\"101\"}')", false},
	{"new kind group", "SELECT m, COUNT(*) FROM t GROUP BY m",
		"INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"m\":\"777\"}')", false},
	{"new kind intersect", "SELECT * FROM t WHERE n > 100 AND m = 7",
		"INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"n\":\"777\",\"m\":\"7\"}')", false},
	{"new kind join", "SELECT u._id, t.m FROM u JOIN t ON t.n = u.k",
		"INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"n\":\"5\",\"m\":\"7\"}')", false},
	{"omitted", "SELECT COUNT(*) FROM t WHERE j > 250",
		"INSERT INTO t (_doc) VALUES (CONCAT('{\"_id\":1000,\"j\":', REPEAT('9', 20000), '}'))", false},
	{"omitted rows", "SELECT _id, m FROM t WHERE j > 295",
		"INSERT INTO t (_doc) VALUES (CONCAT('{\"_id\":1000,\"j\":', REPEAT('9', 20000), '}'))", false},
	{"omitted order", "SELECT _id, m FROM t ORDER BY j DESC LIMIT 2",
		"INSERT INTO t (_doc) VALUES (CONCAT('{\"_id\":1000,\"j\":', REPEAT('9', 20000), '}'))", false},
	{"array", "SELECT COUNT(*) FROM t WHERE j > 250", "INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"j\":[1]}')", false},
	{"max", "SELECT MAX(n) FROM t", "INSERT INTO t (_id, n) VALUES (1000, 1000)", false},
	{"max of less", "SELECT MAX(n) FROM t", "INSERT INTO t (_id, n) VALUES (1000, 7)", true},
	{"max and count", "SELECT MAX(n), COUNT(n) FROM t", "INSERT INTO t (_id, n) VALUES (1000, 7)", false},
	{"min and max between", "SELECT MIN(n), MAX(n) FROM t", "UPDATE t SET n = 20 WHERE _id = 10", true},
	{"min less", "SELECT MIN(n) FROM t", "UPDATE t SET n = -1 WHERE _id = 10", false},
	{"max key removed", "SELECT MAX(_id) FROM t", "DELETE FROM t WHERE _id = 300", false},
	{"max key of less", "SELECT MAX(_id) FROM t", "DELETE FROM t WHERE _id = 10", true},
	{"max of nothing", "SELECT MAX(d) FROM t", "INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"d\":1}')", false},
	{"max removed", "SELECT MAX(n) FROM t", "DELETE FROM t WHERE _id = 300", false},
	{"min where", "SELECT MIN(n) FROM t WHERE n > 100", "UPDATE t SET n = 1 WHERE _id = 101", false},
	{"min where new", "SELECT MIN(n) FROM t WHERE n >= 100", "DELETE FROM t WHERE _id = 100", false},
	{"min key", "SELECT MIN(_id) FROM t", "INSERT INTO t (_id) VALUES (0)", false},
	{"max key", "SELECT MAX(_id) FROM t", "INSERT INTO t (_id) VALUES (1000)", false},
	{"max key where", "SELECT MAX(_id) FROM t WHERE _id < 500", "INSERT INTO t (_id) VALUES (400)", false},
	{"order limit", "SELECT _id, m FROM t ORDER BY n LIMIT 1", "INSERT INTO t (_id, n) VALUES (1000, -1)", false},
	{"order limit missing", "SELECT _id, m FROM t ORDER BY n LIMIT 1", "INSERT INTO t (_id) VALUES (1000)", false},
	{"order desc limit missing", "SELECT _id, m FROM t ORDER BY n DESC LIMIT 301", "INSERT INTO t (_id) VALUES (1000)",
		false},
	{"order desc limit", "SELECT _id, m FROM t ORDER BY n DESC LIMIT 1", "INSERT INTO t (_id, n) VALUES (1000, 1000)",
		false},
	{"order limit update", "SELECT _id, m FROM t ORDER BY n DESC LIMIT 1", "UPDATE t SET m = 99 WHERE _id = 300", false},
	{"order covered", "SELECT n FROM t ORDER BY n DESC LIMIT 1", "INSERT INTO t (_id, n) VALUES (1000, 1000)", false},
	{"order covered missing", "SELECT n FROM t ORDER BY n LIMIT 1", "INSERT INTO t (_id) VALUES (1000)", false},
	{"order key", "SELECT _id FROM t ORDER BY _id DESC LIMIT 1", "INSERT INTO t (_id) VALUES (1000)", false},
	{"order offset", "SELECT _id, m FROM t ORDER BY n LIMIT 1 OFFSET 10", "INSERT INTO t (_id, n) VALUES (1000, -1)",
		false},
	{"order offset key", "SELECT _id, m FROM t ORDER BY _id LIMIT 1 OFFSET 10", "INSERT INTO t (_id, n) VALUES (-1, -1)",
		false},
	{"order among", "SELECT _id, s FROM t WHERE m = 7 ORDER BY n LIMIT 1",
		"INSERT INTO t (_id, n, m) VALUES (1000, -1, 7)", false},
	{"order among update", "SELECT _id, s FROM t WHERE m = 7 ORDER BY n LIMIT 1", "UPDATE t SET m = 7 WHERE _id = 1",
		false},
	{"limit without order", "SELECT _id, s FROM t WHERE n > 1 LIMIT 1", "DELETE FROM t WHERE _id = 2", false},
	{"intersection", "SELECT * FROM t WHERE n > 200 AND m = 7", "INSERT INTO t (_id, n, m) VALUES (1000, 1000, 7)", false},
	{"intersection two points", "SELECT * FROM t WHERE n = 1000 AND m = 7",
		"INSERT INTO t (_id, n, m) VALUES (1000, 1000, 7)", false},
	{"intersection update", "SELECT * FROM t WHERE n > 270 AND m = 7", "UPDATE t SET m = 7 WHERE _id = 299", false},
	{"intersection other update", "SELECT * FROM t WHERE n > 270 AND m = 7", "UPDATE t SET n = 1000 WHERE _id = 7", false},
	{"intersection document", "SELECT * FROM t WHERE n > 270 AND m = 7", "UPDATE t SET s = 'x' WHERE _id = 277", false},
	{"join", "SELECT u._id, t.m FROM u JOIN t ON t.n = u.k", "INSERT INTO t (_id, n) VALUES (1000, 5)", false},
	{"join other", "SELECT u._id, t.m FROM u JOIN t ON t.n = u.k", "INSERT INTO u (_id, k) VALUES (1000, 9)", false},
	{"join key", "SELECT u._id, t.m FROM u LEFT JOIN t ON t._id = u.k + 1000", "INSERT INTO t (_id) VALUES (1005)", false},
	{"not exists", "SELECT * FROM u WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.n = u.k + 1000)",
		"INSERT INTO t (_id, n) VALUES (1000, 1005)", false},
	{"not in", "SELECT * FROM u WHERE k NOT IN (SELECT n FROM t WHERE m = 99)",
		"INSERT INTO t (_id, n, m) VALUES (1000, 5, 99)", false},
	{"exists", "SELECT EXISTS (SELECT 1 FROM t WHERE n = 1000)", "INSERT INTO t (_id, n) VALUES (1000, 1000)", false},
	{"group", "SELECT m, COUNT(*) FROM t GROUP BY m", "INSERT INTO t (_id, m) VALUES (1000, 7)", false},
	{"group new", "SELECT m, COUNT(*) FROM t GROUP BY m", "INSERT INTO t (_id, m) VALUES (1000, 70)", false},
	{"group null", "SELECT m, COUNT(*) FROM t GROUP BY m", "INSERT INTO t (_id) VALUES (1000)", false},
	{"distinct new", "SELECT DISTINCT m FROM t", "INSERT INTO t (_id, m) VALUES (1000, 70)", false},
	{"distinct end", "SELECT DISTINCT n FROM t ORDER BY n DESC LIMIT 1", "INSERT INTO t (_id, n) VALUES (1000, 1000)",
		false},
	{"distinct end of all", "SELECT DISTINCT n FROM t ORDER BY n DESC LIMIT 1000", "INSERT INTO t (_id) VALUES (1000)",
		false},
	{"free distinct end", "SELECT DISTINCT n FROM t ORDER BY n DESC LIMIT 1",
		"INSERT INTO t (_id, n) VALUES (1000, -1000)", true},
	{"free group end", "SELECT n, COUNT(*) FROM t GROUP BY n ORDER BY n DESC LIMIT 2", "INSERT INTO t (_id) VALUES (1000)",
		true},
	{"distinct null", "SELECT DISTINCT m FROM t", "INSERT INTO t (_id) VALUES (1000)", false},
	{"sum", "SELECT SUM(n) FROM t", "UPDATE t SET n = n + 1 WHERE _id = 5", false},
	{"sum filtered", "SELECT SUM(n) FROM t WHERE m = 7", "INSERT INTO t (_id, n, m) VALUES (1000, 5, 7)", false},
	{"sum filtered update", "SELECT SUM(n) FROM t WHERE m = 7", "UPDATE t SET n = n + 1 WHERE _id = 7", false},
	{"sum filtered missing", "SELECT COUNT(*), COUNT(n) FROM t WHERE m = 7", "INSERT INTO t (_id, m) VALUES (1000, 7)",
		false},
	{"sum filtered null", "SELECT SUM(n) FROM t WHERE m = 7", "UPDATE t SET n = NULL WHERE _id = 37", false},
	{"or", "SELECT COUNT(*) FROM t WHERE n = 1000 OR m = 77", "INSERT INTO t (_id, m) VALUES (1000, 77)", false},
	{"walk all", "SELECT n FROM t", "INSERT INTO t (_id) VALUES (1000)", false},
	{"walk keys", "SELECT _id FROM t", "INSERT INTO t (_id) VALUES (1000)", false},
	{"unknown", "SELECT COUNT(*) FROM t WHERE JSON_VALUE(_doc, '$.fresh') = 1",
		"INSERT INTO t (_doc) VALUES ('{\"_id\":1000,\"fresh\":1}')", false},
	{"insert select", "INSERT INTO w (_id) SELECT n + 5000 FROM t ORDER BY n DESC LIMIT 1",
		"INSERT INTO t (_id, n) VALUES (1000, 1000)", false},
	{"insert select max", "INSERT INTO w (_id) SELECT MAX(n) + 5000 FROM t", "INSERT INTO t (_id, n) VALUES (1000, 1000)",
		false},
	{"insert select count", "INSERT INTO w (_id) SELECT COUNT(*) + 5000 FROM t WHERE m = 7",
		"INSERT INTO t (_id, m) VALUES (1000, 7)", false},
	{"update limit", "UPDATE t SET s = 'x' ORDER BY n DESC LIMIT 1", "INSERT INTO t (_id, n) VALUES (1000, 1000)", false},
	{"delete limit", "DELETE FROM t ORDER BY n DESC LIMIT 1", "INSERT INTO t (_id, n) VALUES (1000, 1000)", false},
	{"delete where", "DELETE FROM t WHERE n > 290 AND m = 7", "INSERT INTO t (_id, n, m) VALUES (1000, 1000, 7)", false},
	{"update join", "UPDATE u JOIN t ON t.n = u.k + 1000 SET u.k = 1", "INSERT INTO t (_id, n) VALUES (1000, 1005)",
		false},
	{"for update", "SELECT _id, m FROM t WHERE n > 299 FOR UPDATE", "INSERT INTO t (_id, n) VALUES (1000, 1000)", false},
	{"path new kind", "SELECT COUNT(*) FROM t WHERE JSON_VALUE(_doc, '$.j') > 295",
		`INSERT INTO t (_doc) VALUES ('{"_id":1000,"j":"777"}')`, false},
	{"path array", "SELECT _id FROM t WHERE JSON_VALUE(_doc, '$.j') > 295",
		`INSERT INTO t (_doc) VALUES ('{"_id":1000,"j":[777]}')`, false},
	{"path float", "SELECT _id FROM t WHERE JSON_EXTRACT(_doc, '$.j') > 295",
		`INSERT INTO t (_doc) VALUES ('{"_id":1000,"j":777.5}')`, false},
	{"path order", "SELECT _id, m FROM t WHERE m = 7 ORDER BY JSON_EXTRACT(_doc, '$.j') DESC LIMIT 1",
		`INSERT INTO t (_doc) VALUES ('{"_id":1000,"m":7,"j":[777]}')`, false},
	{"element", "SELECT * FROM t__a WHERE _value = 5", `INSERT INTO t (_doc) VALUES ('{"_id":1000,"a":[5]}')`, false},
	{"element new kind", "SELECT * FROM t__a WHERE _value = 5", `INSERT INTO t (_doc) VALUES ('{"_id":1000,"a":["5"]}')`,
		false},
	{"element member", "SELECT _id FROM t WHERE 5 MEMBER OF(JSON_EXTRACT(_doc, '$.a'))",
		`INSERT INTO t (_doc) VALUES ('{"_id":1000,"a":[5]}')`, false},
	{"element member scalar", "SELECT _id FROM t WHERE 5 MEMBER OF(JSON_EXTRACT(_doc, '$.a'))",
		`INSERT INTO t (_doc) VALUES ('{"_id":1000,"a":5}')`, false},
	{"element count", "SELECT COUNT(*) FROM t__a", `INSERT INTO t (_doc) VALUES ('{"_id":1000,"a":[8]}')`, false},
	{"element column", "SELECT * FROM t__b WHERE x = 5", `INSERT INTO t (_doc) VALUES ('{"_id":1000,"b":[{"x":"5"}]}')`,
		false},
	{"element column missing", "SELECT COUNT(*) FROM t__b WHERE x IS NULL",
		`INSERT INTO t (_doc) VALUES ('{"_id":1000,"b":[{"y":"5"}]}')`, false},
	{"element column scalar", "SELECT COUNT(*) FROM t__b WHERE x IS NULL",
		`INSERT INTO t (_doc) VALUES ('{"_id":1000,"b":[7]}')`, false},
	{"element join", "SELECT u._id FROM u JOIN t__b b ON b.x = u.k",
		`INSERT INTO t (_doc) VALUES ('{"_id":1000,"b":[{"x":"5"}]}')`, false},
	{"free new documents", "SELECT _id, m FROM t WHERE n = 5",
		`INSERT INTO t (_doc) VALUES ('{"_id":1000,"n":null,"m":null}')`, true},
	{"free range", "SELECT _id, m FROM t WHERE n = 5", "INSERT INTO t (_id, n) VALUES (1000, 1000)", true},
	{"free limit", "SELECT _id, m FROM t WHERE n > 5 ORDER BY n LIMIT 2", "INSERT INTO t (_id, n) VALUES (1000, 1000)",
		true},
	{"free intersection", "SELECT * FROM t WHERE n = 37 AND m = 7", "INSERT INTO t (_id, n, m) VALUES (1000, 1000, 8)",
		true},
}
