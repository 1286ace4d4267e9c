package sqlbackend

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

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
	proof := newUniqueProof(to)
	if len(proof.seen) == 0 {
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
		if err := proof.add(ctx, rows.Document()); err != nil {
			return err
		}
	}
	return rows.Err()
}

// uniqueProof is given all documents of a table and finds two that a unique
// index holds equal.
type uniqueProof struct {
	def  *definition
	seen map[string]map[string]struct{} // by index: the values met, such that equal ones are the same
}

func newUniqueProof(def *definition) *uniqueProof {
	p := &uniqueProof{def: def, seen: map[string]map[string]struct{}{}}
	for i := range def.Indexes {
		if def.Indexes[i].Unique {
			p.seen[def.Indexes[i].Name] = map[string]struct{}{}
		}
	}
	return p
}

// add takes the next document and fails when one before it is equal.
func (p *uniqueProof) add(ctx *sql.Context, doc document.Document) error {
	if len(p.seen) == 0 {
		return nil
	}
	for i := range p.def.Indexes {
		idx := &p.def.Indexes[i]
		if !idx.Unique {
			continue
		}
		key, text, ok, err := p.def.uniqueKey(ctx, idx, doc)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if _, twice := p.seen[idx.Name][key]; twice {
			return sql.NewUniqueKeyErr(fmt.Sprintf("Duplicate entry '%s' for key '%s.%s'", text, p.def.Name, idx.Name), false, nil)
		}
		p.seen[idx.Name][key] = struct{}{}
	}
	return nil
}

// uniqueKey makes bytes of a document's values in an index that are the same for
// equal values. ok is false when one of them is missing or NULL, or reads as NULL.
func (d *definition) uniqueKey(ctx *sql.Context, idx *catalog.Index, doc document.Document) (key, text string, ok bool, err error) {
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
		if c := d.column(name); c != nil && c.unsettled {
			if x, err := readColumn(ctx, c, v); err != nil || x == nil {
				return "", "", false, err
			}
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

// errDefinitionChanged is the error of a statement that was planned by another definition.
func errDefinitionChanged() error {
	return mysql.NewSQLError(1412, "HY000", "Table definition has changed, please retry transaction")
}
