package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"
	"github.com/minio/minio-go/v7/pkg/signer"
)

const defaultRegion = "us-east-1"

// S3Options are the place of a bucket, and its credentials.
type S3Options struct {
	Bucket   string
	Prefix   string // of all keys; empty or ending in '/'
	Region   string // us-east-1 if empty
	Endpoint string // http(s)://HOST[:PORT]; Amazon's for the region if empty
	// Timeout bounds a request; 10 s if 0.
	Timeout time.Duration
	// Credentials sign the requests. If nil they are looked for as Amazon's tools do: in the environment, in the shared
	// file, from the machine's role.
	Credentials *credentials.Credentials
}

// S3 is a bucket of a store that speaks Amazon's protocol.
//
// Reads are repeated after a failure. Changes are repeated only after an answer that says that nothing was done:
// otherwise the caller knows best how to find out whether they were.
type S3 struct {
	o      S3Options
	base   string // URL of the bucket, without '/' at its end
	client *http.Client
}

// maxKey is how many bytes a key has at most.
const maxKey = 1024

// maxBody bounds the bytes that a Get reads.
const maxBody = 64 << 20

// NewS3 returns the store of a bucket. It makes no request.
func NewS3(o S3Options) (*S3, error) {
	if err := s3utils.CheckValidBucketNameStrict(o.Bucket); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAddress, err)
	}
	if o.Region == "" {
		o.Region = defaultRegion
	}
	if o.Timeout == 0 {
		o.Timeout = requestTimeout
	}
	if o.Credentials == nil {
		o.Credentials = credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{}})
	}
	s := &S3{o: o, client: newClient()}
	if o.Endpoint == "" {
		s.base = "https://" + o.Bucket + ".s3." + o.Region + ".amazonaws.com"
		if strings.Contains(o.Bucket, ".") { // no certificate is valid for such a host
			s.base = "https://s3." + o.Region + ".amazonaws.com/" + o.Bucket
		}
	} else {
		u, err := url.Parse(o.Endpoint)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || strings.Trim(u.Path,
			"/") != "" ||
			u.User != nil || u.RawQuery != "" {
			return nil, fmt.Errorf("%w: an endpoint is http://HOST or https://HOST", ErrAddress)
		}
		s.base = u.Scheme + "://" + u.Host + "/" + o.Bucket
	}
	return s, nil
}

func (s *S3) String() string {
	text := "s3://" + s.o.Bucket + "/" + strings.TrimSuffix(s.o.Prefix, "/") + "?region=" + url.QueryEscape(s.o.Region)
	if s.o.Endpoint != "" {
		text += "&endpoint=" + url.QueryEscape(s.o.Endpoint)
	}
	return text
}

// answer is the answer to a request, with its body.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// ask makes one request, and again while its answer allows it.
func (s *S3) ask(ctx context.Context, method, key string, query url.Values, header http.Header, body []byte) (answer,
	error) {
	var a answer
	busy := func(status int) bool {
		return status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests
	}
	err := repeat(ctx, method == http.MethodGet, 50*time.Millisecond, busy, func(ctx context.Context) (int, error) {
		var err error
		a, err = s.once(ctx, method, key, query, header, body)
		return a.status, err
	})
	if err != nil {
		return a, fmt.Errorf("%s %s: %w", strings.ToLower(method), key, err)
	}
	return a, s.fail(a, method, key)
}

// fail is the error in an answer; nil for none.
func (s *S3) fail(a answer, method, key string) error {
	if a.status < 300 {
		return nil
	}
	f := failure{status: a.status}
	_ = xml.Unmarshal(a.body, &f) // an answer without a body has its status only
	kind := ErrRefused
	switch {
	case a.status == http.StatusNotModified:
		kind = ErrNotModified
	case a.status == http.StatusNotFound && f.Code != "NoSuchBucket":
		kind = ErrNotFound
	case f.Code == "KeyTooLongError" && method == http.MethodGet: // nothing is there, nor will be
		kind = ErrNotFound
	case a.status == http.StatusPreconditionFailed, a.status == http.StatusConflict:
		kind = ErrPrecondition
	case a.status >= 500 && a.status != http.StatusServiceUnavailable:
		kind = nil
	}
	return f.error(method, key, kind)
}

func (s *S3) once(ctx context.Context, method, key string, query url.Values, header http.Header, body []byte) (answer,
	error) {
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	address := s.base + "/" + s3utils.EncodePath(key)
	if len(query) > 0 {
		address += "?" + s3utils.QueryEncode(query)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if body == nil {
		req.Body = http.NoBody
	}
	for name, values := range header {
		req.Header[name] = values
	}
	sum := sha256.Sum256(body)
	req.Header.Set("X-Amz-Content-Sha256", hex.EncodeToString(sum[:]))
	value, err := s.o.Credentials.GetWithContext(&credentials.CredContext{Client: s.client, Context: ctx})
	if err != nil {
		return answer{}, fmt.Errorf("%w: no credentials: %w", ErrRefused, err)
	}
	if !value.SignerType.IsAnonymous() {
		req = signer.SignV4(*req, value.AccessKeyID, value.SecretAccessKey, value.SessionToken, s.o.Region)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	text, err := readBody(resp.Body)
	return answer{status: resp.StatusCode, header: resp.Header, body: text}, err
}

// readBody reads the body of an answer.
func readBody(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxBody+1))
	if err == nil && len(text) > maxBody {
		err = fmt.Errorf("%w: the object is longer than %d bytes", ErrRefused, maxBody)
	}
	return text, err
}

