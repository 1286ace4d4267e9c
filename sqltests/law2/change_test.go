package law2

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// change makes one random change of the documents, in the table and in the
// model.
func (w *world) change(c *sql.Conn) error {
	text, args := "", []any(nil)
	changed := slices.Clone(w.documents)
	where := func(verb string) (predicate, bool) {
		for range 10 {
			s := statement{kind: "select", where: w.predicate(1)}
			if !w.modelled(s) {
				continue
			}
			out := &writer{}
			out.WriteString(verb + " WHERE ")
			s.where.write(out)
			text, args = out.String(), out.args
			return s.where, true
		}
		return nil, false
	}
	switch w.r.IntN(4) {
	case 0:
		p, ok := where("DELETE FROM " + w.table)
		if !ok {
			return nil
		}
		changed = append(w.matches(p, no), w.matches(p, unknown)...)
		if len(changed) < len(w.documents)/2 {
			return nil
		}
	case 1, 2:
		key := one(w.r, []string{"i", "n", "s", "m", "a", "f", "sp ace"})
		value := w.any(1)
		path := pathModel{{kind: 'k', name: key}}
		p, ok := where(fmt.Sprintf("UPDATE %s SET _doc = JSON_SET(_doc, %s, %s)", w.table, quotedSQL(path.String()),
			jsonLiteral(value).spelled))
		if !ok {
			return nil
		}
		for i, d := range changed {
			if p.holds(w.row(d)) == yes {
				changed[i] = d.set(key, value)
			}
		}
	case 3:
		d := w.full()
		d.members[0].value = stringModel(fmt.Sprintf("n%03d", w.r.IntN(1000)))
		if slices.ContainsFunc(changed, func(other jsonModel) bool { return id(other) == id(d) }) {
			return nil
		}
		text = "INSERT INTO " + w.table + " (_doc) VALUES (" + quotedSQL(d.String()) + ")"
		changed = append(changed, d)
	}
	if _, err := c.ExecContext(context.Background(), text, args...); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	w.later = append(w.later, text)
	w.documents, w.inferred = changed, nil
	return nil
}

// set is JSON_SET of a member.
func (v jsonModel) set(name string, value jsonModel) jsonModel {
	v.members = slices.Clone(v.members)
	for i := range v.members {
		if v.members[i].name == name {
			v.members[i].value = value
			return v
		}
	}
	v.members = append(v.members, jsonMember{name, value})
	return v
}

// alter gives a declared column another type, in the table and in the model.
// Documents are read in the new type at once, whether they have been rewritten or not.
func (w *world) alter(c *sql.Conn) error {
	if len(w.declared) == 0 {
		return nil
	}
	i := w.r.IntN(len(w.declared))
	d := w.declared[i]
	switch {
	case d.name == "di":
		d.sql, d.model.scale = "DECIMAL(30,2)", 2
	case d.name == "dn":
		d.sql = "BIGINT"
	case d.name == "dt":
		d.sql = "DATETIME(6)"
	case d.name == "dk":
		d.sql = "VARCHAR(50)"
	case d.name == "ds" || d.name == "dc" || d.name == "db":
		d.model.order = order(w.r.IntN(int(swedishOrder) + 1))
		d.sql = "VARCHAR(400) COLLATE " + orderNames[d.model.order]
	default:
		return nil
	}
	text := fmt.Sprintf("ALTER TABLE %s MODIFY %s %s", w.table, d.name, d.sql)
	if _, err := c.ExecContext(context.Background(), text); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	w.later = append(w.later, text)
	w.declared = slices.Clone(w.declared)
	w.declared[i], w.inferred = d, nil
	w.altered = map[string]bool{d.name: true}
	return nil
}
