package sqlbackend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/tables"
)

// proveStaysUnique fails when documents that a unique index tells apart are equal by
// another definition of the table: in another collation. It reads all documents once.
func proveStaysUnique(ctx *sql.Context, r kv.Reader, from, to *definition) error {
	return newUniqueProof(from, to, false).addAll(ctx, r, from)
}

// proveAdded fails when documents are equal in a unique index that one definition of the table has and the
// one before it has not. It reads all documents once.
func proveAdded(ctx *sql.Context, r kv.Reader, from, to *definition) error {
	proof := &uniqueProof{def: to, seen: map[string]map[string]struct{}{}}
	for i := range to.Indexes {
		idx := &to.Indexes[i]
		if !idx.Unique || findIndex(from.Table, idx.Name) >= 0 {
			continue
		}
		for _, name := range idx.Columns {
			path, err := columnKeypath(name)
			if err != nil {
				return err
			}
			if to.unindexed(path) {
				return mysqlerr.Unsupported("column %s can't have a unique key: its values are not indexed", name)
			}
		}
		proof.seen[idx.Name] = map[string]struct{}{}
	}
	return proof.addAll(ctx, r, from)
}

// addAll takes all documents of a table.
func (p *uniqueProof) addAll(ctx *sql.Context, r kv.Reader, from *definition) error {
	if len(p.seen) == 0 {
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
		if err := p.add(ctx, rows.Document()); err != nil {
			return err
		}
	}
	return rows.Err()
}

// uniqueProof is given all documents of a table and finds two that a unique
// index holds equal. It looks at the indexes by which documents may be equal that were not
// before, and keeps their values.
type uniqueProof struct {
	def  *definition
	seen map[string]map[string]struct{} // by index: the values met, such that equal ones are the same
}

// newUniqueProof is a proof for a change that computes generated columns anew, or leaves them as they are.
func newUniqueProof(from, to *definition, computes bool) *uniqueProof {
	p := &uniqueProof{def: to, seen: map[string]map[string]struct{}{}}
	for i := range to.Indexes {
		idx := &to.Indexes[i]
		at := findIndex(from.Table, idx.Name)
		loses := at >= 0 && len(from.Indexes[at].Columns) > len(idx.Columns)
		if idx.Unique && (loses || slices.ContainsFunc(idx.Columns, func(name string) bool {
			return computes && isGenerated(to.Table, name) || !comparesAlike(from, to, name)
		})) {
			p.seen[idx.Name] = map[string]struct{}{}
		}
	}
	return p
}

// comparesAlike reports whether a column's values are equal by one definition of a
// table where they are by the other.
func comparesAlike(from, to *definition, name string) bool {
	a, b := from.column(name), to.column(name)
	if (a == nil) != (b == nil) || a != nil && (a.unsettled || !a.typ.Equals(b.typ)) {
		return false
	}
	path, err := columnKeypath(name)
	return err == nil && from.encoder.Collation(path.String()) == to.encoder.Collation(path.String())
}

// add takes the next document and fails when one before it is equal.
func (p *uniqueProof) add(ctx *sql.Context, doc document.Document) error {
	if len(p.seen) == 0 {
		return nil
	}
	for i := range p.def.Indexes {
		idx := &p.def.Indexes[i]
		seen, wanted := p.seen[idx.Name]
		if !wanted {
			continue
		}
		key, text, ok, err := p.def.uniqueKey(ctx, idx, doc)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if _, twice := seen[key]; twice {
			return sql.NewUniqueKeyErr(fmt.Sprintf("Duplicate entry '%s' for key '%s.%s'", text, p.def.Name, idx.Name), false,
				nil)
		}
		seen[key] = struct{}{}
	}
	return nil
}

// uniqueKey makes bytes of a document's values in an index that are the same for
// equal values. ok is false when one of them is missing or NULL, or reads as NULL.
func (d *definition) uniqueKey(ctx *sql.Context, idx *catalog.Index, doc document.Document) (key, text string, ok bool,
	err error) {
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
		if d.encoder.Class(spelled) == catalog.ClassBytes {
			enc = tuple.AppendBytes(enc, []byte(v.Text())) // entries hold but the beginning
			texts = append(texts, spelledValue(v))
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
		texts = append(texts, spelledValue(v))
	}
	return string(enc), strings.Join(texts, "-"), true, nil
}

// spelledValue is a value as a message shows it: a string without its quotes.
func spelledValue(v document.Value) string {
	if v.Type() == document.TypeString {
		return v.Str()
	}
	return v.Text()
}

// errDefinitionChanged is the error of a statement that was planned by another definition.
func errDefinitionChanged() error {
	return mysql.NewSQLError(1412, "HY000", "Table definition has changed, please retry transaction")
}
