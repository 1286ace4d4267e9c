package server

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend"
)

// kinds are the statements that are counted separately, by their first words.
var kinds = []string{"select", "insert", "replace", "update", "delete", "load", "create", "alter", "drop", "truncate",
	"begin", "start", "commit", "rollback", "set", "show", "explain", "use", "check", "backup"}

// otherKind are all the others.
const otherKind = "other"

// durations are the bounds of the histograms in seconds: a point read takes 20 µs.
var durations = []float64{25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 50e-3, 0.1, 0.25, 0.5,
	1, 2.5, 5, 10, 30, 60}

// watch counts the work of a server, for monitoring. It is a prometheus.Collector.
type watch struct {
	h     *handler
	seen  map[string]prometheus.Observer
	wrong map[string]prometheus.Counter

	statements *prometheus.HistogramVec
	errors     *prometheus.CounterVec
	rows, keys, documents, bytes, conflicts,
	retries prometheus.Counter
	own []prometheus.Collector

	mu     sync.Mutex
	read   time.Time // when the tables were read last
	tables []prometheus.Metric
}

// tableMetricsLife is how long figures of tables are served from memory; maxTableMetrics bounds the tables.
const (
	tableMetricsLife = 10 * time.Second
	maxTableMetrics  = 1000
)

func newWatch(h *handler) *watch {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: "sqlfdb_" + name, Help: help})
	}
	w := &watch{h: h, seen: map[string]prometheus.Observer{}, wrong: map[string]prometheus.Counter{},
		statements: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "sqlfdb_statement_seconds",
			Help: "How long statements took, by their first words.", Buckets: durations}, []string{"kind"}),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "sqlfdb_statement_errors_total",
			Help: "Statements that ended with an error."}, []string{"kind"}),
		rows:      counter("rows_total", "Rows that statements have sent or changed."),
		keys:      counter("keys_read_total", "Keys of indexes that statements have read."),
		documents: counter("documents_read_total", "Documents that statements have read."),
		bytes:     counter("document_bytes_read_total", "Bytes of the documents that statements have read."),
		conflicts: counter("conflicts_total", "Conflicts that statements have met."),
		retries:   counter("retries_total", "How often statements ran again after a conflict."),
	}
	for _, kind := range append([]string{otherKind}, kinds...) {
		w.seen[kind], w.wrong[kind] = w.statements.WithLabelValues(kind), w.errors.WithLabelValues(kind)
	}
	w.own = []prometheus.Collector{w.statements, w.errors, w.rows, w.keys, w.documents, w.bytes, w.conflicts, w.retries}
	return w
}

// kindOf is the first word of a statement, if it is counted separately.
func (w *watch) kindOf(query string) string {
	query = strings.TrimLeft(skipComments(query), " \t\r\n(")
	n := 0
	for n < len(query) && n < 10 && (query[n]|0x20 >= 'a' && query[n]|0x20 <= 'z') {
		n++
	}
	kind := strings.ToLower(query[:n])
	if kind == "with" {
		return "select"
	}
	if _, known := w.seen[kind]; !known {
		return otherKind
	}
	return kind
}

// maxComments is how many comments before a statement are looked behind, and maxComment how long all may be.
const (
	maxComments = 8
	maxComment  = 4096
)

// skipComments returns a statement without the comments before it; comments that hold code to be run stay.
func skipComments(query string) string {
	begin := query[:min(len(query), maxComment)]
	for range maxComments {
		begin = strings.TrimLeft(begin, " \t\r\n(")
		end, skip := "\n", 0
		switch {
		case strings.HasPrefix(begin, "/*") && !strings.HasPrefix(begin, "/*!"):
			end, skip = "*/", 2
		case !strings.HasPrefix(begin, "#") && !strings.HasPrefix(begin, "-- ") && !strings.HasPrefix(begin, "--\t") &&
			!strings.HasPrefix(begin, "--\n"):
			return begin
		}
		_, rest, ok := strings.Cut(begin[skip:], end)
		if !ok {
			return ""
		}
		begin = rest
	}
	return begin
}

// note counts a statement that has ended.
func (w *watch) note(s *sqlbackend.Client, query string, took time.Duration, err error) {
	kind := w.kindOf(query)
	w.seen[kind].Observe(took.Seconds())
	if err != nil {
		w.wrong[kind].Inc()
	}
	if s == nil {
		return
	}
	f, ok := s.Work.Spent()
	if !ok {
		return
	}
	for _, c := range []struct {
		counter prometheus.Counter
		n       int64
	}{{w.rows, f.Rows}, {w.keys, f.Entries}, {w.documents, f.Documents}, {w.bytes, f.Bytes}, {w.conflicts, f.Conflicts},
		{w.retries, f.Retries}} {
		if c.n > 0 {
			c.counter.Add(float64(c.n))
		}
	}
}

