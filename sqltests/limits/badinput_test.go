package limits

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// badInput is a connection that must live through everything.
type badInput struct {
	*testing.T
	server *server.Server
	conn   *sql.Conn
	id     int64
}

func newBadInput(t *testing.T) *badInput {
	t.Helper()
	return newBadInputOver(t, harness.Start(t))
}

// newBadInputOver is newBadInput for a server without databases.
func newBadInputOver(t *testing.T, s *server.Server) *badInput {
	t.Helper()
	harness.MustExec(t, harness.Connect(t, s.Addr(), "", ""), "CREATE DATABASE d")
	db := harness.Connect(t, s.Addr(), "d", "?interpolateParams=false&maxAllowedPacket=0")
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, _ = conn.ExecContext(context.Background(), "ROLLBACK")
		_ = conn.Close()
		harness.CheckAll(t, harness.Connect(t, s.Addr(), "", ""))
	})
	b := &badInput{T: t, server: s, conn: conn}
	if err := conn.QueryRowContext(context.Background(), "SELECT CONNECTION_ID()").Scan(&b.id); err != nil {
		t.Fatal(err)
	}
	return b
}

// exec runs a statement that must succeed.
func (b *badInput) exec(stmt string, args ...any) {
	b.Helper()
	if _, err := b.conn.ExecContext(context.Background(), stmt, args...); err != nil {
		b.Errorf("%.200s: %v", stmt, err)
		b.alive(stmt)
	}
}

// refuse runs a statement that must be refused with one of the numbers, and sees that the connection lives on.
func (b *badInput) refuse(state string, numbers []uint16, stmt string, args ...any) {
	b.Helper()
	b.refused(b.attempt(stmt, args...), state, numbers, stmt)
}

func (b *badInput) attempt(stmt string, args ...any) error {
	return b.attemptIn(context.Background(), stmt, args...)
}

