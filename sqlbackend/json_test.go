package sqlbackend

import "testing"

func TestJSONFunctions(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE t (id INT PRIMARY KEY, j JSON)")
	m.exec(`INSERT INTO t VALUES
		(1,
			'{"n":9007199254740993,"s":"x","d":1.50,"a":[1,2.0,"x",{"k":null}],"o":{"z":1,"a":2},"t":true,` +
		`"big":12345678901234567890123}'),
		(2, '{"n":9007199254740992,"s":"Y","a":[]}'),
		(3, '{"n":"9","s":"y"}'),
		(4, '{"n":null}'),
		(5, NULL)`)
	for _, c := range []struct{ query, rows string }{
		{"SELECT j->'$.n', j->'$.d', j->>'$.s', j->'$.o', j->'$.a[1]', j->'$.big' FROM t WHERE id = 1",
			`9007199254740993 1.50 x {"z":1,"a":2} 2.0 12345678901234567890123`},
		{"SELECT JSON_EXTRACT(j, '$.n', '$.missing', '$.s'), JSON_EXTRACT(j, '$.a[*]'), JSON_EXTRACT(j, '$**.k'), " +
			"j->'$.a[last]', j->'$.a[1 to 2]' FROM t WHERE " +
			"id = 1", `[9007199254740993,"x"] [1,2.0,"x",{"k":null}] [null] {"k":null} [2.0,"x"]`},
		{"SELECT j->'$.nothing', j->'$.n', j->>'$.n' FROM t WHERE id = 4", "NULL null null"},
		{"SELECT id FROM t WHERE j->'$.n' = 9007199254740993", "1"},
		{"SELECT id FROM t WHERE j->'$.n' = 9007199254740992e0", "2"},
		{"SELECT id FROM t WHERE j->'$.n' > 9007199254740992.5 ORDER BY id", "1|3"},
		{"SELECT id FROM t WHERE 9007199254740993 > j->'$.n' ORDER BY id", "2|4"},
		{"SELECT id FROM t WHERE j->'$.n' = '9'", "3"},
		{"SELECT id FROM t WHERE j->'$.n' = 9", ""},
		{"SELECT id FROM t WHERE j->'$.s' = 'x'", "1"},
		{"SELECT id FROM t WHERE j->'$.s' IN ('x', 'Y') ORDER BY id", "1|2"},
		{"SELECT id FROM t WHERE j->'$.s' NOT IN ('x', 'Y') ORDER BY id", "3"},
		{"SELECT id FROM t WHERE j->'$.s' < 'Y' ORDER BY id", "1|3"},
		{"SELECT id FROM t WHERE j->>'$.s' < 'Y' ORDER BY id", "1|3"},
		{"SELECT id FROM t WHERE j->'$.s' BETWEEN 'x' AND 'y' ORDER BY id", "1|3"},
		{"SELECT id FROM t WHERE j->'$.t' = true", "1"},
		{"SELECT id FROM t WHERE j->'$.t'", "1"},
		{"SELECT id FROM t WHERE NOT j->'$.t'", ""},
		{"SELECT id FROM t WHERE j->'$.t' = 1", ""},
		{"SELECT id FROM t WHERE j->'$.n' IN (9007199254740992, 9007199254740993.0) ORDER BY id", "1|2"},
		{"SELECT id FROM t WHERE j->'$.o' = CAST('{\"a\":2.0,\"z\":1}' AS JSON)", "1"},
		{"SELECT id FROM t ORDER BY j->'$.n', id", "5|4|2|1|3"},
		{"SELECT MAX(j->'$.n'), MIN(j->'$.n') FROM t WHERE id < 3", "9007199254740993 9007199254740992"},
		{"SELECT COUNT(DISTINCT x) FROM (SELECT CAST('1' AS JSON) x UNION ALL SELECT CAST('1.0' AS JSON) UNION ALL " +
			"SELECT CAST('\"1\"' AS JSON)) d", "2"},
		{"SELECT COUNT(*) c FROM (SELECT CAST('1' AS JSON) x UNION ALL SELECT CAST('1.0' AS JSON) UNION ALL SELECT " +
			"CAST('\"1\"' AS JSON)) d GROUP BY x ORDER BY c", "1|2"},
		{"SELECT JSON_TYPE(j->'$.n'), JSON_TYPE(j->'$.d'), JSON_TYPE(j->'$.big'), JSON_TYPE(j->'$.a'), " +
			"JSON_TYPE(j->'$.t'), JSON_TYPE(j->'$.a[3].k') FROM t WHERE id = 1", "INTEGER DOUBLE DECIMAL ARRAY BOOLEAN NULL"},
		{"SELECT JSON_LENGTH(j), JSON_LENGTH(j, '$.a'), JSON_DEPTH(j), JSON_KEYS(j, '$.o') FROM t WHERE id = 1",
			`7 4 4 ["z","a"]`},
		{"SELECT JSON_CONTAINS(j, '2', '$.a'), JSON_CONTAINS(j->'$.a', '[1, \"x\"]'), JSON_CONTAINS(j, " +
			"'{\"n\":9007199254740992}'), JSON_CONTAINS(j, '3', '$.nope') FROM t WHERE id = 1", "1 1 0 NULL"},
		{"SELECT JSON_OVERLAPS('[1,3]', '[3.0,4]'), JSON_OVERLAPS('{\"a\":1}', '{\"a\":2,\"b\":1}'), " +
			"JSON_OVERLAPS('5', '[5]')", "1 0 1"},
		{"SELECT JSON_CONTAINS_PATH(j, 'one', '$.zz', '$.n'), JSON_CONTAINS_PATH(j, 'all', '$.zz', '$.n') FROM t " +
			"WHERE id = 1", "1 0"},
		{"SELECT JSON_VALUE(j, '$.s'), JSON_VALUE(j, '$.n'), JSON_VALUE(j, '$.o'), JSON_VALUE(j, '$.n', 'signed') " +
			"FROM t WHERE id = 1", "x 9007199254740993 NULL 9007199254740993"},
		{"SELECT JSON_SET(j, '$.n', 1.10, '$.new', 'q'), JSON_INSERT(j, '$.n', 1), JSON_REPLACE(j, '$.n', true, " +
			"'$.new', 1) FROM t WHERE id = 4", `{"n":1.10,"new":"q"} {"n":null} {"n":true}`},
		{"SELECT JSON_ARRAY_APPEND(j, '$.a', 1), JSON_ARRAY_INSERT(j, '$.a[0]', 2), JSON_REMOVE(j, '$.n', '$.s') FROM " +
			"t WHERE id = 2", `{"n":9007199254740992,"s":"Y","a":[1]} {"n":9007199254740992,"s":"Y","a":[2]} {"a":[]}`},
		{"SELECT JSON_MERGE_PATCH(j, '{\"n\":null,\"b\":{\"c\":1.0,\"d\":null}}'), JSON_MERGE_PRESERVE('[1]', '2.0', " +
			"'{\"a\":1}') FROM t WHERE id = 4", `{"b":{"c":1.0}} [1,2.0,{"a":1}]`},
		{"SELECT JSON_ARRAY(1, 2.50, 'a', NULL, true, j->'$.d', 1 = 1) FROM t WHERE id = 1",
			`[1,2.50,"a",null,true,1.50,true]`},
		{"SELECT JSON_OBJECT('b', 1, 'a', j->'$.big', 'b', 2) FROM t WHERE id = 1", `{"b":2,"a":12345678901234567890123}`},
		{"SELECT JSON_ARRAYAGG(j->'$.n') FROM t WHERE id < 3", `[9007199254740993,9007199254740992]`},
		{"SELECT JSON_EXTRACT(JSON_ARRAYAGG(j), '$[0].d') FROM t WHERE id = 1", `1.50`},
		{"SELECT JSON_OBJECTAGG(id, j->'$.n') FROM t WHERE id < 3", `{"1":9007199254740993,"2":9007199254740992}`},
		{"SELECT JSON_UNQUOTE('\"a\\\\u00e9\"'), JSON_QUOTE('a\"b'), JSON_VALID('{'), JSON_VALID('1'), JSON_VALID(NULL)",
			`aé "a\"b" 0 1 NULL`},
		{"SELECT JSON_PRETTY('{\"a\":[1,{}],\"b\":{}}')", "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": {}\n}"},
		{"SELECT JSON_SEARCH('{\"a\":\"x\",\"b\":[\"y\"]}', 'one', 'y')", `"$.b[0]"`},
		{"SELECT CAST(j->'$.n' AS SIGNED) + 1, CAST(j->'$.d' AS DECIMAL(10,3)), CAST(j->'$.s' AS CHAR), CAST(j->'$.o' " +
			"AS CHAR), CONCAT(j->'$.o', '!') FROM t WHERE id = 1", `9007199254740994 1.500 "x" {"z":1,"a":2} {"z":1,"a":2}!`},
		{"SELECT CAST('[1.0, 2]' AS JSON), CAST(1.50 AS JSON), CAST('\"x\"' AS JSON), CAST(true AS JSON), CAST(NULL AS JSON)",
			`[1.0,2] 1.50 "x" true NULL`},
		{"SELECT SUM(j->'$.d'), AVG(j->'$.d') FROM t", "1.5 1.5"},
		{"SELECT x.id, y.id FROM t x JOIN t y ON x.j->'$.s' = y.j->'$.s' ORDER BY 1", "1 1|2 2|3 3"},
		{"SELECT /*+ HASH_JOIN(x,y) */ x.id, y.v FROM t x JOIN (SELECT CAST('9007199254740993.0' AS JSON) v) y ON " +
			"x.j->'$.n' = y.v", "1 9007199254740993.0"},
		{"SELECT id FROM t WHERE j->'$.n' IN (SELECT 9007199254740992) ORDER BY id", "2"},
		{"SELECT id FROM t WHERE j->'$.s' IN (SELECT 'x') ORDER BY id", "1"},
		{"SELECT d.v FROM t, JSON_TABLE(t.j, '$.a[*]' COLUMNS (v INT PATH '$')) d WHERE t.id = 1 LIMIT 2", "1|2"},
		{"SELECT d.n FROM t, JSON_TABLE(t.j, '$' COLUMNS (n BIGINT PATH '$.n')) d WHERE t.id = 1", "9007199254740993"},
		{"SELECT GREATEST(j->'$.n', 5), CASE j->'$.s' WHEN 'x' THEN 'is x' ELSE 'other' END FROM t WHERE id = 1",
			"9007199254740993 is x"},
		{"SELECT IF(j->'$.t', 'yes', 'no'), IFNULL(j->'$.zz', 'none') FROM t WHERE id = 1", "yes none"},
		{"SELECT j->'$.d' + 1 FROM t WHERE id = 1", "2.5"},
		{"SELECT j->'$.n' IS NULL FROM t WHERE id IN (4, 5) ORDER BY id", "0|1"},
	} {
		m.want(c.query, c.rows)
	}
	m.wantError("SELECT JSON_EXTRACT(j, 'n') FROM t", "Invalid JSON path expression", "errno 3143")
	m.wantError("SELECT JSON_EXTRACT('{', '$') FROM t", "Invalid JSON text in argument 1 to function json_extract",
		"errno 3141")
	m.wantError("SELECT JSON_EXTRACT(5, '$')", "Invalid data type for JSON data", "errno 3146")
	m.wantError("SELECT JSON_REMOVE(j, '$') FROM t WHERE id = 1", "errno 3153")
	m.wantError("SELECT JSON_SET(j, '$.*', 1) FROM t WHERE id = 1", "errno 3149")
	m.wantError("SELECT JSON_CONTAINS_PATH(j, 'some', '$.a') FROM t WHERE id = 1", "errno 3154")
	m.wantError("SELECT JSON_SET(j, '$.a') FROM t WHERE id = 1", "JSON_SET")
}
