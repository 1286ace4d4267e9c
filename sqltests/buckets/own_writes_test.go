package buckets

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// inTime runs a statement that must end by itself, and soon.
func (b *bucket) inTime(statement string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	if _, err := b.conn.ExecContext(ctx, statement); err != nil {
		b.t.Fatalf("%s: %v", statement, err)
	}
}

// folder is the CONNECTION of a table in a folder.
func folder(at, collection string) string { return "file://" + at + "?collection=" + collection }

// in makes a table at an address.
func (b *bucket) in(name, address string) {
	b.t.Helper()
	b.run("CREATE TABLE " + name + " (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE=BUCKET CONNECTION='" + address + "'")
}

// fill puts n documents into a table, with ids that begin with m and k from 1.
func (b *bucket) fill(table string, n int) {
	b.t.Helper()
	var rows []string
	for i := 1; i <= n; i++ {
		if rows = append(rows, fmt.Sprintf("('m%d', %d)", i, i)); len(rows) == 500 || i == n {
			b.run("INSERT INTO " + table + " (_id, k) VALUES " + strings.Join(rows, ", "))
			rows = nil
		}
	}
}

// TestOwnWrites: a statement that is written in pieces does not read what it has written, under whatever name of a
// table that is.
func TestOwnWrites(t *testing.T) {
	b := start(t, nil)
	b.run("SET sqlfdb_bulk_writes = batched")
	b.in("h", "mem://ownwrites/"+t.Name())
	b.fill("h", 1500)
	b.inTime("UPDATE h SET _id = CONCAT('m', _id) WHERE _id LIKE 'm%'")
	b.is("SELECT COUNT(*), SUM(_id LIKE 'mm%'), SUM(_id LIKE 'mmm%'), SUM(k) FROM h", "1500 1500 0 1125750")
	b.is("CHECK TABLE h", "d.h check status OK")

	b.inTime("INSERT INTO h (_id, k) SELECT CONCAT('zz', _id), k FROM h")
	b.is("SELECT COUNT(*), SUM(_id LIKE 'zzmm%'), SUM(k) FROM h", "3000 1500 2251500")
	b.inTime("REPLACE INTO h (_id, k) SELECT CONCAT('zzz', _id), k FROM h WHERE _id LIKE 'm%'")
	b.is("SELECT COUNT(*), SUM(_id LIKE 'zzzmm%') FROM h", "4500 1500")

	// Each part of a UNION, and each reading of a join, begins after something has been written.
	at := "mem://ownwrites/" + t.Name() + "?collection=g"
	b.in("g", at)
	b.in("other", at+"&cache=0")
	b.fill("g", 1500)
	b.inTime("INSERT INTO g (_id, k) SELECT CONCAT('a', _id), k FROM g UNION ALL SELECT CONCAT('z', _id), k FROM other")
	b.is("SELECT COUNT(*), SUM(_id LIKE 'am%'), SUM(_id LIKE 'zm%') FROM g", "4500 1500 1500")
	b.inTime("INSERT INTO g (_id, k) SELECT CONCAT('j', o._id, '-', g._id), 1500 FROM g JOIN other o " +
		"ON o.k % 500 = 0 AND g.k <= 100")
	b.is("SELECT COUNT(*) FROM g WHERE _id LIKE 'j%'", "2700")
	b.is("SELECT COUNT(*) FROM other", "7200")

	// What a statement has written, the next one reads.
	b.inTime("UPDATE h SET k = -1 WHERE _id LIKE 'zzzmm%'")
	b.is("SELECT COUNT(*) FROM h WHERE k = -1", "1500")
	b.run("DELETE FROM h")
	b.is("SELECT COUNT(*) FROM h", "0")
}

// TestOnePlace: tables on one collection know the same of it, however their addresses are spelled.
func TestOnePlace(t *testing.T) {
	b := start(t, nil)
	at := t.TempDir()
	b.in("h1", folder(at, "z"))
	b.run("INSERT INTO h1 (_id, k) VALUES ('1', 1), ('2', 2), ('3', 3)")
	b.is("SELECT _id FROM h1 WHERE k = 2", "2")
	for i, address := range []string{folder(at+"/", "z&cache=0"), folder(at+"/./", "z"), folder(at+"/../", "z")} {
		if i == 2 {
			address = folder(at+"/x/..", "z&cache=100")
		}
		name := fmt.Sprint("other", i)
		b.in(name, address)
		b.is("SELECT k FROM "+name+" WHERE _id = '1'", "1")
		b.run(fmt.Sprintf("UPDATE %s SET k = 'was%d', n%d = 'new' WHERE _id = '3'", name, i, i))
		b.is(fmt.Sprintf("SELECT _id FROM h1 WHERE k = 'was%d'", i), "3")
		b.is(fmt.Sprintf("SELECT n%d FROM h1 WHERE _id = '3'", i), "new")
	}
	b.has("SHOW CREATE TABLE other0", "/?collection=z&cache=0'")
	b.in("s1", b.address("&collection=z"))
	b.in("s2", strings.Replace(b.address("&collection=z&region=us-east-1"), "/app?", "/app/?", 1))
	b.run("INSERT INTO s1 (_id, k) VALUES ('1', 1)")
	b.is("SELECT _id FROM s2 WHERE k = 1", "1")
	b.run("UPDATE s2 SET k = 'was'")
	b.is("SELECT _id FROM s1 WHERE k = 'was'", "1")
}

// TestDropTells: DROP TABLE says that the files stay.
func TestDropTells(t *testing.T) {
	b := start(t, nil)
	b.create("pets", "")
	b.run("CREATE TABLE plain (_id VARCHAR(255) PRIMARY KEY, _doc JSON)", "INSERT INTO pets (_id) VALUES ('a')",
		"DROP TABLE plain, pets")
	b.is("SHOW WARNINGS", "Note 1105 The files of d.pets stay in the bucket, in the folder pets. TRUNCATE TABLE "+
		"deletes documents")
	if b.file("pets/data/a.json") == "" {
		t.Error("the file is gone")
	}
	b.run("CREATE TABLE plain (_id VARCHAR(255) PRIMARY KEY, _doc JSON)", "DROP TABLE IF EXISTS plain")
	b.is("SHOW WARNINGS", "")
}

// TestIDLimit: an _id has 1 to 250 bytes as it is spelled in a URI.
func TestIDLimit(t *testing.T) {
	b := start(t, nil)
	b.create("pets", "")
	longest := strings.Repeat("ä", 41) + "aaaa"
	b.run("INSERT INTO pets (_id, n) VALUES ('" + longest + "', 1)")
	b.is("SELECT n FROM pets WHERE _id = '"+longest+"'", "1")
	for _, id := range []string{"", longest + "a", strings.Repeat("ä", 42), strings.Repeat("a", 251)} {
		b.fails("INSERT INTO pets (_id, n) VALUES ('"+id+"', 1)", 1406, "1 to 250")
	}
	b.is("SELECT COUNT(*) FROM pets", "1")
}
