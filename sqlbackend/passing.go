package sqlbackend

import (
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// passing is an overlay within a transaction that kv.Transact commits: what is
// written here is handed over by pass, and Commit does no more than that.
type passing struct {
	*tables.Tx
}

func newPassing(base kv.Transaction) *passing { return &passing{tables.Within(base)} }

// pass hands the writes to the transaction below without committing it.
func (p *passing) pass() error { return p.Tx.Commit() }
