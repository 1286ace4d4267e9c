package law2

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// rowModel is one document of a collection.
type rowModel struct {
	document jsonModel
	types    func(keys []string) columnModel
}

// columnModel is a column's type.
type columnModel struct {
	class sqlClass // sqlNumber, sqlBoolean (an inferred TINYINT(1)), sqlText, sqlTime, sqlJSON
	order order
	scale int  // decimals of a DECIMAL, or -1
	mixed bool // JSON because its scalars are of several types
}

// column reads a keypath as a column: JSON null and a missing value are NULL.
type column struct{ keys []string }

func (c column) write(w *writer) {
	w.own("`" + strings.ReplaceAll(keypath(c.keys), "`", "``") + "`")
}

// plainKey is a key that a keypath and a JSON path need not quote.
var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// keypath spells the way to a value as a column's name.
func keypath(keys []string) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = k
		if k == "" || strings.ContainsAny(k, `.["\`) {
			parts[i] = quotedJSON(k)
		}
	}
	return strings.Join(parts, ".")
}

func (c column) value(row rowModel) sqlValue {
	v, ok := row.document.at(c.keys)
	if !ok || v.typ == jsonNull {
		return sqlNone
	}
	t := row.types(c.keys)
	switch t.class {
	case sqlNumber:
		text := v.text
		if t.scale >= 0 {
			text = rounded(text, t.scale)
		}
		return sqlNumberOf(text)
	case sqlBoolean:
		return sqlNumberOf(sqlBooleanOf(v.yes).number())
	case sqlText:
		return sqlValue{class: sqlText, text: v.text, order: t.order, column: true}
	case sqlTime:
		return sqlValue{class: sqlTime, text: v.text}
	}
	out := sqlJSONOf(v)
	out.mixed = t.mixed
	return out
}

// rounded is a DECIMAL with that many decimals.
func rounded(s string, scale int) string {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic(s)
	}
	return r.FloatString(scale)
}

// pathModel is a JSON path.
type pathModel []pathStep

// pathStep is .name, [n], [last], [*] or .*.
type pathStep struct {
	kind  byte // 'k', 'n', 'l', '*', 'm'
	name  string
	index int
}

func keysPath(keys []string) pathModel {
	var p pathModel
	for _, k := range keys {
		p = append(p, pathStep{kind: 'k', name: k})
	}
	return p
}

// String is the path as SQL's functions take it.
func (p pathModel) String() string {
	var b strings.Builder
	b.WriteByte('$')
	for _, s := range p {
		switch {
		case s.kind == 'k' && plainKey.MatchString(s.name):
			b.WriteString("." + s.name)
		case s.kind == 'k':
			b.WriteString("." + quotedJSON(s.name))
		case s.kind == 'n':
			fmt.Fprintf(&b, "[%d]", s.index)
		case s.kind == 'l':
			b.WriteString("[last]")
		case s.kind == '*':
			b.WriteString("[*]")
		default:
			b.WriteString(".*")
		}
	}
	return b.String()
}

// extract is JSON_EXTRACT: what a path with wildcards leads to is an array.
func (p pathModel) extract(v jsonModel) (jsonModel, bool) {
	found, many := []jsonModel{v}, false
	for _, s := range p {
		var next []jsonModel
		for _, v := range found {
			switch s.kind {
			case 'k':
				if m, ok := v.member(s.name); ok {
					next = append(next, m)
				}
			case 'n', 'l':
				elements := v.elements
				if v.typ != jsonArray {
					elements = []jsonModel{v}
				}
				i := s.index
				if s.kind == 'l' {
					i = len(elements) - 1
				}
				if i >= 0 && i < len(elements) {
					next = append(next, elements[i])
				}
			case '*':
				next = append(next, v.elements...)
			case 'm':
				for _, m := range v.members {
					next = append(next, m.value)
				}
			}
		}
		many = many || s.kind == '*' || s.kind == 'm'
		found = next
	}
	switch {
	case len(found) == 0:
		return jsonModel{}, false
	case many:
		return arrayModel(found...), true
	}
	return found[0], true
}

// extraction is JSON_EXTRACT, or ->.
type extraction struct {
	path  pathModel
	arrow bool
	// from are the keys of the column to extract from; none is _doc.
	from []string
}

func (e extraction) write(w *writer) {
	from := func() {
		if len(e.from) > 0 {
			column{e.from}.write(w)
		} else {
			w.own("_doc")
		}
	}
	if e.arrow {
		from()
		w.WriteString("->" + quotedSQL(e.path.String()))
		return
	}
	w.WriteString("JSON_EXTRACT(")
	from()
	w.WriteString(", " + quotedSQL(e.path.String()) + ")")
}

func (e extraction) value(row rowModel) sqlValue {
	base := row.document
	if len(e.from) > 0 {
		v := column{e.from}.value(row)
		if v.isNull() {
			return sqlNone
		}
		if !v.is(sqlJSON) {
			panic(errNotModelled)
		}
		base = v.json
	}
	v, ok := e.path.extract(base)
	if !ok {
		return sqlNone
	}
	return sqlJSONOf(v)
}

// textOfJSON is ->>, JSON_UNQUOTE or JSON_VALUE of an extraction.
type textOfJSON struct {
	form string // ->>, JSON_UNQUOTE, JSON_VALUE
	of   extraction
}

func (t textOfJSON) write(w *writer) {
	switch t.form {
	case "->>":
		w.own("_doc->>" + quotedSQL(t.of.path.String()))
	case "JSON_VALUE":
		w.WriteString("JSON_VALUE(")
		w.own("_doc, " + quotedSQL(t.of.path.String()) + ")")
	default:
		w.WriteString("JSON_UNQUOTE(")
		t.of.write(w)
		w.WriteString(")")
	}
}

func (t textOfJSON) value(row rowModel) sqlValue {
	v := t.of.value(row)
	if v.isNull() {
		return v
	}
	if t.form == "JSON_VALUE" {
		switch v.json.typ {
		case jsonNull, jsonArray, jsonObject:
			return sqlNone
		}
	}
	return sqlTextOf(v.json.unquoted())
}

// returnedJSON is JSON_VALUE … RETURNING.
type returnedJSON struct {
	of extraction
	as string
}

func (v returnedJSON) class() sqlClass {
	switch {
	case v.as == "JSON":
		return sqlJSON
	case strings.HasPrefix(v.as, "CHAR"):
		return sqlText
	}
	return sqlNumber
}

func (v returnedJSON) write(w *writer) {
	w.WriteString("JSON_VALUE(")
	w.own("_doc, " + quotedSQL(v.of.path.String()) + " RETURNING " + v.as + ")")
}

func (v returnedJSON) value(row rowModel) sqlValue {
	found := v.of.value(row)
	switch {
	case found.isNull() || v.as == "JSON":
		return found
	case found.json.typ == jsonNull || found.json.typ == jsonArray || found.json.typ == jsonObject:
		return sqlNone
	}
	panic(errNotModelled)
}

// cast is CAST of an integer or a number to SIGNED, DECIMAL or CHAR.
type cast struct {
	of operand
	to string
}

func (c cast) write(w *writer) {
	w.WriteString("CAST(")
	c.of.write(w)
	w.WriteString(" AS " + c.to + ")")
}

func (c cast) value(row rowModel) sqlValue {
	v := c.of.value(row)
	if v.isNull() {
		return v
	}
	if v.is(sqlJSON) && v.json.typ == jsonNumber {
		v = sqlNumberOf(v.json.text)
	}
	switch {
	case c.to == "CHAR" && v.is(sqlText):
		return v
	case c.to == "CHAR" && v.is(sqlNumber) && isInteger(v.text):
		return sqlTextOf(plainInteger(v.text))
	case c.to == "SIGNED" && v.is(sqlNumber) && isInteger(v.text):
		if n, ok := new(big.Int).SetString(plainInteger(v.text), 10); ok && n.IsInt64() {
			return sqlNumberOf(n.String())
		}
	case c.to == "DECIMAL(30,2)" && v.is(sqlNumber) && len(decimalOf(v.text).digits) < 20 && decimalOf(v.text).point < 20:
		return sqlNumberOf(rounded(v.text, 2))
	}
	panic(errNotModelled)
}

func isInteger(s string) bool {
	return !strings.ContainsAny(s, ".eE")
}

func plainInteger(s string) string {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		panic(s)
	}
	return n.String()
}

// inferred is the type of the column of an undeclared keypath, by the table in
// the README.
func inferred(documents []jsonModel, keys []string, table order) columnModel {
	var numbers, big, floats, booleans, texts, others, containers bool
	for _, d := range documents {
		v, ok := d.at(keys)
		if !ok {
			continue
		}
		switch v.typ {
		case jsonNumber:
			numbers = true
			switch numberFits(v.text) {
			case fitsDouble:
				floats = floats || !isInteger(v.text)
			case fitsInteger:
				big = true
			default:
				others = true // beyond any SQL type
			}
		case jsonBoolean:
			booleans = true
		case jsonString:
			texts = true
		case jsonArray, jsonObject:
			others, containers = true, true
		}
	}
	families := 0
	for _, b := range []bool{numbers, booleans, texts, others} {
		if b {
			families++
		}
	}
	switch {
	case families != 1 || others || big && floats:
		return columnModel{class: sqlJSON, mixed: !containers && families > 0}
	case numbers:
		return columnModel{class: sqlNumber, scale: -1}
	case booleans:
		return columnModel{class: sqlBoolean}
	}
	return columnModel{class: sqlText, order: table}
}

type numberFit int

const (
	fitsNothing numberFit = iota
	fitsDouble            // exactly, as the double's own spelling
	fitsInteger           // of at most 65 digits
)

func numberFits(s string) numberFit {
	if isInteger(s) {
		n, _ := new(big.Int).SetString(s, 10)
		switch n.Abs(n); {
		case n.Cmp(big.NewInt(1<<53)) <= 0:
			return fitsDouble
		case len(n.String()) <= 65:
			return fitsInteger
		}
		return fitsNothing
	}
	if f := double(s); f-f == 0 && compareSpelled(shortest(f), s) == 0 {
		return fitsDouble
	}
	return fitsNothing
}
