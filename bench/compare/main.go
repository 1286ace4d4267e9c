// Command compare loads the same documents into sqlfdb and into the MariaDB and PostgreSQL that it finds on the
// machine, each durable at commit and with an index on every path that is asked for, and measures the same statements
// on all of them in turns.
//
//	go run ./bench/compare -documents 100000
//
// The documents are those of NoBench (Chasseur, Li and Patel: Enabling JSON Document Stores in Relational Systems,
// WebDB 2013). Times are what the client waits, over loopback.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type options struct {
	documents, clients int
	each               time.Duration
	only, docs         string
	rounds             int
}

func main() {
	var o options
	flag.IntVar(&o.documents, "documents", 100_000, "documents of the collection")
	flag.IntVar(&o.clients, "clients", 8, "clients at once")
	flag.DurationVar(&o.each, "each", time.Second, "how long a statement is measured in a round, by one client and by all")
	flag.IntVar(&o.rounds, "rounds", 3, "rounds; the median counts")
	flag.StringVar(&o.only, "only", "", "measure the works alone whose names have this in them")
	flag.StringVar(&o.docs, "docs", "", "write compare.md and compare.svg into this folder: the figures as multiples")
	flag.Parse()
	if err := run(context.Background(), o, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, out, progress io.Writer) error {
	dir, err := os.MkdirTemp("", "compare")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var peers []*peer
	defer func() {
		for _, p := range peers {
			p.close()
		}
	}()
	loads := map[string]time.Duration{}
	for _, s := range []func(context.Context, string) (*peer, error){startSQLFDB, startMariaDB, startPostgreSQL} {
		p, err := s(ctx, dir)
		if err != nil {
			return err
		}
		if p == nil {
			continue
		}
		peers = append(peers, p)
		fmt.Fprintln(progress, "load", p.name)
		if loads[p.name], err = p.load(ctx, o.documents); err != nil {
			return fmt.Errorf("load %s: %w", p.name, err)
		}
	}
	fmt.Fprintf(out, "%d documents; p50 of one client in milliseconds / statements a second of %d clients\n\n| work |",
		o.documents, o.clients)
	for _, p := range peers {
		fmt.Fprintf(out, " %s |", p.name)
	}
	fmt.Fprintf(out, "\n|---|%s\n", strings.Repeat("---|", len(peers)))
	row := func(name string, cell func(*peer) string) {
		fmt.Fprintf(out, "| %s |", name)
		for _, p := range peers {
			fmt.Fprintf(out, " %s |", cell(p))
		}
		fmt.Fprintln(out)
	}
	var results []measured
	for _, w := range works(o.documents) {
		if !strings.Contains(w.name, o.only) {
			continue
		}
		one, all := map[string][]float64{}, map[string][]float64{}
		r := measured{w.name, map[string]float64{}, map[string]float64{}}
		for range o.rounds {
			for _, p := range peers {
				fmt.Fprintln(progress, w.name, p.name)
				times, _, err := p.measure(ctx, w, 1, o.each)
				if err != nil {
					return fmt.Errorf("%s: %s: %w", p.name, w.name, err)
				}
				slices.Sort(times)
				one[p.name] = append(one[p.name], times[len(times)/2].Seconds()*1e3)
				times, took, err := p.measure(ctx, w, o.clients, o.each)
				if err != nil {
					return fmt.Errorf("%s: %s: %w", p.name, w.name, err)
				}
				all[p.name] = append(all[p.name], float64(len(times))/took.Seconds())
			}
		}
		row(w.name, func(p *peer) string {
			r.one[p.name], r.all[p.name] = median(one[p.name]), median(all[p.name])
			return fmt.Sprintf("%.3f / %.0f", r.one[p.name], r.all[p.name])
		})
		results = append(results, r)
	}
	loaded := measured{"load, documents", nil, map[string]float64{}}
	row("load, documents/s", func(p *peer) string {
		loaded.all[p.name] = float64(o.documents) / loads[p.name].Seconds()
		return fmt.Sprintf("%.0f", loaded.all[p.name])
	})
	row("MB", func(p *peer) string { return fmt.Sprintf("%.0f", float64(size(p.data))/1e6) })
	if o.docs != "" && len(peers) > 1 {
		return writePage(o.docs, o, peers, append(results, loaded))
	}
	return nil
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

// laidIn is how many documents are there for a client to take away in a second.
const laidIn = 4000

// settling is how long a server has for what it does behind many inserts: flushes, compactions, checkpoints.
const settling = 2 * time.Second

// measure runs a work by several clients for a time, and gives what each run took, and all of them.
func (p *peer) measure(ctx context.Context, w work, clients int, each time.Duration) (all []time.Duration,
	took time.Duration, err error) {
	if w.spends != nil {
		documents := clients * max(100, int(laidIn*each.Seconds()))
		first := w.spends(documents)
		if err := p.fill(ctx, first, first+documents); err != nil {
			return nil, 0, err
		}
		time.Sleep(settling) // else what is measured is the end of this
		var spent atomic.Int64
		w.args = func() []any {
			n := int(spent.Add(1))
			if n > documents {
				return nil
			}
			id, _, _ := document(first + n - 1)
			return []any{id}
		}
	}
	text, ok := w.text[p.dialect]
	if !ok {
		text = w.text[""]
	}
	var failure error
	var mu sync.Mutex
	var group sync.WaitGroup
	var until, ended atomic.Int64
	ready := sync.WaitGroup{}
	ready.Add(clients)
	for range clients {
		group.Go(func() {
			times, err := func() (times []time.Duration, err error) {
				c, err := p.db.Conn(ctx)
				if err == nil {
					defer c.Close()
				}
				var run func() error
				if err == nil {
					run, err = w.prepare(ctx, c, text)
				}
				for range 5 {
					if err == nil {
						err = run()
					}
				}
				ready.Done()
				ready.Wait()
				until.CompareAndSwap(0, time.Now().Add(each).UnixNano())
				for err == nil && time.Now().UnixNano() < until.Load() {
					began := time.Now()
					if err = run(); errors.Is(err, errSpent) {
						ended.CompareAndSwap(0, began.UnixNano())
						return times, nil
					}
					times = append(times, time.Since(began))
				}
				return times, err
			}()
			mu.Lock()
			defer mu.Unlock()
			all = append(all, times...)
			if failure == nil {
				failure = err
			}
		})
	}
	group.Wait()
	if failure == nil && len(all) == 0 {
		failure = fmt.Errorf("nothing was run")
	}
	if took = each; ended.Load() > 0 {
		took -= time.Duration(until.Load() - ended.Load())
	}
	return all, took, failure
}
