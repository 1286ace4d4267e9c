package hold

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// budgeted is a session that has a budget.
type budgeted struct {
	*sql.BaseSession
	budget *Budget
}

func (b budgeted) Memory() *Budget { return b.budget }

// newBudgeted is a session of a process that may hold so many bytes.
func newBudgeted(p *Process) (*sql.Context, *Budget) {
	b := NewBudget(p)
	return sql.NewContext(context.Background(), sql.WithSession(budgeted{sql.NewBaseSession(), b})), b
}

func made(bytes int) string { return strings.Repeat("x", bytes) }

// TestValueIsCounted: large values count until nobody has them any more; small ones don't.
func TestValueIsCounted(t *testing.T) {
	ctx, b := newBudgeted(NewProcess())
	if _, err := Value(ctx, made(LargeValue-1)); err != nil || b.Held() != 0 {
		t.Errorf("a small one: %d bytes, %v", b.Held(), err)
	}
	kept, err := Value(ctx, made(LargeValue))
	if err != nil || b.Held() != LargeValue {
		t.Errorf("a large one: %d bytes, %v", b.Held(), err)
	}
	if _, err := Value(ctx, []byte(made(LargeValue))); err != nil || b.Held() != 2*LargeValue {
		t.Errorf("another one: %d bytes, %v", b.Held(), err)
	}
	for began := time.Now(); b.Held() > LargeValue && time.Since(began) < 10*time.Second; time.Sleep(time.Millisecond) {
		runtime.GC()
	}
	if b.Held() != LargeValue {
		t.Errorf("with one of them: %d bytes", b.Held())
	}
	runtime.KeepAlive(kept)
}

// TestValueIsBounded: what is held is bounded, and what is thrown away is not.
func TestValueIsBounded(t *testing.T) {
	p := NewProcess()
	p.SetLimit(40 << 20) // of which a statement has 10 MiB
	ctx, b := newBudgeted(p)
	for i := range 50 {
		if _, err := Value(ctx, made(1<<20)); err != nil {
			t.Fatalf("thrown away, %d: %v", i, err)
		}
	}
	var kept []any
	var err error
	for range 11 {
		var v any
		if v, err = Value(ctx, made(1<<20)); err != nil {
			break
		}
		kept = append(kept, v)
	}
	var e *mysql.SQLError
	if !errors.As(err, &e) || e.Num != mysqlerr.CapacityExceeded || len(kept) < 9 {
		t.Errorf("%d of 1 MiB are held: %v", len(kept), err)
	}
	runtime.KeepAlive(kept)
	b.Close()
	if p.Held() != 0 {
		t.Errorf("without the session: %d", p.Held())
	}
}

// TestProcessIsBounded: sessions that hold less than they may by themselves can hold too much together.
func TestProcessIsBounded(t *testing.T) {
	p := NewProcess()
	p.SetLimit(40 << 20)
	var err error
	held := 0
	for range 5 {
		ctx, _ := newBudgeted(p)
		var m Memory
		if err = m.Hold(ctx, 9<<20); err != nil {
			break
		}
		held++
	}
	if held != 4 || !errors.Is(err, mysqlerr.ErrMemory) {
		t.Errorf("%d sessions hold 9 of 40 MiB each, and then: %v", held, err)
	}
}

// TestKeep: what a session keeps counts, and is not kept where there is no room for it.
func TestKeep(t *testing.T) {
	p := NewProcess()
	p.SetLimit(4 << 20)
	ctx, b := newBudgeted(p)
	if err := b.Keep(ctx, 900<<10); err != nil {
		t.Error(err)
	}
	if err := b.Keep(ctx, 900<<10); err == nil || b.Held() != 900<<10 {
		t.Errorf("too much: %d, %v", b.Held(), err)
	}
	if err := b.Keep(ctx, -900<<10); err != nil || b.Held() != 0 {
		t.Errorf("nothing: %d, %v", b.Held(), err)
	}
}

// TestValueOfAnEndedStatement: a statement that was killed makes no further large value.
func TestValueOfAnEndedStatement(t *testing.T) {
	ended, end := context.WithCancel(context.Background())
	end()
	ctx := sql.NewContext(ended, sql.WithSession(budgeted{sql.NewBaseSession(), NewBudget(NewProcess())}))
	if _, err := Value(ctx, made(LargeValue)); !errors.Is(err, context.Canceled) {
		t.Errorf("large: %v", err)
	}
	if v, err := Value(ctx, "small"); v != "small" || err != nil {
		t.Errorf("small: %v, %v", v, err)
	}
}
