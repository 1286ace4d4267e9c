package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
)

// TextSearch replaces the engine's function where strings are searched.
func (c comparer) textSearch(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	f := &functions.TextSearch{Args: e.Children()}
	switch e.(type) {
	case *function.Field:
		f.Name, f.Search = "field", functions.SearchField
	case *function.FindInSet:
		f.Name, f.Search = "find_in_set", functions.SearchSet
	case function.Instr:
		f.Name, f.Search = "instr", func(p *hold.Pace, c *collation.Collation, args []string, _ int) int {
			return functions.SearchText(p, c, args[1], args[0], 1)
		}
	default:
		f.Name, f.Search = "locate", func(p *hold.Pace, c *collation.Collation, args []string, position int) int {
			return functions.SearchText(p, c, args[0], args[1], position)
		}
	}
	compared := f.Args
	if f.Name == "locate" {
		compared = f.Args[:2]
	}
	if f.Name != "field" {
		texts, changed := functions.Each(compared, func(a sql.Expression) sql.Expression {
			if c.class(a) == classNumber {
				return a
			}
			return asSQLText(asEnumText(a))
		})
		if changed {
			f.Args = append(texts, f.Args[len(compared):]...)
			compared = texts
		}
	}
	for _, a := range compared {
		class := c.class(a)
		if number := class == classNumber && f.Name != "field"; class != classText && class != classNull && !number {
			return e, transform.SameTree, nil
		}
	}
	if err := c.mixed(f.Name, compared...); err != nil {
		return e, transform.SameTree, err
	}
	f.Coll = c.textCollation(compared...)
	return f, transform.NewTree, nil
}

// collationNameOf is COLLATION of a string that one of our collations compares.
func (c comparer) collationNameOf(e *function.Collation) (sql.Expression, transform.TreeIdentity, error) {
	if c.class(e.Child) != classText {
		return e, transform.SameTree, nil
	}
	return expression.NewLiteral(c.textCollation(e.Child).Name(), types.LongText), transform.NewTree, nil
}
