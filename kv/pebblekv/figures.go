package pebblekv

import (
	"errors"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
	dto "github.com/prometheus/client_model/go"

	"github.com/sqlfdb/sqlfdb/kv"
)

// watched are the engine's own counts, beside Pebble's.
type watched struct {
	commits, commitTime atomic.Int64 // of transactions that wrote something; nanoseconds
	commitsWithin       [len(commitBounds)]atomic.Int64
	conflicts           atomic.Int64
	stalls, stalled     atomic.Int64 // of writes by Pebble; nanoseconds
	stalling            atomic.Int64 // since when, in Unix nanoseconds; 0: it is not
}

// commitBounds are the bounds of the histogram of commits: each commit counts at the first bound that it does not
// exceed.
var commitBounds = [...]time.Duration{100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond,
	time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond, 10 * time.Millisecond, 25 * time.Millisecond,
	50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond, time.Second,
	2500 * time.Millisecond, 5 * time.Second, 10 * time.Second}

// commitFigure is the histogram of commits.
func (w *watched) commitFigure() kv.Figure {
	f := kv.Figure{Name: "commit_seconds", Help: "What commits with writes took.",
		Value: time.Duration(w.commitTime.Load()).Seconds(), Count: uint64(w.commits.Load())}
	var count uint64
	for i, bound := range commitBounds {
		count += uint64(w.commitsWithin[i].Load())
		f.Buckets = append(f.Buckets, kv.Bucket{To: bound.Seconds(), Count: count})
	}
	f.Count = max(f.Count, count) // one that has just been counted in its bucket
	return f
}

// syncFigure is Pebble's histogram of the syncs of its log, in nanoseconds.
func syncFigure(h *dto.Histogram) kv.Figure {
	f := kv.Figure{Name: "sync_seconds", Help: "What syncs of the log took.", Value: h.GetSampleSum() / 1e9,
		Count: h.GetSampleCount()}
	for _, b := range h.Bucket {
		f.Buckets = append(f.Buckets, kv.Bucket{To: b.GetUpperBound() / 1e9, Count: b.GetCumulativeCount()})
	}
	return f
}

// note counts a commit.
func (w *watched) note(took time.Duration, err error) {
	switch {
	case err == nil:
		w.commits.Add(1)
		w.commitTime.Add(int64(took))
		for i, bound := range commitBounds {
			if took <= bound {
				w.commitsWithin[i].Add(1)
				break
			}
		}
	case errors.Is(err, kv.ErrConflict):
		w.conflicts.Add(1)
	}
}

func (w *watched) stallBegin(pebble.WriteStallBeginInfo) {
	w.stalls.Add(1)
	w.stalling.Store(time.Now().UnixNano())
}

func (w *watched) stallEnd() {
	if since := w.stalling.Swap(0); since != 0 {
		w.stalled.Add(time.Now().UnixNano() - since)
	}
}

// Figures implements kv.Store.
func (s *store) Figures() (out []kv.Figure) {
	add := func(name, help string, value float64, labels ...string) {
		out = append(out, kv.Figure{Name: name, Help: help, Value: value, Labels: labels})
	}
	seconds := func(n int64) float64 { return time.Duration(n).Seconds() }
	s.mu.Lock()
	open, oldest := 0, time.Duration(0)
	for t := s.open.first(); t != nil; t = s.open.next(t) {
		if open++; open == 1 {
			oldest = time.Since(t.begun)
		}
	}
	closing := s.closing
	s.mu.Unlock()
	add("transactions_open", "Transactions that are open.", float64(open))
	add("transaction_oldest_seconds", "How long ago the oldest open transaction began.", oldest.Seconds())
	w := &s.watched
	add("commits_total", "Transactions that have been committed with writes.", float64(w.commits.Load()))
	out = append(out, w.commitFigure())
	add("commit_conflicts_total", "Transactions that did not commit because of a conflict.", float64(w.conflicts.Load()))
	add("write_stalls_total", "How often writes were held up since compactions were behind.", float64(w.stalls.Load()))
	add("write_stall_seconds_total", "How long they were held up, together.", seconds(w.stalled.Load()))
	failed := 0.0
	if s.failure.Load() != nil {
		failed = 1
	}
	add("failed", "1 once the store has met an error of its disk and takes no more writes.", failed)
	if closing {
		return out
	}
	m := s.db.Metrics()
	if m.LogWriter.FsyncLatency != nil {
		var h dto.Metric
		if err := m.LogWriter.FsyncLatency.Write(&h); err == nil && h.Histogram != nil {
			out = append(out, syncFigure(h.Histogram))
		}
	}
	for i, l := range m.Levels {
		level := strconv.Itoa(i)
		add("level_tables", "Tables in a level.", float64(l.TablesCount), "level", level)
		add("level_bytes", "Bytes of the tables in a level.", float64(l.TablesSize), "level", level)
	}
	add("read_amplification", "How many tables a read may look into.", float64(m.ReadAmp()))
	add("compactions_total", "Compactions that have been done.", float64(m.Compact.Count))
	add("compactions_running", "Compactions that run.", float64(m.Compact.NumInProgress))
	add("compaction_debt_bytes", "Bytes that compactions are behind, by estimate.", float64(m.Compact.EstimatedDebt))
	add("flushes_total", "Flushes that have been done.", float64(m.Flush.Count))
	add("memtable_bytes", "Bytes of what is in memory only, beside the log.", float64(m.MemTable.Size))
	add("log_bytes", "Bytes of the logs.", float64(m.WAL.PhysicalSize))
	add("log_written_bytes_total", "Bytes that were written to the logs.", float64(m.WAL.BytesWritten))
	add("disk_bytes", "Bytes that the store takes on its disk.", float64(m.DiskSpaceUsage()))
	add("cache_bytes", "Bytes in the cache of blocks.", float64(m.BlockCache.Size))
	add("cache_hits_total", "Blocks that the cache had.", float64(m.BlockCache.Hits))
	add("cache_misses_total", "Blocks that it did not have.", float64(m.BlockCache.Misses))
	return out
}
