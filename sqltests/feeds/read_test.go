package feeds

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var feedStatements = flag.Int("feed-statements", 250, "how many random statements over a feed are compared with a scan")

// feedScene makes tables whose feeds have all that feeds can have: d.t (open), d.two (two columns of a key, the
// first in a collation that ignores case), and d.`a.b“c`, whose key columns are called as the feed's own.
func feedScene(t *testing.T, db *sql.DB, random *rand.Rand) {
	t.Helper()
	harness.ExecAll(t, db, "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE two (a VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, b INT, n INT, PRIMARY KEY (a, b))",
		"CREATE TABLE `a.b``c` (seq INT, rev VARCHAR(5), _doc JSON, PRIMARY KEY (seq, rev))",
		"CREATE VIEW fresh AS SELECT c.seq AS at, c._id AS id, c.deleted AS gone, t.n AS n FROM t__changes c LEFT "+
			"JOIN t ON t._id = c._id")
	for n := range 70 {
		var values, pairs []string
		for range 1 + random.IntN(4) {
			k := random.IntN(60)
			values = append(values, fmt.Sprintf(`('{"_id": "k%02d", "n": %d, "tags": [%d, %d]}')`, k, n%9, k%5, n%3))
			pairs = append(pairs, fmt.Sprintf("('%c', %d, %d)", "aAbBäÄ"[k%4], k%7, n))
		}
		harness.ExecAll(t, db, "REPLACE INTO t (_doc) VALUES "+strings.Join(values, ", "),
			"REPLACE INTO two VALUES "+strings.Join(pairs, ", "),
			fmt.Sprintf("REPLACE INTO `a.b``c` VALUES (%d, 'r%d', '{\"x\": %d}')", n%10, n%4, n))
		if n%3 == 0 {
			harness.ExecAll(t, db, fmt.Sprintf("DELETE FROM t WHERE _id = 'k%02d'", random.IntN(60)),
				fmt.Sprintf("DELETE FROM two WHERE b = %d LIMIT 1", random.IntN(7)))
		}
	}
}

// feedQuestions makes random statements over feeds.
type feedQuestions struct {
	*rand.Rand
	seqs []string
}

func (q feedQuestions) pick(list ...string) string { return list[q.IntN(len(list))] }

// sequence is a literal of a sequence, or of something like one.
func (q feedQuestions) sequence() string {
	s := q.seqs[q.IntN(len(q.seqs))]
	switch q.IntN(8) {
	case 0:
		s = s[:q.IntN(27)]
	case 1:
		s = strings.ToUpper(s)
	case 2:
		s += q.pick("0", "z", " ", "/")
	case 3:
		at := q.IntN(26)
		s = s[:at] + q.pick("f", "g", "/", ":", "ab", "A") + s[at:]
	case 4:
		return q.pick("''", "'zz'", "'0'", "NULL", "0", "'ffffffffffffffffffffffffff'", "'00000000000000000000000000'",
			"CONCAT('0', '0')")
	}
	return "'" + s + "'"
}

func (q feedQuestions) key() string {
	return q.pick(fmt.Sprintf("'k%02d'", q.IntN(62)), fmt.Sprintf("'k%d'", q.IntN(7)), "'k'", "'K01'", "1", "NULL")
}

func (q feedQuestions) operator() string { return q.pick("=", "<", "<=", ">", ">=", "<>", "<=>") }

