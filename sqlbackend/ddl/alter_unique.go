package ddl

import (
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// proveStaysUnique fails when documents that a unique index distinguishes are equal by another definition of the
// table, for example in another collation. It reads all documents once.
func proveStaysUnique(ctx *sql.Context, r kv.Reader, from, to *session.Definition) error {
	return newUniqueProof(from, to, false).addAll(ctx, r, from)
}

// proveAdded fails when documents are equal in a unique index that one definition of the table has and the one before
// it does not. It reads all documents once.
func proveAdded(ctx *sql.Context, r kv.Reader, from, to *session.Definition) error {
	proof := &uniqueProof{def: to, seen: map[string]map[string]struct{}{}}
	for i := range to.Indexes {
		idx := &to.Indexes[i]
		if !idx.Unique || table.FindIndex(from.Table, idx.Name) >= 0 {
			continue
		}
		for _, name := range idx.Columns {
			path, err := session.ColumnKeypath(name)
			if err != nil {
				return err
			}
			if table.KeepsOut(to, path) {
				return mysqlerr.Unsupported("column %s can't have a unique key: its values are not indexed", name)
			}
		}
		proof.seen[idx.Name] = map[string]struct{}{}
	}
	return proof.addAll(ctx, r, from)
}

// addAll adds all documents of a table.
func (p *uniqueProof) addAll(ctx *sql.Context, r kv.Reader, from *session.Definition) error {
	if len(p.seen) == 0 {
		return nil
	}
	rows := from.Collection.Scan(r, indexes.Everything(), tables.ScanOptions{Streaming: kv.StreamAll})
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		if n%table.RowsPerCheck == 0 {
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

// uniqueProof finds, among all documents of a table, two that a unique index holds equal. It checks the indexes by
// which documents may become equal, and keeps their values.
type uniqueProof struct {
	def  *session.Definition
	seen map[string]map[string]struct{} // by index: the encoded values so far; equal values have one encoding
}

// newUniqueProof returns a proof for a change that computes generated columns again if computes is set.
func newUniqueProof(from, to *session.Definition, computes bool) *uniqueProof {
	p := &uniqueProof{def: to, seen: map[string]map[string]struct{}{}}
	for i := range to.Indexes {
		idx := &to.Indexes[i]
		at := table.FindIndex(from.Table, idx.Name)
		loses := at >= 0 && len(from.Indexes[at].Columns) > len(idx.Columns)
		if idx.Unique && (loses || slices.ContainsFunc(idx.Columns, func(name string) bool {
			return computes && table.IsGenerated(to.Table, name) || !comparesAlike(from, to, name)
		})) {
			p.seen[idx.Name] = map[string]struct{}{}
		}
	}
	return p
}

// comparesAlike reports whether values of a column that are equal by one definition are equal by the other too.
func comparesAlike(from, to *session.Definition, name string) bool {
	a, b := from.ColumnNamed(name), to.ColumnNamed(name)
	if (a == nil) != (b == nil) || a != nil && (a.Unsettled || !a.Typ.Equals(b.Typ)) {
		return false
	}
	path, err := session.ColumnKeypath(name)
	return err == nil && from.Encoder.Collation(path.String()) == to.Encoder.Collation(path.String())
}

// add adds the next document and fails when an earlier one is equal.
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
		key, text, ok, err := information.UniqueKey(p.def, ctx, idx, doc)
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

// errDefinitionChanged is the error of a statement that was planned with an older definition.
func errDefinitionChanged() error {
	return mysql.NewSQLError(1412, "HY000", "Table definition has changed, please retry transaction")
}
