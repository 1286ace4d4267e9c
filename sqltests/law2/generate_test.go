package law2

import (
	"strings"
)

// operators of comparisons; = most often.
var comparisons = []string{"=", "=", "=", "<=>", "<", "<=", ">", ">=", "<>"}

// predicate is a random condition.
func (w *world) predicate(depth int) predicate {
	if depth > 0 {
		switch w.r.IntN(9) {
		case 0, 1:
			return both{"AND", w.predicate(depth - 1), w.predicate(depth - 1)}
		case 2, 3:
			return both{"OR", w.predicate(depth - 1), w.predicate(depth - 1)}
		case 4:
			return both{"XOR", w.predicate(depth - 1), w.predicate(depth - 1)}
		case 5:
			return negation{w.predicate(depth - 1)}
		case 6:
			return is{w.predicate(depth - 1), w.chance(50), tri(w.r.IntN(3))}
		}
	}
	switch w.r.IntN(24) {
	case 0:
		return w.rowPredicate()
	case 1, 2, 3:
		return w.jsonPredicate()
	case 4:
		return w.conditionAlone()
	case 5:
		return w.constantPredicate()
	case 6, 7:
		if p := w.twoOperands(); p != nil {
			return p
		}
	}
	o := w.operand()
	with := func() constant { return w.literalFor(o) }
	switch w.r.IntN(12) {
	case 0:
		return isNull{not: w.chance(50), v: o}
	case 1, 2:
		lo, hi := with(), with()
		for range 20 { // bounds of one kind, or what they are compared as depends on all three
			if lo.v.class == hi.v.class || lo.v.isNull() || hi.v.isNull() {
				break
			}
			hi = with()
		}
		if lo.v.class != hi.v.class && !lo.v.isNull() && !hi.v.isNull() {
			hi = lo
		}
		return between{not: w.chance(35), v: o, lo: lo, hi: hi}
	case 3, 4:
		p := in{not: w.chance(35), v: o}
		for range one(w.r, []int{1, 2, 2, 3, 3, 4, 30}) {
			p.list = append(p.list, with())
		}
		return p
	case 5:
		if w.class(o) == sqlText {
			return like{not: w.chance(35), v: o, pattern: w.pattern(o)}
		}
	}
	p := comparison{op: one(w.r, comparisons), a: o, b: with()}
	if w.chance(25) {
		p.a, p.b = p.b, p.a
	}
	return p
}

// operand is a random column, path into the document, text of one, or cast.
func (w *world) operand() operand {
	keys := one(w.r, w.keys)
	if w.chance(5) {
		return column{[]string{"_id"}}
	}
	if w.isDeclared(keys) && (w.altered[keys[0]] || w.chance(85)) {
		return column{keys}
	}
	// Columns' names ignore case: of K and k the documents decide which it is.
	twins := strings.EqualFold(keys[0], "k")
	n := w.r.IntN(20)
	switch {
	case n < 8 && !twins && !w.isDeclared(keys):
		return column{keys}
	case n < 9 && w.column(keys[:1]).class == sqlJSON && !twins:
		// A path into a column that is JSON.
		path := keysPath(keys[1:])
		path = append(path, one(w.r, []pathStep{{kind: 'n'}, {kind: 'l'}, {kind: 'k', name: "a"}, {kind: 'k', name: "x"},
			{kind: 'k', name: "a.b"}}))
		return extraction{path: path, from: keys[:1], arrow: w.chance(60)}
	case n < 13:
		return w.extraction(keys)
	case n < 16:
		return textOfJSON{one(w.r, []string{"->>", "JSON_UNQUOTE"}), w.extraction(keys)}
	case n < 17:
		if w.chance(50) {
			return returnedJSON{w.extraction(keys), one(w.r,
				[]string{"SIGNED", "UNSIGNED", "DECIMAL(20,3)", "DECIMAL(6,1)", "DOUBLE", "CHAR", "CHAR(5)", "JSON"})}
		}
		return textOfJSON{"JSON_VALUE", w.extraction(keys)}
	case n < 18 && len(keys) == 1 && keys[0] == "i" && !w.isExcluded("i"):
		return cast{column{keys}, one(w.r, []string{"SIGNED", "CHAR", "DECIMAL(30,2)"})}
	}
	return w.extraction(keys)
}

// constantPredicate reads no document.
func (w *world) constantPredicate() predicate {
	switch w.r.IntN(4) {
	case 0:
		return condition{v: nullLiteral}
	case 1:
		return condition{v: booleanLiteral(w.chance(50))}
	case 2:
		return condition{v: w.spelledNumber(one(w.r, []string{"0", "1", "-1", "0.5"}))}
	}
	return comparison{op: one(w.r, comparisons), a: w.spelledNumber(w.number()), b: w.spelledNumber(w.number())}
}

