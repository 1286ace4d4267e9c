package console

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/server/secure"
)

// TestDoor: nobody gets in but by the page itself, with both a log-in's cookie and its key.
func TestDoor(t *testing.T) {
	p := begin(t, Options{})
	v := p.root()
	other := p.root()
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Del(name)
			if value != "" {
				r.Header.Set(name, value)
			}
		}
	}
	for _, test := range []struct {
		name   string
		change func(*http.Request)
		want   int
	}{
		{"as the page does it", nil, 200},
		{"from another page", set("Origin", "http://evil.example"), 403},
		{"from another port", set("Origin", "http://127.0.0.1:1"), 403},
		{"from a file", set("Origin", "null"), 403},
		{"from nowhere", set("Origin", ""), 403},
		{"as the browser says, from elsewhere", set("Sec-Fetch-Site", "cross-site"), 403},
		{"from another port, as the browser says", set("Sec-Fetch-Site", "same-site"), 403},
		{"as a form", set("Content-Type", "text/plain"), 415},
		{"without a key", set(keyHeader, ""), 415},
		{"with a wrong key", set(keyHeader, strings.Repeat("0", 64)), 401},
		{"with the key of another log-in", set(keyHeader, other.key), 401},
		{"without the cookie", set("Cookie", ""), 401},
		{"with a cookie of one's own choice", set("Cookie", v.cookie.Name+"=chosen"), 401},
		{"by GET", func(r *http.Request) { r.Method = http.MethodGet }, 405},
		{"by a name of others that leads here", func(r *http.Request) {
			r.Host = "evil.example"
			r.Header.Set("Origin", "http://evil.example")
		}, 421},
		{"by the name of this machine", func(r *http.Request) {
			r.Host = "localhost" + r.Host[strings.LastIndex(r.Host, ":"):]
			r.Header.Set("Origin", "http://"+r.Host)
		}, 200},
	} {
		response := v.ask(t.Context(), "run", request{SQL: "SELECT 1"}, test.change)
		if response.StatusCode != test.want {
			t.Errorf("%s: %d, want %d", test.name, response.StatusCode, test.want)
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			t.Error(err)
		}
	}
	if c := v.cookie; !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || len(c.Value) != 64 {
		t.Errorf("the cookie: %+v", c)
	}
	if v.cookie.Value == other.cookie.Value || v.key == other.key {
		t.Error("two log-ins have the same secrets")
	}
	// Whoever logs in again gets other secrets, and the ones before are good for nothing.
	response := v.ask(t.Context(), "login", map[string]string{"user": "root"}, nil)
	if c := response.Cookies(); len(c) != 1 || c[0].Value == v.cookie.Value {
		t.Errorf("the second log-in: %v", c)
	}
	if r := v.ask(t.Context(), "run", request{SQL: "SELECT 1"}, nil); r.StatusCode != 401 {
		t.Errorf("with the secrets of before: %d", r.StatusCode)
	}
	if r := other.ask(t.Context(), "logout", struct{}{}, nil); r.StatusCode != 200 {
		t.Errorf("logging out: %d", r.StatusCode)
	}
	if r := other.ask(t.Context(), "run", request{SQL: "SELECT 1"}, nil); r.StatusCode != 401 {
		t.Errorf("after logging out: %d", r.StatusCode)
	}
}

// TestFiles: the page's files come with a policy that lets no others' scripts run, and nothing else comes.
func TestFiles(t *testing.T) {
	p := begin(t, Options{})
	for path, want := range map[string]int{"/": 200, "/main.js": 200, "/style.css": 200, "/../console.go": 404,
		"/%2e%2e/console.go": 404, "/page": 404, "/nothing": 404} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil)
		p.console.ServeHTTP(w, r)
		h := w.Result().Header
		if w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
		for name, part := range map[string]string{"Content-Security-Policy": "default-src 'self';",
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer"} {
			if !strings.Contains(h.Get(name), part) {
				t.Errorf("%s: %s: %q", path, name, h.Get(name))
			}
		}
	}
}

