package syntax

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// timeColumns gives columns that are declared as TIME or TIME(n) a type with that many digits: the engine's type has
// six.
func timeColumns(stmt ast.Statement, query string) {
	if !statement.Holds(query, "time") {
		return
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.DDL:
			timeSpec(n.TableSpec)
		case *ast.AlterTable:
			for _, d := range n.Statements {
				timeSpec(d.TableSpec)
			}
		case *ast.JSONTableExpr:
			timeSpecJSON(n.Spec)
		}
		return true, nil
	}, stmt)
}

func timeSpec(spec *ast.TableSpec) {
	if spec == nil {
		return
	}
	for _, c := range spec.Columns {
		timeColumn(&c.Type)
	}
}

func timeSpecJSON(spec *ast.JSONTableSpec) {
	if spec == nil {
		return
	}
	for _, c := range spec.Columns {
		timeColumn(&c.Type)
		timeSpecJSON(c.Spec)
	}
}

// timeColumn sets the type of one column. It leaves TIME(7) to the engine, which refuses it.
func timeColumn(c *ast.ColumnType) {
	if !strings.EqualFold(c.Type, "time") || c.ResolvedType != nil {
		return
	}
	text := "time"
	if c.Length != nil {
		text += "(" + string(c.Length.Val) + ")"
	}
	if t, ok := value.ParseTimeType(text); ok {
		c.ResolvedType = t
	}
}

// timeCall returns the call that replaces CAST(… AS TIME(n)); nil for other casts.
func timeCall(e *ast.ConvertExpr) ast.Expr {
	if !strings.EqualFold(e.Type.Type, "time") {
		return nil
	}
	digits := e.Type.Length
	if digits == nil {
		digits = ast.NewIntVal([]byte("0"))
	}
	return callOf("time_of", e.Expr, digits)
}
