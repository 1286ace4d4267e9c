package jobs

import (
	"bytes"
	"encoding/hex"
	"fmt"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// sweepTemporaries removes the temporary tables of processes whose counters have not changed since the walk before.
// before are that walk's counters by process, next are this walk's. more reports that a step was not enough.
func sweepTemporaries(tx *tables.Tx, before map[string][]byte, p *Progress) (
	next map[string][]byte, more bool, err error) {
	it := tx.Range(keyspace.Temporaries(), kv.RangeOptions{})
	defer it.Close()
	next = map[string][]byte{}
	gone, cleared := "", 0
	for it.Next() {
		process, collection, err := keyspace.TemporaryOf(it.Key())
		if err != nil {
			return nil, false, fmt.Errorf("jobs: sweep temporary tables: %w", err)
		}
		name := hex.EncodeToString([]byte(process))
		switch {
		case collection == 0 && bytes.Equal(before[name], it.Value()):
			gone = process
			tx.Clear(it.Key())
		case collection == 0:
			next[name] = bytes.Clone(it.Value())
		case process == gone || next[name] == nil:
			if cleared++; cleared > sweptCollections {
				return nil, true, nil
			}
			catalog.ClearTemporary(tx, process, collection)
			p.Converted++
			p.Message = fmt.Sprintf("cleared what was left of temporary table %d", -collection)
		}
	}
	if err := it.Err(); err != nil {
		return nil, false, fmt.Errorf("jobs: sweep temporary tables: %w", err)
	}
	return next, false, nil
}
