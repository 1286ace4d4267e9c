package information

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// duplicates reports documents that have equal values in a UNIQUE index. An earlier version
// may have made such an index and been killed before it had checked all documents.
func duplicates(d *session.Definition, ctx *sql.Context, r kv.Reader, tell func(text string)) error {
	seen := map[string]map[string]struct{}{}
	for i := range d.Indexes {
		if d.Indexes[i].Unique && d.Indexes[i].Building == 0 {
			seen[d.Indexes[i].Name] = map[string]struct{}{}
		}
	}
	if len(seen) == 0 {
		return nil
	}
	rows := d.Collection.Scan(r, indexes.Everything(), tables.ScanOptions{Streaming: kv.StreamAll})
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		if n%table.RowsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for i := range d.Indexes {
			idx := &d.Indexes[i]
			met, unique := seen[idx.Name]
			if !unique {
				continue
			}
			key, text, ok, err := UniqueKey(d, ctx, idx, rows.Document())
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

// UniqueKey makes bytes of a document's values in an index that are the same for
// equal values. ok is false when one of them is missing or NULL, or reads as NULL.
func UniqueKey(d *session.Definition, ctx *sql.Context, idx *catalog.Index, doc document.Document) (key, text string,
	ok bool,
	err error) {
	var enc []byte
	var texts []string
	for _, name := range idx.Columns {
		path, err := session.ColumnKeypath(name)
		if err != nil {
			return "", "", false, err
		}
		v, there := doc.Lookup(path)
		if !there || v.IsNull() {
			return "", "", false, nil
		}
		spelled := path.String()
		class := d.Encoder.Class(spelled)
		if c := d.ColumnNamed(name); c != nil && class != catalog.ClassBytes && !types.IsEnum(c.Typ) && !types.IsSet(c.Typ) {
			x, err := session.ReadColumn(ctx, c, v)
			if err != nil || x == nil {
				return "", "", false, err
			}
			if v, err = session.ToJSON(ctx, c, x); err != nil { // documents may spell it otherwise
				return "", "", false, err
			}
		} else if c != nil && c.Unsettled {
			if x, err := session.ReadColumn(ctx, c, v); err != nil || x == nil {
				return "", "", false, err
			}
		}
		if v.Type() == document.TypeString && class == "" {
			s := []byte(v.Str())
			if c := d.Encoder.Collation(spelled); !c.IsIdentity() {
				s = c.AppendKey(nil, v.Str())
			}
			enc = tuple.AppendBytes(enc, s)
			texts = append(texts, v.Str())
			continue
		}
		if class == catalog.ClassBytes {
			enc = tuple.AppendBytes(enc, []byte(v.Text())) // entries hold but the beginning
			texts = append(texts, table.SpelledValue(v))
			continue
		}
		value, _, indexed, err := d.Encoder.AppendLeaf(nil, document.Leaf{Path: []byte(spelled), Value: v, Kind: v.Kind()})
		if err != nil {
			return "", "", false, err
		}
		if !indexed {
			value = []byte(v.Text())
		}
		enc = tuple.AppendBytes(tuple.AppendInt(enc, int64(v.Type())), value)
		texts = append(texts, table.SpelledValue(v))
	}
	return string(enc), strings.Join(texts, "-"), true, nil
}
