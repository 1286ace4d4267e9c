package tables

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
)

// Member is the set of documents that have an entry in one of its parts.
type Member []MemberPart

// MemberPart is entries at one keypath.
type MemberPart struct {
	Keypath  int64
	Versions []indexes.VersionSpans
	// Repeats: a document may have several entries at the keypath.
	Repeats bool
}

// IntersectOptions are the settings of Intersect.
type IntersectOptions struct {
	// Collected is how many keys of a member are held in memory at a time; 0 means
	// 100,000.
	Collected int
}

const defaultCollected = 100_000

// maxMergedValues is how many values of a member are merged into the order of keys.
const maxMergedValues = 16

// values are the single values that the member is made of; false if it is not made of
// few of them.
func (m Member) values() ([]indexes.Value, bool) {
	var out []indexes.Value
	for _, p := range m {
		for _, v := range p.Versions {
			for _, s := range v.Spans {
				if !s.IsPoint() || len(out) == maxMergedValues {
					return nil, false
				}
				out = append(out, indexes.Value{Keypath: p.Keypath, Version: v.Version, Value: s.Start})
			}
		}
	}
	return out, true
}

// Intersect walks the documents that are in all members, each once. Entries of single
// values are in the order of keys already: members of few values are merged, and the
// documents come in that order. Otherwise the first member's keys are collected and sorted,
// so it should be the one with the fewest entries; further members' keys are looked up
// among them. It fails with ErrRebuilding where Rebuilding reports it.
func (c *Collection) Intersect(r kv.Reader, members []Member, opts IntersectOptions) Rows {
	return c.intersect(r, members, opts)
}

func (c *Collection) intersect(r kv.Reader, members []Member, opts IntersectOptions) *intersection {
	i := &intersection{c: c, r: r, members: members, collected: opts.Collected, long: longread.Of(r),
		fetching: fetching{window: firstWindow}}
	i.epoch = i.long.Epoch()
	if i.collected == 0 {
		i.collected = defaultCollected
	}
	if c.Rebuilding() {
		i.err = fmt.Errorf("tables: intersect: %w", ErrRebuilding)
		return i
	}
	for n, m := range members {
		values, merged := m.values()
		switch {
		case merged:
			i.merged = append(i.merged, indexes.NewKeyCursor(r, c.keys, values))
		case n == 0:
			i.first = &memberWalk{c: c, r: r, left: m}
			if len(m) > 1 || slices.ContainsFunc(m, func(p MemberPart) bool { return p.Repeats }) {
				i.seen = map[string]struct{}{}
			}
		default:
			i.looked = append(i.looked, m)
		}
	}
	return i
}

type intersection struct {
	c       *Collection
	r       kv.Reader
	long    *longread.Tx // nil: r reads at one version
	epoch   int64        // when it began
	members []Member
	merged  []*indexes.KeyCursor // walked together in the order of keys
	first   *memberWalk          // collected in parts; nil: the merged ones lead
	looked  []Member             // walked to the end for each part that is collected
	seen    map[string]struct{}  // keys of first's that were collected; nil if none comes again
	// collected is how many keys are collected at a time.
	collected int

	keys [][]byte // found, and not fetched yet
	over bool     // no more keys come
	fetching
}

func (i *intersection) Next() bool {
	for i.err == nil {
		p := i.next(i.fill)
		if p == nil {
			return false
		}
		d, ok, err := p.named(i.long, i.epoch, i.standing)
		if err != nil {
			i.err = err
			return false
		}
		if !ok {
			continue
		}
		i.give(p.pk, d)
		return true
	}
	return false
}

// standing are the entries that a document must have to be in all members.
func (i *intersection) standing() [][]kv.Range {
	var sets [][]kv.Range
	for _, m := range i.members {
		var set []kv.Range
		for _, p := range m {
			set = append(set, i.c.ranges(p)...)
		}
		sets = append(sets, set)
	}
	return sets
}

// fill starts reads of further documents up to the window.
func (i *intersection) fill() {
	for i.err == nil && !i.over && len(i.ahead)+len(i.keys) < i.window {
		if i.first == nil && len(i.looked) == 0 {
			i.merge(i.window)
		} else {
			i.collect()
		}
	}
	n := min(len(i.keys), max(0, i.window-len(i.ahead)))
	i.send(i.c, i.r, i.keys[:n])
	i.keys = i.keys[n:]
}

// merge finds keys that are in all merged members, up to a number. Whichever is behind
// looks for the key of the one that is farthest ahead.
func (i *intersection) merge(limit int) {
	lead := i.merged[0]
	for len(i.keys) < limit && i.err == nil {
		if !lead.Next() {
			i.over, i.err = true, lead.Err()
			return
		}
		if !i.align(lead) {
			return
		}
		i.keys = append(i.keys, bytes.Clone(lead.PK()))
	}
}

