package hold

import "sync"

// RowKeys are the rows of a subquery that gives the same ones each time.
type RowKeys struct {
	Mu    sync.Mutex
	Whole map[string]struct{} // the keys of rows without NULL; nil until they are read
	Parts [][]RowPart         // rows with a NULL
	All   [][]RowPart

	Holding Memory
}

// RowPart is a value of a row: its key, unless it is NULL.
type RowPart struct {
	Key   string
	There bool
}
