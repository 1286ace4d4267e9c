package columnar

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/transfer/mongo"
)

// ErrParquet: a file that can't be read as Parquet.
var ErrParquet = errors.New("not a Parquet file that can be read")

// Reader reads the rows of a file as documents.
type Reader struct {
	groups []parquet.RowGroup
	schema *parquet.Schema
	rows   parquet.Rows
	buf    []parquet.Row
	at, n  int // of buf
	row    int64
	nulls  bool
	out    []byte
	cols   [][]parquet.Value
	leaves int
}

// Options say how values are read.
type Options struct {
	// Nulls keeps a row's null as a null member; otherwise the document lacks the member. In arrays nulls always stay.
	Nulls bool
}

// Open reads a file's schema.
func Open(at io.ReaderAt, size int64, o Options) (r *Reader, err error) {
	defer recovered(&err)
	f, err := parquet.OpenFile(at, size)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrParquet, err)
	}
	r = &Reader{groups: f.RowGroups(), schema: f.Schema(), buf: make([]parquet.Row, 128), nulls: o.Nulls}
	r.leaves = leavesOf(r.schema)
	r.cols = make([][]parquet.Value, r.leaves)
	return r, nil
}

// recovered turns a panic of the library, which a damaged file may cause, into an error.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %v", ErrParquet, p)
	}
}

// Close releases the reader's memory.
func (r *Reader) Close() error {
	if r.rows == nil {
		return nil
	}
	return r.rows.Close()
}

// Next returns a row's number, from 1, and its document, or as err why it is none. fatal is io.EOF at the end, or an
// error behind which nothing can be read.
func (r *Reader) Next() (row int64, d document.Document, err, fatal error) {
	defer recovered(&fatal)
	for r.at == r.n {
		if err := r.fill(); err != nil {
			return r.row + 1, d, nil, err
		}
	}
	values := r.buf[r.at]
	r.at++
	r.row++
	for i := range r.cols {
		r.cols[i] = r.cols[i][:0]
	}
	for _, v := range values {
		r.cols[v.Column()] = append(r.cols[v.Column()], v)
	}
	out, _, err := r.group(r.out[:0], r.schema, r.cols, 0, 0)
	if err != nil {
		return r.row, d, err, nil
	}
	r.out = out
	d, err = document.Parse(out, document.Limits{})
	return r.row, d, err, nil
}

// fill reads some rows.
func (r *Reader) fill() error {
	for {
		if r.rows == nil {
			if len(r.groups) == 0 {
				return io.EOF
			}
			r.rows = r.groups[0].Rows()
			r.groups = r.groups[1:]
		}
		n, err := r.rows.ReadRows(r.buf)
		r.at, r.n = 0, n
		if err != nil && err != io.EOF {
			return fmt.Errorf("row %d: %w: %w", r.row+1, ErrParquet, err)
		}
		if n > 0 {
			return nil
		}
		if err == io.EOF {
			if err := r.rows.Close(); err != nil {
				return fmt.Errorf("%w: %w", ErrParquet, err)
			}
			r.rows = nil
		}
	}
}

func leavesOf(n parquet.Node) int {
	if n.Leaf() {
		return 1
	}
	leaves := 0
	for _, f := range n.Fields() {
		leaves += leavesOf(f)
	}
	return leaves
}

func logical(n parquet.Node) format.LogicalTypeValue {
	if t := n.Type().LogicalType(); t != nil {
		return t.Value
	}
	return nil
}

// value appends a node's value. cols are the values of its leaves; rep and def are the levels above it. there is
// false for a null.
func (r *Reader) value(dst []byte, n parquet.Node, cols [][]parquet.Value, rep, def int) (out []byte,
	there bool, err error) {
	if len(cols) == 0 || len(cols[0]) == 0 {
		return append(dst, "null"...), false, nil
	}
	switch {
	case n.Repeated():
		dst, err = r.elements(dst, n, cols, rep+1, def+1)
		return dst, true, err
	case n.Optional():
		def++
		if cols[0][0].DefinitionLevel() < def {
			return append(dst, "null"...), false, nil
		}
	}
	return r.present(dst, n, cols, rep, def)
}

