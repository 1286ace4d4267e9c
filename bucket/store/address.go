package store

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Open returns the store of an address:
//
//	s3://BUCKET[/PREFIX][?region=REGION&endpoint=URL]
//	gs://BUCKET[/PREFIX]
//	azblob://CONTAINER[/PREFIX][?account=NAME]
//	file:///FOLDER or file:FOLDER, from the working directory
//	mem://NAME
//
// An address holds no secrets: one with a user or a password is refused. It fails with ErrAddress, and when a folder
// can't be made.
func Open(address string) (Store, error) {
	a, err := parse(address)
	if err != nil {
		return nil, err
	}
	switch a.scheme {
	case "s3":
		return NewS3(a.s3)
	case "gs":
		return NewGoogle(a.google)
	case "azblob":
		return NewAzure(a.azure)
	case "file":
		return NewDir(a.path)
	}
	return memNamed(a.path), nil
}

// SameAddress is one text for all addresses under which Open finds the same objects in the same way. An address that
// Open refuses stays as it is.
func SameAddress(address string) string {
	a, err := parse(address)
	if err != nil {
		return address
	}
	switch a.scheme {
	case "s3":
		endpoint := strings.TrimRight(a.s3.Endpoint, "/")
		if scheme, host, ok := strings.Cut(endpoint, "://"); ok {
			endpoint = strings.ToLower(scheme + "://" + host)
		}
		return fmt.Sprintf("s3://%s/%s?region=%s&endpoint=%s", a.s3.Bucket, a.s3.Prefix,
			url.QueryEscape(cmp.Or(a.s3.Region, defaultRegion)), url.QueryEscape(endpoint))
	case "gs":
		return "gs://" + a.google.Bucket + "/" + a.google.Prefix
	case "azblob":
		return "azblob://" + a.azure.Container + "/" + a.azure.Prefix + "?account=" + a.azure.Account
	case "file":
		return "file://" + realPath(a.path)
	}
	return "mem://" + a.path
}

// realPath is a path from the root, without links as far as its folders are there.
func realPath(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rest := ""
	for folder := path; ; folder = filepath.Dir(folder) {
		if found, err := filepath.EvalSymlinks(folder); err == nil {
			return filepath.Join(found, rest)
		}
		if folder == filepath.Dir(folder) {
			return path
		}
		rest = filepath.Join(filepath.Base(folder), rest)
	}
}

// parsed is an address that has been read.
type parsed struct {
	scheme string // s3, gs, azblob, file or mem
	s3     S3Options
	google GoogleOptions
	azure  AzureOptions
	path   string // a folder's, or the name of a store in memory
}

// parse reads an address.
func parse(address string) (parsed, error) {
	u, err := url.Parse(address)
	if err != nil {
		return parsed{}, fmt.Errorf("%w: not a URL", ErrAddress) // its text may hold a secret
	}
	if u.User != nil {
		return parsed{}, fmt.Errorf("%w: credentials come from the environment, not from an address", ErrAddress)
	}
	a := parsed{scheme: u.Scheme, path: u.Host + u.Path}
	query := u.Query()
	prefix := strings.Trim(u.Path, "/")
	if prefix != "" {
		prefix += "/"
	}
	switch u.Scheme {
	case "s3":
		a.s3 = S3Options{Bucket: u.Host, Prefix: prefix, Region: query.Get("region"), Endpoint: query.Get("endpoint")}
		query.Del("region")
		query.Del("endpoint")
		if a.s3.Region == "" {
			a.s3.Region = os.Getenv("AWS_REGION")
		}
		if a.s3.Endpoint == "" {
			a.s3.Endpoint = os.Getenv("AWS_ENDPOINT_URL_S3")
		}
	case "gs":
		a.google = GoogleOptions{Bucket: u.Host, Prefix: prefix, Emulator: emulator()}
	case "azblob":
		a.azure = azureEnvironment(AzureOptions{Container: u.Host, Prefix: prefix, Account: query.Get("account")})
		query.Del("account")
	case "file", "mem":
	default:
		return a, fmt.Errorf("%w: %q is none of s3://, gs://, azblob://, file:// and mem://", ErrAddress, u.Scheme+"://")
	}
	for name := range query {
		return a, fmt.Errorf("%w: %s:// has no option %q", ErrAddress, u.Scheme, name)
	}
	if u.Fragment != "" {
		return a, fmt.Errorf("%w: '#' begins no part of it", ErrAddress)
	}
	switch {
	case u.Scheme != "file":
	case u.Opaque != "":
		a.path = u.Opaque
	case u.Host != "" || u.Path == "" || u.Path == "/":
		return a, fmt.Errorf("%w: a folder is file:///FOLDER or file:FOLDER", ErrAddress)
	}
	return a, nil
}
