package buckets

import "testing"

// TestLookedUp: of a join, the table in the bucket is asked for the documents that the other side's values name.
func TestLookedUp(t *testing.T) {
	b := start(t, nil)
	b.create("pets", ", KEY name_1 (name), KEY kind_1_n_1 (kind, n)")
	b.run("INSERT INTO pets (_id, name, kind, n) "+numbers(500)+"CONCAT('p', i), CONCAT('n', i % 100), "+
		"CONCAT('k', i % 50), i FROM s",
		"CREATE TABLE orders (_id VARCHAR(20) PRIMARY KEY, _doc JSON, pet TEXT, name TEXT, kind TEXT, num INT)",
		"INSERT INTO orders (_id, pet, name, kind, num) VALUES ('o1', 'p1', 'n1', 'k1', 1), ('o2', 'p2', 'n2', 'k2', 102), "+
			"('o3', 'p1', 'n1', 'k1', 201), ('o4', NULL, NULL, NULL, NULL), ('o5', 'none', 'none', 'none', 7)")
	b.costs("SELECT o._id, p.n FROM orders o JOIN pets p ON p._id = o.pet ORDER BY 1", "o1 1; o2 2; o3 1", 3, 0)
	b.costs("SELECT o._id, p.n FROM pets p JOIN orders o ON o.pet = p._id ORDER BY 1", "o1 1; o2 2; o3 1", 3, 0)
	b.costs("SELECT o._id, p.n FROM orders o LEFT JOIN pets p ON p._id = o.pet ORDER BY 1",
		"o1 1; o2 2; o3 1; o4 NULL; o5 NULL", 3, 0)
	b.costs("SELECT o._id FROM orders o WHERE EXISTS (SELECT 1 FROM pets p WHERE p._id = o.pet AND p.n = 2)", "o2",
		3, 0)
	b.is("SELECT o._id FROM orders o WHERE o.pet IN (SELECT p._id FROM pets p WHERE p.n < 2) ORDER BY 1", "o1; o3")
	// An entry for each of three names, of which one is not there, which asks whether the index still is, and ten
	// documents.
	b.costs("SELECT o._id, COUNT(*), SUM(p.n) FROM orders o JOIN pets p ON p.name = o.name GROUP BY o._id ORDER BY 1",
		"o1 5 1005; o2 5 1010; o3 5 1005", 14, 0)
	b.costs("SELECT o._id, p._id FROM orders o JOIN pets p ON p.name = o.name AND p.n = o.num ORDER BY 1",
		"o1 p1; o2 p102; o3 p201", 14, 0)
	b.costs("SELECT o._id, p._id FROM orders o JOIN pets p ON p.kind = o.kind WHERE p.n > 400 AND o._id = 'o1' ORDER BY 2",
		"o1 p401; o1 p451", 9, 0)
	b.is("SELECT COUNT(*) FROM orders o JOIN pets p ON p._id <> o.pet AND p.kind = o.kind", "27")
	b.costs("SELECT o._id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM pets p WHERE p._id = o.pet) ORDER BY 1",
		"o4; o5", 3, 0)
	b.costs("SELECT o._id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM pets p WHERE p.name = o.name AND p.n > 400) "+
		"ORDER BY 1", "o4; o5", 14, 0)
	b.costs("SELECT o._id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM pets p WHERE p._id = o.pet AND p.n > o.num) "+
		"ORDER BY 1", "o1; o2; o3; o4; o5", 3, 0)
	b.costs("SELECT o._id FROM orders o LEFT JOIN pets p ON p._id = o.pet WHERE p._id IS NULL ORDER BY 1", "o4; o5", 3, 0)
	// A document that several rows name is there once.
	b.costs("SELECT p.n FROM pets p WHERE p._id IN (SELECT pet FROM orders) ORDER BY 1", "1; 2", 3, 0)
	b.costs("SELECT p.n FROM pets p WHERE p._id IN (SELECT pet FROM orders WHERE num < 100) AND p.n < 9", "1", 2, 0)
	b.costs("SELECT p.n FROM pets p WHERE EXISTS (SELECT 1 FROM orders o WHERE o.pet = p._id) ORDER BY 1", "1; 2", 3, 0)
	b.costs("SELECT COUNT(*) FROM pets p WHERE EXISTS (SELECT 1 FROM orders o WHERE o.name = p.name)", "10", 14, 0)
	b.is("SELECT COUNT(*) FROM pets p WHERE EXISTS (SELECT 1 FROM orders o WHERE o.kind = p.kind AND o.num < p.n)", "16")
	b.is("SELECT o._id, p.n FROM orders o JOIN pets p ON p._id = o.num ORDER BY 1", "")
	b.is("SELECT o._id, p._id FROM orders o JOIN pets p ON p.n = o.num ORDER BY 1", "o1 p1; o2 p102; o3 p201; o5 p7")
	b.is("SELECT COUNT(*) FROM pets a JOIN pets b ON a._id = b._id WHERE a.name = 'n7'", "5")
	b.is("SELECT o._id, p.n FROM orders o JOIN pets p ON p._id = o.pet AND p.name = 'n1' ORDER BY 1", "o1 1; o3 1")
	b.is("SELECT o._id, (SELECT p.n FROM pets p WHERE p._id = o.pet) FROM orders o ORDER BY 1 LIMIT 2", "o1 1; o2 2")
	b.is("SELECT o._id, q.n FROM orders o JOIN (SELECT * FROM pets) q ON q._id = o.pet ORDER BY 1", "o1 1; o2 2; o3 1")
	b.is("SELECT o._id, p.n, q.n FROM orders o JOIN pets p ON p._id = o.pet JOIN pets q ON q._id = CONCAT('p', p.n + 1) "+
		"ORDER BY 1", "o1 1 2; o2 2 3; o3 1 2")
	b.run("CREATE TABLE many (_id VARCHAR(20) PRIMARY KEY, _doc JSON)",
		"INSERT INTO many (_id, pet, name) "+numbers(900)+"CONCAT('m', i), CONCAT('p', i), CONCAT('n', i) FROM s")
	// All ids, or all documents, are fewer requests than what would be looked for.
	b.costs("SELECT COUNT(*) FROM many JOIN pets p ON p._id = pet", "500", 0, 1)
	b.costs("SELECT COUNT(*), SUM(p.n) FROM many JOIN pets p ON p._id = pet", "500 125250", 500, 1)
	b.costs("SELECT COUNT(*) FROM many WHERE NOT EXISTS (SELECT 1 FROM pets p WHERE p._id = many.pet AND p.n > 0)", "400",
		500, 1)
	b.is("SELECT COUNT(*) FROM pets WHERE _id IN (SELECT pet FROM many)", "500")
	b.is("SELECT COUNT(*), COUNT(p._id) FROM many LEFT JOIN pets p ON p.name = many.name", "1296 495")
	b.costs("SELECT COUNT(*) FROM many m JOIN pets p ON p._id = m.pet WHERE m._id LIKE 'm1_'", "10", 10, 0)
	b.has("EXPLAIN FORMAT=TREE SELECT o._id, p.n FROM orders o JOIN pets p ON p._id = o.pet",
		"Bucket look-ups in p: p._id = o.pet", "for about 5 rows: 5 documents; $2.00 for a million such statements",
		"lost: scan: 1 list, 500 documents, _id cost 5 documents")
	b.has("EXPLAIN ANALYZE SELECT o._id, p.n FROM orders o JOIN pets p ON p._id = o.pet", "asked: 3 GET")
	b.has("EXPLAIN FORMAT=TREE SELECT o._id, p.n FROM orders o JOIN pets p ON p.name = o.name",
		"index name_1: p.name = o.name")
	b.has("EXPLAIN SELECT o._id, p.n FROM orders o JOIN pets p ON p._id = o.pet", "eq_ref")
	b.run("SET sqlfdb_full_scans = deny")
	b.is("SELECT o._id, p.n FROM orders o JOIN pets p ON p._id = o.pet WHERE o._id = 'o2'", "o2 2")
	b.is("SELECT p.n FROM pets p WHERE p._id IN (SELECT pet FROM orders WHERE _id = 'o2')", "2")
	b.run("SET sqlfdb_full_scans = DEFAULT", "DELETE p FROM pets p JOIN orders o ON p._id = o.pet")
	b.is("SELECT COUNT(*) FROM pets", "498")
	b.is("CHECK TABLE pets", "d.pets check status OK")
}
