package sqlbackend

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// names is what the statements of one command name: from it, the tables of an
// open collection get their columns. All names are lower-cased but those of
// columns, whose spelling tells keypaths apart that differ only in case.
type names struct {
	statements int   // how many statements went in
	block      int   // the one that is being walked
	filtering  bool  // a WHERE or ON is being walked
	around     []int // by the number of a block, the one around it that it sees; 0, which is none, for none

	columns  []columnName
	aliases  map[string]bool   // of select expressions and common table expressions
	sources  []sourceName      // tables in FROM, INTO and so on, in order
	common   map[string]bool   // the names of common table expressions
	stars    map[string]bool   // by the qualifier of a *, "" for one without
	writes   map[string]writes // by lower-cased table name
	show     bool              // SHOW COLUMNS, DESCRIBE: the whole list
	declared bool              // DDL and the like: declared columns only
	indexed  []string          // the columns that a CREATE INDEX names
	natural  bool              // a NATURAL JOIN: columns are compared that nothing names

	hints  map[string]*indexHint // by the lower-cased alias of a table
	hinted map[string][]string   // the indexes that USE, FORCE and IGNORE name, by lower-cased table
}

// columnName is a column as a statement names it.
type columnName struct {
	qualifier, name string
	weak            bool // in ORDER BY, GROUP BY or HAVING, where an alias may be meant
	filters         bool // in WHERE or ON
	block           int  // see enclosed
}

// sourceName is a table that a statement names.
type sourceName struct {
	database, table, alias string
	derived                bool // a subquery or table function: its columns are unknown here
	block                  int  // see enclosed
}

// writes is what a statement does to a table.
type writes struct {
	inserts, changes bool     // INSERT or REPLACE or LOAD DATA; UPDATE or DELETE
	whole            bool     // an INSERT without a column list: it gives every column
	columns          []string // INSERT's column list, or the columns that UPDATE sets
	onDuplicate      []string // the columns that ON DUPLICATE KEY UPDATE sets
}

// collectNames gathers the names of the statements.
func collectNames(statements []ast.Statement) *names {
	n := &names{statements: len(statements), columns: make([]columnName, 0, 8), around: make([]int, 1, 4)}
	for _, s := range statements {
		n.separately(func() { n.statement(s) })
	}
	return n
}

func (n *names) alias(lower string) {
	if n.aliases == nil {
		n.aliases = map[string]bool{}
	}
	n.aliases[lower] = true
}

func (n *names) commonTable(lower string) {
	if n.common == nil {
		n.common = map[string]bool{}
	}
	n.common[lower] = true
}

func (n *names) star(qualifier string) {
	if n.stars == nil {
		n.stars = map[string]bool{}
	}
	n.stars[qualifier] = true
}

func (n *names) written(table string, w writes) {
	if n.writes == nil {
		n.writes = map[string]writes{}
	}
	n.writes[table] = w
}

// enclosed walks a block that sees the sources of another one around it: what it names and its own sources have not may be theirs. What
// other blocks call their columns says nothing of the columns of its sources.
func (n *names) enclosed(around int, walk func()) {
	outer := n.block
	n.block = len(n.around)
	n.around = append(n.around, around)
	walk()
	n.block = outer
}

// separately walks a block that sees no more than the one that it stands in: a statement (the definition of a view is one of its
// own), a derived table, a common table expression, a part of a set operation.
func (n *names) separately(walk func()) { n.enclosed(n.around[n.block], walk) }

// part walks a part of a set operation.
func (n *names) part(s ast.SelectStatement, weak bool) {
	n.separately(func() { n.walk(s, weak) })
}

func (n *names) statement(s ast.SQLNode) {
	switch s := s.(type) {
	case *ast.Show:
		switch strings.ToLower(s.Type) {
		case "columns", "fields", "full columns", "extended columns", "extended full columns":
			n.show = true
		default:
			n.declared = true
		}
		return
	case *ast.AlterTable:
		n.declared = true
		for _, ddl := range s.Statements {
			n.index(ddl)
		}
		return
	case *ast.DDL:
		n.declared = true
		n.index(s)
		if s.OptSelect == nil && s.ViewSpec == nil && s.TriggerSpec == nil && s.ProcedureSpec == nil {
			return
		}
		n.declared = false
		if s.OptSelect != nil {
			n.walk(s.OptSelect.Select, false)
		}
		if s.ViewSpec != nil {
			for _, c := range s.ViewSpec.Columns {
				n.alias(c.Lowered())
			}
			n.walk(s.ViewSpec.ViewExpr, false)
		}
		if s.TriggerSpec != nil {
			n.walk(s.TriggerSpec.Body, false)
		}
		if s.ProcedureSpec != nil {
			n.walk(s.ProcedureSpec.Body, false)
		}
		return
	case *ast.Explain:
		n.statement(s.Statement)
		return
	}
	n.walk(s, false)
}

