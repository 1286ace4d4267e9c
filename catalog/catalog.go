package catalog

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// Versions of the bytes on disk. A new store has the first one. It gets the second when it has a definition that a
// program of the first would misread, and the third when its counters share values.
const (
	FormatVersion       = 1
	DefinitionsFormat   = 2
	NewestFormatVersion = keyspace.LanesFormat
)

// Errors of definitions. They are wrapped with the names concerned.
var (
	ErrDatabaseExists = errors.New("database exists")
	ErrNoDatabase     = errors.New("unknown database")
	ErrTableExists    = errors.New("table already exists")
	ErrNoTable        = errors.New("table doesn't exist")
	ErrNotEmpty       = errors.New("store is not empty")
	ErrFormat         = errors.New("store has another format")
	ErrEmpty          = errors.New("store is empty")
	ErrReplaced       = errors.New("a backup has been restored to the store since this program opened it: start it again")
	ErrRestoring      = errors.New("a backup is being restored to the store, or was and did not end: restore it again")
)

// Catalog is a process's access to the definitions of one store. It is safe for
// concurrent use.
type Catalog struct {
	store       kv.Store
	incarnation byte
	process     string // 8 random bytes: which of the processes that use the store this is

	mu           sync.Mutex
	schema       *schema // the newest one read; replaced, never changed
	seen         seen    // which schema was current at the newest version that a transaction has asked at
	dictionaries map[int64]*Dictionary
	sequences    map[int64]*sequence
	spent        [][]byte // markers of changes whose outcome is known
}

// seen is the definitions at a version of the store.
type seen struct {
	version int64
	schema  *schema // nil: none
}

// schema is all definitions at one schema version.
type schema struct {
	version   int64
	databases map[string]*database // by lower-cased name
	accounts  []byte               // nil: none
	// references are the foreign keys by the lower-cased names of their parents; nil: not looked for yet.
	references atomic.Pointer[map[Name][]Reference]
}

type database struct {
	Name      string
	Collation string            `json:",omitempty"`
	tables    map[string]*Table // by lower-cased name
	views     map[string]SQLView
}

