package server

import (
	"bufio"
	"bytes"
	"context"
	stdsql "database/sql"
	"io"
	"net"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// packetOf is a packet of the protocol.
func packetOf(number byte, payload string) []byte {
	n := len(payload)
	return append([]byte{byte(n), byte(n >> 8), byte(n >> 16), number}, payload...)
}

// readConn is a connection of which only reading is asked.
type readConn struct {
	net.Conn
	io.Reader
}

func (c readConn) Read(p []byte) (int, error) { return c.Reader.Read(p) }

func TestPreparedTextIsKept(t *testing.T) {
	prepare, query, execute := string(rune(mysql.ComPrepare)), string(rune(mysql.ComQuery)),
		string(rune(mysql.ComStmtExecute))
	long := strings.Repeat("x", longPacket)
	for _, test := range []struct {
		name     string
		in, want []byte
	}{
		{"nothing", nil, nil},
		{"prepared", packetOf(0, prepare+"SELECT ? MEMBER OF (j) FROM t"), packetOf(0, prepare+standIn)},
		{"several", bytes.Join([][]byte{packetOf(1, "\x16 handshake MEMBER OF (x)"), packetOf(0, prepare+"SELECT 1"),
			packetOf(0, prepare+"SELECT $a FROM t"), packetOf(0, "\x0e")}, nil),
			bytes.Join([][]byte{packetOf(1, "\x16 handshake MEMBER OF (x)"), packetOf(0, prepare+standIn),
				packetOf(0, prepare+standIn), packetOf(0, "\x0e")}, nil)},
		{"a query", packetOf(0, query+"SELECT ? MEMBER OF (j) FROM t"), packetOf(0, query+"SELECT ? MEMBER OF (j) FROM t")},
		{"no SQL", packetOf(0, prepare+"MEMBER OF $ (("), packetOf(0, prepare+standIn)},
		{"empty", append(packetOf(0, ""), packetOf(0, prepare)...), append(packetOf(0, ""), packetOf(0, prepare+standIn)...)},
		{"cut in the header", []byte{5, 0}, []byte{5, 0}},
		{"cut in the text", packetOf(0, prepare+"SELECT ? MEMBER OF (j)")[:12],
			packetOf(0, prepare+"SELECT ? MEMBER OF (j)")[:12]},
		{"a cursor", packetOf(0, execute+"\x07\x00\x00\x00\x01\x01\x00\x00\x00 parameters"),
			packetOf(0, execute+"\x07\x00\x00\x00\x00\x01\x00\x00\x00 parameters")},
		{"a cursor, cut", packetOf(0, execute+"\x07\x00\x00\x00\x01\x01")[:8],
			packetOf(0, execute+"\x07\x00\x00\x00\x01\x01")[:8]},
		{"too short for a cursor", append(packetOf(0, execute+"\x07\x00"), packetOf(0, query+"x")...),
			append(packetOf(0, execute+"\x07\x00"), packetOf(0, query+"x")...)},
		{"a cursor, long", append(packetOf(0, execute+"\x07\x00\x00\x00\x02"+long[6:]), packetOf(1, "x")...),
			append(packetOf(0, execute+"\x07\x00\x00\x00\x00"+long[6:]), packetOf(1, "x")...)},
		{"long", append(packetOf(0, long), packetOf(1, "MEMBER")...), append(packetOf(0, long), packetOf(1, "MEMBER")...)},
	} {
		for _, pieces := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader,
			iotest.HalfReader, iotest.DataErrReader} {
			if len(test.in) > longPacket {
				pieces = iotest.HalfReader
			}
			c := &commandConn{Conn: readConn{Reader: pieces(bytes.NewReader(test.in))}}
			c.in = bufio.NewReaderSize(c.Conn, 64)
			got, err := io.ReadAll(c)
			if err != nil && err != io.ErrUnexpectedEOF || !bytes.Equal(got, test.want) {
				t.Errorf("%s: %d bytes, %v; want %d", test.name, len(got), err, len(test.want))
			}
			if len(got) < 200 && !bytes.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		}
	}
}

// TestShortExecute: what is too short to ask for a cursor is handed on at once.
func TestShortExecute(t *testing.T) {
	client, server := net.Pipe()
	defer client.Close()
	defer server.Close()
	packet := packetOf(0, string(rune(mysql.ComStmtExecute))+"\x07\x00")
	go func() { _, _ = client.Write(packet) }()
	c := &commandConn{Conn: server, in: bufio.NewReader(server)}
	got := make([]byte, len(packet))
	if _, err := io.ReadFull(c, got); err != nil || !bytes.Equal(got, packet) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestPrepareWhatTheEngineCannotParse(t *testing.T) {
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s, err := Start(context.Background(), store, Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	db, err := stdsql.Open("mysql", "root@tcp("+s.Addr().String()+")/")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, stmt := range []string{"CREATE DATABASE d", "CREATE TABLE d.t (_id INT PRIMARY KEY, tags JSON, `$ref` INT)",
		`INSERT INTO d.t VALUES (1, '["x","y"]', 7), (2, '"x"', 8), (3, '[]', 9)`} {
		if _, err := db.Exec(stmt); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		query string
		args  []any
		want  string
	}{
		{"SELECT GROUP_CONCAT(_id ORDER BY _id) FROM d.t WHERE ? MEMBER OF (tags)", []any{"x"}, "1,2"},
		{"SELECT GROUP_CONCAT(_id ORDER BY _id) FROM d.t WHERE $ref > ?", []any{7}, "2,3"},
		{"SELECT JSON_VALUE(tags, ? RETURNING CHAR) FROM d.t WHERE _id = ?", []any{"$[1]", 1}, "y"},
	} {
		for range 2 {
			var got string
			if err := db.QueryRow(test.query, test.args...).Scan(&got); err != nil || got != test.want {
				t.Errorf("%s: %q, %v; want %q", test.query, got, err, test.want)
			}
		}
	}
	var none string
	if err := db.QueryRow("SELECT ? MEMBER tags FROM d.t", 1).Scan(&none); err == nil ||
		!strings.Contains(err.Error(), "syntax error") {
		t.Errorf("a statement that is no SQL: %v", err)
	}
	// What is written goes through the connection that bounds how long a client may not read.
	s.handler.mu.Lock()
	defer s.handler.mu.Unlock()
	for _, c := range s.handler.clients {
		if _, ok := c.conn.Conn.(*commandConn); !ok {
			t.Errorf("the protocol's connection is a %T", c.conn.Conn)
		}
	}
}
