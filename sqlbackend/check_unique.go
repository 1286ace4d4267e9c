package sqlbackend

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// duplicates tells of documents that are equal in a UNIQUE index. Such an index may have
// been made by an earlier program, which left it unproved when it was killed.
func (d *definition) duplicates(ctx *sql.Context, r kv.Reader, tell func(text string)) error {
	seen := map[string]map[string]struct{}{}
	for i := range d.Indexes {
		if d.Indexes[i].Unique && d.Indexes[i].Building == 0 {
			seen[d.Indexes[i].Name] = map[string]struct{}{}
		}
	}
	if len(seen) == 0 {
		return nil
	}
	rows := d.collection.Scan(r, indexes.Everything(), tables.ScanOptions{Streaming: kv.StreamAll})
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		if n%rowsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for i := range d.Indexes {
			idx := &d.Indexes[i]
			met, unique := seen[idx.Name]
			if !unique {
				continue
			}
			key, text, ok, err := d.uniqueKey(ctx, idx, rows.Document())
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			if _, twice := met[key]; twice {
				tell(fmt.Sprintf("duplicate entry '%s' in the unique index %s", text, idx.Name))
			}
			met[key] = struct{}{}
		}
	}
	return rows.Err()
}
