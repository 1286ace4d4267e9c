package compile

import (
	"errors"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/aggregate"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// input is what a program reads.
type input interface {
	// node is what the rows are counted for in EXPLAIN ANALYZE; nil where it counts them itself.
	node() sql.Node
	// schema is the schema of the rows that the other executor reads there.
	schema() sql.Schema
	// column has a column of the rows read too; false where it does not come in batches.
	column(ctx *sql.Context, at int) (exec.Type, bool)
	// few reports whether there are too few rows for batches to pay.
	few(ctx *sql.Context) (bool, error)
	// open begins, fill fills an empty batch, and leaves it empty at the end. close may be called more than once.
	open(ctx *sql.Context) error
	fill(ctx *sql.Context, b *exec.Batch) error
	close(ctx *sql.Context) error
}

// batchBytes is how much text a batch holds: it has fewer rows if they are long.
const batchBytes = 1 << 20

// fewRows is how many rows the other executor reads before this one has begun.
const fewRows = 256

// covered is the reason of inputOf for rows that are made of entries or keys.
const covered = "read without documents"

// inputOf is what a program reads; nil where it can't.
func inputOf(n sql.Node) (in input, reason string) {
	if a, ok := n.(*plan.TableAlias); ok {
		n = a.Child
	}
	d := &documents{of: n}
	resolved, ok := n.(*plan.ResolvedTable)
	if access, indexed := n.(*plan.IndexedTableAccess); indexed {
		switch path := plan.GetIndexLookup(access).Ranges.(type) {
		case *aggregate.Path:
			if reason := path.OutOfBatches(); reason != "" {
				return nil, reason
			}
			return &entries{of: access, path: path}, ""
		case *table.AccessPath:
			d.path = path
		default:
			return nil, "read from entries"
		}
		resolved, ok = access.TableNode.(*plan.ResolvedTable)
	}
	if !ok {
		return nil, "not one table"
	}
	switch t := resolved.Table.(type) {
	case *table.Table:
		d.table = t
	case *table.LookupTable:
		d.table = t.Table
	default:
		return nil, "not a collection"
	}
	if d.table.Covered != nil || d.path != nil && d.path.Covered != nil {
		return nil, covered
	}
	if d.table.Filled || d.table.Session.Batch != nil {
		return nil, "a statement in parts"
	}
	return d, ""
}

// documents are the documents of a table, all or along a path.
type documents struct {
	of      sql.Node
	table   *table.Table
	path    *table.AccessPath // nil: all documents are read
	sources []exec.Source
	read    *exec.Documents
	docs    *table.RowIter
	ended   bool
}

func (d *documents) node() sql.Node     { return d.of }
func (d *documents) schema() sql.Schema { return d.of.Schema() }

func (d *documents) column(ctx *sql.Context, at int) (exec.Type, bool) {
	s, ok := source(ctx, &d.table.Columns[at])
	if ok {
		d.sources = append(d.sources, s)
	}
	return s.Type, ok
}

func (d *documents) few(ctx *sql.Context) (bool, error) {
	if d.path != nil {
		return d.path.Size().Rows < fewRows, nil
	}
	rows, _, err := d.table.RowCount(ctx)
	return rows < fewRows, err
}

func (d *documents) open(ctx *sql.Context) error {
	var it sql.RowIter
	var err error
	if d.path == nil {
		it, err = d.table.PartitionRows(ctx, table.WholeTable{})
	} else {
		it, err = (&table.LookupTable{Table: d.table}).PartitionRows(ctx, table.PathPartition{Path: d.path})
	}
	if err != nil {
		return err
	}
	docs, ok := it.(*table.RowIter)
	if !ok {
		return errors.Join(exec.ErrUnexpected, it.Close(ctx))
	}
	d.read, d.docs = exec.NewDocuments(d.sources), docs
	return nil
}

func (d *documents) fill(ctx *sql.Context, b *exec.Batch) error {
	for bytes := 0; !d.ended && b.Rows < exec.BatchRows && bytes < batchBytes; {
		err := d.docs.Advance(ctx)
		if d.ended = errors.Is(err, io.EOF); d.ended {
			return nil
		}
		if err != nil {
			return err
		}
		doc := d.docs.Docs.Document()
		if bytes += doc.Len(); !d.read.Add(b, doc.Value) {
			return exec.ErrUnexpected
		}
	}
	return nil
}

func (d *documents) close(ctx *sql.Context) error {
	if d.docs == nil {
		return nil
	}
	return d.docs.Close(ctx)
}
