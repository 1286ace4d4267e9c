package law2

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// scene is what random queries are asked of: two collections with the same keypaths, a
// closed table, views over them, and the statements that have changed them since.
type scene struct {
	*world        // its collection is the first
	other  *world // the second
	// creates make the tables of both, and began are their documents as they were inserted.
	creates [2]string
	began   [2][]jsonModel
	closed  []string // rows of the closed table
	views   []string // statements that make indexes and views
	// changed are statements that came after; of them those from open on are not committed.
	changed []string
	open    int
	tables  []relation
	seen    []relation // the views
}

// Names of a scene's tables.
const (
	firstTable  = "w"
	secondTable = "v"
	closedTable = "cl"
	targetTable = "target"
)

func newScene(seed, number uint64) *scene {
	s := &scene{world: newWorld(seed, number)}
	s.table = firstTable
	s.documents = s.documents[:min(len(s.documents), 50)]
	other := *s.world
	other.table, other.options = secondTable, nil
	other.maxDepth, other.excluded, other.order = 5, nil, unicodeOrder
	if s.chance(30) {
		other.options = []string{`"key_scheme":"field"`}
	}
	other.documents, other.inferred = nil, nil
	for i := range 3 + s.r.IntN(25) {
		d := s.full()
		if s.chance(15) { // a document that has little
			d.members = d.members[:1+s.r.IntN(3)]
		}
		d.members = slices.Clone(d.members)
		d.members[0].value = stringModel(fmt.Sprintf("k%03d", i*(1+i%2)))
		if s.composite() && !slices.ContainsFunc(d.members, func(m jsonMember) bool { return m.name == "p" }) {
			d.members = append(d.members, jsonMember{"p", numberModel("1")})
		}
		if !slices.ContainsFunc(other.documents, func(o jsonModel) bool { return id(o) == id(d) }) {
			other.documents = append(other.documents, d)
		}
	}
	s.other = &other
	s.began = [2][]jsonModel{s.documents, other.documents}
	s.creates = [2]string{s.create(firstTable), other.create(secondTable)}
	for i := range 5 + s.r.IntN(30) {
		null := func(v string) string {
			if s.chance(10) {
				return "NULL"
			}
			return v
		}
		s.closed = append(s.closed, fmt.Sprintf("(%d, %s, %s, %s, %s)", i, null(one(s.r, smallIntegers)),
			null(quotedSQL(s.text())),
			null(quotedSQL(one(s.r, plainTexts))), null(one(s.r, []string{"0.00", "1.50", "-2.25", "1.00", "5.00", "10.00"}))))
	}
	s.tables = s.baseTables()
	for i := range 3 {
		if s.chance(50) {
			s.views = append(s.views, fmt.Sprintf("CREATE INDEX x%d ON %s", i, one(s.r, []string{
				"w (i)", "w (i, s)", "w (`o.p`)", "w (_all, n)", "w (f, i)", "w (i, n, s)", "w (s, i)", "w (n, i, f)",
				"v (_all, i)", "v (i, s, n)", "v (s)", "cl (a, s)", "cl (a, x, s)", "cl (t, a)", "cl (x)"})))
		}
	}
	g := &asker{scene: s, depth: 1} // without subqueries
	for i := range s.r.IntN(4) {
		q := g.plain(1 + s.r.IntN(2))
		if s.chance(40) {
			q = g.derived()
		}
		if q.limit == 0 {
			q.order, q.offset, q.total = nil, 0, false
		}
		g.layered = 30 // those that follow read it
		name := fmt.Sprintf("vw%d", i)
		out := &writer{}
		q.write(out)
		s.views = append(s.views, "CREATE VIEW "+name+q.names()+" AS "+out.String())
		fields := outside(q.fields)
		for i := range fields {
			fields[i].whole = false // what the documents have may change
		}
		s.seen = append(s.seen, relation{name: name, fields: fields})
	}
	return s
}

// baseTables are the collections, the tables of their arrays, their changes, and the closed table.
func (s *scene) baseTables() []relation {
	var out []relation
	for _, w := range []*world{s.world, s.other} {
		c := relation{name: w.table, world: w, key: []field{w.columnField([]string{"_id"})}}
		if w.composite() {
			c.key = append(c.key, w.columnField([]string{"p"}))
		}
		for _, keys := range w.keys {
			if !strings.EqualFold(keys[0], "k") || w.isDeclared(keys) {
				c.fields = append(c.fields, w.columnField(keys))
			}
		}
		out = append(out, c, c, c)
		key := []field{w.named("_id", w.columnField([]string{"_id"}))}
		if w.composite() {
			key = append(key, w.named("p", field{class: sqlNumber, literal: w.small}))
		}
		at := w.named("_idx", field{class: sqlNumber, whole: true, literal: w.small})
		scalar := field{class: sqlJSON, literal: func() constant { return w.literalOf(w.scalar()) }}
		number := field{class: sqlJSON, literal: func() constant { return w.literalOf(numberModel(w.number())) }}
		text := field{class: sqlText, folds: !w.order.exact(), literal: func() constant { return textLiteral(w.text()) }}
		child := func(name string, fields ...field) {
			all := slices.Concat(key, []field{at}, fields)
			out = append(out, relation{name: w.table + "__" + name, fields: all, key: all[:len(key)+1]})
		}
		child("a", w.named("_value", scalar))
		child("b", w.named("_value", number))
		child("g", w.named("x", number), w.named("k", text))
		out = append(out, relation{name: w.table + "__changes", key: key[:1],
			fields: []field{key[0], w.named("deleted", field{class: sqlNumber, literal: w.small}),
				w.named("seq", field{class: sqlText, literal: func() constant {
					return textLiteral(one(w.r,
						[]string{"", "00", "0000000000000000000000000a", "f"}))
				}})}})
	}
	c := relation{name: closedTable, fields: []field{
		s.named("id", field{class: sqlNumber, whole: true, literal: s.small}),
		s.named("a", field{class: sqlNumber, whole: true, literal: s.small}),
		s.named("s", field{class: sqlText, literal: func() constant { return textLiteral(s.text()) }}),
		s.named("t", field{class: sqlText, folds: true, literal: func() constant {
			return textLiteral(one(s.r,
				plainTexts))
		}}),
		s.named("x", field{class: sqlNumber, whole: true, literal: s.small})}}
	c.key = c.fields[:1]
	return append(out, c)
}

