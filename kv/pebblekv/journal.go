package pebblekv

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// The journal holds the sums of the last groups, so that a group that adds to twenty keys
// writes one. Record n after a fold is at journalKey(n); it has the group's version.
// Records whose version is not above the one at foldedKey are from before the fold. So the
// same few keys are written again and again.
//
// A record is the version, 8 bytes big-endian, and for each key
//
//	uvarint  how many bytes it shares with the key before it
//	uvarint  how many bytes follow
//	bytes
//	uvarint  0: the key's value is what Pebble has; n: a sum of n-1 bytes follows
//	bytes
//
// Docs: docs/rfcs/0008-journal-of-sums.md.
type journal struct {
	foldAfter int // records between two folds
	records   int // since the last one
	scratch   []byte
}

const (
	defaultFoldAfter = 256
	maxRecordBytes   = 64 << 10
)

// foldedKey holds the version up to which all sums are in their keys.
var foldedKey = []byte("\xff\x00folded")

func journalKey(n int) []byte {
	return binary.BigEndian.AppendUint16([]byte("\xff\x00journal"), uint16(n))
}

// A record has the sums of the keys that a group has touched.
type record struct {
	bytes  []byte
	values [][]byte // of each key, in bytes; nil: Pebble has it
	told   int      // how many keys are in it
}

// record makes a group's record; false when all sums are to be folded instead.
func (j *journal) record(touched []*counter, version int64) (*record, bool) {
	if j.records >= j.foldAfter {
		return nil, false
	}
	r := &record{values: make([][]byte, len(touched))}
	b := binary.BigEndian.AppendUint64(j.scratch[:0], uint64(version))
	ends := make([]int, len(touched))
	before := ""
	for i, n := range touched {
		if !n.added && !n.held {
			continue
		}
		r.told++
		same := 0
		for same < min(len(before), len(n.key)) && before[same] == n.key[same] {
			same++
		}
		before = n.key
		b = binary.AppendUvarint(b, uint64(same))
		b = binary.AppendUvarint(b, uint64(len(n.key)-same))
		b = append(b, n.key[same:]...)
		if !n.added {
			b = append(b, 0)
			continue
		}
		b = binary.AppendUvarint(b, uint64(len(n.value)+1))
		b = append(b, n.value...)
		ends[i] = len(b)
	}
	j.scratch = b
	if len(b) > maxRecordBytes {
		return nil, false
	}
	r.bytes = slices.Clone(b)
	for i, n := range touched {
		if n.added {
			r.values[i] = r.bytes[ends[i]-len(n.value) : ends[i] : ends[i]]
		}
	}
	return r, true
}

// write adds a record to the journal, if it holds anything.
func (j *journal) write(b *pebble.Batch, r *record) error {
	if r.told == 0 {
		return nil
	}
	key := journalKey(j.records)
	j.records++
	return b.Set(key, r.bytes, nil)
}

// folded notes that all sums up to a version are in their keys.
func (j *journal) folded(b *pebble.Batch, version int64) error {
	j.records = 0
	return b.Set(foldedKey, binary.BigEndian.AppendUint64(nil, uint64(version)), nil)
}

// recover writes the sums of the journal to their keys, in a store that is being opened. In a lossy store records may
// be missing between others: the remaining ones count.
func (j *journal) recover(db *pebble.DB, lossy bool) error {
	folded, err := versionAt(db, foldedKey)
	if err != nil {
		return err
	}
	sums, last, err := readJournal(db, folded, lossy)
	if err != nil || last == 0 {
		return err
	}
	b := db.NewBatch()
	defer b.Close()
	for key, value := range sums {
		if value == nil {
			continue
		}
		if err := b.Set([]byte(key), value, nil); err != nil {
			return err
		}
	}
	if err := j.folded(b, last); err != nil {
		return err
	}
	return b.Commit(pebble.Sync)
}