// attemptIn is attempt until a context ends.
func (b *badInput) attemptIn(ctx context.Context, stmt string, args ...any) error {
	rows, err := b.conn.QueryContext(ctx, stmt, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}

func (b *badInput) refused(err error, state string, numbers []uint16, what string) {
	b.Helper()
	var e *mysql.MySQLError
	switch {
	case err == nil:
		b.Errorf("%.200s: no error, want %v", what, numbers)
	case !errors.As(err, &e):
		b.Errorf("%.200s: %v, want a MySQL error %v", what, err, numbers)
	case !slices.Contains(numbers, e.Number):
		b.Errorf("%.200s: error %d (%s) %.200s, want %v", what, e.Number, e.SQLState[:], e.Message, numbers)
	case state != "" && string(e.SQLState[:]) != state:
		b.Errorf("%.200s: error %d with SQLSTATE %s, want %s", what, e.Number, e.SQLState[:], state)
	case e.Message == "" || len(e.Message) > 2000:
		b.Errorf("%.200s: a message of %d bytes", what, len(e.Message))
	}
	b.alive(what)
}

// alive fails unless the connection is the same as ever.
func (b *badInput) alive(after string) {
	b.Helper()
	var id int64
	if err := b.conn.QueryRowContext(context.Background(), "SELECT CONNECTION_ID()").Scan(&id); err != nil || id != b.id {
		b.Fatalf("the connection is gone after %.200s: connection %d, was %d (%v)", after, id, b.id, err)
	}
}

func (b *badInput) number(query string, args ...any) int64 {
	b.Helper()
	var n int64
	if err := b.conn.QueryRowContext(context.Background(), query, args...).Scan(&n); err != nil {
		b.Errorf("%.200s: %v", query, err)
	}
	return n
}

func (b *badInput) text(query string, args ...any) string {
	b.Helper()
	var s sql.NullString
	if err := b.conn.QueryRowContext(context.Background(), query, args...).Scan(&s); err != nil {
		b.Errorf("%.200s: %v", query, err)
	}
	if !s.Valid {
		return "NULL"
	}
	return s.String
}

var escaper = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\x00", `\0`)

// literal is a string as a literal of a statement.
func literal(s string) string { return "'" + escaper.Replace(s) + "'" }

const openTable = "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)"

// Numbers of MySQL's errors.
var (
	invalidJSON   = []uint16{3140}
	tooDeepJSON   = []uint16{3157}
	tooLong       = []uint16{1406}
	badCharacters = []uint16{1366, 1300, 3140}
)

// TestRefusedDocuments: what is no document is refused through every door, with MySQL's number,
// and leaves nothing behind.
func TestRefusedDocuments(t *testing.T) {
	b := newBadInput(t)
	b.exec(openTable)
	const victim = `{"_id":"victim","n":1}`
	b.exec("INSERT INTO t (_doc) VALUES (?)", victim)
	for _, test := range []struct {
		name, text, state string
		numbers           []uint16
	}{
		{"empty", "", "22032", invalidJSON},
		{"blank", " \n", "22032", invalidJSON},
		{"truncated", `{"_id":"x","a":[1,2`, "22032", invalidJSON},
		{"truncated string", `{"_id":"x`, "22032", invalidJSON},
		{"truncated escape", `{"_id":"\u00`, "22032", invalidJSON},
		{"something after", `{"_id":"x"} {"_id":"y"}`, "22032", invalidJSON},
		{"comma", `{"_id":"x",}`, "22032", invalidJSON},
		{"single quotes", `{'_id':'x'}`, "22032", invalidJSON},
		{"unquoted key", `{_id:"x"}`, "22032", invalidJSON},
		{"NaN", `{"_id":"x","n":NaN}`, "22032", invalidJSON},
		{"leading zero", `{"_id":"x","n":01}`, "22032", invalidJSON},
		{"plus", `{"_id":"x","n":+1}`, "22032", invalidJSON},
		{"point", `{"_id":"x","n":1.}`, "22032", invalidJSON},
		{"exponent beyond", `{"_id":"x","n":1e99999999999}`, "22032", invalidJSON},
		{"10,000 arrays", `{"_id":"x","a":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + "}", "22032",
			tooDeepJSON},
		{"10,000 objects", strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000), "22032", tooDeepJSON},
		{"10,000 open arrays", `{"_id":"x","a":` + strings.Repeat("[", 10_000), "22032", []uint16{3140, 3157}},
		{"101 levels", strings.Repeat(`{"a":`, 101) + "1" + strings.Repeat("}", 101), "22032", tooDeepJSON},
		{"raw NUL in a string", "{\"_id\":\"x\x00y\"}", "22032", invalidJSON},
		{"raw NUL between", "{\"_id\":\"x\"\x00}", "22032", invalidJSON},
		{"raw newline in a string", "{\"_id\":\"x\ny\"}", "22032", invalidJSON},
		{"invalid UTF-8", "{\"_id\":\"x\",\"s\":\"\xff\xfe\"}", "", badCharacters},
		{"truncated UTF-8", "{\"_id\":\"x\",\"s\":\"\xe2\x82\"}", "", badCharacters},
		{"overlong UTF-8", "{\"_id\":\"x\",\"s\":\"\xc0\x80\"}", "", badCharacters},
		{"UTF-8 surrogate", "{\"_id\":\"x\",\"s\":\"\xed\xa0\x80\"}", "", badCharacters},
		{"invalid UTF-8 in a key", "{\"_id\":\"x\",\"\xff\":1}", "", badCharacters},
		{"unpaired surrogate", `{"_id":"x","s":"\ud800"}`, "", badCharacters},
		{"duplicate key", `{"_id":"x","a":1,"a":2}`, "22032", invalidJSON},
		{"duplicate key below", `{"_id":"x","a":[{"b":{"c":1,"c":1}}]}`, "22032", invalidJSON},
		{"duplicate key, escaped", `{"_id":"x","a":1,"\u0061":2}`, "22032", invalidJSON},
		{"duplicate _id key", `{"_id":"x","_id":"y"}`, "22032", invalidJSON},
		{"array", `[{"_id":"x"}]`, "22032", invalidJSON},
		{"string", `"x"`, "22032", invalidJSON},
		{"number", `1`, "22032", invalidJSON},
		{"true", `true`, "22032", invalidJSON},
		{"null", `null`, "22032", invalidJSON},
		{"5 MiB", `{"_id":"x","s":"` + strings.Repeat("y", 5<<20) + `"}`, "22001", tooLong},
		{"5 MiB of small values", `{"_id":"x","s":[` + strings.Repeat("1,", 5<<19) + `1]}`, "22001", tooLong},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := &badInput{T: t, server: b.server, conn: b.conn, id: b.id}
			b.refuse(test.state, test.numbers, "INSERT INTO t (_doc) VALUES (?)", test.text)
			b.refuse(test.state, test.numbers, "INSERT INTO t (_doc) VALUES ("+literal(test.text)+")")
			b.refuse(test.state, test.numbers, "INSERT INTO t (_doc) VALUES ('{\"_id\":\"before\"}'), ("+literal(test.text)+
				"), ('{\"_id\":\"after\"}')")
			b.refuse(test.state, test.numbers, "INSERT INTO t (_id, _doc) VALUES ('x', ?)", test.text)
			b.refuse(test.state, test.numbers, "REPLACE INTO t (_doc) VALUES (?)", test.text)
			b.refuse(test.state, test.numbers, "UPDATE t SET _doc = ? WHERE _id = 'victim'", test.text)
			b.refuse(test.state, test.numbers, "INSERT INTO t (_doc) VALUES ('"+victim+"') ON DUPLICATE KEY UPDATE _doc = ?",
				test.text)
			if n := b.number("SELECT COUNT(*) FROM t"); n != 1 {
				t.Errorf("%d documents are left", n)
				b.exec("DELETE FROM t WHERE _id <> 'victim'")
			}
			if doc := b.text("SELECT _doc FROM t WHERE _id = 'victim'"); doc != victim {
				t.Fatalf("the document is now %.200s", doc)
			}
		})
	}
}

// TestOddDocuments: what is unusual but JSON is kept as it came, found by its
// keypaths, and changed without damage.
func TestOddDocuments(t *testing.T) {
	b := newBadInput(t)
	b.exec(openTable)
	for _, test := range []struct {
		name, text string
		found      []string // predicates that must find it, among others or alone
	}{
		{"numbers", `{"_id":"n","far":1e400,"near":1e-400,"big":12345678901234567890123,"dec":0.10,"neg":-0,"exp":1E5,` +
			`"exact":9007199254740993}`,
			[]string{"_doc->'$.far' IS NOT NULL", "big > 12345678901234567890122", "big = 12345678901234567890123",
				"`exact` = 9007199254740993", "near IS NOT NULL", "neg = 0", "`exp` = 100000"}},
		{"far exponents", `{"_id":"far","a":1e2147483647,"b":1e-2147483647,"c":-1e2147483647}`,
			[]string{"a IS NOT NULL", "a > 5"}},
		{"many digits", `{"_id":"digits","n":0.` + strings.Repeat("123456789", 200) + `}`, []string{"n < 1", "n > 0.1"}},
		{"NUL", `{"_id":"nul","s":"a\u0000b","a\u0000b":1}`, []string{"s = 'a\\0b'", "s > 'a'"}},
		{"empty key", `{"_id":"empty","":"e","x":{"":{"":1}}}`,
			[]string{"`\"\"` = 'e'", "_doc->'$.\"\"' = 'e'", "`x.\"\".\"\"` = 1"}},
		{"dotted key", `{"_id":"dot","a.b":1,"a":{"b":2},"c.d.":{".":3}}`,
			[]string{"`\"a.b\"` = 1", "`a.b` = 2", "_doc->'$.\"a.b\"' = 1", "_doc->'$.a.b' = 2", "`\"c.d.\".\".\"` = 3"}},
		{"dollar key", `{"_id":"dollar","$":1,"$set":{"$x":2},"a$b":3}`,
			[]string{"`$` = 1", "`$set.$x` = 2", "`a$b` = 3", "_doc->'$.\"$\"' = 1"}},
		{"brackets", `{"_id":"brackets","a[0]":1,"b[*]":2,"[":3,"*":4}`,
			[]string{"`\"a[0]\"` = 1", "`\"b[*]\"` = 2", "_doc->'$.\"[\"' = 3", "_doc->'$.\"*\"' = 4"}},
		{"quotes", `{"_id":"quotes","a\"b":1,"c\\d":2,"e'f":3,"g` + "`" + `h":4}`,
			[]string{"_doc->'$.\"a\\\\\"b\"' = 1", "_doc->'$.\"e\\'f\"' = 3", "`g``h` = 4"}},
		{"keys that differ in case", `{"_id":"case","Key":1,"key":2,"KEY":3}`,
			[]string{"_doc->'$.Key' = 1", "_doc->'$.key' = 2", "_doc->'$.KEY' = 3"}},
		{"key like the primary key's", `{"_id":"id","_ID":"other","_Id":{"_id":1}}`,
			[]string{"_id = 'id'", "_doc->'$._ID' = 'other'"}},
		{"key like the document's", `{"_id":"doc","_doc":{"_doc":1}}`, []string{"_doc->'$._doc._doc' = 1"}},
		{"escapes", `{"_id":"esc","s":"\u00e9\/\b\ud83d\ude00\u0041","\u006bey2":1}`, []string{"s = 'é/\\b😀A'", "key2 = 1"}},
		{"long key", `{"_id":"longkey","` + strings.Repeat("k", 5000) + `":1}`,
			[]string{"_doc->'$." + strings.Repeat("k", 5000) + "' = 1"}},
		{"long string", `{"_id":"longstring","s":"` + strings.Repeat("s", 100_000) + `"}`,
			[]string{"s LIKE 'ss%'", "s = REPEAT('s', 100000)"}},
		{"100 levels", `{"_id":"deep","l":` + strings.Repeat(`{"a":`, 98) + "1" + strings.Repeat("}", 98) + `}`,
			[]string{"_doc->'$.l" + strings.Repeat(".a", 98) + "' = 1"}},
		{"arrays in arrays", `{"_id":"arrays","a":[[[1]],[],{}],"b":[[],{"c":[null]}]}`,
			[]string{"_doc->'$.a[0][0][0]' = 1"}},
		{"empty", `{"_id":"","o":{},"a":[]}`, []string{"_id = ''", "_doc->'$.o' IS NOT NULL"}},
		{"many keys", `{"_id":"many",` + manyKeys(3000) + `}`, []string{"_doc->'$.m2999' = 2999", "m5 = 5"}},
		{"4 MiB less a little", `{"_id":"large","s":"` + strings.Repeat("y", 4<<20-100) + `"}`, []string{"_id = 'large'"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := &badInput{T: t, server: b.server, conn: b.conn, id: b.id}
			b.exec("INSERT INTO t (_doc) VALUES (?)", test.text)
			var id string
			fmt.Sscanf(strings.TrimPrefix(test.text, `{"_id":`), "%q", &id)
			same := func(when string) {
				t.Helper()
				if doc := b.text("SELECT _doc FROM t WHERE _id = ?", id); doc != test.text {
					t.Errorf("%s it is %.300s", when, doc)
				}
			}
			same("stored")
			for _, p := range test.found {
				for _, on := range []string{"ON", "OFF"} {
					b.exec("SET sqlfdb_use_index = " + on)
					if n := b.number("SELECT COUNT(*) FROM t WHERE _id = ? AND ("+p+")", id); n != 1 {
						t.Errorf("with sqlfdb_use_index = %s, %.200s finds %d documents", on, p, n)
					}
				}
				b.exec("SET sqlfdb_use_index = ON")
				if n := b.number("SELECT COUNT(*) FROM t WHERE " + p); n < 1 {
					t.Errorf("%.200s finds %d documents", p, n)
				}
			}
			// A path set and taken out again leaves every other byte.
			b.exec("UPDATE t SET added = 1 WHERE _id = ?", id)
			b.exec("UPDATE t SET _doc = JSON_REMOVE(_doc, '$.added') WHERE _id = ?", id)
			same("after an update")
			b.exec("DELETE FROM t WHERE _id = ?", id)
			b.exec("REPLACE INTO t (_doc) VALUES (" + literal(test.text) + ")")
			same("replaced by a literal")
		})
	}
	for _, q := range []string{"SELECT * FROM t", "SELECT _doc FROM t ORDER BY _id", "SHOW COLUMNS FROM t",
		"SELECT * FROM t__changes", "SELECT * FROM sqlfdb.keypaths",
		"SELECT COUNT(*) FROM information_schema.columns WHERE table_name = 't'"} {
		if err := b.attempt(q); err != nil {
			t.Errorf("%s: %v", q, err)
		}
		b.alive(q)
	}
}

func manyKeys(n int) string {
	var keys []string
	for i := range n {
		keys = append(keys, fmt.Sprintf(`"m%d":%d`, i, i))
	}
	return strings.Join(keys, ",")
}

// TestIDs: a missing _id is filled, a duplicate refused, and other types than strings are taken or refused, never
// confused.
func TestIDs(t *testing.T) {
	b := newBadInput(t)
	b.exec(openTable)
	b.exec(`INSERT INTO t (_doc) VALUES ('{"a":1}'), ('{"a":1}')`)
	if n := b.number("SELECT COUNT(DISTINCT _id) FROM t WHERE LENGTH(_id) = 36 AND _doc->>'$._id' = _id"); n != 2 {
		t.Errorf("%d ids were filled in", n)
	}
	b.exec(`INSERT INTO t (_doc) VALUES ('{"_id":"a"}')`)
	duplicate := []uint16{1062}
	b.refuse("23000", duplicate, `INSERT INTO t (_doc) VALUES ('{"_id":"a"}')`)
	b.refuse("23000", duplicate, `INSERT INTO t (_id) VALUES ('a')`)
	b.refuse("23000", duplicate, `INSERT INTO t (_doc) VALUES ('{"_id":"b"}'), ('{"_id":"b"}')`)
	b.refuse("23000", duplicate, `INSERT INTO t (_doc) VALUES ('{"_id":"\\u0061"}')`)
	b.exec(`INSERT INTO t (_doc) VALUES ('{"_id":"A"}'), ('{"_id":"a "}'), ('{"_id":"á"}'), ('{"_id":"a\\u0301"}')`)
	b.exec(`INSERT IGNORE INTO t (_doc) VALUES ('{"_id":"a","ignored":1}'), ('{"_id":"c"}')`)
	b.refuse("23000", duplicate, `UPDATE t SET _id = 'a' WHERE _id = 'c'`)
	badKey := []uint16{1048, 1366, 1406, 3140, 3156, 3146, 1265, 1364}
	for _, id := range []string{"null", "{}", `{"x":1}`, "[]", `["a"]`, `"` + strings.Repeat("k", 256) + `"`} {
		b.refuse("", badKey, "INSERT INTO t (_doc) VALUES (?)", `{"_id":`+id+`,"bad":1}`)
	}
	b.refuse("", badKey, "INSERT INTO t (_id) VALUES (?)", strings.Repeat("k", 256))
	b.refuse("23000", []uint16{1048}, "INSERT INTO t (_id, n) VALUES (NULL, 1)")
	if n := b.number("SELECT COUNT(*) FROM t WHERE bad = 1 OR ignored = 1"); n != 0 {
		t.Errorf("%d refused documents are there", n)
	}
	// Numbers and booleans as ids are kept; each is found by what SELECT shows of it.
	for _, id := range []string{"7", "1.50", "true", "12345678901234567890123"} {
		doc := `{"_id":` + id + `,"typed":1}`
		if _, err := b.conn.ExecContext(context.Background(), "INSERT INTO t (_doc) VALUES (?)", doc); err != nil {
			b.refused(err, "", badKey, doc)
			continue
		}
		shown := b.text("SELECT _id FROM t WHERE typed = 1")
		if got := b.text("SELECT _doc FROM t WHERE _id = ?", shown); got != doc {
			t.Errorf("_id %s is shown as %q and found as %s", id, shown, got)
		}
		b.refuse("23000", duplicate, "INSERT INTO t (_doc) VALUES (?)", doc)
		b.exec("UPDATE t SET more = 2 WHERE _id = ?", shown)
		b.exec("DELETE FROM t WHERE typed = 1")
		if n := b.number("SELECT COUNT(*) FROM t WHERE typed = 1"); n != 0 {
			t.Errorf("_id %s can't be deleted", id)
		}
	}
	// The column and the document disagree: the column wins, as named columns apply after _doc.
	b.exec(`INSERT INTO t (_id, _doc) VALUES ('column', '{"_id":"document","k":1}')`)
	if got := b.text("SELECT _doc FROM t WHERE k = 1"); got != `{"_id":"column","k":1}` {
		t.Errorf("_id of both: %s", got)
	}
}

// TestFailureOnThousandthRow: nothing of a failing statement stays, and before it everything of its transaction.
func TestFailureOnThousandthRow(t *testing.T) {
	b := newBadInput(t)
	b.exec(openTable)
	b.exec("CREATE TABLE s (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	thousand := func(last string) string {
		var rows []string
		for i := range 999 {
			rows = append(rows, fmt.Sprintf(`('{"_id":"r%d","n":%d}')`, i, i))
		}
		return strings.Join(append(rows, "("+literal(last)+")"), ",")
	}
	b.exec("INSERT INTO s (_doc) VALUES " + thousand(`{"_id":"r999","n":null,"s":"x"}`))
	b.exec(`INSERT INTO t (_doc) VALUES ('{"_id":"there","n":1}')`)
	fails := []struct {
		stmt    string
		numbers []uint16
	}{
		{"INSERT INTO t (_doc) VALUES " + thousand(`{"_id":"there"}`), []uint16{1062}},
		{"INSERT INTO t (_doc) VALUES " + thousand(`{"_id":"bad"`), invalidJSON},
		{"INSERT INTO t (_doc) SELECT IF(_id = 'r999', '{\"_id\":\"there\"}', _doc) FROM s ORDER BY n IS NULL, n",
			[]uint16{1062}},
		{"UPDATE s SET _doc = IF(_id = 'r999', '{\"_id\":\"r999\"', JSON_SET(_doc, '$.n', 7))", invalidJSON},
		{"UPDATE s SET _id = 'same'", []uint16{1062}},
	}
	state := func() string {
		return fmt.Sprint(b.number("SELECT COUNT(*) FROM t"), b.number("SELECT COUNT(*) FROM s"),
			b.number("SELECT SUM(n) FROM s"), b.number("SELECT COUNT(*) FROM t__changes"))
	}
	for _, f := range fails {
		before := state()
		b.refuse("", f.numbers, f.stmt)
		if after := state(); after != before {
			t.Errorf("%.100s left %s, before it was %s", f.stmt, after, before)
		}
	}
	for i, f := range fails {
		b.exec("BEGIN")
		b.exec("INSERT INTO t (_id, k) VALUES (?, 1)", fmt.Sprint("earlier", i))
		b.exec("UPDATE t SET n = n + 1 WHERE _id = 'there'")
		b.refuse("", f.numbers, f.stmt)
		b.exec("INSERT INTO t (_id, k) VALUES (?, 2)", fmt.Sprint("later", i))
		b.exec("COMMIT")
		if n := b.number("SELECT COUNT(*) FROM t WHERE _id IN (?, ?)", fmt.Sprint("earlier", i),
			fmt.Sprint("later", i)); n != 2 {
			t.Errorf("%d of 2 statements around %.100s stay", n, f.stmt)
		}
		if n := b.number("SELECT n FROM t WHERE _id = 'there'"); n != int64(i+2) {
			t.Errorf("after %.100s the update gives %d", f.stmt, n)
		}
		if n := b.number("SELECT COUNT(*) FROM t"); n != int64(1+2*(i+1)) {
			t.Errorf("%.100s left %d documents", f.stmt, n)
		}
	}
}

// TestOddStatements: statements beyond all measure are refused, or run; the server stays.
func TestOddStatements(t *testing.T) {
	b := newBadInput(t)
	b.exec(openTable)
	b.exec(`INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1,"s":"x"}')`)
	long := strings.Repeat("i", 65)
	tooLongName := []uint16{1059}
	b.refuse("42000", tooLongName, "CREATE DATABASE "+long)
	b.refuse("42000", tooLongName, "CREATE TABLE "+long+" (a INT)")
	b.refuse("42000", tooLongName, "CREATE TABLE c ("+long+" INT)")
	b.refuse("42000", []uint16{1059, 1049}, "USE "+strings.Repeat("i", 100_000))
	b.refuse("42S02", []uint16{1146}, "SELECT * FROM "+strings.Repeat("i", 10_000))
	b.refuse("42000", tooLongName, "SELECT x."+strings.Repeat("i", 100_000)+" FROM t")
	b.refuse("", []uint16{1054, 1109, 1146}, "SELECT x."+strings.Repeat("i", 60_000)+" FROM t")
	b.refuse("42000", []uint16{1064}, "SELECT '"+strings.Repeat("i", 100_000))
	b.refuse("42000", []uint16{1064}, "SELEKT 1")
	b.refuse("42000", []uint16{1064}, "\x00\x01\xff")
	b.refuse("", []uint16{1054, 1109, 1146}, "SELECT n FROM t WHERE nowhere.n = 1")
	b.refuse("42S02", []uint16{1146}, "SELECT * FROM nothing")
	b.refuse("42000", []uint16{1049}, "USE nothing")
	b.refuse("42000", []uint16{1305}, "SELECT NO_SUCH_FUNCTION(1)")
	b.refuse("42000", []uint16{1582, 1318, 1305}, "SELECT LENGTH()")
	b.refuse("HY000", []uint16{1193}, "SET sqlfdb_nothing = 1")
	b.refuse("42000", []uint16{1231}, "SET sqlfdb_use_index = 'perhaps'")
	b.refuse("42000", []uint16{3143}, "SELECT _doc->'$.a[' FROM t")
	b.refuse("42000", []uint16{3143}, "SELECT JSON_EXTRACT(_doc, 'no path') FROM t")
	b.refuse("21S01", []uint16{1136}, "INSERT INTO t (_id, n) VALUES ('x')")
	b.refuse("42S01", []uint16{1050}, openTable)
	b.refuse("HY000", []uint16{1007}, "CREATE DATABASE d")
	b.refuse("HY000", []uint16{1008}, "DROP DATABASE nothing")
	b.refuse("42S02", []uint16{1051}, "DROP TABLE nothing")
	b.refuse("42S21", []uint16{1060}, "CREATE TABLE c (a INT, a INT)")
	b.refuse("42000", []uint16{1305}, "ROLLBACK TO SAVEPOINT nothing")
	b.refuse("", []uint16{1471}, "INSERT INTO t__changes (_id) VALUES ('x')")
	b.refuse("", []uint16{1288, 1036, 1142, 1290, 1044, 1348}, "DELETE FROM sqlfdb.keypaths")
	// A keypath of any length can be named: no document has it.
	if n := b.number("SELECT COUNT(*) FROM t WHERE `" + strings.Repeat("a.", 500) + "b` IS NULL"); n != 1 {
		t.Errorf("a long keypath: %d", n)
	}
	b.alive("a long keypath")

	// Many values are no harm.
	if n := b.number("SELECT COUNT(*) FROM t WHERE n IN (" + strings.TrimSuffix(strings.Repeat("5,", 20_000), ",") +
		",1)"); n != 1 {
		t.Errorf("IN of 20,001 values finds %d", n)
	}
	b.exec("DROP TABLE IF EXISTS nothing")
	b.exec("CREATE TABLE IF NOT EXISTS t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	if n := b.number("SELECT COUNT(*) FROM t WHERE n = 1"); n != 1 {
		t.Errorf("CREATE TABLE IF NOT EXISTS lost documents: %d are there", n)
	}
}

// TestDeepStatements: statements too deep for any stack, or too long for any
// patience, are refused or run; the server lives on. It is a process of its own, since nothing in a
// process survives the end of its stack.
func TestDeepStatements(t *testing.T) {
	p := harness.Spawn(t, harness.ServeCall(t, t.TempDir()))
	harness.ExecAll(t, harness.Connect(t, p.Addr, "", ""), "CREATE DATABASE d",
		"CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)", `INSERT INTO d.t (_doc) VALUES ('{"_id":"a","n":1}')`)
	for _, stmt := range []string{
		"SELECT " + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000),
		"SELECT " + strings.Repeat("NOT ", 100_000) + "1",
		"SELECT " + strings.Repeat("NOT ", 3_000_000) + "1",
		"SELECT " + strings.Repeat("- ", 100_000) + "1",
		"SELECT " + strings.Repeat("(", 3_000_000),
		"SELECT 1" + strings.Repeat(" UNION SELECT 1", 5_000),
		"SELECT CASE" + strings.Repeat(" WHEN 1 THEN 2", 20_000) + " END",
		"SELECT " + strings.Repeat("CASE WHEN ", 5_000) + "1" + strings.Repeat(" THEN 1 END", 5_000),
		"SELECT " + strings.Repeat("-", 100_000) + "1",
		"SELECT 1" + strings.Repeat("+1", 100_000),
		"SELECT * FROM t WHERE n = 0" + strings.Repeat(" OR n = 0", 50_000),
		strings.Repeat("SELECT * FROM (", 2_000) + "SELECT 1" + strings.Repeat(") x", 2_000),
		"SELECT " + strings.Repeat("ABS(", 20_000) + "1" + strings.Repeat(")", 20_000),
		"SELECT '" + strings.Repeat("[", 100_000) + "' -> '$'",
		"SELECT JSON_EXTRACT('" + strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000) + "', '$" + strings.Repeat("[0]",
			50_000) + "')",
		// Of these the engine's parser reads what it is given instead.
		"SELECT 1" + strings.Repeat("+1", 100_000) + ", 1 MEMBER OF ('[1]')",
		"SELECT * FROM t WHERE 1 MEMBER OF (n)" + strings.Repeat(" OR n = 0", 50_000),
		"DO 1" + strings.Repeat("+1", 100_000),
		"SELECT * FROM t WHERE _doc->'$" + strings.Repeat(".a", 50_000) + "' = 1",
	} {
		name := fmt.Sprintf("%.40s… (%d bytes)", stmt, len(stmt))
		ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
		db := harness.Connect(t, p.Addr, "d", "?maxAllowedPacket=0")
		before := p.Used()
		rows, err := db.QueryContext(ctx, stmt)
		if err == nil {
			for rows.Next() {
			}
			err = rows.Err()
			_ = rows.Close()
		}
		cancel()
		_ = db.Close()
		if used := p.Used() - before; used > 5*time.Second { // a second at most, whatever else the machine does
			t.Errorf("%s: %v of processor time", name, used)
		}
		var e *mysql.MySQLError
		switch {
		case err == nil:
		case !errors.As(err, &e):
			t.Errorf("%s: %v", name, err)
			// It may still be at it, or gone.
			p.Kill()
			p = harness.Spawn(t, p.Again)
		case !slices.Contains([]uint16{1064, 1436, 1235, 3140, 3143, 3157}, e.Number):
			t.Errorf("%s: error %d (%s) %.100s", name, e.Number, e.SQLState[:], e.Message)
		case len(e.Message) > 2000:
			t.Errorf("%s: a message of %d bytes", name, len(e.Message))
		}
	}
	db := harness.Connect(t, p.Addr, "d", "")
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM t WHERE n = 1"); n != 1 {
		t.Errorf("%d documents", n)
	}
	harness.CheckAll(t, db)
	p.Stop()
}

