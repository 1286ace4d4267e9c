//go:build fdb

package kvopen

import (
	"context"
	"fmt"
	"strings"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/fdbkv"
	"github.com/sqlfdb/sqlfdb/lanes"
)

// openCluster opens a store of FoundationDB. Counters share values in it: adds meet on one server.
func openCluster(name string) (kv.Store, error) {
	store, err := fdbkv.Open(context.Background(), strings.TrimPrefix(name, "fdb:"), fdbkv.Options{})
	if err != nil {
		return nil, fmt.Errorf("--store %q: %w", name, err)
	}
	return lanes.New(store), nil
}
