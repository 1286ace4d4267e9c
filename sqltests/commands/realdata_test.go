package commands

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var allReal = flag.Bool("real", false, "TestRealDocuments imports the large files too")

// realFile is a file of real documents and what is asked of it.
type realFile struct {
	name, key string
	large     bool // only with -real
	// asked are predicates and what they mean, so that the documents that they must find are
	// known from the file.
	asked []asked
	// group is a keypath with few values; order one to sort by, of numbers.
	group, order string
	// queries are asked as well, with the index and without.
	queries []string
	// update and remove are predicates that pick some documents.
	update, remove string
}

type asked struct {
	where string
	holds func(d object) bool
}

// object is a parsed document.
type object map[string]any

// at is the value at a path of names.
func (o object) at(path ...string) any {
	var v any = map[string]any(o)
	for _, p := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[p]
	}
	return v
}

func (o object) text(path ...string) string {
	s, _ := o.at(path...).(string)
	return s
}

// between reports whether there is a number from low to high.
func (o object) between(low, high float64, path ...string) bool {
	n, ok := o.at(path...).(float64)
	return ok && n >= low && n <= high
}

func (o object) one(values []string, path ...string) bool {
	s, ok := o.at(path...).(string)
	return ok && slices.Contains(values, s)
}

var realFiles = []realFile{
	{
		name: "world_countries", key: "cca3", group: "region", order: "area",
		asked: []asked{
			{"`name.common` = 'Switzerland'", func(d object) bool { return d.text("name", "common") == "Switzerland" }},
			{"_doc->>'$.name.common' = 'Switzerland'", func(d object) bool { return d.text("name", "common") == "Switzerland" }},
			{"area BETWEEN 40000 AND 50000", func(d object) bool { return d.between(40000, 50000, "area") }},
			{"area > 0.4 AND area < 100.5", func(d object) bool { return d.between(0.400001, 100.499999, "area") }},
			{"region IN ('Oceania', 'Antarctic', 'Nowhere')",
				func(d object) bool { return d.one([]string{"Oceania", "Antarctic", "Nowhere"}, "region") }},
			{"landlocked AND region = 'Europe'", func(d object) bool {
				return d.at("landlocked") == true &&
					d.text("region") == "Europe"
			}},
			{"`currencies.CHF.name` IS NOT NULL", func(d object) bool { return d.at("currencies", "CHF", "name") != nil }},
			{"`translations.deu.common` = 'Österreich' OR cca2 = 'DE'", func(d object) bool {
				return d.text("translations", "deu", "common") == "Österreich" || d.text("cca2") == "DE"
			}},
		},
		queries: []string{
			"SELECT cca3, _idx, _value FROM world_countries__borders WHERE _value IN ('CHE', 'LIE')",
			"SELECT c.`name.common` FROM world_countries c JOIN world_countries__altSpellings s USING (cca3) WHERE " +
				"s._value LIKE 'É%'",
		},
		update: "region = 'Oceania'", remove: "area < 100",
	},
	{
		name: "vega_movies", key: "_id", group: "Major Genre", order: "IMDB Votes",
		asked: []asked{
			{"Title = 'The Mask of Zorro'", func(d object) bool { return d.text("Title") == "The Mask of Zorro" }},
			{"Title = 54", func(d object) bool { return d.between(54, 54, "Title") }},
			{"`IMDB Rating` >= 8.5", func(d object) bool { return d.between(8.5, 10, "IMDB Rating") }},
			{"`IMDB Rating` BETWEEN 3 AND 3.5", func(d object) bool { return d.between(3, 3.5, "IMDB Rating") }},
			{"`MPAA Rating` IN ('G', 'NC-17')", func(d object) bool { return d.one([]string{"G", "NC-17"}, "MPAA Rating") }},
			{"`Running Time min` > 180 AND `Major Genre` = 'Drama'", func(d object) bool {
				return d.between(180.5, 1e9, "Running Time min") && d.text("Major Genre") == "Drama"
			}},
			{"`US Gross` IS NULL", func(d object) bool { return d.at("US Gross") == nil }},
		},
		queries: []string{"SELECT _id, Title FROM vega_movies WHERE Title LIKE 'Star%'"},
		update:  "`MPAA Rating` = 'G'", remove: "`IMDB Rating` < 3",
	},
	{
		name: "mongo_primer_restaurants", key: "restaurant_id", group: "borough", order: "address.coord[0]",
		asked: []asked{
			{"`address.zipcode` = '10462'", func(d object) bool { return d.text("address", "zipcode") == "10462" }},
			{"_doc->'$.address.zipcode' = '10462'", func(d object) bool { return d.text("address", "zipcode") == "10462" }},
			{"`address.zipcode` BETWEEN '10001' AND '10009'", func(d object) bool {
				return d.text("address", "zipcode") >= "10001" && d.text("address", "zipcode") <= "10009"
			}},
			{"_doc->'$.address.coord[0]' BETWEEN -73.9 AND -73.85", func(d object) bool {
				c, _ := d.at("address", "coord").([]any)
				return len(c) > 0 && object{"c": c[0]}.between(-73.9, -73.85, "c")
			}},
			{"cuisine IN ('Bakery', 'Ice Cream, Gelato, Yogurt, Ices')", func(d object) bool {
				return d.one([]string{"Bakery", "Ice Cream, Gelato, Yogurt, Ices"}, "cuisine")
			}},
			{"borough = 'Bronx' AND cuisine = 'Pizza'", func(d object) bool {
				return d.text("borough") == "Bronx" &&
					d.text("cuisine") == "Pizza"
			}},
		},
		queries: []string{
			"SELECT restaurant_id FROM mongo_primer_restaurants WHERE _doc->'$.grades[0].score' > 60",
			"SELECT restaurant_id, _idx, score FROM mongo_primer_restaurants__grades WHERE score > 60 AND grade = 'C'",
			"SELECT grade, COUNT(*), SUM(score) FROM mongo_primer_restaurants__grades GROUP BY grade",
			"SELECT restaurant_id FROM `mongo_primer_restaurants__address.coord` WHERE _idx = 1 AND _value > 41",
		},
		update: "`address.zipcode` = '10462'", remove: "cuisine = 'Bakery'",
	},
	{
		name: "osv_golang_vulndb", key: "id", group: "database_specific.review_status", order: "published",
		asked: []asked{
			{"`database_specific.url` = 'https://pkg.go.dev/vuln/GO-2020-0001'", func(d object) bool {
				return d.text("database_specific", "url") == "https://pkg.go.dev/vuln/GO-2020-0001"
			}},
			{"published >= '2021-04-14T00:00:00Z' AND published < '2021-04-15T00:00:00Z'", func(d object) bool {
				return strings.HasPrefix(d.text("published"), "2021-04-14T")
			}},
			{"id IN ('GO-2020-0001', 'GO-2020-0002', 'none')",
				func(d object) bool { return d.one([]string{"GO-2020-0001", "GO-2020-0002"}, "id") }},
			{"aliases IS NULL", func(d object) bool { return d.at("aliases") == nil }},
		},
		queries: []string{
			"SELECT id, _idx1, _idx2, _idx, introduced, fixed FROM osv_golang_vulndb__affected__ranges__events WHERE " +
				"fixed BETWEEN '1.16' AND '1.17'",
			"SELECT id, _idx, `package.name` FROM osv_golang_vulndb__affected WHERE `package.name` = 'stdlib' AND id < " +
				"'GO-2022'",
			"SELECT i.id, i.path, s._value FROM `osv_golang_vulndb__affected__ecosystem_specific.imports` i JOIN " +
				"`osv_golang_vulndb__affected__ecosystem_specific.imports__symbols` s" +
				" ON s.id = i.id AND s._idx1 = i._idx1 AND s._idx2 = i._idx WHERE i.path = 'net/http' AND s._value LIKE 'Read%'",
			"SELECT id FROM osv_golang_vulndb__aliases WHERE _value = 'CVE-2020-36567'",
		},
		update: "published >= '2021-04-14T00:00:00Z' AND published < '2021-04-15T00:00:00Z'", remove: "aliases IS NULL",
	},
	{
		name: "wikipedia_movies", key: "_id", large: true, group: "year", order: "thumbnail_width",
		asked: []asked{
			{"title = 'The Color Purple'", func(d object) bool { return d.text("title") == "The Color Purple" }},
			{"year BETWEEN 1950 AND 1952", func(d object) bool { return d.between(1950, 1952, "year") }},
			{"year IN (1900, 2023)", func(d object) bool {
				return d.between(1900, 1900, "year") ||
					d.between(2023, 2023, "year")
			}},
			{"href IS NULL", func(d object) bool { return d.at("href") == nil }},
			{"thumbnail_height > 750", func(d object) bool { return d.between(750.5, 1e9, "thumbnail_height") }},
		},
		queries: []string{
			"SELECT _id, title FROM wikipedia_movies WHERE _doc->>'$.genres[0]' = 'Western' AND year = 1950",
			"SELECT _id, _idx, _value FROM wikipedia_movies__cast WHERE _value = 'Penélope Cruz' OR _value BETWEEN 'Zoë' " +
				"AND 'Zoé'",
		},
		update: "year = 1901", remove: "year = 1902",
	},
	{
		name: "mongo_palbum_images", key: "_id", large: true, group: "width", order: "_id",
		asked: []asked{
			{"_id = 4711", func(d object) bool { return d.between(4711, 4711, "_id") }},
			{"_id IN (1, 99999, 100000)", func(d object) bool {
				return d.between(1, 1, "_id") || d.between(99999, 99999, "_id")
			}},
			{"_doc->'$._id' BETWEEN 500 AND 600", func(d object) bool { return d.between(500, 600, "_id") }},
			{"_doc->'$.tags[0]' = 'cats' AND _doc->'$.tags[1]' = 'work'", func(d object) bool {
				t, _ := d.at("tags").([]any)
				return len(t) > 1 && t[0] == "cats" && t[1] == "work"
			}},
			{"height <> 480", func(d object) bool { return d.at("height") != nil && !d.between(480, 480, "height") }},
		},
		update: "_doc->'$._id' < 50", remove: "_doc->'$._id' BETWEEN 100 AND 200",
	},
}

