package syntax

import (
	"fmt"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// uncertain has the functions that no CHECK may call: their value changes with time or session.
var uncertain = map[string]bool{
	"benchmark": true, "connection_id": true, "curdate": true, "current_date": true, "current_role": true,
	"current_time": true, "current_timestamp": true, "current_user": true, "curtime": true, "database": true,
	"found_rows": true, "get_lock": true, "is_free_lock": true, "is_used_lock": true, "last_insert_id": true,
	"load_file": true, "localtime": true, "localtimestamp": true, "now": true, "rand": true, "random_bytes": true,
	"release_all_locks": true, "release_lock": true, "row_count": true, "schema": true, "session_user": true,
	"sleep": true, "sysdate": true, "system_user": true, "user": true, "utc_date": true, "utc_time": true,
	"utc_timestamp": true, "uuid": true, "uuid_short": true, "version": true,
}

// refuseUncertainChecks refuses a CHECK that reads a variable, or calls an uncertain function anywhere: the engine
// checks the outermost function alone. The errors are plain, like those of statement.TooComplex; their numbers are
// found by their texts.
func refuseUncertainChecks(stmt ast.Statement) error {
	var specs []*ast.TableSpec
	switch s := stmt.(type) {
	case *ast.DDL:
		specs = append(specs, s.TableSpec)
	case *ast.AlterTable:
		for _, d := range s.Statements {
			specs = append(specs, d.TableSpec)
		}
	}
	for _, spec := range specs {
		if spec == nil {
			continue
		}
		for _, constraint := range spec.Constraints {
			if check, ok := constraint.Details.(*ast.CheckConstraintDefinition); ok {
				if err := refuseUncertain(constraint.Name, check.Expr); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func refuseUncertain(constraint string, e ast.Expr) error {
	return statement.Walk(func(n ast.SQLNode) (bool, error) {
		called := ""
		switch n := n.(type) {
		case *ast.FuncExpr:
			called = n.Name.Lowered()
		case *ast.ColName:
			if strings.HasPrefix(n.Name.String(), "@") {
				return false, fmt.Errorf("An expression of a check constraint '%s' cannot refer to a user or system variable",
					constraint)
			}
		}
		if uncertain[called] {
			return false, fmt.Errorf("An expression of a check constraint '%s' contains disallowed function: %s", constraint,
				called)
		}
		return true, nil
	}, e)
}
