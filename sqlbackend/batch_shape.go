package sqlbackend

import (
	"crypto/sha256"
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// batchWay is how a statement in batches goes on behind a batch.
type batchWay int

const (
	byKeys     batchWay = iota // behind the last primary key of the driving table
	byTuples                   // behind the last row of VALUES
	byFile                     // in the file of LOAD DATA
	byDeleting                 // from the beginning: what was met is gone
)

// batchShape is what of a statement matters for batches.
type batchShape struct {
	text            string // the statement's, in one spelling
	by              batchWay
	database, table string        // the driving table; empty unless byKeys
	target          ast.TableName // the table that is written to
	same            bool          // the rows go into the table that they are read from
	limited         bool          // LIMIT counts rows over all batches
	unordered       bool          // ORDER BY does not matter, and is left out
	ranked          bool          // ORDER BY and LIMIT say which rows
	joined          bool          // the driving table is read with others, in windows
	// how the statement calls the driving table of a join, which it may read again by another name; empty: it may not
	called string
}

// batchable takes the running statement apart. why is not empty for one that can't be run
// in batches.
func (s *Session) batchable() (shape batchShape, why string) {
	if len(s.parsed) > 0 {
		if _, ok := s.parsed[0].(*ast.Execute); ok {
			return shape, "user variables"
		}
	}
	switch n := s.statement().(type) {
	case *ast.Update:
		shape, why = s.batchedUpdate(n)
	case *ast.Delete:
		shape, why = s.batchedDelete(n)
	case *ast.Insert:
		shape, why = s.batchedInsert(n)
	case *ast.Load:
		shape, why = s.batchedLoad(n)
	case *ast.DDL:
		why = "CREATE TABLE … SELECT; make the table first, then INSERT … SELECT can be"
	default:
		why = "another kind of statement"
	}
	if why == "" {
		shape.text = ast.String(s.statement())
	}
	return shape, why
}

func (s *Session) batchedUpdate(n *ast.Update) (shape batchShape, why string) {
	name, why := drivingTable(n.TableExprs)
	shape.target = name
	switch {
	case n.With != nil:
		return shape, "WITH"
	case why == severalTables:
		return s.batchedJoin(n, n.TableExprs, func(list []joinedTable) (int,
			string) {
			return s.assignedTable(list, n.Exprs)
		})
	case why != "":
		return shape, why
	case len(n.OrderBy) > 0 && s.hasUnique(name):
		return shape, "ORDER BY, which matters to unique keys"
	case n.Limit != nil && sortsByTransient(n.OrderBy, nil):
		return shape, transientOrder
	}
	shape.database, shape.table = s.placeOf(name)
	shape.order(n.OrderBy, n.Limit)
	return shape, s.batchedParts(n, shape)
}

func (s *Session) batchedDelete(n *ast.Delete) (shape batchShape, why string) {
	name, why := drivingTable(n.TableExprs)
	shape.target = name
	switch {
	case n.With != nil:
		return shape, "WITH"
	case len(n.Targets) > 1: // one is also what the parser makes of a condition with a subquery
		return shape, severalChanged
	case why == severalTables && len(n.Targets) == 1:
		return s.batchedJoin(n, n.TableExprs, func(list []joinedTable) (of int, why string) {
			if of = s.called(list, n.Targets[0]); of < 0 {
				why = "a table to delete from that it does not read"
			}
			return of, why
		})
	case why != "":
		return shape, why
	}
	shape.database, shape.table = s.placeOf(name)
	shape.limited, shape.unordered = n.Limit != nil, len(n.OrderBy) > 0
	if why := s.batchedParts(n, shape); why != "" {
		return shape, why
	}
	if n.Limit != nil && len(n.OrderBy) > 0 {
		shape = batchShape{by: byDeleting, target: name, limited: true}
	}
	return shape, ""
}

func (s *Session) batchedInsert(n *ast.Insert) (shape batchShape, why string) {
	if n.With != nil {
		return shape, "WITH"
	}
	if len(n.Returning) > 0 {
		return shape, "RETURNING"
	}
	shape.target = n.Table
	rows := n.Rows
	for {
		p, ok := rows.(*ast.ParenSelect)
		if !ok {
			break
		}
		rows, _ = p.Select.(ast.InsertRows)
	}
	if v, ok := rows.(*ast.AliasedValues); ok {
		if len(v.Values) < 2 {
			return shape, "a single row"
		}
		shape.by = byTuples
		shape.database, shape.table = s.placeOf(n.Table)
		why = s.batchedParts(n, shape)
		shape.database, shape.table = "", ""
		return shape, why
	}
	q, ok := rows.(*ast.Select)
	if !ok {
		return shape, "no SELECT from one table"
	}
	replaces := strings.EqualFold(n.Action, ast.ReplaceStr) || len(n.OnDup) > 0
	switch {
	case q.With != nil:
		return shape, "WITH"
	case len(q.GroupBy) > 0 || q.Having != nil || len(q.Window) > 0 || q.QueryOpts.Distinct:
		return shape, rowsOfSeveral
	case q.Limit != nil && q.Limit.Offset != nil:
		return shape, "OFFSET"
	case len(q.OrderBy) > 0 && (replaces || n.Ignore != "" || s.numbersRows(n.Table)):
		return shape, "ORDER BY, which matters to duplicates and to AUTO_INCREMENT"
	case q.Limit != nil && sortsByTransient(q.OrderBy, q.SelectExprs):
		return shape, transientOrder
	}
	switch name, why := drivingTable(q.From); why {
	case "":
		shape.database, shape.table = s.placeOf(name)
	case severalTables:
		if q.Limit != nil || len(q.OrderBy) > 0 {
			return shape, "a join with ORDER BY or LIMIT"
		}
		if shape, why = s.insertedJoin(q.From, n.Table); why != "" {
			return shape, why
		}
	default:
		return shape, why
	}
	shape.order(q.OrderBy, q.Limit)
	database, target := s.placeOf(n.Table)
	shape.same = database == shape.database && target == shape.table
	if shape.same && replaces {
		return shape, "rows that replace others of the table that they are read from"
	}
	return shape, s.batchedParts(n, shape, database, target)
}

// batchedLoad is about LOAD DATA. A variable that is not read from the file depends on what was before.
func (s *Session) batchedLoad(n *ast.Load) (shape batchShape, why string) {
	shape.by, shape.target = byFile, n.Table
	_ = statement.Walk(func(node ast.SQLNode) (bool, error) {
		switch node := node.(type) {
		case *ast.Subquery:
			why = "a subquery"
		case *ast.ColName:
			if name := node.Name.String(); strings.HasPrefix(name, "@") && !listsVariable(n.Columns, name) {
				why = "variables"
			}
		}
		return why == "", nil
	}, n.SetExprs)
	return shape, why
}

func listsVariable(columns ast.Columns, name string) bool {
	for _, c := range columns {
		if strings.EqualFold(c.String(), name) {
			return true
		}
	}
	return false
}

// order notes what ORDER BY and LIMIT mean for a statement that meets its rows in the order of the primary key.
func (shape *batchShape) order(by ast.OrderBy, limit *ast.Limit) {
	shape.limited = limit != nil
	shape.ranked = limit != nil && len(by) > 0
	shape.unordered = limit == nil && len(by) > 0
}

const (
	severalTables  = "rows of several tables"
	severalChanged = "several tables that it changes; one after the other can be"
	rowsOfSeveral  = "rows that are made of several"
	transientOrder = "ORDER BY with LIMIT that sorts by RAND(), NOW() or their like"
)

// drivingTable is the only table of a FROM.
func drivingTable(from ast.TableExprs) (name ast.TableName, why string) {
	if len(from) != 1 {
		return name, severalTables
	}
	table, ok := from[0].(*ast.AliasedTableExpr)
	if !ok {
		return name, severalTables
	}
	name, ok = table.Expr.(ast.TableName)
	if !ok {
		return name, "a derived table"
	}
	return name, ""
}

// batchedParts looks for expressions that would mean something else for parts of the rows. A
// subquery may read tables that the statement neither drives by nor writes to.
func (s *Session) batchedParts(stmt ast.SQLNode, shape batchShape, target ...string) (why string) {
	subqueries := false
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			subqueries = true
			why = s.readsOthers(n, shape, target)
			return false, nil
		case *ast.FuncExpr:
			switch {
			case n.IsAggregate() || n.Over != nil:
				why = rowsOfSeveral
			case strings.EqualFold(n.Name.String(), "last_insert_id"):
				why = "LAST_INSERT_ID()"
			}
		case *ast.GroupConcatExpr:
			why = rowsOfSeveral
		case *ast.ColName:
			if strings.HasPrefix(n.Name.String(), "@") {
				why = "variables"
			}
		}
		return why == "", nil
	}, stmt)
	if why == "" && subqueries && (shape.limited || shape.unordered || shape.by == byTuples) {
		why = "a subquery beside ORDER BY, LIMIT or VALUES"
	}
	return why
}

