package pushdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// membership is the kind of a join's predicate on a JSON array, which is its operand or its value.
type membership uint8

const (
	noMembership membership = iota
	among                   // the operand is an element of the value
	holding                 // the value is an element of the operand
	containing              // JSON_CONTAINS(operand, value)
	overlapping             // JSON_OVERLAPS of both
)

// NewMemberships analyses MEMBER OF, JSON_CONTAINS or JSON_OVERLAPS in a join. The operand at position at, 0 or 1, is
// the one to look up. Where the predicate is true, so is one of the comparisons: on an array's own keypath, or on its
// elements' keypath. A value that is no array counts as an array of one. It returns false, with the reason in words,
// where there are none.
func NewMemberships(ctx *sql.Context, e sql.Expression, at int, resolver Resolver) ([]*Comparison, string, bool) {
	f, ok := e.(sql.FunctionExpression)
	if !ok {
		return nil, shorten(e) + " is no function", false
	}
	name, args := strings.ToLower(f.FunctionName()), f.Children()
	if len(args) != 2 && !(name == "json_contains" && len(args) == 3 && at == 0) {
		return nil, shorten(e) + " is not looked up", false
	}
	a := &analysis{ctx: ctx, resolver: resolver}
	c := Comparison{analysis: a, op: opEqual, value: strip(args[1-at])}
	switch {
	case name == "member_of" && at == 0:
		return c.amongMembers(args[0])
	case name == "json_contains" && at == 1:
		scalar, ok := quotedScalar(args[1])
		if !ok {
			return nil, shorten(args[1]) + " may be more than one value", false
		}
		return c.amongMembers(scalar)
	case name == "member_of":
		c.member = holding
	case name == "json_contains":
		c.member = containing
	case name == "json_overlaps":
		c.member = overlapping
	default:
		return nil, name + " is not looked up", false
	}
	r, reason, ok := a.reachOf(args[at])
	if len(args) == 3 {
		r, reason, ok = a.extraction(args[0], args[2])
	}
	switch {
	case !ok:
		return nil, reason, false
	case !r.single || !r.exact || len(r.spots) != 1 || len(r.stubs) > 0 || r.spots[0].isRoot() || r.spots[0].isElement():
		return nil, r.text + " leads to several keypaths", false
	}
	whole := c
	whole.view, whole.allowed = view{column: r.spots[0].column, as: asJSON}, r.spots[0].allowed.Intersect(present)
	below, reason, ok := a.elementsOf(r.spots[0])
	switch {
	case !ok:
		return nil, reason, false
	case below == nil:
		return nil, "the elements of " + r.text + " have no entries", false
	}
	element := c
	element.view, element.allowed, element.elements = view{column: below.column, as: asJSON}, present, true
	return []*Comparison{&whole, &element}, "", true
}

// quotedScalar returns the operand of a JSON scalar: a text that JSON_QUOTE quotes, or a number that is cast.
func quotedScalar(e sql.Expression) (sql.Expression, bool) {
	switch e := strip(e).(type) {
	case *expression.Convert:
		return e.Child, types.IsJSON(e.Type()) && types.IsNumber(e.Child.Type()) && !types.IsBoolean(e.Child.Type())
	case sql.FunctionExpression:
		if strings.EqualFold(e.FunctionName(), "json_quote") && len(e.Children()) == 1 {
			return e.Children()[0], types.IsText(e.Children()[0].Type()) && !types.IsJSON(e.Children()[0].Type())
		}
	}
	return nil, false
}

// amongMembers returns the comparison of an operand that must be an element of the value, or equal to a value that is
// no array.
func (c Comparison) amongMembers(operand sql.Expression) ([]*Comparison, string, bool) {
	c.member = among
	v, reason, ok := c.analysis.viewOf(operand)
	switch {
	case ok && types.IsBoolean(operand.Type()):
		return nil, shorten(operand) + " is a boolean inside of JSON", false
	case !ok:
		return nil, reason, false
	case v.cast || v.double || v.as == asLength || v.as.text() || v.as == asNumber:
		return nil, shorten(operand) + " is computed", false
	case v.reach != nil:
		return nil, v.column.Label() + " leads to several keypaths", false
	case v.column.PrimaryKeyPart > 1:
		return nil, v.column.Label() + " is not the first column of the primary key", false
	}
	switch v.column.Shape {
	case ShapeJSON, ShapeNumber, ShapeString:
	default:
		return nil, v.column.Label() + " is compared as another type than it has inside of JSON", false
	}
	c.view = v
	return []*Comparison{&c}, "", true
}

// Membership reports whether the comparison is about elements of an array: the operand may then have several entries,
// or is one of several values.
func (c *Comparison) Membership() bool { return c.member != noMembership }

