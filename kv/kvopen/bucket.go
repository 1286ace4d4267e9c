package kvopen

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/bucketkv"
)

// definitions is the object of a bucket that a store in it is.
const definitions = ".sqlfdb/definitions"

// openPatience bounds how long a bucket is waited for.
const openPatience = 30 * time.Second

// IsBucket reports whether a name is the address of a bucket.
func IsBucket(name string) bool {
	return strings.Contains(name, "://") || strings.HasPrefix(name, "file:")
}

// Bucket is the address of the bucket that a store is in, without the store's own options; empty if the name is no
// bucket.
func Bucket(name string) string {
	if !IsBucket(name) {
		return ""
	}
	address, _, err := refresh(name)
	if err != nil {
		return name
	}
	folder, options, has := strings.Cut(address, "?")
	if path, is := strings.CutPrefix(folder, "file:"); is && !strings.HasPrefix(path, "//") {
		if path, err = filepath.Abs(path); err == nil {
			folder = (&url.URL{Scheme: "file", Path: path}).String()
		}
	}
	if has {
		folder += "?" + options
	}
	return folder
}

// HasStore reports whether a bucket has a store in it.
func HasStore(ctx context.Context, address string) (bool, error) {
	objects, err := store.Open(Bucket(address))
	if err != nil {
		return false, err
	}
	page, err := objects.List(ctx, definitions, store.ListOptions{Limit: 1})
	return err == nil && len(page.Objects) > 0, err
}

// refresh takes the option "refresh" out of an address: how old the known definitions may be.
func refresh(name string) (address string, every time.Duration, err error) {
	address, query, has := strings.Cut(name, "?")
	if !has {
		return name, 0, nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return name, 0, fmt.Errorf("%w: not a URL", store.ErrAddress)
	}
	if v := values.Get("refresh"); v != "" {
		if every, err = time.ParseDuration(v); err != nil || every <= 0 {
			return name, 0, fmt.Errorf("%w: refresh is a time such as 1s", store.ErrAddress)
		}
	}
	values.Del("refresh")
	if len(values) > 0 {
		address += "?" + values.Encode()
	}
	return address, every, nil
}

// openBucket opens the store in a bucket. Temporary tables are in memory alone.
func openBucket(name string, opts Options) (kv.Store, error) {
	ctx, cancel := context.WithTimeout(context.Background(), openPatience)
	defer cancel()
	address, every, err := refresh(name)
	if err != nil {
		return nil, fmt.Errorf("--store: %w", err)
	}
	objects, err := store.Open(address)
	if err != nil {
		return nil, fmt.Errorf("--store: %w", err)
	}
	s, err := bucketkv.Open(ctx, objects, definitions, bucketkv.Options{Refresh: every,
		TransactionLife: opts.TransactionLife, MustExist: opts.MustExist, ReadOnly: opts.ReadOnly,
		Local: keyspace.TemporaryAll()})
	if err != nil {
		return nil, fmt.Errorf("--store: %w", err)
	}
	return s, nil
}
