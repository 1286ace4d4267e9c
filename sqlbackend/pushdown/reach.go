package pushdown

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// spot is a keypath with the values there that count. The keypath may lead through arrays. An empty keypath is the
// document itself, which has no entry.
type spot struct {
	column  Column
	allowed indexes.Spans
	// missing says that documents without the keypath count too, which have no entry.
	missing bool
}

func (s spot) isRoot() bool { return len(s.column.Path) == 0 }

// isElement reports whether the values there are the elements of arrays: an
// array among them is a stub.
func (s spot) isElement() bool {
	n := len(s.column.Path)
	return n > 0 && s.column.Path[n-1].Array
}

// may reports whether values of a class count.
func (s spot) may(class byte) bool {
	return !s.isRoot() && len(s.allowed.Intersect(classSpans(class))) > 0
}

// only returns the spot with those of its values that are in spans.
func (s spot) only(spans indexes.Spans) spot {
	return spot{column: s.column, allowed: s.allowed.Intersect(spans)}
}

// filled is the objects or arrays of a class that hold something.
func filled(class byte) indexes.Spans {
	start := ordered.AppendContainer(nil, class, ordered.ContainerEmpty)
	return indexes.NewSpans(indexes.Span{Start: after(start), End: ordered.ClassEnd(class)})
}

// stubs is the objects or arrays of a class whose contents have no entries.
func stubs(class byte) indexes.Spans {
	return indexes.Point(ordered.AppendContainer(nil, class, ordered.ContainerStub))
}

// reach is where the values that a JSON path leads to have their entries. A path with an element number leads to
// several keypaths, because MySQL takes a value that is no array for an array of one. So $.a[0].b is a.b where a is
// an object, and among the values at a[*].b where it is an array. Values within a stub have no entries; there the
// stub's entry stands for all of its contents.
type reach struct {
	text string // the path as shown to people
	name string // unique among reaches
	// spots hold each value that the path leads to, and perhaps others.
	spots []spot
	// stubs hold a document's entry if the path leads to a value without one.
	stubs []spot
	// single says that the path leads to one value at most. Otherwise its value is the array of all values that it
	// leads to.
	single bool
	// exact says that the spots hold no other values, and there are no stubs.
	exact bool
	// exists has entries exactly where the path leads anywhere, if existsExact. nil means spots and stubs.
	exists      []spot
	existsExact bool
}

// reachOf recognizes an operand that is a JSON document or a part of one. For others it returns false and the reason.
func (a *analysis) reachOf(e sql.Expression) (r reach, reason string, ok bool) {
	e = strip(e)
	switch e := e.(type) {
	case *expression.GetField:
		c, reason, ok := a.resolver.Column(e)
		switch {
		case !ok:
			return reach{}, reason, false
		case c.Document:
			root := spot{allowed: indexes.Everything()}
			return reach{text: "$", name: "$", spots: []spot{root}, single: true, exact: true}, "", true
		case c.Shape != ShapeJSON || c.PrimaryKeyPart > 0 || len(c.Path) == 0:
			return reach{}, fmt.Sprintf("%s is computed from text", e), false
		}
		if c.Stubbed {
			return a.stubbed(c)
		}
		s := spot{column: c, allowed: notNull.spans()}
		if c.KeepsNull {
			s.allowed = indexes.Everything()
		}
		return reach{text: "`" + c.Keypath + "`", name: "`" + c.Keypath, spots: []spot{s}, single: true, exact: true}, "",
			true
	case sql.FunctionExpression:
		children := e.Children()
		if strings.ToLower(e.FunctionName()) == "json_extract" && len(children) == 2 {
			return a.extraction(children[0], children[1])
		}
	}
	return reach{}, shorten(e) + " is computed from text", false
}

