package tables

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
)

// formerSum are the counts of the documents in a former version of the index.
type formerSum struct {
	documents costing.Count
	counts    map[counterKey]costing.Count
}

// former adds up a document's counts in the former version of the index that it is in. ok
// is false when it is in the present one.
func (k *checker) former(pk []byte, d indexes.Versioned) (ok bool, err error) {
	i, ok := k.c.def.FormerOf(d.Generation)
	if !ok {
		return false, nil
	}
	for len(k.formers) < len(k.c.formers) {
		k.formers = append(k.formers, formerSum{counts: map[counterKey]costing.Count{}})
	}
	sum := &k.formers[i]
	delta, err := k.c.formers[i].maintainer.Entries(k.ctx, pk, d, func([]byte) error { return nil })
	if err != nil {
		return true, err
	}
	sum.documents = sum.documents.Add(costing.Count{Documents: 1, Bytes: int64(d.Len())})
	for _, x := range delta {
		at := counterKey{x.Keypath, x.Kind}
		sum.counts[at] = sum.counts[at].Add(costing.Count{Documents: x.Documents, Entries: x.Entries})
	}
	return true, nil
}

// certainLimit is the greatest limit of sort keys, in bytes, with which no entry is too
// large for its key, with any collator.
const certainLimit = 1_000

// formerCounters compares the counters of the former versions with the documents that are
// in them, as far as it can be known: documents and entries, not bytes. The entries stored
// there are not checked, since nobody reads them.
func (k *checker) formerCounters() error {
	for i := range k.c.formers {
		sum := formerSum{}
		if i < len(k.formers) {
			sum = k.formers[i]
		}
		f, def := &k.c.formers[i], k.c.def.Formers[i].Definition
		// Which strings were left out because of their key's size may depend on
		// a collator that is gone.
		guessed := def.Options.SortKeyLimit() > certainLimit
		stored := map[counterKey]costing.Count{}
		it := k.r.Range(f.keys.AllCounters(), kv.RangeOptions{Streaming: kv.StreamAll})
		for it.Next() {
			number, kind, err := f.keys.SplitCounter(it.Key())
			if err == nil {
				stored[counterKey{number, document.Kind(kind)}], err = decodeFormer(it.Value(), guessed)
			}
			if err != nil {
				k.violation(Violation{What: "a count is malformed", Key: append([]byte(nil), it.Key()...), Detail: err.Error()})
			}
		}
		err := it.Err()
		it.Close()
		if err != nil {
			return err
		}
		var entries int64
		for at, want := range sum.counts {
			entries += want.Entries
			if _, ok := stored[at]; !ok {
				stored[at] = costing.Count{}
			}
		}
		for at, have := range stored {
			if guessed && (at.kind == document.KindString || at.kind == indexes.KindOmitted) {
				continue
			}
			if want := sum.counts[at]; have.Documents != want.Documents || have.Entries != want.Entries {
				name, ok := k.c.dictionary.Name(at.keypath)
				if !ok {
					name = fmt.Sprintf("number %d", at.keypath)
				}
				k.violation(Violation{What: "a count of a former index is wrong", Key: f.keys.Counter(at.keypath, int64(at.kind)),
					Detail: fmt.Sprintf("keypath %s, %s: %+v stored, %+v counted", name, at.kind, have, want)})
			}
		}
		if err := k.formerTotal(f.keys.InfoDocuments(), sum.documents, guessed); err != nil {
			return err
		}
		if !guessed {
			if err := k.formerTotal(f.keys.InfoEntries(), costing.Count{Entries: entries, Bytes: -1}, guessed); err != nil {
				return err
			}
		}
	}
	return nil
}

// formerTotal compares a counter with its expected value; Bytes -1 are not known.
func (k *checker) formerTotal(key []byte, want costing.Count, guessed bool) error {
	raw, err := k.r.Get(key).Get()
	if err != nil {
		return err
	}
	have, err := decodeFormer(raw, guessed)
	if want.Bytes < 0 {
		want.Bytes = have.Bytes
	}
	if err != nil || have != want {
		v := Violation{What: "a count of all of a former index is wrong", Key: key,
			Detail: fmt.Sprintf("%+v stored, %+v counted", have, want)}
		if err != nil {
			v.Detail = err.Error()
		}
		k.violation(v)
	}
	return nil
}

func decodeFormer(b []byte, guessed bool) (costing.Count, error) {
	if guessed {
		return costing.DecodeFormerCounter(b)
	}
	return costing.DecodeCounter(b)
}
