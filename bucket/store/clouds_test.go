package store_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
)

// failing is a store whose next requests fail as they are told.
type failing struct {
	store.Store
	next []error
	puts int
}

func (f *failing) fail() error {
	if len(f.next) == 0 {
		return nil
	}
	err := f.next[0]
	f.next = f.next[1:]
	return err
}

func (f *failing) Get(ctx context.Context, key, known string) (store.Object, error) {
	if err := f.fail(); err != nil {
		return store.Object{}, err
	}
	return f.Store.Get(ctx, key, known)
}

func (f *failing) Put(ctx context.Context, key string, body []byte, cond store.Condition) (string, error) {
	f.puts++
	if err := f.fail(); err != nil {
		return "", err
	}
	return f.Store.Put(ctx, key, body, cond)
}

// What is refused for good is not asked again, and says why; what the server can't do now is. A change whose outcome is
// not known is left to who made it.
func TestCloudsRefusals(t *testing.T) {
	ctx := context.Background()
	unknown := errors.New("no answer")
	for name, open := range map[string]func(*failing) (store.Store, func()){
		"google": func(f *failing) (store.Store, func()) {
			g := storetest.NewGoogle(t, "pets-bucket", f)
			return g.Open(t, ""), func() { g.Bucket = "another" }
		},
		"azure": func(f *failing) (store.Store, func()) {
			a := storetest.NewAzure(t, "pets-bucket", f)
			return a.Open(t, ""), func() { a.Container = "another" }
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := &failing{Store: storetest.NewVersions()}
			s, lose := open(f)
			f.next = []error{storetest.ErrBusy, storetest.ErrBusy}
			if _, err := s.Put(ctx, "k", []byte("1"), store.Condition{Absent: true}); err != nil || f.puts != 3 {
				t.Errorf("a Put of a busy server: %d times, %v", f.puts, err)
			}
			f.next = []error{unknown, unknown}
			if o, err := s.Get(ctx, "k", ""); err != nil || string(o.Body) != "1" {
				t.Errorf("a Get after two failures: %v", err)
			}
			f.puts, f.next = 0, []error{unknown}
			if _, err := s.Put(ctx, "k", nil, store.Condition{}); err == nil || store.Refused(err) || f.puts != 1 {
				t.Errorf("a Put without an answer: %d times, %v", f.puts, err)
			}
			f.puts, f.next = 0, []error{storetest.ErrDenied}
			if _, err := s.Put(ctx, "k", nil, store.Condition{}); !errors.Is(err, store.ErrRefused) || f.puts != 1 {
				t.Errorf("a Put that is denied: %d times, %v", f.puts, err)
			}
			lose()
			if _, err := s.Get(ctx, "k", ""); !errors.Is(err, store.ErrRefused) || errors.Is(err, store.ErrNotFound) {
				t.Errorf("Get from a bucket that is not there: %v", err)
			}
			if _, err := s.Put(ctx, "k", nil, store.Condition{}); !errors.Is(err, store.ErrRefused) {
				t.Errorf("Put into a bucket that is not there: %v", err)
			}
			if err := s.Delete(ctx, "k", store.Condition{}); err == nil && name == "azure" {
				t.Errorf("Delete in a bucket that is not there: %v", err)
			}
			if _, err := s.List(ctx, "", store.ListOptions{}); !errors.Is(err, store.ErrRefused) {
				t.Errorf("List of a bucket that is not there: %v", err)
			}
		})
	}
}

