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
