package document

import "strings"

// Picker takes the values at some keypaths out of objects, each object in one walk over its text, which ends with the
// last value that is found. It remembers the order of the keys, which most documents of a collection share. It is not
// safe for concurrent use.
type Picker struct {
	root pickedObject
}

// pickedObject is what is wanted of an object.
type pickedObject struct {
	children map[string]*pickedMember
	met      []metMember // the first members, as they have been met; not of the first object
	again    bool        // one has been met
}

type pickedMember struct {
	at     []int // its places among the keypaths
	object *pickedObject
}

// metMember is a key as it stands in a text, with what is wanted of the member: nil for nothing.
type metMember struct {
	key    string
	member *pickedMember
}

// maxMet is how many members' order is remembered of an object.
const maxMet = 64

// NewPicker makes a Picker. What a keypath through an array leads to is never found.
func NewPicker(paths []Keypath) *Picker {
	p := &Picker{}
	for i, path := range paths {
		p.add(i, path)
	}
	return p
}

func (p *Picker) add(at int, path Keypath) {
	for _, step := range path {
		if step.Array {
			return
		}
	}
	o := &p.root
	for i, step := range path {
		if o.children == nil {
			o.children = map[string]*pickedMember{}
		}
		m := o.children[step.Name]
		if m == nil {
			m = &pickedMember{}
			o.children[step.Name] = m
		}
		if i == len(path)-1 {
			m.at = append(m.at, at)
			return
		}
		if m.object == nil {
			m.object = &pickedObject{}
		}
		o = m.object
	}
}

// Pick puts the values at the keypaths into their places: the zero Value where an object has none.
func (p *Picker) Pick(v Value, into []Value) {
	clear(into)
	p.root.pick(v, into)
}

func (o *pickedObject) pick(v Value, into []Value) {
	m := membersOf(v.raw)
	for i, left := 0, len(o.children); left > 0 && m.next(); i++ {
		var found *pickedMember
		if i < len(o.met) && o.met[i].key == m.key {
			found = o.met[i].member
		} else {
			found = o.children[m.name()]
			if o.again && i == len(o.met) && i < maxMet {
				o.met = append(o.met, metMember{key: strings.Clone(m.key), member: found})
			}
		}
		if found == nil {
			continue
		}
		left--
		for _, at := range found.at {
			into[at] = m.value
		}
		if found.object != nil {
			found.object.pick(m.value, into)
		}
	}
	o.again = true
}
