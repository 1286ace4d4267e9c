package session

import (
	"github.com/sqlfdb/sqlfdb/catalog"
)

// autoIncrementValues are the AUTO_INCREMENT values that a command has drawn, by collection. A repeated command first
// draws those of its earlier run.
type autoIncrementValues struct {
	taken, left map[int64][]uint64
	repeats     bool // the next run is not the first
}

// Begin is called before each run of a command; undone before each run after the first.
func (n *autoIncrementValues) Begin() {
	if !n.repeats {
		n.left = nil
	}
	n.taken, n.repeats = nil, false
}

func (n *autoIncrementValues) undone() { n.left, n.taken, n.repeats = n.taken, nil, true }

// Take notes that the running command has taken a value of a collection.
func (n *autoIncrementValues) Take(collection int64, value uint64) {
	if n.taken == nil {
		n.taken = map[int64][]uint64{}
	}
	n.taken[collection] = append(n.taken[collection], value)
}

// Again returns the next value of the earlier run, if it may still be stored.
func (n *autoIncrementValues) Again(c *catalog.Catalog, collection int64, void uint64) (value uint64, ok bool) {
	left := n.left[collection]
	if len(left) == 0 {
		return 0, false
	}
	n.left[collection] = left[1:]
	return left[0], c.AutoIncrementFree(collection, left[0], void)
}
