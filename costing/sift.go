package costing

import (
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
)

const (
	// maxSizeRequestsInTurn bounds the ranges of one tally whose sizes are requested one after the other.
	maxSizeRequestsInTurn = 8
	// maxSifted is how many ranges are looked at one by one, to find the ranges whose size is worth a request. Where
	// reads wait, as many sizes are requested at once.
	maxSifted = 64
	// siftedKeys is how many keys a range has at least that is worth it.
	siftedKeys = firstRound
)

// maxSizeRequests bounds the ranges of one tally whose sizes are requested.
func (e Estimator) maxSizeRequests() int {
	if ahead.Of(e.From).Starts() {
		return maxSifted
	}
	return maxSizeRequestsInTurn
}

// sift puts a tally's ranges with few keys first, and counts them. It does so if there are more ranges than requests
// for sizes, and few of them hold many keys, as when most stand for rare spellings. It returns how many these ranges
// are, and how many keys they hold.
func (e Estimator) sift(t *tally) (few int, keys int64, err error) {
	if n := len(t.ranges); n <= e.maxSizeRequests() || n > maxSifted {
		return 0, 0, nil
	}
	var small, large []counting
	for _, r := range t.ranges {
		n, err := e.counted(r.Range, siftedKeys)
		if err != nil {
			return 0, 0, err
		}
		if n < siftedKeys {
			small, keys = append(small, r), keys+n
		} else if large = append(large, r); len(large) > maxSizeRequestsInTurn {
			return 0, 0, nil
		}
	}
	t.close()
	t.at, t.counted, t.ranges = 0, 0, slices.Concat(small, large)
	clear(t.seen)
	return len(small), keys, nil
}

// counted is how many keys a range has, up to a limit.
func (e Estimator) counted(r kv.Range, limit int64) (n int64, err error) {
	it := e.From.Range(r, kv.RangeOptions{Limit: int(limit)})
	defer it.Close()
	for it.Next() {
		n++
	}
	if err := it.Err(); err != nil {
		return 0, fmt.Errorf("costing: count keys: %w", err)
	}
	return n, nil
}