func (n *names) index(ddl *ast.DDL) {
	if ddl == nil || ddl.IndexSpec == nil {
		return
	}
	for _, c := range ddl.IndexSpec.Columns {
		n.indexed = append(n.indexed, c.Column.String())
	}
}

func (n *names) walk(node ast.SQLNode, weak bool) {
	if node == nil {
		return
	}
	_ = walkStatement(func(node ast.SQLNode) (bool, error) {
		switch node := node.(type) {
		case *ast.ColName:
			n.column(node, weak)
			return false, nil
		case *ast.StarExpr:
			n.star(strings.ToLower(node.TableName.Name.String()))
			return false, nil
		case *ast.FuncExpr:
			if len(node.Exprs) == 1 {
				if _, star := node.Exprs[0].(*ast.StarExpr); star { // COUNT(*)
					if node.Over != nil {
						n.walk(node.Over, weak)
					}
					return false, nil
				}
			}
		case *ast.AliasedExpr:
			if !node.As.IsEmpty() {
				if c, ok := node.Expr.(*ast.ColName); !ok || !strings.EqualFold(c.Name.String(), node.As.String()) {
					n.alias(node.As.Lowered())
				}
			}
		case ast.OrderBy:
			if !weak {
				n.walk(node, true)
				return false, nil
			}
		case ast.GroupBy:
			if !weak {
				n.walk(node, true)
				return false, nil
			}
		case *ast.Where:
			if node != nil && !weak && strings.EqualFold(node.Type, ast.HavingStr) {
				n.walk(node.Expr, true)
				return false, nil
			}
			if node != nil {
				n.filter(node.Expr, weak)
				return false, nil
			}
		case *ast.JoinTableExpr:
			n.natural = n.natural || strings.Contains(strings.ToLower(node.Join), "natural")
		case ast.JoinCondition:
			for _, c := range node.Using {
				n.columns = append(n.columns, columnName{name: c.String(), filters: true, block: n.block})
			}
			n.filter(node.On, weak)
			return false, nil
		case *ast.AliasedTableExpr:
			n.source(node)
			if derived, ok := node.Expr.(*ast.Subquery); ok && !node.Lateral {
				n.separately(func() { n.walk(derived.Select, false) })
				return false, nil
			}
		case *ast.JSONTableExpr:
			n.sources = append(n.sources, sourceName{alias: strings.ToLower(node.Alias.String()), derived: true, block: n.block})
			if node.Spec != nil {
				n.jsonTable(node.Spec)
			}
		case *ast.TableFuncExpr:
			n.sources = append(n.sources, sourceName{alias: strings.ToLower(node.Alias.String()), derived: true, block: n.block})
		case *ast.CommonTableExpr:
			for _, c := range node.Columns {
				n.alias(c.Lowered())
			}
			if t := node.AliasedTableExpr; t != nil {
				n.commonTable(strings.ToLower(t.As.String()))
				if query, ok := t.Expr.(*ast.Subquery); ok {
					n.separately(func() { n.walk(query.Select, false) })
					return false, nil
				}
			}
		case *ast.Select:
			n.comments(node.Comments)
			for _, w := range node.Window { // ast.Walk leaves it out
				n.walk(w.PartitionBy, weak)
				n.walk(w.OrderBy, true)
			}
		case *ast.SetOp: // its ORDER BY names columns of the result
			if node.With != nil {
				n.walk(node.With, weak)
			}
			n.part(node.Left, weak)
			n.part(node.Right, weak)
			return false, nil
		case *ast.Subquery:
			n.enclosed(n.block, func() { n.walk(node.Select, weak) })
			return false, nil
		case *ast.Insert:
			n.insert(node)
			n.walk(node.With, weak)
			n.rows(node.Rows)
			n.walk(node.OnDup, weak)
			return false, nil
		case *ast.Load:
			n.load(node)
			return false, nil
		case *ast.Update:
			n.comments(node.Comments)
			n.update(node)
		case *ast.Delete:
			n.comments(node.Comments)
			n.delete(node)
		}
		return true, nil
	}, node)
}

// filter walks a condition.
func (n *names) filter(condition ast.Expr, weak bool) {
	if condition == nil {
		return
	}
	outer := n.filtering
	n.filtering = true
	n.walk(condition, weak)
	n.filtering = outer
}

func (n *names) column(c *ast.ColName, weak bool) {
	name := c.Name.String()
	if strings.HasPrefix(name, "@") {
		return
	}
	n.columns = append(n.columns, columnName{qualifier: strings.ToLower(c.Qualifier.Name.String()), name: name, weak: weak, filters: n.filtering, block: n.block})
}

