package limits

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestManyStatements: a text of many short statements takes a time that grows with their number, not with its square.
func TestManyStatements(t *testing.T) {
	db := harness.Connect(t, harness.Start(t).Addr(), "", "?multiStatements=true")
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	each := func(n int) time.Duration {
		began := time.Now()
		if _, err := conn.ExecContext(ctx, strings.Repeat("DO 1;", n)); err != nil {
			t.Fatal(err)
		}
		return time.Since(began) / time.Duration(n)
	}
	each(500)
	few := each(1000)
	many := each(8_000)
	t.Logf("%v each of 1,000, %v each of 8,000", few, many)
	if many > 4*few {
		t.Errorf("each of 1,000 statements takes %v, of 8,000 %v", few, many)
	}
}
