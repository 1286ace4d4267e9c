package ddl

import (
	"errors"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// A temporary table is an ordinary collection whose definition only the session has: see catalog.Temporaries. CREATE
// and DROP TEMPORARY TABLE change the session's definitions outside of its transaction, which goes on; rows are part
// of it. Other changes of its definition commit, as for other tables. Collections that no table has any more are
// cleared once the session has no transaction that may have written to them.

// CreateTemporaryTable runs CREATE TEMPORARY TABLE in a database.
func CreateTemporaryTable(ctx *sql.Context, database, name string, schema sql.PrimaryKeySchema,
	coll sql.CollationID) error {
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	comment := ""
	if ddl, ok := s.Parsed.Statement().(*ast.DDL); ok && ddl.TableSpec != nil {
		comment = optionOf(ddl.TableSpec, "comment")
	}
	return createTable(ctx, database, name, schema, coll, comment, func(c *catalog.Change, def *catalog.Table) error {
		if len(extracted[catalog.ForeignKey](s, extractedForeignKeys)) > 0 {
			return mysql.NewSQLError(session.ErrCannotAddForeign, "HY000", "Cannot add foreign key constraint")
		}
		_, err := c.CreateTemporary(def)
		if errors.Is(err, catalog.ErrTemporaries) {
			err = mysqlerr.Unsupported("a session has %d temporary tables at the most", catalog.MaxTemporaries)
		}
		return err
	})
}
