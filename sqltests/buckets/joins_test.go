package buckets

import "testing"

// TestJoins: tables in buckets are joined with others, and documents go from one to the other.
func TestJoins(t *testing.T) {
	b := start(t, nil)
	b.create("pets", ", KEY owner_1 (owner)")
	b.run("CREATE TABLE owners (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		`INSERT INTO owners (_doc) VALUES ('{"_id": "o1", "name": "Ann"}'), ('{"_id": "o2", "name": "Bob"}')`,
		`INSERT INTO pets (_doc) VALUES ('{"_id": "a", "name": "Milo", "owner": "o1", "tags": ["x", "y"]}'),
			('{"_id": "b", "name": "Bella", "owner": "o2"}'), ('{"_id": "c", "name": "Rex", "owner": "o1"}')`)
	// Two entries, and the documents in them: a list would cost more.
	b.costs("SELECT o.name, p.name FROM owners o JOIN pets p ON p.owner = o._id ORDER BY 1, 2",
		"Ann Milo; Ann Rex; Bob Bella", 5, 0)
	b.costs("SELECT o.name, p.name FROM owners o LEFT JOIN pets p ON p.owner = o._id AND p.name > o.name ORDER BY 1, 2",
		"Ann Milo; Ann Rex; Bob NULL", 5, 0)
	b.costs("SELECT o.name, p.name FROM pets p, owners o WHERE p.owner = 'o1' AND p.name <> o.name ORDER BY 1, 2",
		"Ann Milo; Ann Rex; Bob Milo; Bob Rex", 3, 0)
	b.is("SELECT p.name, o.name FROM pets p JOIN owners o ON p.owner = o._id WHERE p._id = 'b'", "Bella Bob")
	b.is("SELECT o.name, COUNT(p._id) FROM owners o LEFT JOIN pets p ON p.owner = o._id AND p.name = 'Rex' "+
		"GROUP BY o._id ORDER BY 1", "Ann 1; Bob 0")
	b.is("SELECT name FROM owners WHERE _id IN (SELECT owner FROM pets WHERE name = 'Rex')", "Ann")
	b.is("SELECT name FROM pets p WHERE EXISTS (SELECT 1 FROM owners o WHERE o._id = p.owner AND o.name = 'Bob')",
		"Bella")
	b.is("SELECT name, (SELECT o.name FROM owners o WHERE o._id = p.owner) FROM pets p ORDER BY 1",
		"Bella Bob; Milo Ann; Rex Ann")
	b.is("SELECT o.name FROM owners o WHERE (SELECT COUNT(*) FROM pets p WHERE p.owner = o._id) = 2", "Ann")
	b.is("SELECT p.name, j.tag FROM pets p JOIN JSON_TABLE(p._doc, '$.tags[*]' COLUMNS (tag TEXT PATH '$')) j ORDER BY 2",
		"Milo x; Milo y")
	b.is("SELECT name FROM (SELECT * FROM pets WHERE owner = 'o1') AS mine WHERE name > 'N'", "Rex")
	b.is("SELECT name FROM pets WHERE _id = 'a' UNION ALL SELECT name FROM owners ORDER BY 1", "Ann; Bob; Milo")
	b.run("CREATE VIEW rexes AS SELECT _id, name FROM pets WHERE name = 'Rex'")
	b.is("SELECT _id FROM rexes", "c")

	b.run("INSERT INTO owners (_id, name) SELECT _id, name FROM pets WHERE owner = 'o2'",
		"INSERT INTO pets (_doc) SELECT _doc FROM owners WHERE _id LIKE 'o%'",
		"INSERT INTO pets (_id, name, owner) SELECT CONCAT(_id, _id), name, owner FROM pets WHERE _id = 'b'",
		"CREATE TABLE copies (_id VARCHAR(255) PRIMARY KEY, _doc JSON) AS SELECT _id, _doc FROM pets")
	b.is("SELECT name FROM owners ORDER BY 1", "Ann; Bella; Bob")
	b.is("SELECT _id, name FROM pets ORDER BY 1", "a Milo; b Bella; bb Bella; c Rex; o1 Ann; o2 Bob")
	b.is("SELECT COUNT(*) FROM copies", "6")
	b.run("DELETE p FROM pets p JOIN owners o ON p._id = o._id",
		"UPDATE pets SET name = UPPER(name) WHERE owner = 'o1' ORDER BY _id LIMIT 1")
	b.is("SELECT _id, name FROM pets ORDER BY 1", "a MILO; bb Bella; c Rex")
	b.is("CHECK TABLE pets, owners", "d.pets check status OK; d.owners check status OK")
}

// TestTransactions: a statement of several documents is written whole or not at all.
func TestTransactions(t *testing.T) {
	b := start(t, nil)
	b.create("pets", "")
	b.run("INSERT INTO pets (_id, n) VALUES ('a', 1)")
	b.fails("INSERT INTO pets (_id, n) VALUES ('b', 1), ('a', 2), ('c', 3)", 1062, "Duplicate entry 'a'")
	b.fails("INSERT INTO pets (_id, n) VALUES ('b', 1), ('b', 2)", 1062, "Duplicate entry 'b'")
	b.is("SELECT _id FROM pets", "a")
	b.fails("UPDATE pets SET _doc = '[1]'", 3140, "")
	b.run("UPDATE pets SET _id = 'z' WHERE _id = 'a'")
	b.is("SELECT _id, n FROM pets", "z 1")
	b.run("SET SESSION cte_max_recursion_depth = 5000")
	const many = "INSERT INTO pets (_id, n) WITH RECURSIVE s (i) AS " +
		"(SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 1200) SELECT CONCAT('m', i), i FROM s"
	b.fails(many, 1197, "at most 1000 documents")
	b.is("SELECT COUNT(*) FROM pets", "1")
	b.run("SET sqlfdb_bulk_writes = batched", many)
	b.is("SELECT COUNT(*) FROM pets", "1201")
	b.run("CREATE TABLE plain (_id VARCHAR(255) PRIMARY KEY, _doc JSON)", "SET sqlfdb_batch_rows = 100",
		"INSERT INTO plain (_doc) SELECT _doc FROM pets",
		"UPDATE plain SET n = n + (SELECT COUNT(*) FROM pets WHERE _id = 'z')", "CREATE TABLE other LIKE plain",
		"INSERT INTO other (_doc) SELECT p._doc FROM plain p JOIN pets q ON p._id = q._id WHERE q.n < 500",
		"DELETE FROM other WHERE _id IN (SELECT _id FROM pets WHERE n < 10)",
		"REPLACE INTO pets (_doc) SELECT _doc FROM plain")
	b.is("SELECT COUNT(*), SUM(n) FROM pets", "1201 721802")
	b.is("SELECT COUNT(*), SUM(n) FROM plain", "1201 721802")
	b.is("SELECT COUNT(*) FROM other", "490")
	b.run("SET sqlfdb_batch_rows = DEFAULT", "UPDATE pets SET n = n - 1")
	b.is("SELECT COUNT(*), SUM(n) FROM pets", "1201 720601")
	b.run("DELETE FROM pets WHERE n > 1")
	b.is("SELECT COUNT(*) FROM pets", "2")
	b.run("TRUNCATE TABLE pets")
	b.is("SELECT COUNT(*) FROM pets", "0")
}
