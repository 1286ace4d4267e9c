//go:build unix

package sqlbackend

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

func BenchmarkZZ(b *testing.B) {
	p := newInProcess(b, b.TempDir(), pebblekv.Options{})
	p.run("CREATE TABLE t (_id INT PRIMARY KEY, total DOUBLE)")
	for from := 0; from < 20000; from += 500 {
		var q strings.Builder
		for i := from; i < from+500; i++ {
			fmt.Fprintf(&q, ",(%d,%d.5)", i, i*7919%20011)
		}
		p.run("INSERT INTO t VALUES " + q.String()[1:])
	}
	b.ResetTimer()
	for range b.N {
		p.run("SELECT MAX(r) FROM (SELECT RANK() OVER (ORDER BY total DESC) r FROM t) x")
	}
}