// align moves all merged members to the first key from the lead's on that all have.
func (i *intersection) align(lead *indexes.KeyCursor) bool {
	for same := 1; same < len(i.merged); {
		same = 1
		for _, m := range i.merged[1:] {
			if m.PK() == nil || bytes.Compare(m.PK(), lead.PK()) < 0 {
				if !m.Seek(lead.PK()) {
					i.over, i.err = true, m.Err()
					return false
				}
			}
			if !bytes.Equal(m.PK(), lead.PK()) {
				if !lead.Seek(m.PK()) {
					i.over, i.err = true, lead.Err()
					return false
				}
				break
			}
			same++
		}
	}
	return true
}

// collect finds the keys of the next part of the documents.
func (i *intersection) collect() {
	var keys [][]byte
	before := i.keys
	if i.first == nil {
		i.keys = nil
		i.merge(i.collected)
		keys = i.keys
	} else {
		keys = i.take()
	}
	for _, m := range i.looked {
		if len(keys) > 0 && i.err == nil {
			keys = i.within(keys, m)
		}
	}
	if i.first != nil && len(i.merged) > 0 && len(keys) > 0 && i.err == nil {
		keys = i.among(keys)
	}
	i.keys = append(before, keys...)
}

// take collects keys of the first member and sorts them.
func (i *intersection) take() [][]byte {
	var keys [][]byte
	for len(keys) < i.collected && i.err == nil {
		if !i.first.next() {
			i.over, i.err = true, i.first.err
			break
		}
		if i.seen != nil {
			if _, again := i.seen[string(i.first.pk)]; again {
				continue
			}
			i.seen[string(i.first.pk)] = struct{}{}
		}
		keys = append(keys, bytes.Clone(i.first.pk))
	}
	slices.SortFunc(keys, bytes.Compare)
	return keys
}

// within keeps the keys that a member has entries of.
func (i *intersection) within(keys [][]byte, m Member) [][]byte {
	found := make([]bool, len(keys))
	left := len(keys)
	walk := &memberWalk{c: i.c, r: i.r, left: m}
	for left > 0 && walk.next() {
		if at, there := slices.BinarySearchFunc(keys, walk.pk, bytes.Compare); there && !found[at] {
			found[at] = true
			left--
		}
	}
	walk.close()
	i.work = i.work.Plus(walk.work)
	i.err = walk.err
	out := keys[:0]
	for n, k := range keys {
		if found[n] {
			out = append(out, k)
		}
	}
	return out
}

// among keeps the sorted keys that all merged members have.
func (i *intersection) among(keys [][]byte) [][]byte {
	for n, m := range i.merged {
		out := keys[:0]
		for _, k := range keys {
			if m.PK() == nil || bytes.Compare(m.PK(), k) < 0 {
				if !m.Seek(k) {
					i.err = m.Err()
					break
				}
			}
			if bytes.Equal(m.PK(), k) {
				out = append(out, k)
			}
		}
		keys = out
		if !i.over {
			i.merged[n] = i.again(m) // the next part begins at its first key
		}
	}
	return keys
}

// again is a merged member from its beginning.
func (i *intersection) again(m *indexes.KeyCursor) *indexes.KeyCursor {
	i.work.Entries += m.Visited()
	m.Close()
	return m.Again()
}

func (i *intersection) Read() Work {
	w := i.work
	for _, m := range i.merged {
		w.Entries += m.Visited()
	}
	if i.first != nil {
		w = w.Plus(i.first.read())
	}
	return w
}

func (i *intersection) Close() {
	for _, m := range i.merged {
		m.Close()
	}
	if i.first != nil {
		i.first.close()
	}
	i.ahead, i.keys, i.over = nil, nil, true
}

// memberWalk walks the entries of a member part by part.
type memberWalk struct {
	c    *Collection
	r    kv.Reader
	left Member // parts still to be walked
	at   *Entries
	pk   []byte // valid until next
	work Work   // of parts that are over
	err  error
}

func (w *memberWalk) next() bool {
	for w.err == nil {
		if w.at == nil {
			if len(w.left) == 0 {
				return false
			}
			w.at = w.c.Entries(w.r, w.left[0].Keypath, w.left[0].Versions, ScanOptions{})
			w.left = w.left[1:]
		}
		if w.at.Next() {
			w.pk, w.err = w.at.PK()
			return w.err == nil
		}
		w.err = w.at.Err()
		w.close()
	}
	return false
}

func (w *memberWalk) read() Work {
	if w.at == nil {
		return w.work
	}
	return w.work.Plus(w.at.Read())
}

func (w *memberWalk) close() {
	if w.at != nil {
		w.at.Close()
		w.work = w.work.Plus(w.at.Read())
		w.at = nil
	}
}
