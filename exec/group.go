package exec

import (
	"encoding/binary"
	"math"
	"strings"
)

// Groups numbers the groups of rows, in the order of their first rows.
type Groups struct {
	Of []*Expression
	// Known numbers a group that is met for the first time by its values as they are: another's number if SQL holds them
	// equal, or else the next.
	Known func(row int32, columns []*Column, next int32) (int32, error)
	Count int32

	columns []*Column
	texts   map[string]int32
	ints    map[int64]int32
	key     []byte
	null    int32 // of a single column: the group of NULL and 1
}

// Number puts the number of each row's group into into; false where a row is not computed here.
func (g *Groups) Number(b *Batch, rows, into []int32) ([]int32, error) {
	into = into[:0]
	if len(g.Of) == 0 {
		g.Count = 1
		return append(into, make([]int32, len(rows))...), nil
	}
	if g.columns == nil {
		g.columns = make([]*Column, len(g.Of))
		g.texts, g.ints = map[string]int32{}, map[int64]int32{}
	}
	for i, e := range g.Of {
		c, ok := e.Eval(b, rows)
		if !ok {
			return nil, ErrUnexpected
		}
		g.columns[i] = c
	}
	for _, r := range rows {
		n, err := g.number(r)
		if err != nil {
			return nil, err
		}
		into = append(into, n)
	}
	return into, nil
}

func (g *Groups) number(r int32) (int32, error) {
	if len(g.Of) > 1 {
		g.key = g.key[:0]
		for i, c := range g.columns {
			g.key = appendKey(g.key, c, r, g.Of[i].Type.Kind)
		}
		if n, ok := g.texts[string(g.key)]; ok {
			return n, nil
		}
		n, err := g.meet(r)
		g.texts[string(g.key)] = n
		return n, err
	}
	c := g.columns[0]
	if c.IsNull(r) {
		if g.null == 0 {
			n, err := g.meet(r)
			if err != nil {
				return 0, err
			}
			g.null = n + 1
		}
		return g.null - 1, nil
	}
	if g.Of[0].Type.Kind == Text {
		if n, ok := g.texts[c.Texts[r]]; ok {
			return n, nil
		}
		n, err := g.meet(r)
		g.texts[strings.Clone(c.Texts[r])] = n
		return n, err
	}
	key := int64(0)
	if g.Of[0].Type.Kind == Float {
		key = int64(math.Float64bits(c.Floats[r]))
	} else {
		key = c.Ints[r]
	}
	if n, ok := g.ints[key]; ok {
		return n, nil
	}
	n, err := g.meet(r)
	g.ints[key] = n
	return n, err
}

func (g *Groups) meet(r int32) (int32, error) {
	n, err := g.Known(r, g.columns, g.Count)
	if n == g.Count {
		g.Count++
	}
	return n, err
}

func appendKey(key []byte, c *Column, r int32, k Kind) []byte {
	if c.IsNull(r) {
		return append(key, 0)
	}
	key = append(key, 1)
	switch k {
	case Float:
		return binary.LittleEndian.AppendUint64(key, math.Float64bits(c.Floats[r]))
	case Text:
		return append(binary.AppendUvarint(key, uint64(len(c.Texts[r]))), c.Texts[r]...)
	}
	return binary.LittleEndian.AppendUint64(key, uint64(c.Ints[r]))
}
