package limits

import (
	"fmt"
	"strings"
	"testing"
)

// TestOptionKeyScheme: documents with a key for each field are read, changed, listed and found as whole ones
// are, and the option can be changed while both kinds are there.
func TestOptionKeyScheme(t *testing.T) {
	b := newBadInput(t)
	b.exec(openTable + ` ENGINE_ATTRIBUTE='{"key_scheme":"field"}'`)
	scheme := func(want string) {
		t.Helper()
		if got := b.text("SELECT key_scheme FROM sqlfdb.tables WHERE `table` = 't'"); got != want {
			t.Errorf("the key scheme is %s, want %s", got, want)
		}
	}
	scheme("field")
	texts := map[string]string{
		"1": `{"z":1,"_id":"1","a":{"b":{},"c":[1,{"d":2}]},"":"","a.b":1.50,"n":1}`,
		"2": `{"_id":"2","s":"` + strings.Repeat("long ", 50_000) + `","n":2}`,
		"3": `{"_id":"3"}`,
		"4": `{"_id":"4","o":{` + manyKeys(500) + `},"n":4}`,
	}
	same := func(when string) {
		t.Helper()
		for id, text := range texts {
			if got := b.text("SELECT _doc FROM t WHERE _id = ?", id); got != text {
				t.Errorf("%s, document %s is %.300s, want %.300s", when, id, got, text)
			}
		}
		b.finds("n > 0", "1,2,4")
		b.finds("`o.m499` = 499", "4")
		b.finds("_doc->'$.a.c[1].d' = 2", "1")
	}
	for _, text := range texts {
		b.exec("INSERT INTO t (_doc) VALUES (?)", text)
	}
	same("stored")
	for round, options := range []string{`{"key_scheme":"document"}`, `{"key_scheme":"field"}`} {
		b.exec("ALTER TABLE t ENGINE_ATTRIBUTE '" + options + "'")
		same("after " + options)
		for id, text := range texts {
			if strings.Contains(text, `"n":`) {
				n := 10*(round+1) + int(id[0]-'0')
				b.exec(fmt.Sprintf("UPDATE t SET n = %d WHERE _id = ?", n), id)
				texts[id] = text[:strings.LastIndex(text, `"n":`)] + fmt.Sprintf(`"n":%d}`, n)
			}
		}
		same("updated after " + options)
	}
	scheme("field")
	b.exec("BEGIN")
	b.exec("UPDATE t SET _doc = JSON_REMOVE(_doc, '$.n'), x = 'y'")
	b.exec("SAVEPOINT s")
	b.exec("DELETE FROM t WHERE _id <> '1'")
	b.exec("ROLLBACK TO s")
	b.exec("ROLLBACK")
	same("rolled back")
	b.exec("DELETE FROM t WHERE _id IN ('1', '2')")
	b.exec("REPLACE INTO t (_doc) VALUES (?)", texts["1"])
	b.exec("REPLACE INTO t (_doc) VALUES (?)", texts["2"])
	same("replaced")
	b.refuse("", []uint16{1235}, `ALTER TABLE t ENGINE_ATTRIBUTE '{"key_scheme":"rows"}'`)
}
