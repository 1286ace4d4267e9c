package pebblekv_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

var fast = kv.TransactionOptions{NoReadYourWrites: true}

func BenchmarkCommit(b *testing.B) {
	for _, clients := range []int{1, 8, 32} {
		b.Run(fmt.Sprint(clients, " clients"), func(b *testing.B) {
			s := open(b, b.TempDir(), pebblekv.Options{})
			defer s.Close()
			ctx := context.Background()
			b.ResetTimer()
			var wg sync.WaitGroup
			for c := range clients {
				wg.Go(func() {
					for i := c; i < b.N; i += clients {
						tx, _ := s.Begin(ctx, fast)
						key := fmt.Appendf(nil, "key/%010d", i*7919%1_000_003)
						if _, err := tx.Get(key).Get(); err != nil {
							b.Error(err)
						}
						tx.Set(key, make([]byte, 100))
						tx.Add([]byte("count"), []byte{1, 0, 0, 0, 0, 0, 0, 0})
						if err := tx.Commit(); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
		})
	}
}

// load writes documents of one record and 23 entries each, 500 a transaction,
// with a read conflict per document and 24 counters per transaction.
func load(b *testing.B, s kv.Store, clients, docs int) {
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(c)))
			value := make([]byte, 400)
			var key []byte
			for from := c * 500; from < docs; from += clients * 500 {
				tx, _ := s.Begin(context.Background(), fast)
				for d := from; d < min(from+500, docs); d++ {
					key = fmt.Appendf(key[:0], "c1/doc/%016x", uint64(d)*0x9e3779b97f4a7c15)
					if _, err := tx.Get(key).Get(); err != nil {
						b.Error(err)
					}
					tx.Set(key, value)
					for e := range 23 {
						key = fmt.Appendf(key[:0], "c1/idx/%02d/", e)
						key = binary.BigEndian.AppendUint64(key, rng.Uint64N(100_000))
						key = fmt.Appendf(key, "/%016x", uint64(d)*0x9e3779b97f4a7c15)
						tx.Set(key, nil)
					}
				}
				for e := range 24 {
					tx.Add(fmt.Appendf(nil, "c1/cnt/%02d", e), make([]byte, 24))
				}
				if err := tx.Commit(); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkLoad(b *testing.B) {
	for _, clients := range []int{1, 2, 4} {
		b.Run(fmt.Sprint(clients, " clients"), func(b *testing.B) {
			s := open(b, b.TempDir(), pebblekv.Options{})
			defer s.Close()
			b.ResetTimer()
			load(b, s, clients, b.N)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "docs/s")
		})
	}
}

func BenchmarkRead(b *testing.B) {
	s := open(b, b.TempDir(), pebblekv.Options{})
	defer s.Close()
	const docs = 100_000
	load(b, s, 2, docs)
	ctx := context.Background()
	b.Run("get", func(b *testing.B) {
		tx, _ := s.Begin(ctx, fast)
		defer tx.Cancel()
		r := tx.Snapshot()
		for i := range b.N {
			key := fmt.Appendf(nil, "c1/doc/%016x", uint64(i%docs)*0x9e3779b97f4a7c15)
			if v, err := r.Get(key).Get(); err != nil || v == nil {
				b.Fatal(v, err)
			}
		}
	})
	b.Run("begin and get", func(b *testing.B) {
		for i := range b.N {
			tx, _ := s.Begin(ctx, fast)
			key := fmt.Appendf(nil, "c1/doc/%016x", uint64(i%docs)*0x9e3779b97f4a7c15)
			if v, err := tx.Get(key).Get(); err != nil || v == nil {
				b.Fatal(v, err)
			}
			tx.Cancel()
		}
	})
	b.Run("scan a row", func(b *testing.B) {
		tx, _ := s.Begin(ctx, fast)
		defer tx.Cancel()
		n := 0
		for n < b.N {
			it := tx.Snapshot().Range(kv.PrefixRange([]byte("c1/idx/05/")), kv.RangeOptions{Streaming: kv.StreamAll})
			for it.Next() {
				n++
			}
			it.Close()
		}
	})
	b.Run("begin and short range", func(b *testing.B) {
		for i := range b.N {
			tx, _ := s.Begin(ctx, fast)
			start := fmt.Appendf(nil, "c1/doc/%016x", uint64(i%docs)*0x9e3779b97f4a7c15)
			it := tx.Range(kv.Range{Start: start, End: []byte("c1/doc0")}, kv.RangeOptions{Limit: 3, Streaming: kv.StreamSmall})
			for it.Next() {
			}
			it.Close()
			tx.Cancel()
		}
	})
	b.Run("short range", func(b *testing.B) {
		tx, _ := s.Begin(ctx, fast)
		defer tx.Cancel()
		for i := range b.N {
			start := fmt.Appendf(nil, "c1/doc/%016x", uint64(i%docs)*0x9e3779b97f4a7c15)
			it := tx.Range(kv.Range{Start: start, End: []byte("c1/doc0")}, kv.RangeOptions{Limit: 3, Streaming: kv.StreamSmall})
			for it.Next() {
			}
			it.Close()
		}
	})
	b.Run("estimate", func(b *testing.B) {
		tx, _ := s.Begin(ctx, fast)
		defer tx.Cancel()
		for range b.N {
			if _, err := tx.EstimateSize(kv.PrefixRange([]byte("c1/idx/05/"))).Get(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
