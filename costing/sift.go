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
	// maxSifted is how many ranges are looked at one by one, to find those that are worth asking about. Where reads wait,
	// the store is asked about as many at once.
	maxSifted = 64
	// siftedKeys is how many keys a range has that is worth it.
	siftedKeys = firstRound
)

// maxSizeRequests bounds the ranges of one tally whose sizes are requested.
func (e Estimator) maxSizeRequests() int {
	if ahead.Of(e.From).Starts() {
		return maxSifted
	}
	return maxSizeRequestsInTurn
}

// sift puts those of a tally's ranges first that hold few keys, if there are more than the store is asked about and few
// of them hold more, as where most stand for what is rarely spelled so. It returns how many they are, and how many keys
// they hold.
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
