package sqlbackend

import (
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
	"github.com/sqlfdb/sqlfdb/tables"
)

// passing is an overlay within a transaction that kv.Transact commits: what is
// written here is handed over by pass, and Commit does no more than that.
type passing struct {
	*tables.Tx
	base *held
}

func newPassing(base kv.Transaction) *passing {
	h := &held{Transaction: base}
	return &passing{Tx: tables.NewTx(overlay.New(h)), base: h}
}

// pass hands the writes to the transaction below without committing it.
func (p *passing) pass() error { return p.Tx.Commit() }

// held is a transaction whose end belongs to somebody else.
type held struct{ kv.Transaction }

// Commit implements kv.Transaction.
func (held) Commit() error { return nil }

// Cancel implements kv.Transaction.
func (held) Cancel() {}
