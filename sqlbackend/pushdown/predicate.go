package pushdown

import (
	"fmt"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// leaf analyses a predicate that is no AND, OR, NOT or IS TRUE.
func (a *analysis) leaf(e sql.Expression) *node { return a.rejecting(a.leafOf(e), e) }

func (a *analysis) leafOf(e sql.Expression) *node {
	if c, ok := constantOf(a.ctx, e); ok {
		if value, ok := c.truthOf(); ok {
			return &node{leaf: always(value)}
		}
		return notUnderstood("a constant that is no condition")
	}
	switch e := e.(type) {
	case *expression.Equals:
		return a.comparison(opEqual, e.Left(), e.Right())
	case *expression.LessThan:
		return a.comparison(opLess, e.Left(), e.Right())
	case *expression.LessThanOrEqual:
		return a.comparison(opLessOrEqual, e.Left(), e.Right())
	case *expression.GreaterThan:
		return a.comparison(opGreater, e.Left(), e.Right())
	case *expression.GreaterThanOrEqual:
		return a.comparison(opGreaterOrEqual, e.Left(), e.Right())
	case *expression.NullSafeEquals:
		return a.nullSafe(e.Left(), e.Right())
	case *expression.Between:
		if namesCollation(e.Lower) || namesCollation(e.Upper) {
			// COLLATE applies to the comparison with the other bound too.
			return notUnderstood("one of its bounds names a collation for both")
		}
		return both(a.comparison(opGreaterOrEqual, e.Val, e.Lower), a.comparison(opLessOrEqual, e.Val, e.Upper))
	case *expression.InTuple:
		return a.in(e.Left(), e.Right())
	case *expression.HashInTuple:
		return a.in(e.Left(), e.Right())
	case *expression.IsNull:
		if n, ok := a.searched(e.Child); ok {
			return not(n)
		}
		if n, ok := a.nullTest(e.Child); ok {
			return n
		}
		v, reason, ok := a.viewOf(e.Child)
		if !ok {
			return a.isNullOf(e.Child, reason)
		}
		return a.understood(v, v.isNull())
	case *expression.Like:
		return a.like(LikeParts{Value: e.LeftChild, Pattern: e.RightChild, Escape: e.Escape})
	case Like:
		return a.like(e.PushdownLike())
	case Regexp:
		if n := a.regexp(e.PushdownRegexp()); n != nil {
			return n
		}
	}
	if n, ok := a.holds(e); ok {
		return n
	}
	// A column by itself is true where it is not 0.
	v, reason, ok := a.viewOf(e)
	if !ok {
		return notUnderstood(reason)
	}
	if v.as == asJSON || v.as == asColumn && v.column.Shape == ShapeJSON {
		return a.jsonCondition(v)
	}
	if v.as != asColumn || v.column.Shape != ShapeNumber && v.column.Shape != ShapeBoolean {
		return notUnderstood("only a number, a boolean or JSON is a condition by itself")
	}
	o, reason, ok := v.compare(a, opEqual, constant{kind: constantNumber, text: "0", integer: true})
	if !ok {
		return notUnderstood(reason)
	}
	return a.understood(v, o.not())
}

// namesCollation reports whether an expression has a COLLATE in it.
func namesCollation(e sql.Expression) bool {
	found := false
	sql.Inspect(e, func(e sql.Expression) bool {
		if _, ok := e.(*expression.CollatedExpression); ok {
			found = true
		}
		return !found
	})
	return found
}

// comparison analyses "left op right", where either side may be the constant.
func (a *analysis) comparison(op operator, left, right sql.Expression) *node {
	return a.rejecting(a.comparisonOf(op, left, right), left, right)
}

func (a *analysis) comparisonOf(op operator, left, right sql.Expression) *node {
	if l, ok := strip(left).(expression.Tuple); ok {
		if r, ok := strip(right).(expression.Tuple); ok && len(l) == len(r) && len(l) > 0 {
			n := a.rows(op, l, r)
			n.loose = true
			return n
		}
	}
	c, ok := constantOf(a.ctx, right)
	if !ok {
		left, right, op = right, left, op.flip()
		if c, ok = constantOf(a.ctx, right); !ok {
			return notUnderstood("neither side is a constant")
		}
	}
	if _, field := left.(*expression.GetField); !field {
		if n := a.comparedForm(op, left, right, c); n != nil {
			return n
		}
	}
	v, reason, ok := a.viewOf(left)
	if !ok {
		if n := a.linear(op, left, c); n != nil {
			return n
		}
		if n := a.memberNumber(op, left, c); n != nil {
			return n
		}
		if n := a.compareTextPart(op, left, c.collate(left, right)); n != nil {
			return n
		}
		return notUnderstood(reason)
	}
	o, reason, ok := v.compare(a, op, c.collate(left, right))
	if !ok {
		return notUnderstood(reason)
	}
	n := a.understood(v, o)
	if op == opEqual && c.kind == constantJSON && c.value.Count() > 0 {
		n.found = a.heldBy(left, c.value)
	}
	return n
}

// comparedForm analyses "left op c", where left is of a form with ranges of its own; nil for other forms. right is
// the expression of c.
func (a *analysis) comparedForm(op operator, left, right sql.Expression, c constant) *node {
	if n, ok := a.holds(left); ok && op == opEqual && (c.kind == constantNumber || c.kind == constantBoolean) {
		// The functions return 1 or 0.
		switch literal, _, _ := c.number(); {
		case document.CompareNumbers(literal, "1") == 0:
			return n
		case document.CompareNumbers(literal, "0") == 0:
			return not(n)
		}
	}
	if l, ok := constantOf(a.ctx, left); ok {
		return a.comparedConstants(op, l, c.collate(left, right))
	}
	if isPredicate(left) && (c.kind == constantNumber || c.kind == constantBoolean) {
		return a.comparedTruth(op, left, c)
	}
	if n, ok := a.conditionalComparison(op, left, right); ok {
		return n
	}
	if n := a.comparePart(op, left, c); n != nil {
		return n
	}
	if n := a.compareFormatted(op, left, c); n != nil {
		return n
	}
	if n := a.compareShifted(op, left, c); n != nil {
		return n
	}
	if n := a.compareAsTemporal(op, left, c); n != nil {
		return n
	}
	if n := a.numberAsText(op, left, c.collate(left, right)); n != nil {
		return n
	}
	return nil
}

// comparedConstants compares two constants, which happens within CASE and its like.
func (a *analysis) comparedConstants(op operator, l, r constant) *node {
	left, _, leftNumber := l.number()
	right, _, rightNumber := r.number()
	cmp := 0
	switch {
	case l.kind == constantNull || r.kind == constantNull:
		return &node{leaf: always(truthNull)}
	case l.kind == constantString && r.kind == constantString && !r.mixed && (r.collation != nil || l.text == r.text):
		if l.text != r.text && !r.collation.Equal(l.text, r.text) {
			cmp = r.collation.Compare(l.text, r.text)
		}
	case l.kind != constantString && r.kind != constantString && leftNumber && rightNumber:
		cmp = document.CompareNumbers(left, right)
	default:
		return notUnderstood("two constants are compared by converting them")
	}
	if op.holds(cmp) {
		return &node{leaf: always(truthTrue)}
	}
	return &node{leaf: always(truthFalse)}
}

// rows compares row values, column by column from the left.
func (a *analysis) rows(op operator, left, right expression.Tuple) *node {
	if len(left) == 1 {
		return a.comparison(op, left[0], right[0])
	}
	rest := a.rows(op, left[1:], right[1:])
	equal := both(a.comparison(opEqual, left[0], right[0]), rest)
	switch op {
	case opEqual:
		return equal
	case opLess, opLessOrEqual:
		op = opLess
	default:
		op = opGreater
	}
	return either(a.comparison(op, left[0], right[0]), equal)
}

// nullSafe analyses <=>, which is never NULL.
func (a *analysis) nullSafe(left, right sql.Expression) *node {
	c, ok := constantOf(a.ctx, right)
	if !ok {
		left, right = right, left
		if c, ok = constantOf(a.ctx, right); !ok {
			return notUnderstood("neither side is a constant")
		}
	}
	if c.kind == constantNull {
		return a.isNull(left)
	}
	if v, _, ok := a.viewOf(left); ok {
		if o, _, ok := v.compare(a, opEqual, c.collate(left, right)); ok {
			return a.understood(v, o.isTrue())
		}
	}
	return certain(a.comparison(opEqual, left, right))
}

// isNull is the outcome of IS NULL.
func (v view) isNull() outcome {
	null := classSpans(ordered.ClassNull)
	switch v.as {
	case asJSON, asLength:
		// JSON null is a value; only a missing value is NULL.
		return outcome{no: indexes.Everything(), yesExact: true, noExact: true, yesMissing: true}
	case asNumber:
		// a value that can't be converted is NULL too
		return outcome{yes: indexes.Everything(), no: indexes.Everything(), yesMissing: true}
	case asText:
		// The filter decides whether the text of JSON null is NULL.
		return outcome{yes: null, no: indexes.Everything(), yesMissing: true}
	case asScalar:
		none := null.Union(classSpans(ordered.ClassObject)).Union(classSpans(ordered.ClassArray))
		return outcome{yes: none, no: indexes.Everything(), yesMissing: true}
	}
	// A value in none of the column's classes reads as NULL too, if it exists.
	return outcome{yes: null, no: notNull.spans(), yesExact: true, noExact: true, yesMissing: true}
}

// compare returns the outcome of "view op constant", or the reason why it has none.
func (v view) compare(a *analysis, op operator, c constant) (outcome, string, bool) {
	if c.kind == constantNull {
		return outcome{yesExact: true, noExact: true}, "", true
	}
	if c.kind == constantOther {
		return outcome{}, "the constant's type has no range", false
	}
	if v.as == asColumn {
		c = c.besides(v.column.Shape)
	}
	switch {
	case v.as == asLength:
		return v.compareLength(op, c)
	case v.as == asNumber:
		return v.compareReturned(a, op, c)
	case v.as == asJSON || v.as == asColumn && v.column.Shape == ShapeJSON:
		return v.compareJSON(a, op, c)
	case v.as.text():
		return v.compareText(a, op, c)
	}
	switch v.column.Shape {
	case ShapeNumber:
		return v.compareNumber(a, op, c)
	case ShapeBoolean:
		return v.compareBoolean(a, op, c)
	case ShapeString:
		if c.kind == constantString {
			return v.compareString(a, op, c)
		}
		return v.compareSpelled(a, op, c)
	case ShapeDate, ShapeDatetime, ShapeTime:
		return v.compareTime(a, op, c)
	case ShapeBytes:
		return v.compareBytes(a, op, c)
	case ShapeEnum, ShapeYear, ShapeFloat:
		return v.compareDeclared(a, op, c)
	}
	return outcome{}, "the column's type has no ranges", false
}

// compareBoolean: a boolean column is 1 or 0 in SQL.
func (v view) compareBoolean(a *analysis, op operator, c constant) (outcome, string, bool) {
	literal, reason, ok := c.number()
	if !ok {
		return outcome{}, reason, false
	}
	if c.kind == constantString && !exactAsDouble(literal) {
		return outcome{}, fmt.Sprintf("%s is not exactly a double, as which strings and booleans compare", c), false
	}
	o := outcome{yesExact: true, noExact: true}
	for i, number := range []string{"0", "1"} {
		if op.holds(document.CompareNumbers(number, literal)) {
			o.yes = o.yes.Union(a.pointBoolean(i == 1))
		} else {
			o.no = o.no.Union(a.pointBoolean(i == 1))
		}
	}
	return o, "", true
}

// compareJSON compares by MySQL's order of JSON values: a number is less than
// any string, object, array or boolean, and so on.
func (v view) compareJSON(a *analysis, op operator, c constant) (outcome, string, bool) {
	var at place
	switch c.kind {
	case constantNumber:
		p, reason, ok := a.placeNumber(c.text)
		if !ok {
			return outcome{}, reason, false
		}
		at = p
	case constantBoolean:
		at = placeOf(a.encodeBoolean(c.boolean))
	case constantString:
		at = a.placeJSONString(v.column, op, c.text)
	case constantJSON:
		p, reason, ok := a.placeJSON(v.column, op, c.value)
		if !ok {
			return outcome{}, reason, false
		}
		at = p
	default:
		return outcome{}, fmt.Sprintf("%s is no JSON value", c), false
	}
	return v.domain().compare(op, at), "", true
}

func (a *analysis) placeJSON(col Column, op operator, value document.Value) (place, string, bool) {
	switch value.Type() {
	case document.TypeNull:
		return placeOf(a.label(ordered.AppendNull(nil), label{text: "null"})), "", true
	case document.TypeBool:
		return placeOf(a.encodeBoolean(value.Bool())), "", true
	case document.TypeNumber:
		return a.placeNumber(value.Number())
	case document.TypeString:
		return a.placeJSONString(col, op, value.Str()), "", true
	case document.TypeObject:
		return placeWithin(ordered.ClassObject), "", true
	case document.TypeArray:
		return placeWithin(ordered.ClassArray), "", true
	}
	return place{}, "the constant is no JSON value", false
}

// compareText: ->> compares the text of any value.
func (v view) compareText(a *analysis, op operator, c constant) (outcome, string, bool) {
	switch c.kind {
	case constantString:
		if reason, ok := c.textIsComparable(op); !ok {
			return outcome{}, reason, false
		}
		if op == opEqual {
			return a.textEquals(v.column, c.text), "", true
		}
		// The texts of numbers and booleans sort among the strings.
		o := classDomain(ordered.ClassString).compare(op, a.placeJSONString(v.column, op, c.text))
		others := classSpans(ordered.ClassString).Complement()
		return outcome{yes: o.yes.Union(others), no: o.no.Union(others)}, "", true
	case constantNumber, constantBoolean:
		literal, reason, ok := c.number()
		if !ok {
			return outcome{}, reason, false
		}
		p, reason, ok := a.placeRounded(literal)
		if !ok {
			return outcome{}, reason, false
		}
		// Every text is converted to a number; only the texts of numbers have a known place. Other texts count as 0.
		o := classDomain(ordered.ClassNumber).compare(op, p)
		others := classSpans(ordered.ClassNumber).Complement()
		if !zeroHolds(op, literal) {
			return outcome{yes: o.yes.Union(a.spelledNumbers(v.column)), no: o.no.Union(others)}, "", true
		}
		return outcome{yes: o.yes.Union(others), no: o.no.Union(a.spelledNumbers(v.column))}, "", true
	case constantBytes:
		if op == opEqual && utf8.ValidString(c.text) {
			return a.textEquals(v.column, c.text), "", true
		}
	}
	return outcome{}, fmt.Sprintf("text is compared with %s by converting it", c), false
}

// textEquals is the outcome of ->> = 'text'.
func (a *analysis) textEquals(col Column, text string) outcome {
	o := classDomain(ordered.ClassString).compare(opEqual, a.placeJSONString(col, opEqual, text))
	yes := o.yes
	if _, err := document.ParseDecimal(text); err == nil {
		// 1 and 1.0 are one value with two texts.
		if p, _, ok := a.placeNumber(text); ok {
			yes = yes.Union(spansOf(p))
		} else {
			yes = yes.Union(classSpans(ordered.ClassNumber))
		}
	}
	switch {
	case text == "true" || text == "false":
		yes = yes.Union(a.pointBoolean(text == "true"))
	case text == "null":
		yes = yes.Union(classSpans(ordered.ClassNull))
	case len(text) > 0 && text[0] == '{':
		yes = yes.Union(classSpans(ordered.ClassObject))
	case len(text) > 0 && text[0] == '[':
		yes = yes.Union(classSpans(ordered.ClassArray))
	}
	// The index does not show how a value is spelled as text, so the filter stays.
	return outcome{yes: yes, no: indexes.Everything()}
}

// compareTime compares dates and times of declared columns. Documents may hold other spellings of a date, which are
// among the strings, and fractions of seconds that the column's type rounds. So the filter stays.
func (v view) compareTime(a *analysis, op operator, c constant) (outcome, string, bool) {
	if text, ok := clockOf(a.ctx, c); ok && v.column.Shape == ShapeTime {
		c = constant{kind: constantTime, text: text}
	}
	if c.kind != constantString && c.kind != constantTime {
		return outcome{}, fmt.Sprintf("dates are compared with %s by converting it", c), false
	}
	place := a.placeTemporal
	if v.column.Shape == ShapeTime && v.column.Rounded {
		place = a.placeAroundTime
	}
	p, ok := place(v.column.Shape, c.text)
	if !ok {
		return outcome{}, fmt.Sprintf("%s is no date or time", c), false
	}
	class := ordered.ClassDate
	switch v.column.Shape {
	case ShapeDatetime:
		class = ordered.ClassDatetime
	case ShapeTime:
		class = ordered.ClassTime
	}
	o := classDomain(class).compare(op, p)
	texts := outcome{yes: classSpans(ordered.ClassString), no: classSpans(ordered.ClassString)}
	if day, ok := a.dayOf(c); ok && v.column.Shape != ShapeTime {
		texts = a.datesAsTexts(op, v, day, day.AddDate(0, 0, 1))
	}
	return outcome{yes: o.yes.Union(texts.yes), no: o.no.Union(texts.no)}, "", true
}
