package syntax

import (
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// RenamesApart makes MODIFY and RENAME COLUMN of a CHANGE that gives a column another name beside other clauses.
// The engine checks those against the columns as they were, so that an index could not have the new name.
func RenamesApart(stmt ast.Statement) {
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
			continue // the key would be named by the column as it was
		}
		renames := *d
		renames.ColumnAction, renames.ToColumn = ast.RenameStr, column.Name
		renames.TableSpec, renames.ColumnOrder = nil, nil
		d.ColumnAction, column.Name = ast.ModifyStr, d.Column
		alter.Statements = slices.Insert(alter.Statements, i+1, &renames)
	}
}

// serialColumns makes columns of the type SERIAL unsigned, as MySQL's are, so that a foreign key of a BIGINT
// UNSIGNED may refer to them: the engine's parser says so and forgets it.
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
