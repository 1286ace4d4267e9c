package tables

import (
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
)

// Within is a Tx inside a transaction that its owner, such as kv.Transact, ends: Commit
// hands the writes over and does no more. base must have been begun with NoReadYourWrites
// and must not be used directly meanwhile.
func Within(base kv.Transaction) *Tx { return NewTx(overlay.New(held{base})) }

// held is a transaction that only its owner ends.
type held struct{ kv.Transaction }

// Commit implements kv.Transaction.
func (held) Commit() error { return nil }

// Cancel implements kv.Transaction.
func (held) Cancel() {}