// condition is about the columns of t__changes, called by that qualifier.
func (q feedQuestions) condition(c string, depth int) string {
	if depth > 0 {
		switch q.IntN(4) {
		case 0:
			return "(" + q.condition(c, depth-1) + " OR " + q.condition(c, depth-1) + ")"
		case 1:
			return "(" + q.condition(c, depth-1) + " AND " + q.condition(c, depth-1) + ")"
		case 2:
			return "NOT (" + q.condition(c, depth-1) + ")"
		}
	}
	not := q.pick("", "", "NOT ")
	switch q.IntN(11) {
	case 0, 1:
		return c + "seq " + q.operator() + " " + q.sequence()
	case 2:
		return q.sequence() + " " + q.operator() + " " + c + "seq"
	case 3:
		return c + "seq " + not + "BETWEEN " + q.sequence() + " AND " + q.sequence()
	case 4:
		return c + "seq " + not + "IN (" + q.sequence() + ", " + q.sequence() + ", " + q.sequence() + ")"
	case 5:
		return c + "_id " + q.operator() + " " + q.key()
	case 6:
		return c + "_id " + not + "IN (" + q.key() + ", " + q.key() + ", " + q.key() + ")"
	case 7:
		return c + q.pick("_id LIKE 'k1%'", "_id LIKE '%1'", "seq LIKE '0000%'", "rev LIKE '2-%'", "seq IS NULL",
			"_id IS NOT NULL")
	case 8:
		return "(" + c + "seq, " + c + "_id) " + q.pick(">", "<", ">=", "=", "<=") + " (" + q.sequence() + ", " + q.key() +
			")"
	case 9:
		return c + q.pick("deleted", "deleted = 0", "_doc IS NULL", "_doc->'$.n' > 3")
	}
	return c + "seq > " + q.sequence() + " AND " + c + "_id " + q.operator() + " " + q.key()
}

func (q feedQuestions) statement() string {
	order := ""
	if q.IntN(2) == 0 {
		order = " ORDER BY c.seq" + q.pick("", " DESC", " ASC, _id")
		if q.IntN(2) == 0 {
			order += fmt.Sprintf(" LIMIT %d", q.IntN(12))
			if q.IntN(2) == 0 {
				order += fmt.Sprintf(" OFFSET %d", q.IntN(9))
			}
		}
	}
	where := " WHERE " + q.condition("c.", 2)
	switch q.IntN(9) {
	case 0:
		return "SELECT MAX(seq), MIN(seq) FROM t__changes c" + q.pick("", where)
	case 1:
		return "SELECT " + q.pick("MIN(seq)", "MAX(c.seq) AS m", "COUNT(*)", "COUNT(*), MAX(seq)", "SUM(deleted), MIN(_id)") +
			" FROM t__changes c" + q.pick("", where)
	case 2:
		return "SELECT c.seq, c._id, c.deleted, t.n FROM t__changes c " + q.pick("", "LEFT ") + "JOIN t ON t._id = c._id" +
			where + strings.ReplaceAll(order, ", _id", "")
	case 3:
		return "SELECT c.seq, t._id, c.rev, t.n FROM t " + q.pick("", "LEFT ") +
			"JOIN t__changes c ON c._id = t._id WHERE t.n = " + q.pick("1", "2", "8") + strings.ReplaceAll(order, ", _id",
			", t._id")
	case 4:
		return "SELECT c.seq, g._idx, g._value FROM t__tags g JOIN t__changes c ON c._id = g._id WHERE g._value = " +
			q.pick("1", "2") + " AND " + q.condition("c.", 1)
	case 5:
		return "SELECT _id, n FROM t WHERE _id " + q.pick("", "NOT ") + "IN (SELECT _id FROM t__changes c" + where + ")"
	case 6:
		return "SELECT * FROM fresh WHERE at " + q.operator() + " " + q.sequence() + q.pick("", " ORDER BY at",
			" ORDER BY at DESC LIMIT 3")
	}
	return "SELECT " + q.pick("*", "seq, _id, rev, deleted", "c.*, _doc", "seq, _doc") + " FROM t__changes c" + where +
		order
}

