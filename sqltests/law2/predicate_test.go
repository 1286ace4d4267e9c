package law2

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sqlClass says how a SQL value compares.
type sqlClass int

const (
	sqlNull    sqlClass = iota
	sqlNumber           // text is its spelling
	sqlBoolean          // TRUE and FALSE: numbers, but booleans beside JSON
	sqlText
	sqlTime // a date, a time or both, in MySQL's spelling
	sqlJSON
)

// sqlValue is the value of an operand for one document.
type sqlValue struct {
	class sqlClass
	text  string
	yes   bool
	json  jsonModel
	// order is the collation that a column has; literals take the other operand's.
	order  order
	column bool
	mixed  bool // of a column that nobody declared, which has scalars of several types
	given  bool // a constant
}

var sqlNone = sqlValue{}

func sqlTextOf(s string) sqlValue { return sqlValue{class: sqlText, text: s} }

func sqlNumberOf(s string) sqlValue { return sqlValue{class: sqlNumber, text: s} }

func sqlJSONOf(v jsonModel) sqlValue { return sqlValue{class: sqlJSON, json: v} }

func (v sqlValue) isNull() bool { return v.class == sqlNull }

func sqlBooleanOf(yes bool) sqlValue { return sqlValue{class: sqlBoolean, yes: yes} }

func (v sqlValue) double() float64 { return double(v.number()) }

func (v sqlValue) numeric() bool { return v.class == sqlNumber || v.class == sqlBoolean }

func (v sqlValue) is(c sqlClass) bool { return v.class == c }

func either(c sqlClass, a, b sqlValue) bool { return a.class == c || b.class == c }

func (v sqlValue) number() string {
	if v.class == sqlBoolean {
		return map[bool]string{true: "1", false: "0"}[v.yes]
	}
	return v.text
}

// asJSON is the JSON value that a SQL value becomes beside JSON.
func (v sqlValue) asJSON() jsonModel {
	switch v.class {
	case sqlNumber:
		return numberModel(v.text)
	case sqlBoolean:
		return boolModel(v.yes)
	case sqlText:
		return stringModel(v.text)
	case sqlJSON:
		return v.json
	}
	panic(errNotModelled)
}

// errNotModelled is the panic of a comparison that the evaluator leaves out.
var errNotModelled = errors.New("the evaluator doesn't say how these compare")

// compareSQL is the manual's "Type Conversion in Expression Evaluation"; ok is
// false where the result is NULL.
func compareSQL(a, b sqlValue) (c int, ok bool) {
	switch {
	case a.isNull() || b.isNull():
		return 0, false
	case either(sqlJSON, a, b):
		return compareJSON(a.asJSON(), b.asJSON()), true
	case either(sqlTime, a, b):
		x, xok := timeOf(a.text)
		y, yok := timeOf(b.text)
		if a.numeric() || b.numeric() || !xok || !yok {
			panic(errNotModelled)
		}
		return cmp.Compare(x, y), true
	case a.numeric() && b.numeric():
		return compareSpelled(a.number(), b.number()), true
	case a.is(sqlText) && b.is(sqlText):
		o := a.order
		if b.column && !a.column {
			o = b.order
		} else if a.column && b.column && a.order != b.order {
			panic(errNotModelled)
		}
		return compareStrings(o, a.text, b.text), true
	}
	// A number beside a text: both as DOUBLE.
	side := func(v sqlValue) float64 {
		if !v.is(sqlText) {
			return v.double()
		}
		return textAsDouble(v.text)
	}
	c = cmp.Compare(side(a), side(b))
	// Beside a value of an integer type, an integer in a text is that one: of which type a number is, isn't known here.
	for _, v := range []sqlValue{a, b} {
		if v.is(sqlText) && wholeText.MatchString(v.text) {
			whole := sqlNumberOf(strings.TrimPrefix(strings.TrimSpace(v.text), "+"))
			x, y := a, b
			if a.is(sqlText) {
				x = whole
			} else {
				y = whole
			}
			if compareSpelled(x.number(), y.number()) != c {
				panic(errNotModelled)
			}
		}
	}
	return c, true
}

// wholeText is a text that spells an integer.
var wholeText = regexp.MustCompile(`^\s*[+-]?[0-9]+\s*$`)

