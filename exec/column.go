package exec

import "errors"

// BatchRows is how many rows a batch has at most.
const BatchRows = 1024

// ErrUnexpected: the rows hold something that this executor does not compute.
var ErrUnexpected = errors.New("exec: a value that is not computed here")

// Kind is what the values of a column are.
type Kind uint8

const (
	Int     Kind = iota // of 64 bits with a sign; truths are 0 and 1
	Decimal             // an Int, of which Scale digits follow the point
	Time                // microseconds since 1970, as an Int
	Float
	Text
)

// Type is the type of a column.
type Type struct {
	Kind  Kind
	Scale int // of Decimal
}

// Column holds the values of the rows of a batch, each at the row's number. The value of a NULL is 0 or "".
type Column struct {
	Ints   []int64 // of Int, Decimal and Time
	Floats []float64
	Texts  []string
	// Null has a bit for each row; HasNull: any is set.
	Null    [BatchRows / 64]uint64
	HasNull bool
}

// NewColumn makes a column of a kind with room for a batch.
func NewColumn(k Kind) *Column {
	switch k {
	case Float:
		return &Column{Floats: make([]float64, BatchRows)}
	case Text:
		return &Column{Texts: make([]string, BatchRows)}
	}
	return &Column{Ints: make([]int64, BatchRows)}
}

// Reset forgets the NULLs.
func (c *Column) Reset() {
	if c.HasNull {
		c.Null, c.HasNull = [BatchRows / 64]uint64{}, false
	}
}

// SetNull makes the value of a row NULL.
func (c *Column) SetNull(row int) {
	c.Null[row>>6] |= 1 << (row & 63)
	c.HasNull = true
	switch {
	case c.Ints != nil:
		c.Ints[row] = 0
	case c.Floats != nil:
		c.Floats[row] = 0
	default:
		c.Texts[row] = ""
	}
}

// IsNull reports whether the value of a row is NULL.
func (c *Column) IsNull(row int32) bool { return c.HasNull && c.Null[row>>6]>>(row&63)&1 != 0 }

// unite has the rows NULL that are in one of two columns.
func (c *Column) unite(a, b *Column) {
	c.HasNull = a.HasNull || b.HasNull
	for i := range c.Null {
		c.Null[i] = a.Null[i] | b.Null[i]
	}
}

// Batch is some rows of the columns that are read.
type Batch struct {
	Columns []*Column
	Rows    int
	// Weights are how many equal rows each row stands for; nil: each for itself.
	Weights []int64
	number  int // of the batch, from 1
}

// weight is how many equal rows a row stands for.
func (b *Batch) weight(row int32) int64 {
	if b.Weights == nil {
		return 1
	}
	return b.Weights[row]
}

// NewBatch makes a batch of columns of the types.
func NewBatch(of []Type) *Batch {
	b := &Batch{Columns: make([]*Column, len(of))}
	for i, t := range of {
		b.Columns[i] = NewColumn(t.Kind)
	}
	return b
}

// Next empties the batch for further rows. Its texts let go of their documents.
func (b *Batch) Next() {
	for _, c := range b.Columns {
		c.Reset()
		if c.Texts != nil {
			clear(c.Texts[:b.Rows])
		}
	}
	b.Rows = 0
	b.number++
}
