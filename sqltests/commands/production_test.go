package commands

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	productionBytes = flag.Int("production-bytes", 0,
		"TestProductions asks every production, with statements of up to so many bytes; 0 asks a share of them with few")
	productionSeed = flag.Uint64("production-seed", 0, "the seed of TestProductions; 0 draws one")
	productionName = flag.String("production", "", "a regular expression: the productions that TestProductions asks")
)

// A production is a way in which a statement of the grammar grows: by more of something beside it, or inside it.
type production struct {
	name string
	head string
	unit string // is repeated; %d is its number
	tail string
	last string // closes a unit that holds the next one; "" for units beside one another
	join string // between the units
}

// text is a statement of about n bytes.
func (p production) text(n int) string {
	var b strings.Builder
	b.WriteString(p.head)
	numbered := strings.Contains(p.unit, "%d")
	closed := 0
	for b.Len()+closed < n {
		if b.Len() > len(p.head) {
			b.WriteString(p.join)
		}
		if numbered {
			fmt.Fprintf(&b, strings.ReplaceAll(p.unit, "%d", "%[1]d"), closed/max(len(p.last), 1)+b.Len())
		} else {
			b.WriteString(p.unit)
		}
		closed += len(p.last)
	}
	if p.last != "" {
		b.WriteString("1")
		b.WriteString(strings.Repeat(p.last, closed/len(p.last)))
	}
	b.WriteString(p.tail)
	return b.String()
}

// beside makes a production of things beside one another.
func beside(name, head, unit, join, tail string) production {
	return production{name: name, head: head, unit: unit, join: join, tail: tail}
}

// inside makes one of things inside one another.
func inside(name, head, unit, last, tail string) production {
	return production{name: name, head: head, unit: unit, last: last, tail: tail}
}