// TestRealDocuments imports files of real documents through the command and asks of each what
// people ask: the answers are those of the file, whatever the access path, and every document
// that no statement has touched comes back as it went in.
func TestRealDocuments(t *testing.T) {
	t.Parallel()
	data := filepath.Join(harness.ModuleRoot(t), "..", "shared", "data")
	if _, err := os.Stat(data); err != nil {
		t.Skip("no real documents here: ", err)
	}
	dir := t.TempDir()
	p := harness.Spawn(t, harness.ServeCall(t, dir))
	done := map[string]bool{}
	for _, f := range realFiles {
		if f.large && !*allReal {
			continue
		}
		path := filepath.Join(data, f.name+".jsonl")
		if _, err := os.Stat(path); err != nil {
			t.Log(err)
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			testRealFile(t, p, f, path)
		})
		done[f.name] = true
	}
	db := harness.Connect(t, p.Addr, "r", "")
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if done["vega_movies"] && done["wikipedia_movies"] {
		sameBothWays(t, conn,
			"SELECT v.Title, w.year FROM vega_movies v JOIN wikipedia_movies w ON v.Title = w.title WHERE v.`IMDB "+
				"Rating` > 8.8 ORDER BY v.Title, w.year, w._id, v._id")
	}
	harness.CheckAll(t, db)
	p.Stop()
	if o := harness.Run(t, harness.Call{Args: []string{"check", "--store", harness.StoreIn(t, dir)}}); o.Exit != 0 {
		t.Errorf("check of the store: %+v", o)
	}
}

