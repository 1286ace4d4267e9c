package buckets

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
)

// TestInLooksUp: IN and NOT IN of what a table in a bucket holds ask for the documents that the values name, and NOT IN
// for the one entry that says whether there is a NULL.
func TestInLooksUp(t *testing.T) {
	b := start(t, nil)
	b.create("pets", ", KEY name_1 (name), KEY kind_1_n_1 (kind, n)")
	b.run("INSERT INTO pets (_id, name, kind, n) "+numbers(500)+"CONCAT('p', i), CONCAT('n', i % 100), "+
		"CONCAT('k', i % 50), i FROM s",
		"CREATE TABLE orders (_id VARCHAR(20) PRIMARY KEY, _doc JSON, pet TEXT, name TEXT, kind TEXT, num INT)",
		"INSERT INTO orders (_id, pet, name, kind, num) VALUES ('o1', 'p1', 'n1', 'k1', 1), ('o2', 'p2', 'n2', 'k2', 102), "+
			"('o3', 'p1', 'n1', 'k1', 201), ('o4', NULL, NULL, NULL, NULL), ('o5', 'none', 'none', 'none', 7)")
	b.costs("SELECT _id FROM orders WHERE pet IN (SELECT _id FROM pets WHERE n < 2) ORDER BY 1", "o1; o3", 3, 0)
	b.costs("SELECT _id FROM orders WHERE pet NOT IN (SELECT _id FROM pets WHERE n < 2) AND pet > '' ORDER BY 1",
		"o2; o5", 3, 0)
	// An entry for each of three names, of which one is not there, and ten documents; then the entry of NULL, which is
	// not there either. Where one is not there, it is asked whether the index still is.
	b.costs("SELECT _id FROM orders WHERE name IN (SELECT name FROM pets WHERE n < 200) ORDER BY 1", "o1; o2; o3", 14, 0)
	b.costs("SELECT _id FROM orders WHERE name NOT IN (SELECT name FROM pets WHERE n < 2) AND name > '' ORDER BY 1",
		"o2; o5", 16, 0)
	b.costs("SELECT _id FROM orders WHERE kind IN (SELECT kind FROM pets WHERE n > 400 AND n < 460) AND num = 1", "o1",
		9, 0)
	// Of one field with a condition on the other.
	b.costs("SELECT q._id FROM pets q WHERE q.name = 'n7' AND q._id IN (SELECT p._id FROM pets p WHERE p.n > 300) "+
		"ORDER BY 1", "p307; p407", 11, 0)
	// What the subquery reads with few requests is read once.
	b.costs("SELECT _id FROM orders WHERE pet IN (SELECT _id FROM pets WHERE kind = 'k1') ORDER BY 1", "o1; o3", 1, 0)
	b.costs("SELECT _id FROM orders WHERE pet IN (SELECT _id FROM pets) ORDER BY 1", "o1; o2; o3", 0, 1)
	// No index answers for a value.
	b.costs("SELECT _id FROM orders WHERE num IN (SELECT n FROM pets WHERE n < 7) ORDER BY 1", "o1", 500, 1)
	b.costs("UPDATE orders SET num = num + 1 WHERE pet IN (SELECT _id FROM pets WHERE n < 2)", "", 3, 0)
	b.is("SELECT _id, num FROM orders WHERE num < 300 ORDER BY 1", "o1 2; o2 102; o3 202; o5 7")
	b.run("CREATE TABLE some (_id VARCHAR(20) PRIMARY KEY, _doc JSON)")
	b.costs("INSERT INTO some (_id) SELECT _id FROM orders WHERE pet IN (SELECT _id FROM pets WHERE n < 2)", "", 3, 0)
	b.costs("DELETE FROM some WHERE _id IN (SELECT CONCAT('o', n) FROM pets WHERE n < 2)", "", 500, 1)
	b.is("SELECT _id FROM some", "o3")
	b.has("EXPLAIN FORMAT=TREE SELECT _id FROM orders WHERE pet IN (SELECT _id FROM pets WHERE n < 2)",
		"Join, semi, lookup", "Bucket look-ups in pets: pets._id = orders.pet")
	b.has("EXPLAIN FORMAT=TREE SELECT _id FROM orders WHERE name NOT IN (SELECT name FROM pets WHERE n < 2)",
		"Join, anti, lookup", "Bucket look-ups in pets: index name_1", "index name_1: null")
	b.costs("SELECT COUNT(*) FROM pets WHERE name IS NULL", "0", 2, 0)
	b.run("INSERT INTO pets (_id, n) VALUES ('nameless', 1)")
	b.costs("SELECT COUNT(*) FROM pets WHERE name IS NULL", "1", 2, 0)
	b.is("SELECT _id FROM orders WHERE name NOT IN (SELECT name FROM pets WHERE n < 2)", "")
	b.is("SELECT _id FROM orders WHERE name NOT IN (SELECT name FROM pets WHERE n = 2) ORDER BY 1", "o1; o3; o5")
	b.is("SELECT _id FROM orders WHERE name NOT IN (SELECT name FROM pets WHERE n > 900) ORDER BY 1",
		"o1; o2; o3; o4; o5")
	b.is("SELECT _id FROM orders WHERE NOT name IN (SELECT name FROM pets WHERE n > 900) AND num > 100 ORDER BY 1",
		"o2; o3")
}

