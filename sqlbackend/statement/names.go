package statement

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Names are the names in the statements of one command: from them, the tables of an open
// collection get their columns. All names are lower-cased, except columns' names: their
// spelling distinguishes keypaths that differ only in case.
type Names struct {
	Statements int   // how many statements went in
	block      int   // the one that is being walked
	filtering  bool  // a WHERE or ON is being walked
	Around     []int // by the number of a block, the one around it that it sees; 0, which is none, for none

	Columns  []ColumnName
	distinct []NamedColumn
	Aliases  map[string]bool   // of select expressions and common table expressions
	Sources  []SourceName      // tables in FROM, INTO and so on, in order
	Common   map[string]bool   // the names of common table expressions
	Stars    map[string]bool   // by the qualifier of a *, "" for one without
	Writes   map[string]Writes // by lower-cased table name
	Show     bool              // SHOW COLUMNS, DESCRIBE: the whole list
	Declared bool              // DDL and the like: declared columns only
	Indexed  []string          // the columns that a CREATE INDEX names
	Natural  bool              // a NATURAL JOIN: columns are compared that nothing names

	Hints  map[string]*IndexHint // by the lower-cased alias of a table
	Hinted map[string][]string   // the indexes that USE, FORCE and IGNORE name, by lower-cased table
}

// ColumnName is a column as a statement names it.
type ColumnName struct {
	Qualifier, Name string
	Weak            bool // in ORDER BY, GROUP BY or HAVING, where an alias may be meant
	Filters         bool // in WHERE or ON
	Block           int  // see enclosed
}

// NamedColumn is a column, how often a statement names it, and whether that is in WHERE or ON alone.
type NamedColumn struct {
	Qualifier, Name string
	Filters         bool
	Times           int
}

// Distinct are the columns that the statements name, each once. They are cached, since every part of a statement with
// very many parts needs them all.
func (n *Names) Distinct() []NamedColumn {
	if n.distinct != nil {
		return n.distinct
	}
	places := map[NamedColumn]int{}
	for _, c := range n.Columns {
		name := NamedColumn{Qualifier: c.Qualifier, Name: c.Name, Filters: c.Filters}
		at, ok := places[name]
		if !ok {
			at = len(n.distinct)
			places[name] = at
			n.distinct = append(n.distinct, name)
		}
		n.distinct[at].Times++
	}
	return n.distinct
}

// SourceName is a table that a statement names.
type SourceName struct {
	Database, Table, Alias string
	Derived                bool // a subquery or table function: its columns are unknown here
	Block                  int  // see enclosed
}

// Writes are a statement's kinds of writes to a table.
type Writes struct {
	Inserts, Changes bool     // INSERT or REPLACE or LOAD DATA; UPDATE or DELETE
	Joined           bool     // an UPDATE of several tables
	Whole            bool     // an INSERT without a column list: it gives every column
	Columns          []string // INSERT's column list, or the columns that UPDATE sets
	onDuplicate      []string // the columns that ON DUPLICATE KEY UPDATE sets
}

// CollectNames gathers the names of the statements.
func CollectNames(statements []ast.Statement) *Names {
	n := &Names{Statements: len(statements), Columns: make([]ColumnName, 0, 8), Around: make([]int, 1, 4)}
	for _, s := range statements {
		n.separately(func() { n.statement(s) })
	}
	return n
}

func (n *Names) alias(lower string) {
	if n.Aliases == nil {
		n.Aliases = map[string]bool{}
	}
	n.Aliases[lower] = true
}

func (n *Names) commonTable(lower string) {
	if n.Common == nil {
		n.Common = map[string]bool{}
	}
	n.Common[lower] = true
}

func (n *Names) star(qualifier string) {
	if n.Stars == nil {
		n.Stars = map[string]bool{}
	}
	n.Stars[qualifier] = true
}

func (n *Names) written(table string, w Writes) {
	if n.Writes == nil {
		n.Writes = map[string]Writes{}
	}
	n.Writes[table] = w
}

