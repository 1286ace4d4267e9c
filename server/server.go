package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"strings"
	"time"

	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/sirupsen/logrus"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/server/secure"
	"github.com/sqlfdb/sqlfdb/sqlbackend"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// ErrNoPassword: the address can be reached from other machines, and the user
// root has no password.
var ErrNoPassword = errors.New("refusing to listen beyond this machine while root has no password")

// Options are the settings of Start.
type Options struct {
	// Listen is the address to listen at; port 0 picks one. Without it only Connect begins sessions.
	Listen string
	// Socket is the path of a socket in the file system to listen at, too; empty is none.
	Socket string
	// Certificate encrypts the connections of clients that ask for it; nil: there is no encryption. RequireTLS refuses
	// unencrypted connections, except the socket's.
	Certificate *secure.Certificate
	RequireTLS  bool
	// RootPassword is the password of the user root; empty means none.
	RootPassword string
	// Isolation is the level of sessions that ask for none, as transaction_isolation spells it; empty is SERIALIZABLE.
	Isolation string
	// Output gets the line "listening on ADDRESS"; nil is nowhere.
	Output io.Writer
	// HoldJobs makes the background work begin held, until SET GLOBAL
	// sqlfdb_jobs = run.
	HoldJobs bool
	// Jobs are further settings of the background work, for tests: how long a lease is
	// and how much a step does.
	Jobs jobs.Options
	// Log gets errors that no client gets; nil is nowhere.
	Log io.Writer
	// LogFormat and LogLevel are of its lines: see NewLog.
	LogFormat, LogLevel string
	// Bucket is the address of the bucket that the store is, in which new tables are made; empty: it is none.
	Bucket string
	// Version is the program's, CopyStep how long the store can be read at one version while it is copied; 0 is for as
	// long as it takes.
	Version  string
	CopyStep time.Duration
	// Memory bounds the heap, in bytes, and StatementMemory the part of it that all statements hold together; 0 is no
	// bound.
	Memory, StatementMemory int64
}

// Server is a listening server. It is safe for concurrent use.
type Server struct {
	backend  *sqlbackend.Backend
	handler  *handler
	protocol *gms.Server
	listener net.Listener
	done     chan struct{} // closed when the listener has stopped
}

// Start opens the catalog of the store and begins to serve clients. The caller
// closes the server, and after it the store.
func Start(ctx context.Context, store kv.Store, opts Options) (*Server, error) {
	if opts.Listen != "" {
		if err := CheckAddress(opts.Listen, opts.RootPassword); err != nil {
			return nil, err
		}
	}
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		return nil, fmt.Errorf("server: open catalog: %w", err)
	}
	if opts.Log == nil {
		opts.Log = io.Discard
	}
	log, err := NewLog(opts.Log, opts.LogFormat, opts.LogLevel)
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	refused, err := jobs.Reconcile(ctx, cat)
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	for _, err := range refused {
		log.WithError(err).Error("a table can't be used")
	}
	if err := jobs.EnsureSweep(ctx, cat); err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	backend, err := sqlbackend.NewEngine(store, cat, sqlbackend.Options{
		Bucket: opts.Bucket, RootPassword: opts.RootPassword,
		Encrypts: opts.Certificate != nil, HoldJobs: opts.HoldJobs, Jobs: opts.Jobs,
		Report: func(err error) { log.WithError(err).Error("background work failed") },
	})
	if err != nil {
		return nil, fmt.Errorf("server: start the SQL engine: %w", err)
	}
	if opts.Isolation != "" {
		err := sql.SystemVariables.AssignValues(map[string]any{"transaction_isolation": opts.Isolation})
		if err != nil {
			return nil, errors.Join(fmt.Errorf("server: isolation: %w", err), backend.Close())
		}
	}
	if opts.RequireTLS && opts.Certificate == nil {
		return nil, errors.Join(errors.New("server: encryption is required, and there is no certificate"), backend.Close())
	}
	listener, err := listen(opts.Listen, opts.Socket)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("server: listen: %w", err), backend.Close())
	}
	// The engine logs every connection and every failed statement to logrus's
	// global logger; a client learns of its errors itself.
	if opts.Listen == "" {
		quiet()
	} else {
		takeEngineLog(log)
	}
	s := &Server{backend: backend, listener: listener, done: make(chan struct{})}
	admitted := newAdmission(log)
	admitted.encryption, admitted.memory = opts.encryption(), backend.Memory()
	asks := &authentication{admission: admitted, backend: backend, refusals: sparing(log)}
	config := gms.Config{Protocol: "tcp", Address: listener.Addr().String(), Listener: admitting{listener, admitted},
		Version:                 session.Version,
		ProtocolListenerFactory: asks.protocolListener}
	s.protocol, err = gms.NewServerWithHandler(config, backend.Engine, backend.NewContext, newSession(backend), nil,
		func(h mysql.Handler) (mysql.Handler, error) {
			s.handler = newHandler(h, backend, log)
			return s.handler, nil
		})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("server: start: %w", err), listener.Close(), backend.Close())
	}
	s.handler.version, s.handler.copyStep = opts.Version, opts.CopyStep
	s.handler.sessions = s.protocol.SessionManager()
	backend.CheckAccounts()
	backend.OnKill(s.handler.interrupt)
	backend.OnTraffic(s.handler.traffic)
	s.handler.began = admitted.began
	backend.Memory().SetLimit(opts.StatementMemory)
	if opts.Memory > 0 {
		debug.SetMemoryLimit(opts.Memory)
		go s.handler.watchMemory(opts.Memory)
	}
	go s.handler.endIdle()
	go func() {
		defer close(s.done)
		_ = s.protocol.Start()
	}()
	backend.Jobs().YieldTo(func() bool { return s.handler.commands() > backend.Awaiting() })
	backend.Jobs().Start()
	if opts.Output != nil {
		fmt.Fprintf(opts.Output, "listening on %s\n", listener.Addr())
		if opts.Socket != "" {
			fmt.Fprintf(opts.Output, "listening on %s\n", opts.Socket)
		}
	}
	return s, nil
}

