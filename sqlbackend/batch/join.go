package batch

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// A join that changes one of its tables is run in batches over windows of that table's primary keys: which rows of the
// others belong to a document does not depend on the other documents of its table. The join may be done in any way and
// order, so a batch can't stop between two rows: it changes all that matches within its window. INSERT of what a join
// selects goes along the first table of which no row is made up of NULLs, as a LEFT JOIN does of those on its right:
// each row of the result then belongs to one document of it.

// joinedTable is one table of a FROM.
type joinedTable struct {
	name   string // by which the statement knows it
	table  ast.TableName
	stored *catalog.Table
}

// tablesOfJoin lists the tables of a FROM; why is not empty where there is something else.
func tablesOfJoin(from ast.TableExprs) (list []joinedTable, why string) {
	for _, e := range from {
		var more []joinedTable
		switch e := e.(type) {
		case *ast.AliasedTableExpr:
			table, ok := e.Expr.(ast.TableName)
			if !ok {
				return nil, "a join with a derived table"
			}
			name := e.As.String()
			if name == "" {
				name = table.Name.String()
			}
			more = []joinedTable{{name: name, table: table}}
		case *ast.JoinTableExpr:
			more, why = tablesOfJoin(ast.TableExprs{e.LeftExpr, e.RightExpr})
		case *ast.ParenTableExpr:
			more, why = tablesOfJoin(e.Exprs)
		default:
			why = "a join with something that is no table"
		}
		if why != "" {
			return nil, why
		}
		list = append(list, more...)
	}
	return list, ""
}

// storedTables lists the tables of a FROM, all of which must be stored ones.
func storedTables(s *session.Session, from ast.TableExprs) (list []joinedTable, why string) {
	list, why = tablesOfJoin(from)
	for i := range list {
		t, ok := CatalogTableAt(s, list[i].table)
		if !ok {
			return nil, "a join with something that is no stored table"
		}
		list[i].stored = t
	}
	return list, why
}

// whole counts the tables of a part of a FROM, and finds the first of them that gives each row of the result one of its
// own: among those that an outer join keeps all rows of; -1 if none does.
func whole(e ast.TableExpr) (first, tables int) {
	switch e := e.(type) {
	case *ast.JoinTableExpr:
		left, before := whole(e.LeftExpr)
		right, behind := whole(e.RightExpr)
		if right >= 0 {
			right += before
		}
		switch e.Join {
		case ast.JoinStr, ast.StraightJoinStr, ast.NaturalJoinStr:
			if left < 0 {
				left = right
			}
			return left, before + behind
		case ast.LeftJoinStr, ast.NaturalLeftJoinStr:
			return left, before + behind
		case ast.RightJoinStr, ast.NaturalRightJoinStr:
			return right, before + behind
		}
		return -1, before + behind
	case *ast.ParenTableExpr:
		return wholeOf(e.Exprs)
	}
	return 0, 1
}

// wholeOf is whole of several parts, of which each row is a combination.
func wholeOf(from ast.TableExprs) (first, tables int) {
	first = -1
	for _, e := range from {
		at, n := whole(e)
		if first < 0 && at >= 0 {
			first = tables + at
		}
		tables += n
	}
	return first, tables
}

// insertedJoin is about INSERT into a table of what a join selects. The table itself may be the one that drives it, of
// which no batch sees what those before have inserted, but none of the others.
func insertedJoin(s *session.Session, from ast.TableExprs, target ast.TableName) (shape table.BatchShape, why string) {
	list, why := storedTables(s, from)
	if why != "" {
		return shape, why
	}
	of, _ := wholeOf(from)
	if of < 0 {
		return shape, "a join that keeps no table whole"
	}
	to, ok := CatalogTableAt(s, target)
	if !ok {
		return shape, "a target that is no stored table"
	}
	for i := range list {
		if i != of && list[i].stored.ID == to.ID {
			return shape, "a join that reads the table that it writes to beside the one that it goes along"
		}
	}
	shape.Joined, shape.Called, shape.Target = true, strings.ToLower(list[of].name), target
	shape.Database, shape.Table = placeOfName(s, list[of].table)
	return shape, ""
}

// batchedJoin is about a statement that changes one of several tables, which target finds. The others must be stored
// ones, and other ones.
func batchedJoin(s *session.Session, stmt ast.SQLNode, from ast.TableExprs,
	target func(list []joinedTable) (of int, why string)) (shape table.BatchShape, why string) {
	list, why := storedTables(s, from)
	if why != "" {
		return shape, why
	}
	of, why := target(list)
	if why != "" {
		return shape, why
	}
	for i := range list {
		if i != of && list[i].stored.ID == list[of].stored.ID {
			return shape, "a join of the table that it changes with itself"
		}
	}
	shape.Joined, shape.Target = true, list[of].table
	shape.Database, shape.Table = placeOfName(s, list[of].table)
	return shape, batchedParts(s, stmt, shape)
}

// called is the table of a join that the statement calls by a name; -1 if none is.
func called(s *session.Session, list []joinedTable, name ast.TableName) int {
	return slices.IndexFunc(list, func(t joinedTable) bool {
		database, _ := placeOfName(s, t.table)
		qualified := name.DbQualifier.String()
		return strings.EqualFold(t.name, name.Name.String()) && (qualified == "" || strings.EqualFold(qualified, database))
	})
}

// assignedTable is the only table of a join that has the columns that are assigned.
func assignedTable(s *session.Session, list []joinedTable, assigned ast.AssignmentExprs) (of int, why string) {
	of = -1
	for _, e := range assigned {
		at := -1
		if q := e.Name.Qualifier; q.Name.String() != "" {
			at = called(s, list, q)
		} else { // of an open table it may be any keypath
			at = slices.IndexFunc(list, func(t joinedTable) bool {
				_, has := t.stored.Column(e.Name.Name.String())
				return has || t.stored.Open
			})
		}
		if at < 0 || of >= 0 && at != of {
			return -1, severalChanged
		}
		of = at
	}
	return of, ""
}

// windowRows are the documents of the batch's window.
func windowRows(t *table.Table, ctx *sql.Context, b *Run, spans indexes.Spans) (sql.RowIter, error) {
	r, err := t.Reader(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if err := b.noteSince(t, r); err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if !b.windowed {
		if err := b.window(t.Def.Collection.Scan(r, spans, tables.ScanOptions{After: b.At.After})); err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
	}
	docs := t.Def.Collection.Scan(r, spans, tables.ScanOptions{After: b.At.After})
	return &windowIter{RowIter: table.RowIter{Table: t, At: t, Docs: docs}, batch: b, from: r}, nil
}

// window ends the batch's window behind as many documents as it may change.
func (b *Run) window(docs tables.Rows) error {
	defer docs.Close()
	for docs.Next() {
		if b.Given == int64(b.Documents) {
			b.Stopped = true
			break
		}
		b.Given++
		b.Last = append(b.Last[:0], docs.PK()...)
	}
	b.windowed = true
	return docs.Err()
}

// windowIter gives rows to the end of the window.
type windowIter struct {
	table.RowIter
	batch *Run
	from  kv.Reader
}

// Next implements sql.RowIter.
func (i *windowIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		row, err := i.RowIter.Next(ctx)
		if err != nil {
			return nil, err
		}
		if i.batch.Stopped && bytes.Compare(i.Docs.PK(), i.batch.Last) > 0 {
			return nil, io.EOF
		}
		newer, err := i.batch.newer(i.Table, i.from, i.Docs.PK())
		if err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
		if !newer {
			return row, nil
		}
	}
}
