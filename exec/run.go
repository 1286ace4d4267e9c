package exec

// Aggregation is rows that are read, filtered and aggregated by group.
type Aggregation struct {
	Types []Type // of the columns that are read
	// Read fills an empty batch; one without rows is the end.
	Read       func(*Batch) error
	Conditions []*Expression // all true of the rows that count
	On         int           // so many of the conditions, the first ones, belong to what is read
	Groups     Groups
	Aggregates []Aggregate
	// Met is of how many rows the conditions that belong to them are true, Passed of how many all are.
	Met, Passed int64
}

// Run reads all rows. It fails with ErrUnexpected where a row is not computed here.
func (a *Aggregation) Run() error {
	b, all := NewBatch(a.Types), AllRows()
	selected, group := make([]int32, 0, BatchRows), make([]int32, 0, BatchRows)
	for {
		b.Next()
		if err := a.Read(b); err != nil {
			return err
		}
		if b.Rows == 0 {
			break
		}
		rows, met, ok := passing(a.Conditions, a.On, b, all[:b.Rows], selected)
		if !ok {
			return ErrUnexpected
		}
		a.Met, a.Passed = a.Met+int64(met), a.Passed+int64(len(rows))
		var err error
		if group, err = a.Groups.Number(b, rows, group); err != nil {
			return err
		}
		if err := a.add(b, rows, group); err != nil {
			return err
		}
	}
	if len(a.Groups.Of) == 0 { // one group, with no rows too
		a.Groups.Count = 1
		return a.add(b, nil, nil)
	}
	return nil
}

// AllRows are the numbers of the rows of a full batch.
func AllRows() []int32 {
	all := make([]int32, BatchRows)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// Passing are the rows of which all conditions are true, a part of rows, put into into; false where one is not
// computed.
func Passing(conditions []*Expression, b *Batch, rows, into []int32) ([]int32, bool) {
	for _, c := range conditions {
		var ok bool
		// Once rows are a part, they are put together in their own place.
		if rows, ok = Selected(c, b, rows, into); !ok {
			return nil, false
		}
	}
	return rows, true
}

// passing is Passing, and counts the rows of which the first conditions are true.
func passing(conditions []*Expression, first int, b *Batch, rows, into []int32) (passed []int32, met int, ok bool) {
	if rows, ok = Passing(conditions[:first], b, rows, into); !ok {
		return nil, 0, false
	}
	passed, ok = Passing(conditions[first:], b, rows, into)
	return passed, len(rows), ok
}

func (a *Aggregation) add(b *Batch, rows, group []int32) error {
	for _, agg := range a.Aggregates {
		if !agg.Add(b, rows, group, int(a.Groups.Count)) {
			return ErrUnexpected
		}
	}
	return nil
}
