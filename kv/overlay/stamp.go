package overlay

import (
	"bytes"
	"encoding/binary"

	"github.com/sqlfdb/sqlfdb/kv"
)

// stampGroup holds the templates that agree up to the versionstamp: all the
// keys that they may become lie in one range.
type stampGroup struct {
	keys      kv.Range
	templates []*node
}

// SetVersionstampedKey writes a pair whose key gets the commit's versionstamp
// at offset. No reader sees it before the commit. Writing the same template
// again replaces the value.
func (t *Tx) SetVersionstampedKey(key []byte, offset int, value []byte) {
	if !t.checkOffset(offset, len(key)) {
		return
	}
	n, hash, slot := t.stamped.place(t.templateName(key, offset))
	if n == nil {
		n = t.nodes.alloc()
		n.key, n.hash = t.arena.copyOf(t.scratch), hash
		t.stamped.put(slot, n)
		t.stampedOrder = append(t.stampedOrder, n)
		t.group(key[:offset]).add(n)
	}
	t.write(n, kindStampedKey, t.arena.copyOf(value), nil, 0)
}

// ClearVersionstampedKey forgets a pending SetVersionstampedKey of exactly this template,
// with any offset.
func (t *Tx) ClearVersionstampedKey(template []byte) {
	if t.stamped.count == 0 {
		return
	}
	name := t.templateName(template, 0)
	for offset := 0; offset <= len(template)-kv.VersionstampSize; offset++ {
		binary.LittleEndian.PutUint32(name[len(template):], uint32(offset))
		if n := t.stamped.find(name); n != nil && n.last != nil && n.last.kind != kindClear {
			t.write(n, kindClear, nil, nil, 0)
		}
	}
}

// templateName makes the name of a template in scratch: the same bytes
// stamped at another place are another key.
func (t *Tx) templateName(template []byte, offset int) []byte {
	t.scratch = append(t.scratch[:0], template...)
	t.scratch = binary.LittleEndian.AppendUint32(t.scratch, uint32(offset))
	return t.scratch
}

func (t *Tx) group(prefix []byte) *stampGroup {
	g := t.stampGroups[string(prefix)]
	if g == nil {
		if t.stampGroups == nil {
			t.stampGroups = make(map[string]*stampGroup)
		}
		g = &stampGroup{keys: kv.PrefixRange(bytes.Clone(prefix))}
		t.stampGroups[string(prefix)] = g
	}
	return g
}

func (g *stampGroup) add(n *node) { g.templates = append(g.templates, n) }

// clearStamped applies the clear of a range to the pending versionstamped keys: one that
// will certainly lie in it is forgotten. One that may lie in it, depending on the stamp, is
// written before all clears, so that the store decides. A clear that came before it then
// counts as one that came after.
func (t *Tx) clearStamped(r kv.Range) {
	for _, g := range t.stampGroups {
		if bytes.Compare(g.keys.End, r.Start) <= 0 || bytes.Compare(r.End, g.keys.Start) <= 0 {
			continue
		}
		certain := bytes.Compare(r.Start, g.keys.Start) <= 0 && bytes.Compare(g.keys.End, r.End) <= 0
		for _, n := range g.templates {
			switch {
			case n.last == nil || n.last.kind == kindClear:
			case certain:
				t.write(n, kindClear, nil, nil, 0)
			case n.last.kind == kindStampedKey:
				t.write(n, kindStampedEarly, n.last.value, nil, 0)
			}
		}
	}
}

// flushStamped writes the pending keys of one kind in the order of their templates' first write.
func (t *Tx) flushStamped(k kind) {
	for _, n := range t.stampedOrder {
		if v := n.last; v != nil && v.kind == k {
			at := len(n.key) - 4
			t.base.SetVersionstampedKey(n.key[:at], int(binary.LittleEndian.Uint32(n.key[at:])), v.value)
		}
	}
}
