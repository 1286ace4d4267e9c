package pebblekv

import (
	"bytes"
	"slices"
	"sort"
	"sync"

	"github.com/sqlfdb/sqlfdb/kv"
)

// A segment is a cleared or otherwise conflicting range and the version of its
// last write. The segments of one run are sorted and disjoint.
type segment struct {
	start, end []byte
	version    int64
}

// A run has the writes of one or several neighbouring commits: sorted keys and sorted
// segments. It is immutable once it is in the window.
type run struct {
	min, max int64    // versions of the commits in it
	points   [][]byte // sorted, distinct
	versions []int64  // of points; nil when min == max
	newest   []int64  // greatest version of each block of points; nil when min == max
	segments []segment
	bytes    int64
}

const (
	runBlock      = 128 // points that one element of run.newest sums up
	pointOverhead = 40  // slice header, version and its share of the block
	maxWalk       = 48  // runs that a check walks before it merges them
)

func (r *run) weigh() {
	r.bytes = 200
	for _, p := range r.points {
		r.bytes += int64(len(p)) + pointOverhead
	}
	for _, s := range r.segments {
		r.bytes += int64(len(s.start)+len(s.end)) + pointOverhead + 24
	}
}

func (r *run) size() int { return len(r.points) + len(r.segments) }

// touches reports whether something in reads, which is sorted and disjoint,
// was written at a version greater than after.
func (r *run) touches(reads []kv.Range, after int64) bool {
	if r.max <= after || len(reads) == 0 {
		return false
	}
	return r.touchesPoints(reads, after) || r.touchesSegments(reads, after)
}

func (r *run) touchesPoints(reads []kv.Range, after int64) bool {
	points := r.points
	if len(points) == 0 {
		return false
	}
	if len(reads) > 4*len(points) {
		for i, p := range points {
			if (r.versions == nil || r.versions[i] > after) && covers(reads, p) {
				return true
			}
		}
		return false
	}
	from := 0
	for _, rd := range reads {
		from += sort.Search(len(points)-from, func(i int) bool {
			return bytes.Compare(points[from+i], rd.Start) >= 0
		})
		if from == len(points) {
			return false
		}
		if bytes.Compare(points[from], rd.End) >= 0 {
			continue
		}
		if r.min > after {
			return true
		}
		to := from + sort.Search(len(points)-from, func(i int) bool {
			return bytes.Compare(points[from+i], rd.End) >= 0
		})
		for i := from; i < to; {
			if i%runBlock == 0 && i+runBlock <= to && r.newest[i/runBlock] <= after {
				i += runBlock
				continue
			}
			if r.versions[i] > after {
				return true
			}
			i++
		}
		from = to
	}
	return false
}

func (r *run) touchesSegments(reads []kv.Range, after int64) bool {
	if len(r.segments) == 0 {
		return false
	}
	if len(reads) > 4*len(r.segments) {
		for _, s := range r.segments {
			if s.version > after && overlaps(reads, s.start, s.end) {
				return true
			}
		}
		return false
	}
	for _, rd := range reads {
		i := sort.Search(len(r.segments), func(i int) bool {
			return bytes.Compare(r.segments[i].end, rd.Start) > 0
		})
		for ; i < len(r.segments) && bytes.Compare(r.segments[i].start, rd.End) < 0; i++ {
			if r.segments[i].version > after {
				return true
			}
		}
	}
	return false
}

// overlaps reports whether [start, end) meets one of the sorted, disjoint ranges.
func overlaps(ranges []kv.Range, start, end []byte) bool {
	i := sort.Search(len(ranges), func(i int) bool {
		return bytes.Compare(ranges[i].End, start) > 0
	})
	return i < len(ranges) && bytes.Compare(ranges[i].Start, end) < 0
}

// covers reports whether key lies in one of the sorted, disjoint ranges.
func covers(ranges []kv.Range, key []byte) bool {
	i := sort.Search(len(ranges), func(i int) bool {
		return bytes.Compare(ranges[i].End, key) > 0
	})
	return i < len(ranges) && bytes.Compare(ranges[i].Start, key) <= 0
}