// TestUsers: a user sees and does what that user may; log-ins that are refused are refused as the server does it.
func TestUsers(t *testing.T) {
	p := begin(t, Options{})
	root := p.root()
	root.run(request{SQL: "CREATE DATABASE shop; CREATE TABLE shop.t (_id VARCHAR(20) PRIMARY KEY, _doc JSON); " +
		"CREATE DATABASE hidden; CREATE TABLE hidden.t (_id VARCHAR(20) PRIMARY KEY, _doc JSON); " +
		"CREATE USER bi IDENTIFIED WITH mysql_native_password BY 'secret'; GRANT SELECT ON shop.* TO bi; " +
		"CREATE USER far@'10.%' IDENTIFIED BY ''; CREATE USER locked ACCOUNT LOCK; " +
		"CREATE USER near@localhost IDENTIFIED WITH caching_sha2_password BY 'x'"})
	for user, want := range map[string]string{"bi": "1045", "far": "1045", "nobody": "1045", "locked": "3118"} {
		if _, err := p.logIn(user, ""); err == nil || !strings.HasPrefix(err.Error(), "401: "+want) {
			t.Errorf("%s: %v", user, err)
		}
	}
	// Nobody can read along within the process, so this method needs no encryption.
	if _, err := p.logIn("near", "x"); err != nil {
		t.Error(err)
	}
	bi, err := p.logIn("bi", "secret")
	if err != nil {
		t.Fatal(err)
	}
	bi.wants("SELECT COUNT(*) FROM shop.t", "COUNT(*):number\n0\n1 rows -1 affected\n")
	for _, sql := range []string{"SELECT * FROM hidden.t", "DELETE FROM shop.t", "DROP DATABASE shop"} {
		if got := bi.run(request{SQL: sql}); !strings.HasPrefix(got, "error 1") {
			t.Errorf("%s: %s", sql, got)
		}
	}
	if got := bi.run(request{SQL: "SELECT `database` FROM sqlfdb.tables", Side: true}); got !=
		"database:text\nshop\n1 rows -1 affected\n" {
		t.Error(got)
	}
	if r := bi.ask(t.Context(), "feed", map[string]string{"database": "hidden", "table": "t"}, nil); r.StatusCode != 400 {
		t.Errorf("a feed of what the user may not see: %d", r.StatusCode)
	}
	if text, err := io.ReadAll(bi.ask(t.Context(), "figures", struct{}{}, nil).Body); err != nil ||
		strings.Contains(string(text), "hidden") || !strings.Contains(string(text), "sqlfdb_statement_seconds") {
		t.Errorf("the figures: %s, %v", text, err)
	}
	// Whoever stops a statement of one's own needs no privilege for it.
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := bufio.NewReader(bi.ask(ctx, "run", request{SQL: "SELECT SLEEP(600)"}, nil).Body).ReadByte(); err != nil {
		t.Fatal(err)
	}
	cancel()
	eventually(t, "it runs on", func() bool {
		return !strings.Contains(root.run(request{SQL: "SELECT statement FROM sqlfdb.processes"}), "SLEEP")
	})
	// A session that is killed gives way to another one.
	eventually(t, "the session is busy", func() bool {
		return !strings.Contains(bi.run(request{SQL: "SELECT 1"}), "runs:")
	})
	id := strings.Split(bi.run(request{SQL: "SELECT CONNECTION_ID() AS id"}), "\n")[1]
	root.run(request{SQL: "KILL " + id})
	eventually(t, "no new session", func() bool {
		return strings.Contains(bi.run(request{SQL: "SELECT 1"}), "1 rows")
	})
	// From the sixth on they wait.
	began := time.Now()
	for range 7 {
		if _, err := p.logIn("bi", "wrong"); err == nil {
			t.Error("a wrong password is right")
		}
	}
	if took := time.Since(began); took < 300*time.Millisecond {
		t.Errorf("seven guesses take %v", took)
	}
}

