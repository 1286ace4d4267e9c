//go:build fdb

package fdbkv

import (
	"bytes"
	"fmt"
	"time"

	"github.com/apple/foundationdb/bindings/go/src/fdb"
)

// A transaction that sees its own writes reads in one transaction of FoundationDB and commits in another one of the
// same version, which gets the writes again. The first one leaves out read conflicts with its own writes, even
// explicit ones.

type opKind uint8

const (
	opSet opKind = iota
	opClear
	opClearRange // value is the end
	opAdd
	opStampedKey   // with its offset, as FoundationDB wants it
	opStampedValue // with its offset
	opConflict     // value is the end
)

type op struct {
	kind       opKind
	key, value []byte
}

// note keeps a write that has to be given again.
func (t *transaction) note(kind opKind, key, value []byte) {
	if t.ryw {
		t.ops = append(t.ops, op{kind, bytes.Clone(key), bytes.Clone(value)})
	}
}

// again gives the writes to a new transaction of the same version.
func (t *transaction) again() (fdb.Transaction, error) {
	since := time.Now()
	version, err := t.version.Get()
	if err != nil {
		return fdb.Transaction{}, t.failed("commit", err, since)
	}
	tr, err := t.store.db.CreateTransaction()
	if err == nil {
		err = tr.Options().SetReadYourWritesDisable()
	}
	if err != nil {
		return tr, fmt.Errorf("fdbkv: commit: %w", translate(err))
	}
	tr.SetReadVersion(version)
	for _, o := range t.ops {
		switch key := fdb.Key(o.key); o.kind {
		case opSet:
			tr.Set(key, o.value)
		case opClear:
			tr.Clear(key)
		case opClearRange:
			tr.ClearRange(fdb.KeyRange{Begin: key, End: fdb.Key(o.value)})
		case opAdd:
			tr.Add(key, o.value)
		case opStampedKey:
			tr.SetVersionstampedKey(key, o.value)
		case opStampedValue:
			tr.SetVersionstampedValue(key, o.value)
		case opConflict:
			if err := tr.AddWriteConflictRange(fdb.KeyRange{Begin: key, End: fdb.Key(o.value)}); err != nil {
				return tr, fmt.Errorf("fdbkv: commit: %w", translate(err))
			}
		}
	}
	return tr, nil
}