// timeOf places a date, a time or both, in microseconds.
func timeOf(s string) (int64, bool) {
	var year, month, day, hours, minutes int64
	var seconds float64
	negative := strings.HasPrefix(s, "-")
	clock := strings.TrimPrefix(s, "-")
	if date, rest, both := strings.Cut(s, " "); both || len(s) == 10 && s[4] == '-' {
		if n, _ := fmt.Sscanf(date, "%4d-%2d-%2d", &year, &month, &day); n != 3 {
			return 0, false
		}
		clock = cmp.Or(rest, "00:00:00")
	}
	if n, _ := fmt.Sscanf(clock, "%d:%2d:%f", &hours, &minutes, &seconds); n != 3 {
		return 0, false
	}
	micros := (hours*60+minutes)*60_000_000 + int64(math.Round(seconds*1e6))
	if negative {
		micros = -micros
	}
	return ((year*13+month)*32+day)*86_400_000_000 + micros, true
}

// tri is SQL's three-valued logic.
type tri int

const (
	no tri = iota
	unknown
	yes
)

func triOf(b, ok bool) tri {
	switch {
	case !ok:
		return unknown
	case b:
		return yes
	}
	return no
}

func (t tri) not() tri { return yes - t }

// truth is a value as a condition.
func (v sqlValue) truth() tri {
	switch v.class {
	case sqlNumber, sqlBoolean:
		return triOf(decimalOf(v.number()).digits != "", true)
	case sqlText:
		return triOf(textAsDouble(v.text) != 0, true)
	case sqlJSON:
		switch v.json.typ {
		case jsonNull:
			return unknown
		case jsonBoolean:
			return triOf(v.json.yes, true)
		case jsonNumber:
			return triOf(decimalOf(v.json.text).digits != "", true)
		case jsonString:
			return triOf(textAsDouble(v.json.text) != 0, true)
		}
		return yes
	}
	return unknown
}

// writer writes a statement, with its literals as parameters where it can.
type writer struct {
	strings.Builder
	prepared bool
	args     []any
	alias    string // of the table whose columns are written
}

// own writes the name of a column of the table at hand.
func (w *writer) own(name string) {
	if w.alias != "" {
		w.WriteString(w.alias + ".")
	}
	w.WriteString(name)
}

func (w *writer) list(operands []operand) {
	for i, o := range operands {
		if i > 0 {
			w.WriteString(", ")
		}
		o.write(w)
	}
}

// operand is an operand of a predicate.
type operand interface {
	write(w *writer)
	value(row rowModel) sqlValue
}

// predicate is a condition.
type predicate interface {
	write(w *writer)
	holds(row rowModel) tri
	// simpler lists conditions to try when this one fails.
	simpler() []predicate
}

// The connectives.

type both struct {
	op   string // AND, OR, XOR
	a, b predicate
}

func (p both) write(w *writer) {
	w.WriteString("(")
	p.a.write(w)
	w.WriteString(" " + p.op + " ")
	p.b.write(w)
	w.WriteString(")")
}

func (p both) holds(row rowModel) tri {
	a, b := p.a.holds(row), p.b.holds(row)
	switch {
	case p.op == "AND":
		return min(a, b)
	case p.op == "OR":
		return max(a, b)
	case a == unknown || b == unknown:
		return unknown
	}
	return triOf(a != b, true)
}

func (p both) simpler() []predicate {
	out := []predicate{p.a, p.b}
	for _, a := range p.a.simpler() {
		out = append(out, both{p.op, a, p.b})
	}
	for _, b := range p.b.simpler() {
		out = append(out, both{p.op, p.a, b})
	}
	return out
}

type negation struct{ a predicate }

func (p negation) write(w *writer) {
	w.WriteString("NOT (")
	p.a.write(w)
	w.WriteString(")")
}

func (p negation) holds(row rowModel) tri { return p.a.holds(row).not() }

func (p negation) simpler() []predicate {
	out := []predicate{p.a}
	for _, a := range p.a.simpler() {
		out = append(out, negation{a})
	}
	return out
}

// is is IS [NOT] TRUE, FALSE or NULL of a condition.
type is struct {
	a     predicate
	not   bool
	truth tri
}

