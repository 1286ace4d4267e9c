package session

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// LookupsInstead is the number of columns up to which lookups are as fast.
const LookupsInstead = 3

// All returns the numbers from 0 to n-1.
func All(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Covered says how rows are made without documents.
type Covered struct {
	Needed []bool
	Column int // the column whose values the entries hold; -1 if the key is all
	Key    bool
}

// OperandOf is a side of an equality.
type OperandOf struct {
	Equality *expression.Equals
	At       int
}

// JoinOperand describes an operand of a join's equality. It is zero for anything but a column of a document table, or
// a path into one.
type JoinOperand struct {
	Table     sql.TableId
	Column    sql.ColumnId // 0: a path
	Documents float64      // of the table, estimated
	Distinct  float64      // values of the operand, estimated
	// KeyPart is the column's index in the table's primary key, of KeyParts columns; KeyParts is 0 if it is in none.
	KeyPart, KeyParts int
}

// Shared says how many documents share a value, estimated when the collection had so many documents.
type Shared struct {
	PerValue  float64
	Documents int64
}

// SharingAt is a keypath of a collection.
type SharingAt struct {
	Collection int64
	Keypath    string
}

// CachedTable is a table made for the running command, with the inputs that it was made from: further parsed
// statements may name more columns.
type CachedTable struct {
	Def        *catalog.Table
	Statements int
	Table      sql.Table
}

// Foreseen returns the columns of a table whose counts a statement needs. These are columns that its conditions may
// look up or its orders follow, and names that become columns of an open table.
func (d *Definition) Foreseen(n *statement.Names, table string) []string {
	var out []string
	for _, c := range n.Columns {
		declared, searched := d.ColumnNamed(c.Name), c.Filters || c.Weak
		switch {
		case slices.Contains(out, c.Name) || strings.EqualFold(c.Name, DocumentColumn) || !n.Qualifies(c, table):
		case declared != nil && (!searched || declared.Declared >= 0 && d.IsKey(declared.Declared)):
		case declared == nil && (!d.Open || !searched && n.Starred(table)):
		default:
			out = append(out, c.Name)
		}
	}
	return out
}

// ForeseenElements returns the keypaths of a child table whose counts a statement needs: of the elements, of the
// arrays, and of the keypaths that it names.
func ForeseenElements(n *statement.Names, table string, elements document.Keypath) []string {
	array := slices.Clone(elements)
	array[len(array)-1].Array = false
	out := []string{elements.String(), array.String()}
	for _, c := range n.Columns {
		inner, err := ColumnKeypath(c.Name)
		if err != nil || !n.Qualifies(c, table) || !c.Filters && n.Starred(table) {
			continue
		}
		if path := slices.Concat(elements, inner).String(); !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}

// Leaving wraps a rule and remembers in the session the plan that it returns, if the plan is plain.
func Leaving(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		next, same, err := rule(ctx, a, n, scope, sel, flags)
		if s, ok := ctx.Session.(*Session); ok {
			s.Planning.plain = nil
			if err == nil && tree.IsPlain(next, flags) {
				s.Planning.plain = next
			}
		}
		return next, same, err
	}
}

// UnlessLeft wraps an idempotent rule so that it skips the plan that Leaving remembers: nothing has changed it since.
func UnlessLeft(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if s, ok := ctx.Session.(*Session); ok && s.Planning.plain != nil && s.Planning.plain == n {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}

// UnlessPlain wraps a rule so that it skips plain plans of our sessions.
func UnlessPlain(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if _, ours := ctx.Session.(*Session); ours && tree.IsPlain(n, flags) {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}