// productions are those of the grammar that have no end of their own. The table t has columns n and s.
func productions() []production {
	return []production{
		// Lexing.
		beside("blanks", "SELECT", " ", "", "1"),
		beside("comments", "SELECT ", "/* c */", " ", "1"),
		beside("one comment", "SELECT /* ", "c", "", " */ 1"),
		beside("line comments", "SELECT ", "-- c\n", "", "1"),
		beside("hashes", "SELECT ", "# c\n", "", "1"),
		beside("executed comments", "SELECT ", "/*!50000 1 + */ ", "", "1"),
		inside("nested executed comments", "SELECT ", "/*!50000 ", " */", ""),
		beside("open executed comments", "SELECT ", "/*!", "", "1"),
		beside("hints", "SELECT /*+ ", "NO_INDEX(t)", " ", " */ 1 FROM t"),
		beside("text", "SELECT LENGTH('", "a", "", "')"),
		beside("text of escapes", "SELECT LENGTH('", `\'`, "", "')"),
		beside("text of quotes", "SELECT LENGTH('", `''`, "", "')"),
		beside("open text", "SELECT '", "a", "", ""),
		beside("open quoted name", "SELECT `", "a", "", ""),
		beside("texts", "SELECT LENGTH(", "'a'", " ", ")"),
		beside("hex", "SELECT LENGTH(X'", "61", "", "')"),
		beside("bits", "SELECT LENGTH(B'", "01000001", "", "')"),
		beside("0x", "SELECT LENGTH(0x", "61", "", ")"),
		beside("digits", "SELECT ", "9", "", ""),
		beside("fraction", "SELECT 0.", "9", "", ""),
		beside("exponent", "SELECT 1e", "9", "", ""),
		beside("name", "SELECT ", "a", "", " FROM t"),
		beside("quoted name", "SELECT `", "a.", "", "b` FROM t"),
		beside("qualified name", "SELECT ", "a", ".", " FROM t"),
		beside("variable", "SELECT @", "a", "", ""),
		beside("semicolons", "SELECT 1", ";", " ", ""),
		beside("statements", "SELECT 1", "; SELECT 1", "", ""),
		beside("broken", "SELECT ", "] ", "", ""),
		beside("question marks", "SELECT ", "?", ",", ""),
		beside("at signs", "SELECT ", "@", "", "a"),
		// Expressions.
		beside("plus", "SELECT 1", "+1", "", ""),
		beside("minus of a column", "SELECT n", "-1", "", " FROM t"),
		beside("times", "SELECT 1", "*1", "", ""),
		beside("signs", "SELECT ", "-", " ", "1"),
		beside("tildes", "SELECT ", "~", "", "1"),
		beside("bangs", "SELECT ", "!", "", "1"),
		beside("nots", "SELECT ", "NOT ", "", "1"),
		beside("or", "SELECT COUNT(*) FROM t WHERE n = 0", " OR n = %d", "", ""),
		beside("or of columns", "SELECT COUNT(*) FROM t WHERE n = 0", " OR s = '%d' OR n = %d", "", ""),
		beside("and", "SELECT COUNT(*) FROM t WHERE n = 0", " AND n <> %d", "", ""),
		beside("and of or", "SELECT COUNT(*) FROM t WHERE n = 0", " AND (n = %d OR s = '%d')", "", ""),
		beside("or of and", "SELECT COUNT(*) FROM t WHERE n = 0", " OR (n > %d AND s < '%d')", "", ""),
		beside("xor", "SELECT 1", " XOR 1", "", ""),
		beside("comparisons", "SELECT 1", " = 1", "", ""),
		beside("is null", "SELECT 1", " IS NULL", "", ""),
		beside("is true", "SELECT 1", " IS NOT TRUE", "", ""),
		beside("between", "SELECT 1", " BETWEEN 0 AND 1", "", ""),
		beside("between in between", "SELECT ", "1 BETWEEN ", "", "0 AND 1"),
		beside("like", "SELECT 'a'", " LIKE 'a'", "", ""),
		beside("collate", "SELECT 'a'", " COLLATE utf8mb4_bin", "", ""),
		beside("intervals", "SELECT DATE('2020-01-01')", " + INTERVAL 1 DAY", "", ""),
		beside("arrows", "SELECT _doc", "->'$.a'", "", " FROM t"),
		beside("members", "SELECT 1", " MEMBER OF ('[1]')", "", ""),
		beside("in numbers", "SELECT COUNT(*) FROM t WHERE n IN (", "%d", ",", ")"),
		beside("in texts", "SELECT COUNT(*) FROM t WHERE s IN (", "'%d'", ",", ")"),
		beside("not in", "SELECT COUNT(*) FROM t WHERE n NOT IN (", "%d", ",", ")"),
		beside("in columns", "SELECT COUNT(*) FROM t WHERE 5 IN (", "n + %d", ",", ")"),
		beside("in rows", "SELECT COUNT(*) FROM t WHERE (n, s) IN (", "(%d, 'a')", ",", ")"),
		beside("a row", "SELECT (", "1", ",", ") = (1, 2)"),
		beside("when", "SELECT CASE n", " WHEN %d THEN 2", "", " END FROM t"),
		beside("when conditions", "SELECT CASE", " WHEN n = %d THEN 2", "", " END FROM t"),
		beside("concat", "SELECT LENGTH(CONCAT(", "'a'", ",", "))"),
		beside("concat of columns", "SELECT LENGTH(CONCAT(", "s", ",", ")) FROM t"),
		beside("coalesce", "SELECT COALESCE(", "NULL", ",", ", n) FROM t"),
		beside("greatest", "SELECT GREATEST(", "%d", ",", ")"),
		beside("elt", "SELECT ELT(3, ", "'a'", ",", ")"),
		beside("field", "SELECT FIELD(s, ", "'%d'", ",", ") FROM t"),
		beside("json_array", "SELECT JSON_LENGTH(JSON_ARRAY(", "%d", ",", "))"),
		beside("json_object", "SELECT JSON_LENGTH(JSON_OBJECT(", "'k%d', 1", ",", "))"),
		beside("json_set", "SELECT JSON_LENGTH(JSON_SET('{}', ", "'$.k%d', 1", ",", "))"),
		beside("json_extract", "SELECT JSON_LENGTH(JSON_EXTRACT(_doc, ", "'$.k%d'", ",", ")) FROM t"),
		beside("json text", "SELECT JSON_LENGTH('[", "%d", ",", "]')"),
		beside("json members", "SELECT JSON_LENGTH('{", `"k%d": 1`, ",", "}')"),
		beside("json path", "SELECT _doc->'$", ".a", "", "' FROM t"),
		beside("json path of cells", "SELECT JSON_EXTRACT('[1]', '$", "[0]", "", "')"),
		beside("regular expression", "SELECT 'a' REGEXP '", "(a|b)", "", "'"),
		beside("assignments", "SELECT ", "@a := 1", ",", ""),
		inside("parentheses", "SELECT ", "(", ")", ""),
		inside("functions", "SELECT ", "ABS(", ")", ""),
		inside("if", "SELECT ", "IF(1, 1, ", ")", ""),
		inside("ifnull", "SELECT ", "IFNULL(NULL, ", ")", ""),
		inside("nullif", "SELECT ", "NULLIF(", ", 2)", ""),
		inside("case", "SELECT ", "CASE WHEN ", " THEN 1 END", ""),
		inside("case else", "SELECT ", "CASE WHEN 0 THEN 1 ELSE ", " END", ""),
		inside("cast", "SELECT ", "CAST(", " AS SIGNED)", ""),
		inside("convert", "SELECT ", "CONVERT(", ", CHAR)", ""),
		inside("concat in concat", "SELECT ", "CONCAT(", ", 'a')", ""),
		inside("json in json", "SELECT JSON_DEPTH(", "JSON_ARRAY(", ")", ")"),
		inside("json text in json", "SELECT JSON_VALID('", "[", "]", "')"),
		inside("in in in", "SELECT ", "1 IN (", ")", ""),
		inside("rows in rows", "SELECT ", "(1, ", ")", " = 1"),
		inside("quote", "SELECT LENGTH(", "QUOTE(", ")", ")"),
		// Queries.
		beside("selected", "SELECT ", "1", ",", ""),
		beside("selected columns", "SELECT ", "n", ",", " FROM t"),
		beside("selected with names", "SELECT ", "n AS c%d", ",", " FROM t"),
		beside("selected keypaths", "SELECT ", "k%d", ",", " FROM t"),
		beside("selected texts", "SELECT ", "'a%d'", ",", " FROM t"),
		beside("selected sums", "SELECT ", "SUM(n + %d)", ",", " FROM t"),
		beside("selected windows", "SELECT ", "SUM(n) OVER (ORDER BY n + %d)", ",", " FROM t"),
		beside("selected subqueries", "SELECT ", "(SELECT %d)", ",", ""),
		beside("selected stars", "SELECT ", "*", ",", " FROM t"),
		beside("tables", "SELECT COUNT(*) FROM t", ", t a%d", "", ""),
		beside("joins", "SELECT COUNT(*) FROM t", " JOIN t a%d USING (n)", "", ""),
		beside("left joins", "SELECT COUNT(*) FROM t", " LEFT JOIN t a%d ON a%d.n = t.n", "", ""),
		beside("using", "SELECT COUNT(*) FROM t JOIN t a USING (", "n", ",", ")"),
		beside("derived tables", "SELECT COUNT(*) FROM t", ", (SELECT 1) a%d", "", ""),
		beside("columns of a derived table", "SELECT COUNT(*) FROM (SELECT ", "1 AS c%d", ",", ") d"),
		beside("index hints", "SELECT COUNT(*) FROM t USE INDEX (", "n", ",", ")"),
		beside("group by", "SELECT COUNT(*) FROM t GROUP BY ", "n", ",", ""),
		beside("group by expressions", "SELECT COUNT(*) FROM t GROUP BY ", "n + %d", ",", ""),
		beside("order by", "SELECT n FROM t ORDER BY ", "n", ",", ""),
		beside("order by expressions", "SELECT n FROM t ORDER BY ", "n + %d", ",", ""),
		beside("having", "SELECT n FROM t GROUP BY n HAVING n = 0", " OR n = %d", "", ""),
		beside("partition by", "SELECT SUM(n) OVER (PARTITION BY ", "n", ",", ") FROM t"),
		beside("windows", "SELECT 1 FROM t WINDOW ", "w%d AS (ORDER BY n)", ",", ""),
		beside("unions", "SELECT 1", " UNION SELECT %d", "", ""),
		beside("unions of all", "SELECT 1", " UNION ALL SELECT n FROM t", "", ""),
		beside("intersections", "SELECT 1", " INTERSECT SELECT 1", "", ""),
		beside("common table expressions", "WITH ", "c%d AS (SELECT 1)", ",", " SELECT 1"),
		beside("common table expressions that are read",
			"WITH c AS (SELECT 1 AS x)", ", c%d AS (SELECT x FROM c)", "", " SELECT 1"),
		beside("values", "VALUES ", "ROW(%d)", ",", ""),
		beside("values of a row", "VALUES ROW(", "%d", ",", ")"),
		beside("json_table", "SELECT 1 FROM JSON_TABLE('[]', '$[*]' COLUMNS (", "c%d INT PATH '$.a'", ",", ")) j"),
		beside("group_concat", "SELECT GROUP_CONCAT(", "n", ",", ") FROM t"),
		beside("distinct", "SELECT COUNT(DISTINCT ", "n", ",", ") FROM t"),
		beside("exists", "SELECT 1 FROM t WHERE n = 0", " OR EXISTS (SELECT 1 FROM t x WHERE x.n = %d)", "", ""),
		beside("in queries", "SELECT 1 FROM t WHERE n = 0", " OR n IN (SELECT %d)", "", ""),
		inside("subqueries", "SELECT ", "(SELECT ", ")", ""),
		inside("derived in derived", "", "SELECT * FROM (", ") d", ""),
		inside("exists in exists", "SELECT ", "EXISTS (SELECT ", ")", ""),
		inside("in queries in them", "SELECT ", "1 IN (SELECT ", ")", ""),
		inside("unions in parentheses", "SELECT 1 UNION ", "(SELECT 1 UNION ", ")", ""),
		inside("joins in parentheses", "SELECT 1 FROM ", "(t JOIN ", ")", ""),
		inside("with in with", "", "WITH c AS (", ") SELECT 1", ""),
		// Changes.
		beside("rows", "INSERT INTO w (n) VALUES ", "(%d)", ",", ""),
		beside("rows of texts", "INSERT INTO w (s) VALUES ", "('%d')", ",", ""),
		beside("rows of documents", "INSERT INTO w (_doc) VALUES ", `('{"a": %d}')`, ",", ""),
		beside("values of an insert", "INSERT INTO w VALUES (", "1", ",", ")"),
		beside("columns of an insert", "INSERT INTO w (", "n", ",", ") VALUES (1)"),
		beside("new columns of an insert", "INSERT INTO w (", "k%d", ",", ") VALUES (1)"),
		beside("set of an insert", "INSERT INTO w SET ", "n = 1", ",", ""),
		beside("on duplicate key", "INSERT INTO w (_id) VALUES ('a') ON DUPLICATE KEY UPDATE ", "n = %d", ",", ""),
		beside("replace", "REPLACE INTO w (_id) VALUES ", "('%d')", ",", ""),
		beside("a document", "INSERT INTO w (_doc) VALUES ('{", `"k%d": 1`, ",", "}')"),
		beside("set", "UPDATE w SET ", "n = %d", ",", ""),
		beside("set of paths", "UPDATE w SET ", "k%d = 1", ",", ""),
		beside("delete", "DELETE FROM w WHERE n = -1", " OR n = %d", "", ""),
		beside("deletes of tables", "DELETE ", "w", ",", " FROM w JOIN t"),
		// Definitions.
		beside("columns", "CREATE TABLE c (", "c%d INT", ",", ")"),
		beside("keys", "CREATE TABLE c (n INT, ", "KEY k%d (n)", ",", ")"),
		beside("columns of a key", "CREATE TABLE c (n INT, KEY (", "n", ",", "))"),
		beside("checks", "CREATE TABLE c (n INT, ", "CHECK (n > %d)", ",", ")"),
		beside("foreign keys", "CREATE TABLE c (n INT, ", "FOREIGN KEY (n) REFERENCES w (n)", ",", ")"),
		beside("enum", "CREATE TABLE c (n ENUM(", "'a%d'", ",", "))"),
		beside("set type", "CREATE TABLE c (n SET(", "'a%d'", ",", "))"),
		beside("table options", "CREATE TABLE c (n INT) ", "COMMENT = 'a'", " ", ""),
		beside("column options", "CREATE TABLE c (n INT ", "NOT NULL", " ", ")"),
		beside("partitions",
			"CREATE TABLE c (n INT) PARTITION BY LIST (n) (", "PARTITION p%d VALUES IN (1)", ",", ")"),
		beside("comment of a column", "CREATE TABLE c (n INT COMMENT '", "a", "", "')"),
		beside("alterations", "ALTER TABLE w ", "ADD COLUMN c%d INT", ",", ", ADD COLUMN n INT"),
		beside("dropped columns", "ALTER TABLE w ", "DROP COLUMN c%d", ",", ""),
		beside("comments of a table", "ALTER TABLE w ", "COMMENT = 'a'", ",", ", ADD COLUMN n INT"),
		beside("index", "CREATE INDEX i ON w (", "n", ",", ")"),
		beside("view", "CREATE OR REPLACE VIEW v AS SELECT ", "n AS c%d", ",", " FROM t"),
		beside("columns of a view", "CREATE OR REPLACE VIEW v (", "c%d", ",", ") AS SELECT 1"),
		beside("dropped tables", "DROP TABLE IF EXISTS ", "x%d", ",", ""),
		beside("renamed tables", "RENAME TABLE ", "x%d TO y%d", ",", ""),
		beside("procedure", "CREATE PROCEDURE p() BEGIN ", "SELECT 1;", " ", "END"),
		beside("trigger", "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW BEGIN ", "SET NEW.n = 1;", " ", "END"),
		inside("blocks", "CREATE PROCEDURE p() ", "BEGIN ", "; END", ""),
		// Sessions and administration.
		beside("variables", "SET ", "@a = %d", ",", ""),
		beside("system variables", "SET ", "sql_mode = ''", ",", ""),
		beside("value of a variable", "SET @a = '", "a", "", "'"),
		beside("names of a mode", "SET sql_mode = '", "ANSI", ",", "'"),
		beside("prepare", "PREPARE p FROM 'SELECT 1", " + 1", "", "'"),
		beside("prepare from a variable", "PREPARE p FROM @", "a", "", ""),
		beside("execute", "EXECUTE p USING ", "@a", ",", ""),
		beside("call", "CALL p(", "1", ",", ")"),
		beside("do", "DO ", "1", ",", ""),
		beside("show like", "SHOW TABLES LIKE '", "%%a", "", "'"),
		beside("show where", "SHOW TABLES WHERE 1", " OR 1", "", ""),
		beside("explain", "EXPLAIN SELECT COUNT(*) FROM t WHERE n = 0", " OR n = %d", "", ""),
		beside("explain columns", "EXPLAIN FORMAT=TREE SELECT ", "n", ",", " FROM t"),
		beside("grant", "GRANT ", "SELECT", ",", " ON *.* TO x"),
		beside("users", "CREATE USER ", "u%d", ",", ""),
		beside("lock", "LOCK TABLES ", "t AS a%d READ", ",", ""),
		beside("check tables", "CHECK TABLE ", "t", ",", ""),
		beside("check tables that are not there", "CHECK TABLE ", "x%d", ",", ""),
		beside("analyze tables", "ANALYZE TABLE ", "t", ",", ""),
		beside("flush", "FLUSH ", "STATUS", ",", ""),
		beside("kill", "KILL QUERY ", "9", "", ""),
		beside("savepoint", "SAVEPOINT ", "a", "", ""),
		beside("use", "USE ", "a", "", ""),
		beside("load data", "LOAD DATA LOCAL INFILE 'no' INTO TABLE w (", "n", ",", ")"),
	}
}

