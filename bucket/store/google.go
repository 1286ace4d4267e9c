package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
)

// GoogleOptions are the place of a bucket of Google's, and its credentials.
type GoogleOptions struct {
	Bucket string
	Prefix string // of all keys; empty or ending in '/'
	// Emulator is the address of a server that stands for Google's and wants no credentials, with http:// or without.
	Emulator string
	Endpoint string // http(s)://HOST; Google's if empty
	// Timeout bounds a request; 10 s if 0.
	Timeout time.Duration
}

// Google is a bucket of Google's store, by its JSON API. An object's ETag is its generation: each write gives it
// another, even with the same body.
//
// Credentials are looked for as Google's tools do: in the file that GOOGLE_APPLICATION_CREDENTIALS names, in gcloud's
// file, and from the machine's metadata server. Requests are repeated as for S3.
type Google struct {
	o      GoogleOptions
	base   string // http(s)://HOST
	client *http.Client

	mu     sync.Mutex
	tokens oauth2.TokenSource // nil: not looked for yet
}

const googleScope = "https://www.googleapis.com/auth/devstorage.read_write"

var googleBucket = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$`)

// NewGoogle returns the store of a bucket. It makes no request.
func NewGoogle(o GoogleOptions) (*Google, error) {
	if !googleBucket.MatchString(o.Bucket) {
		return nil, fmt.Errorf("%w: %q is no name of a bucket", ErrAddress, o.Bucket)
	}
	o.Timeout = cmp.Or(o.Timeout, requestTimeout)
	g := &Google{o: o, base: cmp.Or(o.Endpoint, "https://storage.googleapis.com"), client: newClient()}
	if o.Emulator != "" {
		g.base = strings.TrimRight(o.Emulator, "/")
		if !strings.Contains(g.base, "://") {
			g.base = "http://" + g.base
		}
	}
	return g, nil
}

// emulator is where Google's own tools look for another server.
func emulator() string { return os.Getenv("STORAGE_EMULATOR_HOST") }

func (g *Google) String() string {
	return "gs://" + g.o.Bucket + "/" + strings.TrimSuffix(g.o.Prefix, "/")
}

// authorize signs a request.
func (g *Google) authorize(req *http.Request) error {
	if g.o.Emulator != "" {
		return nil
	}
	type result struct {
		token *oauth2.Token
		err   error
	}
	// Neither the search nor a token's renewal can be stopped. If a request does not wait for its end, later requests
	// use its result.
	done := make(chan result, 1)
	go func() {
		token, err := g.token()
		done <- result{token, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return fmt.Errorf("%w: no credentials: %w", ErrRefused, r.err)
		}
		r.token.SetAuthHeader(req)
		return nil
	case <-req.Context().Done():
		return fmt.Errorf("%w: no credentials: %w", ErrRefused, req.Context().Err())
	}
}

func (g *Google) token() (*oauth2.Token, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.tokens == nil {
		ctx := context.WithValue(context.Background(), oauth2.HTTPClient, &http.Client{Timeout: g.o.Timeout})
		found, err := google.FindDefaultCredentials(ctx, googleScope)
		if err != nil {
			return nil, err
		}
		g.tokens = found.TokenSource
	}
	return g.tokens.Token()
}

// object is the path of an object in the API.
func (g *Google) object(key string) string {
	return "/storage/v1/b/" + g.o.Bucket + "/o/" + url.PathEscape(g.o.Prefix+key)
}

// ask makes one request, and again while its answer allows it. missing is the error for a 404.
func (g *Google) ask(ctx context.Context, method, path, key string, query url.Values, contentType string, body []byte,
	missing error) (answer, error) {
	var a answer
	// 429 is also how more than a write of one object in a second is answered.
	busy := func(status int) bool { return status == http.StatusTooManyRequests }
	wait := 400 * time.Millisecond
	if method == http.MethodGet {
		wait = 50 * time.Millisecond
	}
	err := repeat(ctx, method == http.MethodGet, wait, busy, func(ctx context.Context) (int, error) {
		var err error
		a, err = g.once(ctx, method, path, query, contentType, body)
		return a.status, err
	})
	switch {
	case err != nil:
		return a, fmt.Errorf("%s %s: %w", strings.ToLower(method), key, withoutURL(err))
	case a.status < 300:
		return a, nil
	}
	// Why it failed is in JSON, or behind alt=media a text.
	f := failure{status: a.status, Message: string(a.body[:min(len(a.body), 300)])}
	var said struct{ Error struct{ Message string } }
	if json.Unmarshal(a.body, &said) == nil {
		f.Message = said.Error.Message
	}
	kind := ErrRefused
	switch {
	case a.status == http.StatusNotModified:
		kind = ErrNotModified
	case a.status == http.StatusNotFound && !strings.Contains(f.Message, "bucket does not exist"):
		kind = missing
	case a.status == http.StatusPreconditionFailed:
		kind = ErrPrecondition
	case a.status >= 500, a.status == http.StatusRequestTimeout:
		kind = nil
	}
	return a, f.error(method, key, kind)
}

func (g *Google) once(ctx context.Context, method, path string, query url.Values, contentType string,
	body []byte) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, g.o.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, g.base+path+"?"+query.Encode(), bytes.NewReader(body))
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if err := g.authorize(req); err != nil {
		return answer{}, err
	}
	resp, err := g.client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	text, err := readBody(resp.Body)
	return answer{status: resp.StatusCode, header: resp.Header, body: text}, err
}

// generation is the number of an ETag. An ETag that is no number is no object's; it becomes a number that no object
// has.
func generation(etag string) string {
	if _, err := strconv.ParseInt(etag, 10, 64); err != nil {
		return "1"
	}
	return etag
}

// query is a condition in Google's form: a missing object has the generation 0.
func (c Condition) query() url.Values {
	q := url.Values{}
	if c.Absent {
		q.Set("ifGenerationMatch", "0")
	} else if c.Match != "" {
		q.Set("ifGenerationMatch", generation(c.Match))
	}
	return q
}

// Get implements Store.
func (g *Google) Get(ctx context.Context, key, known string) (Object, error) {
	if len(g.o.Prefix+key) > maxKey {
		return Object{}, fmt.Errorf("get %s: %w", key, ErrNotFound)
	}
	query := url.Values{"alt": {"media"}}
	if known != "" {
		query.Set("ifGenerationNotMatch", generation(known))
	}
	a, err := g.ask(ctx, http.MethodGet, g.object(key), key, query, "", nil, ErrNotFound)
	if err != nil {
		return Object{}, err
	}
	o := Object{Body: a.body, Info: Info{Key: key, ETag: a.header.Get("X-Goog-Generation"), Size: int64(len(a.body))}}
	if o.ETag == "" {
		return Object{}, fmt.Errorf("get %s: the object store gave no generation", key)
	}
	o.Modified, o.Age = ageIn(a.header)
	return o, nil
}

// Put implements Store.
func (g *Google) Put(ctx context.Context, key string, body []byte, cond Condition) (string, error) {
	var text bytes.Buffer
	parts := multipart.NewWriter(&text)
	// Otherwise caches would keep public objects for an hour.
	about, err := json.Marshal(map[string]string{"name": g.o.Prefix + key, "cacheControl": "no-store"})
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrRefused, err)
	}
	for _, part := range [][]byte{about, body} {
		w, err := parts.CreatePart(textproto.MIMEHeader{"Content-Type": {"application/json"}})
		if err != nil {
			return "", fmt.Errorf("%w: %w", ErrRefused, err)
		}
		w.Write(part)
	}
	parts.Close()
	query := cond.query()
	query.Set("uploadType", "multipart")
	a, err := g.ask(ctx, http.MethodPost, "/upload/storage/v1/b/"+g.o.Bucket+"/o", key, query,
		"multipart/related; boundary="+parts.Boundary(), text.Bytes(), ErrRefused)
	if err != nil {
		return "", err
	}
	var made struct{ Generation string }
	if err := json.Unmarshal(a.body, &made); err != nil || made.Generation == "" {
		return "", fmt.Errorf("put %s: the object store gave no generation", key)
	}
	return made.Generation, nil
}

// Delete implements Store.
func (g *Google) Delete(ctx context.Context, key string, cond Condition) error {
	_, err := g.ask(ctx, http.MethodDelete, g.object(key), key, cond.query(), "", nil, ErrNotFound)
	return unlessGone(ctx, g, key, err)
}

// List implements Store.
func (g *Google) List(ctx context.Context, prefix string, o ListOptions) (Page, error) {
	limit := 1000
	if o.Limit > 0 {
		limit = min(o.Limit, limit)
	}
	query := url.Values{"prefix": {g.o.Prefix + prefix},
		"fields": {"nextPageToken,prefixes,items(name,generation,size,updated)"}}
	if o.Folders {
		query.Set("delimiter", "/")
	}
	if o.After != "" {
		query.Set("startOffset", g.o.Prefix+o.After)
		limit++ // it begins with that name itself
	}
	query.Set("maxResults", strconv.Itoa(min(limit, 1000)))
	for {
		a, err := g.ask(ctx, http.MethodGet, "/storage/v1/b/"+g.o.Bucket+"/o", prefix, query, "", nil, ErrRefused)
		if err != nil {
			return Page{}, err
		}
		page, next, err := g.page(a.body, o.After)
		if err != nil {
			return Page{}, fmt.Errorf("list %s: %w", prefix, err)
		}
		if next == "" || len(page.Objects)+len(page.Prefixes) > 0 {
			return page, nil
		}
		query.Set("pageToken", next) // a page may hold nothing and not be the last
	}
}

// page reads an answer to List, and the token of its next page.
func (g *Google) page(body []byte, after string) (Page, string, error) {
	var l struct {
		NextPageToken string
		Prefixes      []string
		Items         []struct {
			Name, Generation string
			Size             int64 `json:",string"`
			Updated          time.Time
		}
	}
	if err := json.Unmarshal(body, &l); err != nil {
		return Page{}, "", err
	}
	var page Page
	for _, i := range l.Items {
		key, ok := strings.CutPrefix(i.Name, g.o.Prefix)
		if !ok {
			return Page{}, "", fmt.Errorf("the store listed %q", i.Name)
		}
		if key != after {
			page.Objects = append(page.Objects, Info{Key: key, ETag: i.Generation, Size: i.Size, Modified: i.Updated})
		}
	}
	for _, p := range l.Prefixes {
		if key := strings.TrimPrefix(p, g.o.Prefix); folderEnd(key) != after {
			page.Prefixes = append(page.Prefixes, key)
		}
	}
	if l.NextPageToken != "" {
		page.After = page.last()
	}
	return page, l.NextPageToken, nil
}
