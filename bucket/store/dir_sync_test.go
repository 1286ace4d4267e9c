package store

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestDirReadsWhatLasts: what a write has put into a folder is told to nobody before it lasts, and so is that a file is
// gone. Other files are read meanwhile.
func TestDirReadsWhatLasts(t *testing.T) {
	ctx := context.Background()
	d, err := NewDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a/other", "a/old"} {
		if _, err := d.Put(ctx, key, []byte("0"), Condition{}); err != nil {
			t.Fatal(err)
		}
	}
	begun, proceed := make(chan string, 10), make(chan struct{})
	d.syncFolder = func(path string) error {
		begun <- path
		<-proceed
		return syncFolder(path)
	}
	done := make(chan error, 2)
	go func() {
		_, err := d.Put(ctx, "a/new", []byte("1"), Condition{Absent: true})
		done <- err
	}()
	go func() { done <- d.Delete(ctx, "a/old", Condition{}) }()
	<-begun
	for { // both are seen by now
		new, _, err := d.read("a/new")
		_, _, gone := d.read("a/old")
		if err == nil && string(new.Body) == "1" && errors.Is(gone, ErrNotFound) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if o, err := d.Get(ctx, "a/other", ""); err != nil || string(o.Body) != "0" {
		t.Errorf("another file: %v", err)
	}
	told := make(chan error, 3)
	go func() {
		_, err := d.Get(ctx, "a/new", "")
		told <- err
	}()
	go func() {
		_, err := d.Get(ctx, "a/old", "")
		told <- err
	}()
	go func() {
		_, err := d.List(ctx, "a/", ListOptions{Names: true})
		told <- err
	}()
	select {
	case err := <-told:
		t.Errorf("what may not last was told: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(proceed)
	for range 3 {
		if err := <-told; err != nil && !errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if len(d.passing) > 0 {
		t.Errorf("%v are left", d.passing)
	}
}
