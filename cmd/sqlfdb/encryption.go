package main

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/sqlfdb/sqlfdb/server/secure"
)

// certificate is the certificate that the flags name; nil without any.
func (f *serveFlags) certificate() (*secure.Certificate, error) {
	switch {
	case (f.tlsCert == "") != (f.tlsKey == ""):
		return nil, errors.New("--tls-cert and --tls-key go together")
	case f.tlsCert != "" && f.tlsAuto:
		return nil, errors.New("--tls-auto makes what --tls-cert names: give one of them")
	case f.tlsCert != "":
		return secure.Load(f.tlsCert, f.tlsKey)
	case f.tlsAuto && isBucket(f.store):
		return nil, errors.New("--tls-auto keeps a certificate beside the store, and one in a bucket has no folder here: " +
			"give --tls-cert and --tls-key")
	case f.tlsAuto:
		_, place, _ := strings.Cut(f.store, ":")
		return secure.Ensure(filepath.Clean(place) + ".tls.pem")
	case f.requireTLS:
		return nil, errors.New("--require-tls needs --tls-cert and --tls-key, or --tls-auto")
	}
	return nil, nil
}

// reload makes SIGHUP read the certificate again, until stop is called.
func (f *serveFlags) reload(certificate *secure.Certificate) (stop func()) {
	if certificate == nil {
		return func() {}
	}
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGHUP)
	go func() {
		for range asked {
			if err := certificate.Reload(); err != nil {
				f.log.WithError(err).Error("the certificate is as it was")
			}
		}
	}()
	return func() {
		signal.Stop(asked)
		close(asked)
	}
}
