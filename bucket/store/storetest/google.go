package storetest

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/store"
)

// Google speaks the part of Google's JSON API that package store uses, for one bucket: media and multipart uploads,
// preconditions on generations, and lists by startOffset. It has no metadata, no limits and no other kinds of answers.
type Google struct {
	*httptest.Server
	Bucket  string
	Objects store.Store // whose ETags are numbers
	// Token is the token that requests must have; none if empty.
	Token string
}

// NewGoogle starts a server over s until the test ends.
func NewGoogle(t testing.TB, bucket string, s store.Store) *Google {
	g := &Google{Bucket: bucket, Objects: s}
	g.Server = httptest.NewServer(g)
	t.Cleanup(g.Close)
	return g
}

// Open returns the bucket with prefix before each key.
func (g *Google) Open(t testing.TB, prefix string) store.Store {
	t.Helper()
	s, err := store.NewGoogle(store.GoogleOptions{Bucket: g.Bucket, Prefix: prefix, Emulator: g.URL})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (g *Google) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, message string) {
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": status, "message": message}})
	}
	if g.Token != "" && r.Header.Get("Authorization") != "Bearer "+g.Token {
		refuse(http.StatusUnauthorized, "Invalid Credentials")
		return
	}
	path, upload := strings.CutPrefix(r.URL.EscapedPath(), "/upload")
	path, ok := strings.CutPrefix(path, "/storage/v1/b/")
	bucket, object, of := strings.Cut(path, "/o")
	if !ok || !of || bucket != g.Bucket {
		refuse(http.StatusNotFound, "The specified bucket does not exist.")
		return
	}
	key, err := url.PathUnescape(strings.TrimPrefix(object, "/"))
	if err != nil {
		refuse(http.StatusBadRequest, "Bad name")
		return
	}
	var cond store.Condition
	if match := r.URL.Query().Get("ifGenerationMatch"); match == "0" {
		cond.Absent = true
	} else {
		cond.Match = match
	}
	switch {
	case r.Method == http.MethodGet && object == "":
		err = g.list(w, r)
	case r.Method == http.MethodGet && r.URL.Query().Get("alt") == "media":
		var o store.Object
		if o, err = g.Objects.Get(r.Context(), key, r.URL.Query().Get("ifGenerationNotMatch")); err == nil {
			w.Header().Set("X-Goog-Generation", o.ETag)
			w.Header().Set("Last-Modified", o.Modified.UTC().Format(http.TimeFormat))
			w.Write(o.Body)
		}
	case r.Method == http.MethodPost && upload && r.URL.Query().Get("uploadType") == "multipart":
		err = g.put(w, r, cond)
	case r.Method == http.MethodDelete:
		if _, err = g.Objects.Get(r.Context(), key, ""); err == nil {
			if err = g.Objects.Delete(r.Context(), key, cond); err == nil {
				w.WriteHeader(http.StatusNoContent)
			}
		}
	default:
		refuse(http.StatusMethodNotAllowed, "No such method")
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		refuse(http.StatusNotFound, "No such object: "+key)
	case errors.Is(err, store.ErrNotModified):
		w.WriteHeader(http.StatusNotModified)
	case errors.Is(err, store.ErrPrecondition):
		refuse(http.StatusPreconditionFailed, "At least one of the pre-conditions you specified did not hold.")
	case errors.Is(err, ErrDenied):
		refuse(http.StatusForbidden, "Access denied.")
	case errors.Is(err, ErrBusy):
		refuse(http.StatusTooManyRequests, "The object exceeded the rate limit")
	case err != nil:
		refuse(http.StatusInternalServerError, "Internal error")
	}
}

// ErrBusy makes a server answer that it has not done a request, and may do it later.
var ErrBusy = errors.New("busy")

// put writes the second part of an upload under the name in the first part.
func (g *Google) put(w http.ResponseWriter, r *http.Request, cond store.Condition) error {
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	var parts [2][]byte
	reader := multipart.NewReader(r.Body, params["boundary"])
	for i := range parts {
		part, err := reader.NextPart()
		if err != nil {
			return err
		}
		if parts[i], err = io.ReadAll(part); err != nil {
			return err
		}
	}
	var about struct{ Name, CacheControl string }
	if err := json.Unmarshal(parts[0], &about); err != nil || about.CacheControl != "no-store" {
		return errors.Join(err, ErrDenied)
	}
	generation, err := g.Objects.Put(r.Context(), about.Name, parts[1], cond)
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(map[string]string{"name": about.Name, "generation": generation})
}

// list answers from startOffset on, that name included.
func (g *Google) list(w http.ResponseWriter, r *http.Request) error {
	type item struct {
		Name       string    `json:"name"`
		Generation string    `json:"generation"`
		Size       string    `json:"size"`
		Updated    time.Time `json:"updated"`
	}
	q := r.URL.Query()
	limit, err := strconv.Atoi(q.Get("maxResults"))
	if err != nil {
		return err
	}
	start := q.Get("pageToken")
	if offset := q.Get("startOffset"); start == "" && offset != "" {
		start = before(offset)
	}
	page, err := g.Objects.List(r.Context(), q.Get("prefix"), store.ListOptions{After: start,
		Folders: q.Get("delimiter") == "/", Limit: limit})
	if err != nil {
		return err
	}
	answer := struct {
		Items         []item   `json:"items,omitempty"`
		Prefixes      []string `json:"prefixes,omitempty"`
		NextPageToken string   `json:"nextPageToken,omitempty"`
	}{Prefixes: page.Prefixes, NextPageToken: page.After}
	for _, o := range page.Objects {
		answer.Items = append(answer.Items, item{o.Key, o.ETag, strconv.FormatInt(o.Size, 10), o.Modified})
	}
	return json.NewEncoder(w).Encode(answer)
}

// before is a text in front of s with no name of a test's object between them.
func before(s string) string { return s[:len(s)-1] + string([]byte{s[len(s)-1] - 1}) + "\xff" }
