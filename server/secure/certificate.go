package secure

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
)

// Certificate is a server's certificate with its key, in files. It is safe for concurrent use.
type Certificate struct {
	cert, key string // files
	loaded    atomic.Pointer[tls.Config]
}

// Load reads a certificate and its key from files of PEM; both may be in one.
func Load(cert, key string) (*Certificate, error) {
	c := &Certificate{cert: cert, key: key}
	return c, c.Reload()
}

// Reload reads the files again, for connections that begin later. After an error they get the certificate that was
// read before.
func (c *Certificate) Reload() error {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return fmt.Errorf("secure: the certificate %s with the key %s: %w", c.cert, c.key, err)
	}
	c.loaded.Store(&tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12})
	return nil
}

// Config is the TLS configuration for connections.
func (c *Certificate) Config() *tls.Config { return c.loaded.Load() }

// Ensure loads the certificate in a file, which has its key too. Where there is no file, it makes both and keeps them.
func Ensure(file string) (*Certificate, error) {
	_, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		err = create(file)
	}
	if err != nil {
		return nil, fmt.Errorf("secure: the certificate %s: %w", file, err)
	}
	return Load(file, file)
}

// How long a certificate that the server makes itself is good: clients that check it at all were given it by hand.
const yearsGood = 20

// create makes a key and a certificate that it signs itself, in one file that its owner alone reads.
func create(file string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	number, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return err
	}
	names := []string{"localhost"}
	if host, err := os.Hostname(); err == nil && host != "" && host != names[0] {
		names = append(names, host)
	}
	now := time.Now()
	made := &x509.Certificate{
		SerialNumber: number, Subject: pkix.Name{CommonName: "sqlfdb"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(yearsGood, 0, 0),
		DNSNames: names, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA:        true, BasicConstraintsValid: true,
	}
	signed, err := x509.CreateCertificate(rand.Reader, made, made, &key.PublicKey, key)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...)
	// A file that is not whole would be found at the next start.
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = part.Write(text)
	err = errors.Join(err, part.Sync(), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return nil
}
