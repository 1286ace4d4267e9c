package session

import (
	"errors"
	"slices"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// Parsed has the statements that the running command has parsed, in order: the statement itself, and the definitions
// of the views and triggers that it uses.
type Parsed struct {
	All       []ast.Statement
	announced []ast.Statement  // parsed before the command began
	names     *statement.Names // the names in them; see Names
	Written   Written          // the collations that the last definition among them names
	// Executed is the text of the prepared statement that the running PREPARE or EXECUTE is about; empty for other
	// commands.
	Executed string
	// OrderAliases are the names in ORDER BY and GROUP BY that mean aliases, since the command was found to have no
	// columns of those names.
	OrderAliases []string
}

// begin begins the next command, which may have been parsed already.
func (p *Parsed) begin() { *p = Parsed{All: p.announced, OrderAliases: p.OrderAliases} }

// Replace sets the statements and, unless nil, their names.
func (p *Parsed) Replace(all []ast.Statement, names *statement.Names) { p.All, p.names = all, names }

// Names returns the names in the running command.
func (p *Parsed) Names() *statement.Names {
	if p.names == nil || p.names.Statements != len(p.All) {
		p.names = statement.CollectNames(p.All)
	}
	return p.names
}

// Selects reports whether the command is SELECT, or EXPLAIN of it.
func (p *Parsed) Selects() bool {
	stmt := p.Statement()
	if e, ok := stmt.(*ast.Explain); ok {
		stmt = e.Statement
	}
	_, reads := stmt.(ast.SelectStatement)
	return reads
}

// OnlySelects reports whether the running command reads and locks nothing.
func (p *Parsed) OnlySelects() bool {
	stmt := p.Statement()
	if x, ok := stmt.(*ast.Explain); ok {
		stmt = x.Statement
	}
	switch stmt := stmt.(type) {
	case *ast.Select:
		return stmt.Lock == "" && stmt.Into == nil
	case *ast.SetOp:
		return stmt.Lock == "" && stmt.Into == nil
	case *ast.ParenSelect:
		return true
	}
	return false
}

// AliasMeant reports whether an expression of ORDER BY or GROUP BY has failed because it names an alias. An example
// is SELECT a AS x … ORDER BY x IS NULL, x. The plan builder looks there only for columns of the tables, which take
// precedence over aliases in MySQL too. So a name counts as an alias only if it was not found as a column; then the
// command runs again.
func (p *Parsed) AliasMeant(err error) bool {
	var e *mysql.SQLError
	if err == nil || !errors.As(mysqlerr.FinishError(err), &e) || len(p.OrderAliases) >= syntax.MaxOrderAliases {
		return false
	}
	var names []string
	if name, ok := syntax.UnfoundColumn(e.Message); ok && e.Num == mysql.ERBadFieldError {
		names = []string{name}
	} else if !strings.HasPrefix(e.Message, "View '") { // the message doesn't say which name of a view is missing
		return false
	}
	more := p.unknownAliases(names)
	p.OrderAliases = append(p.OrderAliases, more...)
	return len(more) > 0
}

// unknownAliases returns the aliases, out of names or any, that the command uses and that OrderAliases lacks.
func (p *Parsed) unknownAliases(names []string) (more []string) {
	for _, stmt := range p.All {
		syntax.EachAlias(stmt, names, func(_ *ast.Select, n syntax.NamedAlias) {
			if name := n.Name.Name.Lowered(); !slices.Contains(p.OrderAliases, name) && !slices.Contains(more, name) {
				more = append(more, name)
			}
		})
	}
	return more
}

// IsAlias reports whether a GROUP BY of the running command may mean an alias by a name, if that has not been tried.
func (p *Parsed) IsAlias(name string) bool {
	return len(p.OrderAliases) < syntax.MaxOrderAliases && len(p.unknownAliases([]string{strings.ToLower(name)})) > 0
}

// ForgetAliases removes the aliases that AliasMeant has collected.
func (p *Parsed) ForgetAliases() { p.OrderAliases = nil }

// Statement returns the statement of the running command: for EXECUTE the prepared one.
func (p *Parsed) Statement() ast.Statement {
	for _, stmt := range p.All {
		if _, ok := stmt.(*ast.Execute); !ok {
			return stmt
		}
	}
	return nil
}

// reads reports whether the running command is a SELECT, or an EXPLAIN ANALYZE of one.
func (p *Parsed) reads() bool {
	stmt := p.Statement()
	if x, ok := stmt.(*ast.Explain); ok && x.Analyze {
		stmt = x.Statement
	}
	_, ok := stmt.(ast.SelectStatement)
	return ok
}

// Note records a statement that the running command is about to bind. The parser calls it for text, the protocol
// handler for prepared statements.
func (p *Parsed) Note(stmt ast.Statement) {
	p.All = append(p.All, stmt)
}

// Text returns the text of a command's statement: for PREPARE or EXECUTE of a definition, the text of the prepared
// statement.
func (p *Parsed) Text(query string) string {
	if p.Executed != "" {
		return p.Executed
	}
	return query
}

// Explains reports whether the running command is an EXPLAIN.
func (p *Parsed) Explains() bool {
	for _, stmt := range p.All {
		if _, ok := stmt.(*ast.Explain); ok {
			return true
		}
	}
	return false
}

// readsRows reports whether a full scan matters to the running command: it reads or changes rows, and is no
// definition.
func (p *Parsed) readsRows() bool {
	for _, stmt := range p.All {
		switch stmt := stmt.(type) {
		case *ast.Select, *ast.SetOp, *ast.Insert, *ast.Update, *ast.Delete, *ast.ParenSelect:
			return true
		case *ast.Explain:
			return stmt.Analyze
		case *ast.Execute:
		default:
			return false
		}
	}
	return false
}

// folds reports whether the running command may have to read many rows to return few or none: it is no plain SELECT,
// or has an aggregate somewhere.
func (p *Parsed) folds() bool {
	if len(p.All) == 0 {
		return true
	}
	if _, ok := p.All[0].(*ast.Select); !ok {
		return true
	}
	folds := false
	for _, stmt := range p.All { // the statement, and the views that it names
		_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
			switch n := n.(type) {
			case *ast.Select:
				folds = folds || len(n.GroupBy) > 0 || n.QueryOpts.Distinct || n.Into != nil
			case *ast.FuncExpr:
				folds = folds || n.IsAggregate() || n.Over != nil
			case *ast.GroupConcatExpr, *ast.SetOp:
				folds = true
			}
			return !folds, nil
		}, stmt)
	}
	return folds
}

