package accounts

import (
	"reflect"
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Columns lists a table's columns, and for documents their keypaths. open says that the documents may have others. ok
// is false where the columns are not known.
type Columns func(database, table string) (names []string, open, ok bool)

// Uses are the columns of a table that a statement reads or writes, by the privilege that it needs for them. In doubt
// it has a column too many, not too few.
type Uses struct {
	Columns []string
	Whole   bool // all columns, as * means
}

// UsesOf are the columns of a table that a statement needs a privilege on; ok is false for statements that need it on
// the table.
func UsesOf(stmt ast.Statement, current string, n Need, columns Columns) (u Uses, ok bool) {
	r := &uses{need: n, current: current, columns: columns, ok: true, with: map[string]bool{}}
	each(reflect.ValueOf(stmt), func(node any) {
		if w, ok := node.(*ast.With); ok {
			for _, c := range w.Ctes {
				r.with[strings.ToLower(c.As.String())] = true
			}
		}
	})
	switch n.Privileges {
	case Select:
		r.reads(stmt)
	case Insert:
		r.inserts(stmt)
	case Update:
		r.updates(stmt)
	default:
		return u, false
	}
	return r.found, r.ok
}

// uses collects the columns that a statement uses of one table.
type uses struct {
	need    Need
	current string
	columns Columns
	with    map[string]bool // the names that some WITH of the statement gives
	view    bool            // it is the query of a view, whose names are looked up again each time
	found   Uses
	ok      bool
}

// reference is a table that a query reads, by its name in the query.
type reference struct {
	called string
	target bool // it is the table whose used columns are looked for
	names  []string
	open   bool
	known  bool
}

// scope is what the names within a query may mean: its tables, and the tables of the queries around it.
type scope struct {
	tables []reference
	outer  *scope
	// aliases are the names of selected expressions, which ORDER BY means first.
	aliases map[string]bool
	// beside: the tables are not around the names but beside them, and may be out of sight: they hide none.
	beside bool
	// joined: as beside, of the condition of a join, whose own tables stand nearer.
	joined bool
}

func (u *uses) add(column string) {
	if !slices.Contains(u.found.Columns, column) {
		u.found.Columns = append(u.found.Columns, column)
	}
}

func has(names []string, column string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return within(column, n) || within(n, column) })
}

// mayHave reports whether a column may be a table's.
func (t *reference) mayHave(column string) bool { return !t.known || has(t.names, column) }

// hides reports whether a name surely is the table's column, so that it means no table's of a query around.
func (t *reference) hides(column string) bool {
	return t.known && slices.ContainsFunc(t.names, func(n string) bool {
		return n == column || !t.open && strings.EqualFold(n, column)
	})
}

// named is a table by its name.
func (u *uses) named(name ast.TableName, as string) reference {
	database := name.DbQualifier.String()
	if database == "" {
		database = u.current
	}
	t := reference{called: as}
	if t.called == "" {
		t.called = name.Name.String()
	}
	t.target = strings.EqualFold(database, u.need.Database) && strings.EqualFold(name.Name.String(), u.need.Table)
	if t.target || !name.DbQualifier.IsEmpty() || !u.with[strings.ToLower(name.Name.String())] {
		t.names, t.open, t.known = u.columns(database, name.Name.String())
	}
	return t
}

// column is a use of a column by its name.
func (u *uses) column(c *ast.ColName, s *scope) {
	name := c.Name.String()
	if c.Qualifier.IsEmpty() {
		if !strings.HasPrefix(name, "@") {
			u.bare(name, s)
		}
		return
	}
	called, found := c.Qualifier.Name.String(), false
	for at := s; at != nil; at = at.outer {
		stops := false
		for i := range at.tables {
			if strings.EqualFold(at.tables[i].called, called) {
				if found = true; at.tables[i].target {
					u.add(name)
				}
				stops = !at.beside && c.Qualifier.DbQualifier.IsEmpty()
			}
		}
		if stops {
			return
		}
	}
	if !found {
		u.add(called + "." + name)
	}
}

