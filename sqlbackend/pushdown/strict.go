package pushdown

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/indexes"
)

// A computation that is not followed may still be NULL for NULL. Then a condition on it is neither true nor false for
// documents that lack its operand. So the condition leads to documents that have the operand. These are few where the
// keypath is rare, and none where its name is misspelled.

// Strict is implemented by expressions that are NULL if one of their children is.
type Strict interface {
	sql.Expression
	PushdownStrict()
}

// strictFunctions are the functions that are NULL if one of their arguments is.
var strictFunctions = map[string]bool{
	"abs": true, "acos": true, "ascii": true, "asin": true, "atan": true, "bin": true, "bit_length": true, "ceil": true,
	"ceiling": true, "char_length": true, "character_length": true,
	"concat": true, "cos": true, "cot": true, "crc32": true, "date": true, "date_add": true, "date_format": true,
	"date_sub": true, "datediff": true, "day": true, "dayname": true, "dayofmonth": true,
	"dayofweek": true, "dayofyear": true, "degrees": true, "exp": true, "find_in_set": true, "floor": true,
	"from_base64": true, "greatest": true, "hex": true, "hour": true, "instr": true, "last_day": true,
	"lcase": true, "least": true, "left": true, "length": true, "ln": true, "locate": true, "log10": true, "log2": true,
	"lower": true, "lpad": true, "ltrim": true, "md5": true,
	"microsecond": true, "mid": true, "minute": true, "mod": true, "month": true, "monthname": true, "octet_length": true,
	"ord": true, "pow": true, "power": true, "quarter": true, "radians": true, "regexp_like": true,
	"repeat": true, "replace": true, "reverse": true, "right": true, "round": true, "rpad": true, "rtrim": true,
	"second": true, "sha": true, "sha1": true, "sha2": true, "sign": true, "sin": true, "soundex": true, "sqrt": true,
	"strcmp": true, "substr": true, "substring": true, "substring_index": true, "tan": true, "time": true,
	"time_to_sec": true, "timestampdiff": true, "to_base64": true, "to_days": true, "trim": true, "truncate": true,
	"ucase": true,
	"unhex": true, "unix_timestamp": true, "upper": true, "weekday": true, "weekofyear": true, "year": true,
}

// rejected is a target without which a predicate is neither true nor false.
type rejected struct {
	target string
	there  indexes.Spans // the values for which it is not NULL, and perhaps others
}

// maxRejected bounds the targets of one predicate.
const maxRejected = 4

// rejecting adds to a leaf that is not understood the targets without which it is NULL, from its operands.
func (a *analysis) rejecting(n *node, operands ...sql.Expression) *node {
	if n.connective != isLeaf || n.reason == "" {
		return n
	}
	for _, e := range operands {
		n.rejects = a.withoutNull(e, n.rejects)
	}
	return n
}

// withoutNull adds the targets without which an expression is NULL.
func (a *analysis) withoutNull(e sql.Expression, into []rejected) []rejected {
	e = strip(e)
	if len(into) >= maxRejected || isConstant(e) {
		return into
	}
	if v, ok := a.presenceOf(e); ok {
		if v.column.PrimaryKeyPart > 0 {
			return into
		}
		r := rejected{a.see(v), v.known()}
		for i := range into {
			if into[i].target == r.target {
				into[i].there = into[i].there.Union(r.there)
				return into
			}
		}
		return append(into, r)
	}
	for _, child := range strictOperands(e) {
		into = a.withoutNull(child, into)
	}
	return into
}

// isNullOf returns the node of IS NULL of an expression that is not followed: without the targets in rejects, it is
// true.
func (a *analysis) isNullOf(e sql.Expression, reason string) *node {
	return joined(isNull, a.rejecting(notUnderstood(reason), e))
}

// presenceOf recognizes an operand of which at least the documents that have it are known.
func (a *analysis) presenceOf(e sql.Expression) (view, bool) {
	if f, ok := e.(*expression.GetField); ok {
		if c, _, ok := a.resolver.Column(f); ok && c.Shape == ShapeOther && !c.Document {
			return view{column: c, as: readingOf(c)}, true
		}
	}
	defer func(unread bool) { a.unread = unread }(a.unread)
	a.unread = true
	v, _, ok := a.viewOf(e)
	return v, ok
}

// known returns the values for which an operand is not NULL, and perhaps others.
func (v view) known() indexes.Spans {
	if v.as == asColumn || v.as == asScalar {
		return notNull.spans()
	}
	return present
}

// strictOperands returns the children without which an expression is NULL.
func strictOperands(e sql.Expression) []sql.Expression {
	switch e := e.(type) {
	case *expression.Arithmetic, *expression.Div, *expression.IntDiv, *expression.Mod, *expression.UnaryMinus,
		*expression.BitOp, *expression.Convert, *expression.CollatedExpression,
		*expression.Binary, *expression.Equals, *expression.LessThan, *expression.LessThanOrEqual, *expression.GreaterThan,
		*expression.GreaterThanOrEqual,
		*expression.Like, *expression.Not, Strict:
		return e.Children()
	case Like:
		parts := e.PushdownLike()
		return []sql.Expression{parts.Value, parts.Pattern}
	case AsDouble:
		return []sql.Expression{e.PushdownAsDouble()}
	case *expression.Between:
		return []sql.Expression{e.Val}
	case *expression.InTuple:
		return []sql.Expression{e.Left()}
	case *expression.HashInTuple:
		return []sql.Expression{e.Left()}
	case sql.FunctionExpression:
		switch name := strings.ToLower(e.FunctionName()); {
		case strictFunctions[name]:
			return e.Children()
		case name == "json_unquote" || name == "json_extract" || name == "json_value" || name == "json_value_as":
			// a text that is no JSON is an error, which must not depend on the documents that are read
			if of := e.Children()[:1]; types.IsJSON(of[0].Type()) {
				return of
			}
		}
	}
	return nil
}
