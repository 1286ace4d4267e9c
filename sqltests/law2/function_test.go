package law2

import (
	"slices"
)

// rows compares row values.
type rows struct {
	leaf
	op   string
	a, b []operand
}

func (p rows) write(w *writer) {
	w.WriteString("(")
	w.list(p.a)
	w.WriteString(") " + p.op + " (")
	w.list(p.b)
	w.WriteString(")")
}

func (p rows) holds(row rowModel) tri {
	var a, b []sqlValue
	for i := range p.a {
		a, b = append(a, p.a[i].value(row)), append(b, p.b[i].value(row))
	}
	return compareRows(p.op, a, b)
}

func compareRows(op string, a, b []sqlValue) tri {
	last := len(a) == 1
	switch op {
	case "=", "<=>":
		t := compareBy(op, a[0], b[0])
		if last {
			return t
		}
		return min(t, compareRows(op, a[1:], b[1:]))
	case "<>":
		return compareRows("=", a, b).not()
	}
	if last {
		return compareAlike(op, a[0], b[0])
	}
	strict := op[:1]
	return max(compareAlike(strict, a[0], b[0]), min(compareAlike("=", a[0], b[0]), compareRows(op, a[1:], b[1:])))
}

// inRows is IN with a list of row values.
type inRows struct {
	leaf
	not  bool
	a    []operand
	list [][]operand
}

func (p inRows) write(w *writer) {
	w.WriteString("(")
	w.list(p.a)
	w.WriteString(")" + negated(p.not, " IN ") + "(")
	for i, r := range p.list {
		if i > 0 {
			w.WriteString(", ")
		}
		w.WriteString("(")
		w.list(r)
		w.WriteString(")")
	}
	w.WriteString(")")
}

func (p inRows) holds(row rowModel) tri {
	t := no
	for _, r := range p.list {
		t = max(t, rows{op: "=", a: p.a, b: r}.holds(row))
	}
	if p.not {
		return t.not()
	}
	return t
}

// jsonCall is a JSON function that is a condition.
type jsonCall struct {
	leaf
	name string // JSON_CONTAINS, JSON_OVERLAPS, MEMBER OF
	a, b operand
	path *pathModel // of JSON_CONTAINS
}

func (p jsonCall) write(w *writer) {
	if p.name == "MEMBER OF" {
		p.a.write(w)
		w.WriteString(" MEMBER OF(")
		p.b.write(w)
		w.WriteString(")")
		return
	}
	w.WriteString(p.name + "(")
	p.a.write(w)
	w.WriteString(", ")
	p.b.write(w)
	if p.path != nil {
		w.WriteString(", " + quotedSQL(p.path.String()))
	}
	w.WriteString(")")
}

func (p jsonCall) holds(row rowModel) tri {
	a, b := p.a.value(row), p.b.value(row)
	if a.isNull() || b.isNull() {
		return unknown
	}
	switch p.name {
	case "JSON_CONTAINS":
		target := a.json
		if p.path != nil {
			var ok bool
			if target, ok = p.path.extract(target); !ok {
				return unknown
			}
		}
		return triOf(containsJSON(target, b.json), true)
	case "JSON_OVERLAPS":
		return triOf(overlapsJSON(a.json, b.json), true)
	}
	return triOf(isMember(a.asJSON(), b.json), true)
}

// containsPath is JSON_CONTAINS_PATH.
type containsPath struct {
	leaf
	all   bool
	paths []pathModel
}

func (p containsPath) write(w *writer) {
	w.WriteString("JSON_CONTAINS_PATH(")
	w.own("_doc, " + map[bool]string{false: "'one'", true: "'all'"}[p.all])
	for _, path := range p.paths {
		w.WriteString(", " + quotedSQL(path.String()))
	}
	w.WriteString(")")
}

func (p containsPath) holds(row rowModel) tri {
	found := 0
	for _, path := range p.paths {
		if _, ok := path.extract(row.document); ok {
			found++
		}
	}
	return triOf(found > 0 && (!p.all || found == len(p.paths)), true)
}

// search is JSON_SEARCH for a string without wildcards.
type search struct {
	leaf
	in   pathModel
	text string
}

func (p search) write(w *writer) {
	w.WriteString("JSON_SEARCH(")
	w.own("_doc, 'one', " + quotedSQL(p.text) + ", NULL, " + quotedSQL(p.in.String()) + ") IS NOT NULL")
}

func (p search) holds(row rowModel) tri {
	v, ok := p.in.extract(row.document)
	return triOf(ok && v.holdsText(p.text), true)
}

// holdsText reports whether a string is somewhere in a value.
func (v jsonModel) holdsText(s string) bool {
	below := func(e jsonModel) bool { return e.holdsText(s) }
	switch v.typ {
	case jsonString:
		return v.text == s
	case jsonArray:
		return slices.ContainsFunc(v.elements, below)
	case jsonObject:
		return slices.ContainsFunc(v.members, func(m jsonMember) bool { return below(m.value) })
	}
	return false
}
