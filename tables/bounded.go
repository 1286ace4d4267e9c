package tables

import "github.com/sqlfdb/sqlfdb/costing"

// Bounded is a scan that fails with ErrGivenUp once more has been read than may be.
func Bounded(scan Rows, bound costing.Bound) Rows {
	if bound.Cost == 0 {
		return scan
	}
	return &boundedScan{Rows: scan, bound: bound}
}

type boundedScan struct {
	Rows
	bound costing.Bound
	err   error
}

// Next implements Rows.
func (b *boundedScan) Next() bool {
	if w := b.Read(); b.bound.Exceeded(w.Entries, 0, w.Documents) {
		b.err = ErrGivenUp
	}
	return b.err == nil && b.Rows.Next()
}

// Err implements Rows.
func (b *boundedScan) Err() error {
	if b.err != nil {
		return b.err
	}
	return b.Rows.Err()
}
