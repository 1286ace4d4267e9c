package law2

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// What follows is SQL's comparison written down a second time, from MySQL's
// manual and from this product's own rules: numbers exactly, strings in
// Unicode's root order and equal only when identical. It shares no code with
// the server.

// jsonType is a type of JSON, in the order in which MySQL compares values of
// different types.
type jsonType int

const (
	jsonNull jsonType = iota
	jsonNumber
	jsonString
	jsonObject
	jsonArray
	jsonBoolean
)

// jsonModel is a JSON value.
type jsonModel struct {
	typ      jsonType
	text     string // a number as it is spelled; the characters of a string
	yes      bool   // a boolean
	members  []jsonMember
	elements []jsonModel
}

type jsonMember struct {
	name  string
	value jsonModel
}

func numberModel(s string) jsonModel { return jsonModel{typ: jsonNumber, text: s} }

func stringModel(s string) jsonModel { return jsonModel{typ: jsonString, text: s} }

func boolModel(b bool) jsonModel { return jsonModel{typ: jsonBoolean, yes: b} }

func arrayModel(e ...jsonModel) jsonModel {
	return jsonModel{typ: jsonArray, elements: e}
}

// String is the compact JSON text.
func (v jsonModel) String() string {
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v jsonModel) write(b *strings.Builder) {
	switch v.typ {
	case jsonNull:
		b.WriteString("null")
	case jsonNumber:
		b.WriteString(v.text)
	case jsonString:
		b.WriteString(quotedJSON(v.text))
	case jsonBoolean:
		b.WriteString(strconv.FormatBool(v.yes))
	case jsonArray:
		b.WriteByte('[')
		for i, e := range v.elements {
			if i > 0 {
				b.WriteByte(',')
			}
			e.write(b)
		}
		b.WriteByte(']')
	case jsonObject:
		b.WriteByte('{')
		for i, m := range v.members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quotedJSON(m.name))
			b.WriteByte(':')
			m.value.write(b)
		}
		b.WriteByte('}')
	}
}

func quotedJSON(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// unquoted is what ->> gives.
func (v jsonModel) unquoted() string {
	if v.typ == jsonString {
		return v.text
	}
	return v.String()
}

// member is the value of an object's key.
func (v jsonModel) member(name string) (jsonModel, bool) {
	if v.typ == jsonObject {
		for _, m := range v.members {
			if m.name == name {
				return m.value, true
			}
		}
	}
	return jsonModel{}, false
}

// at is the value that the keys lead to.
func (v jsonModel) at(keys []string) (jsonModel, bool) {
	for _, k := range keys {
		var ok bool
		if v, ok = v.member(k); !ok {
			return v, false
		}
	}
	return v, true
}

// compareJSON is the manual's "Comparison and Ordering of JSON Values". The
// order of unequal objects, which the manual leaves open, is that of MySQL's
// binary JSON: by size, then by the sorted members.
func compareJSON(a, b jsonModel) int {
	if a.typ != b.typ {
		return cmp.Compare(a.typ, b.typ)
	}
	switch a.typ {
	case jsonNumber:
		return compareSpelled(a.text, b.text)
	case jsonString:
		return compareStrings(unicodeOrder, a.text, b.text)
	case jsonBoolean:
		switch {
		case a.yes == b.yes:
			return 0
		case b.yes:
			return -1
		}
		return 1
	case jsonArray:
		for i := range min(len(a.elements), len(b.elements)) {
			if c := compareJSON(a.elements[i], b.elements[i]); c != 0 {
				return c
			}
		}
		return cmp.Compare(len(a.elements), len(b.elements))
	case jsonObject:
		if c := cmp.Compare(len(a.members), len(b.members)); c != 0 {
			return c
		}
		ma, mb := a.sortedMembers(), b.sortedMembers()
		for i := range ma {
			if c := compareNames(ma[i].name, mb[i].name); c != 0 {
				return c
			}
			if c := compareJSON(ma[i].value, mb[i].value); c != 0 {
				return c
			}
		}
	}
	return 0
}

func compareNames(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

func (v jsonModel) sortedMembers() []jsonMember {
	m := slices.Clone(v.members)
	slices.SortFunc(m, func(x, y jsonMember) int { return compareNames(x.name, y.name) })
	return m
}

// decimal is ±0.digits × 10^point, with no zero at either end of the digits; zero
// has none.
type decimal struct {
	negative bool
	digits   string
	point    int64
}

// decimalOf reads a number's spelling.
func decimalOf(s string) decimal {
	var d decimal
	s, d.negative = strings.TrimPrefix(s, "-"), strings.HasPrefix(s, "-")
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.ParseInt(s[i+1:], 10, 64)
		if err != nil {
			panic(err)
		}
		s, d.point = s[:i], e
	}
	whole, fraction, _ := strings.Cut(s, ".")
	d.point += int64(len(whole))
	d.digits = whole + fraction
	trimmed := strings.TrimLeft(d.digits, "0")
	d.point -= int64(len(d.digits) - len(trimmed))
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		return decimal{}
	}
	return d
}

