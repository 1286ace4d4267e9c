package exec

import "hash/maphash"

// Table holds rows, and finds them by the values of their keys.
type Table struct {
	Types []Type // of the columns
	Keys  []int  // the columns that rows are found by: of Int, Decimal, Time or Text
	Rows  int

	batches []*Batch
	heads   []int32 // by the last bits of a key's hash: the first row with them, and 1
	next    []int32 // of each row: the next one of the same head, and 1
	mask    uint64
	seed    maphash.Seed
}

// Room returns the batch that takes the next row, at its number Rows.
func (t *Table) Room() *Batch {
	if t.Rows%BatchRows == 0 {
		t.batches = append(t.batches, NewBatch(t.Types))
	}
	return t.batches[len(t.batches)-1]
}

// Took counts the row that was put into the batch with room.
func (t *Table) Took() { t.Rows++ }

// Index makes the rows be found. It follows the last row. Rows are found in their order.
func (t *Table) Index() {
	size := 1
	for size < 2*t.Rows {
		size *= 2
	}
	t.heads, t.next, t.mask, t.seed = make([]int32, size), make([]int32, t.Rows), uint64(size-1), maphash.MakeSeed()
	for r := t.Rows - 1; r >= 0; r-- {
		hash, null := t.hash(t.batches[r/BatchRows], int32(r%BatchRows), t.Keys)
		if null {
			continue
		}
		head := &t.heads[hash&t.mask]
		t.next[r], *head = *head, int32(r)+1
	}
}

// hash is the hash of a row's key in some columns of a batch; null: a value is NULL, which equals nothing.
func (t *Table) hash(b *Batch, row int32, keys []int) (hash uint64, null bool) {
	for _, k := range keys {
		c := b.Columns[k]
		if c.IsNull(row) {
			return 0, true
		}
		// The seed keeps clients from choosing values of one hash.
		own := uint64(0)
		if c.Texts != nil {
			own = maphash.String(t.seed, c.Texts[row])
		} else {
			own = maphash.Comparable(t.seed, c.Ints[row])
		}
		hash = hash*0x9e3779b97f4a7c15 + own
	}
	return hash, false
}

// from returns the first row behind a link, and 1, that has the key of a row of another batch; 0: there is none.
func (t *Table) from(link int32, b *Batch, row int32, keys []int) int32 {
	for ; link != 0; link = t.next[link-1] {
		if t.equal(link-1, b, row, keys) {
			return link
		}
	}
	return 0
}

func (t *Table) equal(r int32, b *Batch, row int32, keys []int) bool {
	own := t.batches[r/BatchRows]
	r %= BatchRows
	for i, k := range keys {
		c, o := b.Columns[k], own.Columns[t.Keys[i]]
		if c.Texts != nil && c.Texts[row] != o.Texts[r] || c.Ints != nil && c.Ints[row] != o.Ints[r] {
			return false
		}
	}
	return true
}

// HashJoin joins the rows that are read with the rows of a table that have equal keys.
type HashJoin struct {
	Types []Type // of the columns that are read
	// Read fills an empty batch; one without rows is the end.
	Read       func(*Batch) error
	Conditions []*Expression // all true of the rows that count
	On         int           // so many of the conditions, the first ones, belong to what is read
	Keys       []int         // columns that equal the table's
	// Table returns the rows to join with; it is called once rows have been read.
	Table   func() (*Table, error)
	Columns []JoinColumn // of the result
	Outer   bool         // a row that finds none stays, with NULLs
	// Met is of how many rows the conditions that belong to them are true, Passed of how many all are.
	Met, Passed int64

	table    *Table
	read     *Batch
	all      []int32
	selected []int32
	rows     []int32 // of the batch that was read, to be joined
	link     int32   // to the rows that may match the first of rows; -1: not looked up yet
	matched  bool
	left     []int32 // rows of the next result
	right    []int32 // the same rows, of the table; -1: none
}

// JoinColumn is a column of a join's result.
type JoinColumn struct {
	OfTable bool
	At      int // column of the table, or of those that are read
}

// Fill fills an empty batch with the result's next rows; it leaves it empty at the end.
func (j *HashJoin) Fill(b *Batch) error {
	j.left, j.right = j.left[:0], j.right[:0]
	for len(j.left) == 0 {
		if len(j.rows) == 0 {
			if more, err := j.advance(); !more || err != nil {
				return err
			}
			continue
		}
		j.match()
	}
	for i, c := range j.Columns {
		if c.OfTable {
			j.table.gather(c.At, j.right, b.Columns[i])
		} else {
			gather(j.read.Columns[c.At], j.left, b.Columns[i])
		}
	}
	b.Rows = len(j.left)
	return nil
}

// advance reads the next batch; false at the end.
func (j *HashJoin) advance() (bool, error) {
	if j.read == nil {
		j.read, j.all, j.selected = NewBatch(j.Types), AllRows(), make([]int32, 0, BatchRows)
	}
	j.read.Next()
	if err := j.Read(j.read); err != nil || j.read.Rows == 0 {
		return false, err
	}
	rows, met, ok := passing(j.Conditions, j.On, j.read, j.all[:j.read.Rows], j.selected)
	if !ok {
		return false, ErrUnexpected
	}
	j.rows, j.Met, j.Passed = rows, j.Met+int64(met), j.Passed+int64(len(rows))
	j.link, j.matched = -1, false
	if j.table == nil && len(j.rows) > 0 {
		var err error
		if j.table, err = j.Table(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// match joins rows of one batch, as many as a batch holds.
func (j *HashJoin) match() {
	for len(j.rows) > 0 && len(j.left) < BatchRows {
		row := j.rows[0]
		if j.link < 0 {
			j.link = 0
			if hash, null := j.table.hash(j.read, row, j.Keys); !null {
				j.link = j.table.heads[hash&j.table.mask]
			}
		}
		if j.link = j.table.from(j.link, j.read, row, j.Keys); j.link > 0 {
			j.left, j.right = append(j.left, row), append(j.right, j.link-1)
			j.link, j.matched = j.table.next[j.link-1], true
			continue
		}
		if j.Outer && !j.matched {
			j.left, j.right = append(j.left, row), append(j.right, -1)
		}
		j.rows, j.link, j.matched = j.rows[1:], -1, false
	}
}

// gather puts the values of rows of a column into another, one behind the other.
func gather(from *Column, rows []int32, into *Column) {
	switch {
	case into.Ints != nil:
		for i, r := range rows {
			into.Ints[i] = from.Ints[r]
		}
	case into.Floats != nil:
		for i, r := range rows {
			into.Floats[i] = from.Floats[r]
		}
	default:
		for i, r := range rows {
			into.Texts[i] = from.Texts[r]
		}
	}
	if !from.HasNull {
		return
	}
	for i, r := range rows {
		if from.IsNull(r) {
			into.SetNull(i)
		}
	}
}

// gather is gather for a column of the table; row -1 has NULL.
func (t *Table) gather(column int, rows []int32, into *Column) {
	for i, r := range rows {
		if r < 0 {
			into.SetNull(i)
			continue
		}
		from := t.batches[r/BatchRows].Columns[column]
		r %= BatchRows
		switch {
		case into.Ints != nil:
			into.Ints[i] = from.Ints[r]
		case into.Floats != nil:
			into.Floats[i] = from.Floats[r]
		default:
			into.Texts[i] = from.Texts[r]
		}
		if from.IsNull(r) {
			into.SetNull(i)
		}
	}
}
