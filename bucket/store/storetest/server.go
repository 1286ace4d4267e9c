package storetest

import (
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/sqlfdb/sqlfdb/bucket/store"
)

// Server speaks the part of Amazon's protocol that package store uses, for one bucket. It keeps the objects in a store,
// and refuses requests without a signature; it does not compute signatures.
type Server struct {
	*httptest.Server
	Bucket  string
	Objects store.Store
}

// NewServer starts a server over s until the test ends.
func NewServer(t testing.TB, bucket string, s store.Store) *Server {
	srv := &Server{Bucket: bucket, Objects: s}
	srv.Server = httptest.NewServer(srv)
	t.Cleanup(srv.Close)
	return srv
}

// Open returns the bucket with prefix before each key.
func (s *Server) Open(t testing.TB, prefix string) store.Store {
	t.Helper()
	st, err := store.NewS3(store.S3Options{Bucket: s.Bucket, Prefix: prefix, Endpoint: s.URL,
		Credentials: credentials.NewStaticV4("key", "secret", "")})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// ErrDenied makes a Server refuse a request, which has done nothing then.
var ErrDenied = errors.New("access denied")

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, code string) {
		w.WriteHeader(status)
		xml.NewEncoder(w).Encode(struct {
			XMLName xml.Name `xml:"Error"`
			Code    string
		}{Code: code})
	}
	if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=key/") ||
		r.Header.Get("X-Amz-Content-Sha256") == "" {
		refuse(http.StatusForbidden, "AccessDenied")
		return
	}
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if bucket != s.Bucket {
		refuse(http.StatusNotFound, "NoSuchBucket")
		return
	}
	if r.Method == http.MethodGet && r.URL.Query().Get("list-type") == "2" {
		s.list(w, r)
		return
	}
	cond := store.Condition{Match: strings.Trim(r.Header.Get("If-Match"), `"`),
		Absent: r.Header.Get("If-None-Match") == "*"}
	var err error
	switch r.Method {
	case http.MethodGet:
		var o store.Object
		if o, err = s.Objects.Get(r.Context(), key, strings.Trim(r.Header.Get("If-None-Match"), `"`)); err == nil {
			w.Header().Set("ETag", `"`+o.ETag+`"`)
			w.Header().Set("Last-Modified", o.Modified.UTC().Format(http.TimeFormat))
			w.Write(o.Body)
		}
	case http.MethodPut:
		var body []byte
		var etag string
		if body, err = io.ReadAll(r.Body); err == nil {
			if etag, err = s.Objects.Put(r.Context(), key, body, cond); err == nil {
				w.Header().Set("ETag", `"`+etag+`"`)
			}
		}
	case http.MethodDelete:
		if err = s.Objects.Delete(r.Context(), key, cond); err == nil {
			w.WriteHeader(http.StatusNoContent)
		}
	default:
		refuse(http.StatusMethodNotAllowed, "MethodNotAllowed")
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		refuse(http.StatusNotFound, "NoSuchKey")
	case errors.Is(err, store.ErrNotModified):
		w.WriteHeader(http.StatusNotModified)
	case errors.Is(err, store.ErrPrecondition):
		refuse(http.StatusPreconditionFailed, "PreconditionFailed")
	case errors.Is(err, ErrDenied):
		refuse(http.StatusForbidden, "AccessDenied")
	case err != nil:
		refuse(http.StatusInternalServerError, "InternalError")
	}
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, _ := strconv.Atoi(q.Get("max-keys"))
	page, err := s.Objects.List(r.Context(), q.Get("prefix"), store.ListOptions{
		After: q.Get("start-after"), Folders: q.Get("delimiter") == "/", Limit: limit})
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	type content struct {
		Key, ETag    string
		Size         int64
		LastModified time.Time
	}
	type prefix struct{ Prefix string }
	answer := struct {
		XMLName        xml.Name `xml:"ListBucketResult"`
		IsTruncated    bool
		EncodingType   string
		Contents       []content
		CommonPrefixes []prefix
	}{IsTruncated: page.After != "", EncodingType: q.Get("encoding-type")}
	for _, o := range page.Objects {
		answer.Contents = append(answer.Contents, content{url.QueryEscape(o.Key), `"` + o.ETag + `"`, o.Size,
			o.Modified.UTC()})
	}
	for _, p := range page.Prefixes {
		answer.CommonPrefixes = append(answer.CommonPrefixes, prefix{url.QueryEscape(p)})
	}
	xml.NewEncoder(w).Encode(answer)
}
