package columnar

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/sqlfdb/sqlfdb/document"
)

// Rows in a group, which a reader skips or reads as a whole, and the bytes of text after which a group ends early.
const (
	groupRows  = 100_000
	groupBytes = 64 << 20
)

// Writer writes documents of one shape.
type Writer struct {
	w     *parquet.GenericWriter[any]
	shape *Shape
	r     rower
	rows  int
	bytes int
}

// ErrNoColumns: documents without a key have no columns.
var ErrNoColumns = errors.New("no document has a key, and a Parquet file needs a column")

// NewWriter writes a file for documents that are all counted in shape.
func NewWriter(w io.Writer, shape *Shape) (out *Writer, err error) {
	defer recovered(&err)
	if len(shape.names) == 0 {
		return nil, ErrNoColumns
	}
	schema := parquet.NewSchema("document", shape.group(0))
	return &Writer{
		shape: shape, r: rower{columns: make([][]parquet.Value, leavesOf(schema))},
		w: parquet.NewGenericWriter[any](w, schema, parquet.Compression(&parquet.Zstd)),
	}, nil
}

// Write writes a document.
func (w *Writer) Write(d document.Document) (err error) {
	defer recovered(&err)
	w.r.begin()
	if err := w.r.fields(w.shape, d.Value, 0, 0); err != nil {
		return err
	}
	if _, err := w.w.WriteRows([]parquet.Row{w.r.end()}); err != nil {
		return err
	}
	w.rows++
	w.bytes += d.Len()
	if w.rows >= groupRows || w.bytes >= groupBytes {
		w.rows, w.bytes = 0, 0
		return w.w.Flush()
	}
	return nil
}

// Close ends the file.
func (w *Writer) Close() (err error) {
	defer recovered(&err)
	return w.w.Close()
}

// rower makes a row: the values of all columns, each with its levels of repetition and definition.
type rower struct {
	columns [][]parquet.Value
	row     parquet.Row
	column  int // whose value is next
	arrays  int // around the value that is added
}

func (r *rower) begin() {
	for i := range r.columns {
		r.columns[i] = r.columns[i][:0]
	}
	r.column, r.arrays = 0, 0
}

// end is the row, column by column.
func (r *rower) end() parquet.Row {
	r.row = r.row[:0]
	for _, c := range r.columns {
		r.row = append(r.row, c...)
	}
	return r.row
}

// fields adds the members of an object.
func (r *rower) fields(s *Shape, v document.Value, rep, def int) error {
	for _, name := range s.names {
		member, _ := v.Member(name)
		if err := r.optional(s.fields[name], member, rep, def); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// optional adds a value that may be lacking. rep is the repetition level of the value that begins here.
func (r *rower) optional(s *Shape, v document.Value, rep, def int) error {
	if v.IsZero() || v.IsNull() {
		r.nulls(s, rep, def)
		return nil
	}
	return r.present(s, v, rep, def+1)
}

// nulls adds a null to each column of the shape.
func (r *rower) nulls(s *Shape, rep, def int) {
	switch {
	case !s.text && s.types == anObject:
		for _, name := range s.names {
			r.nulls(s.fields[name], rep, def)
		}
	case !s.text && s.types == anArray:
		r.nulls(s.item, rep, def)
	default:
		r.add(parquet.NullValue(), rep, def)
	}
}

func (r *rower) add(v parquet.Value, rep, def int) {
	r.columns[r.column] = append(r.columns[r.column], v.Level(rep, def, r.column))
	r.column++
}

func (r *rower) present(s *Shape, v document.Value, rep, def int) error {
	switch {
	case s.text:
		r.add(parquet.ByteArrayValue(v.Raw()), rep, def)
	case v.Type() == document.TypeObject:
		return r.fields(s, v, rep, def)
	case v.Type() == document.TypeArray:
		return r.elements(s, v, rep, def)
	case v.Type() == document.TypeBool:
		r.add(parquet.BooleanValue(v.Bool()), rep, def)
	case v.Type() == document.TypeString:
		r.add(parquet.ByteArrayValue([]byte(v.Str())), rep, def)
	default:
		n, err := number(s.ints, v.Number())
		if err != nil {
			return err
		}
		r.add(n, rep, def)
	}
	return nil
}

func number(of numbers, literal string) (parquet.Value, error) {
	switch of {
	case whole, whole | wide:
		n, err := strconv.ParseInt(literal, 10, 64)
		return parquet.Int64Value(n), err
	case unsigned | wide:
		n, err := strconv.ParseUint(literal, 10, 64)
		return parquet.Int64Value(int64(n)), err
	}
	f, err := strconv.ParseFloat(literal, 64)
	return parquet.DoubleValue(f), err
}

// elements adds an array. Its first element begins where the array does; the others repeat at the level of the array,
// which is how many arrays there are around it, and itself.
func (r *rower) elements(s *Shape, v document.Value, rep, def int) error {
	if v.IsEmpty() {
		r.nulls(s.item, rep, def)
		return nil
	}
	r.arrays++
	defer func() { r.arrays-- }()
	first := r.column
	for _, e := range v.Elements() {
		r.column = first
		if err := r.optional(s.item, e, rep, def+1); err != nil {
			return err
		}
		rep = r.arrays
	}
	return nil
}
