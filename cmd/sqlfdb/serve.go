package main

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/sirupsen/logrus"
	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/server"
)

const defaultListen = "127.0.0.1:3306"

// defaultLife is how long a transaction lives.
const defaultLife = 60 * time.Second

// defaultGrace is how long running statements may take after SIGTERM: less than its senders usually wait before they
// kill.
const defaultGrace = 5 * time.Second

type serveFlags struct {
	store, listen, metrics, rootPassword string
	isolation                            string
	socket, tlsCert, tlsKey              string
	metricsToken, console                string
	logFormat, logLevel                  string
	log                                  *logrus.Logger // the server's
	tlsAuto, requireTLS                  bool
	life, grace                          time.Duration
	cache, memory                        *cacheFlag
	heap, statements                     int64 // of memory; 0 without a bound
	reserve                              reserveFlag
	cmd                                  *cobra.Command
}

// engineOptions are the engine's options for a store that is served.
func (f *serveFlags) engineOptions() kvopen.Options {
	return kvopen.Options{TransactionLife: f.life, BlockCacheBytes: f.cache.bytes, ReserveBytes: f.reserve.bytes,
		Logger: slog.New(fromSlog{log: f.log})}
}

func (f *serveFlags) register(cmd *cobra.Command, store, console string) {
	flags := cmd.Flags()
	flags.String(configFlag, "", "a file with these flags, one a line: NAME = VALUE")
	flags.StringVar(&f.store, "store", store,
		"pebble:DIR, fdb:CLUSTER_FILE, or a bucket: s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, "+
			"azblob://CONTAINER/PREFIX or file:///FOLDER")
	flags.StringVar(&f.listen, "listen", defaultListen, "the address for MySQL clients; port 0 picks one")
	flags.StringVar(&f.socket, "socket", "",
		"a socket in the file system for MySQL clients of this machine; none by default")
	flags.StringVar(&f.tlsCert, "tls-cert", "", "the server's certificate, a file of PEM; SIGHUP reads it again")
	flags.StringVar(&f.tlsKey, "tls-key", "", "the key of the certificate, a file of PEM")
	flags.BoolVar(&f.tlsAuto, "tls-auto", false, "make a certificate, and keep it beside the store")
	flags.BoolVar(&f.requireTLS, "require-tls", false, "refuse connections that are not encrypted")
	flags.StringVar(&f.metrics, "metrics", "", "an address for Prometheus, such as 127.0.0.1:9306; none by default")
	flags.StringVar(&f.metricsToken, "metrics-token", "",
		"what Prometheus has to show as a bearer token; needed beyond this machine, better given as SQLFDB_METRICS_TOKEN")
	flags.StringVar(&f.logFormat, "log-format", server.LogText, "how lines of the log are written: text or json")
	flags.StringVar(&f.logLevel, "log-level", "info",
		"what is logged: "+strings.Join(server.LogLevels, ", ")+", each with those before it")
	flags.StringVar(&f.console, consoleFlag, console,
		"an address for the page that shows the server to browsers, such as "+defaultConsole+"; empty is none")
	flags.StringVar(&f.isolation, "isolation", "SERIALIZABLE",
		"the isolation level of sessions that ask for none, as transaction_isolation spells it")
	flags.DurationVar(&f.life, "transaction-life", defaultLife,
		"how long a transaction, and so the read version of a statement, lives in an embedded store")
	flags.DurationVar(&f.grace, "shutdown-grace", defaultGrace,
		"how long running statements may go on after SIGTERM; a second SIGTERM ends them at once")
	f.cache = newCacheFlag(machineMemory(thisMachine()))
	flags.Var(f.cache, "cache",
		"the cache of an embedded store's blocks: bytes, a size such as 512MiB, or a share of the memory")
	f.memory = newMemoryFlag(machineMemory(thisMachine()))
	flags.Var(f.memory, "memory",
		"what the server may take: bytes, a size such as 4GiB, or a share of the memory; a statement that would take "+
			"more ends with an error")
	f.cmd = cmd
	flags.Var(&f.reserve, "disk-reserve",
		"the room that an embedded store's disk keeps: with less, writes are refused; 0 for none (default 512MiB, or "+
			"a tenth of a smaller disk)")
	flags.StringVar(&f.rootPassword, "root-password", "", "the password of root; better given as SQLFDB_ROOT_PASSWORD")
}

