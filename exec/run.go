package exec

// Aggregation is rows that are read, filtered and aggregated by group.
type Aggregation struct {
	Types []Type // of the columns that are read
	// Read fills an empty batch; one without rows is the end.
	Read       func(*Batch) error
	Conditions []*Expression // all true of the rows that count
	Groups     Groups
	Aggregates []Aggregate
	// Met is how many rows were read, Passed of how many the conditions are true.
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
		a.Met += int64(b.Rows)
		rows, ok := Passing(a.Conditions, b, all[:b.Rows], selected)
		if !ok {
			return ErrUnexpected
		}
		a.Passed += int64(len(rows))
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

func (a *Aggregation) add(b *Batch, rows, group []int32) error {
	for _, agg := range a.Aggregates {
		if !agg.Add(b, rows, group, int(a.Groups.Count)) {
			return ErrUnexpected
		}
	}
	return nil
}