// TestInIsTheSame: IN and NOT IN give the same rows whether they are looked up or not, with NULLs on either side.
func TestInIsTheSame(t *testing.T) {
	b := start(t, nil)
	r := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 1))
	b.create("pets", ", KEY name_1 (name), KEY name_1_kind_1_n_1 (name, kind, n)")
	b.run("CREATE TABLE plain (_id VARCHAR(20) PRIMARY KEY, _doc JSON)")
	b.create("others", "")
	values := func(n, kinds int) (list string) {
		for i := range n {
			name := fmt.Sprintf("'v%d'", r.IntN(kinds))
			if r.IntN(12) == 0 {
				name = "NULL"
			}
			list += fmt.Sprintf(", ('v%d', %s, 'k%d', %d)", i, name, r.IntN(3), r.IntN(n))
		}
		return list[2:]
	}
	b.run("INSERT INTO pets (_id, name, kind, n) VALUES "+values(80, 40),
		"INSERT INTO plain (_id, name, kind, n) VALUES "+values(30, 100),
		"INSERT INTO others (_id, name, kind, n) VALUES "+values(30, 100))
	looked := 0
	same := func(query string) {
		b.run("SET sqlfdb_use_index = OFF")
		want := b.rows(query)
		b.run("SET sqlfdb_use_index = ON")
		before := b.count.Requests()
		b.is(query, want)
		if r := b.count.Requests().Minus(before); r.Gets > 0 && r.Lists == 0 {
			looked++
		}
	}
	b.run("CREATE VIEW few AS SELECT * FROM plain WHERE name IN (SELECT name FROM pets WHERE n < 40)")
	for _, query := range []string{
		"SELECT _id FROM pets WHERE name IN (SELECT name FROM pets WHERE n < 5) ORDER BY 1",
		"SELECT _id FROM pets WHERE name NOT IN (SELECT name FROM pets WHERE n < 5 AND name > '') ORDER BY 1",
		"SELECT _id FROM plain WHERE name IN (SELECT name FROM pets WHERE n < 50) AND name NOT IN " +
			"(SELECT name FROM pets WHERE n > 60 AND name > '') ORDER BY 1",
		"SELECT p._id FROM others p WHERE EXISTS (SELECT 1 FROM plain o WHERE o.n = p.n AND o.name IN " +
			"(SELECT name FROM pets WHERE n < 60)) ORDER BY 1",
		"SELECT o._id, (SELECT COUNT(*) FROM plain p WHERE p.kind = o.kind AND p.name NOT IN " +
			"(SELECT name FROM pets WHERE n < 9 AND name > '')) FROM others o ORDER BY 1",
		"SELECT o._id, (SELECT COUNT(*) FROM plain p WHERE p.kind = o.kind AND EXISTS (SELECT 1 FROM pets q " +
			"WHERE q.name = p.name AND q.n < 9)) FROM others o ORDER BY 1",
		"SELECT kind, COUNT(*) FROM plain WHERE name NOT IN (SELECT name FROM pets WHERE n > 70) GROUP BY kind ORDER BY 1",
		"SELECT name FROM plain GROUP BY name HAVING name IN (SELECT name FROM pets WHERE n > 40) ORDER BY 1",
		"SELECT a._id, b._id FROM others a LEFT JOIN plain b ON b.n = a.n WHERE b.name NOT IN " +
			"(SELECT name FROM pets WHERE n < 0) OR a.n < 2 ORDER BY 1, 2",
		"SELECT a._id, b._id FROM others a LEFT JOIN plain b ON b.n = a.n WHERE b._id NOT IN " +
			"(SELECT _id FROM pets WHERE n < 40) ORDER BY 1, 2",
		"SELECT a._id, b._id FROM others a LEFT JOIN plain b ON b.n = a.n WHERE b._id NOT IN " +
			"(SELECT _id FROM pets WHERE n < 0) ORDER BY 1, 2",
		"SELECT _id FROM few ORDER BY 1",
		"SELECT _id FROM (SELECT * FROM plain WHERE name NOT IN (SELECT name FROM pets WHERE n = 17)) q ORDER BY 1",
		"WITH q AS (SELECT name FROM pets WHERE n < 30) SELECT _id FROM plain WHERE name IN (SELECT name FROM q) ORDER BY 1",
		"SELECT _id FROM plain WHERE name IN (SELECT name FROM pets WHERE n < 50 ORDER BY n) UNION SELECT _id FROM others " +
			"WHERE _id IN (SELECT _id FROM pets WHERE n > 50) ORDER BY 1",
		"SELECT _id FROM plain WHERE name NOT IN (SELECT DISTINCT name FROM pets WHERE n < 50 AND name > '') ORDER BY 1",
		"SELECT _id FROM plain WHERE (SELECT 'v3') NOT IN (SELECT name FROM pets WHERE n < 5) ORDER BY 1",
		"SELECT _id FROM plain WHERE 'v3' IN (SELECT name FROM pets WHERE n < 70) ORDER BY 1",
		"SELECT _id FROM plain WHERE NULL NOT IN (SELECT name FROM pets WHERE n < 70) ORDER BY 1",
	} {
		same(query)
	}
	for range 120 {
		column := []string{"_id", "name", "n", "kind"}[r.IntN(4)]
		where := []string{"", " WHERE n < 3", " WHERE n > 900", " WHERE n < 30 AND kind = 'k1'", " WHERE name IS NOT NULL",
			" WHERE name IS NULL", " WHERE kind <> 'k2'", " WHERE _id > 'v5' AND n BETWEEN 10 AND 70"}[r.IntN(8)]
		left := []string{"o.name", "o._id", "CONCAT('v', o.n)", "o.kind", "o.n", "o.missing"}[r.IntN(6)]
		same(fmt.Sprintf("SELECT o._id FROM %s o WHERE %s %s (SELECT %s FROM pets%s) ORDER BY 1",
			[]string{"plain", "others"}[r.IntN(2)], left, []string{"IN", "NOT IN"}[r.IntN(2)], column, where))
	}
	if looked == 0 {
		t.Error("nothing was looked up")
	}
}
