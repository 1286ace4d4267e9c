package console

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Options are the settings of New.
type Options struct {
	// Dial connects to the server for a client at an address, whose own connection is encrypted or not.
	Dial func(ctx context.Context, client net.Addr, encrypted *tls.ConnectionState) (net.Conn, error)
	// TLS encrypts the page's connections; nil is not at all.
	TLS func() *tls.Config
	// Figures are the figures that the page plots; nil is none.
	Figures prometheus.Gatherer
	// Version is the program's.
	Version string
	// Idle is how long a log-in lasts without requests; 0 is half an hour.
	Idle time.Duration
}

// Bounds on the browsers' use of the server.
const (
	maxConnections = 256
	maxLogIns      = 64
	maxLoggingIn   = 8
	maxRequest     = 4 << 20 // bytes of a request
	defaultIdle    = 30 * time.Minute
	longest        = 12 * time.Hour // of a log-in
	patience       = 30 * time.Second
)

// Console serves the page. It is safe for concurrent use.
type Console struct {
	options Options
	files   fs.FS
	http    *http.Server
	room    chan struct{} // connections hold a place
	logging chan struct{} // log-ins under way hold a place
	ended   chan struct{}

	mu     sync.Mutex
	logIns map[string]*logIn // by their cookies
	closed bool
}

//go:embed page
var page embed.FS

// New makes a console. The caller closes it.
func New(options Options) *Console {
	if options.Idle == 0 {
		options.Idle = defaultIdle
	}
	files, _ := fs.Sub(page, "page") // it fails for names that are none
	c := &Console{options: options, files: files, logIns: map[string]*logIn{},
		room: make(chan struct{}, maxConnections), logging: make(chan struct{}, maxLoggingIn), ended: make(chan struct{})}
	c.http = &http.Server{Handler: c, ReadHeaderTimeout: patience, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // clients' errors
		// The newer protocol's streams would not count as connections.
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){}}
	go c.endIdle()
	return c
}

// Serve serves the connections of a listener until Close.
func (c *Console) Serve(l net.Listener) error {
	l = &bounded{Listener: l, room: c.room}
	if c.options.TLS != nil {
		l = tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS12,
			GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return c.options.TLS(), nil }})
	}
	if err := c.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close ends all log-ins and their running statements.
func (c *Console) Close() error {
	c.mu.Lock()
	all := c.logIns
	c.logIns = map[string]*logIn{}
	if !c.closed {
		c.closed = true
		close(c.ended)
	}
	c.mu.Unlock()
	for _, l := range all {
		l.end()
	}
	return c.http.Close()
}

// bounded accepts no more connections than there is room for.
type bounded struct {
	net.Listener
	room chan struct{}
}

// Accept implements net.Listener.
func (b *bounded) Accept() (net.Conn, error) {
	for {
		c, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case b.room <- struct{}{}:
			return &roomy{Conn: c, leave: sync.OnceFunc(func() { <-b.room })}, nil
		default:
			_ = c.Close()
		}
	}
}

// roomy gives its room back when it is closed.
type roomy struct {
	net.Conn
	leave func()
}

// Close implements net.Conn.
func (r *roomy) Close() error {
	defer r.leave()
	return r.Conn.Close()
}

// ServeHTTP implements http.Handler.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "+
		"object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if !c.answersTo(r.Host) {
		http.Error(w, "this server has another name: ask for it by its address", http.StatusMisdirectedRequest)
		return
	}
	name, api := strings.CutPrefix(r.URL.Path, "/api/")
	if api {
		c.serveAPI(w, r, name)
		return
	}
	c.serveFile(w, r)
}

// answersTo reports whether a request is for this server. A page of others can make a name of theirs lead here; an
// address it can't, nor a name that the certificate has.
func (c *Console) answersTo(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if host == "localhost" || net.ParseIP(host) != nil {
		return true
	}
	if c.options.TLS == nil {
		return false
	}
	for _, pair := range c.options.TLS().Certificates {
		if leaf, err := x509.ParseCertificate(pair.Certificate[0]); err == nil && leaf.VerifyHostname(host) == nil {
			return true
		}
	}
	return false
}

// types are the content types of the page's files.
var types = map[string]string{".html": "text/html", ".css": "text/css", ".js": "text/javascript",
	".svg": "image/svg+xml"}

func (c *Console) serveFile(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "GET it", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	text, err := fs.ReadFile(c.files, name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", types[path.Ext(name)]+"; charset=utf-8")
	_, _ = w.Write(text)
}

// keyHeader is the header that has the log-in's key. No other page can send it here.
const keyHeader = "X-Sqlfdb-Key"

// serveAPI answers the page's requests.
func (c *Console) serveAPI(w http.ResponseWriter, r *http.Request, name string) {
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	site := r.Header.Get("Sec-Fetch-Site")
	switch {
	case r.Method != http.MethodPost:
		fail(w, http.StatusMethodNotAllowed, errors.New("POST it"))
		return
	case r.Header.Get("Origin") != scheme+r.Host, site != "" && site != "same-origin":
		fail(w, http.StatusForbidden, errors.New("this is not asked by the server's own page"))
		return
	case r.Header.Get("Content-Type") != "application/json", r.Header.Get(keyHeader) == "":
		fail(w, http.StatusUnsupportedMediaType, fmt.Errorf("want JSON, and a header %s", keyHeader))
		return
	}
	body, err := readBody(w, r)
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, fmt.Errorf("the request can't be read: %w", err))
		return
	}
	if name == "login" {
		c.begin(w, r, body)
		return
	}
	l := c.find(r)
	if l == nil {
		fail(w, http.StatusUnauthorized, errors.New("log in first"))
		return
	}
	switch name {
	case "run":
		l.run(w, r, body)
	case "feed":
		l.feed(w, r, body)
	case "figures":
		c.figures(w)
	case "logout":
		c.forget(l)
		answer(w, struct{}{})
	default:
		fail(w, http.StatusNotFound, errors.New("there is no such thing"))
	}
}

// readBody reads a request, which may not take long to come.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(patience))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	// From here on reading is how the end of the client is noticed.
	_ = control.SetReadDeadline(time.Time{})
	return body, err
}

// answer writes JSON.
func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(patience))
	_ = json.NewEncoder(w).Encode(v)
}

// fail answers with an error.
func fail(w http.ResponseWriter, status int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]failure{"error": failureOf(err)})
}
