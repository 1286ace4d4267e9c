package bulk

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestLoadDataFormats: fields are taken out of a file as MySQL does.
func TestLoadDataFormats(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "SET GLOBAL local_infile = 1",
		"CREATE TABLE c (id INT PRIMARY KEY, a VARCHAR(100), b VARCHAR(100) DEFAULT 'none', n INT)")
	for _, x := range []struct{ name, file, options, want string }{
		{"tabs", "1\ta\tb\t5\n2\t\\N\t\t\\N\n", "", "1|a|b|5| 2|false:||false:|"},
		{"escapes", "1\ta\\tb\tx\\\ny\t5\n2\t\\\\\tNULL\t0\n", "", "1|a\tb|x\ny|5| 2|\\|NULL|0|"},
		{"enclosed", `1,"a,b","say ""yes""",5` + "\n" + `2,"two` + "\n" + `lines",NULL,6` + "\n" + `3,"NULL",a"b,7`,
			`FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' ESCAPED BY ''`,
			"1|a,b|say \"yes\"|5| 2|two\nlines|false:|6| 3|NULL|a\"b|7|"},
		{"empty enclosed", "1,\"\",\"x\",\n", `FIELDS TERMINATED BY ',' ENCLOSED BY '"'`, "1||x|false:|"},
		{"crlf and header", "id,a\r\n1,x\r\n\r\n2,y\r\n",
			"FIELDS TERMINATED BY ',' LINES TERMINATED BY '\\r\\n' IGNORE 1 LINES (id, a)", "1|x|none|false:| 2|y|none|false:|"},
		{"long delimiters", "1<>a<b<>c|.2<>d|e<>f|.", "FIELDS TERMINATED BY '<>' LINES TERMINATED BY '|.' (id, a, b)",
			"1|a<b|c|false:| 2|d|e|f|false:|"},
		{"beginnings", "no\nxxx1,a\nyy xxx2,b\n", "FIELDS TERMINATED BY ',' LINES STARTING BY 'xxx' (id, a)",
			"1|a|none|false:| 2|b|none|false:|"},
		{"order and expressions", "a,5,1\nb,6,2\n", "FIELDS TERMINATED BY ',' (a, @x, id) SET n = @x * 2, b = CONCAT(a, id)",
			"1|a|a1|10| 2|b|b2|12|"},
		{"fewer and more fields", "1\n2,b,c,7,too,many\n", "FIELDS TERMINATED BY ','", "1|false:|none|false:| 2|b|c|7|"},
	} {
		harness.RegisterText("format", x.file)
		harness.MustRun(t, conn, "DELETE FROM c")
		if _, err := conn.ExecContext(context.Background(),
			"LOAD DATA LOCAL INFILE 'Reader::format' INTO TABLE c "+x.options); err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		if have := harness.TextOf(t, conn, "SELECT * FROM c ORDER BY id"); have != x.want {
			t.Errorf("%s: %q, want %q", x.name, have, x.want)
		}
	}
	harness.RegisterText("format", "1,\"a\n")
	harness.WantError(t, conn,
		`LOAD DATA LOCAL INFILE 'Reader::format' INTO TABLE c FIELDS TERMINATED BY ',' ENCLOSED BY '"'`,
		1085, "lacks its end")
	harness.WantError(t, conn, "LOAD DATA INFILE '/etc/hostname' INTO TABLE c", 1290, "LOAD DATA LOCAL")
	harness.CheckTables(t, conn, "c")
}