// window remembers recent commits' writes, as far back as an open transaction may have
// read, within a bound of memory. Runs are in order of their versions. Commits only append.
// The merging that keeps checks of old transactions short is done by these checks
// themselves, outside the commit pipeline. So a load of short transactions does not pay for
// it.
type window struct {
	limit int64 // bytes

	mu      sync.Mutex
	runs    []*run
	bytes   int64
	floor   int64 // writes at versions up to this one may be forgotten
	latest  int64 // version of the last append
	dropped int   // runs that the array behind runs still keeps
	kept    int64 // their bytes

	merging sync.Mutex
}

// view returns the runs as they stand, the floor, and the last version that
// they hold in full. The caller must not change the slice.
func (w *window) view() (runs []*run, floor, latest int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.runs[:len(w.runs):len(w.runs)], w.floor, w.latest
}

// append adds all runs of one version. It forgets runs that no transaction with a read
// version of oldest or more can need, and the oldest runs beyond the bound.
func (w *window) append(version int64, runs []*run, oldest int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range runs {
		if r.size() == 0 {
			continue
		}
		w.runs = append(w.runs, r)
		w.bytes += r.bytes
	}
	w.latest = version
	drop := 0
	for drop < len(w.runs) {
		r := w.runs[drop]
		if r.max > oldest && w.bytes <= w.limit {
			break
		}
		w.bytes -= r.bytes
		w.kept += r.bytes
		w.floor = max(w.floor, r.max)
		drop++
	}
	w.runs = w.runs[drop:]
	if w.dropped += drop; w.dropped > 64+len(w.runs) || w.kept > w.limit/8 {
		// Checks may still walk the array, so dropped runs stay in it. A new array frees them.
		w.runs, w.dropped, w.kept = slices.Clone(w.runs), 0, 0
	}
}

// conflicts reports whether something in reads was written after a version, up
// to the version until. ok is false when the window no longer knows.
func (w *window) conflicts(reads []kv.Range, after, until int64) (conflict, ok bool) {
	runs, floor, _ := w.view()
	if after < floor {
		return false, false
	}
	walked := newer(runs, after)
	if len(walked) > maxWalk {
		w.merge()
		runs, floor, _ = w.view()
		if after < floor {
			return false, false
		}
		walked = newer(runs, after)
	}
	for i := len(walked) - 1; i >= 0; i-- {
		r := walked[i]
		if r.min > until {
			continue
		}
		if r.touches(reads, after) {
			return true, true
		}
	}
	return false, true
}

// newer returns the tail of runs that holds all versions greater than after.
func newer(runs []*run, after int64) []*run {
	// Greatest versions never fall along the slice.
	i := sort.Search(len(runs), func(i int) bool { return runs[i].max > after })
	return runs[i:]
}

