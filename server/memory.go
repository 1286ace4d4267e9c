package server

import (
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// Statements count the rows and values that they hold, and end by themselves at their limit; see package hold. Other
// memory, such as the parser's, is seen here: a look at the heap every few milliseconds ends the statement that holds
// the most before the process exceeds its limit.

const (
	memoryLook = 20 * time.Millisecond
	// memoryFull is the part of its memory, in hundredths, from which on the process ends statements.
	memoryFull = 90
	// collectEvery is the shortest time between garbage collections that the look asks for, as long as there is room.
	collectEvery = 250 * time.Millisecond
	// endingPatience is how long an ended statement has until another one is ended.
	endingPatience = 200 * time.Millisecond
	// bytesOfText is how many bytes a byte of a statement's text may take, parsed and planned.
	bytesOfText = 32
)

// watchMemory keeps the heap below so many bytes until the server closes.
func (h *handler) watchMemory(limit int64) {
	full := uint64(limit) / 100 * memoryFull
	tick := time.NewTicker(memoryLook)
	defer tick.Stop()
	var collected time.Time
	for {
		select {
		case <-tick.C:
		case <-h.closed:
			return
		}
		used := heapBytes()
		if used < full || used < uint64(limit) && time.Since(collected) < collectEvery {
			continue
		}
		runtime.GC()
		collected = time.Now()
		if used = heapBytes(); used < full || !h.endGreatest() {
			continue
		}
		time.Sleep(endingPatience)
	}
}

// heapBytes is how many bytes the heap's objects take, including unused ones that are not collected yet.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// endGreatest ends the running statement that holds the most, as far as that is known; false where none runs.
func (h *handler) endGreatest() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	var greatest *client
	most := int64(-1)
	for id, cl := range h.clients {
		if cl.cancel == nil {
			continue
		}
		bytes := bytesOfText * cl.text
		if s, ok := h.backend.Client(id); ok {
			bytes += s.Memory().Held()
		}
		if bytes > most {
			greatest, most = cl, bytes
		}
	}
	if greatest == nil {
		return false
	}
	greatest.cancel(mysqlerr.ErrMemory)
	return true
}
