package buckets

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
)

var unansweredRounds = flag.Int("bucket-unanswered", 1, "how often TestUnanswered leaves two requests without an "+
	"answer, which may take 30 seconds")

// TestUnanswered: requests of statements fail, lose their answers, or are carried out later. A statement that is
// acknowledged is there, any other one is there whole or not at all, and CHECK TABLE finds nothing.
func TestUnanswered(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 4))
	var left atomic.Int64 // requests before the one that has no answer; negative: none
	left.Store(-1)
	var what storetest.Fault
	faulty := &storetest.Faulty{LateBy: 3, Choose: func(int, string, string) storetest.Fault {
		if left.Add(-1) == 0 {
			return what
		}
		return storetest.Fine
	}}
	b := start(t, func(s store.Store) store.Store {
		faulty.Store = s
		return faulty
	})
	b.create("pets", ", KEY k_1 (k), KEY k_1_n_1 (k, n)")
	b.run("INSERT INTO pets (_id, k, n) VALUES ('a', 'x', 1), ('b', 'y', 2), ('c', 'x', 3)")
	const state = "SELECT GROUP_CONCAT(_id, k, n ORDER BY _id) FROM pets"
	for round := range *unansweredRounds {
		before := b.rows(state)
		for _, s := range []string{fmt.Sprintf("UPDATE pets SET k = IF(k = 'x', 'y', 'x'), n = n + %d", r.IntN(3)),
			fmt.Sprintf("INSERT INTO pets (_id, k, n) VALUES ('r%d', 'x', 5), ('s%d', 'z', 6)", round, round)} {
			what = []storetest.Fault{storetest.Fails, storetest.Lost, storetest.Late}[r.IntN(3)]
			left.Store(1 + r.Int64N(14))
			_, err := b.conn.ExecContext(context.Background(), s)
			left.Store(-1)
			t.Logf("round %d: fault %d: %s: %v", round, what, s, err)
			// Who comes next waits until the request can't be carried out any more.
			b.is("CHECK TABLE pets", "d.pets check status OK")
			faulty.Settle()
			b.is("CHECK TABLE pets", "d.pets check status OK")
			now := b.rows(state)
			if err == nil && now == before {
				t.Errorf("%s was acknowledged, and is not there: %s", s, now)
			}
			inserted := strings.Contains(now, fmt.Sprintf("r%dx5", round))
			if inserted != strings.Contains(now, fmt.Sprintf("s%dz6", round)) {
				t.Errorf("%s is there by half: %s", s, now)
			}
			before = now
			b.is("SELECT SUM(k = 'x') FROM pets", b.rows("SELECT COUNT(*) FROM pets WHERE k = 'x'"))
		}
	}
}
