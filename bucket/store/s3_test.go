package store_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/sqlfdb/sqlfdb/bucket/store"
)

// answering is the store of a server that answers as it is told.
func answering(t *testing.T, answer http.HandlerFunc) store.Store {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	s, err := store.NewS3(store.S3Options{Bucket: "pets-bucket", Endpoint: server.URL,
		Credentials: credentials.NewStaticV4("id", "secret", "")})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Keys are decoded if the server says that they are encoded, and only then.
func TestS3KeysAreDecodedIfEncoded(t *testing.T) {
	for encoding, want := range map[string]string{"<EncodingType>url</EncodingType>": "a b%", "": "a+b%25"} {
		s := answering(t, func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "<ListBucketResult>"+encoding+
				`<Contents><Key>a+b%25</Key><ETag>W/"1"</ETag></Contents></ListBucketResult>`)
		})
		page, err := s.List(context.Background(), "a", store.ListOptions{})
		if err != nil || len(page.Objects) != 1 || page.Objects[0].Key != want || page.Objects[0].ETag != "1" {
			t.Errorf("%q: %+v, %v, want %s", encoding, page.Objects, err, want)
		}
	}
}

// Bodies are not asked for in packed form, an ETag that is called weak on the way is the object's, none is an error.
func TestS3ETags(t *testing.T) {
	ctx := context.Background()
	for header, want := range map[string]string{`"abc"`: "abc", `W/"abc"`: "abc", "": ""} {
		s := answering(t, func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get("Accept-Encoding"); strings.Contains(got, "gzip") {
				t.Errorf("it asks for %s", got)
			}
			if header != "" {
				w.Header().Set("ETag", header)
			}
			io.WriteString(w, "{}")
		})
		o, err := s.Get(ctx, "a", "")
		if o.ETag != want || (err == nil) != (want != "") {
			t.Errorf("Get with %s: %q, %v", header, o.ETag, err)
		}
		etag, err := s.Put(ctx, "a", []byte("{}"), store.Condition{})
		if etag != want || (err == nil) != (want != "") || err != nil && store.Refused(err) {
			t.Errorf("Put with %s: %q, %v", header, etag, err)
		}
	}
}