// twoOperands compares what documents hold with what they hold elsewhere.
func (w *world) twoOperands() predicate {
	for range 10 {
		a, b := w.operand(), w.operand()
		ca, cb := w.class(a), w.class(b)
		ta, tb := w.orderOf(a), w.orderOf(b)
		switch {
		case ca == sqlTime || cb == sqlTime:
			continue
		case ca == sqlText && cb == sqlText && ta != tb:
			continue // which collation rules is another test's matter
		}
		if w.chance(15) {
			return between{not: w.chance(30), v: a, lo: b, hi: b}
		}
		return comparison{op: one(w.r, comparisons), a: a, b: b}
	}
	return nil
}

// orderOf is the collation of a text operand.
func (w *world) orderOf(o operand) order {
	if c, ok := o.(column); ok {
		return w.column(c.keys).order
	}
	return unicodeOrder
}

func (w *world) isDeclared(keys []string) bool {
	return len(keys) == 1 && len(keys[0]) == 2 && keys[0][0] == 'd'
}

func (w *world) extraction(keys []string) extraction {
	e := extraction{path: keysPath(keys), arrow: w.chance(60)}
	if w.chance(20) {
		switch last := keys[len(keys)-1]; last {
		case "a", "b", "g", "x", "m":
			e.path = append(e.path, one(w.r, []pathStep{{kind: 'n'}, {kind: 'n', index: 1}, {kind: 'l'}, {kind: '*'}}))
			if last == "g" {
				e.path = append(e.path, pathStep{kind: 'k', name: one(w.r, []string{"x", "k", "t"})})
			}
		case "o":
			e.path = append(e.path, pathStep{kind: 'm'})
		}
	}
	return e
}

// class is how the values of an operand compare.
func (w *world) class(o operand) sqlClass {
	switch o := o.(type) {
	case column:
		if c := w.column(o.keys).class; c != sqlBoolean {
			return c
		}
		return sqlNumber
	case extraction:
		return sqlJSON
	case textOfJSON:
		return sqlText
	case returnedJSON:
		return o.class()
	case cast:
		if o.to == "CHAR" {
			return sqlText
		}
		return sqlNumber
	}
	return sqlNull
}

// sample is the operand's value in a document that has one.
func (w *world) sample(o operand) sqlValue {
	for range 8 {
		v := sqlNone
		if modelled(func() { v = o.value(w.row(one(w.r, w.documents))) }) && !v.isNull() {
			return v
		}
	}
	return sqlNone
}

// literalFor is a constant to compare an operand with: often a value that it
// has, sometimes of another type.
func (w *world) literalFor(o operand) constant {
	if w.chance(4) {
		return nullLiteral
	}
	class := w.class(o)
	var v sqlValue
	if w.chance(65) {
		v = w.sample(o)
	}
	if v.isNull() {
		switch class {
		case sqlNumber:
			v = sqlNumberOf(w.number())
		case sqlText:
			v = sqlTextOf(w.text())
		case sqlTime:
			if c, ok := o.(column); ok && c.keys[0] == "dq" {
				return textLiteral(one(w.r, []string{"00:00:00", "10:00:00", "-00:00:01", "11:11:11.111111", "100:00:00"}))
			}
			v = sqlTextOf(one(w.r, []string{"2024-01-01", "2024-01-01 00:00:00", "2000-01-01", "2024-02-29 10:10:10"}))
		case sqlJSON:
			v = sqlJSONOf(w.any(2))
		}
	}
	if w.chance(7) && class != sqlTime {
		v = w.otherClass(class)
	}
	switch v.class {
	case sqlNumber:
		return w.spelledNumber(v.text)
	case sqlBoolean:
		return booleanLiteral(v.yes)
	case sqlText, sqlTime:
		return textLiteral(v.text)
	}
	switch j := v.json; {
	case w.chance(20):
	case j.typ == jsonNumber:
		return w.spelledNumber(j.text)
	case j.typ == jsonString:
		return textLiteral(j.text)
	case j.typ == jsonBoolean:
		return booleanLiteral(j.yes)
	}
	return jsonLiteral(v.json)
}

// otherClass is a value of another type than the operand's.
func (w *world) otherClass(class sqlClass) sqlValue {
	switch class {
	case sqlNumber:
		if w.chance(50) {
			return sqlBooleanOf(w.chance(50))
		}
		return sqlTextOf(one(w.r, []string{"5", "5.0", "1", "0", "-1", "1e1", "0.5", "10", "9007199254740993", "5x", "", "x",
			"1e400", " 7"}))
	case sqlText:
		return sqlNumberOf(one(w.r, []string{"5", "0", "1", "-1", "10", "5.5", "1e1"}))
	}
	return sqlJSONOf(w.any(1))
}

