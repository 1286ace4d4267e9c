package sqltests

import (
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestCommentsBetween: in a text of several statements, what is nothing but a comment does nothing, as in MySQL: dumps
// end with one.
func TestCommentsBetween(t *testing.T) {
	db := harness.Connect(t, harness.Start(t).Addr(), "", "?multiStatements=true")
	for _, text := range []string{"SELECT 1;\n-- behind it", "-- alone", "/* before */; SELECT 2; # end", "SELECT 3;"} {
		if _, err := db.Exec(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := db.Exec(";"); err == nil {
		t.Error("an empty statement is none")
	}
}
