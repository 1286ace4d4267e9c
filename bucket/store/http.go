package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// requestTimeout bounds a request by default.
const requestTimeout = 10 * time.Second

// newClient returns a client for one bucket.
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	transport.DisableCompression = true // a compressed answer has another ETag
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // credentials are for one host
	}}
}

// attempts is how often a request is made.
const attempts = 4

// repeat makes a request, and repeats it while its outcome allows that. It repeats reads after a failure, and all
// requests after an answer that the store is busy and has done nothing. wait bounds the first pause.
func repeat(ctx context.Context, reads bool, wait time.Duration, busy func(status int) bool,
	once func(context.Context) (status int, err error)) error {
	for i := 1; ; i++ {
		status, err := once(ctx)
		again := err == nil && busy(status) || reads && (err != nil && !Refused(err) || status >= 500)
		if i == attempts || !again || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(rand.Int64N(int64(wait) << i))):
		}
	}
}

// failure is an answer that is an error, in the store's words.
type failure struct {
	status  int
	Code    string `xml:"Code"`
	Message string `xml:"Message"`
}

// error is the failure of a request as an error that wraps kind.
func (f failure) error(method, key string, kind error) error {
	what := strings.ToLower(method)
	switch {
	case kind == ErrNotModified:
		return ErrNotModified
	case kind == nil:
		return fmt.Errorf("%s %s: the object store failed: %d %s %s", what, key, f.status, f.Code, f.Message)
	case kind != ErrRefused:
		return fmt.Errorf("%s %s: %w", what, key, kind)
	}
	return fmt.Errorf("%s %s: %w: %d %s", what, key, kind, f.status, strings.TrimSpace(f.Code+" "+f.Message))
}

// withoutURL is err without the URL of its request, which may hold a secret.
func withoutURL(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// ageIn is how old an object is by the clock of the store that sent it, and when it was written.
func ageIn(h http.Header) (modified time.Time, age time.Duration) {
	modified, err := http.ParseTime(h.Get("Last-Modified"))
	if err != nil {
		return time.Time{}, 0
	}
	if now, err := http.ParseTime(h.Get("Date")); err == nil {
		age = now.Sub(modified)
	}
	return modified, age
}

// unlessGone is the error of a Delete, or nil if the object is missing. Some stores answer for a missing object that
// the condition does not hold.
func unlessGone(ctx context.Context, s Store, key string, err error) error {
	if errors.Is(err, ErrPrecondition) {
		if _, gone := s.Get(ctx, key, ""); errors.Is(gone, ErrNotFound) {
			return nil
		}
	}
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// folderEnd is behind every key in a folder: U+10FFFF is behind every character.
func folderEnd(folder string) string { return folder + "\U0010ffff" }

// last is behind the keys of the page, and before the keys that follow it.
func (p Page) last() string {
	after := ""
	if n := len(p.Objects); n > 0 {
		after = p.Objects[n-1].Key
	}
	if n := len(p.Prefixes); n > 0 {
		after = max(after, folderEnd(p.Prefixes[n-1]))
	}
	return after
}
