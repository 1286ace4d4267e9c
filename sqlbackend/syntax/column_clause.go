package syntax

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/rollup"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// SplitChanges splits a CHANGE that renames a column into MODIFY and RENAME COLUMN, where there are other clauses.
// The engine checks those against the old columns, so that an index could not have the new name.
func SplitChanges(stmt ast.Statement) {
	alter, ok := stmt.(*ast.AlterTable)
	if !ok || len(alter.Statements) == 1 {
		return
	}
	for i := len(alter.Statements) - 1; i >= 0; i-- {
		d := alter.Statements[i]
		if d.ColumnAction != ast.ChangeStr || d.TableSpec == nil || len(d.TableSpec.Columns) != 1 {
			continue
		}
		column := d.TableSpec.Columns[0]
		if d.Column.Equal(column.Name) || slices.Contains(uniqueOptions(), column.Type.KeyOpt) {
			continue // the key would have the column's old name
		}
		renames := *d
		renames.ColumnAction, renames.ToColumn = ast.RenameStr, column.Name
		renames.TableSpec, renames.ColumnOrder = nil, nil
		d.ColumnAction, column.Name = ast.ModifyStr, d.Column
		alter.Statements = slices.Insert(alter.Statements, i+1, &renames)
	}
}

// serialColumns makes columns of the type SERIAL unsigned, as MySQL's are, so that a foreign key of a BIGINT UNSIGNED
// may refer to them. The engine's parser does not keep that.
func serialColumns(stmt ast.Statement, query string) {
	var specs []*ast.TableSpec
	switch s := stmt.(type) {
	case *ast.DDL:
		specs = append(specs, s.TableSpec)
	case *ast.AlterTable:
		for _, d := range s.Statements {
			specs = append(specs, d.TableSpec)
		}
	}
	if len(specs) == 0 || !strings.Contains(strings.ToLower(query), "serial") {
		return
	}
	serial := map[string]bool{}
	tokens := statement.Tokenize(query)
	for i, t := range tokens {
		if i > 0 && t.Is(query, "SERIAL") {
			name := strings.Trim(query[tokens[i-1].Start:tokens[i-1].End], "`")
			serial[strings.ToLower(strings.ReplaceAll(name, "``", "`"))] = true
		}
	}
	for _, spec := range specs {
		if spec == nil {
			continue
		}
		for _, c := range spec.Columns {
			if serial[c.Name.Lowered()] && strings.EqualFold(c.Type.Type, "bigint") {
				c.Type.Unsigned = true
			}
		}
	}
}

// The plan builder resolves each clause of an ALTER TABLE with the columns of the old table. A clause that keeps an
// expression as text, such as a CHECK, is read again after the clauses before it have run. So there a column that an
// earlier clause adds needs no more than a name.

// alteredColumns lets clauses of an ALTER TABLE read the columns that clauses before them add or rename. Keys and
// checks may read the columns of any clause.
func alteredColumns(stmt ast.Statement) {
	alter, ok := stmt.(*ast.AlterTable)
	if !ok || len(alter.Statements) < 2 {
		return
	}
	keysLast(alter)
	dropsFirst(alter)
	added := map[string]sql.Type{}
	for _, d := range alter.Statements {
		if len(added) > 0 {
			readAdded(d, added)
		}
		switch name, typ := columnGiven(d); {
		case name != "":
			added[name] = typ
		case d.ColumnAction == ast.DropStr:
			delete(added, d.Column.Lowered())
		}
	}
}

// columnGiven returns the lower-cased name and the type of the column that a clause adds or renames; "" for other
// clauses.
func columnGiven(d *ast.DDL) (string, sql.Type) {
	switch {
	case d.ColumnAction == ast.RenameStr:
		return d.ToColumn.Lowered(), types.LongText
	case d.ColumnAction != ast.AddStr && d.ColumnAction != ast.ChangeStr, d.TableSpec == nil,
		len(d.TableSpec.Columns) != 1:
		return "", nil
	}
	c := d.TableSpec.Columns[0]
	typ, err := types.ColumnTypeToType(&c.Type)
	if err != nil {
		return "", nil // the clause itself is refused
	}
	return c.Name.Lowered(), typ
}

// keysLast moves keys and checks to the end if they read a column that a later clause adds or renames.
func keysLast(alter *ast.AlterTable) {
	var moved []*ast.DDL
	var later []string
	for i := len(alter.Statements) - 1; i >= 0; i-- {
		d := alter.Statements[i]
		if name, _ := columnGiven(d); d.ColumnAction == ast.AddStr || name != d.Column.Lowered() {
			later = append(later, name)
		}
		if slices.ContainsFunc(keyReads(d), func(column string) bool { return slices.Contains(later, column) }) {
			moved = append(moved, d)
			alter.Statements = slices.Delete(alter.Statements, i, i+1)
		}
	}
	slices.Reverse(moved)
	alter.Statements = append(alter.Statements, moved...)
}