// readsOthers looks at the tables that a subquery reads, all of which must be stored ones.
func (s *Session) readsOthers(q *ast.Subquery, shape batchShape, target []string) (why string) {
	const refused = "a subquery that reads more than other tables"
	view, err := s.definitions()
	if err != nil {
		return refused
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case ast.TableExpr:
			t, ok := n.(*ast.AliasedTableExpr)
			if !ok {
				break
			}
			name, ok := t.Expr.(ast.TableName)
			if !ok {
				break
			}
			database, table := s.placeOf(name)
			_, stored := view.Table(database, table)
			if !stored || database == shape.database && table == shape.table || len(target) == 2 && database == target[0] &&
				table == target[1] {
				why = refused
			}
		case *ast.With:
			if n != nil {
				why = "WITH"
			}
		case *ast.ColName:
			if strings.HasPrefix(n.Name.String(), "@") {
				why = "variables"
			}
		case *ast.FuncExpr:
			if strings.HasPrefix(strings.ToLower(n.Name.String()), "sqlfdb_") ||
				strings.EqualFold(n.Name.String(), "last_insert_id") {
				why = refused
			}
		}
		return why == "", nil
	}, q)
	return why
}

// hasUnique reports whether a table has a unique key beside its primary one.
func (s *Session) hasUnique(name ast.TableName) bool {
	t, ok := s.tableAt(name)
	return !ok || slices.ContainsFunc(t.Indexes, func(i catalog.Index) bool { return i.Unique })
}