// compareSpelled compares two numbers exactly.
func compareSpelled(a, b string) int {
	x, y := decimalOf(a), decimalOf(b)
	if sx, sy := x.sign(), y.sign(); sx != sy {
		return cmp.Compare(sx, sy)
	}
	c := cmp.Or(cmp.Compare(x.point, y.point), strings.Compare(x.digits, y.digits))
	if x.negative {
		return -c
	}
	return c
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// double is the number as a DOUBLE, infinite where it is too large.
func double(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64)
	return f
}

// shortest is the shortest spelling of a DOUBLE.
func shortest(f float64) string { return strconv.FormatFloat(f, 'e', -1, 64) }

// textAsDouble is the number that a text begins with, as MySQL reads it: one
// that is too large counts for the largest.
func textAsDouble(s string) float64 {
	s = strings.TrimLeft(s, " \t\r\n\v\f")
	i := 0
	take := func() (n int) {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i, n = i+1, n+1
		}
		return n
	}
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	digits := take()
	if i < len(s) && s[i] == '.' {
		i++
		digits += take()
	}
	if digits == 0 {
		return 0
	}
	mantissa := i
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '-' || s[i] == '+') {
			i++
		}
		if take() == 0 {
			i = mantissa
		}
	}
	return max(-math.MaxFloat64, min(math.MaxFloat64, double(strings.TrimSuffix(s[:i], "."))))
}

// order is a collation as far as the characters of the generators go.
type order int

const (
	unicodeOrder order = iota // utf8mb4_0900_as_cs: equal only when identical
	byteOrder                 // utf8mb4_bin
	letterOrder               // utf8mb4_0900_ai_ci: neither accents nor case count
	accentOrder               // utf8mb4_0900_as_ci
	swedishOrder              // utf8mb4_sv_0900_as_cs: å, ä and ö are letters behind z
)

var orderNames = map[order]string{unicodeOrder: "utf8mb4_0900_as_cs", byteOrder: "utf8mb4_bin",
	letterOrder: "utf8mb4_0900_ai_ci",
	accentOrder: "utf8mb4_0900_as_ci", swedishOrder: "utf8mb4_sv_0900_as_cs"}

// exact reports whether only identical strings are equal.
func (o order) exact() bool { return o != letterOrder && o != accentOrder }

// The characters in the order of their first weights, and what they are made
// of. Any other character the generators leave out.
const rootLetters = "\t\n _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"

var (
	composed = map[rune]string{'á': "a\u0301", 'é': "e\u0301", 'Á': "A\u0301", 'É': "E\u0301", 'ä': "a\u0308",
		'Ä': "A\u0308", 'ö': "o\u0308", 'Ö': "O\u0308", 'å': "a\u030a", 'Å': "A\u030a"}
	accents   = map[rune]int{'\u0301': 1, '\u030a': 2, '\u0308': 3}
	lastRunes = map[rune]int{'ж': 1000, '中': 2000, '国': 2100}
)

// weights are the three levels of a string.
type weights [3][]int