// bare is a use of a column without its table: of the innermost that may have it.
func (u *uses) bare(name string, s *scope) {
	if u.view && s != nil && u.around(s.outer) {
		u.ok = false // another table may have it later
		return
	}
	// around: the table is around, closed unless doubt; unknown: something is that may have the name.
	around, doubt, unknown := false, false, false
	for at := s; at != nil; at = at.outer {
		hidden := false
		for i := range at.tables {
			t := &at.tables[i]
			switch {
			case t.target && t.mayHave(name):
				u.add(name)
				return
			case t.target:
				around, doubt = true, doubt || t.open
			default:
				unknown = unknown || !t.known || at.beside
				hidden = hidden || !at.beside && t.hides(name)
			}
		}
		if hidden {
			return
		}
		if at.aliases[strings.ToLower(name)] {
			around, doubt, unknown = false, false, true // no table of the query has it
		}
	}
	if around && (doubt || !unknown) {
		u.add(name)
	}
}

// around reports whether the table is among the tables of a scope or of a scope around it.
func (u *uses) around(s *scope) bool {
	for at := s; at != nil; at = at.outer {
		if !at.joined && slices.ContainsFunc(at.tables, func(t reference) bool { return t.target }) {
			return true
		}
	}
	return false
}

// star is a use of all columns of the tables that are called so, or of all.
func (u *uses) star(called string, s *scope) {
	for i := range s.tables {
		if s.tables[i].target && (called == "" || strings.EqualFold(s.tables[i].called, called)) {
			u.found.Whole = true
		}
	}
}

// reads finds the columns that a statement reads.
func (u *uses) reads(stmt ast.Statement) {
	switch n := stmt.(type) {
	case ast.SelectStatement:
		u.query(n, nil)
	case *ast.Explain:
		u.reads(n.Statement)
	case *ast.Insert:
		s := &scope{tables: []reference{u.named(n.Table, "")}}
		if n.With != nil {
			u.ctes(n.With, nil)
		}
		if q, ok := n.Rows.(ast.SelectStatement); ok {
			u.query(q, nil)
			if plain, ok := q.(*ast.Select); ok {
				s.tables = append(s.tables, u.from(plain.From, nil).tables...)
			}
		} else {
			u.within(reflect.ValueOf(n.Rows), s)
		}
		for _, e := range n.OnDup {
			u.within(reflect.ValueOf(e.Expr), s)
		}
	case *ast.Update:
		s := u.from(n.TableExprs, nil)
		u.ctes(n.With, nil)
		for _, e := range n.Exprs {
			u.within(reflect.ValueOf(e.Expr), s)
		}
		u.parts(s, n.Where, n.OrderBy, n.Limit)
	case *ast.Delete:
		s := u.from(n.TableExprs, nil)
		u.ctes(n.With, nil)
		u.parts(s, n.Where, n.OrderBy, n.Limit)
	case *ast.Set:
		u.within(reflect.ValueOf(n.Exprs), nil)
	case *ast.Show:
		u.within(reflect.ValueOf(n), nil)
	case *ast.DDL:
		u.within(reflect.ValueOf(n.TableSpec), nil)
		switch {
		case n.ViewSpec != nil:
			u.view = true
			u.query(n.ViewSpec.ViewExpr, nil)
		case n.OptSelect != nil:
			u.query(n.OptSelect.Select, nil)
		default:
			u.ok = false
		}
	default:
		u.ok = false
	}
}

// inserts finds the columns that an INSERT or REPLACE gives values.
func (u *uses) inserts(stmt ast.Statement) {
	if e, ok := stmt.(*ast.Explain); ok {
		stmt = e.Statement
	}
	n, ok := stmt.(*ast.Insert)
	if !ok {
		u.ok = false
		return
	}
	for _, c := range n.Columns {
		u.add(c.String())
	}
	rows, plain := n.Rows.(ast.Values)
	if v, ok := n.Rows.(*ast.AliasedValues); ok {
		rows, plain = v.Values, true
	}
	none := plain && !slices.ContainsFunc(rows, func(row ast.ValTuple) bool { return len(row) > 0 })
	u.found.Whole = len(n.Columns) == 0 && !none
}