// numbersRows reports whether a table gives its rows numbers in the order in which they come.
func (s *Session) numbersRows(name ast.TableName) bool {
	t, ok := s.tableAt(name)
	return !ok || slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return c.AutoIncrement })
}

func (s *Session) tableAt(name ast.TableName) (*catalog.Table, bool) {
	view, err := s.definitions()
	if err != nil {
		return nil, false
	}
	return view.Table(s.placeOf(name))
}

// placeOf is the database and the name of a table, in lower case.
func (s *Session) placeOf(name ast.TableName) (database, table string) {
	database = name.DbQualifier.String()
	if database == "" {
		database = s.GetCurrentDatabase()
	}
	return strings.ToLower(database), strings.ToLower(name.Name.String())
}

// digestOf tells statements apart: by their text, by what their parameters are, and by the
// database that their names stand in.
func (s *Session) digestOf(shape batchShape) []byte {
	parameters := ""
	if s.parameters != nil {
		parameters = s.parameters()
	}
	sum := sha256.Sum256([]byte(s.GetCurrentDatabase() + "\x00" + shape.text + "\x00" + parameters))
	return sum[:16]
}

// NoteParameters tells which values the parameters of the next command have: a text that is another for others.
func (s *Session) NoteParameters(text func() string) { s.parameters = text }
