package storetest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/store"
)

// Versions is a store in memory whose ETags are numbers that no two writes share, even with the same body. Google's
// generations and Azure's ETags are such; other stores' ETags depend on the body alone.
type Versions struct {
	*store.Mem
	mu      sync.Mutex
	last    int64
	version map[string]int64
}

// NewVersions returns an empty store.
func NewVersions() *Versions {
	return &Versions{Mem: store.NewMem(), last: time.Now().UnixMicro(), version: map[string]int64{}}
}

// tag is the version of an object; empty if it is not there.
func (v *Versions) tag(key string) string {
	if n := v.version[key]; n > 0 {
		return strconv.FormatInt(n, 10)
	}
	return ""
}

// change makes a change that a condition allows.
func (v *Versions) change(what, key string, cond store.Condition, fn func() error) error {
	tag := v.tag(key)
	if cond.Absent && tag != "" || cond.Match != "" && cond.Match != tag {
		return fmt.Errorf("%s %s: %w", what, key, store.ErrPrecondition)
	}
	return fn()
}

// Get implements store.Store.
func (v *Versions) Get(ctx context.Context, key, known string) (store.Object, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	o, err := v.Mem.Get(ctx, key, "")
	if o.ETag = v.tag(key); err == nil && known == o.ETag {
		return store.Object{}, store.ErrNotModified
	}
	return o, err
}

// Put implements store.Store.
func (v *Versions) Put(ctx context.Context, key string, body []byte, cond store.Condition) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	err := v.change("put", key, cond, func() error {
		_, err := v.Mem.Put(ctx, key, body, store.Condition{})
		if err == nil {
			v.last++
			v.version[key] = v.last
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return v.tag(key), nil
}

// Delete implements store.Store.
func (v *Versions) Delete(ctx context.Context, key string, cond store.Condition) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.tag(key) == "" {
		return nil
	}
	return v.change("delete", key, cond, func() error {
		err := v.Mem.Delete(ctx, key, store.Condition{})
		if err == nil || errors.Is(err, store.ErrNotFound) {
			delete(v.version, key)
		}
		return err
	})
}

// List implements store.Store.
func (v *Versions) List(ctx context.Context, prefix string, o store.ListOptions) (store.Page, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	page, err := v.Mem.List(ctx, prefix, o)
	for i := range page.Objects {
		page.Objects[i].ETag = v.tag(page.Objects[i].Key)
	}
	return page, err
}