// spelledNumber is a number as SQL can spell it: with at most 65 digits, and as
// a DOUBLE only within its range.
func (w *world) spelledNumber(s string) constant {
	d := decimalOf(s)
	plain := strings.ContainsAny(s, "eE")
	if plain && (d.point > 300 || d.point < -300) || d.point > 320 || len(d.digits) > 60 && !isInteger(s) {
		return jsonLiteral(numberModel(s))
	}
	if isInteger(s) && len(d.digits) < 15 && d.point < 15 {
		s += one(w.r, []string{"", "", "", "", ".0", "e0", ".00"})
	}
	return numberLiteral(s)
}

func (w *world) pattern(o operand) constant {
	if w.chance(4) {
		return nullLiteral
	}
	text := []rune(w.text())
	if v := w.sample(o); !v.isNull() && w.chance(70) {
		text = []rune(v.text)
	}
	if len(text) > 20 && w.chance(50) {
		text = text[:20]
	}
	var b strings.Builder
	for i, r := range text {
		switch n := w.r.IntN(16); {
		case n == 0:
			b.WriteByte('_')
		case n == 1 && i > 0:
			b.WriteByte('%')
			if w.chance(50) {
				return textLiteral(b.String())
			}
		case r == '%' || r == '_' || r == '\\':
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	if w.chance(50) {
		b.WriteByte('%')
	}
	return textLiteral(b.String())
}

func (w *world) rowPredicate() predicate {
	a := []operand{w.operand(), w.operand()}
	if w.chance(20) {
		a = append(a, w.operand())
	}
	row := func() []operand {
		out := make([]operand, len(a))
		for i, o := range a {
			out[i] = w.literalFor(o)
		}
		return out
	}
	if w.chance(50) {
		return rows{op: one(w.r, comparisons), a: a, b: row()}
	}
	p := inRows{not: w.chance(30), a: a}
	for range 1 + w.r.IntN(3) {
		p.list = append(p.list, row())
	}
	return p
}

func (w *world) conditionAlone() predicate {
	o := operand(column{one(w.r, [][]string{{"f"}, {"i"}, {"_all"}, {"s"}, {"m"}})})
	if w.chance(40) {
		o = w.extraction(one(w.r, [][]string{{"f"}, {"i"}, {"m"}, {"a"}, {"s"}}))
		if w.chance(30) {
			o = textOfJSON{"->>", o.(extraction)}
		}
	}
	return condition{v: o}
}

// jsonPredicate is a JSON function over something that is often an array.
func (w *world) jsonPredicate() predicate {
	keys := one(w.r, [][]string{{"a"}, {"b"}, {"g"}, {"x"}, {"m"}, {"o"}, {"i"}, {"o", "q"}, {"x", "a"}})
	target := operand(w.extraction(keys))
	if w.chance(30) && w.column(keys).class == sqlJSON {
		target = column{keys}
	}
	// candidate is a value that has something in common with the target.
	candidate := func() jsonModel {
		v := w.sample(target).json
		if w.chance(30) {
			v = w.any(2)
		}
		switch {
		case v.typ == jsonArray && len(v.elements) > 0 && w.chance(70):
			e := one(w.r, v.elements)
			if w.chance(40) {
				return arrayModel(e, one(w.r, v.elements))
			}
			return e
		case v.typ == jsonObject && len(v.members) > 0 && w.chance(50):
			return jsonModel{typ: jsonObject, members: []jsonMember{one(w.r, v.members)}}
		}
		return v
	}
	asText := func(v jsonModel) operand { // these functions parse strings
		if w.chance(60) {
			return constant{v: sqlJSONOf(v), spelled: quotedSQL(v.String()), arg: v.String()}
		}
		return jsonLiteral(v)
	}
	switch w.r.IntN(10) {
	case 0, 1, 2:
		p := jsonCall{name: "JSON_CONTAINS", a: target, b: asText(candidate())}
		if w.chance(30) {
			p.a = document{}
			path := keysPath(keys)
			p.path = &path
		}
		return p
	case 3, 4, 5:
		p := jsonCall{name: "JSON_OVERLAPS", a: target, b: asText(candidate())}
		if w.chance(30) {
			p.a, p.b = p.b, p.a
		}
		return p
	case 6, 7:
		v := candidate()
		l := constant(jsonLiteral(v))
		switch v.typ {
		case jsonNumber:
			l = w.spelledNumber(v.text)
		case jsonString:
			l = textLiteral(v.text)
		}
		return jsonCall{name: "MEMBER OF", a: l, b: target}
	}
	if w.chance(30) {
		return search{in: keysPath(keys), text: one(w.r, plainTexts[1:])}
	}
	p := containsPath{all: w.chance(50)}
	for range 1 + w.r.IntN(2) {
		p.paths = append(p.paths, w.extraction(one(w.r, w.keys)).path)
	}
	return p
}

// document is the whole document.
type document struct{}

func (document) write(w *writer) { w.own("_doc") }

func (document) value(row rowModel) sqlValue { return sqlJSONOf(row.document) }