// TestFeedReads: a feed read along its sequences or by keys gives what a scan of it gives, also to prepared
// statements.
func TestFeedReads(t *testing.T) {
	_, db := harness.Database(t)
	seed := seedOf(t)
	random := rand.New(rand.NewPCG(seed, 79))
	feedScene(t, db, random)
	ctx := context.Background()
	conns := map[string]*sql.Conn{}
	for _, setting := range []string{"ON", "OFF"} {
		c, err := db.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.ExecContext(ctx, "SET sqlfdb_use_index = "+setting); err != nil {
			t.Fatal(err)
		}
		conns[setting] = c
	}
	q := feedQuestions{random, harness.Texts(t, db, "SELECT seq FROM t__changes")}
	compare := func(text string, args ...any) {
		t.Helper()
		with, without := harness.Texts(t, conns["ON"], text, args...), harness.Texts(t, conns["OFF"], text, args...)
		if !strings.Contains(text, "ORDER BY") {
			slices.Sort(with)
			slices.Sort(without)
		}
		if !slices.Equal(with, without) {
			t.Fatalf("%s %v\nwith the index: %.1500q\nwithout: %.1500q\n%s", text, args, with, without,
				harness.Query(conns["ON"], "EXPLAIN FORMAT=TREE "+text, args...))
		}
	}
	for range *feedStatements {
		compare(q.statement())
	}
	for range *feedStatements / 10 {
		s := q.seqs[random.IntN(len(q.seqs))]
		compare("SELECT * FROM t__changes WHERE seq > ? AND _id <> ? ORDER BY seq LIMIT 5", s, "k01")
		compare("SELECT seq FROM t__changes WHERE seq BETWEEN ? AND ? ORDER BY seq DESC", s[:random.IntN(27)],
			q.seqs[random.IntN(len(q.seqs))])
		compare("SELECT * FROM t__changes WHERE _id IN (?, ?, ?)", "k01", "k02", s)
	}
	for _, text := range []string{
		"SELECT * FROM two__changes WHERE a = 'A'", "SELECT * FROM two__changes WHERE a = 'ä' AND b = 3",
		"SELECT * FROM two__changes WHERE a > 'a' ORDER BY seq",
		"SELECT c.seq, two.n, c.b FROM two JOIN two__changes c ON c.a = two.a AND c.b = two.b WHERE two.n > 50",
		"SELECT c.seq, two.n FROM two__changes c JOIN two ON c.a = two.a AND c.b = two.b WHERE c.seq > '" + q.seqs[20] + "'",
		"SELECT * FROM `a.b``c__changes`", "SELECT seq, `\"seq\"`, rev, `\"rev\"` FROM `a.b``c__changes` WHERE `\"seq\"` = 3",
		"SELECT seq, `\"seq\"` FROM `a.b``c__changes` WHERE seq > '" + q.seqs[10] +
			"' AND `\"seq\"` IN (1, 2, 3) ORDER BY seq DESC",
	} {
		compare(text)
	}
	harness.CheckAll(t, db)
}

