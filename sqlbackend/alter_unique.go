package sqlbackend

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/tables"
)

// proveStaysUnique fails when documents that a unique index tells apart are equal by
// another definition of the table: in another collation. It reads all documents once.
func proveStaysUnique(ctx *sql.Context, r kv.Reader, from, to *definition) error {
	seen := map[string]map[string]struct{}{} // by index: the values met, such that equal ones are the same
	for i := range to.Indexes {
		if to.Indexes[i].Unique {
			seen[to.Indexes[i].Name] = map[string]struct{}{}
		}
	}
	if len(seen) == 0 {
		return nil
	}
	rows := from.collection.Scan(r, indexes.Everything(), tables.ScanOptions{Streaming: kv.StreamAll})
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		if n%rowsPerCheck == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		for i := range to.Indexes {
			idx := &to.Indexes[i]
			if !idx.Unique {
				continue
			}
			key, text, ok, err := to.uniqueKey(idx, rows.Document())
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			if _, twice := seen[idx.Name][key]; twice {
				return sql.NewUniqueKeyErr(fmt.Sprintf("Duplicate entry '%s' for key '%s.%s'", text, to.Name, idx.Name), false, nil)
			}
			seen[idx.Name][key] = struct{}{}
		}
	}
	return rows.Err()
}

// uniqueKey makes bytes of a document's values in an index that are the same for
// equal values. ok is false when one of them is missing or NULL.
func (d *definition) uniqueKey(idx *catalog.Index, doc document.Document) (key, text string, ok bool, err error) {
	var enc []byte
	var texts []string
	for _, name := range idx.Columns {
		path, err := columnKeypath(name)
		if err != nil {
			return "", "", false, err
		}
		v, there := doc.Lookup(path)
		if !there || v.IsNull() {
			return "", "", false, nil
		}
		spelled := path.String()
		if v.Type() == document.TypeString && d.encoder.Class(spelled) == "" {
			s := []byte(v.Str())
			if c := d.encoder.Collation(spelled); !c.IsIdentity() {
				s = c.AppendKey(nil, v.Str())
			}
			enc = tuple.AppendBytes(enc, s)
			texts = append(texts, v.Str())
			continue
		}
		value, _, indexed, err := d.encoder.AppendLeaf(nil, document.Leaf{Path: []byte(spelled), Value: v, Kind: v.Kind()})
		if err != nil {
			return "", "", false, err
		}
		if !indexed {
			value = []byte(v.Text())
		}
		enc = tuple.AppendBytes(tuple.AppendInt(enc, int64(v.Type())), value)
		texts = append(texts, v.Text())
	}
	return string(enc), strings.Join(texts, "-"), true, nil
}
