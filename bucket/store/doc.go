// Package store is an object store as tables in a bucket need it: get, put, delete and list, with conditions on ETags.
//
// It knows no document and no index; those are packages layout and collection. A store is opened by its address:
// s3:// (Amazon's protocol), gs:// (Google's), azblob:// (Azure's), file:// (a folder) or mem:// (this process).
// Count counts the requests to a store, Cache keeps bodies by their ETags. Package storetest has the suite that each
// store runs, and stores that fail on purpose.
package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Info are the facts on an object, without its body.
type Info struct {
	Key      string
	ETag     string // without quotes
	Size     int64
	Modified time.Time // by the store's clock
}

// Object is an object with its body, which the caller may not change.
type Object struct {
	Info
	Body []byte
	// Age is how long ago the object was written, by the store's own clock. It has the precision of a second.
	Age time.Duration
}

// Condition must hold for a change to be made. The zero Condition always holds.
type Condition struct {
	Match  string // the object's ETag
	Absent bool   // there is no such object
}

// ListOptions say which keys with a prefix are listed.
type ListOptions struct {
	After string // keys behind this one
	// Rest is the Rest of the page before. With it a store may list the keys that existed at the first page's request.
	Rest    []string
	Folders bool // keys below a further '/' are listed as one prefix
	Names   bool // only the keys are wanted: a store may leave out the other fields of Info
	Limit   int  // keys and prefixes of one page; 0 for as many as the store gives, 1,000 at most
}

// Page is one answer of List, in the order of the keys' bytes.
type Page struct {
	Objects  []Info
	Prefixes []string // ending in '/'
	After    string   // for the next page; empty for the last
	Rest     []string // for the next page too, from a store that has found the names of all
}

// Store is an object store. A read sees every change that was answered before it began.
//
// Get, Put and Delete fail with ErrNotFound, ErrNotModified and ErrPrecondition as described. After these errors, and
// all that Refused reports, nothing has changed. After any other error a change may have been made, or may still be.
type Store interface {
	// Get returns the object. It fails with ErrNotFound, and with ErrNotModified if the object's ETag is known.
	Get(ctx context.Context, key, known string) (Object, error)
	// Put writes the object if cond holds, and returns its ETag. It fails with ErrPrecondition.
	Put(ctx context.Context, key string, body []byte, cond Condition) (etag string, err error)
	// Delete deletes the object if cond holds; a missing object is no error. A store that has no conditions here deletes
	// the object in any case.
	Delete(ctx context.Context, key string, cond Condition) error
	// List returns a page of the keys that begin with prefix.
	List(ctx context.Context, prefix string, o ListOptions) (Page, error)
	// String is the store's address without secrets.
	String() string
}

var (
	// ErrNotFound is returned when there is no such object.
	ErrNotFound = errors.New("no such object")
	// ErrNotModified is returned when the object is as the caller knows it.
	ErrNotModified = errors.New("object is not modified")
	// ErrPrecondition is returned when a condition does not hold.
	ErrPrecondition = errors.New("the object has changed")
	// ErrUnconditional is wrapped when a store does not keep to conditions.
	ErrUnconditional = errors.New("the object store takes no notice of If-Match and If-None-Match")
	// ErrRefused is wrapped by errors for requests that the store refused, such as for missing rights.
	ErrRefused = errors.New("the object store refused")
	// ErrAddress is wrapped when an address of a store can't be read.
	ErrAddress = errors.New("address of an object store")
)

// Refused reports whether err means that the request had no effect.
func Refused(err error) bool {
	return errors.Is(err, ErrNotFound) || errors.Is(err, ErrNotModified) || errors.Is(err, ErrPrecondition) ||
		errors.Is(err, ErrRefused)
}

// All lists every object whose key begins with prefix, page by page, and stops at fn's first error.
func All(ctx context.Context, s Store, prefix string, fn func(Info) error) error {
	return all(ctx, s, prefix, ListOptions{}, fn)
}

// Keys lists the keys that begin with prefix, and stops at fn's first error.
func Keys(ctx context.Context, s Store, prefix string, fn func(key string) error) error {
	return all(ctx, s, prefix, ListOptions{Names: true}, func(i Info) error { return fn(i.Key) })
}

func all(ctx context.Context, s Store, prefix string, o ListOptions, fn func(Info) error) error {
	for {
		page, err := s.List(ctx, prefix, o)
		if err != nil {
			return err
		}
		for _, info := range page.Objects {
			if err := fn(info); err != nil {
				return err
			}
		}
		if page.After == "" {
			return nil
		}
		o.After, o.Rest = page.After, page.Rest
	}
}

// Probe tries whether the store keeps to the conditions of Put, by an object of a name of its own, which begins with
// prefix, and which it deletes again. It fails with
// ErrUnconditional if not.
func Probe(ctx context.Context, s Store, prefix string) error {
	key := prefix + uuid.NewString() + ".json" // another may be trying just now
	etag, err := s.Put(ctx, key, []byte("{}\n"), Condition{})
	if err != nil {
		return err
	}
	wrong := []Condition{{Absent: true}, {Match: "0123456789abcdef0123456789abcdef"}}
	for _, cond := range wrong {
		if _, err := s.Put(ctx, key, []byte("[]\n"), cond); err == nil {
			return fmt.Errorf("%w: %s", ErrUnconditional, s)
		} else if !errors.Is(err, ErrPrecondition) {
			return err
		}
	}
	return s.Delete(ctx, key, Condition{Match: etag})
}