func (n *names) source(t *ast.AliasedTableExpr) {
	src := sourceName{alias: strings.ToLower(t.As.String()), block: n.block}
	if table, ok := t.Expr.(ast.TableName); ok {
		src.database = strings.ToLower(table.DbQualifier.String())
		src.table = strings.ToLower(table.Name.String())
		if src.alias == "" {
			src.alias = src.table
		}
		n.hint(t, src.alias, src.table)
	} else {
		src.derived = true
	}
	n.sources = append(n.sources, src)
}

func (n *names) target(t ast.TableName) (string, writes) {
	table := strings.ToLower(t.Name.String())
	n.sources = append(n.sources, sourceName{database: strings.ToLower(t.DbQualifier.String()), table: table, alias: table, block: n.block})
	return table, n.writes[table]
}

func (n *names) insert(s *ast.Insert) {
	table, w := n.target(s.Table)
	w.inserts = true
	for _, c := range s.Columns {
		w.columns = append(w.columns, c.String())
		n.columns = append(n.columns, columnName{qualifier: table, name: c.String(), block: n.block})
	}
	w.whole = len(s.Columns) == 0 && !emptyRows(s.Rows)
	for _, e := range s.OnDup {
		w.onDuplicate = append(w.onDuplicate, e.Name.Name.String())
	}
	n.written(table, w)
	if v, ok := s.Rows.(*ast.AliasedValues); ok && !v.As.IsEmpty() {
		n.sources = append(n.sources, sourceName{alias: strings.ToLower(v.As.String()), table: table, block: n.block})
		for _, c := range v.Columns {
			n.alias(c.Lowered())
		}
	}
}

// rows walks what an INSERT inserts. Queries in it don't see the table that it is inserted into.
func (n *names) rows(rows ast.InsertRows) {
	switch rows := rows.(type) {
	case *ast.AliasedValues, ast.AliasedValues, ast.Values:
		_ = walkStatement(func(node ast.SQLNode) (bool, error) {
			switch node := node.(type) {
			case *ast.Subquery:
				n.separately(func() { n.walk(node.Select, false) })
				return false, nil
			case *ast.ColName:
				n.column(node, false)
				return false, nil
			}
			return true, nil
		}, rows)
	default:
		n.separately(func() { n.walk(rows, false) })
	}
}

// emptyRows reports whether an INSERT says VALUES ().
func emptyRows(rows ast.InsertRows) bool {
	v, ok := rows.(*ast.AliasedValues)
	if !ok {
		return false
	}
	for _, tuple := range v.Values {
		if len(tuple) > 0 {
			return false
		}
	}
	return true
}

func (n *names) load(s *ast.Load) {
	table, w := n.target(s.Table)
	w.inserts = true
	for _, c := range s.Columns {
		if strings.HasPrefix(c.String(), "@") {
			continue
		}
		w.columns = append(w.columns, c.String())
		n.columns = append(n.columns, columnName{qualifier: table, name: c.String(), block: n.block})
	}
	for _, e := range s.SetExprs {
		w.columns = append(w.columns, e.Name.Name.String())
		n.walk(e, false)
	}
	n.written(table, w)
}

func (n *names) update(s *ast.Update) {
	targets := tableNames(s.TableExprs)
	for _, t := range targets {
		w := n.writes[t]
		w.changes = true
		for _, e := range s.Exprs {
			w.columns = append(w.columns, e.Name.Name.String())
		}
		n.written(t, w)
	}
}

func (n *names) delete(s *ast.Delete) {
	for _, t := range tableNames(s.TableExprs) {
		w := n.writes[t]
		w.changes = true
		n.written(t, w)
	}
}

// tableNames lists the lower-cased names of the tables in a FROM.
func tableNames(exprs ast.TableExprs) []string {
	var out []string
	_ = walkStatement(func(node ast.SQLNode) (bool, error) {
		if t, ok := node.(*ast.AliasedTableExpr); ok {
			if name, ok := t.Expr.(ast.TableName); ok {
				out = append(out, strings.ToLower(name.Name.String()))
			}
		}
		return true, nil
	}, exprs)
	return out
}

func (n *names) jsonTable(spec *ast.JSONTableSpec) {
	for _, c := range spec.Columns {
		if c.Spec != nil {
			n.jsonTable(c.Spec)
		} else {
			n.alias(c.Name.Lowered())
		}
	}
}

// mentions reports whether the statements name the column.
func (n *names) mentions(column string) bool {
	for _, c := range n.columns {
		if strings.EqualFold(c.name, column) {
			return true
		}
	}
	return false
}

// starred reports whether a * stands for the table's columns.
func (n *names) starred(table string) bool {
	if n.stars[""] {
		return true
	}
	for _, s := range n.sources {
		if s.table == table && n.stars[s.alias] {
			return true
		}
	}
	return false
}

// uses reports whether a FROM, INTO, UPDATE or DELETE names the table.
func (n *names) uses(table string) bool {
	for _, s := range n.sources {
		if s.table == table {
			return true
		}
	}
	return false
}