// TestEncrypted: a page with a certificate is asked for by the names in it, and its users count as encrypted.
func TestEncrypted(t *testing.T) {
	certificate, err := secure.Ensure(filepath.Join(t.TempDir(), "tls.pem"))
	if err != nil {
		t.Fatal(err)
	}
	p := begin(t, Options{TLS: certificate.Config})
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	defer transport.CloseIdleConnections()
	in := func(host, user string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+p.address+"/api/login",
			strings.NewReader(fmt.Sprintf(`{"user":%q,"password":"x"}`, user)))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		r.Header.Set("Origin", "https://"+host)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(keyHeader, "login")
		response, err := (&http.Client{Transport: transport}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		return response.StatusCode, response.Header.Get("Set-Cookie")
	}
	if status, cookie := in(p.address, "root"); status != 200 || !strings.Contains(cookie, "Secure") {
		t.Errorf("%d, %s", status, cookie)
	}
	if status, _ := in("evil.example", "root"); status != 421 {
		t.Errorf("by another name: %d", status)
	}
	conn, err := p.server.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Query(t.Context(), "CREATE USER safe IDENTIFIED WITH mysql_native_password BY 'x' REQUIRE SSL",
		func(server.Part) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if status, _ := in("localhost", "safe"); status != 200 {
		t.Errorf("REQUIRE SSL: %d", status)
	}
	if status := loginPlain(t, p); status != 0 {
		t.Errorf("without encryption: %d", status)
	}
}

// loginPlain is what comes back of a request that is not encrypted; 0 if nothing does.
func loginPlain(t *testing.T, p *place) int {
	t.Helper()
	c, err := net.Dial("tcp", p.address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	text, _ := io.ReadAll(c)
	if strings.HasPrefix(string(text), "HTTP/1.1 200") {
		return 200
	}
	return 0
}

// TestPlainNeedsNoSSL: without encryption a user whose account wants it is refused.
func TestPlainNeedsNoSSL(t *testing.T) {
	p := begin(t, Options{})
	p.root().run(request{SQL: "CREATE USER safe IDENTIFIED WITH mysql_native_password BY 'x' REQUIRE SSL"})
	if _, err := p.logIn("safe", "x"); err == nil || !strings.HasPrefix(err.Error(), "401: 1045") {
		t.Error(err)
	}
}

// TestIdle: a log-in without requests ends, with its session; one whose statement runs does not.
func TestIdle(t *testing.T) {
	p := begin(t, Options{Idle: 2 * time.Second})
	v, busy := p.root(), p.root()
	watching := make(chan struct{})
	go func() { // what the page asks by itself keeps nobody in
		defer close(watching)
		for v.ask(t.Context(), "run", request{SQL: "SELECT 1", Side: true, Watching: true}, nil).StatusCode == 200 {
			time.Sleep(10 * time.Millisecond)
		}
	}()
	response := busy.ask(t.Context(), "run", request{SQL: "SELECT SLEEP(4)"}, nil)
	open := func() int {
		p.console.mu.Lock()
		defer p.console.mu.Unlock()
		return len(p.console.logIns)
	}
	<-watching
	eventually(t, "it does not end", func() bool { return open() == 1 })
	if r := v.ask(t.Context(), "run", request{SQL: "SELECT 1"}, nil); r.StatusCode != 401 {
		t.Errorf("after the end: %d", r.StatusCode)
	}
	if found := linesOf(t, response.Body); len(found) == 0 || found[len(found)-1].Database == nil {
		t.Errorf("the statement that ran: %+v", found)
	}
	eventually(t, "it does not end either", func() bool { return open() == 0 })
}

// TestFeed: changes come as they are committed; of the feeds of a user there are as many as there may be, and one that
// is closed makes room.
func TestFeed(t *testing.T) {
	p := begin(t, Options{})
	v := p.root()
	v.run(request{SQL: "CREATE DATABASE d; USE d; CREATE TABLE `a``b` (x INT, y INT, _doc JSON, PRIMARY KEY (x, y)); " +
		"INSERT INTO `a``b` (x, y, v) VALUES (1, 2, 'one'), (1, 3, REPEAT('ä', 5000))"})
	follow := func(ctx context.Context) *http.Response {
		return v.ask(ctx, "feed", map[string]any{"database": "d", "table": "a`b", "before": 1}, nil)
	}
	ctx, cancel := context.WithCancel(t.Context())
	response := follow(ctx)
	decoder := json.NewDecoder(response.Body)
	next := func() changeLine {
		t.Helper()
		var l changeLine
		if err := decoder.Decode(&l); err != nil || l.Error != nil {
			t.Fatal(err, l.Error)
		}
		return l
	}
	first := next()
	if len(first.Changes) != 1 || *first.Changes[0].Key[1] != "3" || !first.Changes[0].Cut ||
		len(*first.Changes[0].Doc) > feedBytes {
		t.Errorf("%+v", first)
	}
	if l := next(); l.Changes != nil {
		t.Errorf("%+v", l)
	}
	v.run(request{SQL: "DELETE FROM d.`a``b` WHERE y = 2"})
	if l := next(); len(l.Changes) != 1 || !l.Changes[0].Deleted || *l.Changes[0].Key[1] != "2" || l.Since == first.Since {
		t.Errorf("%+v", l)
	}
	for range maxFeeds - 1 {
		if r := follow(t.Context()); r.StatusCode != 200 {
			t.Error(r.Status)
		}
	}
	if r := follow(t.Context()); r.StatusCode != 429 {
		t.Errorf("one too many: %d", r.StatusCode)
	}
	cancel()
	eventually(t, "no room", func() bool { return follow(t.Context()).StatusCode == 200 })
}

// TestManyStreams: a thousand that want feeds at once leave a server that serves the others.
func TestManyStreams(t *testing.T) {
	p := begin(t, Options{})
	v := p.root()
	v.run(request{SQL: "CREATE DATABASE d; CREATE TABLE d.t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)"})
	var wait sync.WaitGroup
	conns := make([]net.Conn, 1000)
	for i := range conns {
		wait.Add(1)
		go func() {
			defer wait.Done()
			c, err := net.Dial("tcp", p.address)
			if err != nil {
				return
			}
			conns[i] = c
			body := `{"database":"d","table":"t"}`
			fmt.Fprintf(c, "POST /api/feed HTTP/1.1\r\nHost: %s\r\nOrigin: http://%[1]s\r\nContent-Type: application/json\r\n"+
				"%s: %s\r\nCookie: %s=%s\r\nContent-Length: %d\r\n\r\n%s", p.address, keyHeader, v.key, v.cookie.Name,
				v.cookie.Value, len(body), body)
		}()
	}
	wait.Wait()
	eventually(t, "it takes more connections than it may", func() bool { return len(p.console.room) <= maxConnections })
	if n := len(v.of().streams); n > maxFeeds {
		t.Errorf("%d feeds", n)
	}
	for _, c := range conns {
		if c != nil {
			_ = c.Close()
		}
	}
	eventually(t, "no room", func() bool { return len(p.console.room) < maxConnections/2 })
	v.wants("SELECT 1", "1:number\n1\n1 rows -1 affected\n")
}

// of is the visitor's log-in.
func (v *visitor) of() *logIn {
	v.console.mu.Lock()
	defer v.console.mu.Unlock()
	return v.console.logIns[v.cookie.Value]
}

// TestManyLogIns: the log-in that was idle for the longest makes room for another one, and not one whose statement
// runs.
func TestManyLogIns(t *testing.T) {
	p := begin(t, Options{})
	busy := p.root()
	runs := busy.ask(t.Context(), "run", request{SQL: "SELECT SLEEP(600)"}, nil)
	answers := bufio.NewReader(runs.Body)
	if _, err := answers.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	first := p.root()
	second := p.root()
	first.wants("SELECT 1", "1:number\n1\n1 rows -1 affected\n")
	for range maxLogIns - 2 {
		p.root()
	}
	if r := second.ask(t.Context(), "run", request{SQL: "SELECT 1"}, nil); r.StatusCode != 401 {
		t.Errorf("who was idle for the longest: %d", r.StatusCode)
	}
	first.wants("SELECT 1", "1:number\n1\n1 rows -1 affected\n")
	if l := busy.of(); l == nil || len(l.turn) == 0 {
		t.Fatal("a statement that ran was ended")
	}
	busy.of().endStatement(busy.of().number)
	if found := linesOf(t, answers); len(found) == 0 || found[len(found)-1].Database == nil {
		t.Errorf("the statement that ran: %+v", found)
	}
}

// TestExplain: the plan of a statement is asked for without running anything that stands beside it.
func TestExplain(t *testing.T) {
	v := begin(t, Options{}).root()
	v.run(request{SQL: "CREATE DATABASE d; USE d; CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, _doc JSON); " +
		`INSERT INTO t (_doc) VALUES ('{"_id":"a"}')`})
	got := v.run(request{SQL: "SELECT 1 FROM t; DELETE FROM t", Explain: "plan"})
	if strings.Count(got, "query_plan") != 2 {
		t.Error(got)
	}
	if got := v.run(request{SQL: "SELECT _id FROM t", Explain: "analyze"}); !strings.Contains(got, `"statement"`) {
		t.Error(got)
	}
	got = v.run(request{SQL: "(SELECT _id FROM t); ((SELECT 1));", Explain: "plan"})
	if strings.Count(got, "query_plan") != 2 {
		t.Error(got)
	}
	if got := v.run(request{SQL: "EXPLAIN SELECT 1", Explain: "plan"}); got != "error 0  "+errExplains.Error()+"\n" {
		t.Error(got)
	}
	v.wants("SELECT COUNT(*) FROM t", "COUNT(*):number\n1\n1 rows -1 affected\n")
}

// TestClosing: a server that closes lets statements finish, and whoever asked sees what they gave.
func TestClosing(t *testing.T) {
	p := begin(t, Options{})
	v := p.root()
	response := v.ask(t.Context(), "run", request{SQL: "SELECT SLEEP(1), 'slept'"}, nil)
	eventually(t, "it does not run", func() bool {
		return strings.Contains(v.run(request{SQL: "SELECT statement FROM sqlfdb.processes", Side: true}), "SLEEP")
	})
	if err := p.server.Close(t.Context()); err != nil {
		t.Error(err)
	}
	found := linesOf(t, response.Body)
	if len(found) < 3 || found[2].Rows == nil || *found[2].Rows[0][1] != "slept" {
		text, _ := json.Marshal(found)
		t.Errorf("%s", text)
	}
}