func quote(etag string) string { return `"` + etag + `"` }

func (c Condition) header() http.Header {
	h := http.Header{}
	if c.Absent {
		h.Set("If-None-Match", "*")
	}
	if c.Match != "" {
		h.Set("If-Match", quote(c.Match))
	}
	return h
}

// Get implements Store.
func (s *S3) Get(ctx context.Context, key, known string) (Object, error) {
	if len(s.o.Prefix+key) > maxKey {
		return Object{}, fmt.Errorf("get %s: %w", key, ErrNotFound)
	}
	h := http.Header{}
	if known != "" {
		h.Set("If-None-Match", quote(known))
	}
	a, err := s.ask(ctx, http.MethodGet, s.o.Prefix+key, nil, h, nil)
	if err != nil {
		return Object{}, err
	}
	etag, err := tagIn(a, "get", key)
	if err != nil {
		return Object{}, err
	}
	o := Object{Info: Info{Key: key, ETag: etag, Size: int64(len(a.body))}, Body: a.body}
	o.Modified, o.Age = ageIn(a.header)
	return o, nil
}

// Put implements Store.
func (s *S3) Put(ctx context.Context, key string, body []byte, cond Condition) (string, error) {
	h := cond.header()
	h.Set("Content-Type", "application/json")
	a, err := s.ask(ctx, http.MethodPut, s.o.Prefix+key, nil, h, body)
	if err != nil {
		return "", missingIsChanged(err)
	}
	return tagIn(a, "put", key)
}

// unquoted removes the quotes of an ETag, and the prefix of proxies that compress bodies.
func unquoted(etag string) string { return strings.Trim(strings.TrimPrefix(etag, "W/"), `"`) }

// tagIn is the ETag of an answer. Without one no condition could be made.
func tagIn(a answer, what, key string) (string, error) {
	etag := unquoted(a.header.Get("ETag"))
	if etag == "" {
		return "", fmt.Errorf("%s %s: the object store gave no ETag", what, key)
	}
	return etag, nil
}

// missingIsChanged: If-Match on an object that is gone is answered by 404.
func missingIsChanged(err error) error {
	if errors.Is(err, ErrNotFound) {
		return fmt.Errorf("%w: %v", ErrPrecondition, err)
	}
	return err
}

// Delete implements Store.
func (s *S3) Delete(ctx context.Context, key string, cond Condition) error {
	_, err := s.ask(ctx, http.MethodDelete, s.o.Prefix+key, nil, cond.header(), nil)
	return unlessGone(ctx, s, key, err)
}

type listing struct {
	Contents []struct {
		Key          string
		ETag         string
		Size         int64
		LastModified time.Time
	}
	CommonPrefixes []struct{ Prefix string }
	IsTruncated    bool
	EncodingType   string
}

// List implements Store.
func (s *S3) List(ctx context.Context, prefix string, o ListOptions) (Page, error) {
	query := url.Values{"list-type": {"2"}, "prefix": {s.o.Prefix + prefix}, "encoding-type": {"url"}}
	if o.After != "" {
		query.Set("start-after", s.o.Prefix+o.After)
	}
	if o.Folders {
		query.Set("delimiter", "/")
	}
	if o.Limit > 0 {
		query.Set("max-keys", strconv.Itoa(o.Limit))
	}
	a, err := s.ask(ctx, http.MethodGet, "", query, nil, nil)
	if errors.Is(err, ErrNotFound) {
		return Page{}, fmt.Errorf("%w: %v", ErrRefused, err)
	}
	if err != nil {
		return Page{}, err
	}
	var l listing
	if err := xml.Unmarshal(a.body, &l); err != nil {
		return Page{}, fmt.Errorf("list %s: %w", prefix, err)
	}
	var page Page
	name := func(text string) (string, error) {
		key, err := text, error(nil)
		if l.EncodingType == "url" {
			key, err = url.QueryUnescape(text)
		}
		if err == nil && !strings.HasPrefix(key, s.o.Prefix) {
			err = fmt.Errorf("list %s: the store listed %q", prefix, key)
		}
		return strings.TrimPrefix(key, s.o.Prefix), err
	}
	for _, c := range l.Contents {
		key, err := name(c.Key)
		if err != nil {
			return Page{}, err
		}
		page.Objects = append(page.Objects, Info{Key: key, ETag: unquoted(c.ETag), Size: c.Size,
			Modified: c.LastModified})
	}
	for _, c := range l.CommonPrefixes {
		key, err := name(c.Prefix)
		if err != nil {
			return Page{}, err
		}
		page.Prefixes = append(page.Prefixes, key)
	}
	if l.IsTruncated {
		page.After = page.last()
	}
	return page, nil
}