func (o order) weights(s string) weights {
	var plain []rune
	for _, r := range s {
		if c, ok := composed[r]; ok {
			plain = append(plain, []rune(c)...)
		} else {
			plain = append(plain, r)
		}
	}
	var w weights
	add := func(primary, secondary, tertiary int) {
		if primary > 0 {
			w[0] = append(w[0], primary)
		}
		w[1] = append(w[1], secondary)
		w[2] = append(w[2], tertiary)
	}
	for i := 0; i < len(plain); i++ {
		r, tertiary := plain[i], 0
		if r >= 'A' && r <= 'Z' {
			r, tertiary = r+'a'-'A', 1
		}
		accent := rune(0)
		if i+1 < len(plain) {
			accent = plain[i+1]
		}
		switch at := strings.IndexRune(rootLetters, r); {
		case r < 9: // controls weigh nothing
		case accents[r] > 0:
			add(0, accents[r], 0)
		case o == swedishOrder && (r == 'a' || r == 'o') && (accent == '\u0308' || r == 'a' && accent == '\u030a'):
			add(500+slices.Index([]string{"a\u030a", "a\u0308", "o\u0308"}, string(r)+string(accent)), 0, tertiary)
			i++
		case at >= 0:
			add(at+1, 0, tertiary)
		case lastRunes[r] > 0:
			add(lastRunes[r], 0, 0)
		default:
			panic("no weight for " + strconv.QuoteRune(r))
		}
	}
	return w
}

// compareStrings is SQL's comparison of strings.
func compareStrings(o order, a, b string) int {
	if a == b {
		return 0
	}
	if o != byteOrder {
		wa, wb := o.weights(a), o.weights(b)
		levels := 3
		switch o {
		case letterOrder:
			levels = 1
		case accentOrder:
			levels = 2
		}
		for l := range levels {
			if c := slices.Compare(wa[l], wb[l]); c != 0 {
				return c
			}
		}
		if !o.exact() {
			return 0
		}
	}
	return strings.Compare(a, b)
}

// equalRunes reports whether LIKE takes one character for another.
func (o order) equalRunes(a, b rune) bool {
	return a == b || !o.exact() && compareStrings(o, string(a), string(b)) == 0
}

// like is SQL's LIKE with the escape character \.
func (o order) like(s, pattern []rune) bool {
	if len(pattern) == 0 {
		return len(s) == 0
	}
	switch p := pattern[0]; {
	case p == '%':
		for i := range len(s) + 1 {
			if o.like(s[i:], pattern[1:]) {
				return true
			}
		}
		return false
	case p == '_':
		return len(s) > 0 && o.like(s[1:], pattern[1:])
	case p == '\\' && len(pattern) > 1:
		return len(s) > 0 && o.equalRunes(s[0], pattern[1]) && o.like(s[1:], pattern[2:])
	default:
		return len(s) > 0 && o.equalRunes(s[0], p) && o.like(s[1:], pattern[1:])
	}
}

// containsJSON is JSON_CONTAINS.
func containsJSON(target, candidate jsonModel) bool {
	switch {
	case target.typ == jsonArray && candidate.typ == jsonArray:
		for _, c := range candidate.elements {
			if !slices.ContainsFunc(target.elements, func(t jsonModel) bool { return containsJSON(t, c) }) {
				return false
			}
		}
		return true
	case target.typ == jsonArray:
		return slices.ContainsFunc(target.elements, func(t jsonModel) bool { return containsJSON(t, candidate) })
	case target.typ == jsonObject && candidate.typ == jsonObject:
		for _, c := range candidate.members {
			if t, ok := target.member(c.name); !ok || !containsJSON(t, c.value) {
				return false
			}
		}
		return true
	case target.typ == jsonObject || candidate.typ == jsonArray || candidate.typ == jsonObject:
		return false
	}
	return compareJSON(target, candidate) == 0
}

// overlapsJSON is JSON_OVERLAPS.
func overlapsJSON(a, b jsonModel) bool {
	if a.typ != jsonArray && b.typ == jsonArray {
		a, b = b, a
	}
	equal := func(x jsonModel) func(jsonModel) bool {
		return func(y jsonModel) bool { return compareJSON(x, y) == 0 }
	}
	switch {
	case a.typ == jsonArray && b.typ == jsonArray:
		return slices.ContainsFunc(a.elements, func(x jsonModel) bool { return slices.ContainsFunc(b.elements, equal(x)) })
	case a.typ == jsonArray:
		return slices.ContainsFunc(a.elements, equal(b))
	case a.typ == jsonObject && b.typ == jsonObject:
		for _, m := range a.members {
			if v, ok := b.member(m.name); ok && compareJSON(m.value, v) == 0 {
				return true
			}
		}
		return false
	}
	return compareJSON(a, b) == 0
}

// isMember is MEMBER OF.
func isMember(v, array jsonModel) bool {
	if array.typ != jsonArray {
		return compareJSON(v, array) == 0
	}
	return slices.ContainsFunc(array.elements, func(e jsonModel) bool { return compareJSON(v, e) == 0 })
}
