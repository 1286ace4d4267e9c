package server

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"sync"
	"time"
)

// listeners takes the connections of several listeners: of an address, and of a socket in the file system.
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
	if err != nil || socket == "" {
		return tcp, err
	}
	unix, err := listenAt(socket)
	if err != nil {
		return nil, errors.Join(err, tcp.Close())
	}
	l := &listeners{Listener: tcp, all: []net.Listener{tcp, unix}}
	l.accepted, l.closed = make(chan acceptance), make(chan struct{})
	for _, one := range l.all {
		go l.take(one)
	}
	return l, nil
}

// listenAt listens at a socket of the file system. One that a server which is gone has left is taken away.
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
	// As with an address of this machine, it is the password that says who comes in.
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
