package pushdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// The functions that search arrays and objects. Their meaning is in MySQL's manual, "Functions That Search JSON
// Values".

// holds analyses a call of such a function; ok is false for any other.
func (a *analysis) holds(e sql.Expression) (n *node, ok bool) {
	f, is := strip(e).(sql.FunctionExpression)
	if !is {
		return nil, false
	}
	args := f.Children()
	switch strings.ToLower(f.FunctionName()) {
	case "json_contains":
		if len(args) == 2 || len(args) == 3 {
			return a.jsonContains(args), true
		}
	case "json_overlaps":
		if len(args) == 2 {
			return a.jsonOverlaps(args[0], args[1]), true
		}
	case "member_of":
		if len(args) == 2 {
			return a.memberOfArray(args[0], args[1]), true
		}
	case "json_contains_path":
		if len(args) > 2 {
			return a.containsPath(args), true
		}
	}
	return nil, false
}

func foundNode(covers []cover, reason string) *node {
	var found []cover
	for _, c := range covers {
		if !c.unbounded && len(found) < maxCovers {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return notUnderstood(reason)
	}
	return &node{found: found}
}

// document returns an operand that must be JSON text or a JSON value.
func (a *analysis) document(e sql.Expression) (document.Value, string, bool) {
	c, ok := constantOf(a.ctx, e)
	if !ok {
		return document.Value{}, "what is looked for is not a constant", false
	}
	return documentOfConstant(c)
}

func documentOfConstant(c constant) (document.Value, string, bool) {
	switch c.kind {
	case constantJSON:
		return c.value, "", true
	case constantString:
		v, err := document.ParseValue([]byte(c.text), document.Limits{})
		if err == nil {
			return v, "", true
		}
	}
	return document.Value{}, fmt.Sprintf("%s is no JSON text", c), false
}

// scalarOf returns an operand as the JSON value that it becomes in an array: strings are not parsed.
func (a *analysis) scalarOf(e sql.Expression) (document.Value, string, bool) {
	c, ok := constantOf(a.ctx, e)
	if !ok {
		return document.Value{}, "what is looked for is not a constant", false
	}
	return scalarOfConstant(c, e.Type())
}

func scalarOfConstant(c constant, t sql.Type) (document.Value, string, bool) {
	text := []byte(c.text)
	switch {
	case c.kind == constantJSON:
		return c.value, "", true
	case c.kind == constantNumber && types.IsBoolean(t):
		text = []byte("false")
		if document.CompareNumbers(c.text, "0") != 0 {
			text = []byte("true")
		}
	case c.kind == constantNumber, c.kind == constantBoolean:
	case c.kind == constantString:
		quoted, err := document.AppendQuoted(nil, c.text)
		if err != nil {
			return document.Value{}, "what is looked for is no JSON value", false
		}
		text = quoted
	default:
		return document.Value{}, fmt.Sprintf("%s is no JSON value", c), false
	}
	v, err := document.ParseValue(text, document.Limits{})
	return v, fmt.Sprintf("%s is no JSON value", c), err == nil
}

func (a *analysis) jsonContains(args []sql.Expression) *node {
	if array, ok := constantOf(a.ctx, args[0]); ok && len(args) == 2 && !isConstant(args[1]) {
		return a.withinConstant(array, args[1])
	}
	v, reason, ok := a.document(args[1])
	if !ok {
		return notUnderstood(reason)
	}
	var r reach
	if len(args) == 3 {
		r, reason, ok = a.extraction(args[0], args[2])
	} else {
		r, reason, ok = a.reachOf(args[0])
	}
	if !ok {
		return notUnderstood(reason)
	}
	if len(args) == 3 && !r.single {
		return notUnderstood("the path can lead to several values") // an error when it is evaluated
	}
	found := a.containing(r, v)
	if !r.exact {
		found = loosened(found)
	}
	return a.asked(r, foundNode(found, "what is looked for has no range"))
}

// asked is a predicate about the contents of an operand, which is NULL if the operand is missing: so it is false only
// for documents that have the operand.
func (a *analysis) asked(r reach, n *node) *node {
	if there := r.parts(present); !there.unbounded {
		n.denied = loosened([]cover{there})
	}
	return n
}

// heldBy returns the covers that follow from an operand's equality with a filled array or object: the operand
// contains its elements or members.
func (a *analysis) heldBy(operand sql.Expression, v document.Value) []cover {
	r, _, ok := a.reachOf(operand)
	if !ok || !r.single {
		return nil
	}
	class := ordered.ClassArray
	if v.Type() == document.TypeObject {
		class = ordered.ClassObject
	}
	r.spots = slices.Clone(r.spots)
	for i, s := range r.spots {
		if !s.isRoot() {
			r.spots[i] = s.only(classSpans(class))
		}
	}
	return foundNode(loosened(a.containing(r, v)), "").found
}

// containing is the covers of JSON_CONTAINS(r, v).
func (a *analysis) containing(r reach, v document.Value) []cover {
	if r.single {
		return a.containedAt(r.spots, r.stubs, v)
	}
	// The value is the array of all values that the path leads to.
	if v.Type() != document.TypeArray {
		return loosened(a.containedAt(r.spots, r.stubs, v))
	}
	if v.IsEmpty() {
		if r.exists != nil {
			return []cover{coverOf(r.existsExact, r.exists...)}
		}
		return []cover{coverOf(r.exact, append(append([]spot{}, r.spots...), r.stubs...)...)}
	}
	var out []cover
	for _, e := range v.Elements() {
		if len(out) == maxCovers {
			break
		}
		spots := r.spots
		if e.Type() == document.TypeArray {
			spots = nil
			for _, s := range r.spots {
				spots = append(spots, s.only(classSpans(ordered.ClassArray)))
			}
		}
		out = append(out, loosened(a.containedAt(spots, r.stubs, e))...)
	}
	return out
}

// containedAt is the covers of a value at one of the spots containing v, or lying in a
// stub.
func (a *analysis) containedAt(spots, stubs []spot, v document.Value) []cover {
	arms := [][]cover{}
	for _, s := range spots {
		arms = append(arms, a.containedIn(s, v))
	}
	if len(stubs) > 0 {
		arms = append(arms, []cover{coverOf(false, stubs...)})
	}
	return eitherOf(arms...)
}

// maxContained bounds the values that are looked for in one statement: arrays could be everywhere between nested
// objects, and every level doubles the places.
const maxContained = 2000

// containedIn is the covers of JSON_CONTAINS(the value at s, v).
func (a *analysis) containedIn(s spot, v document.Value) []cover {
	if a.contained++; a.contained > maxContained {
		return []cover{anywhere}
	}
	switch v.Type() {
	case document.TypeArray:
		// An array that contains every element.
		if v.IsEmpty() {
			return []cover{coverOf(true, s.only(classSpans(ordered.ClassArray)))}
		}
		var out []cover
		for _, e := range v.Elements() {
			if len(out) == maxCovers {
				break
			}
			out = append(out, a.containedInElement(s, e)...)
		}
		if v.Count() > 1 {
			out = loosened(out)
		}
		return out
	case document.TypeObject:
		// An object whose members contain every member, or an array with such an
		// element.
		return eitherOf(a.containedInMembers(s, v), a.containedInElement(s, v))
	}
	return eitherOf([]cover{a.equalTo(s, v)}, a.containedInElement(s, v))
}

func (a *analysis) containedInMembers(s spot, v document.Value) []cover {
	switch {
	case !s.isRoot() && !s.may(ordered.ClassObject):
		return []cover{nowhere}
	case v.IsEmpty():
		return []cover{coverOf(true, s.only(classSpans(ordered.ClassObject)))}
	}
	var out []cover
	for name, m := range v.Members() {
		if len(out) == maxCovers {
			break
		}
		below, _, ok := a.memberOf(s, name)
		switch {
		case !ok:
			out = append(out, anywhere)
		case below == nil:
			out = append(out, coverOf(false, s.only(stubs(ordered.ClassObject))))
		default:
			out = append(out, a.containedIn(*below, m)...)
		}
	}
	if v.Count() > 1 {
		out = loosened(out)
	}
	return out
}

// containedInElement is the covers of an array at s having an element that
// contains v, an array itself if v is one.
func (a *analysis) containedInElement(s spot, v document.Value) []cover {
	if !s.may(ordered.ClassArray) {
		return []cover{nowhere}
	}
	below, _, ok := a.elementsOf(s)
	switch {
	case !ok:
		return []cover{anywhere}
	case below == nil && s.isElement() && !a.resolver.Holds(s.column.Path, ordered.ClassArray):
		return []cover{nowhere}
	case below == nil:
		return []cover{coverOf(false, s.only(stubs(ordered.ClassArray)))}
	case v.Type() == document.TypeArray:
		return a.containedIn(below.only(classSpans(ordered.ClassArray)), v)
	}
	return a.containedIn(*below, v)
}

// equalTo is the cover of the value at s being equal to v.
func (a *analysis) equalTo(s spot, v document.Value) cover {
	if s.isRoot() {
		if v.Type() == document.TypeObject {
			return anywhere
		}
		return nowhere
	}
	spans, exact := a.equals(s.column, v)
	return coverOf(exact, s.only(spans))
}

// equals is the entries of values at a keypath that are equal to v.
func (a *analysis) equals(col Column, v document.Value) (spans indexes.Spans, exact bool) {
	switch v.Type() {
	case document.TypeObject, document.TypeArray:
		class := ordered.ClassObject
		if v.Type() == document.TypeArray {
			class = ordered.ClassArray
		}
		if v.IsEmpty() {
			return indexes.Point(ordered.AppendContainer(nil, class, ordered.ContainerEmpty)), true
		}
		return filled(class), false
	}
	p, _, ok := a.placeJSON(col, opEqual, v)
	if !ok {
		return classSpans(ordered.ClassNumber), false
	}
	return spansOf(p), p.exact
}

// equalToElement is the cover of an array at s having an element equal to v.
func (a *analysis) equalToElement(s spot, v document.Value) cover {
	if !s.may(ordered.ClassArray) {
		return nowhere
	}
	below, _, ok := a.elementsOf(s)
	switch {
	case !ok:
		return anywhere
	case below == nil:
		return coverOf(false, s.only(stubs(ordered.ClassArray)))
	}
	return a.equalTo(*below, v)
}

// memberOfArray analyses v MEMBER OF (array). A value that is no array counts as an array of one.
func (a *analysis) memberOfArray(value, array sql.Expression) *node {
	if c, ok := constantOf(a.ctx, array); ok && !isConstant(value) {
		return a.amongElements(value, c, false)
	}
	v, reason, ok := a.scalarOf(value)
	if !ok {
		return notUnderstood(reason)
	}
	r, reason, ok := a.reachOf(array)
	if !ok {
		return notUnderstood(reason)
	}
	covers := []cover{coverOf(r.exact, r.stubs...)}
	for _, s := range r.spots {
		if !r.single {
			covers = append(covers, a.equalTo(s, v))
			continue
		}
		alone := s
		if !s.isRoot() {
			alone = s.only(classSpans(ordered.ClassArray).Complement())
		}
		covers = append(covers, a.equalTo(alone, v), a.equalToElement(s, v))
	}
	all := or(covers...)
	all.exact = all.exact && r.exact
	return a.asked(r, foundNode([]cover{all}, "the value that is looked for has no range"))
}

func (a *analysis) jsonOverlaps(left, right sql.Expression) *node {
	if _, constant := constantOf(a.ctx, left); constant {
		left, right = right, left
	}
	if scalar, ok := quotedScalar(left); ok {
		if c, ok := constantOf(a.ctx, right); ok {
			return a.amongElements(scalar, c, false)
		}
	}
	v, reason, ok := a.document(right)
	if !ok {
		return notUnderstood(reason)
	}
	r, reason, ok := a.reachOf(left)
	if !ok {
		return notUnderstood(reason)
	}
	if v.Count() > maxOverlaps {
		return notUnderstood(fmt.Sprintf("more than %d values are looked for", maxOverlaps))
	}
	covers := []cover{coverOf(r.exact, r.stubs...)}
	for _, s := range r.spots {
		covers = append(covers, a.overlapping(s, v, r.single))
	}
	all := or(covers...)
	all.exact = all.exact && r.exact
	return a.asked(r, foundNode([]cover{all}, "what is looked for has no range"))
}

// maxOverlaps bounds the values that are looked up for one JSON_OVERLAPS.
const maxOverlaps = 1000

// overlapping is the cover of JSON_OVERLAPS(the value at s, v). Without whole, the values at s are elements of the
// first array, and it is the cover of one of them being among v.
func (a *analysis) overlapping(s spot, v document.Value, whole bool) cover {
	var out []cover
	equal := func(v document.Value) {
		switch {
		case !whole:
			out = append(out, a.equalTo(s, v))
		case v.Type() == document.TypeObject || v.Type() == document.TypeArray:
			out = append(out, a.equalToElement(s, v))
		default:
			out = append(out, a.equalTo(s, v), a.equalToElement(s, v))
		}
	}
	if v.Type() != document.TypeArray {
		equal(v)
	}
	for _, e := range v.Elements() {
		equal(e)
		if whole && e.Type() == document.TypeObject {
			out = append(out, a.equalTo(s, e))
		}
	}
	if v.Type() == document.TypeObject && whole && (s.isRoot() || s.may(ordered.ClassObject)) {
		for name, m := range v.Members() {
			below, _, ok := a.memberOf(s, name)
			switch {
			case !ok:
				return anywhere
			case below == nil:
				out = append(out, coverOf(false, s.only(stubs(ordered.ClassObject))))
			default:
				out = append(out, a.equalTo(*below, m))
			}
		}
	}
	return or(out...)
}

// containsPath analyses JSON_CONTAINS_PATH: whether one path leads anywhere, or all do.
func (a *analysis) containsPath(args []sql.Expression) *node {
	mode, ok := constantOf(a.ctx, args[1])
	connective := isOr
	switch {
	case ok && mode.kind == constantString && strings.EqualFold(mode.text, "all"):
		connective = isAnd
	case !ok || mode.kind != constantString || !strings.EqualFold(mode.text, "one"):
		return notUnderstood("neither 'one' nor 'all'")
	}
	if len(args) == 3 {
		return a.leadsAnywhere(args[0], args[2])
	}
	var out []*node
	for _, path := range args[2:] {
		out = append(out, a.leadsAnywhere(args[0], path))
	}
	return joined(connective, out...)
}

func (a *analysis) leadsAnywhere(from, path sql.Expression) *node {
	r, reason, ok := a.extraction(from, path)
	if !ok {
		return notUnderstood(reason)
	}
	if r.single {
		if v, _, ok := r.view(asJSON); ok {
			return a.understood(v, v.isNull().not())
		}
	}
	return foundNode([]cover{r.parts(present)}, "the path leads somewhere in every document")
}

// compareLength compares the number of elements or members with a number.
func (v view) compareLength(op operator, c constant) (outcome, string, bool) {
	if c.kind != constantNumber {
		return outcome{}, fmt.Sprintf("a length is compared with %s by converting it", c), false
	}
	holds := func(n string) bool { return op.holds(document.CompareNumbers(n, c.text)) }
	var yes, no []indexes.Span
	add := func(spans indexes.Spans, is, isNot bool) {
		if is {
			yes = append(yes, spans...)
		}
		if isNot {
			no = append(no, spans...)
		}
	}
	for _, class := range []byte{ordered.ClassObject, ordered.ClassArray} {
		empty := indexes.Point(ordered.AppendContainer(nil, class, ordered.ContainerEmpty))
		add(empty, holds("0"), !holds("0"))
		// A filled array or object may have any number of elements from 1.
		is, isNot := holds("1"), !holds("1")
		switch op {
		case opEqual:
			is, isNot = document.CompareNumbers(c.text, "1") >= 0, true
		case opLess, opLessOrEqual:
			isNot = true
		case opGreater, opGreaterOrEqual:
			is = true
		}
		add(filled(class), is, isNot)
	}
	containers := classSpans(ordered.ClassObject).Union(classSpans(ordered.ClassArray))
	add(containers.Complement(), holds("1"), !holds("1"))
	o := outcome{yes: indexes.NewSpans(yes...), no: indexes.NewSpans(no...)}
	o.yesExact = len(o.yes.Intersect(o.no)) == 0
	o.noExact = o.yesExact
	return o, "", true
}