// present appends the value of a node that is there, once.
func (r *Reader) present(dst []byte, n parquet.Node, cols [][]parquet.Value, rep, def int) (out []byte,
	there bool, err error) {
	if n.Leaf() {
		dst, err = appendLeaf(dst, n.Type(), logical(n), cols[0][0])
		return dst, true, err
	}
	if fields := n.Fields(); len(fields) == 1 && fields[0].Repeated() {
		inner := fields[0]
		switch logical(n).(type) {
		case *format.ListType:
			// The repeated group is the element's wrapper, unless it is the element as older writers have it.
			if inner.Leaf() || len(inner.Fields()) != 1 || inner.Name() == "array" {
				dst, err = r.elements(dst, inner, cols, rep+1, def+1)
			} else {
				dst, err = r.elements(dst, inner.Fields()[0], cols, rep+1, def+1)
			}
			return dst, true, err
		case *format.MapType:
			if len(inner.Fields()) == 2 {
				dst, err = r.pairs(dst, inner, cols, rep+1, def+1)
				return dst, true, err
			}
		}
	}
	return r.group(dst, n, cols, rep, def)
}

// group appends an object of a group's fields.
func (r *Reader) group(dst []byte, n parquet.Node, cols [][]parquet.Value, rep, def int) (out []byte,
	there bool, err error) {
	dst = append(dst, '{')
	first := true
	for _, f := range n.Fields() {
		leaves := leavesOf(f)
		before := len(dst)
		if !first {
			dst = append(dst, ',')
		}
		if dst, err = document.AppendQuoted(dst, f.Name()); err != nil {
			return dst, false, fmt.Errorf("column %q: %w", f.Name(), err)
		}
		dst = append(dst, ':')
		if dst, there, err = r.value(dst, f, cols[:leaves], rep, def); err != nil {
			return dst, false, fmt.Errorf("column %s: %w", f.Name(), err)
		}
		cols = cols[leaves:]
		if !there && !r.nulls {
			dst = dst[:before]
			continue
		}
		first = false
	}
	return append(dst, '}'), true, nil
}

// split calls each for the values of every element of something repeated at level rep.
func split(cols [][]parquet.Value, rep, def int, each func(cols [][]parquet.Value) error) error {
	if cols[0][0].DefinitionLevel() < def {
		return nil // empty
	}
	at := make([]int, len(cols))
	element := make([][]parquet.Value, len(cols))
	for at[0] < len(cols[0]) {
		for i, col := range cols {
			from := at[i]
			if from >= len(col) {
				return fmt.Errorf("%w: columns of a list have different lengths", ErrParquet)
			}
			to := from + 1
			for to < len(col) && col[to].RepetitionLevel() > rep {
				to++
			}
			element[i], at[i] = col[from:to], to
		}
		if err := each(element); err != nil {
			return err
		}
	}
	return nil
}

// elements appends an array.
func (r *Reader) elements(dst []byte, n parquet.Node, cols [][]parquet.Value, rep, def int) ([]byte, error) {
	dst = append(dst, '[')
	first := true
	err := split(cols, rep, def, func(cols [][]parquet.Value) (err error) {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if n.Repeated() {
			dst, _, err = r.present(dst, n, cols, rep, def)
		} else {
			dst, _, err = r.value(dst, n, cols, rep, def)
		}
		return err
	})
	return append(dst, ']'), err
}

