package sqltests

import (
	"context"
	"database/sql"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/server/secure"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// encrypted serves a store with a certificate.
func encrypted(t *testing.T, options server.Options) (address string) {
	t.Helper()
	certificate, err := secure.Ensure(filepath.Join(t.TempDir(), "cert.pem"))
	if err != nil {
		t.Fatal(err)
	}
	options.Certificate = certificate
	return harness.ServeStore(t, harness.NewStore(t), options).Addr().String()
}

// logIn opens one connection by a name of the driver's.
func logIn(t *testing.T, dsn string) (*sql.Conn, error) {
	t.Helper()
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	c, err := db.Conn(context.Background())
	if err == nil {
		t.Cleanup(func() { c.Close() })
	}
	return c, err
}

// TestEncryption: what goes over an encrypted connection is what goes over a plain one, and the session knows the
// cipher.
func TestEncryption(t *testing.T) {
	address := encrypted(t, server.Options{RootPassword: "p"})
	_, err := logIn(t, "root:wrong@tcp("+address+")/?tls=skip-verify")
	if err == nil || !strings.Contains(err.Error(), "1045") {
		t.Errorf("a wrong password: %v", err)
	}
	for _, parameters := range []string{"?tls=skip-verify", "?tls=skip-verify&interpolateParams=true", "?tls=false"} {
		c, err := logIn(t, "root:p@tcp("+address+")/"+parameters)
		if err != nil {
			t.Fatal(err)
		}
		cipher := harness.Query(c, "SHOW SESSION STATUS LIKE 'Ssl_cipher'")
		if strings.Contains(cipher, "TLS_") != strings.Contains(parameters, "verify") {
			t.Errorf("%s: %s", parameters, cipher)
		}
		harness.MustExec(t, c, "CREATE DATABASE e", "CREATE TABLE e.t (id INT PRIMARY KEY, s LONGTEXT)")
		long := strings.Repeat("x", 1<<20)
		if _, err := c.ExecContext(context.Background(), "INSERT INTO e.t VALUES (?, ?)", 1, long); err != nil {
			t.Error(err)
		}
		var got string
		err = c.QueryRowContext(context.Background(), "SELECT s FROM e.t WHERE id = ?", 1).Scan(&got)
		if err != nil || got != long {
			t.Errorf("%s: %d characters of %d: %v", parameters, len(got), len(long), err)
		}
		harness.MustExec(t, c, "DROP DATABASE e")
	}
}

// TestEncryptionRequired: without encryption nobody comes in, but by the socket of this machine.
func TestEncryptionRequired(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	address := encrypted(t, server.Options{RequireTLS: true, Socket: socket})
	_, err := logIn(t, "root@tcp("+address+")/")
	if err == nil || !strings.Contains(err.Error(), "3159") {
		t.Errorf("without encryption: %v", err)
	}
	for _, dsn := range []string{"root@tcp(" + address + ")/?tls=skip-verify", "root@unix(" + socket + ")/"} {
		c, err := logIn(t, dsn)
		if err != nil {
			t.Errorf("%s: %v", dsn, err)
			continue
		}
		harness.MustExec(t, c, "SELECT 1")
	}
}

// TestEncryptionOfClient: the mariadb client's own words about the connection.
func TestEncryptionOfClient(t *testing.T) {
	client, err := osexec.LookPath("mariadb")
	if err != nil {
		t.Skip("no mariadb client")
	}
	_, port, _ := strings.Cut(encrypted(t, server.Options{RequireTLS: true}), ":")
	run := func(port string, more ...string) string {
		arguments := append([]string{"--no-defaults", "-h127.0.0.1", "-P" + port, "-uroot"}, more...)
		out, _ := osexec.Command(client, arguments...).CombinedOutput()
		return string(out)
	}
	if got := run(port, "--ssl", "-e", `\s`); !strings.Contains(got, "Cipher in use is TLS_") {
		t.Errorf("with --ssl: %s", got)
	}
	if got := run(port, "--skip-ssl", "-e", "SELECT 1"); !strings.Contains(got, "3159") {
		t.Errorf("with --skip-ssl: %s", got)
	}
	_, plain, _ := strings.Cut(harness.ServeStore(t, harness.NewStore(t), server.Options{}).Addr().String(), ":")
	if got := run(plain, "--ssl-verify-server-cert", "-e", "SELECT 1"); !strings.Contains(got, "SSL is required") {
		t.Errorf("a server without a certificate: %s", got)
	}
}