// enclosed walks a block that sees the sources of the block around it: a column that its own sources lack may be one
// of theirs. The columns that other blocks name say nothing of its sources' columns.
func (n *Names) enclosed(around int, walk func()) {
	outer := n.block
	n.block = len(n.Around)
	n.Around = append(n.Around, around)
	walk()
	n.block = outer
}

// separately walks a block that sees no more than the block that it stands in. Such blocks are statements (also the
// definition of a view), derived tables, common table expressions and parts of set operations.
func (n *Names) separately(walk func()) { n.enclosed(n.Around[n.block], walk) }

// part walks a part of a set operation.
func (n *Names) part(s ast.SelectStatement, weak bool) {
	n.separately(func() { n.walk(s, weak) })
}

func (n *Names) statement(s ast.SQLNode) {
	switch s := s.(type) {
	case *ast.Show:
		switch strings.ToLower(s.Type) {
		case "columns", "fields", "full columns", "extended columns", "extended full columns":
			n.Show = true
		default:
			n.Declared = true
		}
		return
	case *ast.AlterTable:
		n.Declared = true
		for _, ddl := range s.Statements {
			n.index(ddl)
		}
		return
	case *ast.DDL:
		n.Declared = true
		n.index(s)
		if s.OptSelect == nil && s.ViewSpec == nil && s.TriggerSpec == nil && s.ProcedureSpec == nil {
			return
		}
		n.Declared = false
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

func (n *Names) index(ddl *ast.DDL) {
	if ddl == nil || ddl.IndexSpec == nil {
		return
	}
	for _, c := range ddl.IndexSpec.Columns {
		n.Indexed = append(n.Indexed, c.Column.String())
	}
}

func (n *Names) walk(node ast.SQLNode, weak bool) {
	if node == nil {
		return
	}
	_ = Walk(func(node ast.SQLNode) (bool, error) {
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
			n.Natural = n.Natural || strings.Contains(strings.ToLower(node.Join), "natural")
		case ast.JoinCondition:
			for _, c := range node.Using {
				n.Columns = append(n.Columns, ColumnName{Name: c.String(), Filters: true, Block: n.block})
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
			n.Sources = append(n.Sources, SourceName{Alias: strings.ToLower(node.Alias.String()), Derived: true, Block: n.block})
			if node.Spec != nil {
				n.jsonTable(node.Spec)
			}
		case *ast.TableFuncExpr:
			n.Sources = append(n.Sources, SourceName{Alias: strings.ToLower(node.Alias.String()), Derived: true, Block: n.block})
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
func (n *Names) filter(condition ast.Expr, weak bool) {
	if condition == nil {
		return
	}
	outer := n.filtering
	n.filtering = true
	n.walk(condition, weak)
	n.filtering = outer
}

func (n *Names) column(c *ast.ColName, weak bool) {
	name := c.Name.String()
	if strings.HasPrefix(name, "@") {
		return
	}
	n.Columns = append(n.Columns, ColumnName{Qualifier: strings.ToLower(c.Qualifier.Name.String()), Name: name, Weak: weak,
		Filters: n.filtering, Block: n.block})
}

func (n *Names) source(t *ast.AliasedTableExpr) {
	src := SourceName{Alias: strings.ToLower(t.As.String()), Block: n.block}
	if table, ok := t.Expr.(ast.TableName); ok {
		src.Database = strings.ToLower(table.DbQualifier.String())
		src.Table = strings.ToLower(table.Name.String())
		if src.Alias == "" {
			src.Alias = src.Table
		}
		n.hint(t, src.Alias, src.Table)
	} else {
		src.Derived = true
	}
	n.Sources = append(n.Sources, src)
}

func (n *Names) target(t ast.TableName) (string, Writes) {
	table := strings.ToLower(t.Name.String())
	n.Sources = append(n.Sources, SourceName{Database: strings.ToLower(t.DbQualifier.String()), Table: table, Alias: table,
		Block: n.block})
	return table, n.Writes[table]
}

func (n *Names) insert(s *ast.Insert) {
	table, w := n.target(s.Table)
	w.Inserts = true
	for _, c := range s.Columns {
		w.Columns = append(w.Columns, c.String())
		n.Columns = append(n.Columns, ColumnName{Qualifier: table, Name: c.String(), Block: n.block})
	}
	w.Whole = len(s.Columns) == 0 && !EmptyRows(s.Rows)
	for _, e := range s.OnDup {
		w.onDuplicate = append(w.onDuplicate, e.Name.Name.String())
	}
	n.written(table, w)
	if v, ok := s.Rows.(*ast.AliasedValues); ok && !v.As.IsEmpty() {
		n.Sources = append(n.Sources, SourceName{Alias: strings.ToLower(v.As.String()), Table: table, Block: n.block})
		for _, c := range v.Columns {
			n.alias(c.Lowered())
		}
	}
}

// rows walks the rows that an INSERT inserts. Queries in it don't see the table that it is inserted into.
func (n *Names) rows(rows ast.InsertRows) {
	switch rows := rows.(type) {
	case *ast.AliasedValues, ast.AliasedValues, ast.Values:
		_ = Walk(func(node ast.SQLNode) (bool, error) {
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

// EmptyRows reports whether an INSERT has VALUES ().
func EmptyRows(rows ast.InsertRows) bool {
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

func (n *Names) load(s *ast.Load) {
	table, w := n.target(s.Table)
	w.Inserts = true
	for _, c := range s.Columns {
		if strings.HasPrefix(c.String(), "@") {
			continue
		}
		w.Columns = append(w.Columns, c.String())
		n.Columns = append(n.Columns, ColumnName{Qualifier: table, Name: c.String(), Block: n.block})
	}
	for _, e := range s.SetExprs {
		w.Columns = append(w.Columns, e.Name.Name.String())
		n.walk(e, false)
	}
	n.written(table, w)
}

func (n *Names) update(s *ast.Update) {
	targets := TableNames(s.TableExprs)
	_, join := s.TableExprs[0].(*ast.JoinTableExpr)
	for _, t := range targets {
		w := n.Writes[t]
		w.Changes, w.Joined = true, join || len(s.TableExprs) > 1
		for _, e := range s.Exprs {
			w.Columns = append(w.Columns, e.Name.Name.String())
		}
		n.written(t, w)
	}
}

func (n *Names) delete(s *ast.Delete) {
	for _, t := range TableNames(s.TableExprs) {
		w := n.Writes[t]
		w.Changes = true
		n.written(t, w)
	}
}

// TableNames lists the lower-cased names of the tables in a FROM.
func TableNames(exprs ast.TableExprs) []string {
	var out []string
	_ = Walk(func(node ast.SQLNode) (bool, error) {
		if t, ok := node.(*ast.AliasedTableExpr); ok {
			if name, ok := t.Expr.(ast.TableName); ok {
				out = append(out, strings.ToLower(name.Name.String()))
			}
		}
		return true, nil
	}, exprs)
	return out
}

func (n *Names) jsonTable(spec *ast.JSONTableSpec) {
	for _, c := range spec.Columns {
		if c.Spec != nil {
			n.jsonTable(c.Spec)
		} else {
			n.alias(c.Name.Lowered())
		}
	}
}

// Mentions reports whether the statements name the column.
func (n *Names) Mentions(column string) bool {
	for _, c := range n.Columns {
		if strings.EqualFold(c.Name, column) {
			return true
		}
	}
	return false
}

// Starred reports whether a * stands for the table's columns.
func (n *Names) Starred(table string) bool {
	if n.Stars[""] {
		return true
	}
	for _, s := range n.Sources {
		if s.Table == table && n.Stars[s.Alias] {
			return true
		}
	}
	return false
}

// Uses reports whether a FROM, INTO, UPDATE or DELETE names the table.
func (n *Names) Uses(table string) bool {
	for _, s := range n.Sources {
		if s.Table == table {
			return true
		}
	}
	return false
}
