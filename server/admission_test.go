package server

import (
	"bytes"
	"context"
	stdsql "database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	driver "github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// admissionServer serves a store in memory and returns what it logs.
func admissionServer(t *testing.T, options Options) (*Server, *logged) {
	t.Helper()
	store, err := pebblekv.Open("store", pebblekv.Options{FS: pebblekv.MemoryFS()})
	if err != nil {
		t.Fatal(err)
	}
	log := &logged{}
	options.Listen, options.Log = "127.0.0.1:0", log
	s, err := Start(context.Background(), store, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(context.Background()), store.Close()); err != nil {
			t.Error(err)
		}
	})
	return s, log
}

// logged is what a server logs.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// logIn opens one connection and keeps it.
func logIn(t *testing.T, s *Server, user string) (*stdsql.Conn, error) {
	t.Helper()
	db, err := stdsql.Open("mysql", user+"@tcp("+s.Addr().String()+")/?timeout=20s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db.Conn(context.Background())
}

// number is MySQL's number of an error.
func number(err error) uint16 {
	var e *driver.MySQLError
	if errors.As(err, &e) {
		return e.Number
	}
	return 0
}

func globally(t *testing.T, c *stdsql.Conn, statement string) {
	t.Helper()
	if _, err := c.ExecContext(context.Background(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// TestSilentConnections: those that say nothing keep nobody out, and end by themselves.
func TestSilentConnections(t *testing.T) {
	s, log := admissionServer(t, Options{})
	root, err := logIn(t, s, "root")
	if err != nil {
		t.Fatal(err)
	}
	globally(t, root, "SET GLOBAL connect_timeout = 2")
	defer globally(t, root, "SET GLOBAL connect_timeout = 10")
	var silent []net.Conn
	for range 3 * maxWaiting {
		c, err := net.Dial("tcp", s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		silent = append(silent, c)
	}
	if _, err := logIn(t, s, "root"); err != nil {
		t.Errorf("beside %d silent connections: %v", len(silent), err)
	}
	if !strings.Contains(log.String(), "have not logged in") {
		t.Errorf("nothing is said of them: %q", log)
	}
	for i, c := range silent {
		_ = c.SetReadDeadline(time.Now().Add(time.Minute))
		if _, err := io.Copy(io.Discard, c); errors.Is(err, context.DeadlineExceeded) || err != nil &&
			strings.Contains(err.Error(), "timeout") {
			t.Fatalf("silent connection %d is open for good", i)
		}
	}
}

// TestMaxConnections: one connection beyond the limit is root's, and the limit can be changed.
func TestMaxConnections(t *testing.T) {
	s, _ := admissionServer(t, Options{})
	root, err := logIn(t, s, "root")
	if err != nil {
		t.Fatal(err)
	}
	globally(t, root, "SET GLOBAL max_connections = 3")
	defer globally(t, root, "SET GLOBAL max_connections = 151")
	for i := range 3 {
		if _, err := logIn(t, s, "root"); err != nil {
			t.Fatalf("connection %d of 3, with root's: %v", i+2, err)
		}
	}
	if _, err := logIn(t, s, "root"); number(err) != 1040 {
		t.Errorf("one more: %v", err)
	}
	globally(t, root, "SET GLOBAL max_connections = 10")
	if _, err := logIn(t, s, "root"); err != nil {
		t.Errorf("below a higher limit: %v", err)
	}
	globally(t, root, "SET GLOBAL max_user_connections = 5")
	defer globally(t, root, "SET GLOBAL max_user_connections = 0")
	if _, err := logIn(t, s, "root"); number(err) != 1203 {
		t.Errorf("beyond max_user_connections: %v", err)
	}
}

func TestUnknownUser(t *testing.T) {
	s, _ := admissionServer(t, Options{})
	if _, err := logIn(t, s, "nobody"); number(err) != 1045 ||
		!strings.Contains(err.Error(), "'nobody'@'127.0.0.1' (using password: NO)") {
		t.Errorf("%v", err)
	}
}

// failing is a listener whose Accept fails for a while.
type failing struct {
	net.Listener
	mu    sync.Mutex
	times int
}

func (l *failing) Accept() (net.Conn, error) {
	l.mu.Lock()
	fails := l.times > 0
	l.times--
	l.mu.Unlock()
	if fails {
		return nil, errors.New("accept: too many open files")
	}
	return l.Listener.Accept()
}

func TestAcceptGoesOn(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	log := &logged{}
	to, err := NewLog(log, LogText, "")
	if err != nil {
		t.Fatal(err)
	}
	l := admitting{&failing{Listener: inner, times: 5}, newAdmission(to)}
	go func() {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err == nil {
			defer c.Close()
			_, _ = io.Copy(io.Discard, c)
		}
	}()
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Close()
	if !strings.Contains(log.String(), "too many open files") {
		t.Errorf("%q", log)
	}
	_ = inner.Close()
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("behind the end: %v", err)
	}
}

// TestLongPackets: a command beyond max_allowed_packet is not kept, nor is what a client sends before it has logged in.
func TestLongPackets(t *testing.T) {
	s, _ := admissionServer(t, Options{})
	root, err := logIn(t, s, "root")
	if err != nil {
		t.Fatal(err)
	}
	globally(t, root, "SET GLOBAL max_allowed_packet = 1048576")
	defer globally(t, root, "SET GLOBAL max_allowed_packet = 67108864")
	db, err := stdsql.Open("mysql", "root@tcp("+s.Addr().String()+")/?maxAllowedPacket=1073741824")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("SELECT 1 /*" + strings.Repeat("x", 20<<20) + "*/"); number(err) != 1153 {
		t.Errorf("20 MiB: %v", err)
	}
	if err := db.Ping(); err != nil {
		t.Errorf("behind it: %v", err)
	}
	c, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	greeting := make([]byte, 4)
	if _, err := io.ReadFull(c, greeting); err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(io.Discard, c, int64(greeting[0])); err != nil {
		t.Fatal(err)
	}
	long := packetOf(1, strings.Repeat("\xff", longPacket))
	_, _ = c.Write(long)
	_ = c.(*net.TCPConn).CloseWrite()
	answer, _ := io.ReadAll(c)
	if len(answer) < 7 || int(answer[5])|int(answer[6])<<8 != 1153 {
		t.Errorf("before the log-in: %q", answer)
	}
}

// TestChangeUser: COM_CHANGE_USER needs the right password, too.
func TestChangeUser(t *testing.T) {
	s, _ := admissionServer(t, Options{RootPassword: "secret"})
	for _, answer := range []string{"", "\x14aaaaaaaaaaaaaaaaaaaa"} {
		var wire *tapped
		driver.RegisterDialContext("tapped", func(ctx context.Context, addr string) (net.Conn, error) {
			c, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
			wire = &tapped{Conn: c}
			return wire, err
		})
		db, err := stdsql.Open("mysql", fmt.Sprintf("root:secret@tapped(%s)/", s.Addr()))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.Ping(); err != nil {
			t.Fatal(err)
		}
		if answer == "" {
			answer = "\x00"
		}
		if _, err := wire.Conn.Write(packetOf(0, "\x11root\x00"+answer+"\x00")); err != nil {
			t.Fatal(err)
		}
		_ = wire.Conn.SetReadDeadline(time.Now().Add(time.Minute))
		got := make([]byte, 7)
		if _, err := io.ReadFull(wire.Conn, got); err != nil || got[4] != 0xff || int(got[5])|int(got[6])<<8 != 1045 {
			t.Errorf("answer %q: %q, %v", answer, got, err)
		}
		if rest, err := io.ReadAll(wire.Conn); err != nil || len(rest) != int(got[0])+packetHeader-len(got) {
			t.Errorf("answer %q: %q follows, %v", answer, rest, err)
		}
	}
}

type tapped struct{ net.Conn }

// TestShownGlobals: SHOW VARIABLES tells what holds, also where it was changed since the session began.
func TestShownGlobals(t *testing.T) {
	s, _ := admissionServer(t, Options{})
	first, err := logIn(t, s, "root")
	if err != nil {
		t.Fatal(err)
	}
	globally(t, first, "SELECT 1")
	other, err := logIn(t, s, "root")
	if err != nil {
		t.Fatal(err)
	}
	globally(t, other, "SET GLOBAL max_connections = 77")
	defer globally(t, other, "SET GLOBAL max_connections = 151")
	for _, stmt := range []string{"SHOW VARIABLES LIKE 'max_connections'", "SHOW GLOBAL VARIABLES LIKE 'max_connections'",
		"SELECT * FROM performance_schema.session_variables WHERE variable_name = 'max_connections'",
		"SELECT 'max_connections', @@max_connections"} {
		for i, c := range []*stdsql.Conn{first, other} {
			var name, value string
			if err := c.QueryRowContext(context.Background(), stmt).Scan(&name, &value); err != nil || value != "77" {
				t.Errorf("connection %d: %s: %q, %v", i, stmt, value, err)
			}
		}
	}
}