// sameBothWays runs a query with the index and without, requires the same rows in the same
// order, and returns them, the first line naming the columns.
func sameBothWays(t *testing.T, conn *sql.Conn, stmt string) []string {
	t.Helper()
	on := answer(t, conn, "ON", stmt)
	off := answer(t, conn, "OFF", stmt)
	if !strings.Contains(stmt, "ORDER BY") {
		slices.Sort(on[1:])
		slices.Sort(off[1:])
	}
	if !slices.Equal(on, off) {
		t.Errorf("%s: %d rows with the index, %d without; first difference: %.300s", stmt, len(on)-1, len(off)-1,
			firstDifference(on, off))
	}
	return on
}

func firstDifference(a, b []string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] + " <> " + b[i]
		}
	}
	return "one has more"
}

// answer runs a query and returns the names of its columns and its rows, a line each.
func answer(t *testing.T, conn *sql.Conn, index, stmt string) []string {
	t.Helper()
	ctx := context.Background()
	if _, err := conn.ExecContext(ctx, "SET sqlfdb_use_index = "+index); err != nil {
		t.Fatal(err)
	}
	rows, err := conn.QueryContext(ctx, stmt)
	if err != nil {
		t.Errorf("%s: %v", stmt, err)
		return []string{err.Error()}
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{strings.Join(columns, " | ")}
	values := make([]sql.NullString, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	texts := make([]string, len(columns))
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			if texts[i] = "NULL"; v.Valid {
				texts[i] = v.String
			}
		}
		lines = append(lines, strings.Join(texts, " | "))
	}
	if err := rows.Err(); err != nil {
		t.Errorf("%s: %v", stmt, err)
	}
	return lines
}