// TestLoadSubqueries: SET of LOAD DATA takes subqueries, of the row's columns and of user variables too, and they read
// what was there when the statement began.
func TestLoadSubqueries(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "SET GLOBAL local_infile = 1", "CREATE TABLE u (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE c (id INT PRIMARY KEY, a VARCHAR(20), b VARCHAR(20) DEFAULT 'none', n INT)",
		"INSERT INTO c VALUES (100, 'x', 'y', 7)")
	var names []string
	for i := range 400 {
		names = append(names, fmt.Sprintf("('u%d', 'name %d', %d)", i, i, i%10))
	}
	harness.MustRun(t, conn, "INSERT INTO u (_id, name, g) VALUES "+strings.Join(names, ", "))
	harness.RegisterText("lookup", "1,name 3\n2,name 5\n3,nobody\n4,\\N\n5,name 399\n")
	load := "LOAD DATA LOCAL INFILE 'Reader::lookup' INTO TABLE c FIELDS TERMINATED BY ',' "
	for _, x := range []struct{ rest, want string }{
		{"(id, a) SET b = (SELECT _id FROM u WHERE name = a)",
			"1|name 3|u3|false:| 2|name 5|u5|false:| 3|nobody|false:|false:| 4|false:|false:|false:| 5|name 399|u399|false:|"},
		{"(id, @n) SET b = (SELECT _id FROM u WHERE name = @n), a = UPPER(@n)",
			"1|NAME 3|u3|false:| 2|NAME 5|u5|false:| 3|NOBODY|false:|false:| 4|false:|false:|false:| 5|NAME 399|u399|false:|"},
		{"(id, a) SET n = (SELECT MAX(n) + 1 FROM c) + id",
			"1|name 3|none|9| 2|name 5|none|10| 3|nobody|none|11| 4|false:|none|12| 5|name 399|none|13|"},
		{"(id, a) SET n = (SELECT COUNT(*) FROM u WHERE g = c.id), b = IF(EXISTS (SELECT 1 FROM u WHERE name = c.a), " +
			"'there', 'not')", "1|name 3|there|40| 2|name 5|there|40| 3|nobody|not|40| 4|false:|not|40| 5|name 399|there|40|"},
		{"(id, @n) SET n = @n IN (SELECT name FROM u WHERE g = 3), a = (SELECT CONCAT(o.g, (SELECT MIN(_id) FROM u i " +
			"WHERE i.g = o.g AND i.name = @n)) FROM u o WHERE o.name = @n)",
			"1|3u3|none|1| 2|5u5|none|0| 3|false:|none|0| 4|false:|none|false:| 5|9u399|none|0|"},
	} {
		harness.MustRun(t, conn, "DELETE FROM c WHERE id < 100")
		if rows := affected(t, conn, load+x.rest); rows != 5 {
			t.Errorf("%s: %d rows", x.rest, rows)
		}
		if have := harness.TextOf(t, conn, "SELECT * FROM c WHERE id < 100 ORDER BY id"); have != x.want {
			t.Errorf("%s: %q, want %q", x.rest, have, x.want)
		}
	}
	harness.MustRun(t, conn, "DELETE FROM c WHERE id < 100")
	if rows := affected(t, conn, load+"(id, a) SET n = (SELECT g FROM u)"); rows != 0 { // LOCAL is IGNORE
		t.Errorf("%d rows", rows)
	}
	harness.WantText(t, conn, "SHOW COUNT(*) WARNINGS", "5|")
	harness.WantError(t, conn, strings.Replace(load, "INTO", "REPLACE INTO", 1)+"(id, a) SET n = (SELECT g FROM u)",
		1242,
		"in line 1 of the file")
	harness.WantError(t, conn, load+"(id, a) SET n = (SELECT nothing FROM c x WHERE x.id = c.id)", 1054, "nothing")
	harness.WantError(t, conn, load+"(id, a) SET n = (SELECT g, g FROM u LIMIT 1)", 1241)
	harness.WantError(t, conn, load+"(id, a) SET n = (SELECT g FROM nowhere)", 1146)
	harness.WantText(t, conn, "SELECT COUNT(*) FROM c WHERE id < 100", "0|")
	harness.CheckTables(t, conn, "c", "u")
}

// documentLines are documents, one a line, some of them broken.
func documentLines(n int, broken ...int) string {
	var b strings.Builder
	for i := range n {
		end := "}"
		for _, x := range broken {
			if x == i {
				end = ""
			}
		}
		fmt.Fprintf(&b, "{\"_id\": \"k%05d\", \"n\": %d, \"v\": 1%s\n", i, i, end)
	}
	return b.String()
}

// TestBulkLoad: LOAD DATA in batches takes every line once, says so, and goes on behind what an
// interrupted run has committed, if the file is the same up to there.
func TestBulkLoad(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "SET GLOBAL local_infile = 1", "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 7")
	const load = "LOAD DATA LOCAL INFILE 'Reader::lines' INTO TABLE t FIELDS TERMINATED BY '' ESCAPED BY '' (_doc)"
	harness.RegisterText("lines", documentLines(50))
	if rows := affected(t, conn, load); rows != 50 {
		t.Errorf("%d rows", rows)
	}
	if warnings := harness.TextOf(t, conn, "SHOW WARNINGS"); !strings.Contains(warnings,
		"committed in 8 batches: it was not atomic") {
		t.Errorf("the warnings are %s", warnings)
	}
	harness.WantText(t, conn, "SELECT COUNT(*), SUM(n), SUM(v) FROM t", "50|1225|50|")
	// As in MySQL, LOCAL leaves out duplicates.
	harness.RegisterText("lines", documentLines(60))
	if rows := affected(t, conn, load); rows != 10 {
		t.Errorf("%d rows of 10 new ones", rows)
	}
	if rows := affected(t, conn, strings.Replace(load, "INTO", "REPLACE INTO", 1)); rows != 120 {
		t.Errorf("%d rows, 60 deleted and 60 inserted", rows)
	}
	harness.MustRun(t, conn, "DELETE FROM t")

	harness.RegisterText("lines", documentLines(30, 17))
	harness.WantError(t, conn, load, 3140, "in line 18 of the file; 14 rows were changed in 2 batches",
		"goes on behind them")
	harness.WantText(t, conn, "SELECT COUNT(*) FROM t", "14|")
	harness.RegisterText("lines", strings.Replace(documentLines(30), "k00003", "k90003", 1))
	harness.WantError(t, conn, load, 1085, "not the one", "a comment is enough")
	harness.RegisterText("lines", documentLines(30))
	if rows := affected(t, conn, load); rows != 30 {
		t.Errorf("%d rows, want all 30", rows)
	}
	if warnings := harness.TextOf(t, conn, "SHOW WARNINGS"); !strings.Contains(warnings, "behind the 14 rows") {
		t.Errorf("the warnings are %s", warnings)
	}
	harness.WantText(t, conn, "SELECT COUNT(*), SUM(n) FROM t", "30|435|")
	harness.WantText(t, conn, "SELECT COUNT(*) FROM sqlfdb.jobs WHERE kind = 'statement'", "0|")
	harness.CheckTables(t, conn, "t")

	// Without batches it is one transaction: nothing, or all.
	harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'atomic'", "DELETE FROM t")
	harness.RegisterText("lines", documentLines(30, 17))
	harness.WantError(t, conn, load, 3140, "in line 18 of the file")
	harness.WantText(t, conn, "SELECT COUNT(*) FROM t", "0|")
}

