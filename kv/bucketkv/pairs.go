package bucketkv

import (
	"bytes"
	"sort"

	"github.com/google/btree"

	"github.com/sqlfdb/sqlfdb/kv"
)

// pair is a key with its value. pending is a value that is known at commit only.
type pair struct {
	key, value []byte
	pending    bool
}

// pairs are sorted by their keys. Published pairs are immutable: they are cloned before a change.
type pairs struct {
	tree  *btree.BTreeG[pair]
	local ranges
	kept  int // bytes of keys and values, but for local ones
	own   int // bytes of local ones
}

// ranges are sorted, and don't overlap or touch.
type ranges []kv.Range

// have reports whether a key is in one of them.
func (rs ranges) have(key []byte) bool {
	i := sort.Search(len(rs), func(i int) bool { return bytes.Compare(rs[i].End, key) > 0 })
	return i < len(rs) && bytes.Compare(key, rs[i].Start) >= 0
}

// cover reports whether a range is within one of them.
func (rs ranges) cover(in kv.Range) bool {
	for _, r := range rs {
		if bytes.Compare(in.Start, r.Start) >= 0 && bytes.Compare(in.End, r.End) <= 0 {
			return true
		}
	}
	return false
}

func newPairs(local ranges) pairs {
	return pairs{local: local, tree: btree.NewG(32, func(a, b pair) bool { return bytes.Compare(a.key, b.key) < 0 })}
}

// clone returns pairs that may be changed. Two goroutines may not clone the same at once.
func (p *pairs) clone() pairs {
	out := *p
	out.tree = p.tree.Clone()
	return out
}

// grow counts bytes of a key.
func (p *pairs) grow(key []byte, n int) {
	if p.local.have(key) {
		p.own += n
	} else {
		p.kept += n
	}
}

func (p *pairs) get(key []byte) (pair, bool) { return p.tree.Get(pair{key: key}) }

// put sets a pair, whose slices it keeps.
func (p *pairs) put(is pair) {
	old, there := p.tree.ReplaceOrInsert(is)
	n := len(is.value) - len(old.value)
	if !there {
		n += len(is.key)
	}
	p.grow(is.key, n)
}

func (p *pairs) set(key, value []byte) {
	if value == nil {
		value = []byte{}
	}
	p.put(pair{key: key, value: value})
}

func (p *pairs) clear(key []byte) {
	if old, there := p.tree.Delete(pair{key: key}); there {
		p.grow(key, -len(old.key)-len(old.value))
	}
}

func (p *pairs) clearRange(r kv.Range) {
	var gone [][]byte
	p.tree.AscendRange(pair{key: r.Start}, pair{key: r.End}, func(is pair) bool {
		gone = append(gone, is.key)
		return true
	})
	for _, key := range gone {
		p.clear(key)
	}
}

// add adds a little-endian operand of any length, as kv.Writer says.
func (p *pairs) add(key, operand []byte) {
	old, _ := p.get(key)
	if old.pending {
		return
	}
	value := make([]byte, len(operand))
	carry := 0
	for i := range value {
		sum := int(operand[i]) + carry
		if i < len(old.value) {
			sum += int(old.value[i])
		}
		value[i], carry = byte(sum), sum>>8
	}
	p.set(key, value)
}
