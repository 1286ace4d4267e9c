package sqlbackend

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
)

// TestLongTextSearch: a long text is looked for in a longer one in a time that grows with both, not with their product.
func TestLongTextSearch(t *testing.T) {
	p := newInProcess(t, t.TempDir(), inMemory())
	for args, want := range map[string]int32{
		"'b', 'äb'": 2, "'', 'ä'": 1, "'', 'ä', 2": 2, "'', 'ä', 3": 0, "'', ''": 1, "'ä', 'bäcä', 3": 4, "'a', 'b'": 0,
		"'a', 'a', 0": 0,
		"CONCAT(REPEAT('a', 4000000), 'b'), CONCAT('ä', REPEAT('a', 8000000), 'b')":          4000002,
		"CONCAT(REPEAT('a', 4000000), 'b'), CONCAT('ä', REPEAT('a', 8000000), 'b'), 4000003": 0,
	} {
		found := make(chan any, 1)
		go func() {
			var got any
			if err := p.command(func(ctx *sql.Context) error {
				return p.each(ctx, "SELECT LOCATE("+args+")", func(row sql.Row) { got = row[0] })
			}); err != nil {
				got = err
			}
			found <- got // the command has ended: another one may begin
		}()
		select {
		case got := <-found:
			if got != want {
				t.Errorf("LOCATE(%s) is %v, not %d", args, got, want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("LOCATE(%s) takes more than a minute", args)
		}
	}
}

// TestKilledTextSearch: where characters are compared one by one, a killed statement ends.
func TestKilledTextSearch(t *testing.T) {
	p := newInProcess(t, t.TempDir(), inMemory())
	for _, call := range []string{"LOCATE(CONCAT(REPEAT('a', 10000), 'b'), REPEAT('a', 50000) COLLATE utf8mb4_0900_ai_ci)",
		"INSTR(REPEAT('a', 50000) COLLATE utf8mb4_0900_ai_ci, CONCAT(REPEAT('a', 10000), 'b'))"} {
		if looks, err := p.looks("SELECT "+call, 1000); !errors.Is(err, context.Canceled) || looks > 1100 {
			t.Errorf("%s: %d looks, %v", call, looks, err)
		}
	}
}
