package tables

import (
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
)

// Union walks the documents that any of several walks leads to. Each comes once, where it
// is met first. The walks are opened one after the other. Their rows belong to the union. r
// is their reader.
func Union(r kv.Reader, walks ...func() (Rows, error)) Rows {
	return &union{walks: walks, seen: map[string]struct{}{}, moving: longread.Of(r) != nil}
}

type union struct {
	walks []func() (Rows, error) // still to be opened
	at    Rows                   // nil between two walks
	seen  map[string]struct{}    // primary keys
	// moving: while the walks go on at newer versions, the last one may lead to a document
	// twice.
	moving bool
	work   Work // of walks that are over
	err    error
}

func (u *union) Next() bool {
	for u.err == nil {
		if u.at == nil {
			if len(u.walks) == 0 {
				return false
			}
			u.at, u.err = u.walks[0]()
			u.walks = u.walks[1:]
			continue
		}
		if !u.at.Next() {
			u.err = u.at.Err()
			u.end()
			continue
		}
		if len(u.walks) == 0 && len(u.seen) == 0 && !u.moving {
			return true // nothing to compare with
		}
		pk := u.at.PK()
		if _, again := u.seen[string(pk)]; !again {
			if len(u.walks) > 0 || u.moving {
				u.seen[string(pk)] = struct{}{}
			}
			return true
		}
	}
	return false
}

// end closes the current walk and keeps its work.
func (u *union) end() {
	if u.at == nil {
		return
	}
	w := u.at.Read()
	u.at.Close()
	u.at = nil
	u.work = u.work.Plus(w)
}

func (u *union) PK() []byte                  { return u.at.PK() }
func (u *union) Document() document.Document { return u.at.Document() }
func (u *union) Err() error                  { return u.err }

func (u *union) Read() Work {
	if u.at == nil {
		return u.work
	}
	return u.work.Plus(u.at.Read())
}

func (u *union) Close() {
	u.end()
	u.walks, u.seen = nil, nil
}
