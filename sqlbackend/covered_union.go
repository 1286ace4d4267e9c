package sqlbackend

import (
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/tables"
)

// keyUnion walks the keys of the documents that any part of a candidate leads to, each once, and reads no document.
// The parts are opened one after the other.
type keyUnion struct {
	path  *accessPath
	table *Table
	from  kv.Reader
	parts int     // that have been opened
	at    keyWalk // of the last of them; nil before the first and between two
	seen  map[string]struct{}
	// once: the last part leads to no key twice, so that its keys need not be kept.
	once bool
	pk   []byte
	work tables.Work // of parts that are over
	err  error
}

func newKeyUnion(p *accessPath, t *Table, r kv.Reader) *keyUnion {
	parts := p.candidate.Parts
	return &keyUnion{
		path: p, table: t, from: r, seen: map[string]struct{}{},
		once: longread.Of(r) == nil && !parts[len(parts)-1].Repeats(),
	}
}

// Next implements keyWalk.
func (u *keyUnion) Next() bool {
	parts := u.path.candidate.Parts
	for u.err == nil {
		if u.at == nil {
			if u.parts == len(parts) {
				return false
			}
			u.at, u.err = u.path.keysOfPart(u.table, u.from, &parts[u.parts])
			u.parts++
			continue
		}
		if !u.at.Next() {
			u.err = u.at.Err()
			u.end()
			continue
		}
		if u.pk, u.err = u.at.PK(); u.err != nil {
			return false
		}
		if _, again := u.seen[string(u.pk)]; again {
			continue
		}
		if u.parts < len(parts) || !u.once {
			u.seen[string(u.pk)] = struct{}{}
		}
		return true
	}
	return false
}

// end closes the part that is walked and keeps what it has cost.
func (u *keyUnion) end() {
	if u.at != nil {
		u.at.Close()
		u.work = u.work.Plus(u.at.Read())
		u.at = nil
	}
}

// PK implements keyWalk.
func (u *keyUnion) PK() ([]byte, error) { return u.pk, nil }

// Err implements keyWalk.
func (u *keyUnion) Err() error { return u.err }

// Read implements keyWalk.
func (u *keyUnion) Read() tables.Work {
	if u.at == nil {
		return u.work
	}
	return u.work.Plus(u.at.Read())
}

// Close implements keyWalk.
func (u *keyUnion) Close() {
	u.end()
	u.parts, u.seen = len(u.path.candidate.Parts), nil
}
