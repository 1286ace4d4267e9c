package catalog

import (
	"fmt"
	"sync"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// uses are the definitions that a transaction rests on: the names that it has asked its view for, even of missing
// definitions. Once it has listed some, it rests on all. A transaction that writes conflicts with a change of one of
// them, and with no other change. nil notes nothing.
type uses struct {
	mu    sync.Mutex
	all   bool
	named map[use]struct{}
	last  use // of them
}

// use is one definition, by its lower-cased name; a database's has the empty name.
type use struct {
	Name
	view bool
}

func (u *uses) note(databaseName, name string, view bool) {
	if u == nil {
		return
	}
	used := use{Name{databaseName, name}.lower(), view}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.last == used {
		return
	}
	if u.last = used; u.named == nil {
		u.named = map[use]struct{}{}
	}
	u.named[used] = struct{}{}
}

// noteAll notes that the names of definitions are listed.
func (v *View) noteAll() {
	if u := v.uses; u != nil && !v.bounded {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.all = true
	}
}

// Bounded is the view for a caller that lists names and uses only some of them. It notes the definitions that are
// asked for by name, even if there are none, but not that any were listed.
func (v *View) Bounded() *View {
	w := *v
	w.bounded = true
	return &w
}

// conflicts adds them to a transaction's read conflicts.
func (u *uses) conflicts(tx kv.Transaction) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all {
		tx.AddReadConflict(kv.PointRange(keyspace.SchemaVersion()))
		return
	}
	for used := range u.named {
		tx.AddReadConflict(kv.PointRange(used.key()))
	}
}

func (u use) key() []byte {
	switch {
	case u.Name.Name == "":
		return keyspace.Database(u.Database)
	case u.view:
		return keyspace.View(u.Database, u.Name.Name)
	}
	return keyspace.Table(u.Database, u.Name.Name)
}

// Reading is the part of a transaction that ViewIn needs.
type Reading interface {
	Snapshot() kv.Reader
	ReadVersion() (int64, error)
	AtCommit(name string, add func(kv.Transaction))
}

// ViewIn is the definitions that a transaction sees that changes none. It conflicts only with changes of definitions
// that it asks the view for. On a store that remembers its writes, all transactions but the first know the
// definitions without reading, while nobody changes any.
func (c *Catalog) ViewIn(tx Reading) (*View, error) {
	used := &uses{}
	tx.AtCommit("", used.conflicts)
	version, err := tx.ReadVersion()
	if err != nil {
		return nil, fmt.Errorf("catalog: read schema version: %w", err)
	}
	c.mu.Lock()
	s := c.seen
	c.mu.Unlock()
	if s.schema != nil && s.version < version && kv.Unwritten(tx, keyspace.SchemaVersion(), s.version) {
		s.version = version
		c.see(s)
	}
	if s.schema != nil && s.version == version {
		return &View{s: s.schema, uses: used}, nil
	}
	view, err := c.View(tx.Snapshot())
	if err != nil {
		return nil, err
	}
	view.uses = used
	if now, err := tx.ReadVersion(); err != nil || now != version {
		return view, err // it goes on at newer versions, and has begun to
	}
	c.see(seen{version, view.s})
	return view, nil
}

// see remembers the definitions of a version if it is the newest.
func (c *Catalog) see(s seen) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen.schema == nil || c.seen.version < s.version {
		c.seen = s
	}
}