// TestFeedKeys: how many keys of a feed statements read, and how many documents.
func TestFeedKeys(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	for i := range 20 {
		var values []string
		for k := range 100 {
			values = append(values, fmt.Sprintf(`('{"_id": "k%04d", "n": %d}')`, i*100+k, k))
		}
		harness.MustExec(t, db, "INSERT INTO t (_doc) VALUES "+strings.Join(values, ", "))
	}
	harness.MustExec(t, db, "DELETE FROM t WHERE _id = 'k0005'")
	seqs := harness.Texts(t, db, "SELECT seq FROM t__changes ORDER BY seq")
	if len(seqs) != 2000 {
		t.Fatalf("%d changes", len(seqs))
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	after := func(i int) string { return "'" + seqs[i] + "'" }
	for _, c := range []struct {
		text                  string
		rows, keys, documents int
	}{
		{"SELECT seq, _id, rev FROM t__changes WHERE seq > " + after(999), 1000, 1000, 0},
		{"SELECT * FROM t__changes WHERE seq > " + after(999) + " ORDER BY seq LIMIT 100", 100, 100, 100},
		{"SELECT seq FROM t__changes WHERE seq > " + after(999) + " ORDER BY seq LIMIT 10 OFFSET 5", 10, 15, 0},
		{"SELECT * FROM t__changes ORDER BY seq DESC LIMIT 3", 3, 3, 2}, // the last is a deletion
		{"SELECT * FROM t__changes LIMIT 7", 7, 7, 7},
		{"SELECT seq FROM t__changes WHERE seq BETWEEN " + after(10) + " AND " + after(19), 10, 10, 0},
		{"SELECT seq FROM t__changes WHERE seq IN (" + after(10) + ", " + after(500) + ", 'none')", 2, 2, 0},
		{"SELECT seq FROM t__changes WHERE seq < " + after(4) + " OR seq >= " + after(1998), 6, 6, 0},
		{"SELECT seq FROM t__changes WHERE (seq, _id) > (" + after(1989) + ", 'k0000')", 11, 11, 0},
		{"SELECT seq, deleted FROM t__changes WHERE _id = 'k0005'", 1, 1, 0},
		{"SELECT seq, _doc FROM t__changes WHERE _id = 'k0006'", 1, 1, 1},
		{"SELECT seq FROM t__changes WHERE _id IN ('k0006', 'k1999', 'none') ORDER BY seq DESC", 2, 3, 0},
		{"SELECT seq FROM t__changes WHERE _id LIKE 'k01%'", 100, 100, 0},
		{"SELECT seq FROM t__changes WHERE _id = 'k0500' AND seq > " + after(5), 1, 1, 0},
		{"SELECT seq FROM t__changes WHERE _id LIKE 'k%' AND seq > " + after(1997), 2, 2, 0},
		{"SELECT MAX(seq) FROM t__changes", 1, 1, 0},
		{"SELECT MIN(seq), MAX(seq) FROM t__changes", 1, 2, 0},
		{"SELECT MAX(seq) FROM t__changes c WHERE seq <= " + after(700), 1, 1, 0},
		{"SELECT COUNT(*) FROM t__changes WHERE seq > " + after(1899), 1, 100, 0},
		{"SELECT COUNT(*) FROM t__changes", 1, 2000, 0},
		{"SELECT sqlfdb_last_seq('t')", 1, 0, 0},
		// The collection is looked up by the keys of the changes, and the changes by those of documents.
		{"SELECT c.seq, t.n FROM t__changes c JOIN t ON t._id = c._id WHERE c.seq > " + after(1989), 9, 10, 9},
		{"SELECT c.seq, t.n FROM t__changes c LEFT JOIN t ON t._id = c._id WHERE c.seq > " + after(1989), 10, 10, 9},
		{"SELECT c.seq, t.n FROM t JOIN t__changes c ON c._id = t._id WHERE t._id >= 'k1990'", 10, 10, 10},
		{"SELECT seq, _id FROM (SELECT seq, _id FROM t__changes WHERE seq > " + after(1989) + ") s WHERE _id > 'k'", 10, 10,
			0},
	} {
		rows := strings.Split(strings.TrimSpace(harness.Query(conn, c.text)), "\n")
		var figures []string
		for _, name := range []string{"keys", "documents"} {
			f := strings.Fields(harness.Query(conn, "SHOW STATUS LIKE 'sqlfdb_last_"+name+"'"))
			figures = append(figures, f[len(f)-1])
		}
		if got := fmt.Sprint(len(rows)-1, " ", strings.Join(figures, " ")); got != fmt.Sprint(c.rows, " ", c.keys, " ",
			c.documents) {
			t.Errorf("%s: rows, keys, documents: %s, want %d %d %d\n%s", c.text, got, c.rows, c.keys, c.documents,
				harness.Query(conn, "EXPLAIN FORMAT=TREE "+c.text))
		}
	}
	// What must read the whole feed is a full scan, and nothing else is.
	if _, err := conn.ExecContext(context.Background(), "SET sqlfdb_full_scans = deny"); err != nil {
		t.Fatal(err)
	}
	for text, denied := range map[string]bool{
		"SELECT COUNT(*) FROM t__changes": true, "SELECT seq FROM t__changes": true,
		"SELECT seq FROM t__changes WHERE deleted":     true,
		"SELECT seq FROM t__changes ORDER BY seq DESC": true, "SELECT seq FROM t__changes ORDER BY rev LIMIT 1": true,
		"SELECT seq FROM t__changes ORDER BY seq DESC LIMIT 5": false, "SELECT seq FROM t__changes LIMIT 5": false,
		"SELECT MAX(seq) FROM t__changes":                         false,
		"SELECT COUNT(*) FROM t__changes WHERE seq > " + after(0): false, "SELECT seq FROM t__changes WHERE _id = 'x'": false,
		"SELECT seq FROM t__changes WHERE rev LIKE 'x%' LIMIT 1": true,
	} {
		if got := harness.Query(conn, text); strings.Contains(got, "sqlfdb_full_scans") != denied {
			t.Errorf("%s: denied %t, got %.300s", text, denied, got)
		} else if denied && !strings.Contains(got, "t__changes") {
			t.Errorf("%s names another table: %s", text, got)
		}
	}
	harness.Check(t, db, "t")
}