// stubbed returns the reach of a column that is too deep for entries.
func (a *analysis) stubbed(c Column) (reach, string, bool) {
	legs := make([]leg, len(c.Path))
	for i, step := range c.Path {
		legs[i] = leg{name: step.Name}
	}
	root := spot{allowed: indexes.Everything()}
	return a.follow(reach{name: "`" + c.Keypath, spots: []spot{root}, single: true, exact: true}, legs, c.Path.JSONPath())
}

// extraction follows a path from an operand.
func (a *analysis) extraction(from, path sql.Expression) (reach, string, bool) {
	c, ok := constantOf(a.ctx, path)
	if !ok || c.kind != constantString {
		return reach{}, "the JSON path is not a constant", false
	}
	legs, ok := parsePath(c.text)
	if !ok || strings.ContainsRune(c.text, 0) {
		return reach{}, fmt.Sprintf("the path %s is not followed", quote(c.text)), false
	}
	base, reason, ok := a.reachOf(from)
	if !ok {
		return reach{}, reason, false
	}
	if !base.single {
		return reach{}, fmt.Sprintf("%s can lead to several values, the path %s goes on from their array", base.text,
			quote(c.text)), false
	}
	text := strings.TrimPrefix(strings.TrimSpace(c.text), "$")
	return a.follow(base, legs, text)
}

// maxSpots bounds the keypaths that a path is followed to: every element number
// doubles them.
const maxSpots = 64

// follow returns the reach at the end of a path's legs from another reach.
func (a *analysis) follow(r reach, legs []leg, text string) (reach, string, bool) {
	out := reach{
		text: r.text + text, name: r.name + "\x00" + text, spots: r.spots, stubs: r.stubs[:len(r.stubs):len(r.stubs)],
		single: r.single && singlePath(legs), exact: r.exact, existsExact: r.exact,
	}
	for i, l := range legs {
		step := stepOf{a: a, leg: l}
		for _, s := range out.spots {
			if reason, ok := step.from(s); !ok {
				return reach{}, reason, false
			}
		}
		if len(step.next) > maxSpots {
			return reach{}, fmt.Sprintf("the path leads to more than %d keypaths", maxSpots), false
		}
		if i == len(legs)-1 && (l.ends || l.kind == legAnyCell) {
			out.exists, out.existsExact = append(step.exists, out.stubs...), out.exact
		} else {
			out.existsExact = out.exact && !step.loose
		}
		out.spots, out.stubs = step.next, append(out.stubs, step.stubs...)
		out.exact = out.exact && !step.loose
	}
	return out, "", true
}

// stepOf follows one leg of a path.
type stepOf struct {
	a     *analysis
	leg   leg
	next  []spot
	stubs []spot
	loose bool
	// exists has entries exactly where the leg, as the last one, leads anywhere.
	exists []spot
}

func (st *stepOf) from(s spot) (reason string, ok bool) {
	switch st.leg.kind {
	case legMember:
		return st.member(s)
	case legAnyMember, legDescendant:
		if s.isRoot() {
			return "the path can lead to any keypath", false
		}
		st.loose = true
		if st.leg.kind == legAnyMember {
			s = s.only(filled(ordered.ClassObject))
		}
		st.stubs = append(st.stubs, s)
		return "", true
	}
	if s.isRoot() {
		if st.leg.first {
			st.next, st.exists = append(st.next, s), append(st.exists, s)
		}
		return "", true
	}
	if st.leg.first {
		if alone := s.only(classSpans(ordered.ClassArray).Complement()); len(alone.allowed) > 0 {
			st.next, st.exists = append(st.next, alone), append(st.exists, alone)
		}
	}
	if !s.may(ordered.ClassArray) {
		return "", true
	}
	st.exists = append(st.exists, s.only(filled(ordered.ClassArray)))
	below, reason, ok := st.a.elementsOf(s)
	switch {
	case !ok:
		return reason, false
	case below == nil:
		st.stubs, st.loose = append(st.stubs, s.only(stubs(ordered.ClassArray))), true
	default:
		st.next = append(st.next, *below)
		st.loose = st.loose || st.leg.kind != legAnyCell
	}
	return "", true
}

