package storetest

import (
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/bucket/store"
)

// AzureAccount is the account of an Azure server, and AzureKey is its key.
const (
	AzureAccount = "shelves"
	AzureKey     = "c2VjcmV0"
)

// Azure speaks the part of Azure's protocol for blobs that package store uses, for one container. It has block blobs
// in one request, conditions, and lists whose next page has an opaque name. It refuses requests without a signature
// of its account, and computes none.
type Azure struct {
	*httptest.Server
	Container string
	Objects   store.Store
}

// NewAzure starts a server over s until the test ends.
func NewAzure(t testing.TB, container string, s store.Store) *Azure {
	a := &Azure{Container: container, Objects: s}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

// Open returns the container with prefix before each key.
func (a *Azure) Open(t testing.TB, prefix string) store.Store {
	t.Helper()
	s, err := store.NewAzure(store.AzureOptions{Container: a.Container, Prefix: prefix, Account: AzureAccount,
		Key: AzureKey, Endpoint: a.URL + "/" + AzureAccount})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ConnectionString is the value of AZURE_STORAGE_CONNECTION_STRING for the server.
func (a *Azure) ConnectionString() string {
	return "AccountName=" + AzureAccount + ";AccountKey=" + AzureKey + ";BlobEndpoint=" + a.URL + "/" + AzureAccount
}

func (a *Azure) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, code string) {
		w.Header().Set("x-ms-error-code", code)
		w.WriteHeader(status)
	}
	if !strings.HasPrefix(r.Header.Get("Authorization"), "SharedKey "+AzureAccount+":") {
		refuse(http.StatusForbidden, "AuthenticationFailed")
		return
	}
	container, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"+AzureAccount+"/"), "/")
	if container != a.Container {
		refuse(http.StatusNotFound, "ContainerNotFound")
		return
	}
	cond := store.Condition{Match: strings.Trim(r.Header.Get("If-Match"), `"`),
		Absent: r.Header.Get("If-None-Match") == "*"}
	var err error
	switch {
	case r.Method == http.MethodGet && r.URL.Query().Get("comp") == "list":
		err = a.list(w, r)
	case r.Method == http.MethodGet:
		var o store.Object
		if o, err = a.Objects.Get(r.Context(), key, strings.Trim(r.Header.Get("If-None-Match"), `"`)); err == nil {
			w.Header().Set("ETag", `"`+o.ETag+`"`)
			w.Header().Set("Last-Modified", o.Modified.UTC().Format(http.TimeFormat))
			w.Write(o.Body)
		}
	case r.Method == http.MethodPut && r.Header.Get("x-ms-blob-type") == "BlockBlob":
		var body []byte
		var etag string
		if body, err = io.ReadAll(r.Body); err == nil {
			if etag, err = a.Objects.Put(r.Context(), key, body, cond); err == nil {
				w.Header().Set("ETag", `"`+etag+`"`)
				w.WriteHeader(http.StatusCreated)
			} else if errors.Is(err, store.ErrPrecondition) && cond.Absent {
				refuse(http.StatusConflict, "BlobAlreadyExists")
				return
			}
		}
	case r.Method == http.MethodDelete:
		if _, err = a.Objects.Get(r.Context(), key, ""); err == nil {
			if err = a.Objects.Delete(r.Context(), key, cond); err == nil {
				w.WriteHeader(http.StatusAccepted)
			}
		}
	default:
		refuse(http.StatusMethodNotAllowed, "UnsupportedHttpVerb")
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		refuse(http.StatusNotFound, "BlobNotFound")
	case errors.Is(err, store.ErrNotModified):
		w.WriteHeader(http.StatusNotModified)
	case errors.Is(err, store.ErrPrecondition):
		refuse(http.StatusPreconditionFailed, "ConditionNotMet")
	case errors.Is(err, ErrDenied):
		refuse(http.StatusForbidden, "AuthorizationFailure")
	case errors.Is(err, ErrBusy):
		refuse(http.StatusServiceUnavailable, "ServerBusy")
	case err != nil:
		refuse(http.StatusInternalServerError, "InternalError")
	}
}

func (a *Azure) list(w http.ResponseWriter, r *http.Request) error {
	type properties struct {
		ETag          string `xml:"Etag"`
		ContentLength int64  `xml:"Content-Length"`
		LastModified  string `xml:"Last-Modified"`
	}
	type item struct {
		Name       string
		Properties properties
	}
	type prefix struct{ Name string }
	answer := struct {
		XMLName    xml.Name `xml:"EnumerationResults"`
		Blob       []item   `xml:"Blobs>Blob"`
		BlobPrefix []prefix `xml:"Blobs>BlobPrefix"`
		NextMarker string
	}{}
	q := r.URL.Query()
	after, err := base64.StdEncoding.DecodeString(q.Get("marker"))
	if err != nil {
		return err
	}
	limit, err := strconv.Atoi(q.Get("maxresults"))
	if err != nil {
		return err
	}
	page, err := a.Objects.List(r.Context(), q.Get("prefix"), store.ListOptions{After: string(after),
		Folders: q.Get("delimiter") == "/", Limit: limit})
	if err != nil {
		return err
	}
	for _, o := range page.Objects {
		answer.Blob = append(answer.Blob, item{o.Key, properties{o.ETag, o.Size,
			o.Modified.UTC().Format(http.TimeFormat)}})
	}
	for _, p := range page.Prefixes {
		answer.BlobPrefix = append(answer.BlobPrefix, prefix{p})
	}
	answer.NextMarker = base64.StdEncoding.EncodeToString([]byte(page.After))
	return xml.NewEncoder(w).Encode(answer)
}
