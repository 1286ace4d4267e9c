package server

import (
	"context"
	stdsql "database/sql"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

var (
	versionRounds = flag.Int("version-rounds", 4, "collections of TestFieldVersions")
	versionSeed   = flag.Uint64("version-seed", 0, "seed of TestFieldVersions; 0 draws one")
)

// upgrading is a server whose background is held back and does one document at a time.
type upgrading struct {
	t  *testing.T
	s  *Server
	db *stdsql.DB
}

func startUpgrading(t *testing.T, store kv.Store) *upgrading {
	t.Helper()
	u := &upgrading{t: t}
	var err error
	u.s, err = Start(context.Background(), store, Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: io.Discard,
		HoldJobs: true,
		Jobs:     jobs.Options{Budget: 1, Lease: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	if u.db, err = stdsql.Open("mysql", "root@tcp("+u.s.Addr().String()+")/"); err != nil {
		t.Fatal(err)
	}
	u.db.SetMaxOpenConns(1) // one session
	return u
}

func (u *upgrading) close() {
	u.t.Helper()
	u.db.Close()
	if err := u.s.Close(context.Background()); err != nil {
		u.t.Error(err)
	}
}

// run runs a statement and returns its rows, or its error, as text.
func (u *upgrading) run(q string) string {
	u.t.Helper()
	rows, err := u.db.Query(q)
	if err != nil {
		return err.Error()
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		u.t.Fatal(err)
	}
	var out strings.Builder
	for rows.Next() {
		values := make([]stdsql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			u.t.Fatal(err)
		}
		for _, v := range values {
			if v.Valid {
				out.WriteString(v.String)
			} else {
				out.WriteString("NULL")
			}
			out.WriteString(" | ")
		}
		out.WriteString("\n")
	}
	if err := rows.Err(); err != nil {
		return err.Error()
	}
	return out.String()
}

func (u *upgrading) must(q string) {
	u.t.Helper()
	if _, err := u.db.Exec(q); err != nil {
		u.t.Fatalf("%.300s: %v", q, err)
	}
}

// step does one piece of the background's work.
func (u *upgrading) step() {
	u.t.Helper()
	if _, err := u.s.backend.Jobs().RunOnce(context.Background()); err != nil {
		u.t.Fatal(err)
	}
}

// check proves a table; values that don't fit are no fault.
func (u *upgrading) check(table, when string) {
	u.t.Helper()
	for _, line := range strings.Split(u.run("CHECK TABLE "+table), "\n") {
		if strings.Contains(line, "| error |") || strings.Contains(line, "Error") {
			u.t.Errorf("%s: %s", when, line)
		}
	}
}

var versionTypes = []string{"INT", "BIGINT", "TINYINT", "VARCHAR(20)", "VARCHAR(4)",
	"VARCHAR(20) COLLATE utf8mb4_0900_ai_ci", "TEXT",
	"DECIMAL(10,2)", "DECIMAL(6,0)", "DOUBLE", "DATE", "DATETIME", "ENUM('a','5','Ab')", "JSON"}

// versionValues are literals, with their form in a document.
var versionValues = [][2]string{
	{"5", "5"}, {"-7", "-7"}, {"300", "300"}, {"2.5", "2.5"}, {"1e20", "1e20"}, {"9007199254740993", "9007199254740993"},
	{"'5'", `"5"`}, {"'5.0'", `"5.0"`}, {"'a'", `"a"`}, {"'A'", `"A"`}, {"'Ab'", `"Ab"`}, {"'ab cdefgh'", `"ab cdefgh"`},
	{"''", `""`},
	{"'2026-02-03'", `"2026-02-03"`}, {"'2026-02-03 04:05:06'", `"2026-02-03 04:05:06"`}, {"20260203", "20260203"},
	{"'[1, 5]'", `[1,5]`}, {"NULL", "null"},
}

// TestFieldVersions runs random statements on two tables, of which one is
// upgraded as soon as the type of a column has changed and the other little by
// little: they give the same rows, with the index and without, and both are sound.
func TestFieldVersions(t *testing.T) {
	seed := testseed.Of(t, "version-seed", *versionSeed)
	store, u := freshUpgrading(t)
	defer func() { u.close() }()
	_, quick := freshUpgrading(t)
	defer quick.close()
	for round := range *versionRounds {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		v := &versionRound{upgrading: u, quick: quick, rand: r}
		v.play(round)
		if t.Failed() {
			t.Fatalf("-version-seed %d, collection %d:\n%s", seed, round, strings.Join(v.said, "\n"))
		}
		if round == 0 {
			// The background goes on where another process has left it.
			u.close()
			u = startUpgrading(t, store)
			u.must("USE d")
		}
	}
	for round := range *versionRounds {
		u.must(fmt.Sprintf("OPTIMIZE TABLE t%d", round))
		u.check(fmt.Sprintf("t%d", round), "at the end")
	}
}

// freshUpgrading is a server over a store of its own.
func freshUpgrading(t *testing.T) (kv.Store, *upgrading) {
	t.Helper()
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	u := startUpgrading(t, store)
	u.must("CREATE DATABASE d")
	u.must("USE d")
	return store, u
}

type versionRound struct {
	*upgrading
	quick *upgrading // where every upgrade is finished at once
	rand  *rand.Rand
	round int
	next  int
	// ranges counts the plans that read several field versions.
	ranges int
	said   []string
}

func (v *versionRound) value() [2]string { return versionValues[v.rand.IntN(len(versionValues))] }

// both runs a statement on both servers; $T in it is the table.
func (v *versionRound) both(q string) {
	v.t.Helper()
	q = strings.ReplaceAll(q, "$T", v.table())
	v.said = append(v.said, q+";")
	slow, quick := v.run(q), v.quick.run(q)
	if slow != quick && !meetsNoDate(slow, quick) {
		v.t.Errorf("%s: %s, but %s once upgraded", q, slow, quick)
	}
}

// meetsNoDate reports whether one of two results is the error of a literal that is no
// date beside a date: a plan that fetches no document for the rest of the condition
// does not meet it.
func meetsNoDate(a, b string) bool {
	return strings.HasPrefix(a, "Error 1292 ") != strings.HasPrefix(b, "Error 1292 ")
}

func (v *versionRound) table() string { return fmt.Sprintf("t%d", v.round) }

func (v *versionRound) play(round int) {
	v.round = round
	defer func() { v.t.Logf("collection %d: %d plans over several field versions", round, v.ranges) }()
	first := versionTypes[v.rand.IntN(len(versionTypes))]
	v.both("CREATE TABLE $T (_id VARCHAR(10) PRIMARY KEY, v " + first + ", w INT, _doc JSON)")
	// Documents that make a full scan dear.
	var idle []string
	for i := range 60 {
		idle = append(idle, fmt.Sprintf("('z%02d', %d)", i, 1000+i))
	}
	v.both("INSERT INTO $T (_id, w) VALUES " + strings.Join(idle, ", "))
	for range 12 {
		v.insert()
	}
	for range 25 {
		switch n := v.rand.IntN(10); {
		case n < 2:
			v.insert()
		case n == 2:
			v.both(fmt.Sprintf("UPDATE $T SET v = %s WHERE w %% 5 = %d", v.value()[0], v.rand.IntN(5)))
		case n == 3:
			v.both(fmt.Sprintf("UPDATE $T SET w = w + 1 WHERE w %% 3 = %d", v.rand.IntN(3)))
		case n == 4:
			v.both(fmt.Sprintf("DELETE FROM $T WHERE w = %d", v.rand.IntN(30)))
		case n == 5:
			v.alter()
			v.quick.must("OPTIMIZE TABLE " + v.table())
		case n == 6:
			v.said = append(v.said, "-- step")
			v.step()
		default:
			v.compare()
			v.compare()
		}
		if v.t.Failed() {
			return
		}
	}
	v.check(v.table(), "in the middle")
	v.quick.check(v.table(), "upgraded at once")
}

// alter changes the type mostly, sometimes what makes documents move otherwise.
func (v *versionRound) alter() {
	if v.rand.IntN(3) > 0 {
		v.both("ALTER TABLE $T MODIFY v " + versionTypes[v.rand.IntN(len(versionTypes))])
		return
	}
	switch v.rand.IntN(11) {
	case 7, 8:
		q := "ALTER TABLE $T ADD COLUMN u " + versionTypes[v.rand.IntN(len(versionTypes))]
		switch v.rand.IntN(4) {
		case 0:
			q += " DEFAULT " + v.value()[0]
		case 1:
			// Mostly no document has a value: it reads as the default at once.
			v.both("UPDATE $T SET _doc = JSON_REMOVE(_doc, '$.u') WHERE JSON_CONTAINS_PATH(_doc, 'one', '$.u')")
			q += []string{" NOT NULL", " NOT NULL DEFAULT " + v.value()[0], " DEFAULT " + v.value()[0]}[v.rand.IntN(3)]
		}
		v.both(q)
	case 9:
		v.both("ALTER TABLE $T MODIFY u " + versionTypes[v.rand.IntN(len(versionTypes))])
	case 10:
		v.both("ALTER TABLE $T DROP COLUMN u")
	case 0:
		v.both(fmt.Sprintf(`ALTER TABLE $T ENGINE_ATTRIBUTE = '{"string_limit":%d,"key_scheme":"field"}'`,
			20+v.rand.IntN(50)))
	case 1:
		v.both(fmt.Sprintf(`ALTER TABLE $T ENGINE_ATTRIBUTE = '{"max_depth":%d}'`, 1+v.rand.IntN(4)))
	case 2:
		v.both("ALTER TABLE $T COLLATE " + []string{"utf8mb4_0900_ai_ci", "utf8mb4_0900_as_cs",
			"utf8mb4_bin"}[v.rand.IntN(3)])
	case 3:
		v.both("ALTER TABLE $T RENAME COLUMN w TO ww")
		v.both("ALTER TABLE $T RENAME COLUMN ww TO w")
	case 4:
		v.both("ALTER TABLE $T ADD COLUMN x INT DEFAULT 4")
		v.both("ALTER TABLE $T DROP COLUMN x")
	case 5:
		v.both("ALTER TABLE $T DROP COLUMN v")
		v.both("ALTER TABLE $T ADD COLUMN v " + versionTypes[v.rand.IntN(len(versionTypes))])
	default:
		v.both("ALTER TABLE $T MODIFY w BIGINT")
	}
}

func (v *versionRound) insert() {
	v.next++
	id := fmt.Sprintf("%03d", v.next)
	switch x := v.value(); v.rand.IntN(5) {
	case 4:
		// Mostly not declared: u is added to the table and dropped again.
		u := [][2]string{v.value(), {"", "[5]"}, {"", `{"a":5}`}, {"", "true"}}[max(0, v.rand.IntN(7)-3)]
		v.both(fmt.Sprintf(`INSERT INTO $T (_doc) VALUES ('{"_id":"%s","w":%d,"u":%s,"v":%s}')`, id, v.next, u[1], x[1]))
		v.both(fmt.Sprintf(`UPDATE $T SET _doc = JSON_SET(_doc, '$.u', JSON_EXTRACT('%s', '$')) WHERE w %% 4 = %d`,
			v.value()[1], v.rand.IntN(4)))
	case 0:
		v.both(fmt.Sprintf(`INSERT INTO $T (_doc) VALUES ('{"_id":"%s","w":%d,"v":%s}')`, id, v.next, x[1]))
	case 1:
		v.both(fmt.Sprintf(`INSERT INTO $T (_doc) VALUES ('{"_id":"%s","w":%d}')`, id, v.next))
	default:
		v.both(fmt.Sprintf("INSERT INTO $T (_id, w, v) VALUES ('%s', %d, %s)", id, v.next, x[0]))
	}
}

func (v *versionRound) predicate(depth int) string {
	column := "v"
	if v.rand.IntN(4) == 0 {
		column = "u"
	}
	if v.rand.IntN(5) == 0 {
		column = "_doc->'$." + column + "'"
	}
	constant := func() string {
		for {
			if x := v.value()[0]; x != "NULL" {
				return x
			}
		}
	}
	switch n := v.rand.IntN(12); {
	case n < 4:
		return fmt.Sprintf("%s %s %s", column, []string{"=", "<", "<=", ">", ">=", "<>"}[v.rand.IntN(6)], constant())
	case n == 4:
		return fmt.Sprintf("%s BETWEEN %s AND %s", column, constant(), constant())
	case n == 5:
		return fmt.Sprintf("%s IN (%s, %s)", column, constant(), constant())
	case n == 6:
		return column + " IS NULL"
	case n == 7:
		return column + " IS NOT NULL"
	case n == 8:
		return fmt.Sprintf("%s LIKE '%s%%'", column, []string{"5", "a", "A", "2026", ""}[v.rand.IntN(5)])
	case n == 9:
		return fmt.Sprintf("%s <=> %s", column, v.value()[0])
	}
	if depth == 0 {
		return fmt.Sprintf("w < %d", v.rand.IntN(20))
	}
	switch v.rand.IntN(3) {
	case 0:
		return "(" + v.predicate(depth-1) + " AND " + v.predicate(depth-1) + ")"
	case 1:
		return "(" + v.predicate(depth-1) + " OR " + v.predicate(depth-1) + ")"
	}
	return "NOT (" + v.predicate(depth-1) + ")"
}

// compare asks one question with the index and without.
func (v *versionRound) compare() {
	q := "SELECT _id, v, _doc FROM $T WHERE " + v.predicate(2) + " ORDER BY " + []string{"_id", "v, _id",
		"v DESC, _id"}[v.rand.IntN(3)]
	v.both(q)
	q = strings.ReplaceAll(q, "$T", v.table())
	with := v.run(q)
	v.must("SET sqlfdb_use_index = OFF")
	without := v.run(q)
	v.must("SET sqlfdb_use_index = ON")
	if plan := v.run("EXPLAIN FORMAT=TREE " + q); strings.Contains(plan, "earlier field versions") &&
		!strings.Contains(plan, "Table scan on") {
		v.ranges++
	}
	if with != without && !meetsNoDate(with, without) {
		v.t.Errorf("%s: with the index\n%s\nwithout\n%s\n%s", q, with, without, v.run("EXPLAIN FORMAT=TREE "+q))
	}
}