// TestProductions: a statement of any production of the grammar, however long or deep it is, ends with its rows or with
// one of MySQL's errors, in a time that grows as its length does, and within a second of a KILL, of its client's end
// and of SIGTERM's grace.
func TestProductions(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.Of(t, "production-seed", *productionSeed), 0))
	p := harness.Spawn(t, harness.ServeCall(t, t.TempDir()))
	defineProduced(t, p)
	asked := productions()
	most := *productionBytes
	if most == 0 {
		random.Shuffle(len(asked), func(i, j int) { asked[i], asked[j] = asked[j], asked[i] })
		asked, most = asked[:len(asked)/12], 256<<10
	}
	s := &producing{t: t, p: p}
	s.askShort()
	for _, what := range asked {
		if matched, err := regexp.MatchString(*productionName, what.name); err != nil || matched {
			s.ask(what, most)
		}
	}
	db := harness.Connect(t, p.Addr, "d", "")
	harness.CheckAll(t, db)
	p.Stop()
	// Those that take the longest; by flag all that take long.
	slices.SortFunc(s.long, func(a, b longStatement) int { return int(b.took - a.took) })
	if *productionBytes == 0 {
		s.long = s.long[:min(2, len(s.long))]
	}
	for _, what := range s.long {
		terminate(t, what)
	}
}

