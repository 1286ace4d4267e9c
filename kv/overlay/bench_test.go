package overlay_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
)

// sink is a store that costs nothing, so that the overlay alone is measured.
type sink struct{ kv.Transaction }

func (sink) Set(key, value []byte)                       {}
func (sink) Add(key, operand []byte)                     {}
func (sink) Size() int64                                 { return 0 }
func (sink) Overhead() int64                             { return 0 }
func (sink) Commit() error                               { return nil }
func (sink) Snapshot() kv.Reader                         { return sink{} }
func (sink) Get([]byte) kv.FutureValue                   { return fakeValue{} }
func (sink) Range(kv.Range, kv.RangeOptions) kv.Iterator { return &fakeIterator{closed: true} }

const perDocument, documents = 24, 2000 // as an import's transaction

// keys are those of an import: documents in key order, each with entries all over the index.
func importKeys() [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	var keys [][]byte
	for d := range documents {
		for e := range perDocument {
			k := fmt.Appendf(nil, "\x15\x07\x15\x03\x15%c\x15\x01\x01\x30value %08x\x00\x01document %08d\x00\x14", e,
				r.Uint32()>>8, d)
			keys = append(keys, k)
		}
	}
	return keys
}

// BenchmarkSet is one Set of many in a transaction, the commit included.
func BenchmarkSet(b *testing.B) {
	keys := importKeys()
	value := make([]byte, 20)
	for _, mode := range []string{"plain", "bracket per document", "range per document"} {
		b.Run(mode, func(b *testing.B) {
			b.ReportAllocs()
			tx := overlay.New(sink{})
			for i := range b.N {
				if i%len(keys) == 0 {
					tx.Commit()
					tx = overlay.New(sink{})
				}
				var mark overlay.Mark
				if i%perDocument == 0 {
					switch mode {
					case "bracket per document":
						mark = tx.Begin()
					case "range per document":
						it := tx.Range(kv.PrefixRange(keys[i%len(keys)][:20]), kv.RangeOptions{Limit: 1})
						it.Next()
						it.Close()
					}
				}
				tx.Set(keys[i%len(keys)], value)
				if i%perDocument == perDocument-1 {
					tx.Release(mark)
				}
			}
		})
	}
}

// BenchmarkAdd folds the counters of an import.
func BenchmarkAdd(b *testing.B) {
	for _, mode := range []string{"plain", "bracket per document"} {
		b.Run(mode, func(b *testing.B) {
			b.ReportAllocs()
			counters := importKeys()[:perDocument]
			operand := make([]byte, 24)
			operand[0], operand[8], operand[16] = 1, 1, 77
			tx := overlay.New(sink{})
			var mark overlay.Mark
			for i := range b.N {
				if i%(perDocument*documents) == 0 {
					tx.Commit()
					tx = overlay.New(sink{})
				}
				if i%perDocument == 0 && mode != "plain" {
					mark = tx.Begin()
				}
				tx.Add(counters[i%perDocument], operand)
				if i%perDocument == perDocument-1 {
					tx.Release(mark)
				}
			}
		})
	}
}

func BenchmarkGet(b *testing.B) {
	keys := importKeys()
	tx := overlay.New(sink{})
	for i, k := range keys {
		if i%2 == 0 {
			tx.Set(k, k)
		}
	}
	for _, own := range []int{0, 1} {
		b.Run([]string{"own", "other"}[own], func(b *testing.B) {
			b.ReportAllocs()
			i := own
			for b.Loop() {
				tx.Get(keys[i%len(keys)])
				i += 2
			}
		})
	}
}

// BenchmarkRange merges 1000 pairs of the store with a write between each two.
func BenchmarkRange(b *testing.B) {
	for _, writes := range []int{0, 1, 1000} {
		b.Run(fmt.Sprintf("%d writes", writes), func(b *testing.B) {
			b.ReportAllocs()
			s := &sorted{}
			for i := range 1000 {
				s.keys = append(s.keys, binary.BigEndian.AppendUint32([]byte("r"), uint32(2*i)))
			}
			tx := overlay.New(s)
			for i := range writes {
				tx.Set(binary.BigEndian.AppendUint32([]byte("r"), uint32(2*i+1)), nil)
			}
			n := 0
			for b.Loop() {
				it := tx.Range(kv.PrefixRange([]byte("r")), kv.RangeOptions{})
				for it.Next() {
					n++
				}
				it.Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/pair")
		})
	}
}

// sorted is a store of sorted keys that costs little to range over.
type sorted struct {
	sink
	keys [][]byte
}

func (s *sorted) Range(r kv.Range, o kv.RangeOptions) kv.Iterator {
	return &sortedIterator{keys: s.keys, at: -1}
}

type sortedIterator struct {
	keys [][]byte
	at   int
}

func (it *sortedIterator) Next() bool    { it.at++; return it.at < len(it.keys) }
func (it *sortedIterator) Key() []byte   { return it.keys[it.at] }
func (it *sortedIterator) Value() []byte { return it.keys[it.at] }
func (it *sortedIterator) Err() error    { return nil }
func (it *sortedIterator) Close()        {}
