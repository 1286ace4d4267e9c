package console

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
)

// place is a console of a server over a fresh store.
type place struct {
	t       *testing.T
	address string
	server  *server.Server
	console *Console
}

func begin(t *testing.T, options Options) *place {
	t.Helper()
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Start(t.Context(), store, server.Options{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	figures := prometheus.NewRegistry()
	figures.MustRegister(s.Metrics())
	options.Figures, options.Version = figures, "of a test"
	options.Dial = func(ctx context.Context, client net.Addr, encrypted *tls.ConnectionState) (net.Conn, error) {
		return s.Dial(ctx, server.Client{Address: client, Encrypted: encrypted})
	}
	c := New(options)
	go func() { _ = c.Serve(listener) }()
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return &place{t, listener.Addr().String(), s, c}
}

// visitor is a browser that has logged in.
type visitor struct {
	*place
	cookie *http.Cookie
	key    string
}

// ask sends a request as the page does, changed by change.
func (v *visitor) ask(ctx context.Context, name string, body any, change func(*http.Request)) *http.Response {
	v.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		v.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+v.address+"/api/"+name, bytes.NewReader(text))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Origin", "http://"+v.address)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(keyHeader, v.key)
	if v.cookie != nil {
		r.AddCookie(v.cookie)
	}
	if change != nil {
		change(r)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

// logIn logs a user in.
func (p *place) logIn(user, password string) (*visitor, error) {
	p.t.Helper()
	v := &visitor{place: p, key: "login"}
	response := v.ask(p.t.Context(), "login", map[string]string{"user": user, "password": password}, nil)
	var told struct {
		Key   string
		Error *failure
	}
	if err := json.NewDecoder(response.Body).Decode(&told); err != nil {
		return nil, err
	}
	if told.Error != nil {
		return nil, fmt.Errorf("%d: %d %s", response.StatusCode, told.Error.Number, told.Error.Message)
	}
	v.key = told.Key
	for _, c := range response.Cookies() {
		v.cookie = c
	}
	return v, nil
}

func (p *place) root() *visitor {
	p.t.Helper()
	v, err := p.logIn("root", "")
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

// linesOf reads an answer.
func linesOf(t *testing.T, from io.Reader) (found []line) {
	t.Helper()
	decoder := json.NewDecoder(from)
	for decoder.More() {
		var l line
		if err := decoder.Decode(&l); err != nil {
			t.Fatal(err)
		}
		found = append(found, l)
	}
	return found
}

// run runs statements and spells what comes back: columns and rows with commas, and how each statement ended.
func (v *visitor) run(asked request) string {
	v.t.Helper()
	response := v.ask(v.t.Context(), "run", asked, nil)
	var out strings.Builder
	for _, l := range linesOf(v.t, response.Body) {
		switch {
		case l.Columns != nil:
			for i, c := range l.Columns {
				fmt.Fprintf(&out, "%s%s:%s", map[bool]string{true: ","}[i > 0], c.Name, c.Kind)
			}
			out.WriteString("\n")
		case l.End != nil:
			fmt.Fprintf(&out, "%d rows %d affected", l.End.Rows, l.End.Affected)
			if l.End.Cut != "" {
				out.WriteString(" cut: " + l.End.Cut)
			}
			for _, w := range l.End.Warnings {
				out.WriteString(" warning: " + *w[2])
			}
			out.WriteString("\n")
		case l.Error != nil:
			fmt.Fprintf(&out, "error %d %s %s\n", l.Error.Number, l.Error.State, l.Error.Message)
		}
		for _, row := range l.Rows {
			for i, value := range row {
				if i > 0 {
					out.WriteString(",")
				}
				if value == nil {
					out.WriteString("NULL")
				} else {
					out.WriteString(*value)
				}
			}
			out.WriteString("\n")
		}
	}
	return out.String()
}

func (v *visitor) wants(sql, want string) {
	v.t.Helper()
	if got := v.run(request{SQL: sql}); got != want {
		v.t.Errorf("%s:\n%s\nwant:\n%s", sql, got, want)
	}
}

// eventually waits for what takes a moment.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// TestRun: statements give what the server says, with every digit; the session is one.
func TestRun(t *testing.T) {
	v := begin(t, Options{}).root()
	v.wants("CREATE DATABASE d; USE d; CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)",
		"0 rows 0 affected\n0 rows 0 affected\n0 rows 0 affected\n")
	v.wants(`INSERT INTO t (_doc) VALUES ('{"_id":"a","n":12345678901234567890123}'), ('{"_id":"b;","n":null}')`,
		"0 rows 2 affected\n")
	v.wants("SELECT _doc FROM t ORDER BY _id",
		`_doc:json`+"\n"+`{"_id":"a","n":12345678901234567890123}`+"\n"+`{"_id":"b;","n":null}`+"\n2 rows -1 affected\n")
	v.wants("SELECT 9007199254740993 AS a, 18446744073709551615 AS b, 1e20 AS c, 0.1e0 AS d, NULL AS e, x'ff00' AS f, "+
		"'ä;' AS g, 1.10 AS h",
		"a:number,b:number,c:number,d:number,e:text,f:bytes,g:text,h:number\n"+
			"9007199254740993,18446744073709551615,1e20,0.1,NULL,0xFF00,ä;,1.10\n1 rows -1 affected\n")
	v.wants("CREATE TABLE w (id INT PRIMARY KEY); INSERT INTO w VALUES (1), (2), (3); "+
		"WITH c AS (SELECT 1 AS n) DELETE FROM w WHERE id IN (SELECT n FROM c); "+
		"WITH RECURSIVE c (n) AS (SELECT 2), `delete` AS (SELECT 3) SELECT n FROM c; "+
		"WITH c (n) AS (SELECT 2), d AS (SELECT n FROM c) UPDATE w SET id = 7 WHERE id IN (SELECT n FROM d)",
		"0 rows 0 affected\n0 rows 3 affected\n0 rows 1 affected\nn:number\n2\n1 rows -1 affected\n0 rows 1 affected\n")
	v.wants("SET @x = 5; SELECT @x", "0 rows 0 affected\n@x:number\n5\n1 rows -1 affected\n")
	v.wants("SELECT 1; SELECT nothing FROM nowhere; SELECT 2",
		"1:number\n1\n1 rows -1 affected\nerror 1146 42S02 Table 'd.nowhere' doesn't exist\n")
	v.run(request{SQL: "SET GLOBAL local_infile = 1"})
	defer v.run(request{SQL: "SET GLOBAL local_infile = 0"})
	v.wants("LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t",
		"error 0  local file '/etc/passwd' is not registered\n")
	v.wants(" ; -- nothing\n", "")
	if got := v.run(request{SQL: "SELECT DATABASE()", Database: "d"}); !strings.Contains(got, "\nd\n") {
		t.Error(got)
	}
	v.wants("BEGIN; DELETE FROM t", "0 rows 0 affected\n0 rows 2 affected\n")
	if got := v.run(request{SQL: "SELECT COUNT(*) FROM d.t; SELECT @x", Side: true}); got !=
		"COUNT(*):number\n2\n1 rows -1 affected\n@x:text\nNULL\n1 rows -1 affected\n" {
		t.Error("beside the session: " + got)
	}
	v.wants("ROLLBACK; SELECT COUNT(*) FROM t", "0 rows 0 affected\nCOUNT(*):number\n2\n1 rows -1 affected\n")
}

// TestCut: a result of any size is cut with a word about it, and its statement ends.
func TestCut(t *testing.T) {
	v := begin(t, Options{}).root()
	endless := "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 100000000) SELECT n FROM r"
	v.run(request{SQL: "SET cte_max_recursion_depth = 200000000"})
	for _, side := range []bool{false, true} {
		got := v.run(request{SQL: endless, Rows: 2, Side: side})
		if !strings.HasSuffix(got, "2 rows -1 affected cut: there are more rows than the 2 that were asked for\n") {
			t.Error(got)
		}
	}
	large := "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 1000) " +
		"SELECT n, REPEAT('x', 1 << 20) FROM r"
	for _, side := range []bool{false, true} {
		got := v.run(request{SQL: large, Side: side})
		if !strings.HasSuffix(got, "16 rows -1 affected cut: the rows have more than 16 MiB\n") {
			t.Error(got[max(0, len(got)-200):])
		}
	}
	v.wants("SELECT 1", "1:number\n1\n1 rows -1 affected\n")
}

// TestStop: what runs ends when the browser goes, and its session goes on.
func TestStop(t *testing.T) {
	v := begin(t, Options{}).root()
	v.run(request{SQL: "SET @kept = 'kept'"})
	for _, side := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		response := v.ask(ctx, "run", request{SQL: "SELECT SLEEP(600)", Side: side}, nil)
		if _, err := bufio.NewReader(response.Body).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if busy := v.run(request{SQL: "SELECT 1"}); !side && busy != "error 0  "+errBusy.Error()+"\n" {
			t.Errorf("while a statement runs: %s", busy)
		}
		cancel()
		eventually(t, "it runs on", func() bool {
			return !strings.Contains(v.run(request{SQL: "SELECT statement FROM sqlfdb.processes", Side: true}), "SLEEP")
		})
	}
	eventually(t, "the session is not free", func() bool { return v.run(request{SQL: "SELECT 1"}) != "" })
	v.wants("SELECT @kept", "@kept:text\nkept\n1 rows -1 affected\n")
}
