package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"syscall"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sqlfdb/sqlfdb/console"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/server/secure"
)

const consoleFlag = "console"

// defaultConsole is where demo has its page.
const defaultConsole = "127.0.0.1:8306"

// beyond reports whether other machines reach the page's address.
func (f *serveFlags) beyond() bool {
	return errors.Is(server.CheckAddress(f.console, ""), server.ErrNoPassword)
}

// checkConsole refuses an address of the page that can't be had, before a store is opened or made.
func (f *serveFlags) checkConsole() error {
	if f.console == "" {
		return nil
	}
	if err := server.CheckAddress(f.console, f.rootPassword); err != nil {
		return fmt.Errorf("--console: %w", err)
	}
	if f.beyond() && f.tlsCert == "" && !f.tlsAuto {
		return fmt.Errorf("--console %s: other machines reach it, so it needs --tls-cert and --tls-key, or --tls-auto",
			f.console)
	}
	listener, err := f.listenConsole()
	if err != nil {
		return err
	}
	return listener.Close()
}

// listenConsole listens at the page's address. If the address is in use and was not given by a flag, it takes any
// other port.
func (f *serveFlags) listenConsole() (net.Listener, error) {
	listener, err := net.Listen("tcp", f.console)
	if errors.Is(err, syscall.EADDRINUSE) && !f.cmd.Flags().Changed(consoleFlag) {
		listener, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("--console: %s is taken (address already in use): give another address", f.console)
	}
	if err != nil {
		return nil, fmt.Errorf("--console: %w", err)
	}
	return listener, nil
}

// serveConsole serves the page, if an address is given. url is where it is.
func (f *serveFlags) serveConsole(s *server.Server, figures prometheus.Gatherer, certificate *secure.Certificate) (
	url string, stop func() error, err error) {
	if f.console == "" {
		return "", func() error { return nil }, nil
	}
	listener, err := f.listenConsole()
	if err != nil {
		return "", nil, err
	}
	options := console.Options{Figures: figures, Version: programVersion(),
		Dial: func(ctx context.Context, client net.Addr, encrypted *tls.ConnectionState) (net.Conn, error) {
			return s.Dial(ctx, server.Client{Address: client, Encrypted: encrypted})
		}}
	url = "http://" + listener.Addr().String() + "/"
	if a, ok := listener.Addr().(*net.TCPAddr); ok && a.IP.IsUnspecified() {
		url = fmt.Sprintf("http://localhost:%d/", a.Port)
	}
	if f.beyond() {
		options.TLS = certificate.Config
		url = "https" + url[len("http"):]
	}
	c := console.New(options)
	go func() {
		if err := c.Serve(listener); err != nil {
			f.log.WithError(err).Error("the console is not served")
		}
	}()
	return url, c.Close, nil
}
