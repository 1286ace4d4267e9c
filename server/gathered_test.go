package server

import (
	"bytes"
	"io"
	"net"
	"testing"

	"github.com/dolthub/go-mysql-server/sql/variables"
	"github.com/dolthub/vitess/go/mysql"
)

// countedWrites counts the writes of a connection.
type countedWrites struct {
	net.Conn
	in     io.Reader
	writes [][]byte
}

func (c *countedWrites) Read(p []byte) (int, error) { return c.in.Read(p) }

func (c *countedWrites) Write(p []byte) (int, error) {
	c.writes = append(c.writes, bytes.Clone(p))
	return len(p), nil
}

// TestPreparedInOneWrite: the answer to a statement that is prepared, which the protocol's implementation writes packet
// by packet, is sent as one, before the next command is read. All other answers are sent as they are written.
func TestPreparedInOneWrite(t *testing.T) {
	variables.InitStatusVariables()
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	prepare := []byte("\x09\x00\x00\x00\x16SELECT ?")
	ping := []byte{1, 0, 0, 0, mysql.ComPing}
	wire := &countedWrites{Conn: near, in: bytes.NewReader(append(bytes.Clone(prepare), ping...))}
	c := newCommandConn(wire, nil)
	read := func(n int) {
		t.Helper()
		if _, err := io.ReadFull(c, make([]byte, n)); err != nil {
			t.Fatal(err)
		}
	}
	write := func(text string) {
		t.Helper()
		if n, err := c.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatalf("%d, %v", n, err)
		}
	}
	sent := func(want ...string) {
		t.Helper()
		got := make([]string, len(wire.writes))
		for i, w := range wire.writes {
			got[i] = string(w)
		}
		if len(got) != len(want) {
			t.Fatalf("%q, want %q", got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%q, want %q", got, want)
			}
		}
	}
	read(packetHeader + 1 + len(standIn))
	write("statement")
	write("parameter")
	sent()
	read(len(ping))
	sent("statementparameter")
	write("pong")
	sent("statementparameter", "pong")
}

// TestLongPreparedAnswer: an answer that is too long to be held is sent in parts, in order.
func TestLongPreparedAnswer(t *testing.T) {
	variables.InitStatusVariables()
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	wire := &countedWrites{Conn: near, in: bytes.NewReader([]byte("\x09\x00\x00\x00\x16SELECT ?"))}
	c := newCommandConn(wire, nil)
	if _, err := io.ReadFull(c, make([]byte, packetHeader+1+len(standIn))); err != nil {
		t.Fatal(err)
	}
	var want []byte
	for i := range 3000 {
		part := bytes.Repeat([]byte{byte(i)}, 40)
		want = append(want, part...)
		if _, err := c.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = c.Read(make([]byte, 1))
	if got := bytes.Join(wire.writes, nil); !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
}