// merge joins neighbouring runs so that their sizes fall geometrically and
// their number becomes logarithmic.
func (w *window) merge() {
	if !w.merging.TryLock() {
		return
	}
	defer w.merging.Unlock()
	runs, _, latest := w.view()
	if len(runs) < 2 {
		return
	}
	type group struct {
		from, to int // of runs
		bytes    int64
	}
	var groups []group
	for i, r := range runs {
		groups = append(groups, group{i, i + 1, r.bytes})
		for len(groups) > 1 {
			a, b := groups[len(groups)-2], groups[len(groups)-1]
			if a.bytes > 2*b.bytes || a.bytes+b.bytes > w.limit/8 {
				break
			}
			groups = append(groups[:len(groups)-2], group{a.from, b.to, a.bytes + b.bytes})
		}
	}
	merged := make([]*run, 0, len(groups)+16)
	for _, g := range groups {
		if g.to-g.from == 1 {
			merged = append(merged, runs[g.from])
		} else {
			merged = append(merged, mergeRuns(runs[g.from:g.to]))
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.runs { // runs appended meanwhile
		if r.min > latest {
			merged = append(merged, r)
		}
	}
	// Runs dropped meanwhile lie below the floor: a run wholly below it is dropped.
	for len(merged) > 0 && merged[0].max <= w.floor {
		merged = merged[1:]
	}
	w.runs, w.dropped, w.kept = merged, 0, 0
	w.bytes = 0
	for _, r := range merged {
		w.bytes += r.bytes
	}
}

func mergeRuns(runs []*run) *run {
	type stamped struct {
		key     []byte
		version int64
	}
	out := &run{min: runs[0].min, max: runs[0].max}
	n := 0
	for _, r := range runs {
		out.min, out.max = min(out.min, r.min), max(out.max, r.max)
		n += len(r.points)
	}
	all := make([]stamped, 0, n)
	var segments [][]segment
	for _, r := range runs {
		for i, p := range r.points {
			v := r.max
			if r.versions != nil {
				v = r.versions[i]
			}
			all = append(all, stamped{p, v})
		}
		if len(r.segments) > 0 {
			segments = append(segments, r.segments)
		}
	}
	slices.SortFunc(all, func(a, b stamped) int {
		if c := bytes.Compare(a.key, b.key); c != 0 {
			return c
		}
		switch {
		case a.version > b.version:
			return -1
		case a.version < b.version:
			return 1
		}
		return 0
	})
	out.points = make([][]byte, 0, len(all))
	out.versions = make([]int64, 0, len(all))
	for i, s := range all {
		if i > 0 && bytes.Equal(s.key, all[i-1].key) {
			continue
		}
		if len(out.points)%runBlock == 0 {
			out.newest = append(out.newest, s.version)
		} else if b := len(out.newest) - 1; s.version > out.newest[b] {
			out.newest[b] = s.version
		}
		out.points = append(out.points, s.key)
		out.versions = append(out.versions, s.version)
	}
	for len(segments) > 1 { // pairwise, so that each is copied log n times
		next := segments[:0]
		for i := 0; i < len(segments); i += 2 {
			if i+1 == len(segments) {
				next = append(next, segments[i])
			} else {
				next = append(next, mergeSegments(segments[i], segments[i+1]))
			}
		}
		segments = next
	}
	if len(segments) == 1 {
		out.segments = segments[0]
	}
	out.weigh()
	return out
}

// mergeSegments joins two sorted, disjoint lists into one; where they overlap,
// the greater version wins.
func mergeSegments(a, b []segment) []segment {
	out := make([]segment, 0, len(a)+len(b))
	emit := func(start, end []byte, version int64) {
		if bytes.Compare(start, end) >= 0 {
			return
		}
		if n := len(out); n > 0 && out[n-1].version == version && bytes.Equal(out[n-1].end, start) {
			out[n-1].end = end
			return
		}
		out = append(out, segment{start, end, version})
	}
	var x, y segment // the rest of the current segment of a and of b
	var hasX, hasY bool
	for {
		if !hasX && len(a) > 0 {
			x, a, hasX = a[0], a[1:], true
		}
		if !hasY && len(b) > 0 {
			y, b, hasY = b[0], b[1:], true
		}
		if !hasX && !hasY {
			return out
		}
		if !hasY || hasX && bytes.Compare(x.end, y.start) <= 0 {
			emit(x.start, x.end, x.version)
			hasX = false
			continue
		}
		if !hasX || bytes.Compare(y.end, x.start) <= 0 {
			emit(y.start, y.end, y.version)
			hasY = false
			continue
		}
		// They overlap: first the part that begins alone.
		if bytes.Compare(x.start, y.start) < 0 {
			emit(x.start, y.start, x.version)
			x.start = y.start
		} else if bytes.Compare(y.start, x.start) < 0 {
			emit(y.start, x.start, y.version)
			y.start = x.start
		}
		end := x.end
		if bytes.Compare(y.end, end) < 0 {
			end = y.end
		}
		emit(x.start, end, max(x.version, y.version))
		x.start, y.start = end, end
		hasX = bytes.Compare(x.start, x.end) < 0
		hasY = bytes.Compare(y.start, y.end) < 0
	}
}
