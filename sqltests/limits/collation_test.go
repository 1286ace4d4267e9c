package limits

import (
	"testing"
)

// TestOptionCollation: the option collation orders undeclared strings alone; declared columns keep the table's.
func TestOptionCollation(t *testing.T) {
	b := newBadInput(t)
	b.exec("CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, declared VARCHAR(20), _doc JSON) " +
		"ENGINE_ATTRIBUTE='{\"collation\":\"utf8mb4_0900_ai_ci\"}'")
	b.exec(`INSERT INTO t (_id, declared, s) VALUES ('1', 'Zoë', 'Zoë'), ('2', 'ZOE', 'ZOE'), ('3', 'zoe', 'zoe'), ` +
		`('4', 'zp', 'zp')`)
	b.finds("s = 'zoe'", "1,2,3")
	b.finds("s > 'zoe'", "4")
	b.finds("s IN ('ZOË')", "1,2,3")
	b.finds("_doc->>'$.s' = 'zoe'", "3") // a string that is taken out of JSON is the engine's
	b.finds("declared = 'zoe'", "3")
	b.finds("declared > 'zoe'", "1,2,4")
	if n := b.number("SELECT COUNT(DISTINCT s) FROM t"); n != 2 {
		t.Errorf("%d different strings", n)
	}
	b.exec(`ALTER TABLE t ENGINE_ATTRIBUTE '{"collation":"utf8mb4_bin"}'`)
	b.finds("s = 'zoe'", "3")
	b.finds("s > 'Zo'", "1,3,4")
	b.refuse("", []uint16{1273}, `ALTER TABLE t ENGINE_ATTRIBUTE '{"collation":"nonsense"}'`)
	b.finds("s > 'Zo'", "1,3,4")
}
