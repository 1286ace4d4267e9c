package document

import "sync"

// DefaultFlattenDepth is the number of names that an indexed keypath has at
// most.
const DefaultFlattenDepth = 5

// FlattenOptions are the settings of Flatten. The zero value is the default.
type FlattenOptions struct {
	// MaxDepth is the largest number of names in a keypath; [*] doesn't count.
	// 0 stands for DefaultFlattenDepth; more than DefaultMaxDepth has no effect.
	MaxDepth int
	// Excluded reports whether the value at a keypath, and all below it, is left
	// out. It gets the spelling, in a buffer that is reused. nil excludes nothing.
	Excluded func(path []byte) bool
	// Beside is another document: members that stand at the same place in both, with the same name and text, are left
	// out. The zero Document leaves out none.
	Beside Document
}

// Leaf is one value of a document with its keypath and position. Objects and arrays are
// leaves too, even if their contents follow: a document has a keypath if and only if it has
// a leaf at it.
type Leaf struct {
	// Path is the spelled keypath. The buffer is reused for the next leaf.
	Path []byte
	// Value is the value, a view of the document's text.
	Value Value
	// Kind is the value's kind.
	Kind Kind
	// Positions is a single 0 for a value not below an array, otherwise the
	// indexes from 1 of the enclosing arrays, outermost first: as many as Path
	// has [*]. The slice is reused for the next leaf.
	Positions []int64
	// Empty: an object or array that holds nothing.
	Empty bool
	// Stub: an object or array with contents for which no leaves follow. It is at the depth
	// limit, an array directly inside an array, or an array whose elements are excluded.
	Stub bool
}

// Flatten calls emit for every value in d but d itself, in the order of the text, an object
// or array before its contents. It stops at emit's first error and returns it. It has no
// other errors, and it allocates nothing in the long run.
func Flatten(d Document, o FlattenOptions, emit func(Leaf) error) error {
	f := flatteners.Get().(*flattener)
	f.maxDepth, f.excluded, f.emit = o.MaxDepth, o.Excluded, emit
	if f.maxDepth <= 0 {
		f.maxDepth = DefaultFlattenDepth
	}
	f.maxDepth = min(f.maxDepth, DefaultMaxDepth)
	f.beside = o.Beside.raw
	err := f.object(d.raw, 0)
	f.path, f.positions = f.path[:0], f.positions[:0]
	f.excluded, f.emit, f.beside = nil, nil, ""
	flatteners.Put(f)
	return err
}

var flatteners = sync.Pool{New: func() any { return new(flattener) }}

type flattener struct {
	maxDepth  int
	excluded  func([]byte) bool
	emit      func(Leaf) error
	beside    string
	path      []byte
	positions []int64
	none      [1]int64 // the positions of a value not below an array
}

// object flattens the members of an object below depth names.
func (f *flattener) object(text string, depth int) error {
	mark := len(f.path)
	m, same := membersOf(text), members{}
	if depth == 0 {
		same = membersOf(f.beside)
	}
	for m.next() {
		if same.next() && same.key == m.key && same.value == m.value {
			continue
		}
		path := f.path[:mark]
		if mark > 0 {
			path = append(path, '.')
		}
		switch {
		case m.escaped():
			path = appendName(path, m.name())
		case m.flags&keyQuoted != 0 || m.key == "":
			path = append(path, '"')
			path = append(path, m.key...)
			path = append(path, '"')
		default:
			path = append(path, m.key...)
		}
		f.path = path
		if f.excluded != nil && f.excluded(path) {
			continue
		}
		if err := f.value(m.value, depth+1, false); err != nil {
			return err
		}
	}
	f.path = f.path[:mark]
	return nil
}

// value flattens the value at f.path, which has depth names and, if it is an
// element, ends with [*].
func (f *flattener) value(v Value, depth int, element bool) error {
	leaf := Leaf{Path: f.path, Value: v, Kind: v.Kind(), Positions: f.positions}
	if len(f.positions) == 0 {
		f.none[0] = 0
		leaf.Positions = f.none[:]
	}
	switch leaf.Kind {
	case KindObject:
		leaf.Empty = len(v.raw) == 2
		leaf.Stub = !leaf.Empty && depth >= f.maxDepth
		if err := f.emit(leaf); err != nil || leaf.Empty || leaf.Stub {
			return err
		}
		return f.object(v.raw, depth)
	case KindArray:
		mark := len(f.path)
		leaf.Empty = len(v.raw) == 2
		leaf.Stub = !leaf.Empty && (element || depth >= f.maxDepth)
		if !leaf.Empty && !leaf.Stub {
			f.path = append(f.path, "[*]"...)
			leaf.Stub = f.excluded != nil && f.excluded(f.path)
			leaf.Path = f.path[:mark]
		}
		err := f.emit(leaf)
		if err == nil && !leaf.Empty && !leaf.Stub {
			err = f.elements(v.raw, depth)
		}
		f.path = f.path[:mark]
		return err
	}
	return f.emit(leaf)
}

// elements flattens the elements of an array; f.path ends with its [*].
func (f *flattener) elements(text string, depth int) error {
	f.positions = append(f.positions, 0)
	last := len(f.positions) - 1
	e := elementsOf(text)
	for e.next() {
		f.positions[last]++
		if err := f.value(e.value, depth, true); err != nil {
			return err
		}
	}
	f.positions = f.positions[:last]
	return nil
}
