//go:build !fdb

package kvopen

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/kv"
)

// openCluster fails with an error that says how to get a program that can open clusters.
func openCluster(name string) (kv.Store, error) {
	return nil, fmt.Errorf("--store %q: this program was built without FoundationDB; install FoundationDB's client "+
		"package "+
		"(7.3, foundationdb-clients) and a C compiler, and build it with: go build -tags fdb ./cmd/sqlfdb", name)
}
