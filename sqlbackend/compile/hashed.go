package compile

import (
	"errors"
	"io"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// hashed are the rows of an inner or a left join by hash. Its left side comes in batches: documents, or another such
// join. The rows of its right side are read one by one, and held as columns.
type hashed struct {
	join   *plan.JoinNode
	side   *plan.HashLookup
	left   *compiler
	filter *plan.Filter // of the left side; nil: none
	right  rowColumns
	run    exec.HashJoin
	rest   []sql.Expression // conjuncts of an inner join that are no keys: whoever reads the rows asks them
	width  int              // of the left side's rows

	engine  sql.NodeExecBuilder
	session *session.Session
	holding hold.Memory
	began   time.Time
	ended   bool
}

// hashedOf are the rows of a join that may be made twice; nil where it is another join, or one of other keys.
func hashedOf(ctx *sql.Context, n sql.Node) *hashed {
	j, ok := n.(*plan.JoinNode)
	if !ok || j.Op != plan.JoinTypeHash && j.Op != plan.JoinTypeLeftOuterHash || j.ScopeLen > 0 {
		return nil
	}
	side, ok := j.Right().(*plan.HashLookup)
	if !ok {
		return nil
	}
	s, err := session.Of(ctx)
	if err != nil {
		return nil
	}
	h := &hashed{join: j, side: side, session: s, width: len(j.Left().Schema())}
	h.run.Outer = j.Op == plan.JoinTypeLeftOuterHash
	left := j.Left()
	if f, ok := left.(*plan.Filter); ok {
		h.filter, left = f, f.Child
	}
	in := input(nil)
	if below := hashedOf(ctx, left); below != nil {
		in = below
	} else if of, _ := inputOf(left); of != nil {
		if _, ok := of.(*documents); !ok {
			return nil
		}
		in = of
	} else {
		return nil
	}
	h.left = &compiler{ctx: ctx, in: in, made: map[string]*exec.Expression{}}
	if !h.left.all(restOf(in), &h.run.Conditions) {
		return nil
	}
	h.run.On = len(h.run.Conditions)
	if h.filter != nil && !h.left.all(expression.SplitConjunction(h.filter.Expression), &h.run.Conditions) {
		return nil
	}
	table := &exec.Table{}
	for _, e := range expression.SplitConjunction(j.Filter) {
		if left, right, ok := h.key(e); ok {
			h.run.Keys, table.Keys = append(h.run.Keys, left), append(table.Keys, right)
		} else if h.run.Outer {
			return nil
		} else {
			h.rest = append(h.rest, e)
		}
	}
	if len(table.Keys) == 0 {
		return nil
	}
	h.run.Table = func() (*exec.Table, error) {
		table.Types = h.right.types
		return table, h.hold(ctx, table)
	}
	return h
}

// restOf returns the conditions that the rows of an input still have to satisfy.
func restOf(in input) []sql.Expression {
	if h, ok := in.(*hashed); ok {
		return h.rest
	}
	return nil
}

// key returns the columns that an equality of the two sides has: of the left side's batches, and of the held rows.
func (h *hashed) key(e sql.Expression) (left, right int, ok bool) {
	equals, ok := e.(*expression.Equals)
	if !ok {
		return 0, 0, false
	}
	l, ok := tree.Unwrapped(equals.Left()).(*expression.GetField)
	if !ok {
		return 0, 0, false
	}
	r, ok := tree.Unwrapped(equals.Right()).(*expression.GetField)
	if !ok {
		return 0, 0, false
	}
	if l.Index() >= h.width {
		l, r = r, l
	}
	if l.Index() >= h.width || r.Index() < h.width || !sameTexts(l.Type(), r.Type()) {
		return 0, 0, false
	}
	left, ok = h.left.column(l.Index())
	if !ok {
		return 0, 0, false
	}
	right, t, ok := h.rightColumn(r.Index())
	return left, right, ok && t == h.left.types[left] && t.Kind != exec.Float
}

// sameTexts reports whether values of two types, if they are texts, are equal if their bytes are.
func sameTexts(a, b sql.Type) bool {
	of, text := value.CollationOfType(a)
	with, texts := value.CollationOfType(b)
	return !text && !texts || text && texts && of == with && of.IsIdentity()
}

// rightColumn has a column of the right side held, once; at is its index in the join's rows.
func (h *hashed) rightColumn(at int) (column int, t exec.Type, ok bool) {
	at -= h.width
	for i, c := range h.right.at {
		if c == at {
			return i, h.right.types[i], true
		}
	}
	if t, ok = h.right.add(at, h.side.Child.Schema()[at].Type); !ok {
		return 0, t, false
	}
	return len(h.right.at) - 1, t, true
}

func (h *hashed) node() sql.Node     { return h.join }
func (h *hashed) schema() sql.Schema { return h.join.Schema() }

func (h *hashed) column(_ *sql.Context, at int) (t exec.Type, ok bool) {
	of := exec.JoinColumn{OfTable: at >= h.width}
	if of.OfTable {
		of.At, t, ok = h.rightColumn(at)
	} else if of.At, ok = h.left.column(at); ok {
		t = h.left.types[of.At]
	}
	if ok {
		h.run.Columns = append(h.run.Columns, of)
	}
	return t, ok
}

func (h *hashed) few(ctx *sql.Context) (bool, error) { return h.left.in.few(ctx) }

// built gives the engine that builds the right sides.
func (h *hashed) built(engine sql.NodeExecBuilder) {
	h.engine = engine
	if below, ok := h.left.in.(*hashed); ok {
		below.built(engine)
	}
}

func (h *hashed) open(ctx *sql.Context) error {
	h.began = time.Now()
	if h.holding.Hold(ctx, h.left.bytes()) != nil {
		return exec.ErrUnexpected // a batch takes more memory than a row
	}
	h.run.Types = h.left.types
	h.run.Read = func(b *exec.Batch) error { return h.left.in.fill(ctx, b) }
	return h.left.in.open(ctx)
}

// hold reads the right side's rows.
func (h *hashed) hold(ctx *sql.Context, table *exec.Table) (err error) {
	it, err := h.engine.Build(ctx, h.side.Child, make(sql.Row, h.width))
	if err != nil {
		return err
	}
	it = session.Watched(ctx, h.side, it)
	defer func() { err = mysqlerr.Joined(err, it.Close(ctx)) }()
	most := session.JoinBytes(ctx)
	for bytes := 0; ; {
		row, err := it.Next(ctx)
		if errors.Is(err, io.EOF) {
			table.Index()
			return nil
		}
		if err != nil {
			return err
		}
		b := table.Room()
		at := b.Rows
		texts, ok := h.right.put(row, b)
		if !ok {
			return exec.ErrUnexpected
		}
		for i, t := range h.right.types {
			if t.Kind == exec.Text { // it may be a part of a document
				b.Columns[i].Texts[at] = strings.Clone(b.Columns[i].Texts[at])
			}
		}
		table.Took()
		size := texts + 16*(1+len(h.right.types))
		if bytes += size; bytes > most || h.holding.Hold(ctx, size) != nil {
			return exec.ErrUnexpected // the other executor reads the side again for each batch
		}
	}
}

func (h *hashed) fill(ctx *sql.Context, b *exec.Batch) error {
	if err := ctx.Err(); err != nil { // a row may find very many
		return mysqlerr.Of(ctx, err)
	}
	if err := h.run.Fill(b); err != nil || b.Rows > 0 || h.ended {
		return err
	}
	h.ended = true
	took := time.Since(h.began)
	if h.filter != nil {
		h.session.NoteGiven(h.filter, h.run.Passed, took)
	}
	if n := h.left.in.node(); n != nil {
		h.session.NoteGiven(n, h.run.Met, took)
	}
	return nil
}

func (h *hashed) close(ctx *sql.Context) error {
	h.holding.ReleaseAll()
	return h.left.in.close(ctx)
}
