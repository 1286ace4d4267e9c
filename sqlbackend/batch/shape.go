package batch

import (
	"crypto/sha256"
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// Batchable splits the running statement. why is not empty for one that can't be run
// in batches.
func Batchable(s *session.Session) (shape table.BatchShape, why string) {
	if len(s.Parsed.All) > 0 {
		if _, ok := s.Parsed.All[0].(*ast.Execute); ok {
			return shape, "user variables"
		}
	}
	switch n := s.Parsed.Statement().(type) {
	case *ast.Update:
		shape, why = batchedUpdate(s, n)
	case *ast.Delete:
		shape, why = batchedDelete(s, n)
	case *ast.Insert:
		shape, why = batchedInsert(s, n)
	case *ast.Load:
		shape, why = batchedLoad(s, n)
	case *ast.DDL:
		why = "CREATE TABLE … SELECT; make the table first, then INSERT … SELECT can be"
	default:
		why = "another kind of statement"
	}
	if why == "" {
		shape.Text = ast.String(s.Parsed.Statement())
	}
	return shape, why
}

func batchedUpdate(s *session.Session, n *ast.Update) (shape table.BatchShape, why string) {
	name, why := drivingTable(n.TableExprs)
	shape.Target = name
	switch {
	case n.With != nil:
		return shape, "WITH"
	case why == severalTables:
		return batchedJoin(s, n, n.TableExprs, func(list []joinedTable) (int,
			string) {
			return assignedTable(s, list, n.Exprs)
		})
	case why != "":
		return shape, why
	case len(n.OrderBy) > 0 && hasUnique(s, name):
		return shape, "ORDER BY, which matters to unique keys"
	case n.Limit != nil && sortsByTransient(n.OrderBy, nil):
		return shape, transientOrder
	}
	shape.Database, shape.Table = placeOfName(s, name)
	shape.Order(n.OrderBy, n.Limit)
	return shape, batchedParts(s, n, shape)
}

func batchedDelete(s *session.Session, n *ast.Delete) (shape table.BatchShape, why string) {
	name, why := drivingTable(n.TableExprs)
	shape.Target = name
	switch {
	case n.With != nil:
		return shape, "WITH"
	case len(n.Targets) > 1: // one is also what the parser makes of a condition with a subquery
		return shape, severalChanged
	case why == severalTables && len(n.Targets) == 1:
		return batchedJoin(s, n, n.TableExprs, func(list []joinedTable) (of int, why string) {
			if of = called(s, list, n.Targets[0]); of < 0 {
				why = "a table to delete from that it does not read"
			}
			return of, why
		})
	case why != "":
		return shape, why
	}
	shape.Database, shape.Table = placeOfName(s, name)
	shape.Limited, shape.Unordered = n.Limit != nil, len(n.OrderBy) > 0
	if why := batchedParts(s, n, shape); why != "" {
		return shape, why
	}
	if n.Limit != nil && len(n.OrderBy) > 0 {
		shape = table.BatchShape{By: table.ByDeleting, Target: name, Limited: true}
	}
	return shape, ""
}

func batchedInsert(s *session.Session, n *ast.Insert) (shape table.BatchShape, why string) {
	if len(n.Returning) > 0 {
		return shape, "RETURNING"
	}
	shape.Target = n.Table
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
		shape.By = table.ByTuples
		shape.Database, shape.Table = placeOfName(s, n.Table)
		why = batchedParts(s, n, shape)
		shape.Database, shape.Table = "", ""
		return shape, why
	}
	if readsNoTable(s, n) {
		if !steady(n, rows) {
			return shape, "RAND(), NOW() or their like beside the values that it selects"
		}
		shape.By = table.ByRows
		return shape, ""
	}
	q, ok := rows.(*ast.Select)
	if !ok {
		return shape, "no SELECT from one table"
	}
	replaces := strings.EqualFold(n.Action, ast.ReplaceStr) || len(n.OnDup) > 0
	switch {
	case q.With != nil || n.With != nil:
		return shape, "WITH that reads tables, variables or the session"
	case len(q.GroupBy) > 0 || q.Having != nil || len(q.Window) > 0 || q.QueryOpts.Distinct:
		return shape, rowsOfSeveral
	case q.Limit != nil && q.Limit.Offset != nil:
		return shape, "OFFSET"
	case len(q.OrderBy) > 0 && (replaces || n.Ignore != "" || numbersRows(s, n.Table)):
		return shape, "ORDER BY, which matters to duplicates and to AUTO_INCREMENT"
	case q.Limit != nil && sortsByTransient(q.OrderBy, q.SelectExprs):
		return shape, transientOrder
	}
	switch name, why := drivingTable(q.From); why {
	case "":
		shape.Database, shape.Table = placeOfName(s, name)
	case severalTables:
		if q.Limit != nil || len(q.OrderBy) > 0 {
			return shape, "a join with ORDER BY or LIMIT"
		}
		if shape, why = insertedJoin(s, q.From, n.Table); why != "" {
			return shape, why
		}
	default:
		return shape, why
	}
	shape.Order(q.OrderBy, q.Limit)
	database, target := placeOfName(s, n.Table)
	shape.Same = database == shape.Database && target == shape.Table
	if shape.Same && replaces {
		return shape, "rows that replace others of the table that they are read from"
	}
	return shape, batchedParts(s, n, shape, database, target)
}

