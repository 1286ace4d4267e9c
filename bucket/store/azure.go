package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
)

// AzureOptions are the place of a container of Azure's, and its credentials.
type AzureOptions struct {
	Container string
	Prefix    string // of all keys; empty or ending in '/'
	Account   string
	Endpoint  string // http(s)://HOST[/ACCOUNT]; Azure's for the account if empty
	// Key or SAS sign the requests. If both are empty a token is looked for as Azure's tools do: in the environment,
	// from the machine's identity, in the login of its command line.
	Key, SAS string
	// Timeout bounds a request; 10 s if 0.
	Timeout time.Duration
}

// Azure is a container of Azure's store of blobs. Each write gives an object another ETag, even if it writes the same
// body. Requests are repeated as for S3.
type Azure struct {
	o      AzureOptions
	client *container.Client
}

var (
	azureContainer = regexp.MustCompile(`^[a-z0-9](-?[a-z0-9]){2,62}$`)
	azureAccount   = regexp.MustCompile(`^[a-z0-9]{3,24}$`)
)

// NewAzure returns the store of a container. It makes no request.
func NewAzure(o AzureOptions) (*Azure, error) {
	if !azureContainer.MatchString(o.Container) {
		return nil, fmt.Errorf("%w: %q is no name of a container", ErrAddress, o.Container)
	}
	if !azureAccount.MatchString(o.Account) {
		return nil, fmt.Errorf("%w: azblob:// wants ?account=NAME, or AZURE_STORAGE_ACCOUNT in the environment", ErrAddress)
	}
	o.Timeout = cmp.Or(o.Timeout, requestTimeout)
	endpoint := strings.TrimRight(cmp.Or(o.Endpoint, "https://"+o.Account+".blob.core.windows.net"), "/")
	address := endpoint + "/" + o.Container
	options := &container.ClientOptions{ClientOptions: azcore.ClientOptions{Transport: newClient(),
		Retry: policy.RetryOptions{MaxRetries: -1}, Telemetry: policy.TelemetryOptions{Disabled: true}}}
	a := &Azure{o: o}
	var err error
	switch {
	case o.Key != "":
		var key *container.SharedKeyCredential
		if key, err = container.NewSharedKeyCredential(o.Account, o.Key); err == nil {
			a.client, err = container.NewClientWithSharedKeyCredential(address, key, options)
		}
	case o.SAS != "":
		a.client, err = container.NewClientWithNoCredential(address+"?"+strings.TrimPrefix(o.SAS, "?"), options)
	default:
		var login *azidentity.DefaultAzureCredential
		if login, err = azidentity.NewDefaultAzureCredential(nil); err == nil {
			a.client, err = container.NewClient(address, login, options)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: credentials of Azure that can't be used", ErrAddress) // it may name them
	}
	return a, nil
}

// azureEnvironment fills in an account's settings from the environment, by the names of Azure's own tools. Its key
// and its endpoint are for its own account alone.
func azureEnvironment(o AzureOptions) AzureOptions {
	account, key := os.Getenv("AZURE_STORAGE_ACCOUNT"), os.Getenv("AZURE_STORAGE_KEY")
	sas, endpoint := os.Getenv("AZURE_STORAGE_SAS_TOKEN"), os.Getenv("AZURE_STORAGE_SERVICE_ENDPOINT")
	scheme, suffix := "https", ""
	for _, part := range strings.Split(os.Getenv("AZURE_STORAGE_CONNECTION_STRING"), ";") {
		name, value, _ := strings.Cut(part, "=")
		switch strings.TrimSpace(name) {
		case "AccountName":
			account = value
		case "AccountKey":
			key = value
		case "SharedAccessSignature":
			sas = value
		case "BlobEndpoint":
			endpoint = value
		case "DefaultEndpointsProtocol":
			scheme = value
		case "EndpointSuffix":
			suffix = value
		}
	}
	if endpoint == "" && suffix != "" && account != "" {
		endpoint = scheme + "://" + account + ".blob." + suffix
	}
	if host, _, is := strings.Cut(strings.TrimPrefix(endpoint, "https://"), "."); is && account == "" {
		account = host // a connection string with a signature need not name it
	}
	if o.Account = cmp.Or(o.Account, account); o.Account == account {
		o.Key, o.SAS, o.Endpoint = key, sas, endpoint
	}
	return o
}

func (a *Azure) String() string {
	return "azblob://" + a.o.Container + "/" + strings.TrimSuffix(a.o.Prefix, "/") + "?account=" + a.o.Account
}

// ask makes one request, and again while its answer allows it.
func (a *Azure) ask(ctx context.Context, method, key string, request func(context.Context) error) error {
	var answered *azcore.ResponseError
	once := func(ctx context.Context) (int, error) {
		ctx, cancel := context.WithTimeout(ctx, a.o.Timeout)
		defer cancel()
		answered = nil
		err := request(ctx)
		if errors.As(err, &answered) {
			return answered.StatusCode, nil
		}
		return http.StatusOK, err
	}
	busy := func(status int) bool {
		return status == http.StatusTooManyRequests ||
			status == http.StatusServiceUnavailable && answered.ErrorCode == "ServerBusy"
	}
	err := repeat(ctx, method == http.MethodGet, 100*time.Millisecond, busy, once)
	if err != nil && !errors.Is(err, ErrNotModified) {
		return fmt.Errorf("%s %s: %w", strings.ToLower(method), key, azureFailure(err))
	}
	if answered == nil {
		return err
	}
	f := failure{status: answered.StatusCode, Code: answered.ErrorCode}
	kind := ErrRefused
	switch {
	case f.status == http.StatusNotFound && (f.Code == "BlobNotFound" || f.Code == ""):
		kind = ErrNotFound
	case f.Code == "ConditionNotMet", f.Code == "BlobAlreadyExists", f.Code == "TargetConditionNotMet":
		kind = ErrPrecondition
	case f.status >= 500 && f.Code != "ServerBusy":
		kind = nil
	}
	return f.error(method, key, kind)
}

// azureFailure is the error of a request without an answer: without its URL, which may hold a signature.
func azureFailure(err error) error {
	var login *azidentity.AuthenticationFailedError
	var none interface{ NonRetriable() }
	if errors.As(err, &login) || errors.As(err, &none) {
		return fmt.Errorf("%w: no credentials: %s", ErrRefused, oneLine(withoutURL(err).Error()))
	}
	return withoutURL(err)
}

// oneLine is a text of many lines, and of lines of dashes, in one.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ReplaceAll(text, "--", " "), unicode.IsSpace), " ")
}