// TestOddParameters: parameters of every type and shape in prepared statements.
func TestOddParameters(t *testing.T) {
	b := newBadInput(t)
	b.exec(openTable)
	b.exec(`INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1,"s":"x","b":true,"z":null,"big":18446744073709551615,` +
		`"d":"2026-01-02 03:04:05"}')`)
	for _, column := range []string{"_id", "n", "s", "b", "z", "big", "d", "nothing", "_doc->'$.n'", "_doc->>'$.s'"} {
		for _, arg := range []any{nil, 0, 1, -1, math.MaxInt64, uint64(math.MaxUint64), 1.5, math.MaxFloat64,
			math.SmallestNonzeroFloat64, true,
			"", "x", "1", "1e400", "\x00", "\xff\xfe", strings.Repeat("x", 100_000), []byte{}, []byte{0, 255},
			time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), time.Time{}} {
			for _, op := range []string{"=", "<", "<=>", "IN", "<>", ">="} {
				stmt := "SELECT COUNT(*) FROM t WHERE " + column + " " + op + " ?"
				if op == "IN" {
					stmt = "SELECT COUNT(*) FROM t WHERE " + column + " IN (?, ?)"
				}
				args := []any{arg}
				if op == "IN" {
					args = append(args, arg)
				}
				var counts [2]string
				for i, on := range []string{"ON", "OFF"} {
					if _, err := b.conn.ExecContext(context.Background(), "SET sqlfdb_use_index = "+on); err != nil {
						t.Fatal(err)
					}
					var n int
					err := b.conn.QueryRowContext(context.Background(), stmt, args...).Scan(&n)
					var e *mysql.MySQLError
					switch {
					case err == nil:
						counts[i] = fmt.Sprint(n)
					case !errors.As(err, &e):
						t.Fatalf("%s with %.40q: %v", stmt, fmt.Sprint(arg), err)
					case e.Number == 1105:
						t.Errorf("%s with %T %.40q: %v", stmt, arg, fmt.Sprint(arg), err)
						counts[i] = fmt.Sprint(e.Number)
					default:
						counts[i] = fmt.Sprint(e.Number)
					}
				}
				if counts[0] != counts[1] {
					t.Errorf("%s with %T %.40q: %s with the index, %s without", stmt, arg, fmt.Sprint(arg), counts[0], counts[1])
				}
			}
		}
	}
	b.exec("SET sqlfdb_use_index = ON")
	b.alive("parameters")
	// The wrong number of parameters, of statements, of anything.
	stmt, err := b.conn.PrepareContext(context.Background(), "INSERT INTO t (_id, n) VALUES (?, ?)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stmt.Exec("only one"); err == nil {
		t.Error("a statement ran without one of its parameters")
	}
	if _, err := stmt.Exec("p1", 5); err != nil {
		t.Error(err)
	}
	b.refused(func() error { _, err := stmt.Exec("p1", 6); return err }(), "23000", []uint16{1062}, "a prepared duplicate")
	_ = stmt.Close()
	// The protocol's library parses what is prepared before it asks anybody, and answers for itself.
	b.refuse("", []uint16{1064, 1105}, "SELECT ? FROM WHERE ?", 1, 2)
	b.refuse("42S02", []uint16{1146}, "SELECT * FROM nothing WHERE a = ?", 1)
	_, err = b.conn.PrepareContext(context.Background(),
		"SELECT 1 IN ("+strings.TrimSuffix(strings.Repeat("?,", 65_536), ",")+")")
	b.refused(err, "HY000", []uint16{1390}, "65,536 parameters")
	b.exec("PREPARE p FROM 'SELECT ? + 1'")
	b.refuse("HY000", []uint16{1210, 1243}, "EXECUTE p")
	b.refuse("HY000", []uint16{1243}, "EXECUTE nothing")
	b.exec("INSERT INTO t (_id, n, s) VALUES (?, ?, ?)", "typed", math.MaxFloat64, []byte("bytes"))
	b.exec("INSERT INTO t (_id, n, u) VALUES (?, ?, ?)", "typed2", uint64(math.MaxUint64),
		time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC))
	if got := b.text("SELECT _doc->'$.n' FROM t WHERE _id = 'typed2'"); got != "18446744073709551615" {
		t.Errorf("the largest integer is stored as %s", got)
	}
	for _, bad := range []any{math.NaN(), math.Inf(1), math.Inf(-1)} {
		b.refused(b.attempt("SELECT COUNT(*) FROM t WHERE n < ?", bad), "", []uint16{1210, 1367, 1264},
			fmt.Sprint("a comparison with ", bad))
		if _, err := b.conn.ExecContext(context.Background(), "INSERT INTO t (_id, n) VALUES ('nan', ?)", bad); err == nil {
			t.Errorf("%v was stored as %s", bad, b.text("SELECT _doc FROM t WHERE _id = 'nan'"))
			b.exec("DELETE FROM t WHERE _id = 'nan'")
		}
		b.alive(fmt.Sprint(bad))
	}
}