// Open opens the catalog of a store, and marks an empty store as ours. A store
// in another format is refused with ErrFormat.
func Open(ctx context.Context, store kv.Store) (*Catalog, error) {
	var process [8]byte
	_, _ = rand.Read(process[:]) // it never fails
	c := &Catalog{store: store, process: string(process[:]), dictionaries: map[int64]*Dictionary{},
		sequences: map[int64]*sequence{}}
	err := kv.Transact(ctx, store, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		id, err := Identify(tx)
		if errors.Is(err, ErrEmpty) {
			id = Identity{Format: FormatVersion}
			err = nil
			tx.Set(keyspace.NextID(), putUint(1))
			writeIdentity(tx, id)
		}
		if err == nil && id.Format < store.Format() {
			tx.Set(keyspace.FormatVersion(), putUint(store.Format()))
		}
		c.incarnation = id.Incarnation
		return err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Incarnation is the first byte of every sequence written to this store.
func (c *Catalog) Incarnation() byte { return c.incarnation }

// Store is the store that the catalog describes.
func (c *Catalog) Store() kv.Store { return c.store }

// View is the definitions at a transaction's read version. They are immutable.
type View struct {
	s    *schema
	own  *Temporaries // of the session
	uses *uses        // the definitions that it was asked for; nil: they are not noted
	// bounded: the caller that lists names knows which of them it wants; see Bounded.
	bounded bool
}

// View returns the definitions that the reader sees. Through a transaction's
// conflict-adding reader, a later change of any definition makes the transaction's commit
// conflict if it writes; ViewIn is for callers that use few definitions.
func (c *Catalog) View(r kv.Reader) (*View, error) {
	raw, err := r.Get(keyspace.SchemaVersion()).Get()
	if err != nil {
		return nil, fmt.Errorf("catalog: read schema version: %w", err)
	}
	version := int64(getUint(raw))
	c.mu.Lock()
	s := c.schema
	c.mu.Unlock()
	if s != nil && s.version == version {
		return &View{s: s}, nil
	}
	if err := c.checkIdentity(r); err != nil {
		return nil, err
	}
	s, err = load(r, version)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	if c.schema == nil || c.schema.version < version {
		c.schema = s
	}
	c.mu.Unlock()
	return &View{s: s}, nil
}

// Mark distinguishes definitions: views with the same one are of the same definitions.
type Mark struct {
	version int64
	own     *Temporaries
}

// Mark is the view's.
func (v *View) Mark() Mark { return Mark{v.s.version, v.own} }

// Cached is the newest definitions that have been read, which may have changed since; nil when none have been.
func (c *Catalog) Cached() *View {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.schema == nil {
		return nil
	}
	return &View{s: c.schema}
}

// checkIdentity fails if the store is no longer the one that was opened, or no longer one that this program can read.
// Another process may have raised its format, or have put a backup in its place.
func (c *Catalog) checkIdentity(r kv.Reader) error {
	id, err := Identify(r)
	if err == nil && id.Incarnation != c.incarnation {
		err = fmt.Errorf("catalog: %w", ErrReplaced)
	}
	return err
}

func load(r kv.Reader, version int64) (*schema, error) {
	s := &schema{version: version, databases: map[string]*database{}}
	opts := kv.RangeOptions{Streaming: kv.StreamAll}
	accounts := r.Get(keyspace.Accounts())
	dbs := r.Range(keyspace.Databases(), opts)
	tables := r.Range(keyspace.Tables(), opts)
	views := r.Range(keyspace.Views(), opts)
	defer dbs.Close()
	defer tables.Close()
	defer views.Close()
	for dbs.Next() {
		d := &database{tables: map[string]*Table{}, views: map[string]SQLView{}}
		if err := json.Unmarshal(dbs.Value(), d); err != nil {
			return nil, fmt.Errorf("catalog: database definition at %x: %w", dbs.Key(), err)
		}
		s.databases[strings.ToLower(d.Name)] = d
	}
	for tables.Next() {
		t := &Table{}
		if err := json.Unmarshal(tables.Value(), t); err != nil {
			return nil, fmt.Errorf("catalog: table definition at %x: %w", tables.Key(), err)
		}
		if d := s.databases[strings.ToLower(t.Database)]; d != nil {
			d.tables[strings.ToLower(t.Name)] = t
		}
	}
	for views.Next() {
		var v SQLView
		if err := json.Unmarshal(views.Value(), &v); err != nil {
			return nil, fmt.Errorf("catalog: view definition at %x: %w", views.Key(), err)
		}
		if d := s.databases[strings.ToLower(v.Database)]; d != nil {
			d.views[strings.ToLower(v.Name)] = v
		}
	}
	if err := errors.Join(dbs.Err(), tables.Err(), views.Err()); err != nil {
		return nil, fmt.Errorf("catalog: read definitions: %w", err)
	}
	var err error
	if s.accounts, err = accounts.Get(); err != nil {
		return nil, fmt.Errorf("catalog: read accounts: %w", err)
	}
	return s, nil
}

// Version is the schema version: it grows with every change of a definition.
func (v *View) Version() int64 { return v.s.version }

// Accounts is the record of the accounts, as Change.PutAccounts has written it; nil: it was not written.
func (v *View) Accounts() []byte { return v.s.accounts }

// Databases returns the names of all databases, sorted.
func (v *View) Databases() []string {
	v.noteAll()
	var names []string
	for _, d := range v.s.databases {
		names = append(names, d.Name)
	}
	slices.Sort(names)
	return names
}

// Database finds a database by name, ignoring case, and returns its name and
// collation (empty: the default).
func (v *View) Database(name string) (proper, collation string, ok bool) {
	v.uses.note(name, "", false)
	d := v.s.databases[strings.ToLower(name)]
	if d == nil {
		return "", "", false
	}
	return d.Name, d.Collation, true
}

// Table finds a table by name, ignoring case; a temporary one before the others.
func (v *View) Table(databaseName, name string) (*Table, bool) {
	if t, ok := v.own.Table(databaseName, name); ok {
		return t, true
	}
	v.uses.note(databaseName, name, false)
	d := v.s.databases[strings.ToLower(databaseName)]
	if d == nil {
		return nil, false
	}
	t, ok := d.tables[strings.ToLower(name)]
	return t, ok
}

// Tables returns the tables of a database, sorted by name, without temporary ones.
func (v *View) Tables(databaseName string) []*Table {
	v.noteAll()
	d := v.s.databases[strings.ToLower(databaseName)]
	if d == nil {
		return nil
	}
	out := make([]*Table, 0, len(d.tables))
	for _, t := range d.tables {
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b *Table) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Views returns the SQL views of a database, sorted by name.
func (v *View) Views(databaseName string) []SQLView {
	v.noteAll()
	d := v.s.databases[strings.ToLower(databaseName)]
	if d == nil {
		return nil
	}
	out := make([]SQLView, 0, len(d.views))
	for _, w := range d.views {
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b SQLView) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// View finds a SQL view by name, ignoring case.
func (v *View) View(databaseName, name string) (SQLView, bool) {
	v.uses.note(databaseName, name, true)
	d := v.s.databases[strings.ToLower(databaseName)]
	if d == nil {
		return SQLView{}, false
	}
	w, ok := d.views[strings.ToLower(name)]
	return w, ok
}

func putUint(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

func getUint(b []byte) uint64 {
	var buf [8]byte
	copy(buf[:], b)
	return binary.LittleEndian.Uint64(buf[:])
}