func azureTag(etag string) *azcore.ETag { return to.Ptr(azcore.ETag(quote(etag))) }

func (c Condition) azure() *blob.AccessConditions {
	m := &blob.ModifiedAccessConditions{}
	if c.Absent {
		m.IfNoneMatch = to.Ptr(azcore.ETagAny)
	}
	if c.Match != "" {
		m.IfMatch = azureTag(c.Match)
	}
	return &blob.AccessConditions{ModifiedAccessConditions: m}
}

// azureETag is the ETag of an answer. Without one no condition could be made.
func azureETag(etag *azcore.ETag, what, key string) (string, error) {
	if etag == nil || *etag == "" {
		return "", fmt.Errorf("%s %s: the object store gave no ETag", what, key)
	}
	return unquoted(string(*etag)), nil
}

// Get implements Store.
func (a *Azure) Get(ctx context.Context, key, known string) (Object, error) {
	if len(a.o.Prefix+key) > maxKey {
		return Object{}, fmt.Errorf("get %s: %w", key, ErrNotFound)
	}
	options := &blob.DownloadStreamOptions{}
	if known != "" {
		options.AccessConditions = &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{
			IfNoneMatch: azureTag(known)}}
	}
	var o Object
	err := a.ask(ctx, http.MethodGet, key, func(ctx context.Context) error {
		var raw *http.Response
		resp, err := a.client.NewBlobClient(a.o.Prefix+key).DownloadStream(policy.WithCaptureResponse(ctx, &raw), options)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if raw.StatusCode == http.StatusNotModified { // to the library that is no error
			return ErrNotModified
		}
		body, err := readBody(resp.Body)
		if err != nil {
			return err
		}
		o = Object{Body: body, Info: Info{Key: key, Size: int64(len(body))}}
		if o.ETag, err = azureETag(resp.ETag, "get", key); err != nil {
			return err
		}
		if resp.LastModified != nil {
			o.Modified = *resp.LastModified
			if resp.Date != nil {
				o.Age = resp.Date.Sub(o.Modified)
			}
		}
		return nil
	})
	if err != nil {
		return Object{}, err
	}
	return o, nil
}