// producing asks statements of productions.
type producing struct {
	t    *testing.T
	p    *harness.Process
	long []longStatement
}

// longStatement is a statement that takes long.
type longStatement struct {
	text string
	took time.Duration
}

// longEnough is how long a statement takes that can be met while it runs.
const longEnough = 300 * time.Millisecond

// terminate sends SIGTERM to a server that runs a statement: it ends in good order behind its grace.
func terminate(t *testing.T, what longStatement) {
	t.Helper()
	const grace = 100 * time.Millisecond
	p := harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", "pebble:" + t.TempDir(), "--listen",
		"127.0.0.1:0",
		"--shutdown-grace", grace.String()}})
	defineProduced(t, p)
	db := harness.Connect(t, p.Addr, "d", "?maxAllowedPacket=0")
	ended := make(chan error, 1)
	go func() { ended <- throughAll(db.Query(what.text)) }()
	before := p.Used()
	for p.Used() < before+what.took/4 && len(ended) == 0 {
		time.Sleep(time.Millisecond)
	}
	running, told := len(ended) == 0, p.Used()
	p.Stop()
	err := <-ended
	if after := p.Cmd.ProcessState.UserTime() + p.Cmd.ProcessState.SystemTime() - told; after > harness.Soon+grace {
		t.Errorf("%.60s… (%d bytes) went on for %v behind SIGTERM", what.text, len(what.text), after)
	}
	t.Logf("SIGTERM: %.60s… (%d bytes), running: %t, %.60v", what.text, len(what.text), running, err)
}

