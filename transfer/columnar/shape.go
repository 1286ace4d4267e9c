package columnar

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/sqlfdb/sqlfdb/document"
)

// Shape is the common structure of documents: their keypaths and types. The zero Shape is of no document.
type Shape struct {
	types  class // of values that are no nulls
	ints   numbers
	names  []string
	fields map[string]*Shape
	item   *Shape // of an array's elements
	leaves int    // of the whole, counted at its root
	text   bool   // its values are written as JSON text; set by node
}

// class is bits of types of JSON.
type class uint8

const (
	aBool class = 1 << iota
	aNumber
	aString
	anArray
	anObject
)

// numbers are bits for the needs of a column's numbers.
type numbers uint8

const (
	whole    numbers = 1 << iota // integers within 64 bits
	unsigned                     // integers beyond, within 64 bits without a sign
	fraction                     // exactly a double
	exact                        // neither
	wide                         // integers that are no doubles
)

// Limits of a file: columns, and how deep objects and arrays have columns of their own. Deeper ones are JSON text.
const (
	maxColumns = 10_000
	deepest    = 24
)

// ErrColumns: documents with too many different keys for a file of columns.
var ErrColumns = errors.New("too many columns")

// Add counts a document in.
func (s *Shape) Add(d document.Document) error {
	s.add(d.Value, s, 0)
	if s.leaves > maxColumns {
		return fmt.Errorf("%w: over %d keypaths", ErrColumns, maxColumns)
	}
	return nil
}

func (s *Shape) add(v document.Value, root *Shape, depth int) {
	switch v.Type() {
	case document.TypeBool:
		s.types |= aBool
	case document.TypeNumber:
		s.types |= aNumber
		s.ints |= needs(v)
	case document.TypeString:
		s.types |= aString
	case document.TypeArray:
		s.types |= anArray
		if depth >= deepest {
			return
		}
		if s.item == nil {
			s.item = &Shape{}
		}
		for _, e := range v.Elements() {
			s.item.add(e, root, depth+1)
		}
	case document.TypeObject:
		s.types |= anObject
		if depth >= deepest {
			return
		}
		if s.fields == nil {
			s.fields = map[string]*Shape{}
		}
		for name, member := range v.Members() {
			if root.leaves > maxColumns {
				return
			}
			field := s.fields[name]
			if field == nil {
				field = &Shape{}
				s.fields[name] = field
				s.names = append(s.names, name)
				root.leaves++
			}
			field.add(member, root, depth+1)
		}
	}
}

func needs(v document.Value) numbers {
	switch v.Kind() {
	case document.KindInt53:
		return whole
	case document.KindInt64:
		return whole | wide
	case document.KindUint64:
		return unsigned | wide
	case document.KindFloat:
		return fraction
	}
	f, err := strconv.ParseFloat(v.Number(), 64)
	if err != nil {
		return exact
	}
	if same, err := document.FloatValue(f); err != nil || document.CompareNumbers(same.Number(), v.Number()) != 0 {
		return exact
	}
	return fraction
}

// node is the column or group that holds values of the shape. It settles which of them are JSON text.
func (s *Shape) node(depth int) parquet.Node {
	switch s.types {
	case aBool:
		return parquet.Leaf(parquet.BooleanType)
	case aString, 0:
		return parquet.String()
	case aNumber:
		switch s.ints {
		case whole, whole | wide:
			return parquet.Int(64)
		case unsigned | wide:
			return parquet.Uint(64)
		case fraction, fraction | whole:
			return parquet.Leaf(parquet.DoubleType)
		}
	case anArray:
		if depth < deepest {
			return parquet.List(parquet.Optional(s.item.node(depth + 1)))
		}
	case anObject:
		if depth < deepest && len(s.names) > 0 {
			return s.group(depth)
		}
	}
	s.text = true
	return parquet.JSON()
}

// group is a group whose fields stand in the order in which they were met.
type group struct {
	parquet.Group
	fields []parquet.Field
}

func (s *Shape) group(depth int) parquet.Node {
	g := group{Group: parquet.Group{}}
	for _, name := range s.names {
		g.Group[name] = parquet.Optional(s.fields[name].node(depth + 1))
	}
	byName := map[string]parquet.Field{}
	for _, f := range g.Group.Fields() {
		byName[f.Name()] = f
	}
	for _, name := range s.names {
		g.fields = append(g.fields, byName[name])
	}
	return g
}

func (g group) Fields() []parquet.Field { return g.fields }

// GoType is called by the library, which makes a struct of names that may be none of Go's; rows need none.
func (g group) GoType() reflect.Type { return reflect.TypeFor[map[string]any]() }
