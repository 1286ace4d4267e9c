package law2

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// world is a collection of random documents, with what random predicates over it
// need.
type world struct {
	r         *rand.Rand
	table     string
	order     order // of undeclared strings
	options   []string
	maxDepth  int
	excluded  []string
	declared  []declaredColumn
	keys      [][]string // the keypaths that documents have
	documents []jsonModel
	inferred  map[string]columnModel
	key       string           // how the primary key is declared
	altered   map[string]bool  // declared columns that ALTER TABLE has changed
	full      func() jsonModel // a new document that has much
	later     []string         // the statements that have changed it since it was filled
}

type declaredColumn struct {
	name, sql string
	model     columnModel
	values    []string // JSON
}

var declarable = []declaredColumn{
	{"di", "BIGINT", columnModel{class: sqlNumber, scale: -1},
		[]string{"0", "1", "-1", "2", "5", "10", "9007199254740993", "9007199254740992", "-9223372036854775808",
			"9223372036854775807"}},
	{"du", "BIGINT UNSIGNED", columnModel{class: sqlNumber, scale: -1},
		[]string{"0", "1", "2", "5", "18446744073709551615", "9223372036854775808", "9007199254740993"}},
	{"dx", "DECIMAL(20,3)", columnModel{class: sqlNumber, scale: 3},
		[]string{"0", "1.000", "1.5", "-1.250", "0.001", "5", "9007199254740993.000", "10.1", "1.0005", "-1.2504", "0.0004"}},
	{"df", "DOUBLE", columnModel{class: sqlNumber, scale: -1},
		[]string{"0", "0.1", "1", "1.5", "-2.5", "1e300", "9007199254740992", "5"}},
	{"ds", "VARCHAR(400)", columnModel{class: sqlText}, nil},
	{"dc", "VARCHAR(400) COLLATE utf8mb4_0900_ai_ci", columnModel{class: sqlText, order: letterOrder}, nil},
	{"da", "VARCHAR(400) COLLATE utf8mb4_0900_as_ci", columnModel{class: sqlText, order: accentOrder}, nil},
	{"db", "VARCHAR(400) COLLATE utf8mb4_bin", columnModel{class: sqlText, order: byteOrder}, nil},
	{"dw", "VARCHAR(400) COLLATE utf8mb4_sv_0900_as_cs", columnModel{class: sqlText, order: swedishOrder}, nil},
	{"dd", "DATE", columnModel{class: sqlTime}, quotedAll("2024-01-01", "2024-02-29", "1999-12-31", "0001-01-01",
		"9999-12-31", "2024-01-02")},
	{"dt", "DATETIME", columnModel{class: sqlTime}, quotedAll("2024-01-01 00:00:00", "2024-01-01 00:00:01",
		"2023-12-31 23:59:59", "1999-12-31 12:00:00", "2024-02-29 10:10:10")},
	{"dm", "DATETIME(6)", columnModel{class: sqlTime},
		quotedAll("2024-01-01 00:00:00", "2024-01-01 00:00:00.000001", "2023-12-31 23:59:59.999999",
			"2024-01-01 00:00:00.5")},
	{"dj", "JSON", columnModel{class: sqlJSON}, nil},
	{"dn", "INT", columnModel{class: sqlNumber, scale: -1}, []string{"0", "1", "-1", "5", "2147483647", "-2147483648"}},
	{"dz", "BOOLEAN", columnModel{class: sqlNumber, scale: -1}, []string{"0", "1"}},
	{"dy", "YEAR", columnModel{class: sqlNumber, scale: -1}, []string{"1901", "1999", "2024", "2155"}},
	{"dq", "TIME(6)", columnModel{class: sqlTime}, quotedAll("00:00:00", "-00:00:01", "10:00:00", "838:59:59",
		"-838:59:59", "00:00:00.000001", "09:59:59.999999")},
	{"dk", "CHAR(20)", columnModel{class: sqlText}, quotedAll("", "a", "A", "á", "ab", "b", "5", "z")},
}

func quotedAll(list ...string) []string {
	for i, s := range list {
		list[i] = strconv.Quote(s)
	}
	return list
}

func modelOfScalar(text string) jsonModel {
	switch {
	case text == "null":
		return jsonModel{}
	case text == "true" || text == "false":
		return boolModel(text == "true")
	case text[0] == '"':
		s, err := strconv.Unquote(text)
		if err != nil {
			panic(text)
		}
		return stringModel(s)
	}
	return numberModel(text)
}