// readSums is the sums of the journal, for a store that is only read.
func readSums(db *pebble.DB) (*pending, error) {
	folded, err := versionAt(db, foldedKey)
	if err != nil {
		return nil, err
	}
	sums, _, err := readJournal(db, folded, false)
	if err != nil {
		return nil, err
	}
	p := &pending{slots: &slots{}, chunks: make([]*chunk, (len(sums)+chunkSlots-1)/chunkSlots)}
	for i, key := range slices.Sorted(maps.Keys(sums)) {
		p.slots.sorted = append(p.slots.sorted, slot{key, i})
		if p.chunks[i/chunkSlots] == nil {
			p.chunks[i/chunkSlots] = &chunk{}
		}
		p.chunks[i/chunkSlots][i%chunkSlots] = sums[key]
	}
	return p, nil
}

// readJournal reads the sums of the records after a version, and the version of the last record. In a lossy store
// they may stand in any order.
func readJournal(db *pebble.DB, after int64, lossy bool) (sums map[string][]byte, last int64, err error) {
	it, err := db.NewIter(&pebble.IterOptions{LowerBound: journalKey(0), UpperBound: append(journalKey(1<<16-1), 0)})
	if err != nil {
		return nil, 0, err
	}
	defer it.Close()
	type told struct {
		version    int64
		key, value []byte
	}
	var records []told
	// The records after a fold are in order, from the first on; older ones
	// follow them.
	for ok := it.First(); ok; ok = it.Next() {
		v, err := it.ValueAndErr()
		if err != nil {
			return nil, 0, err
		}
		if len(v) < 8 {
			return nil, 0, errJournal(it.Key())
		}
		version := int64(binary.BigEndian.Uint64(v))
		if version <= after {
			continue
		}
		if version <= last && !lossy {
			return nil, 0, errJournal(it.Key())
		}
		last = max(last, version)
		records = append(records, told{version, bytes.Clone(it.Key()), bytes.Clone(v[8:])})
	}
	if err := it.Error(); err != nil {
		return nil, 0, err
	}
	slices.SortStableFunc(records, func(a, b told) int { return cmp.Compare(a.version, b.version) })
	sums = map[string][]byte{}
	for _, r := range records {
		if !readRecord(r.value, sums) {
			return nil, 0, errJournal(r.key)
		}
	}
	return sums, last, nil
}

func errJournal(key []byte) error {
	return fmt.Errorf("the journal's record %x is damaged", key)
}

// readRecord puts a record's sums into sums; nil for a key whose value is in Pebble.
func readRecord(b []byte, sums map[string][]byte) bool {
	take := func(n uint64) ([]byte, bool) {
		if n > uint64(len(b)) {
			return nil, false
		}
		out := b[:n]
		b = b[n:]
		return out, true
	}
	number := func() (uint64, bool) {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			return 0, false
		}
		b = b[size:]
		return n, true
	}
	var key []byte
	for len(b) > 0 {
		same, ok1 := number()
		more, ok2 := number()
		rest, ok3 := take(more)
		if !ok1 || !ok2 || !ok3 || same > uint64(len(key)) {
			return false
		}
		key = append(key[:same:same], rest...)
		n, ok := number()
		if !ok {
			return false
		}
		if n == 0 {
			sums[string(key)] = nil
			continue
		}
		value, ok := take(n - 1)
		if !ok {
			return false
		}
		sums[string(key)] = append([]byte{}, value...)
	}
	return true
}

// versionAt reads a version from one of the engine's own keys: 0 when there is none.
func versionAt(db *pebble.DB, key []byte) (int64, error) {
	v, closer, err := db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer closer.Close()
	if len(v) != 8 {
		return 0, fmt.Errorf("%s has %d bytes, not 8", bytes.TrimPrefix(key, []byte("\xff\x00")), len(v))
	}
	return int64(binary.BigEndian.Uint64(v)), nil
}