func (p is) write(w *writer) {
	if p.truth == unknown {
		writeTruth(w, p.a)
	} else {
		w.WriteString("(")
		p.a.write(w)
		w.WriteString(")")
	}
	w.WriteString(" IS ")
	if p.not {
		w.WriteString("NOT ")
	}
	w.WriteString(map[tri]string{yes: "TRUE", no: "FALSE", unknown: "NULL"}[p.truth])
}

// writeTruth writes what is NULL if the condition is. A JSON null alone is not
// NULL, but no true condition either.
func writeTruth(w *writer, p predicate) {
	of := p
	if a, ok := p.(aliased); ok {
		of = a.p
	}
	if _, alone := of.(condition); alone {
		p = negation{p}
	}
	w.WriteString("(")
	p.write(w)
	w.WriteString(")")
}

func (p is) holds(row rowModel) tri { return triOf((p.a.holds(row) == p.truth) != p.not, true) }

func (p is) simpler() []predicate {
	out := []predicate{p.a}
	for _, a := range p.a.simpler() {
		out = append(out, is{a, p.not, p.truth})
	}
	return out
}

// leaf is a predicate that is no connective.
type leaf struct{}

func (leaf) simpler() []predicate { return nil }

type comparison struct {
	op   string
	a, b operand
}

func (p comparison) write(w *writer) {
	p.a.write(w)
	w.WriteString(" " + p.op + " ")
	p.b.write(w)
}

func (p comparison) holds(row rowModel) tri { return compareBy(p.op, p.a.value(row), p.b.value(row)) }

func (p comparison) simpler() []predicate {
	var out []predicate
	for _, a := range simplerOperands(p.a) {
		out = append(out, comparison{p.op, a, p.b})
	}
	for _, b := range simplerOperands(p.b) {
		out = append(out, comparison{p.op, p.a, b})
	}
	return out
}

// spelledNumber is a text that spells a number, as a JSON number.
func (v sqlValue) spelledNumber() (jsonModel, bool) {
	text := strings.TrimSpace(v.text)
	if !v.given || !v.is(sqlText) || !numberSpelled.MatchString(text) {
		return jsonModel{}, false
	}
	digits, negative := strings.CutPrefix(strings.TrimPrefix(text, "+"), "-")
	if strings.HasPrefix(digits, ".") {
		digits = "0" + digits
	}
	if negative {
		digits = "-" + digits
	}
	return numberModel(digits), true
}