// encryption is how connections are encrypted.
func (o *Options) encryption() secure.Options {
	if o.Certificate == nil {
		return secure.Options{}
	}
	out := secure.Options{TLS: o.Certificate.Config}
	if o.RequireTLS {
		out.Refusal = errorPacket(0, mysql.NewSQLError(errPlain, "HY000",
			"Connections using insecure transport are prohibited while --require_secure_transport=ON."))
	}
	return out
}

// errPlain is MySQL's error for a client that asks for no encryption where it is required.
const errPlain = 3159

// newSession makes sessions that know how their connections are encrypted.
func newSession(backend *sqlbackend.Backend) func(context.Context, *mysql.Conn, string) (sql.Session, error) {
	return func(ctx context.Context, c *mysql.Conn, address string) (sql.Session, error) {
		s, err := backend.NewSession(ctx, c, address)
		if err != nil {
			return nil, err
		}
		if own, ok := sqlbackend.ClientOf(s); ok {
			if err := own.UseCharacterSet(c.CharacterSet); err != nil {
				return nil, err
			}
		}
		if w := secured(c); w != nil {
			if state, ok := w.State(); ok {
				for name, v := range map[string]string{"Ssl_cipher": tls.CipherSuiteName(state.CipherSuite),
					"Ssl_version": strings.Replace(tls.VersionName(state.Version), "TLS ", "TLSv", 1)} {
					if err := s.SetStatusVariable(nil, name, v); err != nil {
						return nil, err
					}
				}
			}
		}
		return s, nil
	}
}

// nobody is the listener of a server that does not listen.
type nobody struct{ closed chan struct{} }

// Accept implements net.Listener.
func (n *nobody) Accept() (net.Conn, error) {
	<-n.closed
	return nil, net.ErrClosed
}

// Close implements net.Listener.
func (n *nobody) Close() error {
	close(n.closed)
	return nil
}

// Addr implements net.Listener.
func (n *nobody) Addr() net.Addr { return address }

// engineLess leaves the engine's lines on connections and statements out of logrus's global logger, which belongs to
// the program that the server is a part of.
type engineLess struct{ logrus.Formatter }

// Format implements logrus.Formatter.
func (f engineLess) Format(e *logrus.Entry) ([]byte, error) {
	for _, field := range []string{sql.ConnectionIdLogField, "connectionId", "query"} {
		if _, engines := e.Data[field]; engines {
			return nil, nil
		}
	}
	if strings.HasPrefix(e.Message, "Server ready.") || strings.HasPrefix(e.Message, "Server closing listener.") {
		return nil, nil
	}
	return f.Formatter.Format(e)
}

// quiet makes the engine be quiet in a program that it is a part of.
func quiet() {
	logger := logrus.StandardLogger()
	if _, done := logger.Formatter.(engineLess); !done {
		logger.SetFormatter(engineLess{logger.Formatter})
	}
}

// Addr is the address that the server listens at.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Backend is the SQL engine that is served.
func (s *Server) Backend() *sqlbackend.Backend { return s.backend }

// closePatience bounds how long Close waits for connections to go once their
// commands have ended.
const closePatience = 5 * time.Second

// Close stops listening, and ends idle connections and waits for changes. Running commands
// may finish until the context ends, each the last of its connection; then they are ended.
// Transactions still open are rolled back.
func (s *Server) Close(ctx context.Context) error {
	s.backend.Jobs().Stop()
	err := s.protocol.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	<-s.done
	s.backend.EndWaits()
	s.handler.beginClosing()
	s.handler.drain(ctx)
	s.handler.endRunning()
	s.handler.disconnect(closePatience)
	return errors.Join(err, s.backend.Close())
}

// CheckAddress refuses an address that other machines reach while root has no
// password.
func CheckAddress(address, password string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("server: address %s: %w", address, err)
	}
	if password != "" {
		return nil
	}
	if host == "localhost" {
		return nil
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("server: listen at %s: %w", address, ErrNoPassword)
}
