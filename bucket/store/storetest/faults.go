package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/store"
)

// Fault is the fate of a request.
type Fault int

const (
	// Fine lets the request through.
	Fine Fault = iota
	// Fails makes it fail, having done nothing, but without saying so.
	Fails
	// Lost does it and loses the answer.
	Lost
	// Late makes it fail, and does it later: before LateBy more requests are done, or at a call of Settle.
	Late
	// Crash makes it and all later requests fail, having done nothing.
	Crash
	// CrashBehind does it; its answer is lost, and all later requests fail.
	CrashBehind
)

// ErrInjected is the error of failing requests.
var ErrInjected = errors.New("an injected fault")

// Faulty is a store whose requests meet the faults that Choose gives.
type Faulty struct {
	store.Store
	// Choose gets the number of the request, from 0, its kind (get, put, delete, list), and its key.
	Choose func(n int, what, key string) Fault
	// LateBy is the number of further requests after which a late request is done; 0 for not before Settle.
	LateBy int
	// Delay is how long each request takes.
	Delay time.Duration

	mu      sync.Mutex
	n       int
	crashed bool
	late    []lateRequest
}

type lateRequest struct {
	due int
	do  func()
}

// Requests returns how many requests there were.
func (f *Faulty) Requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n
}

// Settle does the late requests.
func (f *Faulty) Settle() {
	f.mu.Lock()
	late := f.late
	f.late = nil
	f.mu.Unlock()
	for _, l := range late {
		l.do()
	}
}

func (f *Faulty) meet(ctx context.Context, what, key string, do func(context.Context)) error {
	if f.Delay > 0 {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", store.ErrRefused, ctx.Err())
		case <-time.After(f.Delay):
		}
	}
	f.mu.Lock()
	fault := Fine
	if f.crashed {
		fault = Crash
	} else if f.Choose != nil {
		fault = f.Choose(f.n, what, key)
	}
	f.n++
	f.crashed = f.crashed || fault == Crash || fault == CrashBehind
	if fault == Late {
		f.late = append(f.late, lateRequest{f.n + f.LateBy, func() { do(context.WithoutCancel(ctx)) }})
	}
	due := len(f.late) > 0 && f.LateBy > 0 && f.n >= f.late[0].due && fault != Late
	f.mu.Unlock()
	if due {
		f.Settle()
	}
	if fault == Fine || fault == Lost || fault == CrashBehind {
		do(ctx)
	}
	if fault != Fine {
		return fmt.Errorf("%s %s: %w", what, key, ErrInjected)
	}
	return nil
}

// Get implements store.Store.
func (f *Faulty) Get(ctx context.Context, key, known string) (o store.Object, err error) {
	if fault := f.meet(ctx, "get", key, func(ctx context.Context) {
		o, err = f.Store.Get(ctx, key,
			known)
	}); fault != nil {
		return store.Object{}, fault
	}
	return o, err
}

// Put implements store.Store.
func (f *Faulty) Put(ctx context.Context, key string, body []byte, cond store.Condition) (etag string, err error) {
	fault := f.meet(ctx, "put", key, func(ctx context.Context) {
		e, er := f.Store.Put(ctx, key, body, cond)
		etag, err = e, er
	})
	if fault != nil {
		return "", fault
	}
	return etag, err
}

// Delete implements store.Store.
func (f *Faulty) Delete(ctx context.Context, key string, cond store.Condition) (err error) {
	if fault := f.meet(ctx, "delete", key, func(ctx context.Context) {
		err = f.Store.Delete(ctx, key,
			cond)
	}); fault != nil {
		return fault
	}
	return err
}

// List implements store.Store.
func (f *Faulty) List(ctx context.Context, prefix string, o store.ListOptions) (p store.Page, err error) {
	fault := f.meet(ctx, "list", prefix, func(ctx context.Context) { p, err = f.Store.List(ctx, prefix, o) })
	if fault != nil {
		return store.Page{}, fault
	}
	return p, err
}
