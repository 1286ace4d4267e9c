package sqlbackend

import (
	"strings"
	"testing"
)

// TestJSONManual: the examples of MySQL's reference manual, "Functions That
// Search JSON Values" and the other pages of JSON functions, in its own words
// but for white space in JSON.
func TestJSONManual(t *testing.T) {
	m := newMemoryEngine(t)
	const (
		object = `'{"a": 1, "b": 2, "c": {"d": 4}}'`
		search = `'["abc", [{"k": "10"}, "def"], {"x":"abc"}, {"y":"bcd"}]'`
	)
	for _, test := range []struct{ expressions, want string }{
		{"JSON_CONTAINS(" + object + ", '1', '$.a') | JSON_CONTAINS(" + object + ", '1', '$.b')", "1 0"},
		{"JSON_CONTAINS(" + object + `, '{"d": 4}', '$.a') | JSON_CONTAINS(` + object + `, '{"d": 4}', '$.c')`, "0 1"},
		{"JSON_CONTAINS_PATH(" + object + ", 'one', '$.a', '$.e') | JSON_CONTAINS_PATH(" + object + ", 'all', '$.a', '$.e')",
			"1 0"},
		{"JSON_CONTAINS_PATH(" + object + ", 'one', '$.c.d') | JSON_CONTAINS_PATH(" + object + ", 'one', '$.a.d')", "1 0"},
		{"JSON_EXTRACT('[10, 20, [30, 40]]', '$[1]') | JSON_EXTRACT('[10, 20, [30, 40]]', '$[1]', '$[0]') | " +
			"JSON_EXTRACT('[10, 20, [30, 40]]', '$[2][*]')", "20 [20,10] [30,40]"},
		{`JSON_KEYS('{"a": 1, "b": {"c": 30}}') | JSON_KEYS('{"a": 1, "b": {"c": 30}}', '$.b')`, `["a","b"] ["c"]`},

		{`JSON_OVERLAPS("[1,3,5,7]", "[2,5,7]") | JSON_OVERLAPS("[1,3,5,7]", "[2,6,7]") | JSON_OVERLAPS("[1,3,5,7]", ` +
			`"[2,6,8]")`, "1 1 0"},
		{`JSON_OVERLAPS('[[1,2],[3,4],5]', '[1,[2,3],[4,5]]') | JSON_OVERLAPS('[[1,2],[3,4],5]', '[[1,2],[2,3],[4,5]]')`,
			"0 1"},
		{`JSON_OVERLAPS('{"a":1,"b":10,"d":10}', '{"c":1,"e":10,"f":1,"d":10}') | JSON_OVERLAPS('{"a":1,"b":10,` +
			`"d":10}', '{"a":5,"e":10,"f":1,"d":20}')`, "1 0"},
		{`JSON_OVERLAPS('5', '5') | JSON_OVERLAPS('5', '6') | JSON_OVERLAPS('[4,5,6,7]', '6') | JSON_OVERLAPS('[4,5,` +
			`"6",7]', '6') | JSON_OVERLAPS('[4,5,6,7]', '"6"')`, "1 0 1 0 0"},

		{`17 MEMBER OF('[23, "abc", 17, "ab", 10]') | 'ab' MEMBER OF('[23, "abc", 17, "ab", 10]')`, "1 1"},
		{`7 MEMBER OF('[23, "abc", 17, "ab", 10]') | 'a' MEMBER OF('[23, "abc", 17, "ab", 10]')`, "0 0"},
		{`17 MEMBER OF('[23, "abc", "17", "ab", 10]') | "17" MEMBER OF('[23, "abc", 17, "ab", 10]')`, "0 0"},
		{`CAST('[4,5]' AS JSON) MEMBER OF('[[3,4],[4,5]]') | JSON_ARRAY(4,5) MEMBER OF('[[3,4],[4,5]]')`, "1 1"},
		{`CAST('{"a":1}' AS JSON) MEMBER OF(JSON_ARRAY(17, JSON_OBJECT("b", 2), "abc", CAST('{"a":1}' AS JSON), 23)) ` +
			`| JSON_OBJECT("b", 2) MEMBER OF(JSON_ARRAY(17, JSON_OBJECT("b", 2), "abc"))`, "1 1"},

		{"JSON_SEARCH(" + search + ", 'one', 'abc') | JSON_SEARCH(" + search + ", 'all', 'abc')", `"$[0]" ["$[0]","$[2].x"]`},
		{"JSON_SEARCH(" + search + ", 'all', 'ghi') | JSON_SEARCH(" + search + ", 'all', '10')", `NULL "$[1][0].k"`},
		{"JSON_SEARCH(" + search + ", 'all', '10', NULL, '$') | JSON_SEARCH(" + search +
			", 'all', '10', NULL, '$[*]') | JSON_SEARCH(" + search + ", 'all', '10', NULL, '$**.k')",
			`"$[1][0].k" "$[1][0].k" "$[1][0].k"`},
		{"JSON_SEARCH(" + search + ", 'all', '10', NULL, '$[*][0].k') | JSON_SEARCH(" + search +
			", 'all', '10', NULL, '$[1]') | JSON_SEARCH(" + search + ", 'all', '10', NULL, '$[1][0]')",
			`"$[1][0].k" "$[1][0].k" "$[1][0].k"`},
		{"JSON_SEARCH(" + search + ", 'all', 'abc', NULL, '$[2]') | JSON_SEARCH(" + search +
			", 'all', '%a%') | JSON_SEARCH(" + search + ", 'all', '%b%')",
			`"$[2].x" ["$[0]","$[2].x"] ["$[0]","$[2].x","$[3].y"]`},
		{"JSON_SEARCH(" + search + ", 'all', '%b%', NULL, '$[0]') | JSON_SEARCH(" + search +
			", 'all', '%b%', NULL, '$[2]') | JSON_SEARCH(" + search + ", 'all', '%b%', NULL, '$[1]')", `"$[0]" "$[2].x" NULL`},
		{"JSON_SEARCH(" + search + ", 'all', '%b%', '', '$[1]') | JSON_SEARCH(" + search + ", 'all', '%b%', '', '$[3]')",
			`NULL "$[3].y"`},

		{`JSON_SEARCH('{"a b": ["x_y", "xzy"], "c": null}', 'all', 'x\\_y') | JSON_SEARCH('{"a b": ["x_y", "xzy"]}', ` +
			`'all', 'x|_y', '|') | JSON_SEARCH('["X"]', 'one', 'x') | JSON_SEARCH('"x"', 'one', 'x', NULL, '$[0]', '$') ` +
			`| JSON_SEARCH(NULL, 'one', 'x')`, `"$.\"a b\"[0]" "$.\"a b\"[0]" NULL "$" NULL`},
		{"JSON_SEARCH('[\"aXbXc\", \"ab\", \"\", [[\"ac\"]]]', 'all', 'a%b%c') | JSON_SEARCH('[\"aXbXc\", \"ab\", " +
			"\"\"]', 'all', '%') | JSON_SEARCH('[[[\"ac\"]]]', 'all', 'a_', NULL, '$[*][last]', " +
			"'$**[0]')", `"$[0]" ["$[0]","$[1]","$[2]"] "$[0][0][0]"`},

		{"JSON_DEPTH('{}') | JSON_DEPTH('[]') | JSON_DEPTH('true') | JSON_DEPTH('[10, 20]') | JSON_DEPTH('[[], {}]') " +
			"| JSON_DEPTH('[10, {\"a\": 20}]')", "1 1 1 2 2 3"},
		{`JSON_LENGTH('[1, 2, {"a": 3}]') | JSON_LENGTH('{"a": 1, "b": {"c": 30}}') | JSON_LENGTH('{"a": 1, "b": ` +
			`{"c": 30}}', '$.b')`, "3 2 1"},
		{`JSON_ARRAY_APPEND('["a", ["b", "c"], "d"]', '$[1]', 1) | JSON_ARRAY_APPEND('["a", ["b", "c"], "d"]', '$[0]',` +
			` 2) | JSON_ARRAY_APPEND('["a", ["b", "c"], "d"]', ` +
			`'$[1][0]', 3)`, `["a",["b","c",1],"d"] [["a",2],["b","c"],"d"] ["a",[["b",3],"c"],"d"]`},
		{`JSON_ARRAY_APPEND('{"a": 1, "b": [2, 3], "c": 4}', '$.b', 'x') | JSON_ARRAY_APPEND('{"a": 1, "b": [2, 3], ` +
			`"c": 4}', '$.c', 'y') | JSON_ARRAY_APPEND('{"a": 1}', '$',` +
			` 'z')`, `{"a":1,"b":[2,3,"x"],"c":4} {"a":1,"b":[2,3],"c":[4,"y"]} [{"a":1},"z"]`},
		{`JSON_ARRAY_INSERT('["a", {"b": [1, 2]}, [3, 4]]', '$[1]', 'x') | JSON_ARRAY_INSERT('["a", {"b": [1, 2]}, [3,` +
			` 4]]', '$[100]', 'x') | JSON_ARRAY_INSERT('["a", {"b": [1, 2]}, [3, 4]]', '$[1].b[0]', 'x') | ` +
			`JSON_ARRAY_INSERT('["a", {"b": [1, 2]}, [3, 4]]', '$[2][1]', 'y') | JSON_ARRAY_INSERT('["a", {"b": [1, 2]}, ` +
			`[3, 4]]', '$[0]', 'x', '$[2][1]', 'y')`,
			`["a","x",{"b":[1,2]},[3,4]] ["a",{"b":[1,2]},[3,4],"x"] ["a",{"b":["x",1,2]},[3,4]] ["a",{"b":[1,2]},[3,"y",` +
				`4]] ["x","a",{"b":[1,2]},[3,4]]`},
		{`JSON_INSERT('{ "a": 1, "b": [2, 3]}', '$.a', 10, '$.c', '[true, false]') | JSON_REPLACE('{ "a": 1, "b": [2, ` +
			`3]}', '$.a', 10, '$.c', '[true, false]') | JSON_SET('{ "a": 1, "b": [2, 3]}', '$.a', 10, '$.c', '[true, false]')`,
			`{"a":1,"b":[2,3],"c":"[true, false]"} {"a":10,"b":[2,3]} {"a":10,"b":[2,3],"c":"[true, false]"}`},
		{`JSON_REMOVE('["a", ["b", "c"], "d"]', '$[1]') | JSON_MERGE_PATCH('[1, 2]', '[true, false]') | ` +
			`JSON_MERGE_PATCH('{"name": "x"}', '{"id": 47}') | JSON_MERGE_PATCH('1', 'true') | JSON_MERGE_PATCH('[1, 2]',` +
			` '{"id": 47}') | JSON_MERGE_PATCH('{ "a": 1, "b":2 }', '{ "a": 3, "c":4 }')`,
			`["a","d"] [true,false] {"name":"x","id":47} true {"id":47} {"a":3,"b":2,"c":4}`},
		{`JSON_MERGE_PATCH('{"a":1, "b":2}', '{"b":null}') | JSON_MERGE_PATCH('{"a":{"x":1}}', '{"a":{"y":2}}') | ` +
			`JSON_MERGE_PRESERVE('[1, 2]', '[true, false]') | JSON_MERGE_PRESERVE('{"name": "x"}', '{"id": 47}') | ` +
			`JSON_MERGE_PRESERVE('1', 'true') | JSON_MERGE_PRESERVE('[1, 2]', '{"id": 47}') | JSON_MERGE_PRESERVE('{ ` +
			`"a": 1, "b": 2 }', '{ "a": 3, "c": 4 }')`,
			`{"a":1} {"a":{"x":1,"y":2}} [1,2,true,false] {"name":"x","id":47} [1,true] [1,2,{"id":47}] {"a":[1,3],"b":2,` +
				`"c":4}`},
		{`JSON_VALUE('{"fname": "Joe", "lname": "Palmer"}', '$.fname') | JSON_VALUE('{"item": "shoes", "price": ` +
			`"49.95"}', '$.price' RETURNING CHAR)`, "Joe 49.95"},
		{`JSON_TYPE(JSON_EXTRACT('{"a": [10, true]}', '$.a')) | JSON_TYPE(JSON_EXTRACT('{"a": [10, true]}', ` +
			`'$.a[0]')) | JSON_TYPE(JSON_EXTRACT('{"a": [10, true]}', '$.a[1]')) | ` +
			`JSON_TYPE(NULL)`, "ARRAY INTEGER BOOLEAN NULL"},
		{`JSON_VALID('{"a": 1}') | JSON_VALID('hello') | JSON_VALID('"hello"')`, "1 0 1"},
		// Exact numbers, which a double would take for equal.
		{"JSON_CONTAINS('[9007199254740993]', '9007199254740992') | JSON_CONTAINS('[9007199254740993]', " +
			"'9007199254740993.0') | 9007199254740992 MEMBER OF('[9007199254740993]') | " +
			"JSON_OVERLAPS('[18446744073709551615]', '[18446744073709551616]') | JSON_CONTAINS('[1]', '1.0') | " +
			"JSON_CONTAINS('[0.1]', '0.10')", "0 1 0 0 1 1"},
	} {
		m.want("SELECT "+strings.ReplaceAll(test.expressions, " | ", ", "), test.want)
	}
}