func (st *stepOf) member(s spot) (reason string, ok bool) {
	if !s.isRoot() && !s.may(ordered.ClassObject) {
		return "", true
	}
	below, reason, ok := st.a.memberOf(s, st.leg.name)
	switch {
	case !ok:
		return reason, false
	case below == nil:
		st.stubs, st.loose = append(st.stubs, s.only(stubs(ordered.ClassObject))), true
	default:
		st.next = append(st.next, *below)
	}
	return "", true
}

// memberOf returns the spot of the members with a name in the objects at a spot; nil if the objects are stubs. It
// returns false where such members have no entries at all.
func (a *analysis) memberOf(s spot, name string) (*spot, string, bool) {
	if !s.isRoot() && a.resolver.Stubs(s.column.Path, ordered.ClassObject) {
		return nil, "", true
	}
	path := append(s.column.Path[:len(s.column.Path):len(s.column.Path)], document.Step{Name: name})
	return a.spotAt(path)
}

// elementsOf returns the spot of the elements of the arrays at a spot; nil if the arrays are stubs.
func (a *analysis) elementsOf(s spot) (*spot, string, bool) {
	if s.isElement() || a.resolver.Stubs(s.column.Path, ordered.ClassArray) {
		return nil, "", true
	}
	path := append(document.Keypath{}, s.column.Path...)
	path[len(path)-1].Array = true
	return a.spotAt(path)
}

func (a *analysis) spotAt(path document.Keypath) (*spot, string, bool) {
	c, reason, ok := a.resolver.Keypath(path)
	if !ok {
		return nil, reason, false
	}
	if c.PrimaryKeyPart > 0 || c.Shape != ShapeJSON {
		return nil, fmt.Sprintf("%s leads to a declared column", path.JSONPath()), false
	}
	return &spot{column: c, allowed: indexes.Everything()}, "", true
}

// extractionOf recognizes JSON_EXTRACT of a path that leads to one value.
func (a *analysis) extractionOf(from, path sql.Expression) (view, string, bool) {
	r, reason, ok := a.extraction(from, path)
	if !ok {
		return view{}, reason, false
	}
	return r.view(asJSON)
}

// lengthOf recognizes JSON_LENGTH.
func (a *analysis) lengthOf(args []sql.Expression) (view, string, bool) {
	if len(args) == 0 {
		return view{}, "reads no column", false
	}
	r, reason, ok := a.reachOf(args[0])
	if ok && len(args) == 2 {
		r, reason, ok = a.extraction(args[0], args[1])
	}
	if !ok {
		return view{}, reason, false
	}
	return r.view(asLength)
}

// view returns the operand that reads the value at the path.
func (r reach) view(as reading) (view, string, bool) {
	if !r.single {
		return view{}, r.text + " can lead to more than one value", false
	}
	v := view{as: as, reach: &r, column: Column{Shape: ShapeJSON, Collation: collation.Default}}
	for i, s := range r.spots {
		switch {
		case s.isRoot():
			return view{}, "the whole document has no range", false
		case i == 0:
			v.column = s.column
		case s.column.Collation != v.column.Collation || s.column.StringLimit != v.column.StringLimit:
			return view{}, fmt.Sprintf("the strings at %s and %s are in different orders", v.column.Keypath, s.column.Keypath),
				false
		}
	}
	if len(r.spots) == 1 && r.exact && r.spots[0].allowed.IsEverything() {
		v.reach = nil
	}
	return v, "", true
}

// parts returns the cover of the value at the path being one of values.
func (r *reach) parts(values indexes.Spans) cover {
	if covers(values, present) && r.exists != nil {
		return coverOf(r.existsExact, r.exists...)
	}
	var within []spot
	for _, s := range r.spots {
		within = append(within, s.only(values))
	}
	return coverOf(r.exact, append(within, r.stubs...)...)
}

// present is every value that has an entry.
var present = indexes.NewSpans(indexes.Span{Start: ordered.ClassStart(ordered.ClassNull)})
