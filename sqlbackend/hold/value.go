package hold

import (
	"runtime"
	"time"
	"unsafe"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Expressions make values that nobody holds in rows: CONCAT has all its arguments at once, a user variable stays
// for as long as the session. Each that is large is counted when it is made, and no longer once the collector has
// found it unused.

// LargeValue is from how many bytes on a value of an expression is counted.
const LargeValue = 64 << 10

// Value counts the value that an expression has made, if it is large. It is an error if the session or the process
// holds too much with it, or the statement has been killed meanwhile. An expression that makes one large value after
// the other checks that nowhere else.
func Value(ctx *sql.Context, v any) (any, error) {
	var first *byte
	n := 0
	switch v := v.(type) {
	case string:
		n, first = len(v), unsafe.StringData(v)
	case []byte:
		n, first = len(v), unsafe.SliceData(v)
	case value.JSON:
		raw := v.Held.Raw()
		n, first = len(raw), unsafe.SliceData(raw)
	}
	return v, Made(ctx, first, n)
}

// Made is Value for anything that an expression makes: n bytes that are held for as long as first is in use.
func Made[T any](ctx *sql.Context, first *T, n int) error {
	if n < LargeValue {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	b := budgetOf(ctx)
	if b == nil {
		return nil
	}
	if err := b.EnterValue(ctx, int64(n)); err != nil {
		return err
	}
	b.values.Add(int64(n))
	values := b.values
	runtime.AddCleanup(first, func(n int64) { values.Add(-n) }, int64(n))
	return b.room(ctx)
}

// Ahead waits until there is room for a value of so many bytes, before it is made.
func Ahead(ctx *sql.Context, bytes float64) error {
	if bytes < LargeWork {
		return nil
	}
	if b := budgetOf(ctx); b != nil {
		return b.EnterValue(ctx, int64(min(bytes, 1<<40)))
	}
	return nil
}

// Keep counts n more bytes that the session holds beyond the running statement, or fewer if n is negative. If there
// is no room for them it counts nothing and returns an error.
func (b *Budget) Keep(ctx *sql.Context, n int) error {
	b.values.Add(int64(n))
	if n <= 0 {
		return nil
	}
	err := b.room(ctx)
	if err != nil {
		b.values.Add(-int64(n))
	}
	return err
}

// room is an error where the session or the process holds more than it may.
func (b *Budget) room(ctx *sql.Context) error {
	if most := b.most(ctx); b.Held() > most && !collected(func() bool { return b.Held() <= most }) {
		return b.exceeded(ctx)
	}
	return b.process.allows()
}

// collecting lets one goroutine at a time ask for a collection.
var collecting = make(chan struct{}, 1)

// collected runs a garbage collection if there is no room, and reports whether there is room then.
func collected(enough func() bool) bool {
	collecting <- struct{}{}
	defer func() { <-collecting }()
	if enough() {
		return true // after the collection of another
	}
	runtime.GC()
	// After the collection, a goroutine of the runtime subtracts the collected values from the count.
	for range 20 {
		if enough() {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return enough()
}
