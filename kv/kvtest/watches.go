package kvtest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
)

// patience is how long to wait for an event that must happen, and quiet how long for one
// that must not.
const (
	patience = 2 * time.Minute
	quiet    = 50 * time.Millisecond
)

func testWatches(t *testing.T, h Harness) {
	s := h.open(t)
	write(t, s, func(tx kv.Transaction) { set(tx, "a", "1") })
	watch := func(t *testing.T, key string) kv.Watch {
		t.Helper()
		tx := begin(t, s)
		w, err := tx.Watch([]byte(key))
		if err != nil {
			t.Fatal(err)
		}
		commit(t, tx)
		return w
	}
	fires := func(t *testing.T, w kv.Watch) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := w.Wait(ctx); err != nil {
			t.Fatalf("watch: %v", err)
		}
	}
	silent := func(t *testing.T, w kv.Watch) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), quiet)
		defer cancel()
		wantErr(t, "wait", w.Wait(ctx), context.DeadlineExceeded)
	}
	for name, change := range map[string]func(tx kv.Transaction){
		"set":         func(tx kv.Transaction) { set(tx, "a", fmt.Sprint(time.Now().UnixNano())) },
		"clear":       func(tx kv.Transaction) { tx.Clear([]byte("a")) },
		"clear range": func(tx kv.Transaction) { tx.ClearRange(span("a", "b")) },
		"add":         func(tx kv.Transaction) { tx.Add([]byte("a"), []byte{1}) },
		"stamp": func(tx kv.Transaction) {
			tx.SetVersionstampedValue([]byte("a"), make([]byte, kv.VersionstampSize), 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			write(t, s, func(tx kv.Transaction) { set(tx, "a", "1") })
			w, other := watch(t, "a"), watch(t, "b")
			done := make(chan error, 1)
			go func() {
				ctx, cancel := context.WithTimeout(context.Background(), patience)
				defer cancel()
				done <- w.Wait(ctx)
			}()
			silent(t, other)
			select {
			case err := <-done:
				t.Fatalf("fired early: %v", err)
			default:
			}
			write(t, s, change)
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			silent(t, other)
			other.Cancel()
		})
	}
	t.Run("changed between watch and commit", func(t *testing.T) {
		tx := begin(t, s)
		w, err := tx.Watch([]byte("c"))
		if err != nil {
			t.Fatal(err)
		}
		set(tx, "unrelated", "1")
		write(t, s, func(tx kv.Transaction) { set(tx, "c", "1") })
		commit(t, tx)
		fires(t, w)
	})
	t.Run("own write", func(t *testing.T) {
		tx := begin(t, s)
		set(tx, "own", "1")
		w, err := tx.Watch([]byte("own"))
		if err != nil {
			t.Fatal(err)
		}
		commit(t, tx)
		silent(t, w)
		write(t, s, func(tx kv.Transaction) { set(tx, "own", "2") })
		fires(t, w)
	})
	t.Run("same value", func(t *testing.T) {
		write(t, s, func(tx kv.Transaction) { set(tx, "same", "1") })
		w := watch(t, "same")
		write(t, s, func(tx kv.Transaction) { set(tx, "same", "1") })
		silent(t, w)
		write(t, s, func(tx kv.Transaction) { set(tx, "same", "2") })
		fires(t, w)
	})
	t.Run("failed commit", func(t *testing.T) {
		tx := begin(t, s)
		get(t, tx, "x")
		set(tx, "y", "1")
		w, err := tx.Watch([]byte("a"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, s, func(tx kv.Transaction) { set(tx, "x", "2") })
		wantErr(t, "commit", tx.Commit(), kv.ErrConflict)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := w.Wait(ctx); err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("watch of a failed transaction: %v", err)
		}
	})
	t.Run("cancel", func(t *testing.T) {
		w := watch(t, "a")
		done := make(chan error, 1)
		go func() { done <- w.Wait(context.Background()) }()
		w.Cancel()
		select {
		case err := <-done:
			if err == nil {
				t.Fatal("a cancelled watch fired")
			}
		case <-time.After(patience):
			t.Fatal("a cancelled watch waits on")
		}
		w.Cancel()
	})
	t.Run("many", func(t *testing.T) {
		var all []kv.Watch
		for i := range 100 {
			all = append(all, watch(t, fmt.Sprintf("many%02d", i%50)))
		}
		write(t, s, func(tx kv.Transaction) {
			for i := range 50 {
				set(tx, fmt.Sprintf("many%02d", i), "1")
			}
		})
		for _, w := range all {
			fires(t, w)
		}
	})
}
