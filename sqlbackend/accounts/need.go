package accounts

import (
	"reflect"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// Need are privileges that a statement needs, all of them: on a table, on a database if no table is named, or on
// everything if no database is. With Any, one of them is enough. If there are none, it is enough that the account may
// know of the table or database.
type Need struct {
	Privileges Privileges
	Any        bool
	// Shadowed: the statement has a WITH of that name, which may be meant.
	Shadowed bool
	// OfColumns: a privilege on some column is enough.
	OfColumns       bool
	Database, Table string
	Command         string // as the error names it
}

// needs collects the privileges that a statement needs.
type needs struct {
	database string // the current one
	all      []Need
}

// Needs are the privileges that a statement needs; database is the session's current one, empty for none. ok is false
// for statements that it does not know: only accounts with all privileges may run them.
func Needs(stmt ast.Statement, database string) (all []Need, ok bool) {
	n := &needs{database: database}
	ok = n.statement(stmt)
	return n.all, ok
}

func (n *needs) table(p Privileges, command string, name ast.TableName) {
	database := name.DbQualifier.String()
	if database == "" {
		database = n.database
	}
	n.all = append(n.all, Need{Privileges: p, Database: database, Table: name.Name.String(), Command: command})
}

func (n *needs) tables(p Privileges, command string, names ...ast.TableName) {
	for _, name := range names {
		if name.Name.String() != "" {
			n.table(p, command, name)
		}
	}
}

func (n *needs) onDatabase(p Privileges, name string) {
	if name == "" {
		name = n.database
	}
	n.all = append(n.all, Need{Privileges: p, Database: name})
}

func (n *needs) everywhere(p Privileges) { n.all = append(n.all, Need{Privileges: p}) }

// reads needs SELECT on the tables that are read anywhere in a statement, except the ones in skip.
func (n *needs) reads(skip map[ast.SQLNode]bool, stmt ast.Statement) {
	named := map[string]bool{} // by WITH
	each(reflect.ValueOf(stmt), func(node any) {
		if w, ok := node.(*ast.With); ok {
			for _, c := range w.Ctes {
				named[strings.ToLower(c.As.String())] = true
			}
		}
	})
	each(reflect.ValueOf(stmt), func(node any) {
		if t, ok := node.(*ast.AliasedTableExpr); ok && !skip[t] {
			if name, ok := t.Expr.(ast.TableName); ok {
				n.read(named, name)
			}
		}
	})
}

// parserPackage is where the types of the parts of statements are.
var parserPackage = reflect.TypeFor[ast.TableName]().PkgPath()

// each visits all that parts of a statement point to. It goes through all fields, since the parser's own walk leaves
// some out.
func each(v reflect.Value, visit func(node any)) {
	switch v.Kind() {
	case reflect.Interface:
		each(v.Elem(), visit)
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().Kind() == reflect.Struct && v.Elem().Type().PkgPath() == parserPackage {
			visit(v.Interface())
			each(v.Elem(), visit)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			for i := range v.Len() {
				each(v.Index(i), visit)
			}
		}
	case reflect.Struct:
		if v.Type().PkgPath() != parserPackage {
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				each(v.Field(i), visit)
			}
		}
	}
}

// read needs SELECT of one table.
func (n *needs) read(named map[string]bool, name ast.TableName) {
	if strings.EqualFold(name.Name.String(), "dual") && name.DbQualifier.IsEmpty() {
		return
	}
	n.table(Select, "SELECT", name)
	last := &n.all[len(n.all)-1]
	last.Shadowed = name.DbQualifier.IsEmpty() && named[strings.ToLower(name.Name.String())]
}

