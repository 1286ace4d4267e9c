package server

import (
	"context"
	stdsql "database/sql"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	driver "github.com/go-sql-driver/mysql"
)

// wired opens one connection, and gives what is below its driver as well.
func wired(t *testing.T, s *Server) (*stdsql.Conn, net.Conn) {
	t.Helper()
	config := driver.NewConfig()
	config.User, config.Net, config.Addr, config.MaxAllowedPacket = "root", "tcp", s.Addr().String(), 1<<30
	var wire net.Conn
	config.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		var err error
		wire, err = (&net.Dialer{}).DialContext(ctx, network, addr)
		return wire, err
	}
	connector, err := driver.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	db := stdsql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return conn, wire
}

// TestHalfCommands: commands that are on their way have one bound for all clients, and a time.
func TestHalfCommands(t *testing.T) {
	s, _ := admissionServer(t, Options{StatementMemory: 64 << 20})
	conn, half := wired(t, s)
	defer conn.Close()
	const length = 10 << 20
	head := []byte{byte(length & 0xff), byte(length >> 8 & 0xff), byte(length >> 16), 0, 3}
	if _, err := half.Write(append(head, strings.Repeat("x", length/2)...)); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	other, _ := wired(t, s)
	long := "SELECT LENGTH('" + strings.Repeat("x", length) + "')"
	if err := other.QueryRowContext(ctx, long).Scan(new(int)); number(err) != 1041 {
		t.Errorf("one more: %v", err)
	}
	root, err := logIn(t, s, "root")
	if err != nil {
		t.Fatal(err)
	}
	globally(t, root, "SET GLOBAL net_read_timeout = 1") // the next part of the half one is waited for as long
	defer globally(t, root, "SET GLOBAL net_read_timeout = 30")
	if _, err := half.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	_ = half.SetReadDeadline(time.Now().Add(time.Minute))
	if n, err := io.Copy(io.Discard, half); err != nil {
		t.Errorf("the half one: %d bytes, %v", n, err)
	}
	again, _ := wired(t, s)
	var n int
	if err := again.QueryRowContext(ctx, long).Scan(&n); err != nil || n != length {
		t.Errorf("when it has gone: %d, %v", n, err)
	}
	time.Sleep(1500 * time.Millisecond) // longer than parts of packets are waited for
	if err := again.QueryRowContext(ctx, "SELECT 1").Scan(&n); err != nil {
		t.Errorf("who was quiet between commands: %v", err)
	}
}