// A server that does not answer is given up. What it was asked to change may be changed, and no message has a secret.
func TestCloudsTimeOut(t *testing.T) {
	ctx := context.Background()
	over := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	defer server.Close()
	defer close(over)
	const timeout = 30 * time.Millisecond
	google, err := store.NewGoogle(store.GoogleOptions{Bucket: "pets-bucket", Emulator: server.URL, Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	azure, err := store.NewAzure(store.AzureOptions{Container: "pets", Account: "shelves", Endpoint: server.URL,
		SAS: "?sig=secret", Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []store.Store{google, azure} {
		_, err := s.Get(ctx, "k", "")
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: Get: %v", s, err)
		}
		_, err = s.Put(ctx, "k", nil, store.Condition{})
		if err == nil || store.Refused(err) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: Put: %v", s, err)
		}
	}
}

// TestGoogleCredentials: the file that the environment names is what a token is got with. Without one the request is
// refused, and nothing is asked of the bucket.
func TestGoogleCredentials(t *testing.T) {
	ctx := context.Background()
	bucket := storetest.NewGoogle(t, "pets-bucket", storetest.NewVersions())
	bucket.Token = "t0ken"
	asked := 0
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"access_token":"t0ken","token_type":"Bearer","expires_in":3600}`)
	}))
	defer tokens.Close()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "account.json")
	text, err := json.Marshal(map[string]string{"type": "service_account", "client_email": "a@b", "private_key_id": "1",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), "token_uri": tokens.URL})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", file)
	s, err := store.NewGoogle(store.GoogleOptions{Bucket: "pets-bucket", Endpoint: bucket.URL})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Put(ctx, "k", []byte("1"), store.Condition{}); err != nil {
			t.Fatal(err)
		}
	}
	if asked != 1 {
		t.Errorf("%d tokens for two requests", asked)
	}
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", file+".none")
	s, err = store.NewGoogle(store.GoogleOptions{Bucket: "pets-bucket", Endpoint: bucket.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(ctx, "k", nil, store.Condition{}); !errors.Is(err, store.ErrRefused) ||
		!strings.Contains(err.Error(), "no credentials") {
		t.Errorf("without credentials: %v", err)
	}
}

// TestAzureEnvironment: accounts, keys and endpoints are found by each of the names that Azure's tools have, and those
// of one account are not used for another.
func TestAzureEnvironment(t *testing.T) {
	ctx := context.Background()
	a := storetest.NewAzure(t, "pets-bucket", storetest.NewVersions())
	for _, env := range []map[string]string{
		{"AZURE_STORAGE_CONNECTION_STRING": a.ConnectionString()},
		{"AZURE_STORAGE_ACCOUNT": storetest.AzureAccount, "AZURE_STORAGE_KEY": storetest.AzureKey,
			"AZURE_STORAGE_SERVICE_ENDPOINT": a.URL + "/" + storetest.AzureAccount + "/"},
	} {
		t.Run("", func(t *testing.T) {
			for _, name := range []string{"AZURE_STORAGE_CONNECTION_STRING", "AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_KEY",
				"AZURE_STORAGE_SERVICE_ENDPOINT", "AZURE_STORAGE_SAS_TOKEN"} {
				t.Setenv(name, env[name])
			}
			for _, address := range []string{"azblob://pets-bucket/x", "azblob://pets-bucket/x?account=shelves"} {
				s, err := store.Open(address)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Put(ctx, "k", []byte("1"), store.Condition{}); err != nil {
					t.Errorf("%s: %v", address, err)
				}
				if s.String() != "azblob://pets-bucket/x?account=shelves" ||
					store.SameAddress(address) != store.SameAddress("azblob://pets-bucket/x/") {
					t.Errorf("%s is shown as %s, and is the same as %s", address, s, store.SameAddress(address))
				}
			}
			// Nothing is known of another account, and the login that is allowed is none.
			t.Setenv("AZURE_TOKEN_CREDENTIALS", "EnvironmentCredential")
			s, err := store.Open("azblob://pets-bucket/x?account=others")
			if err == nil {
				_, err = s.Get(ctx, "k", "")
			}
			if !store.Refused(err) && !errors.Is(err, store.ErrAddress) || errors.Is(err, store.ErrNotFound) {
				t.Errorf("another account is asked for at the first one's endpoint: %v", err)
			}
		})
	}
}