// Describe implements prometheus.Collector: an engine's figures are not known in advance.
func (w *watch) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (w *watch) Collect(to chan<- prometheus.Metric) {
	for _, c := range w.own {
		c.Collect(to)
	}
	w.h.mu.Lock()
	connections, running := len(w.h.clients), w.h.running
	w.h.mu.Unlock()
	kept, runs := w.h.backend.Programs()
	for _, f := range []kv.Figure{
		{Name: "connections", Help: "Connections that are open.", Value: float64(connections)},
		{Name: "statements_running", Help: "Statements that run.", Value: float64(running)},
		{Name: "uptime_seconds", Help: "How long the server has been running.", Value: time.Since(w.h.began).Seconds()},
		{Name: "received_bytes_total", Help: "Bytes received from clients.", Value: float64(globalStatus("Bytes_received"))},
		{Name: "sent_bytes_total", Help: "Bytes sent to clients.", Value: float64(globalStatus("Bytes_sent"))},
		{Name: "slow_statements_total", Help: "Statements that took longer than long_query_time.",
			Value: float64(globalStatus("Slow_queries"))},
		{Name: "refused_connections_total", Help: "Connections that were refused as there were too many.",
			Value: float64(globalStatus("Connection_errors_max_connections"))},
		{Name: "programs", Help: "Programs of statements that are kept.", Value: float64(kept)},
		{Name: "row_waits_total", Help: "Statements that waited for another one that wrote the same row.",
			Value: float64(w.h.backend.RowWaits().Times)},
		{Name: "program_runs_total", Help: "Statements that were run by a kept program.", Value: float64(runs)},
	} {
		to <- metric(f, "")
	}
	store := w.h.backend.Catalog().Store()
	for _, f := range store.Figures() {
		to <- metric(f, "store_")
	}
	for _, m := range w.stored() {
		to <- m
	}
}

// metric makes a metric of a figure.
func metric(f kv.Figure, prefix string) prometheus.Metric {
	var names, values []string
	for i := 0; i+1 < len(f.Labels); i += 2 {
		names, values = append(names, f.Labels[i]), append(values, f.Labels[i+1])
	}
	if f.Buckets != nil {
		buckets := map[float64]uint64{}
		for _, b := range f.Buckets {
			buckets[b.To] = b.Count
		}
		return prometheus.MustNewConstHistogram(prometheus.NewDesc("sqlfdb_"+prefix+f.Name, f.Help, names, nil), f.Count,
			f.Value, buckets, values...)
	}
	kind := prometheus.GaugeValue
	if strings.HasSuffix(f.Name, "_total") {
		kind = prometheus.CounterValue
	}
	return prometheus.MustNewConstMetric(prometheus.NewDesc("sqlfdb_"+prefix+f.Name, f.Help, names, nil), kind, f.Value,
		values...)
}

// stored are the metrics of tables and of background work, some seconds old at most. Metrics that can't be read are
// left out, and sqlfdb_up shows that.
func (w *watch) stored() []prometheus.Metric {
	w.mu.Lock()
	defer w.mu.Unlock()
	if time.Since(w.read) < tableMetricsLife {
		return w.tables
	}
	ctx, cancel := context.WithTimeout(context.Background(), tableMetricsLife/2)
	defer cancel()
	w.tables = nil
	for _, f := range w.h.stored(ctx) {
		w.tables = append(w.tables, metric(f, ""))
	}
	w.read = time.Now()
	return w.tables
}

// stored reads whether the store can be read, and the figures of tables and of background work, as many as the context
// leaves time for.
func (h *handler) stored(ctx context.Context) []kv.Figure {
	up := kv.Figure{Name: "up", Help: "1 where the store can be read."}
	cat := h.backend.Catalog()
	tx, err := cat.Store().Begin(ctx, kv.TransactionOptions{NoReadYourWrites: true})
	if err != nil {
		return []kv.Figure{up}
	}
	defer tx.Cancel()
	r := tx.Snapshot()
	view, err := cat.View(r)
	if err != nil {
		return []kv.Figure{up}
	}
	up.Value = 1
	out := []kv.Figure{up}
	all, err := jobs.List(r)
	if err != nil {
		return out
	}
	count := map[[2]string]int{}
	for _, j := range all {
		count[[2]string{j.Kind, string(j.State)}]++
	}
	for of, n := range count {
		out = append(out, kv.Figure{Name: "jobs", Help: "Background work that waits, runs or has lately ended.",
			Labels: []string{"kind", of[0], "state", of[1]}, Value: float64(n)})
	}
	told := 0
	for _, database := range view.Databases() {
		for _, def := range view.Tables(database) {
			if told++; told > maxTableMetrics {
				return out
			}
			c, err := h.backend.OpenCollection(def)
			if err != nil {
				continue // the log says why it can't be used
			}
			stats := c.Statistics(r)
			documents, bytes, err := stats.Documents()
			if err != nil {
				return out
			}
			entries, entryBytes, err := stats.Entries()
			if err != nil {
				return out
			}
			keypaths, err := catalog.Numbered(r, def.ID)
			if err != nil {
				return out
			}
			add := func(name, help string, n int64) {
				out = append(out, kv.Figure{Name: name, Help: help, Labels: []string{"database", def.Database, "table", def.Name},
					Value: float64(n)})
			}
			add("table_documents", "Documents of a table.", documents)
			add("table_bytes", "Bytes of the documents of a table.", bytes)
			add("table_entries", "Entries of the index of a table.", entries)
			add("table_entry_bytes", "Bytes of these entries.", entryBytes)
			add("table_keypaths", "Keypaths that documents of a table have had.", keypaths)
		}
	}
	return out
}

// Metrics collects the figures of the server and its store.
func (s *Server) Metrics() prometheus.Collector { return s.handler.watch }

// Ready reports, by an error, why the server does not serve: it is closing, or its store can't be read.
func (s *Server) Ready(ctx context.Context) error {
	s.handler.mu.Lock()
	closing := s.handler.closing
	s.handler.mu.Unlock()
	if closing {
		return errors.New("the server is closing")
	}
	tx, err := s.backend.Catalog().Store().Begin(ctx, kv.TransactionOptions{NoReadYourWrites: true})
	if err != nil {
		return err
	}
	defer tx.Cancel()
	_, err = s.backend.Catalog().View(tx.Snapshot())
	return err
}