// batchedLoad is about LOAD DATA. A variable that is not read from the file depends on what was before.
func batchedLoad(s *session.Session, n *ast.Load) (shape table.BatchShape, why string) {
	shape.By, shape.Target = table.ByFile, n.Table
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
func batchedParts(s *session.Session, stmt ast.SQLNode, shape table.BatchShape, target ...string) (why string) {
	subqueries := false
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			subqueries = true
			why = readsOthers(s, n, shape, target)
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
	if why == "" && subqueries && (shape.Limited || shape.Unordered || shape.By == table.ByTuples) {
		why = "a subquery beside ORDER BY, LIMIT or VALUES"
	}
	return why
}

// readsOthers looks at the tables that a subquery reads, all of which must be stored ones.
func readsOthers(s *session.Session, q *ast.Subquery, shape table.BatchShape, target []string) (why string) {
	const refused = "a subquery that reads more than other tables"
	view, err := s.Readers.Definitions()
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
			database, table := placeOfName(s, name)
			_, stored := view.Table(database, table)
			if !stored || database == shape.Database && table == shape.Table || len(target) == 2 && database == target[0] &&
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
func hasUnique(s *session.Session, name ast.TableName) bool {
	t, ok := CatalogTableAt(s, name)
	return !ok || slices.ContainsFunc(t.Indexes, func(i catalog.Index) bool { return i.Unique })
}

// numbersRows reports whether a table gives its rows numbers in the order in which they come.
func numbersRows(s *session.Session, name ast.TableName) bool {
	t, ok := CatalogTableAt(s, name)
	return !ok || slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return c.AutoIncrement })
}

// CatalogTableAt is the table of the catalog that a name in a statement stands for.
func CatalogTableAt(s *session.Session, name ast.TableName) (*catalog.Table, bool) {
	view, err := s.Readers.Definitions()
	if err != nil {
		return nil, false
	}
	return view.Table(placeOfName(s, name))
}

// KnownTableAt is CatalogTableAt by the definitions that the process knew last, without a read: for callers who ask
// again, or learn from the statement itself, if they have changed.
func KnownTableAt(s *session.Session, name ast.TableName) (*catalog.Table, bool) {
	view := s.Backend.Catalog.Cached()
	if view == nil {
		return CatalogTableAt(s, name)
	}
	return view.Table(placeOfName(s, name))
}

// placeOfName is the database and the name of a table, in lower case.
func placeOfName(s *session.Session, name ast.TableName) (database, table string) {
	database = name.DbQualifier.String()
	if database == "" {
		database = s.GetCurrentDatabase()
	}
	return strings.ToLower(database), strings.ToLower(name.Name.String())
}

// digestOf distinguishes statements: by their text, by what their parameters are, and by the
// database that their names stand in.
func digestOf(s *session.Session, shape table.BatchShape) []byte {
	parameters := ""
	if s.Parameters != nil {
		parameters = s.Parameters()
	}
	sum := sha256.Sum256([]byte(s.GetCurrentDatabase() + "\x00" + shape.Text + "\x00" + parameters))
	return sum[:16]
}

// NoteParameters sets the values of the next command's parameters, as a text that differs with them.
func NoteParameters(s *session.Session, text func() string) { s.Parameters = text }
