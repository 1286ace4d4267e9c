package bucketkv

import (
	"bytes"
	"sort"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
)

// written are the ranges written by one commit, or by several of other processes that were
// seen at once.
type written struct {
	version int64
	at      time.Time
	ranges  []kv.Range // sorted, without overlaps
}

// window holds the latest commits. Its user guards it.
type window struct {
	commits []written // oldest first
	floor   int64     // writes up to that version are not known
}

// windowCommits bounds how many commits are remembered.
const windowCommits = 10_000

// add notes a commit, and forgets commits that no living transaction needs.
func (w *window) add(c written, life time.Duration) {
	w.commits = append(w.commits, c)
	old := 0
	for old < len(w.commits)-1 && (len(w.commits)-old > windowCommits || c.at.Sub(w.commits[old].at) > life) {
		w.floor = w.commits[old].version
		old++
	}
	if old > 0 {
		w.commits = append([]written(nil), w.commits[old:]...)
	}
}

// behind are the commits behind a version.
func (w *window) behind(version int64) []written {
	return w.commits[sort.Search(len(w.commits), func(i int) bool { return w.commits[i].version > version }):]
}

// touches reports whether something in one of the sorted ranges has been written behind a version.
func (w *window) touches(reads []kv.Range, version int64) bool {
	for _, c := range w.behind(version) {
		for _, r := range c.ranges {
			i := sort.Search(len(reads), func(i int) bool { return bytes.Compare(reads[i].End, r.Start) > 0 })
			if i < len(reads) && bytes.Compare(reads[i].Start, r.End) < 0 {
				return true
			}
		}
	}
	return false
}