// OfWhole reports whether the column holds arrays whose elements another comparison is about. Of the arrays
// themselves, this one finds only those that JSON_CONTAINS of an empty array needs.
func (c *Comparison) OfWhole() bool { return c.member > among && !c.elements }

// memberText returns a membership as text with the given operand and value.
func (c *Comparison) memberText(operand, value string) string {
	switch c.member {
	case holding:
		return fmt.Sprintf("%s = %s", operand, value)
	case containing:
		return fmt.Sprintf("%s contains %s", operand, value)
	}
	return fmt.Sprintf("%s MEMBER OF (%s)", operand, value)
}

// memberSpans returns entries of which a document has at least one if the membership is true for it.
func (c *Comparison) memberSpans(k constant) indexes.Spans {
	if k.kind == constantNull {
		return nil
	}
	if c.member == holding {
		v, _, ok := scalarOfConstant(k, c.value.Type())
		if !ok {
			return c.allowed
		}
		spans, _ := c.analysis.equals(c.view.column, v)
		return c.within(spans, false)
	}
	v, _, ok := documentOfConstant(k)
	switch {
	case !ok && c.member == among:
		return c.within(indexes.Everything(), true)
	case !ok:
		return c.allowed
	case c.member == among:
		return c.amongSpans(v)
	case c.member == containing:
		return c.within(c.containingSpans(v), true)
	}
	return c.overlappingSpans(v)
}

// within removes spans outside the column's own entries. Unless arrays is set, it removes arrays, which the elements'
// entries stand for.
func (c *Comparison) within(spans indexes.Spans, arrays bool) indexes.Spans {
	if c.PrimaryKey() {
		return spans.Intersect(c.view.domain().spans())
	}
	if c.member == among {
		return spans.Intersect(present)
	}
	if !c.elements && !arrays {
		spans = spans.Intersect(classSpans(ordered.ClassArray).Complement())
	}
	return spans.Intersect(c.allowed)
}

// maxLookedFor bounds the elements that are looked up one by one; if there are more, all entries are read.
const maxLookedFor = 10_000

// amongSpans returns the values that are elements of v, or of arrays among its elements.
func (c *Comparison) amongSpans(v document.Value) indexes.Spans {
	var all []indexes.Span
	for rest := members(v); len(rest) > 0; rest = rest[1:] {
		spans, _ := c.comparedSpans(constant{kind: constantJSON, value: rest[0]})
		all = append(all, spans...)
		if rest[0].Type() == document.TypeArray {
			rest = append(rest, members(rest[0])...)
		}
		if len(all)+len(rest) > maxLookedFor {
			return c.within(indexes.Everything(), true)
		}
	}
	return indexes.NewSpans(all...)
}

// members returns the elements of an array; a value that is no array counts as an array of one.
func members(v document.Value) []document.Value {
	if v.Type() != document.TypeArray {
		return []document.Value{v}
	}
	var out []document.Value
	for _, e := range v.Elements() {
		out = append(out, e)
	}
	return out
}

// containingSpans returns the entries of values that may contain v.
func (c *Comparison) containingSpans(v document.Value) indexes.Spans {
	arrays := classSpans(ordered.ClassArray)
	switch v.Type() {
	case document.TypeArray:
		all := members(v)
		switch {
		case len(all) == 0 && !c.elements:
			return arrays
		case len(all) == 0 || !c.elements:
			return nil // any array, or the entries of one of its elements are enough
		}
		least := all[max(0, slices.IndexFunc(all, isScalar))]
		if least.Type() == document.TypeArray {
			return arrays
		}
		return c.containingSpans(least)
	case document.TypeObject:
		if objects := classSpans(ordered.ClassObject); !c.elements {
			return objects
		} else {
			return objects.Union(arrays)
		}
	}
	spans, _ := c.analysis.equals(c.view.column, v)
	if c.elements {
		return spans.Union(arrays) // an array among the elements may contain it
	}
	return spans
}

func isScalar(v document.Value) bool {
	return v.Type() != document.TypeArray && v.Type() != document.TypeObject
}

// overlappingSpans returns the entries of values for which JSON_OVERLAPS with v may be true.
func (c *Comparison) overlappingSpans(v document.Value) indexes.Spans {
	if v.Type() == document.TypeObject && !c.elements {
		return c.within(classSpans(ordered.ClassObject), false) // objects, which may have a member in common
	}
	if v.Type() == document.TypeArray && v.Count() > maxLookedFor {
		return c.within(indexes.Everything(), false)
	}
	var all []indexes.Span
	for _, e := range members(v) {
		spans, _ := c.analysis.equals(c.view.column, e)
		all = append(all, spans...)
	}
	return c.within(indexes.NewSpans(all...), false)
}

// SeveralValues reports whether a value may be an array whose elements are looked up one by one.
func (c *Comparison) SeveralValues() bool { return c.member == among || c.member == overlapping }