// dropsFirst moves clauses that drop keys and checks before the first dropped column, which would take them with it.
func dropsFirst(alter *ast.AlterTable) {
	first := slices.IndexFunc(alter.Statements, func(d *ast.DDL) bool { return d.ColumnAction == ast.DropStr })
	for i := first + 1; first >= 0 && i < len(alter.Statements); i++ {
		d := alter.Statements[i]
		key := d.IndexSpec != nil && d.IndexSpec.Action == ast.DropStr && d.IndexSpec.Type != ast.PrimaryStr &&
			!strings.EqualFold(d.IndexSpec.ToName.String(), "primary")
		if key || d.ColumnAction == "" && d.ConstraintAction == ast.DropStr {
			alter.Statements = slices.Insert(slices.Delete(alter.Statements, i, i+1), first, d)
			first++
		}
	}
}

// keyReads returns the columns of a key or a check that a clause adds, in lower case.
func keyReads(d *ast.DDL) (out []string) {
	if d.ColumnAction != "" {
		return nil
	}
	if d.IndexSpec != nil && d.IndexSpec.Action == ast.CreateStr {
		for _, c := range d.IndexSpec.Columns {
			out = append(out, c.Column.Lowered())
		}
	}
	if d.ConstraintAction != ast.AddStr || d.TableSpec == nil {
		return out
	}
	for _, c := range d.TableSpec.Constraints {
		switch c := c.Details.(type) {
		case *ast.ForeignKeyDefinition:
			for _, column := range c.Source {
				out = append(out, column.Lowered())
			}
		case *ast.CheckConstraintDefinition:
			_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
				if column, ok := n.(*ast.ColName); ok {
					out = append(out, column.Name.Lowered())
				}
				return true, nil
			}, c.Expr)
		}
	}
	return out
}

// readAdded replaces columns that earlier clauses add by their names alone, in a clause's expressions.
func readAdded(d *ast.DDL, added map[string]sql.Type) {
	read := func(e *ast.Expr) {
		if *e == nil {
			return
		}
		*e = rollup.Copied(*e, func(x ast.Expr) ast.Expr {
			c, ok := x.(*ast.ColName)
			if !ok || !c.Qualifier.DbQualifier.IsEmpty() {
				return nil
			}
			typ, ok := added[c.Name.Lowered()]
			if !ok || !c.Qualifier.IsEmpty() && !strings.EqualFold(c.Qualifier.Name.String(), d.Table.Name.String()) {
				return nil
			}
			return ast.InjectedExpr{Expression: addedColumn{c.Name.String(), typ},
				Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}
		})
	}
	if d.DefaultSpec != nil {
		read(&d.DefaultSpec.Value)
	}
	if d.TableSpec == nil {
		return
	}
	for _, c := range d.TableSpec.Columns {
		read(&c.Type.Default)
		read(&c.Type.GeneratedExpr)
	}
	for _, c := range d.TableSpec.Constraints {
		if check, ok := c.Details.(*ast.CheckConstraintDefinition); ok {
			read(&check.Expr)
		}
	}
}

// addedColumn is the name of a column that is not there yet. Eval returns an error.
type addedColumn struct {
	name string
	typ  sql.Type
}

var _ sql.Expression = addedColumn{}

// WithResolvedChildren implements ast.Injectable.
func (c addedColumn) WithResolvedChildren([]any) (any, error) { return c, nil }

// Resolved implements sql.Expression.
func (addedColumn) Resolved() bool { return true }

// String implements sql.Expression. The table keeps this text.
func (c addedColumn) String() string { return sql.QuoteIdentifier(c.name) }

// Type implements sql.Expression.
func (c addedColumn) Type() sql.Type { return c.typ }

// IsNullable implements sql.Expression.
func (addedColumn) IsNullable() bool { return true }

// Eval implements sql.Expression.
func (c addedColumn) Eval(*sql.Context, sql.Row) (any, error) {
	return nil, sql.ErrColumnNotFound.New(c.name)
}

// Children implements sql.Expression.
func (addedColumn) Children() []sql.Expression { return nil }

// WithChildren implements sql.Expression.
func (c addedColumn) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), 0)
	}
	return c, nil
}

// splitAdds splits an ADD (…, …) into one clause for each column and key.
func splitAdds(text string, tokens []statement.Token) (string, bool) {
	var e Edits
	depth := 0
	for i, t := range tokens {
		switch {
		case t.Is(text, "("):
			depth++
		case t.Is(text, ")"):
			depth--
		}
		open := i + 1
		if open < len(tokens) && tokens[open].Is(text, "COLUMN") {
			open++
		}
		if depth > 0 || !t.Is(text, "ADD") || open >= len(tokens) || !tokens[open].Is(text, "(") {
			continue
		}
		end := statement.Closes(text, tokens, open)
		if end < 0 {
			return "", false
		}
		clauses := statement.Elements(text, tokens, open, end)
		for i, c := range clauses {
			if _, column := statement.ElementColumn(c); column {
				c = "COLUMN " + c
			}
			clauses[i] = "ADD " + c
		}
		e.Add(t.Start, tokens[end].End, strings.Join(clauses, ", "))
	}
	return e.Apply(text), len(e) > 0
}