// defineProduced makes the tables that productions are about.
func defineProduced(t *testing.T, p *harness.Process) {
	t.Helper()
	harness.ExecAll(t, harness.Connect(t, p.Addr, "", ""), "CREATE DATABASE d",
		"CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, n INT, s TEXT, _doc JSON)",
		"CREATE TABLE d.w (_id VARCHAR(255) PRIMARY KEY, n INT, s TEXT, _doc JSON)",
		"INSERT INTO d.t (_id, n, s) VALUES ('a', 1, 'x'), ('b', 2, 'y')")
}

// ask asks statements of a production that grow by four, and kills one of the longest.
func (s *producing) ask(what production, most int) {
	var last, before time.Duration
	for n := 4 << 10; n <= most; n *= 4 {
		var e error
		last, e = s.run(what.text(n), 0)
		s.t.Logf("%-40s %9d bytes %8d ms  %.100v", what.name, n, last.Milliseconds(), e)
		// Four times as long: four times the time, and a little for the logarithm and for the collection of garbage. What
		// takes the square of its length has a bound, and may take some seconds up to there.
		if last > 6*before+4*time.Second {
			s.t.Errorf("%s: %d bytes take %v, a quarter of them %v", what.name, n, last, before)
		}
		before = last
	}
	if last > 2*time.Second {
		s.run(what.text(most), last/4)
	}
	if last > longEnough {
		s.leave(what.text(most), last/4)
		s.long = append(s.long, longStatement{what.text(most), last})
	}
}