// named is a column that is called by its name.
func (w *world) named(name string, f field) field {
	f.write = func(out *writer) { out.own("`" + name + "`") }
	return f
}

func (w *world) small() constant { return w.spelledNumber(one(w.r, smallIntegers)) }

func (w *world) columnField(keys []string) field {
	c := column{keys}
	t := w.column(keys)
	whole := t.class == sqlNumber && !slices.ContainsFunc(w.documents, func(d jsonModel) bool {
		v, ok := d.at(keys)
		return ok && v.typ == jsonNumber && (!isInteger(v.text) || len(v.text) > 12)
	})
	return field{write: c.write, class: w.class(c), folds: t.class == sqlText && !t.order.exact(), whole: whole,
		literal: func() constant { return w.literalFor(c) }}
}

// literalOf spells a JSON value as the SQL value nearest to it.
func (w *world) literalOf(v jsonModel) constant {
	switch v.typ {
	case jsonNumber:
		return w.spelledNumber(v.text)
	case jsonString:
		return textLiteral(v.text)
	case jsonBoolean:
		return booleanLiteral(v.yes)
	}
	return jsonLiteral(v)
}

// outside are a query's fields as a query around it sees them.
func outside(fields []field) []field {
	out := slices.Clone(fields)
	for i := range out {
		out[i].write = func(w *writer) { w.own(fmt.Sprintf("c%d", i)) }
		out[i].simpler, out[i].windowed, out[i].derived = nil, false, false
		out[i].loose = out[i].loose || out[i].class != sqlText && out[i].class != sqlTime
	}
	return out
}

// start are the statements that make the tables.
func (s *scene) start() []string {
	out := []string{}
	for i, w := range []*world{s.world, s.other} {
		out = append(out, s.creates[i])
		if c := w.with(s.began[i]); len(c.documents) > 0 {
			out = append(out, c.insert(w.table))
		}
	}
	out = append(out, "CREATE TABLE "+closedTable+
		" (id INT PRIMARY KEY, a INT, s VARCHAR(400), t VARCHAR(50) COLLATE utf8mb4_0900_ai_ci, x DECIMAL(10,2), KEY "+
		"ax (a, x), KEY st (s, t), KEY e ((a + 1)), KEY f ((LOWER(t)), a), UNIQUE KEY p (s(390), id))")
	if len(s.closed) > 0 {
		out = append(out, "INSERT INTO "+closedTable+" VALUES "+strings.Join(s.closed, ", "))
	}
	out = append(out, "CREATE TABLE "+targetTable+" (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	return out
}

// all are the statements that lead to the scene as it is.
func (s *scene) all() []string {
	out := append(s.start(), s.views...)
	for i, c := range s.changed {
		if i == s.open {
			out = append(out, "BEGIN")
		}
		out = append(out, c)
	}
	return out
}

// viewRows is how many rows a view may have: queries join several of them.
const viewRows = 500

// found brings a new scene into an empty database, without the views that the server refuses, and without those that
// are too large.
func (s *scene) found(c *sql.Conn) error {
	views, seen := s.views, s.seen
	s.views, s.seen = nil, nil
	if err := s.put(c); err != nil {
		return err
	}
	for _, stmt := range views {
		if _, err := c.ExecContext(context.Background(), stmt); err != nil {
			continue
		}
		view := slices.IndexFunc(seen, func(v relation) bool { return strings.HasPrefix(stmt, "CREATE VIEW "+v.name+" ") })
		if view >= 0 {
			large, err := tooLarge(c, seen[view].name)
			if err != nil {
				return fmt.Errorf("%w\n%s", err, stmt)
			}
			if large {
				continue
			}
			s.seen = append(s.seen, seen[view])
		}
		s.views = append(s.views, stmt)
	}
	s.tables = append(s.baseTables(), s.seen...)
	return nil
}

// tooLarge drops a view if it has more rows than it may have.
func tooLarge(c *sql.Conn, view string) (bool, error) {
	rows := 0
	count := fmt.Sprintf("SELECT COUNT(*) FROM (SELECT 1 FROM %s LIMIT %d) AS q", view, viewRows+1)
	if err := c.QueryRowContext(context.Background(), count).Scan(&rows); err != nil || rows <= viewRows {
		return false, nil // what is wrong with it the questions show
	}
	_, err := c.ExecContext(context.Background(), "DROP VIEW "+view)
	return true, err
}

// put brings the scene into an empty database.
func (s *scene) put(c *sql.Conn) error {
	for _, stmt := range s.all() {
		if _, err := c.ExecContext(context.Background(), stmt); err != nil {
			return fmt.Errorf("%w\n%s", err, stmt)
		}
	}
	return nil
}
