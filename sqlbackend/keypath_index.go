package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
)

// indexedType is the type that the engine is told of an undeclared column that an
// index is made on: it takes no index on JSON or on long text, and here every
// keypath is indexed whatever it holds.
var indexedType = types.MustCreateStringWithDefaults(sqltypes.VarChar, 255)

// takeKeypathIndexes takes the indexes on undeclared columns out of a CREATE TABLE
// of an open table, for CreateTable: the engine would look for the columns.
func (s *Session) takeKeypathIndexes(ddl *ast.DDL) {
	s.keypathIndexes = nil
	if ddl.TableSpec == nil || ddl.Action != ast.CreateStr {
		return
	}
	declared := map[string]bool{}
	for _, c := range ddl.TableSpec.Columns {
		declared[c.Name.Lowered()] = true
	}
	if !declared[documentColumn] {
		return
	}
	var kept []*ast.IndexDefinition
	for _, x := range ddl.TableSpec.Indexes {
		idx := catalog.Index{Name: x.Info.Name.String(), Unique: x.Info.Unique, Bytes: true}
		undeclared := false
		for _, c := range x.Columns {
			undeclared = undeclared || !declared[c.Column.Lowered()]
			idx.Columns = append(idx.Columns, c.Column.String())
		}
		if !undeclared || x.Info.Primary || x.Info.Spatial || x.Info.Fulltext || x.Info.Vector {
			kept = append(kept, x)
			continue
		}
		for _, o := range x.Options {
			if strings.EqualFold(o.Name, "comment") && o.Value != nil {
				idx.Comment = string(o.Value.Val)
			}
		}
		if idx.Name == "" {
			idx.Name = idx.Columns[0]
		}
		s.keypathIndexes = append(s.keypathIndexes, idx)
	}
	ddl.TableSpec.Indexes = kept
}