func (n *needs) statement(stmt ast.Statement) bool {
	switch s := stmt.(type) {
	case *ast.Insert:
		n.table(Insert, "INSERT", s.Table)
		if len(s.OnDup) > 0 {
			n.table(Update, "UPDATE", s.Table)
			if namesColumns(s.OnDup) {
				n.table(Select, "SELECT", s.Table)
			}
		}
		if strings.EqualFold(s.Action, ast.ReplaceStr) {
			n.table(Delete, "DELETE", s.Table)
		}
	case *ast.Update:
		n.update(s)
		return true
	case *ast.Delete:
		n.delete(s)
		return true
	case *ast.Load:
		n.table(Insert, "INSERT", s.Table)
		if strings.EqualFold(strings.TrimSpace(s.IgnoreOrReplace), ast.ReplaceStr) {
			n.table(Delete, "DELETE", s.Table)
		}
	case *ast.Explain:
		return n.statement(s.Statement)
	case *ast.DBDDL:
		p := map[string]Privileges{ast.CreateStr: Create, ast.DropStr: Drop, ast.AlterStr: Alter}[strings.ToLower(s.Action)]
		if p == 0 {
			return false
		}
		n.onDatabase(p, s.DBName)
	case *ast.DDL:
		if !n.definition(s) {
			return false
		}
	case *ast.AlterTable:
		n.table(Alter, "ALTER", s.Table)
		for _, clause := range s.Statements {
			if !n.clause(s.Table, clause) {
				return false
			}
		}
	case *ast.Show:
		if !n.show(s) {
			return false
		}
	case *ast.Set:
		n.set(s)
	case *ast.Use:
		n.onDatabase(0, s.DBName.String())
	case *ast.Flush, *ast.OtherAdmin:
		n.everywhere(Reload)
	case *ast.LockTables:
		for _, t := range s.Tables {
			if a, ok := t.Table.(*ast.AliasedTableExpr); ok {
				if name, ok := a.Expr.(ast.TableName); ok {
					n.table(Select, "SELECT", name)
					n.onDatabase(LockTables, name.DbQualifier.String())
				}
			}
		}
	case *ast.Analyze:
		n.tables(Select|Insert, "SELECT, INSERT", s.Tables...)
	case *ast.Call:
		n.everywhere(Execute)
	case ast.SelectStatement, *ast.Begin, *ast.Commit, *ast.Rollback, *ast.Savepoint, *ast.RollbackSavepoint,
		*ast.ReleaseSavepoint, *ast.UnlockTables, *ast.Prepare, *ast.Execute, *ast.Deallocate, *ast.Kill, *ast.ShowGrants,
		*ast.ShowPrivileges, *ast.OtherRead, *ast.Signal:
		// Nothing is needed, or it is checked where the statement's subject is known.
	default:
		return false
	}
	n.reads(nil, stmt) // any part of it may have a subquery
	return true
}

// namesColumns reports whether the values of ON DUPLICATE KEY UPDATE read a column.
func namesColumns(set ast.OnDup) bool {
	found := false
	for _, e := range set {
		_ = statement.Walk(func(node ast.SQLNode) (bool, error) {
			switch node.(type) {
			case *ast.ColName, *ast.ValuesFuncExpr:
				found = true
			}
			return true, nil
		}, e.Expr)
	}
	return found
}

// targets are the tables of an UPDATE or DELETE that it may write to, by their names in the statement.
func targets(from ast.TableExprs) map[string]*ast.AliasedTableExpr {
	out := map[string]*ast.AliasedTableExpr{}
	_ = statement.Walk(func(node ast.SQLNode) (bool, error) {
		switch t := node.(type) {
		case *ast.AliasedTableExpr:
			if name, ok := t.Expr.(ast.TableName); ok {
				called := t.As.String()
				if called == "" {
					called = name.Name.String()
				}
				out[strings.ToLower(called)] = t
			}
		case *ast.Subquery:
			return false, nil
		}
		return true, nil
	}, from)
	return out
}

func (n *needs) update(s *ast.Update) {
	all := targets(s.TableExprs)
	skip := map[ast.SQLNode]bool{}
	written := func(called string) {
		for name, t := range all {
			if called == "" || name == called {
				n.table(Update, "UPDATE", t.Expr.(ast.TableName))
			}
		}
	}
	for _, e := range s.Exprs {
		written(strings.ToLower(e.Name.Qualifier.Name.String())) // without one any of them may be meant
	}
	if len(all) == 1 && s.Where == nil && s.With == nil && len(s.OrderBy) == 0 {
		for _, t := range all {
			skip[t] = true // of it only the columns on the right are read
		}
		for _, e := range s.Exprs {
			_ = statement.Walk(func(node ast.SQLNode) (bool, error) {
				if _, ok := node.(*ast.ColName); ok {
					skip = nil
				}
				return true, nil
			}, e.Expr)
		}
	}
	n.reads(skip, s)
}

func (n *needs) delete(s *ast.Delete) {
	all := targets(s.TableExprs)
	skip := map[ast.SQLNode]bool{}
	if len(s.Targets) == 0 {
		for _, t := range all {
			n.table(Delete, "DELETE", t.Expr.(ast.TableName))
			skip[t] = s.Where == nil && len(s.OrderBy) == 0
		}
	}
	for _, name := range s.Targets {
		if t := all[strings.ToLower(name.Name.String())]; t != nil {
			name = t.Expr.(ast.TableName)
		}
		n.table(Delete, "DELETE", name)
	}
	n.reads(skip, s)
}

