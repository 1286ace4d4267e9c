package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"sync"
	"time"

	"github.com/sqlfdb/sqlfdb/server/secure"
)

// listeners takes the connections of an address, of a socket in the file system, and from within the process.
type listeners struct {
	net.Listener // of the address
	all          []net.Listener
	accepted     chan acceptance
	closed       chan struct{}
	closing      sync.Once
}

type acceptance struct {
	conn net.Conn
	err  error
}

// listen listens at an address, and at a socket if one is named.
func listen(address, socket string) (net.Listener, error) {
	if address == "" {
		return &nobody{make(chan struct{})}, nil
	}
	tcp, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	l := &listeners{Listener: tcp, all: []net.Listener{tcp}}
	if socket != "" {
		unix, err := listenAt(socket)
		if err != nil {
			return nil, errors.Join(err, tcp.Close())
		}
		l.all = append(l.all, unix)
	}
	l.accepted, l.closed = make(chan acceptance), make(chan struct{})
	for _, one := range l.all {
		go l.take(one)
	}
	return l, nil
}

// Client is the remote client for which code within the process dials.
type Client struct {
	Address   net.Addr
	Encrypted *tls.ConnectionState // how the client's own connection is encrypted; nil: it is not
}

// errNoListener is of a server without an address: sessions begin by Connect.
var errNoListener = errors.New("server: it listens nowhere, so there is nothing to dial")

// Dial connects from within the process, for a client that logs in as all others do: with the rights of its account at
// its own address. Nobody can read along, so any of its passwords may be sent.
func (s *Server) Dial(ctx context.Context, client Client) (net.Conn, error) {
	l, ok := s.listener.(*listeners)
	if !ok {
		return nil, errNoListener
	}
	ours, theirs := net.Pipe()
	conn := &secure.Within{Conn: ours, Client: client.Address, Encrypted: client.Encrypted}
	select {
	case l.accepted <- acceptance{conn: conn}:
		return theirs, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// listenAt listens at a socket of the file system. A socket that an ended server has left is removed.
func listenAt(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil {
		if info.Mode()&fs.ModeSocket == 0 {
			return nil, fmt.Errorf("%s is no socket", path)
		}
		if c, err := net.DialTimeout("unix", path, time.Second); err == nil {
			_ = c.Close()
			return nil, fmt.Errorf("another server listens at %s", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	// As with an address of this machine, the password decides who comes in.
	return l, os.Chmod(path, 0o777)
}

// take takes the connections of one listener until it is closed.
func (l *listeners) take(one net.Listener) {
	for {
		c, err := one.Accept()
		select {
		case l.accepted <- acceptance{c, err}:
		case <-l.closed:
			if err == nil {
				_ = c.Close()
			}
			return
		}
		if errors.Is(err, net.ErrClosed) {
			return
		}
	}
}

// Accept implements net.Listener.
func (l *listeners) Accept() (net.Conn, error) {
	select {
	case a := <-l.accepted:
		return a.conn, a.err
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *listeners) Close() error {
	var err error
	l.closing.Do(func() {
		close(l.closed)
		for _, one := range l.all {
			err = errors.Join(err, one.Close())
		}
	})
	return err
}
