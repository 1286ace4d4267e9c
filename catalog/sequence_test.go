package catalog_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
)

// TestRaisedValuesAreNotHandedOutAgain: values once taken stay taken, also when
// the block that they came from is used up.
func TestRaisedValuesAreNotHandedOutAgain(t *testing.T) {
	ctx := context.Background()
	store, cat := open(t, t.TempDir())
	defer store.Close()
	var last uint64
	for range 64 {
		n, err := cat.NextAutoIncrement(ctx, 1)
		if err != nil {
			t.Fatal(err)
		}
		last = n
	}
	if err := cat.RaiseAutoIncrement(ctx, 1, 6); err != nil {
		t.Fatal(err)
	}
	n, err := cat.NextAutoIncrement(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	if n <= last {
		t.Fatalf("%d was handed out after %d", n, last)
	}
}

// TestAutoIncrementEnds: after the greatest value there is an error, not 1 again.
func TestAutoIncrementEnds(t *testing.T) {
	ctx := context.Background()
	store, cat := open(t, t.TempDir())
	defer store.Close()
	if err := cat.RaiseAutoIncrement(ctx, 1, math.MaxUint64-10); err != nil {
		t.Fatal(err)
	}
	var last uint64
	for range 80 {
		n, err := cat.NextAutoIncrement(ctx, 1)
		if errors.Is(err, catalog.ErrNoAutoIncrement) && last == math.MaxUint64-1 {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if n <= last {
			t.Fatalf("%d was handed out after %d", n, last)
		}
		last = n
	}
	t.Fatal("no error at the end")
}
