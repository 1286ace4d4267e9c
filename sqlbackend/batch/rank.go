package batch

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// A statement with ORDER BY and LIMIT changes the rows that come first in an order. Its first batch looks, at its
// version, which row is the last of them. All batches then meet the rows in the order of the primary key, as ever, and
// change those that don't come behind that one: so it does not matter that rows change their places in the order.

// rankBound is where the rows end that ORDER BY and LIMIT take.
type rankBound struct {
	// Values are what the last row is sorted by.
	Values []storedValue `json:"values"`
	// Ties is how many rows with just these values are still to be taken.
	Ties int64 `json:"ties"`
}

// storedValue is a value of SQL in a marker.
type storedValue struct {
	Kind string `json:"kind,omitempty"` // the type that the program has it in; empty for NULL
	Text string `json:"text,omitempty"`
	Data []byte `json:"data,omitempty"` // of strings, which need not be UTF-8
}

// transientFunctions are functions that give something else when a later batch calls them.
var transientFunctions = map[string]bool{
	"rand": true, "random_bytes": true, "sleep": true, "uuid": true, "uuid_short": true,
	"now": true, "sysdate": true, "current_timestamp": true, "localtime": true, "localtimestamp": true,
	"unix_timestamp": true,
	"curdate":        true, "current_date": true, "curtime": true, "current_time": true,
	"utc_date": true, "utc_time": true, "utc_timestamp": true,
}

// sortsByTransient reports whether an order rests on something that a later batch computes otherwise: what one batch
// finds of it says nothing to the next. selected are the expressions that the order may name by their aliases or
// numbers.
func sortsByTransient(by ast.OrderBy, selected ast.SelectExprs) bool {
	found := false
	calls := func(n ast.SQLNode) (bool, error) {
		f, ok := n.(*ast.FuncExpr)
		found = found || ok && transientFunctions[f.Name.Lowered()]
		return !found, nil
	}
	for _, o := range by {
		named := []ast.SQLNode{o.Expr}
		_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
			for i, s := range selected {
				e, ok := s.(*ast.AliasedExpr)
				switch n := n.(type) {
				case *ast.ColName:
					ok = ok && n.Qualifier.IsEmpty() && strings.EqualFold(e.As.String(), n.Name.String())
				case *ast.SQLVal:
					ok = ok && n == o.Expr && string(n.Val) == strconv.Itoa(i+1)
				default:
					ok = false
				}
				if ok {
					named = append(named, e.Expr)
				}
			}
			return true, nil
		}, o.Expr)
		_ = statement.Walk(calls, named...)
	}
	return found
}

var errUnstorable = errors.New("a value that can't be kept between two batches")

// maxStored is how many bytes of a value a marker keeps, which has to fit into one value of the store.
const maxStored = 16 << 10

// storeValue gives a value as a marker has it; errUnstorable for one of a type that is not known, and for one that is
// too long.
func storeValue(v any) (storedValue, error) {
	s, err := spellValue(v)
	if err == nil && len(s.Data)+len(s.Text) > maxStored {
		err = errUnstorable
	}
	return s, err
}

func spellValue(v any) (storedValue, error) {
	switch v := v.(type) {
	case nil:
		return storedValue{}, nil
	case bool:
		return storedValue{Kind: "bool", Text: strconv.FormatBool(v)}, nil
	case int8, int16, int32, int64, int:
		return storedValue{Kind: "int", Text: fmt.Sprint(v)}, nil
	case uint8, uint16, uint32, uint64, uint:
		return storedValue{Kind: "uint", Text: fmt.Sprint(v)}, nil
	case float32:
		return storedValue{Kind: "float32", Text: strconv.FormatFloat(float64(v), 'g', -1, 32)}, nil
	case float64:
		return storedValue{Kind: "float64", Text: strconv.FormatFloat(v, 'g', -1, 64)}, nil
	case decimal.Decimal:
		return storedValue{Kind: "decimal", Text: v.String()}, nil
	case string:
		return storedValue{Kind: "string", Data: []byte(v)}, nil
	case []byte:
		return storedValue{Kind: "bytes", Data: v}, nil
	case time.Time:
		return storedValue{Kind: "time", Text: v.Format(time.RFC3339Nano)}, nil
	case types.Timespan:
		return storedValue{Kind: "timespan", Text: strconv.FormatInt(int64(v), 10)}, nil
	case value.JSON:
		return storedValue{Kind: "json", Data: v.Value().Raw()}, nil
	}
	return storedValue{}, errUnstorable
}

