package store

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/btree"
)

// Mem is a store in the memory of this process.
type Mem struct {
	name string

	mu      sync.Mutex
	objects *btree.BTreeG[Object]
}

// NewMem returns an empty store.
func NewMem() *Mem {
	return &Mem{objects: btree.NewG(32, func(a, b Object) bool { return cmp.Less(a.Key, b.Key) })}
}

// named are the stores that mem://NAME opens, for as long as the process lives.
var named = struct {
	sync.Mutex
	m map[string]*Mem
}{m: map[string]*Mem{}}

func memNamed(name string) *Mem {
	named.Lock()
	defer named.Unlock()
	m, ok := named.m[name]
	if !ok {
		m = NewMem()
		m.name = name
		named.m[name] = m
	}
	return m
}

func (m *Mem) String() string { return "mem://" + m.name }

func tagOf(body []byte) string {
	sum := md5.Sum(body)
	return hex.EncodeToString(sum[:])
}

// holds reports whether cond holds for an object that is there or not.
func (c Condition) holds(etag string, there bool) bool {
	return !(c.Absent && there) && (c.Match == "" || there && c.Match == etag)
}

// Get implements Store.
func (m *Mem) Get(ctx context.Context, key, known string) (Object, error) {
	if err := ctx.Err(); err != nil {
		return Object{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	o, ok := m.objects.Get(Object{Info: Info{Key: key}})
	if !ok {
		return Object{}, fmt.Errorf("get %s: %w", key, ErrNotFound)
	}
	if known != "" && known == o.ETag {
		return Object{}, ErrNotModified
	}
	o.Age = time.Since(o.Modified)
	return o, nil
}

// Put implements Store.
func (m *Mem) Put(ctx context.Context, key string, body []byte, cond Condition) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", fmt.Errorf("put %s: %w: %w", key, ErrRefused, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	old, ok := m.objects.Get(Object{Info: Info{Key: key}})
	if !cond.holds(old.ETag, ok) {
		return "", fmt.Errorf("put %s: %w", key, ErrPrecondition)
	}
	o := Object{Body: slices.Clone(body), Info: Info{Key: key, ETag: tagOf(body), Size: int64(len(body)),
		Modified: time.Now()}}
	m.objects.ReplaceOrInsert(o)
	return o.ETag, nil
}

// Delete implements Store.
func (m *Mem) Delete(ctx context.Context, key string, cond Condition) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("delete %s: %w: %w", key, ErrRefused, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	old, ok := m.objects.Get(Object{Info: Info{Key: key}})
	if !ok {
		return nil
	}
	if !cond.holds(old.ETag, ok) {
		return fmt.Errorf("delete %s: %w", key, ErrPrecondition)
	}
	m.objects.Delete(old)
	return nil
}

// List implements Store.
func (m *Mem) List(ctx context.Context, prefix string, o ListOptions) (Page, error) {
	if err := ctx.Err(); err != nil {
		return Page{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	p := pager{prefix: prefix, o: o}
	m.objects.AscendGreaterOrEqual(Object{Info: Info{Key: max(prefix, o.After)}}, func(obj Object) bool {
		return strings.HasPrefix(obj.Key, prefix) && p.add(obj.Info)
	})
	return p.page, nil
}

// Clone returns a store with the objects that m has now.
func (m *Mem) Clone() *Mem {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &Mem{objects: m.objects.Clone()}
}

// pager makes a page of keys that come in order.
type pager struct {
	prefix string
	o      ListOptions
	page   Page
	last   string // the last key or prefix that was added
}

// add adds the next key; it is false when the page is full.
func (p *pager) add(info Info) bool {
	if info.Key <= p.o.After {
		return true
	}
	name, folder := info.Key, false
	if p.o.Folders {
		if i := strings.IndexByte(info.Key[len(p.prefix):], '/'); i >= 0 {
			name, folder = info.Key[:len(p.prefix)+i+1], true
			// The keys in a folder are behind its name; a page that ended with it goes on behind all of them.
			if name == p.last || name == p.o.After {
				return true
			}
		}
	}
	limit := p.o.Limit
	if limit <= 0 || limit > 1000 {
		limit = 1000
	}
	if len(p.page.Objects)+len(p.page.Prefixes) == limit {
		p.page.After = p.last
		return false
	}
	p.last = name
	if folder {
		p.page.Prefixes = append(p.page.Prefixes, name)
	} else {
		p.page.Objects = append(p.page.Objects, info)
	}
	return true
}