var (
	smallIntegers = []string{"0", "1", "-1", "2", "3", "5", "7", "10", "100", "-0", "-10"}
	largeIntegers = []string{"9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993",
		"9223372036854775807", "-9223372036854775808", "1", "0"}
	hugeIntegers = []string{"18446744073709551615", "9223372036854775808", "18446744073709551616",
		"12345678901234567890123456789", "99999999999999999999999999999999999999999999999999999999999999999", "1", "-1",
		"9007199254740993"}
	floats = []string{"0.1", "1.0", "1.5", "-2.5", "1e2", "2.50", "1e308", "5e-324", "-0.0", "0.30000000000000004",
		"100", "5", "10e-1", "1E+2", "5.0"}
	exactNumbers = []string{"0.1000000000000000055511151231257827", "1e400", "-1e400", "1e-400", "9007199254740992.5",
		"9007199254740993.0", "123456789012345678901234567890.5", "0.1", "1", "5", "1e2147483647"}

	plainTexts = []string{"", "a", "A", "á", "ab", "aB", "abc", "b", "B", "z", "Z", "bc", "a b", "a-b", " a", "a ", "x",
		"y"}
	oddTexts = []string{"ä", "a\u0308", "å", "ö", "é", "e\u0301", "\u0301a", "a_b", "a%b", `a\b`, "it's", `q"q`, "中", "中国",
		"ж", "a\x00", "\x00", "5", "5.0", "05", "1e1", "-1", "10", "true", "null", "[1,2]", "{}", "a\tb", "5x", "-1.5e", " 7",
		".5", "1e", "+2", "2024-01-01"}
)

// longTexts share a beginning that is longer than what the index keeps.
var longTexts = func() []string {
	var out []string
	for _, s := range []string{"a", "ab", "é"} {
		long := strings.Repeat(s, 300/len(s))
		out = append(out, long, long+"a", long+"b", long+"B", long[:len(long)-len(s)])
	}
	for _, n := range []int{7, 8, 9, 15, 16, 17, 255, 256, 257} {
		out = append(out, strings.Repeat("a", n), strings.Repeat("a", n)+"é")
	}
	return out
}()