// updates finds the columns that an UPDATE, or INSERT … ON DUPLICATE KEY UPDATE, sets.
func (u *uses) updates(stmt ast.Statement) {
	switch n := stmt.(type) {
	case *ast.Explain:
		u.updates(n.Statement)
	case *ast.Insert:
		s := &scope{tables: []reference{u.named(n.Table, "")}}
		for _, e := range n.OnDup {
			u.column(e.Name, s)
		}
	case *ast.Update:
		s := u.from(n.TableExprs, nil)
		u.found = Uses{} // columns that the joins read are not set
		for _, e := range n.Exprs {
			u.column(e.Name, s)
		}
	default:
		u.ok = false
	}
}

// ctes reads the queries of a WITH.
func (u *uses) ctes(w *ast.With, outer *scope) {
	if w == nil {
		return
	}
	for _, c := range w.Ctes {
		if c.AliasedTableExpr != nil {
			u.within(reflect.ValueOf(c.AliasedTableExpr.Expr), outer)
		}
	}
}

// query finds the columns that a query reads; outer is the scope around it, or nil.
func (u *uses) query(q ast.SelectStatement, outer *scope) {
	switch n := q.(type) {
	case *ast.Select:
		u.plain(n, outer)
	case *ast.ParenSelect:
		u.query(n.Select, outer)
	case *ast.SetOp:
		u.ctes(n.With, outer)
		u.query(n.Left, outer)
		u.query(n.Right, outer)
		s := &scope{outer: outer, aliases: map[string]bool{}}
		if first := firstOf(n); first != nil {
			named := u.from(first.From, outer)
			s.tables, s.aliases = named.tables, aliasesOf(first)
		}
		u.order(n.OrderBy, s)
		u.parts(s, n.Limit)
	default:
		u.ok = false
	}
}

// exists finds what the query within an EXISTS reads. Its selected expressions don't count, since nobody sees them.
func (u *uses) exists(q ast.SelectStatement, outer *scope) {
	n, ok := q.(*ast.Select)
	if !ok || len(n.SelectExprs) != 1 {
		u.query(q, outer)
		return
	}
	if _, star := n.SelectExprs[0].(*ast.StarExpr); !star {
		u.query(q, outer)
		return
	}
	bare := *n
	bare.SelectExprs = nil
	u.plain(&bare, outer)
}

// firstOf is the first query of a UNION.
func firstOf(q ast.SelectStatement) *ast.Select {
	switch n := q.(type) {
	case *ast.Select:
		return n
	case *ast.ParenSelect:
		return firstOf(n.Select)
	case *ast.SetOp:
		return firstOf(n.Left)
	}
	return nil
}

func (u *uses) plain(n *ast.Select, outer *scope) {
	u.ctes(n.With, outer)
	s := u.from(n.From, outer)
	for _, e := range n.SelectExprs {
		if star, ok := e.(*ast.StarExpr); ok {
			u.star(star.TableName.Name.String(), s)
			continue
		}
		u.within(reflect.ValueOf(e), s)
	}
	u.parts(s, n.Where)
	s.aliases = aliasesOf(n)
	u.parts(s, n.GroupBy, n.Having, n.Window, n.Limit)
	u.order(n.OrderBy, s)
}

// aliasesOf are the names that a query gives to its selected expressions, in lower case.
func aliasesOf(n *ast.Select) map[string]bool {
	out := map[string]bool{}
	for _, e := range n.SelectExprs {
		if a, ok := e.(*ast.AliasedExpr); ok && !a.As.IsEmpty() {
			out[a.As.Lowered()] = true
		}
	}
	return out
}

// order finds what an ORDER BY reads. A name alone is a selected expression's, if there is one of the name.
func (u *uses) order(by ast.OrderBy, s *scope) {
	for _, o := range by {
		if c, ok := o.Expr.(*ast.ColName); ok && c.Qualifier.IsEmpty() && s.aliases[c.Name.Lowered()] {
			continue
		}
		u.within(reflect.ValueOf(o.Expr), s)
	}
}