// value is the inverse of storeValue. Integers come back in the widest type of their kind, which compares as theirs.
func (s storedValue) value() (any, error) {
	switch s.Kind {
	case "":
		return nil, nil
	case "bool":
		return strconv.ParseBool(s.Text)
	case "int":
		return strconv.ParseInt(s.Text, 10, 64)
	case "uint":
		return strconv.ParseUint(s.Text, 10, 64)
	case "float32":
		f, err := strconv.ParseFloat(s.Text, 32)
		return float32(f), err
	case "float64":
		return strconv.ParseFloat(s.Text, 64)
	case "decimal":
		return decimal.NewFromString(s.Text)
	case "string":
		return string(s.Data), nil
	case "bytes":
		return append([]byte{}, s.Data...), nil
	case "time":
		return time.Parse(time.RFC3339Nano, s.Text)
	case "timespan":
		n, err := strconv.ParseInt(s.Text, 10, 64)
		return types.Timespan(n), err
	case "json":
		return value.ParseJSON(string(s.Data))
	}
	return nil, fmt.Errorf("sqlbackend: a value of kind %q in a marker: %w", s.Kind, errUnstorable)
}

// rankedRows are the rows of a node, in a batch, that come first in an order.
func rankedRows(ctx *sql.Context, engine sql.NodeExecBuilder, b *Run, fields sql.SortFields, of sql.Node,
	row sql.Row) (sql.RowIter, error) {
	if b.At.Batches == 0 && b.limit > 0 {
		if err := findRank(ctx, engine, b, fields, of, row); err != nil {
			return nil, err
		}
	}
	child, err := engine.Build(ctx, of, row)
	if err != nil {
		return nil, err
	}
	i := &rankedIter{RowIter: child, batch: b, fields: fields}
	if b.rank == nil {
		return i, nil
	}
	i.last = make([]any, len(b.rank.Values))
	for k, v := range b.rank.Values {
		if i.last[k], err = v.value(); err != nil {
			return nil, err
		}
	}
	return i, nil
}

// findRank looks which row is the last that the statement is to change. Where fewer match than LIMIT says, none is.
func findRank(ctx *sql.Context, engine sql.NodeExecBuilder, b *Run, fields sql.SortFields, of sql.Node,
	row sql.Row) error {
	b.rank, b.ranking = nil, true
	defer func() { b.ranking = false }()
	stoppable, _ := hold.StoppableFields(fields)
	top := plan.NewTopN(stoppable, expression.NewLiteral(b.limit, types.Int64), of)
	b.rebuilt = top
	rows, err := engine.Build(ctx, top, row)
	if err != nil {
		return err
	}
	defer rows.Close(ctx)
	var last []any
	var met, ties int64
	for ; ; met++ {
		r, err := rows.Next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		at, err := sortedBy(ctx, fields, r)
		if err != nil {
			return err
		}
		order := 1
		if last != nil {
			if order, err = compareSorted(ctx, fields, at, last); err != nil {
				return err
			}
		}
		if ties++; order != 0 {
			ties = 1
		}
		last = at
	}
	b.Began = time.Now() // what a batch may take is meant for its writes
	if met < b.limit {
		return nil
	}
	bound := &rankBound{Ties: ties, Values: make([]storedValue, len(last))}
	for i, v := range last {
		if bound.Values[i], err = storeValue(v); err != nil {
			return mysqlerr.Unsupported(
				"batches of a statement with LIMIT and ORDER BY %s, whose values are too long or of a type that can't "+
					"be kept between two batches", fields[i].Column)
		}
	}
	b.rank = bound
	return nil
}

// sortedBy is what a row is sorted by.
func sortedBy(ctx *sql.Context, fields sql.SortFields, row sql.Row) ([]any, error) {
	out := make([]any, len(fields))
	for i, f := range fields {
		v, err := f.Column.Eval(ctx, row)
		if err == nil {
			out[i], err = sql.UnwrapAny(ctx, v)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// compareSorted compares two rows by what they are sorted by, as the engine's sorter does.
func compareSorted(ctx *sql.Context, fields sql.SortFields, a, b []any) (int, error) {
	for i, f := range fields {
		x, y := a[i], b[i]
		if f.Order == sql.Descending {
			x, y = y, x
		}
		order := 0
		switch {
		case x == nil && y == nil:
		case x == nil || y == nil:
			order = 1
			if (x == nil) == (f.NullOrdering == sql.NullsFirst) {
				order = -1
			}
		default:
			var err error
			if order, err = f.Column.Type().Compare(ctx, x, y); err != nil {
				return 0, err
			}
		}
		if order != 0 {
			return order, nil
		}
	}
	return 0, nil
}

// rankedIter gives the rows of its child that do not come behind the last one.
type rankedIter struct {
	sql.RowIter
	batch  *Run
	fields sql.SortFields
	last   []any // nil: all rows
}

// Next implements sql.RowIter.
func (i *rankedIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		row, err := i.RowIter.Next(ctx)
		if err != nil || i.last == nil {
			return row, err
		}
		at, err := sortedBy(ctx, i.fields, row)
		if err != nil {
			return nil, err
		}
		order, err := compareSorted(ctx, i.fields, at, i.last)
		if err != nil {
			return nil, err
		}
		if order == 0 {
			if i.batch.ties >= i.batch.rank.Ties {
				continue
			}
			i.batch.ties++
		}
		if order <= 0 {
			return row, nil
		}
	}
}
