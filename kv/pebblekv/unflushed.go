package pebblekv

import (
	"bytes"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/google/btree"

	"github.com/sqlfdb/sqlfdb/kv"
)

// sampleBytes is how many written bytes one sample stands for, on average.
const sampleBytes = 2 << 10

// unflushed estimates how many bytes of a range are in memory only, from a sample of the
// latest writes: Pebble's own estimates see files alone. The chance of a pair to be sampled
// grows with its size.
type unflushed struct {
	mu      sync.Mutex
	random  uint64
	passed  int64 // bytes since the last sample
	next    int64 // the sample is due when passed reaches this
	samples *btree.BTreeG[sample]
	latest  int64   // version of the last commit noted
	flush   int64   // version up to which the flush under way writes
	in, out float64 // bytes flushed: of keys and values, and of files
	ratio   float64 // of the two
}

type sample struct {
	key     []byte
	version int64
	weight  int64 // bytes
}

func (u *unflushed) init() {
	u.random = 0x9e3779b97f4a7c15
	u.next = sampleBytes
	u.in, u.out, u.ratio = 1<<20, 1<<19, 2 // until flushes show it
	u.samples = btree.NewG(16, func(a, b sample) bool { return bytes.Compare(a.key, b.key) < 0 })
}

// note looks at the writes of a committed group.
func (u *unflushed) note(version int64, group []*request) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.latest = version
	for _, q := range group {
		for i := range q.ops {
			o := &q.ops[i]
			switch o.kind {
			case opClear:
			case opClearRange:
				u.clear(kv.Range{Start: o.key, End: o.value})
			default:
				u.passed += int64(len(o.key) + len(o.value))
				if u.passed < u.next {
					continue
				}
				u.samples.ReplaceOrInsert(sample{bytes.Clone(o.key), version, u.passed})
				u.passed = 0
				u.random ^= u.random << 13
				u.random ^= u.random >> 7
				u.random ^= u.random << 17
				u.next = 1 + int64(u.random%(2*sampleBytes))
			}
		}
	}
}

func (u *unflushed) clear(r kv.Range) {
	var gone []sample
	u.samples.AscendRange(sample{key: r.Start}, sample{key: r.End}, func(s sample) bool {
		gone = append(gone, s)
		return true
	})
	for _, s := range gone {
		u.samples.Delete(s)
	}
}

// estimate returns the bytes of a range that are in memory only.
func (u *unflushed) estimate(r kv.Range) int64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	var n int64
	u.samples.AscendRange(sample{key: r.Start}, sample{key: r.End}, func(s sample) bool {
		n += s.weight
		return true
	})
	return n
}

// scale turns bytes of files into bytes of keys and values.
func (u *unflushed) scale(disk int64) int64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	return int64(float64(disk) * u.ratio)
}

func (u *unflushed) flushBegin() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.flush = u.latest
}

func (u *unflushed) flushEnd(info pebble.FlushInfo) {
	if info.Err != nil || !info.Done {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	var out uint64
	for _, t := range info.Output {
		out += t.Size
	}
	// The memtable's own share is about a fifth.
	u.in, u.out = u.in+0.8*float64(info.InputBytes), u.out+float64(out)
	u.ratio = min(max(u.in/u.out, 1), 50)
	if u.out > 256<<20 {
		u.in, u.out = u.in/2, u.out/2 // late flushes count more
	}
	kept := btree.NewG(16, func(a, b sample) bool { return bytes.Compare(a.key, b.key) < 0 })
	u.samples.Ascend(func(s sample) bool {
		if s.version > u.flush {
			kept.ReplaceOrInsert(s)
		}
		return true
	})
	u.samples = kept
}