func one[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func (w *world) chance(percent int) bool { return w.r.IntN(100) < percent }

func (w *world) text() string {
	switch n := w.r.IntN(10); {
	case n < 6:
		return one(w.r, plainTexts)
	case n < 9:
		return one(w.r, oddTexts)
	}
	return one(w.r, longTexts)
}

func (w *world) number() string {
	switch n := w.r.IntN(12); {
	case n < 7:
		return one(w.r, smallIntegers)
	case n < 9:
		return one(w.r, floats)
	case n < 10:
		return one(w.r, largeIntegers)
	case n < 11:
		return one(w.r, hugeIntegers)
	}
	return one(w.r, exactNumbers)
}

// scalar is any scalar.
func (w *world) scalar() jsonModel {
	switch n := w.r.IntN(12); {
	case n < 5:
		return numberModel(w.number())
	case n < 9:
		return stringModel(w.text())
	case n < 11:
		return boolModel(w.chance(50))
	}
	return jsonModel{}
}

// any is any value.
func (w *world) any(depth int) jsonModel {
	n := w.r.IntN(10)
	if depth == 0 || n < 5 {
		return w.scalar()
	}
	if n < 8 {
		v := arrayModel()
		for range w.r.IntN(4) {
			v.elements = append(v.elements, w.any(depth-1))
		}
		return v
	}
	v := jsonModel{typ: jsonObject}
	for _, k := range []string{"a", "b", "a.b", "c"} {
		if w.chance(40) {
			v.members = append(v.members, jsonMember{k, w.any(depth - 1)})
		}
	}
	return v
}

// source gives the values of one key in a world.
type source func() jsonModel

func (w *world) numbersFrom(pool []string) source {
	return func() jsonModel { return numberModel(one(w.r, pool)) }
}

func (w *world) object(members map[string]source, names ...string) source {
	return func() jsonModel {
		v := jsonModel{typ: jsonObject}
		for _, n := range names {
			if w.chance(80) {
				v.members = append(v.members, jsonMember{n, members[n]()})
			}
		}
		return v
	}
}

func (w *world) array(of source, others int) source {
	return func() jsonModel {
		if w.chance(others) {
			return w.any(2)
		}
		v := arrayModel()
		for range w.r.IntN(4) {
			v.elements = append(v.elements, of())
		}
		return v
	}
}

// newWorld makes a collection. The same number gives the same one.
func newWorld(seed, number uint64) *world {
	w := &world{r: rand.New(rand.NewPCG(seed, number)), table: fmt.Sprintf("w%d", number), maxDepth: 5}
	if w.chance(25) {
		w.maxDepth = 1 + w.r.IntN(3)
		w.options = append(w.options, fmt.Sprintf(`"max_depth":%d`, w.maxDepth))
	}
	if w.chance(30) {
		w.options = append(w.options, fmt.Sprintf(`"string_limit":%d`, 8*(1+w.r.IntN(3))))
	}
	if w.chance(20) {
		w.excluded = []string{one(w.r, []string{"i", "o.q", "a", "o", "g[*].x"})}
		w.options = append(w.options, fmt.Sprintf(`"excluded":[%s]`, quotedJSON(w.excluded[0])))
	}
	if w.chance(25) {
		w.order = order(w.r.IntN(int(swedishOrder) + 1))
		w.options = append(w.options, fmt.Sprintf(`"collation":%q`, orderNames[w.order]))
	}
	if w.chance(20) {
		w.options = append(w.options, `"key_scheme":"field"`)
	}
	w.key = "_id VARCHAR(255) PRIMARY KEY"
	switch w.r.IntN(6) {
	case 0: // a key of two columns
		w.key = "p INT NOT NULL, _id VARCHAR(255) NOT NULL, PRIMARY KEY (p, _id)"
	case 1:
		w.key = "_id VARCHAR(255) COLLATE utf8mb4_0900_as_cs PRIMARY KEY"
	}
	for _, c := range declarable {
		if w.chance(30) {
			w.declared = append(w.declared, c)
		}
	}
	scalar := func() jsonModel { return w.scalar() }
	text := func() jsonModel { return stringModel(w.text()) }
	pools := [][]string{smallIntegers, smallIntegers, largeIntegers, hugeIntegers, floats,
		append(append([]string{}, floats...), largeIntegers...), exactNumbers}
	sources := map[string]source{
		"i": w.numbersFrom(smallIntegers), "n": w.numbersFrom(one(w.r, pools)), "s": text,
		"f": func() jsonModel { return boolModel(w.chance(50)) }, "m": scalar, "x": func() jsonModel { return w.any(3) },
		"o": w.object(map[string]source{"p": text, "q": w.object(map[string]source{"x": w.numbersFrom(smallIntegers),
			"y": scalar}, "x", "y")}, "p", "q"),
		"a": w.array(scalar, 20),
		"b": w.array(w.numbersFrom(smallIntegers), 5),
		"g": w.array(w.object(map[string]source{"x": w.numbersFrom(one(w.r, pools)), "k": text, "t": w.array(scalar, 10)},
			"x", "k", "t"), 10),
		"h": w.object(map[string]source{"a": w.object(
			map[string]source{"b": w.object(
				map[string]source{"c": w.object(map[string]source{"d": w.object(map[string]source{"e": scalar}, "e")}, "d")}, "c")},
			"b")}, "a"),
		"o.p": text, "sp ace": scalar, `q"t`: scalar, "q't": w.numbersFrom(smallIntegers), "": scalar, "K": scalar,
		"k": scalar, "é": text, "_all": w.numbersFrom(smallIntegers),
	}
	paths := [][]string{{"i"}, {"n"}, {"s"}, {"f"}, {"m"}, {"x"}, {"o"}, {"o", "p"}, {"o", "q"}, {"o", "q", "x"},
		{"o", "q", "y"}, {"a"}, {"b"}, {"g"}, {"g", "x"}, {"h", "a", "b", "c", "d", "e"}, {"h", "a", "b"},
		{"o.p"}, {"sp ace"}, {`q"t`}, {"q't"}, {""}, {"K"}, {"k"}, {"é"}, {"_all"}, {"x", "a"}, {"x", "b"}, {"x", "a.b"},
		{"nosuch"}, {"o", "nosuch"}}
	w.keys = paths
	names := []string{"i", "n", "s", "f", "m", "x", "o", "a", "b", "g", "h", "o.p", "sp ace", `q"t`, "q't", "", "K", "k",
		"é"}
	present := 40 + 10*w.r.IntN(6)
	// No document lacks these: so ranges may answer for those that would.
	everywhere := map[string]bool{}
	if w.chance(35) {
		for range 1 + w.r.IntN(3) {
			everywhere[one(w.r, names)] = true
		}
	}
	w.full = func() jsonModel {
		d := jsonModel{typ: jsonObject, members: []jsonMember{{"_id", stringModel("")}}}
		for _, k := range names {
			if everywhere[k] || w.chance(present) {
				v := sources[k]()
				if w.chance(6) {
					v = jsonModel{}
				}
				d.members = append(d.members, jsonMember{k, v})
			}
		}
		for _, c := range w.declared {
			if w.chance(present) {
				d.members = append(d.members, jsonMember{c.name, w.declaredValue(c)})
			}
		}
		w.r.Shuffle(len(d.members)-1, func(i, j int) { d.members[i+1], d.members[j+1] = d.members[j+1], d.members[i+1] })
		d.members = append(d.members, jsonMember{"_all", sources["_all"]()},
			jsonMember{"p", numberModel(strconv.Itoa(w.r.IntN(4)))})
		return d
	}
	for range 10 + w.r.IntN(50) {
		w.documents = append(w.documents, w.full())
	}
	// Documents that lack everything make ranges cheaper than scans.
	for range len(w.documents) * w.r.IntN(4) {
		d := jsonModel{typ: jsonObject, members: []jsonMember{{"_id", stringModel("")}, {"_all", sources["_all"]()},
			{"p", numberModel("1")}}}
		for _, k := range names {
			if everywhere[k] {
				d.members = append(d.members, jsonMember{k, sources[k]()})
			}
		}
		w.documents = append(w.documents, d)
	}
	w.r.Shuffle(len(w.documents), func(i, j int) { w.documents[i], w.documents[j] = w.documents[j], w.documents[i] })
	for i := range w.documents {
		w.documents[i].members[0].value = stringModel(fmt.Sprintf("k%03d", i))
	}
	for _, c := range w.declared {
		w.keys = append(w.keys, []string{c.name}, []string{c.name}) // twice as often
	}
	if w.composite() {
		w.keys = append(w.keys, []string{"p"}, []string{"p"})
	}
	return w
}

func (w *world) composite() bool { return strings.HasPrefix(w.key, "p ") }

func (w *world) declaredValue(c declaredColumn) jsonModel {
	switch {
	case w.chance(8):
		return jsonModel{}
	case c.name == "dj":
		return w.any(2)
	case c.values == nil:
		return stringModel(w.text())
	}
	return modelOfScalar(one(w.r, c.values))
}

func id(d jsonModel) string {
	v, _ := d.member("_id")
	return v.text
}

// create is the statement that makes the table.
func (w *world) create(table string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE %s (%s", table, w.key)
	for _, c := range w.declared {
		fmt.Fprintf(&b, ", %s %s", c.name, c.sql)
	}
	b.WriteString(", _doc JSON)")
	if len(w.options) > 0 {
		b.WriteString(" ENGINE_ATTRIBUTE=" + quotedSQL("{"+strings.Join(w.options, ",")+"}"))
	}
	return b.String()
}

// insert is the statement that fills the table.
func (w *world) insert(table string) string {
	rows := make([]string, len(w.documents))
	for i, d := range w.documents {
		rows[i] = "(" + quotedSQL(d.String()) + ")"
	}
	return "INSERT INTO " + table + " (_doc) VALUES " + strings.Join(rows, ",\n  ")
}

// with is the same world with other documents.
func (w *world) with(documents []jsonModel) *world {
	c := *w
	c.documents, c.inferred = documents, nil
	return &c
}

// column is the type of the column at a keypath.
func (w *world) column(keys []string) columnModel {
	if len(keys) == 1 {
		for _, c := range w.declared {
			if c.name == keys[0] {
				return c.model
			}
		}
		switch {
		case keys[0] == "_id" && strings.Contains(w.key, "as_cs"):
			return columnModel{class: sqlText, order: unicodeOrder}
		case keys[0] == "_id":
			return columnModel{class: sqlText, order: byteOrder}
		case keys[0] == "p" && w.composite():
			return columnModel{class: sqlNumber, scale: -1}
		}
	}
	name := keypath(keys)
	if m, ok := w.inferred[name]; ok {
		return m
	}
	m := columnModel{class: sqlJSON} // what the index doesn't hold is not known to be of one type
	if len(keys) <= w.maxDepth && !w.isExcluded(name) {
		m = inferred(w.documents, keys, w.order)
	}
	if w.inferred == nil {
		w.inferred = map[string]columnModel{}
	}
	w.inferred[name] = m
	return m
}

func (w *world) isExcluded(name string) bool {
	for _, e := range w.excluded {
		if name == e || strings.HasPrefix(name, e+".") {
			return true
		}
	}
	return false
}

func (w *world) row(d jsonModel) rowModel { return rowModel{document: d, types: w.column} }