// Put implements Store.
func (a *Azure) Put(ctx context.Context, key string, body []byte, cond Condition) (string, error) {
	var etag *azcore.ETag
	err := a.ask(ctx, http.MethodPut, key, func(ctx context.Context) error {
		resp, err := a.client.NewBlockBlobClient(a.o.Prefix+key).Upload(ctx,
			streaming.NopCloser(bytes.NewReader(body)), &blockblob.UploadOptions{AccessConditions: cond.azure(),
				HTTPHeaders: &blob.HTTPHeaders{BlobContentType: to.Ptr("application/json")}})
		etag = resp.ETag
		return err
	})
	if err != nil {
		return "", missingIsChanged(err)
	}
	return azureETag(etag, "put", key)
}

// Delete implements Store.
func (a *Azure) Delete(ctx context.Context, key string, cond Condition) error {
	err := a.ask(ctx, http.MethodDelete, key, func(ctx context.Context) error {
		_, err := a.client.NewBlobClient(a.o.Prefix+key).Delete(ctx, &blob.DeleteOptions{AccessConditions: cond.azure(),
			DeleteSnapshots: to.Ptr(blob.DeleteSnapshotsOptionTypeInclude)})
		return err
	})
	return unlessGone(ctx, a, key, err)
}

// List implements Store. Azure has a name of its own for the next page, which is in Rest; without it the pages before
// are read once more.
func (a *Azure) List(ctx context.Context, prefix string, o ListOptions) (Page, error) {
	var marker *string
	if len(o.Rest) > 0 {
		marker = &o.Rest[0]
	}
	limit := 1000
	if o.Limit > 0 {
		limit = min(o.Limit, limit)
	}
	for {
		var page Page
		err := a.ask(ctx, http.MethodGet, prefix, func(ctx context.Context) (err error) {
			page, marker, err = a.page(ctx, a.o.Prefix+prefix, marker, int32(limit), o)
			return err
		})
		if errors.Is(err, ErrNotFound) {
			err = fmt.Errorf("%w: %v", ErrRefused, err)
		}
		if err != nil {
			return Page{}, err
		}
		if marker == nil || *marker == "" {
			return page, nil
		}
		if len(page.Objects)+len(page.Prefixes) > 0 {
			page.After, page.Rest = page.last(), []string{*marker}
			return page, nil
		}
	}
}

// page reads one page, without the keys up to o.After.
func (a *Azure) page(ctx context.Context, prefix string, marker *string, limit int32, o ListOptions) (Page, *string,
	error) {
	var page Page
	var items []*container.BlobItem
	var next *string
	if o.Folders {
		resp, err := a.client.NewListBlobsHierarchyPager("/", &container.ListBlobsHierarchyOptions{Prefix: &prefix,
			Marker: marker, MaxResults: &limit}).NextPage(ctx)
		if err != nil {
			return Page{}, marker, err
		}
		for _, p := range resp.Segment.BlobPrefixes {
			if key := strings.TrimPrefix(*p.Name, a.o.Prefix); folderEnd(key) > o.After {
				page.Prefixes = append(page.Prefixes, key)
			}
		}
		items, next = resp.Segment.BlobItems, resp.NextMarker
	} else {
		resp, err := a.client.NewListBlobsFlatPager(&container.ListBlobsFlatOptions{Prefix: &prefix, Marker: marker,
			MaxResults: &limit}).NextPage(ctx)
		if err != nil {
			return Page{}, marker, err
		}
		items, next = resp.Segment.BlobItems, resp.NextMarker
	}
	for _, i := range items {
		key := strings.TrimPrefix(*i.Name, a.o.Prefix)
		if key <= o.After {
			continue
		}
		etag, err := azureETag(i.Properties.ETag, "list", key)
		if err != nil {
			return Page{}, marker, err
		}
		page.Objects = append(page.Objects, Info{Key: key, ETag: etag, Size: *i.Properties.ContentLength,
			Modified: *i.Properties.LastModified})
	}
	return page, next, nil
}