// definition is a DDL statement that is no ALTER TABLE.
func (n *needs) definition(s *ast.DDL) bool {
	switch strings.ToLower(s.Action) {
	case ast.CreateStr:
		switch {
		case s.ViewSpec != nil:
			n.table(CreateView, "CREATE VIEW", s.ViewSpec.ViewName)
			if s.OrReplace {
				n.table(Drop, "DROP", s.ViewSpec.ViewName)
			}
		case s.TableSpec != nil || s.OptLike != nil || s.OptSelect != nil:
			if s.Temporary {
				n.onDatabase(CreateTemporary, s.Table.DbQualifier.String())
			} else {
				n.table(Create, "CREATE", s.Table)
			}
			if s.OptLike != nil {
				n.tables(Select, "SELECT", s.OptLike.LikeTables...)
			}
			if s.OptSelect != nil {
				n.table(Insert, "INSERT", s.Table)
			}
			n.references(s.TableSpec)
		default:
			return false
		}
	case ast.AlterStr:
		if s.ViewSpec != nil {
			n.table(CreateView|Drop, "CREATE VIEW", s.ViewSpec.ViewName)
			return true
		}
		return s.IndexSpec != nil && n.clause(s.Table, s)
	case ast.DropStr:
		n.tables(Drop, "DROP", s.FromTables...)
		n.tables(Drop, "DROP", s.FromViews...)
		return len(s.FromTables)+len(s.FromViews) > 0
	case ast.RenameStr:
		n.tables(Alter|Drop, "ALTER", s.FromTables...)
		n.tables(Create|Insert, "CREATE", s.ToTables...)
	case ast.TruncateStr:
		n.table(Drop, "DROP", s.Table)
	default:
		return false
	}
	return true
}

// references needs REFERENCES of the parents of foreign keys.
func (n *needs) references(spec *ast.TableSpec) {
	if spec == nil {
		return
	}
	for _, c := range spec.Constraints {
		if key, ok := c.Details.(*ast.ForeignKeyDefinition); ok {
			n.table(References, "REFERENCES", key.ReferencedTable)
		}
	}
}

// clause is one clause of an ALTER TABLE, or a CREATE or DROP INDEX.
func (n *needs) clause(table ast.TableName, s *ast.DDL) bool {
	switch {
	case strings.EqualFold(s.Action, ast.RenameStr) && len(s.ToTables) > 0:
		n.tables(Drop, "DROP", table)
		n.tables(Create|Insert, "CREATE", s.ToTables...)
	case s.IndexSpec != nil:
		name := table
		if name.Name.String() == "" {
			name = s.Table
		}
		n.table(Index, "INDEX", name)
	default:
		n.references(s.TableSpec)
	}
	return true
}

// set adds the privileges for variables that are set beyond the session.
func (n *needs) set(s *ast.Set) {
	for _, e := range s.Exprs {
		switch e.Scope {
		case ast.SetScope_Global, ast.SetScope_Persist, ast.SetScope_PersistOnly:
			n.all = append(n.all, Need{Privileges: VariablesAdmin | Super, Any: true})
		}
	}
}

// show is a SHOW. Lists leave out by themselves whatever the user may not know of.
func (n *needs) show(s *ast.Show) bool {
	database := s.Database
	if o := s.ShowTablesOpt; o != nil && o.DbName != "" {
		database = o.DbName
	}
	name := s.Table
	if name.DbQualifier.IsEmpty() && database != "" {
		name.DbQualifier = ast.NewTableIdent(database)
	}
	switch strings.ToLower(s.Type) {
	case "create table", "create view", "columns", "fields", "index", "indexes", "keys":
		n.all = append(n.all, Need{Privileges: onTable, Any: true, Database: n.qualified(name),
			Table: name.Name.String(), Command: "SHOW", OfColumns: !strings.HasPrefix(strings.ToLower(s.Type), "create")})
	case "tables", "table status", "create database", "create schema", "triggers", "events", "full tables":
		if strings.HasPrefix(strings.ToLower(s.Type), "create") {
			database = s.Database
		}
		if database == "" && n.database == "" {
			return true // the engine says that none is selected
		}
		n.onDatabase(0, database)
	case "create procedure", "create function", "create trigger", "create event", "binary logs", "master status",
		"binary log status", "replica status", "slave status", "engine":
		return false
	}
	return true
}

func (n *needs) qualified(name ast.TableName) string {
	if name.DbQualifier.IsEmpty() {
		return n.database
	}
	return name.DbQualifier.String()
}