func testRealFile(t *testing.T, p *harness.Process, f realFile, path string) {
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var documents []object
	untouched := map[string]int{}
	for _, line := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
		var d object
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		documents = append(documents, d)
		var compact bytes.Buffer
		if err := json.Compact(&compact, line); err != nil {
			t.Fatal(err)
		}
		untouched[compact.String()]++
	}
	o := harness.Run(t, harness.Call{Args: []string{"import", "--dsn", p.DSN(), "--table", "r." + f.name, "--id", f.key,
		path}})
	if o.Exit != 0 {
		t.Fatalf("import: %+v", o)
	}
	t.Log(strings.TrimSpace(o.Stdout))
	wants(t, "the import", o.Stdout, fmt.Sprintf("%d documents stored", len(documents)), " 0 refused")

	db := harness.Connect(t, p.Addr, "r", "")
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	table, key := harness.Quoted(f.name), harness.Quoted(f.key)
	var ran []string
	ask := func(stmt string) []string {
		t.Helper()
		ran = append(ran, stmt)
		return sameBothWays(t, conn, stmt)
	}
	if rows := ask(fmt.Sprintf("SELECT * FROM %s ORDER BY %s LIMIT 5", table, key)); len(rows) != 6 {
		t.Errorf("SELECT * LIMIT 5 gives %d rows", len(rows)-1)
	}
	if rows := answer(t, conn, "ON", fmt.Sprintf("SELECT * FROM %s LIMIT 7", table)); len(rows) != 8 {
		t.Errorf("SELECT * LIMIT 7 gives %d rows", len(rows)-1)
	}
	if rows := ask("SELECT COUNT(*) FROM " + table); rows[1] != fmt.Sprint(len(documents)) {
		t.Errorf("COUNT(*) is %s, want %d", rows[1], len(documents))
	}
	for _, a := range f.asked {
		want := 0
		for _, d := range documents {
			if a.holds(d) {
				want++
			}
		}
		rows := ask(fmt.Sprintf("SELECT %s FROM %s WHERE %s", key, table, a.where))
		if len(rows)-1 != want {
			t.Errorf("WHERE %s finds %d documents, the file has %d", a.where, len(rows)-1, want)
		}
		if want == 0 && !strings.Contains(a.where, "<>") {
			t.Errorf("WHERE %s: nothing in the file", a.where)
		}
		ask(fmt.Sprintf("SELECT COUNT(*) AS n FROM %s WHERE NOT (%s)", table, a.where))
	}
	order := harness.Quoted(f.order)
	if name, element, ok := strings.Cut(f.order, "["); ok {
		order = "_doc->'$." + name + "[" + element + "'"
	}
	ask(fmt.Sprintf("SELECT %s, %s FROM %s ORDER BY %s, %s LIMIT 10", key, order, table, order, key))
	ask(fmt.Sprintf("SELECT %s, %s FROM %s ORDER BY %s DESC, %s LIMIT 10", key, order, table, order, key))
	ask(fmt.Sprintf("SELECT %s, %s FROM %s WHERE %s ORDER BY %s, %s DESC LIMIT 3", key, order, table, f.asked[0].where,
		order, key))
	group := harness.Quoted(f.group)
	groups := ask(fmt.Sprintf("SELECT %s AS g, COUNT(*) AS n, MIN(%s) AS a, MAX(%s) AS b FROM %s GROUP BY %s ORDER BY g",
		group, order, order, table, group))
	if len(groups) < 2 {
		t.Error("no groups")
	}
	// A join with a collection of the groups.
	other := harness.Quoted(f.name + "_groups")
	harness.MustExec(t, conn, "CREATE TABLE "+other+" (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		fmt.Sprintf("INSERT INTO %s (_id, `of.group`, n) SELECT CONCAT('g', %s), %s, COUNT(*) FROM %s WHERE %s IS NOT "+
			"NULL GROUP BY %s", other, group, group, table, group, group))
	joined := ask(fmt.Sprintf(
		"SELECT g.n, COUNT(*) AS c FROM %s t JOIN %s g ON g.`of.group` = t.%s GROUP BY g._id, g.n ORDER BY g._id", table,
		other, group))
	for _, row := range joined[1:] {
		if n, c, _ := strings.Cut(row, " | "); n != c {
			t.Errorf("a group of %s documents joins %s", n, c)
		}
	}
	if len(joined) < 2 {
		t.Error("the join is empty")
	}
	ask(fmt.Sprintf("SELECT t.%s, g.n FROM %s t LEFT JOIN %s g ON g.`of.group` = t.%s WHERE t.%s ORDER BY t.%s LIMIT 20",
		key, table, other, group, strings.ReplaceAll(f.asked[0].where, "_doc", "t._doc"), key))
	for _, q := range f.queries {
		ask(q)
	}
	for _, q := range ran {
		plan := answer(t, conn, "ON", "EXPLAIN FORMAT=TREE "+q)
		if len(plan) < 2 {
			t.Errorf("EXPLAIN of %s: %v", q, plan)
		}
	}
	changeRealFile(t, p, conn, f, documents, untouched)
}

