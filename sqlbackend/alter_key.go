package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

var _ sql.PrimaryKeyAlterableTable = (*Table)(nil)

// CreatePrimaryKey implements sql.PrimaryKeyAlterableTable.
func (t *Table) CreatePrimaryKey(*sql.Context, []sql.IndexColumn) error { return t.keepsKey() }

// DropPrimaryKey implements sql.PrimaryKeyAlterableTable.
func (t *Table) DropPrimaryKey(*sql.Context) error { return t.keepsKey() }

// keepsKey refuses another primary key: the feed of changes and the revisions of removed documents name former keys.
func (t *Table) keepsKey() error {
	return mysqlerr.Unsupported("the primary key of table %s can't be changed: make another table of its rows", t.def)
}