// multiplied are productions of which a short statement has many rows or a long result.
var multiplied = []string{"quote", "tables", "set of paths", "regular expression"}

// askShort asks short statements of all productions. They are not too deep or too long for any bound, so each is
// planned and run: in a time that does not grow with a power of its depth.
func (s *producing) askShort() {
	for _, what := range productions() {
		for n := 128; n <= 4<<10 && !slices.Contains(multiplied, what.name); n *= 2 {
			if took, err := s.run(what.text(n), 0); took > 3*time.Second {
				s.t.Errorf("%s: %d bytes take %v: %.100v", what.name, n, took, err)
			}
		}
	}
}

// leave runs a statement whose client goes after a time: the server ends it.
func (s *producing) leave(stmt string, after time.Duration) {
	db := harness.Connect(s.t, s.p.Addr, "d", "?maxAllowedPacket=0")
	defer db.Close()
	watch := harness.Connect(s.t, s.p.Addr, "d", "")
	defer watch.Close()
	conn := harness.NewSession(s.t, db)
	ctx, leave := context.WithTimeout(context.Background(), after)
	defer leave()
	_ = throughAll(conn.QueryContext(ctx, stmt))
	<-ctx.Done()
	left := s.p.Used()
	harness.Gone(s.t, watch, conn.ID)
	if used := s.p.Used() - left; used > harness.Soon {
		s.t.Errorf("%.60s… (%d bytes) went on for %v when its client was gone", stmt, len(stmt), used)
	}
	_, _ = watch.Exec("DROP TABLE IF EXISTS c")
}