// TestBulkLoadLimits: a file over the size of a transaction says what helps, and is loaded in batches.
func TestBulkLoadLimits(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "SET GLOBAL local_infile = 1",
		`CREATE TABLE big (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE '{"excluded": ["text"]}'`)
	var b strings.Builder
	for i := range 24 {
		fmt.Fprintf(&b, "k%02d\t%d\t%s\n", i, i, strings.Repeat("x", 900_000))
	}
	harness.RegisterText("large", b.String())
	const load = "LOAD DATA LOCAL INFILE 'Reader::large' INTO TABLE big (_id, n, text)"
	harness.WantError(t, conn, load, 1197, "10,000,000 bytes", "sqlfdb_bulk_writes = 'batched'")
	harness.WantText(t, conn, "SELECT COUNT(*) FROM big", "0|")
	harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'batched'")
	for _, rows := range []int64{24, 0} { // the second time all are duplicates, more than what is kept of a file
		if have := affected(t, conn, load); have != rows {
			t.Errorf("%d rows, want %d", have, rows)
		}
	}
	harness.WantText(t, conn, "SELECT COUNT(*), SUM(n), MIN(LENGTH(_doc->>'$.text')) FROM big", "24|276|900000|")
	harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'atomic'")
	if have := affected(t, conn, load); have != 0 {
		t.Errorf("%d rows", have)
	}
	harness.CheckTables(t, conn, "big")
}

// TestCrashBulkLoad: a LOAD DATA in batches that kill -9 interrupts has loaded each line once when it comes to its end.
// The file comes to its end when the server has been killed.
func TestCrashBulkLoad(t *testing.T) {
	const rows, kills = 1500, 2
	file := documentLines(rows)
	const load = "LOAD DATA LOCAL INFILE 'Reader::crash' INTO TABLE h FIELDS TERMINATED BY '' ESCAPED BY '' (_doc) " +
		"SET n = JSON_VALUE(_doc, '$.n')"
	dir := t.TempDir()
	for round := range kills + 1 {
		p := harness.Spawn(t, harness.ServeCall(t, dir))
		db := harness.Connect(t, p.Addr, "", "")
		conn, err := db.Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			harness.MustRun(t, conn, "CREATE DATABASE f", "USE f", "CREATE TABLE h (_doc JSON)")
		}
		harness.MustRun(t, conn, "USE f", "SET GLOBAL local_infile = 1", "SET sqlfdb_bulk_writes = 'batched'",
			"SET sqlfdb_batch_rows = 20")
		if round == kills {
			harness.RegisterText("crash", file)
			if n := affected(t, conn, load); n != rows {
				t.Errorf("%d rows, want %d", n, rows)
			}
			if warnings := harness.TextOf(t, conn, "SHOW WARNINGS"); !strings.Contains(warnings,
				"an earlier run was interrupted") {
				t.Errorf("the warnings are %s", warnings)
			}
			harness.WantText(t, conn, "SELECT COUNT(*), COUNT(DISTINCT n), SUM(CAST(n AS SIGNED)) FROM h",
				fmt.Sprintf("%d|%d|%d|", rows, rows, rows*(rows-1)/2))
			harness.CheckTables(t, conn, "h")
			_ = db.Close()
			p.Kill()
			break
		}
		finished, killed := make(chan error, 1), make(chan struct{})
		mysql.RegisterReaderHandler("crash", func() io.Reader {
			return harness.Stuck{Reader: strings.NewReader(file[:len(file)*4/5]),
				Until: killed}
		})
		go func() {
			_, err := conn.ExecContext(context.Background(), load)
			finished <- err
		}()
		harness.Eventually(t, func() string { return "the statement does not come so far" }, func() bool {
			return len(finished) > 0 || harness.Number(
				t, db, "SELECT COALESCE(MAX(done), 0) FROM sqlfdb.jobs WHERE kind = 'statement' AND state = 'running'") >= int64(
				150*(round+1))
		})
		p.Kill()
		close(killed)
		if err := <-finished; err == nil {
			t.Fatal("the statement came to its end before it was to be interrupted")
		}
		_ = db.Close()
	}
}
