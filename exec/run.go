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
	b := NewBatch(a.Types)
	all := make([]int32, BatchRows)
	for i := range all {
		all[i] = int32(i)
	}
	selected, group := make([]int32, 0, BatchRows), make([]int32, 0, BatchRows)
	for {
		b.Next()
		if err := a.Read(b); err != nil {
			return err
		}
		if b.Rows == 0 {
			break
		}
		rows := all[:b.Rows]
		a.Met += int64(len(rows))
		for _, c := range a.Conditions {
			var ok bool
			// Once rows are a part, they are put together in their own place.
			if rows, ok = Selected(c, b, rows, selected); !ok {
				return ErrUnexpected
			}
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

func (a *Aggregation) add(b *Batch, rows, group []int32) error {
	for _, agg := range a.Aggregates {
		if !agg.Add(b, rows, group, int(a.Groups.Count)) {
			return ErrUnexpected
		}
	}
	return nil
}
