// Package storetest is the contract of package store as a test that every store runs. It also has a small server that
// speaks Amazon's protocol, and stores that fail, delay and lose answers on purpose.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/bucket/store"
)

// Run checks a store that is empty at first. open is called once for each test.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	ctx := context.Background()
	put := func(t *testing.T, s store.Store, key, body string, cond store.Condition) string {
		t.Helper()
		etag, err := s.Put(ctx, key, []byte(body), cond)
		if err != nil || etag == "" {
			t.Fatalf("Put(%s) = %q, %v", key, etag, err)
		}
		return etag
	}
	t.Run("read what was written", func(t *testing.T) {
		s := open(t)
		if _, err := s.Get(ctx, "a/b.json", ""); !errors.Is(err, store.ErrNotFound) {
			t.Fatalf("Get of nothing: %v", err)
		}
		for _, key := range []string{"a/b.json", "a/%2F|x.json", "a/ü (1)!.json", "a/.json", "a/+ &=#?'*.json"} {
			etag := put(t, s, key, "body of "+key, store.Condition{})
			o, err := s.Get(ctx, key, "")
			if err != nil || string(o.Body) != "body of "+key || o.ETag != etag || o.Size != int64(len(o.Body)) {
				t.Fatalf("Get(%s) = %+v, %v", key, o, err)
			}
			if o.Modified.IsZero() || o.Age < 0 || o.Age.Seconds() > 60 {
				t.Errorf("Get(%s): modified %v, age %v", key, o.Modified, o.Age)
			}
			if _, err := s.Get(ctx, key, etag); !errors.Is(err, store.ErrNotModified) {
				t.Errorf("Get of what is known: %v", err)
			}
			if o, err := s.Get(ctx, key, "0123456789abcdef0123456789abcdef"); err != nil || len(o.Body) == 0 {
				t.Errorf("Get of what was known otherwise: %v", err)
			}
		}
		if _, err := s.Get(ctx, "a/"+strings.Repeat("long", 75)+".json", ""); !errors.Is(err, store.ErrNotFound) {
			t.Fatalf("Get of a name that is too long for many a store: %v", err)
		}
		empty := put(t, s, "empty.json", "", store.Condition{})
		if o, err := s.Get(ctx, "empty.json", ""); err != nil || len(o.Body) != 0 || o.ETag != empty {
			t.Errorf("an empty object: %+v, %v", o, err)
		}
	})
	t.Run("conditions", func(t *testing.T) {
		s := open(t)
		changed := func(err error) {
			t.Helper()
			if !errors.Is(err, store.ErrPrecondition) || !store.Refused(err) {
				t.Fatalf("want ErrPrecondition, got %v", err)
			}
		}
		_, err := s.Put(ctx, "k.json", []byte("0"), store.Condition{Match: "0123456789abcdef0123456789abcdef"})
		changed(err)
		first := put(t, s, "k.json", "1", store.Condition{Absent: true})
		_, err = s.Put(ctx, "k.json", []byte("2"), store.Condition{Absent: true})
		changed(err)
		second := put(t, s, "k.json", "3", store.Condition{Match: first})
		_, err = s.Put(ctx, "k.json", []byte("4"), store.Condition{Match: first})
		changed(err)
		changed(s.Delete(ctx, "k.json", store.Condition{Match: first}))
		if o, err := s.Get(ctx, "k.json", ""); err != nil || string(o.Body) != "3" {
			t.Fatalf("what was refused has changed it: %s, %v", o.Body, err)
		}
		if err := s.Delete(ctx, "k.json", store.Condition{Match: second}); err != nil {
			t.Fatal(err)
		}
		if err := s.Delete(ctx, "k.json", store.Condition{}); err != nil {
			t.Fatalf("Delete of nothing: %v", err)
		}
		if err := s.Delete(ctx, "k.json", store.Condition{Match: second}); err != nil {
			t.Fatalf("Delete of what is gone: %v", err)
		}
		fourth := put(t, s, "k.json", "5", store.Condition{Absent: true})
		put(t, s, "k.json", "5", store.Condition{Match: fourth})
	})
	t.Run("names", func(t *testing.T) {
		s := open(t)
		names := []string{" .json", "!'()*~.json", "%.json", "%2525.json", "%2F.json", "+.json", "a b.json", "a|b||.json",
			"ä.json", "日本😀.json", "\"<&>;,@$.json"}
		slices.Sort(names)
		for i, name := range names {
			put(t, s, "n/"+name, fmt.Sprint(i), store.Condition{Absent: true})
		}
		var got []string
		err := store.All(ctx, s, "n/", func(i store.Info) error {
			got = append(got, strings.TrimPrefix(i.Key, "n/"))
			return nil
		})
		if err != nil || !slices.Equal(got, names) {
			t.Errorf("listed %q, %v", got, err)
		}
		for i, name := range names {
			if o, err := s.Get(ctx, "n/"+name, ""); err != nil || string(o.Body) != fmt.Sprint(i) {
				t.Errorf("Get(%q) = %s, %v", name, o.Body, err)
			}
			if err := s.Delete(ctx, "n/"+name, store.Condition{}); err != nil {
				t.Errorf("Delete(%q): %v", name, err)
			}
		}
		if page, err := s.List(ctx, "n/", store.ListOptions{}); err != nil || len(page.Objects) > 0 {
			t.Errorf("%d are left, %v", len(page.Objects), err)
		}
	})
	t.Run("probe", func(t *testing.T) {
		s := open(t)
		if err := store.Probe(ctx, s, "a/probe-"); err != nil {
			t.Fatal(err)
		}
		if page, err := s.List(ctx, "a/probe-", store.ListOptions{}); err != nil || len(page.Objects) > 0 {
			t.Errorf("it is left: %v", err)
		}
	})
	t.Run("one of many writers", func(t *testing.T) {
		s := open(t)
		results := make(chan error, 16)
		for i := range cap(results) {
			go func() {
				_, err := s.Put(ctx, "one.json", fmt.Append(nil, i), store.Condition{Absent: true})
				results <- err
			}()
		}
		won := 0
		for range cap(results) {
			switch err := <-results; {
			case err == nil:
				won++
			case !errors.Is(err, store.ErrPrecondition):
				t.Error(err)
			}
		}
		if won != 1 {
			t.Errorf("%d writers have created one object", won)
		}
	})
	t.Run("list", func(t *testing.T) {
		s := open(t)
		var want []string
		for i := range 25 {
			key := fmt.Sprintf("c/data/%02d.json", i)
			put(t, s, key, key, store.Condition{})
			want = append(want, key)
		}
		others := []string{"c/indices/a.json", "c/indices/a/x.json", "c/indices/a/y|z.json", "c/indices/b/%2F.json",
			"d.json"}
		for _, key := range others {
			put(t, s, key, key, store.Condition{})
		}
		for _, limit := range []int{0, 1, 7, 25} {
			var got []string
			o := store.ListOptions{Limit: limit}
			for {
				page, err := s.List(ctx, "c/data/", o)
				if err != nil {
					t.Fatal(err)
				}
				if limit > 0 && len(page.Objects) > limit {
					t.Fatalf("%d objects with limit %d", len(page.Objects), limit)
				}
				for _, info := range page.Objects {
					got = append(got, info.Key)
					if o, err := s.Get(ctx, info.Key, ""); err != nil || o.ETag != info.ETag || o.Size != info.Size {
						t.Fatalf("listed %+v, read %+v, %v", info, o.Info, err)
					}
				}
				if o.After = page.After; o.After == "" {
					break
				}
				if len(got)%2 == 0 { // a caller that goes on may have lost Rest
					o.Rest = page.Rest
				} else {
					o.Rest = nil
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("limit %d: listed %v", limit, got)
			}
		}
		for _, limit := range []int{0, 1, 2} {
			var objects, folders []string
			o := store.ListOptions{Folders: true, Limit: limit}
			for {
				page, err := s.List(ctx, "c/indices/", o)
				if err != nil {
					t.Fatal(err)
				}
				folders = append(folders, page.Prefixes...)
				for _, info := range page.Objects {
					objects = append(objects, info.Key)
				}
				if o.After, o.Rest = page.After, page.Rest; o.After == "" {
					break
				}
			}
			if strings.Join(objects, " ") != "c/indices/a.json" || strings.Join(folders,
				" ") != "c/indices/a/ c/indices/b/" {
				t.Errorf("limit %d: objects %v, folders %v", limit, objects, folders)
			}
		}
		page, err := s.List(ctx, "c/data/1", store.ListOptions{})
		if err != nil || len(page.Objects) != 10 {
			t.Errorf("a prefix within a name: %d objects, %v", len(page.Objects), err)
		}
		if page, err := s.List(ctx, "nothing/", store.ListOptions{}); err != nil ||
			len(page.Objects)+len(page.Prefixes) != 0 {
			t.Errorf("a prefix of nothing: %+v, %v", page, err)
		}
	})
	t.Run("stopped", func(t *testing.T) {
		s := open(t)
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := s.Put(ctx, "k.json", []byte("1"), store.Condition{}); err == nil {
			t.Error("Put after its end")
		}
		if _, err := s.Get(context.Background(), "k.json", ""); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("it has been put nevertheless: %v", err)
		}
	})
}
