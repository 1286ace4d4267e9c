package secure

import (
	"bytes"
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"
)

// TestEnsure: a certificate is made once, for this machine, and its owner alone reads it; what can't be read later
// leaves the one that was.
func TestEnsure(t *testing.T) {
	file := filepath.Join(t.TempDir(), "store.tls.pem")
	made, err := Ensure(file)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	again, err := Ensure(file)
	if err != nil {
		t.Fatal(err)
	}
	one, two := made.Config().Certificates[0].Certificate[0], again.Config().Certificates[0].Certificate[0]
	if !bytes.Equal(one, two) {
		t.Error("another certificate at the second start")
	}
	cert, err := x509.ParseCertificate(one)
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"localhost", "127.0.0.1", "::1"} {
		if err := cert.VerifyHostname(host); err != nil {
			t.Error(err)
		}
	}
	if err := os.WriteFile(file, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := made.Reload(); err == nil || made.Config() == nil {
		t.Errorf("after a file that is no certificate: %v, %v", err, made.Config())
	}
}