// readsNoTable reports whether the running command reads the rows of no table; some SHOW statements run as SELECTs of
// the server's own. Even without autocommit it begins no transaction: later reads choose their own version.
func (p *Parsed) readsNoTable() bool {
	if len(p.All) == 0 {
		return false
	}
	switch p.All[0].(type) {
	case *ast.Show, *ast.Prepare:
		return true
	case *ast.Select, *ast.Set:
		return len(p.All) == 1 && !slices.ContainsFunc(p.Names().Sources, func(n statement.SourceName) bool {
			return !n.Derived && n.Database != "information_schema" && n.Database != "performance_schema"
		})
	}
	return false
}

// asksForFigures reports whether the running command reads the figures of the command before it: it then leaves no
// figures of its own.
func (p *Parsed) asksForFigures() bool {
	if len(p.All) == 0 {
		return false
	}
	show, ok := p.All[0].(*ast.Show)
	if !ok {
		return false
	}
	switch strings.ToLower(show.Type) {
	case "status", "warnings", "errors":
		return true
	}
	return false
}

// IsTemporary reports whether the running command is CREATE or DROP TEMPORARY TABLE.
func (p *Parsed) IsTemporary() bool {
	ddl, ok := p.Statement().(*ast.DDL)
	return ok && IsTemporary(ddl)
}