// TestBrokenClients: bytes that are no protocol, and clients that go in the middle, harm
// nobody else.
func TestBrokenClients(t *testing.T) {
	b := newBadInput(t)
	b.exec(openTable)
	for _, send := range []string{"", "GET / HTTP/1.1\r\n\r\n", strings.Repeat("\x00", 100_000),
		strings.Repeat("\xff", 100_000), "\x01\x00\x00\x01", "\xff\xff\xff\x01" + strings.Repeat("A", 1000)} {
		c, err := net.Dial("tcp", b.server.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(2 * time.Second))
		_, _ = c.Read(make([]byte, 200))
		_, _ = c.Write([]byte(send))
		_ = c.Close()
		b.alive(fmt.Sprintf("%.20q", send))
	}
	db := harness.Connect(t, b.server.Addr(), "d", "")
	// What a client that has gone had begun is there whole or not at all.
	for i := range 5 {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
		_, err := db.ExecContext(ctx, fmt.Sprintf("INSERT INTO t (_id, n) VALUES ('cancelled%d', 1), ('also%d', SLEEP(60))",
			i, i))
		if err == nil {
			t.Error("a cancelled statement succeeded")
		}
		cancel()
	}
	b.exec("INSERT INTO t (_id) VALUES ('after')")
	if n := b.number("SELECT COUNT(*) FROM t"); n%2 != 1 {
		t.Errorf("%d documents after cancelled statements of two", n)
	}
}