func (u *uses) parts(s *scope, nodes ...any) {
	for _, n := range nodes {
		u.within(reflect.ValueOf(n), s)
	}
}

// from makes the scope of a query from its FROM, and finds the columns that this reads.
func (u *uses) from(tables ast.TableExprs, outer *scope) *scope {
	s := &scope{outer: outer}
	for _, t := range tables {
		u.collect(t, s)
	}
	for _, t := range tables {
		u.joined(t, s)
	}
	return s
}

func (u *uses) collect(t ast.TableExpr, s *scope) {
	switch n := t.(type) {
	case *ast.AliasedTableExpr:
		if name, ok := n.Expr.(ast.TableName); ok {
			s.tables = append(s.tables, u.named(name, n.As.String()))
		} else {
			s.tables = append(s.tables, reference{called: n.As.String()})
		}
	case *ast.ParenTableExpr:
		for _, e := range n.Exprs {
			u.collect(e, s)
		}
	case *ast.JoinTableExpr:
		u.collect(n.LeftExpr, s)
		u.collect(n.RightExpr, s)
	case *ast.JSONTableExpr:
		s.tables = append(s.tables, reference{called: n.Alias.String()})
	}
}

// besides is a scope for expressions among its tables, which see some of these or none.
func (s *scope) besides(joined bool) *scope {
	return &scope{tables: s.tables, outer: s.outer, beside: true, joined: joined}
}

// joined finds the columns that the tables of a FROM read: in their conditions, and in derived tables.
func (u *uses) joined(t ast.TableExpr, s *scope) {
	switch n := t.(type) {
	case *ast.AliasedTableExpr:
		if _, ok := n.Expr.(ast.TableName); !ok {
			u.within(reflect.ValueOf(n.Expr), s.besides(false))
		}
	case *ast.ParenTableExpr:
		for _, e := range n.Exprs {
			u.joined(e, s)
		}
	case *ast.JoinTableExpr:
		u.joined(n.LeftExpr, s)
		u.joined(n.RightExpr, s)
		on := &scope{outer: s.besides(true)}
		u.collect(n, on)
		u.within(reflect.ValueOf(n.Condition.On), on)
		for _, c := range n.Condition.Using {
			u.add(c.String()) // of both sides
		}
		if strings.HasPrefix(n.Join, "natural") {
			u.natural(s)
		}
	case *ast.JSONTableExpr:
		u.within(reflect.ValueOf(n.Data), s.besides(false))
	default:
		u.within(reflect.ValueOf(t), s)
	}
}

// natural is a use of the columns that a table shares with others.
func (u *uses) natural(s *scope) {
	for i := range s.tables {
		if !s.tables[i].target {
			continue
		}
		for j := range s.tables {
			if i != j && (!s.tables[j].known || !s.tables[i].known) {
				u.found.Whole = true
				return
			}
			for _, name := range s.tables[j].names {
				if i != j && has(s.tables[i].names, name) {
					u.add(name)
				}
			}
		}
	}
}

// within finds the columns anywhere in a part of a statement. It goes through all fields, since the parser's own walk
// leaves some out.
func (u *uses) within(v reflect.Value, s *scope) {
	if !v.IsValid() {
		return
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
	}
	if v.CanInterface() {
		switch n := v.Interface().(type) {
		case *ast.ColName:
			u.column(n, s)
			return
		case *ast.Default:
			if n.ColName != "" {
				u.bare(n.ColName, s)
			}
			return
		case *ast.ExistsExpr:
			u.exists(n.Subquery.Select, s)
			return
		case *ast.Subquery:
			u.query(n.Select, s)
			return
		case ast.SelectStatement:
			u.query(n, s)
			return
		}
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		u.within(v.Elem(), s)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			u.within(v.Index(i), s)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				u.within(v.Field(i), s)
			}
		}
	}
}
