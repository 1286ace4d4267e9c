package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

var _ sql.StatisticsTable = (*Table)(nil)

// RowCount implements sql.StatisticsTable. The count is exact at the
// transaction's version, but is not called so: the engine would answer
// COUNT(*) with it by a rule of its own, past the conflicts that an answer
// which rests on a counter must cause.
func (t *Table) RowCount(ctx *sql.Context) (uint64, bool, error) {
	documents, _, err := t.counted(ctx)
	return uint64(documents), false, err
}

// DataLength implements sql.StatisticsTable: the bytes of the documents' text.
func (t *Table) DataLength(ctx *sql.Context) (uint64, error) {
	_, bytes, err := t.counted(ctx)
	return uint64(bytes), err
}

func (t *Table) counted(ctx *sql.Context) (documents, bytes int64, err error) {
	r, err := t.session.planReader()
	if err != nil {
		return 0, 0, mysqlerr.Of(ctx, err)
	}
	documents, bytes, err = t.def.collection.Statistics(r).Documents()
	return documents, bytes, mysqlerr.Of(ctx, err)
}