func newServe() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a store to MySQL clients",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			if f.life <= 0 {
				return fmt.Errorf("--transaction-life %v: want more than 0", f.life)
			}
			if err := server.CheckAddress(f.listen, f.rootPassword); err != nil {
				return err
			}
			if err := errors.Join(f.divide(), f.openLog()); err != nil {
				return err
			}
			if err := errors.Join(probe(f.listen), f.checkConsole(), f.checkMetrics()); err != nil {
				return err
			}
			store, _, err := openStore(ctx, f.store, f.engineOptions())
			if err != nil {
				return err
			}
			return errors.Join(serve(cmd, f, store, nil), store.Close())
		},
	}
	f.register(cmd, defaultStore, "")
	return cmd
}

// probe finds out whether the address can be listened at, before a store is opened or made.
func probe(address string) error {
	listener, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s is taken (address already in use): another server listens there. End it, or give "+
			"another address: "+
			"--listen 127.0.0.1:0 picks a free port", address)
	}
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	return listener.Close()
}

// serve serves the store until the command's context ends. ready is called once the
// server listens.
func serve(cmd *cobra.Command, f serveFlags, store kv.Store, ready func(address, page string)) error {
	ctx := cmd.Context()
	certificate, err := f.certificate()
	if err != nil {
		return err
	}
	defer f.reload(certificate)()
	s, err := server.Start(ctx, store, server.Options{
		Listen: f.listen, Socket: f.socket, Certificate: certificate, RequireTLS: f.requireTLS, RootPassword: f.rootPassword,
		Isolation: f.isolation,
		Output:    cmd.OutOrStdout(), Log: cmd.ErrOrStderr(),
		LogFormat: f.logFormat, LogLevel: f.logLevel,
		Version: programVersion(), CopyStep: kvopen.Step(f.store), Bucket: kvopen.Bucket(f.store),
		Memory: f.heap, StatementMemory: f.statements,
	})
	if err != nil {
		return err
	}
	figures := figuresOf(s)
	stopMetrics, err := f.serveMetrics(s, figures)
	if err != nil {
		return errors.Join(err, s.Close(ctx))
	}
	page, stopConsole, err := f.serveConsole(s, figures, certificate)
	if err != nil {
		return errors.Join(err, stopMetrics(ctx), s.Close(ctx))
	}
	if page != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "console at %s\n", page)
	}
	if ready != nil {
		ready(s.Addr().String(), page)
	}
	<-ctx.Done()
	again, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	f.log.WithField("grace", f.grace.String()).Info("stopping: running statements go on for a while")
	closing, cancel := context.WithTimeout(again, f.grace)
	defer cancel()
	return errors.Join(stopMetrics(closing), s.Close(closing), stopConsole())
}

// figuresOf collects the figures of the process, the server and its store.
func figuresOf(s *server.Server) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "sqlfdb_build_info", Help: "1, with the program's version.",
		ConstLabels: prometheus.Labels{"version": programVersion()}})
	build.Set(1)
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		build, s.Metrics())
	return registry
}

// readyPatience is how long /readyz waits for the store.
const readyPatience = 2 * time.Second

// checkMetrics refuses an address for metrics that other machines reach without a token, before a store is opened.
func (f *serveFlags) checkMetrics() error {
	if f.metrics != "" && f.metricsToken == "" && errors.Is(server.CheckAddress(f.metrics, ""), server.ErrNoPassword) {
		return fmt.Errorf("--metrics %s: other machines reach it, so it needs SQLFDB_METRICS_TOKEN", f.metrics)
	}
	return nil
}

// serveMetrics serves Prometheus, and checks of whether the server is alive and ready, if an address is given.
func (f *serveFlags) serveMetrics(s *server.Server, figures prometheus.Gatherer) (stop func(context.Context) error,
	err error) {
	address, token := f.metrics, f.metricsToken
	if address == "" {
		return func(context.Context) error { return nil }, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--metrics: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", withToken(token, promhttp.HandlerFor(figures, promhttp.HandlerOpts{})))
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyPatience)
		defer cancel()
		if s.Ready(ctx) != nil { // callers that may not know more ask, too
			http.Error(w, "not ready", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	h := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := h.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			f.log.WithError(err).Error("metrics are not served")
		}
	}()
	return h.Shutdown, nil
}

// withToken refuses requests without the token, if there is one.
func withToken(token string, inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shown := []byte(r.Header.Get("Authorization"))
		if token != "" && subtle.ConstantTimeCompare(shown, []byte("Bearer "+token)) != 1 {
			http.Error(w, "a token is needed", http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	})
}
