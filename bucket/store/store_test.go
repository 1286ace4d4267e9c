package store_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
)

var bucketAddress = flag.String("bucket", "", "the address of an empty bucket on a real server to run the suite on")

func TestMem(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return store.NewMem() })
}

func TestDir(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store {
		d, err := store.NewDir(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return d
	})
}

func TestS3(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store {
		return storetest.NewServer(t, "pets-bucket", store.NewMem()).Open(t, "some/where/")
	})
}

func TestVersions(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return storetest.NewVersions() })
}

func TestGoogle(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store {
		return storetest.NewGoogle(t, "pets-bucket", storetest.NewVersions()).Open(t, "some/where/")
	})
}

func TestAzure(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store {
		return storetest.NewAzure(t, "pets-bucket", storetest.NewVersions()).Open(t, "some/where/")
	})
}

// TestReal runs the suite on whatever server the address and the environment name.
func TestReal(t *testing.T) {
	if *bucketAddress == "" {
		t.Skip("no -bucket s3://…, gs://… or azblob://… is given")
	}
	n := time.Now().UnixNano()
	storetest.Run(t, func(t *testing.T) store.Store {
		n++
		address, query, _ := strings.Cut(*bucketAddress, "?")
		s, err := store.Open(fmt.Sprintf("%s/%d?%s", address, n, query))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			store.All(context.Background(), s, "", func(i store.Info) error {
				return s.Delete(context.Background(), i.Key, store.Condition{})
			})
		})
		return s
	})
}

func TestCache(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return store.NewCache(store.NewMem(), 1<<20) })
}

// A body that is kept is asked for again, but doesn't come again; one that another has changed does.
func TestCacheIsNeverStale(t *testing.T) {
	ctx := context.Background()
	mem := store.NewMem()
	count := store.NewCount(mem)
	cache := store.NewCache(count, 100<<10)
	body := strings.Repeat("x", 10<<10)
	for i := range 20 {
		if _, err := mem.Put(ctx, fmt.Sprint("k", i), []byte(body), store.Condition{}); err != nil {
			t.Fatal(err)
		}
	}
	get := func(key, want string) {
		t.Helper()
		o, err := cache.Get(ctx, key, "")
		if err != nil || string(o.Body) != want {
			t.Fatalf("Get(%s): %d bytes, %v", key, len(o.Body), err)
		}
	}
	get("k0", body)
	before := count.Requests()
	get("k0", body)
	if d := count.Requests().Minus(before); d.Gets != 1 || d.BytesRead != 0 {
		t.Errorf("a kept body was read again: %+v", d)
	}
	mem.Put(ctx, "k0", []byte("new"), store.Condition{})
	get("k0", "new")
	mem.Delete(ctx, "k0", store.Condition{})
	if _, err := cache.Get(ctx, "k0", ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a deleted object: %v", err)
	}
	for i := 1; i < 20; i++ {
		get(fmt.Sprint("k", i), body)
	}
	before = count.Requests()
	get("k19", body)
	get("k1", body)
	if d := count.Requests().Minus(before); d.BytesRead != int64(len(body)) {
		t.Errorf("the least recently used body is not the one that went: %+v", d)
	}
}

func TestOpen(t *testing.T) {
	for _, test := range []struct{ address, want string }{
		{"mem://a", "mem://a"},
		{"s3://bucket-of-pets/a/b/?region=eu-central-1", "s3://bucket-of-pets/a/b?region=eu-central-1"},
		{"s3://bucket-of-pets?region=x&endpoint=http://h:9000",
			"s3://bucket-of-pets/?region=x&endpoint=http%3A%2F%2Fh%3A9000"},
		{"gs://bucket-of-pets", "gs://bucket-of-pets/"},
		{"gs://bucket.of_pets/a/b/", "gs://bucket.of_pets/a/b"},
		{"azblob://pets-1/a?account=shelves", "azblob://pets-1/a?account=shelves"},
		{"file://" + t.TempDir(), ""},
	} {
		s, err := store.Open(test.address)
		if err != nil {
			t.Errorf("%s: %v", test.address, err)
		} else if test.want != "" && s.String() != test.want {
			t.Errorf("%s is shown as %s", test.address, s)
		}
	}
	for _, address := range []string{"", "pets", "s3://", "s3://B", "s3://bucket-of-pets?zone=1", "gs://b", "http://b/",
		"gs://", "gs://bucket-of-pets?x=1", "azblob://pets", "azblob://pets?account=evil.com/", "azblob://P?account=pets",
		"azblob://pets?account=shelves&sig=secret", "gs://u:secret@bucket-of-pets",
		"file://relative/x", "file:///", "s3://key:secret@bucket-of-pets", "s3://bucket-of-pets?endpoint=ftp://h",
		"s3://bucket-of-pets?endpoint=http://u:p@h", "mem://a?b=c", "s3://key:secret@bucket%zz"} {
		_, err := store.Open(address)
		if !errors.Is(err, store.ErrAddress) {
			t.Errorf("%q: %v", address, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows the secret: %v", err)
		}
	}
}

// What is refused for good is not asked again, and says why; what the server can't do now is.
func TestS3Refusals(t *testing.T) {
	ctx := context.Background()
	failures := 0
	mem := &storetest.Faulty{Store: store.NewMem(), Choose: func(_ int, what, _ string) storetest.Fault {
		if failures > 0 {
			failures--
			return storetest.Fails
		}
		return storetest.Fine
	}}
	server := storetest.NewServer(t, "pets-bucket", mem)
	s := server.Open(t, "")
	if _, err := s.Put(ctx, "k", []byte("1"), store.Condition{}); err != nil {
		t.Fatal(err)
	}
	failures = 2
	if o, err := s.Get(ctx, "k", ""); err != nil || string(o.Body) != "1" {
		t.Errorf("a Get after two failures: %v", err)
	}
	failures = 1
	if _, err := s.Put(ctx, "k", []byte("2"), store.Condition{}); err == nil || store.Refused(err) {
		t.Errorf("a Put that failed without saying what has become of it: %v", err)
	}
	server.Bucket = "another"
	if _, err := s.Get(ctx, "k", ""); !errors.Is(err, store.ErrRefused) || errors.Is(err, store.ErrNotFound) ||
		!strings.Contains(err.Error(), "NoSuchBucket") {
		t.Errorf("a bucket that is not there: %v", err)
	}
	if _, err := s.List(ctx, "", store.ListOptions{}); !errors.Is(err, store.ErrRefused) {
		t.Errorf("listing a bucket that is not there: %v", err)
	}
}

func TestDirKeepsWithinItsFolder(t *testing.T) {
	d, err := store.NewDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"../x", "a/../../x", "/x", "a//b", "", "=sqlfdb-lock", "a/" + strings.Repeat("x",
		256)} {
		if _, err := d.Put(context.Background(), key, nil, store.Condition{}); !errors.Is(err, store.ErrRefused) {
			t.Errorf("%q: %v", key, err)
		}
	}
}