// run runs a statement, and kills it after a time unless that is 0. It gives what the statement took of the processors.
func (s *producing) run(stmt string, kill time.Duration) (time.Duration, error) {
	db := harness.Connect(s.t, s.p.Addr, "d", "?maxAllowedPacket=0")
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	conn, err := db.Conn(ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close()
	var id int
	if err := conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		s.t.Fatal(err)
	}
	harness.MustExec(s.t, conn, "BEGIN")
	began := s.p.Used()
	killed := make(chan time.Duration, 1)
	if kill > 0 {
		time.AfterFunc(kill, func() {
			killed <- s.p.Used()
			_, _ = db.Exec(fmt.Sprintf("KILL QUERY %d", id))
		})
	}
	err = throughAll(conn.QueryContext(ctx, stmt))
	used := s.p.Used() - began
	if kill > 0 {
		if after := s.p.Used() - <-killed; after > harness.Soon {
			s.t.Errorf("%.60s… (%d bytes) went on for %v behind KILL", stmt, len(stmt), after)
		}
	}
	var e *mysql.MySQLError
	if err != nil && (!errors.As(err, &e) || e.Number == 1105) {
		s.t.Errorf("%.60s… (%d bytes): %.300v", stmt, len(stmt), err)
	}
	for _, undo := range []string{"ROLLBACK", "DROP TABLE IF EXISTS c", "DROP PROCEDURE IF EXISTS p"} {
		_, _ = conn.ExecContext(ctx, undo)
	}
	return used, err
}

// throughAll reads all rows.
func throughAll(rows *sql.Rows, err error) error {
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	return errors.Join(rows.Err(), rows.Close())
}