// changeRealFile updates and deletes some documents, reads them as changes, and compares the
// rest with the file.
func changeRealFile(t *testing.T, p *harness.Process, conn *sql.Conn, f realFile, documents []object,
	untouched map[string]int) {
	ctx := context.Background()
	table, key := harness.Quoted(f.name), harness.Quoted(f.key)
	var since string
	if err := conn.QueryRowContext(ctx, "SELECT seq FROM "+harness.Quoted(f.name+"__changes")+
		" ORDER BY seq DESC LIMIT 1").Scan(&since); err != nil {
		t.Fatalf("the newest change: %v", err)
	}
	ids := func(where string) []string {
		return answer(t, conn, "ON", fmt.Sprintf("SELECT %s FROM %s WHERE %s", key, table, where))[1:]
	}
	removed := ids(f.remove)
	updated := ids(fmt.Sprintf("(%s) AND NOT COALESCE(%s, FALSE)", f.update, f.remove))
	if len(removed) == 0 || len(updated) == 0 {
		t.Fatalf("%d documents to delete, %d to update", len(removed), len(updated))
	}
	affected := func(stmt string, want int) {
		t.Helper()
		res, err := conn.ExecContext(ctx, stmt)
		if err != nil {
			t.Fatalf("%s: %v", stmt, err)
		}
		if n, _ := res.RowsAffected(); n != int64(want) {
			t.Errorf("%s: %d rows, want %d", stmt, n, want)
		}
	}
	affected(fmt.Sprintf("DELETE FROM %s WHERE %s", table, f.remove), len(removed))
	affected(fmt.Sprintf("UPDATE %s SET `added.by` = 'test', `added.n` = 1 WHERE %s", table, f.update), len(updated))
	if n := len(sameBothWays(t, conn, fmt.Sprintf("SELECT %s FROM %s WHERE `added.n` = 1", key,
		table))) - 1; n != len(updated) {
		t.Errorf("%d documents show the update, want %d", n, len(updated))
	}
	if n := len(ids(f.remove)); n != 0 {
		t.Errorf("%d deleted documents are still found", n)
	}

	touched := map[string]bool{}
	rows, err := conn.QueryContext(ctx, "SELECT "+key+", deleted, _doc FROM "+harness.Quoted(f.name+"__changes")+
		" WHERE seq > ? ORDER BY seq", since)
	if err != nil {
		t.Fatalf("the changes: %v", err)
	}
	var tombstones int
	for rows.Next() {
		var id string
		var deleted bool
		var doc sql.NullString
		if err := rows.Scan(&id, &deleted, &doc); err != nil {
			t.Fatal(err)
		}
		if deleted {
			tombstones++
		} else if !strings.HasSuffix(doc.String, `,"added":{"by":"test","n":1}}`) {
			t.Errorf("the change of %s has %.200s", id, doc.String)
		}
		touched[id] = true
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	_ = rows.Close()
	if tombstones != len(removed) || len(touched) != len(removed)+len(updated) {
		t.Errorf("%d changes with %d deletions, want %d and %d", len(touched), tombstones, len(removed)+len(updated),
			len(removed))
	}
	for _, id := range slices.Concat(removed, updated) {
		if !touched[id] {
			t.Errorf("the changes lack %s", id)
		}
	}

	out := filepath.Join(t.TempDir(), "out.jsonl")
	if o := harness.Run(t, harness.Call{Args: []string{"export", "--dsn", p.DSN(), "--table", "r." + f.name,
		out}}); o.Exit != 0 {
		t.Fatalf("export: %+v", o)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if strings.HasSuffix(line, `,"added":{"by":"test","n":1}}`) {
			continue
		}
		compared++
		if _, keyed := documents[0][f.key]; !keyed {
			// The key was filled in, as the first member.
			_, rest, _ := strings.Cut(line, ",")
			line = "{" + rest
		}
		if untouched[line]--; untouched[line] < 0 {
			t.Fatalf("an exported document that is not in the file: %.300s", line)
		}
	}
	if want := len(documents) - len(removed) - len(updated); compared != want {
		t.Errorf("%d untouched documents were exported, want %d", compared, want)
	}
}