// Files are as the umask says, as those of other programs.
func TestDirKeepsToUmask(t *testing.T) {
	folder := t.TempDir()
	d, err := store.NewDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Put(context.Background(), "ours", nil, store.Condition{}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "others"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	ours, err := os.Stat(filepath.Join(folder, "ours"))
	if err != nil {
		t.Fatal(err)
	}
	if others, err := os.Stat(filepath.Join(folder, "others")); err != nil || ours.Mode() != others.Mode() {
		t.Errorf("%v, want %v, %v", ours.Mode(), others.Mode(), err)
	}
}

// A folder may be a link, the store's own and one below it.
func TestDirThroughLinks(t *testing.T) {
	ctx := context.Background()
	place := t.TempDir()
	for _, folder := range []string{"real", "elsewhere/data"} {
		if err := os.MkdirAll(filepath.Join(place, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for to, from := range map[string]string{"link": "real", "real/pets": "../elsewhere"} {
		if err := os.Symlink(from, filepath.Join(place, to)); err != nil {
			t.Skip(err)
		}
	}
	d, err := store.NewDir(filepath.Join(place, "link"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"pets/data/a.json", "pets/data/b.json", "x/y.json"} {
		if _, err := d.Put(ctx, key, []byte("{}"), store.Condition{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		prefix string
		o      store.ListOptions
		want   string
	}{
		{"pets/data/", store.ListOptions{}, "pets/data/a.json pets/data/b.json"},
		{"pets/data/b", store.ListOptions{}, "pets/data/b.json"},
		{"pets/", store.ListOptions{}, "pets/data/a.json pets/data/b.json"},
		{"", store.ListOptions{Folders: true}, "pets/ x/"},
		{"nothing/", store.ListOptions{}, ""},
	} {
		page, err := d.List(ctx, test.prefix, test.o)
		got := page.Prefixes
		for _, o := range page.Objects {
			got = append(got, o.Key)
		}
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("List(%s): %v, %v, want %s", test.prefix, got, err, test.want)
		}
	}
}

// TestDirListsOnce: who lists a folder page by page has it looked through once, and learns what is there no more.
func TestDirListsOnce(t *testing.T) {
	ctx := context.Background()
	root := t.TempDir()
	d, err := store.NewDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2500 {
		if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("%04d.json", i)), []byte("{}"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	first, err := d.List(ctx, "", store.ListOptions{})
	if err != nil || len(first.Objects) != 1000 || len(first.Rest) != 1500 {
		t.Fatalf("%d objects, %d left, %v", len(first.Objects), len(first.Rest), err)
	}
	if err := d.Delete(ctx, "1500.json", store.Condition{}); err != nil {
		t.Fatal(err)
	}
	second, err := d.List(ctx, "", store.ListOptions{After: first.After, Rest: first.Rest})
	if err != nil || len(second.Objects) != 999 || second.Objects[0].Key != "1000.json" || len(second.Rest) != 500 {
		t.Fatalf("%d objects, %d left, %v", len(second.Objects), len(second.Rest), err)
	}
	n := 0
	err = store.All(ctx, d, "", func(store.Info) error { n++; return nil })
	if err != nil || n != 2499 {
		t.Errorf("%d objects, %v", n, err)
	}
}

// TestDirAtOnce: many write to a folder at once; each object is there when its Put returns, and nothing else is left.
func TestDirAtOnce(t *testing.T) {
	ctx := context.Background()
	d, err := store.NewDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var g errgroup.Group
	for i := range 200 {
		g.Go(func() error {
			key := fmt.Sprintf("a/b/%d.json", i%100)
			_, err := d.Put(ctx, key, []byte(key), store.Condition{Absent: true})
			if errors.Is(err, store.ErrPrecondition) {
				err = nil
			}
			if err == nil {
				_, err = d.Get(ctx, key, "")
			}
			if err == nil && i%10 == 0 {
				err = d.Delete(ctx, key, store.Condition{})
			}
			return err
		})
	}
	if err := g.Wait(); err != nil && !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
	files, err := os.ReadDir(filepath.Join(strings.TrimPrefix(d.String(), "file://"), "a/b"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".json") || strings.HasPrefix(f.Name(), "=") {
			t.Errorf("%s is left", f.Name())
		}
	}
	if len(files) < 90 {
		t.Errorf("%d files", len(files))
	}
}
