package buckets

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/signer"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
)

var s3Server = flag.String("s3-server", "", "the program of versitygw, an S3 server, to run the tests over")

const realAccess, realSecret, realBucket = "key", "secretsecret", "real-shelf"

// real is an S3 server with an empty bucket.
type real struct{ url string }

// realServer starts the server that -s3-server names, until the test ends.
func realServer(t testing.TB) *real {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	objects, sidecar := t.TempDir(), t.TempDir()
	var log bytes.Buffer
	server := exec.Command(*s3Server, "--access", realAccess, "--secret", realSecret, "--port", address, "--quiet",
		"posix", "--sidecar", sidecar, objects)
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	r := &real{url: "http://" + address}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if err = r.makeBucket(); err == nil {
			return r
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func (r *real) makeBucket() error {
	req, err := http.NewRequest(http.MethodPut, r.url+"/"+realBucket, http.NoBody)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(nil)
	req.Header.Set("X-Amz-Content-Sha256", hex.EncodeToString(sum[:]))
	req = signer.SignV4(*req, realAccess, realSecret, "", "us-east-1")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("a bucket can't be made: %s", resp.Status)
	}
	return nil
}

// open is the server's bucket, with a prefix before each key.
func (r *real) open(t testing.TB, prefix string) store.Store {
	t.Helper()
	s, err := store.NewS3(store.S3Options{Bucket: realBucket, Prefix: prefix, Endpoint: r.url,
		Credentials: credentials.NewStaticV4(realAccess, realSecret, "")})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRealServer: a real S3 server keeps to the contract of a store, and a table lies in it without anything between.
func TestRealServer(t *testing.T) {
	if *s3Server == "" {
		t.Skip("no -s3-server is given")
	}
	r := realServer(t)
	storetest.Run(t, func(t *testing.T) store.Store { return r.open(t, t.Name()+"/") })
	b := start(t, nil)
	t.Setenv("AWS_ACCESS_KEY_ID", realAccess)
	t.Setenv("AWS_SECRET_ACCESS_KEY", realSecret)
	b.goesThrough("s3://" + realBucket + "/direct?endpoint=" + strings.ReplaceAll(r.url, ":", "%3A"))
	page, err := r.open(t, "direct/").List(context.Background(), "pets/data/", store.ListOptions{})
	if err != nil || len(page.Objects) > 0 {
		t.Errorf("%d documents are left, %v", len(page.Objects), err)
	}
}

// TestClouds: tables lie in buckets of Google's and containers of Azure's, which are found by the environment alone.
func TestClouds(t *testing.T) {
	b := start(t, nil)
	googles, azures := storetest.NewVersions(), storetest.NewVersions()
	t.Setenv("STORAGE_EMULATOR_HOST", storetest.NewGoogle(t, "shelf", googles).URL)
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", storetest.NewAzure(t, "shelf", azures).ConnectionString())
	for _, cloud := range []struct {
		connection string
		objects    store.Store
	}{{"gs://shelf/direct", googles}, {"azblob://shelf/direct?account=shelves", azures}} {
		b.goesThrough(cloud.connection)
		page, err := cloud.objects.List(context.Background(), "direct/pets/data/", store.ListOptions{})
		if err != nil || len(page.Objects) > 0 {
			t.Errorf("%s: %d documents are left, %v", cloud.connection, len(page.Objects), err)
		}
		b.fails("CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE=BUCKET CONNECTION='"+
			strings.Replace(cloud.connection, "shelf", "nowhere", 1)+"'", 1429, "refused")
		b.run("DROP TABLE pets")
	}
}

// goesThrough makes a table with documents of strange names in a bucket, changes it, and leaves it empty.
func (b *bucket) goesThrough(connection string) {
	b.t.Helper()
	b.run("CREATE TABLE pets (_id VARCHAR(255) PRIMARY KEY, _doc JSON, KEY kind_1_n_1 (kind, n)) ENGINE=BUCKET " +
		"CONNECTION='" + connection + "'")
	ids := []string{"plain", "with space", "ä/ö", "100%", "a+b", "a&b=c", "'quoted'", "#?*", `\\`,
		"~!()", "日本", "%2F", "|",
		".", "..", "😀"}
	for i, id := range ids {
		b.run(fmt.Sprintf("INSERT INTO pets (_id, kind, n) VALUES ('%s', '%s', %d)", strings.ReplaceAll(id, "'", "''"),
			strings.ReplaceAll(ids[i%3], "'", "''"), i))
	}
	b.is("SELECT COUNT(*), SUM(n) FROM pets", fmt.Sprint(len(ids), " ", len(ids)*(len(ids)-1)/2))
	for i, id := range ids {
		b.is("SELECT n FROM pets WHERE _id = '"+strings.ReplaceAll(id, "'", "''")+"'", fmt.Sprint(i))
	}
	b.is("SELECT n FROM pets WHERE kind = 'with space' ORDER BY n DESC LIMIT 3", "13; 10; 7")
	b.is("SELECT n FROM pets WHERE kind = 'ä/ö' AND n < 6 ORDER BY n", "2; 5")
	b.fails("INSERT INTO pets (_id) VALUES ('100%')", 1062, "")
	b.run("UPDATE pets SET kind = '|%' WHERE n < 4", "DELETE FROM pets WHERE n > 9")
	b.is("SELECT COUNT(*) FROM pets WHERE kind = '|%'", "4")
	b.run("SET sqlfdb_bulk_writes = batched", "INSERT INTO pets (_id, kind, n) "+numbers(1200)+
		"CONCAT('m', i), CONCAT('k', i % 10), i FROM s")
	b.is("SELECT COUNT(*) FROM pets", "1210")
	b.is("CHECK TABLE pets", "d.pets check status OK")
	b.run("TRUNCATE TABLE pets")
	b.is("CHECK TABLE pets", "d.pets check status OK")
}
