package harness

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
)

// Cutting passes connections on to the servers of a fleet, and ends each after a number of bytes in either direction.
func Cutting(t testing.TB, to *Fleet, seed uint64, least, most int64) net.Addr {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	t.Cleanup(func() {
		_ = listener.Close()
		running.Wait()
	})
	random := rand.New(rand.NewPCG(seed, 78))
	running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			up, down := least+random.Int64N(most-least), least+random.Int64N(most-least)
			running.Go(func() { passOn(client, to, up, down) })
		}
	})
	return listener.Addr()
}

// passOn passes bytes on between a client and one of the servers, until so many have gone up, or down.
func passOn(client net.Conn, to *Fleet, up, down int64) {
	server, err := to.dial(context.Background())
	if err != nil {
		_ = client.Close()
		return
	}
	var once sync.Once
	end := func() {
		once.Do(func() {
			_ = client.Close()
			_ = server.Close()
		})
	}
	var both sync.WaitGroup
	both.Go(func() {
		_, _ = io.CopyN(server, client, up)
		end()
	})
	both.Go(func() {
		_, _ = io.CopyN(client, server, down)
		end()
	})
	both.Wait()
}

// A Gate passes connections on to an address, as long as it is open. While it is shut, what is sent waits, as over a
// network that has been cut.
type Gate struct {
	Addr net.Addr

	mu   sync.Mutex
	open *sync.Cond
	shut bool
}

// NewGate opens a gate until the test ends.
func NewGate(t testing.TB, to string) *Gate {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &Gate{Addr: listener.Addr()}
	g.open = sync.NewCond(&g.mu)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go g.passOn(client, to)
		}
	}()
	return g
}

// passOn passes a connection on, both ways.
func (g *Gate) passOn(client net.Conn, to string) {
	defer client.Close()
	g.wait()
	server, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		_, _ = io.Copy(server, gated{client, g})
		_ = server.Close()
	}()
	_, _ = io.Copy(client, gated{server, g})
}

// gated reads what comes through a gate.
type gated struct {
	io.Reader
	gate *Gate
}

// Read implements io.Reader.
func (r gated) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	r.gate.wait()
	return n, err
}

// wait returns when the gate is open.
func (g *Gate) wait() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.shut {
		g.open.Wait()
	}
}

// Shut shuts the gate.
func (g *Gate) Shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = true
}

// Open opens the gate again.
func (g *Gate) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = false
	g.open.Broadcast()
}