var numberSpelled = regexp.MustCompile(`^[+-]?((0|[1-9][0-9]*)(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// compareMixed compares a mixed column with a text that spells a number: its strings with the text, all else with the
// number.
func compareMixed(op string, v jsonModel, text string, number jsonModel) bool {
	textual, numeric := opHolds(op, compareJSON(v, stringModel(text))), opHolds(op, compareJSON(v, number))
	switch op {
	case "=", "<=>":
		return textual || numeric
	case "<>":
		return textual && numeric
	}
	if compareJSON(v, stringModel("")) >= 0 {
		return textual
	}
	return numeric
}

func compareBy(op string, a, b sqlValue) tri {
	if number, ok := b.spelledNumber(); ok && a.mixed && !a.isNull() {
		return triOf(compareMixed(op, a.json, b.text, number), true)
	}
	if number, ok := a.spelledNumber(); ok && b.mixed && !b.isNull() {
		flipped := map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}
		if turned, ok := flipped[op]; ok {
			op = turned
		}
		return triOf(compareMixed(op, b.json, a.text, number), true)
	}
	return compareAlike(op, a, b)
}

// compareAlike is compareBy without regard to mixed columns.
func compareAlike(op string, a, b sqlValue) tri {
	if op == "<=>" && (a.isNull() || b.isNull()) {
		return triOf(a.isNull() && b.isNull(), true)
	}
	c, ok := compareSQL(a, b)
	return triOf(opHolds(op, c), ok)
}

func opHolds(op string, c int) bool {
	switch op {
	case "=", "<=>":
		return c == 0
	case "<>":
		return c != 0
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}

type between struct {
	leaf
	not       bool
	v, lo, hi operand
}

func (p between) write(w *writer) {
	p.v.write(w)
	w.WriteString(negated(p.not, " BETWEEN "))
	p.lo.write(w)
	w.WriteString(" AND ")
	p.hi.write(w)
}

func negated(not bool, word string) string {
	if not {
		return " NOT" + word
	}
	return word
}

func (p between) holds(row rowModel) tri {
	v, lo, hi := p.v.value(row), p.lo.value(row), p.hi.value(row)
	t := min(compareAlike(">=", v, lo), compareAlike("<=", v, hi))
	least, isLeast := lo.spelledNumber()
	most, isMost := hi.spelledNumber()
	if v.mixed && isLeast && isMost {
		t = max(t, min(compareAlike(">=", v, sqlJSONOf(least)), compareAlike("<=", v, sqlJSONOf(most))))
	}
	if p.not {
		return t.not()
	}
	return t
}

type in struct {
	not  bool
	v    operand
	list []operand
}

func (p in) write(w *writer) {
	p.v.write(w)
	w.WriteString(negated(p.not, " IN "))
	w.WriteString("(")
	w.list(p.list)
	w.WriteString(")")
}

func (p in) holds(row rowModel) tri {
	t, v := no, p.v.value(row)
	for _, e := range p.list {
		t = max(t, compareBy("=", v, e.value(row)))
	}
	if p.not {
		return t.not()
	}
	return t
}

func (p in) simpler() []predicate {
	var out []predicate
	for i := range p.list {
		if len(p.list) > 1 {
			out = append(out, in{not: p.not, v: p.v, list: slices.Delete(slices.Clone(p.list), i, i+1)})
		}
	}
	return out
}

type isNull struct {
	leaf
	not bool
	v   operand
}

func (p isNull) write(w *writer) {
	p.v.write(w)
	w.WriteString(map[bool]string{false: " IS NULL", true: " IS NOT NULL"}[p.not])
}

func (p isNull) holds(row rowModel) tri { return triOf(p.v.value(row).isNull() != p.not, true) }

type like struct {
	leaf
	not     bool
	v       operand
	pattern constant
}

func (p like) write(w *writer) {
	p.v.write(w)
	w.WriteString(negated(p.not, " LIKE "))
	p.pattern.write(w)
}

func (p like) holds(row rowModel) tri {
	v := p.v.value(row)
	if v.isNull() || p.pattern.v.isNull() {
		return unknown
	}
	if !v.is(sqlText) {
		panic(errNotModelled)
	}
	return triOf(v.order.like([]rune(v.text), []rune(p.pattern.v.text)) != p.not, true)
}

// condition is an operand alone.
type condition struct {
	leaf
	v operand
}

func (p condition) write(w *writer) { p.v.write(w) }

func (p condition) holds(row rowModel) tri { return p.v.value(row).truth() }

// The operands.

type constant struct {
	v sqlValue
	// spelled is its SQL; arg is its parameter, if it can be one.
	spelled string
	arg     any
}

func (l constant) write(w *writer) {
	if w.prepared && l.arg != nil {
		w.WriteString("?")
		w.args = append(w.args, l.arg)
		return
	}
	w.WriteString(l.spelled)
}

func (l constant) value(rowModel) sqlValue {
	v := l.v
	v.given = true
	return v
}

func quotedSQL(s string) string {
	return "'" + strings.NewReplacer("'", "''", `\`, `\\`, "\x00", `\0`).Replace(s) + "'"
}

func textLiteral(s string) constant {
	return constant{v: sqlTextOf(s), spelled: quotedSQL(s), arg: s}
}

// numberLiteral is a number as SQL spells it: with an exponent it is a DOUBLE.
func numberLiteral(s string) constant {
	l := constant{v: sqlNumberOf(s), spelled: s}
	if strings.ContainsAny(s, "eE") {
		f := double(s)
		l.v.text = shortest(f)
		l.arg = f
	} else if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		l.arg = n
	}
	return l
}

func jsonLiteral(v jsonModel) constant {
	return constant{v: sqlJSONOf(v), spelled: "CAST(" + quotedSQL(v.String()) + " AS JSON)"}
}

var nullLiteral = constant{spelled: "NULL"}

func booleanLiteral(b bool) constant {
	return constant{v: sqlBooleanOf(b), spelled: strings.ToUpper(strconv.FormatBool(b))}
}