// pairs appends an object of a map's keys and values.
func (r *Reader) pairs(dst []byte, n parquet.Node, cols [][]parquet.Value, rep, def int) ([]byte, error) {
	key, value := n.Fields()[0], n.Fields()[1]
	leaves := leavesOf(key)
	dst = append(dst, '{')
	first := true
	err := split(cols, rep, def, func(cols [][]parquet.Value) error {
		text, _, err := r.value(nil, key, cols[:leaves], rep, def)
		if err != nil {
			return err
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if len(text) > 0 && text[0] == '"' {
			dst = append(dst, text...)
		} else if dst, err = document.AppendQuoted(dst, string(text)); err != nil {
			return err
		}
		dst, _, err = r.value(append(dst, ':'), value, cols[leaves:], rep, def)
		return err
	})
	return append(dst, '}'), err
}

func appendLeaf(dst []byte, t parquet.Type, is format.LogicalTypeValue, v parquet.Value) ([]byte, error) {
	switch t.Kind() {
	case parquet.Boolean:
		return strconv.AppendBool(dst, v.Boolean()), nil
	case parquet.Int32:
		return appendInteger(dst, is, int64(v.Int32()), uint64(v.Uint32()))
	case parquet.Int64:
		return appendInteger(dst, is, v.Int64(), v.Uint64())
	case parquet.Int96:
		n := v.Int96()
		nanoseconds := int64(uint64(n[1])<<32 | uint64(n[0]))
		const unixEpoch = 2440588 // the Julian day
		t := time.Unix((int64(n[2])-unixEpoch)*24*60*60, nanoseconds).UTC()
		return append(t.AppendFormat(append(dst, '"'), "2006-01-02 15:04:05.000000000"), '"'), nil
	case parquet.Float:
		return appendFloat(dst, float64(v.Float()), 32)
	case parquet.Double:
		return appendFloat(dst, v.Double(), 64)
	}
	b := v.ByteArray()
	switch is := is.(type) {
	case *format.DecimalType:
		n := new(big.Int).SetBytes(b)
		if len(b) > 0 && b[0]&0x80 != 0 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(len(b))*8))
		}
		return appendDecimal(dst, n.String(), int(is.Scale)), nil
	case *format.UUIDType:
		if id, err := uuid.FromBytes(b); err == nil {
			return append(append(append(dst, '"'), id.String()...), '"'), nil
		}
	case *format.JsonType:
		value, err := document.ParseValue(b, document.Limits{})
		if err != nil {
			return dst, err
		}
		return append(dst, value.Raw()...), nil
	case *format.BsonType:
		d, err := mongo.Document(b)
		if err != nil {
			return dst, err
		}
		return append(dst, d.Raw()...), nil
	case *format.StringType, *format.EnumType:
		return document.AppendQuoted(dst, string(b))
	}
	// Older writers don't mark texts as such.
	if utf8.Valid(b) && t.Kind() == parquet.ByteArray {
		return document.AppendQuoted(dst, string(b))
	}
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), b), '"'), nil
}

func appendInteger(dst []byte, is format.LogicalTypeValue, n int64, unsigned uint64) ([]byte, error) {
	switch is := is.(type) {
	case *format.IntType:
		if !is.IsSigned {
			return strconv.AppendUint(dst, unsigned, 10), nil
		}
	case *format.DecimalType:
		return appendDecimal(dst, strconv.FormatInt(n, 10), int(is.Scale)), nil
	case *format.DateType:
		return appendTime(dst, time.Unix(n*24*60*60, 0), "2006-01-02", n), nil
	case *format.TimeType:
		unit, fraction := unitOf(is.Unit)
		return appendTime(dst, time.Unix(0, n*unit), "15:04:05"+fraction, n), nil
	case *format.TimestampType:
		unit, fraction := unitOf(is.Unit)
		second := int64(time.Second) / unit
		t := time.Unix(floor(n, second), (n-floor(n, second)*second)*unit)
		if is.IsAdjustedToUTC {
			return appendTime(dst, t, "2006-01-02T15:04:05"+fraction+"Z", n), nil
		}
		return appendTime(dst, t, "2006-01-02 15:04:05"+fraction, n), nil
	}
	return strconv.AppendInt(dst, n, 10), nil
}

func floor(n, by int64) int64 {
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}

// appendTime appends a time as text, or the number n where text has no such year.
func appendTime(dst []byte, t time.Time, layout string, n int64) []byte {
	t = t.UTC()
	if t.Year() < 0 || t.Year() > 9999 {
		return strconv.AppendInt(dst, n, 10)
	}
	return append(t.AppendFormat(append(dst, '"'), layout), '"')
}

func unitOf(u format.TimeUnit) (nanoseconds int64, fraction string) {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return int64(time.Millisecond), ".000"
	case *format.MicroSeconds:
		return int64(time.Microsecond), ".000000"
	}
	return 1, ".000000000"
}

func appendFloat(dst []byte, f float64, bits int) ([]byte, error) {
	switch {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...), nil
	case math.IsInf(f, 0):
		return document.AppendQuoted(dst, map[bool]string{true: "Infinity", false: "-Infinity"}[f > 0])
	}
	if bits == 32 { // the digits that a float of 32 bits has
		f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', -1, 32), 64)
	}
	v, err := document.FloatValue(f)
	return append(dst, v.Raw()...), err
}

// appendDecimal puts the point into digits.
func appendDecimal(dst []byte, digits string, scale int) []byte {
	if digits[0] == '-' {
		dst, digits = append(dst, '-'), digits[1:]
	}
	if scale <= 0 {
		return append(dst, digits...)
	}
	for len(digits) <= scale {
		digits = "0" + digits
	}
	dst = append(dst, digits[:len(digits)-scale]...)
	return append(append(dst, '.'), digits[len(digits)-scale:]...)
}
