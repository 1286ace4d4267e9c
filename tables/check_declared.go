package tables

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
)

// declaredEntries compares the stored entries of declared indexes with the entries that the
// documents must have. An index that is being built may lack some, but has no others.
func (k *checker) declaredEntries() error {
	have := map[int64]multiset{}
	for _, r := range []kv.Range{k.c.keys.AllDeclared(), k.c.keys.AllOmitted()} {
		err := k.eachKey(r, func(key []byte, n int64) error {
			have[n] = have[n].plus(k.seeds, key)
			k.sum.Declared++
			return nil
		})
		if err != nil {
			return err
		}
	}
	for i := range k.c.def.Indexes {
		idx := &k.c.def.Indexes[i]
		if idx.Number == 0 {
			continue
		}
		same := have[idx.Number] == k.declared[idx.Number]
		delete(have, idx.Number)
		if same {
			continue
		}
		if err := k.compareDeclared(idx); err != nil {
			return err
		}
	}
	for n := range have {
		k.violation(Violation{What: "there are entries of a declared index that is not there",
			Key: k.c.keys.DeclaredEntries(n).Start,
			mend: func(tx *Tx) error {
				tx.ClearRange(k.c.keys.DeclaredEntries(n))
				tx.ClearRange(k.c.keys.OmittedFrom(n))
				return nil
			}})
	}
	return nil
}

// eachKey visits the keys of a range of declared indexes with their index's number.
func (k *checker) eachKey(r kv.Range, visit func(key []byte, n int64) error) error {
	it := k.r.Range(r, kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		if err := k.ctx.Err(); err != nil {
			return err
		}
		n, err := k.c.keys.DeclaredNumber(it.Key())
		if err != nil {
			k.violation(Violation{What: "a declared index's key is malformed", Key: bytes.Clone(it.Key()), Detail: err.Error(),
				mend: clears(it.Key())})
			continue
		}
		if len(it.Value()) > 0 {
			k.violation(Violation{What: "an entry of a declared index has a value", Key: bytes.Clone(it.Key()),
				mend: empties(it.Key())})
		}
		if err := visit(it.Key(), n); err != nil {
			return err
		}
	}
	return it.Err()
}

// compareDeclared names the entries that a declared index lacks, unless it is being
// built, and entries that no document accounts for.
func (k *checker) compareDeclared(idx *catalog.Index) error {
	before := k.sum.Violations
	if idx.Building == 0 {
		err := k.walk(func(Violation) {}, func(pk []byte, d indexes.Versioned) error {
			keys, err := k.declaredKeys(idx, pk, d)
			for _, key := range keys {
				v, err := k.r.Get(key).Get()
				if err != nil {
					return err
				}
				if v == nil {
					k.violation(Violation{What: "an entry of a declared index is missing", PK: bytes.Clone(pk), Key: key,
						Detail: "index " + idx.Name, mend: empties(key)})
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, r := range []kv.Range{k.c.keys.DeclaredEntries(idx.Number), k.c.keys.OmittedFrom(idx.Number)} {
		if err := k.danglingDeclared(idx, r); err != nil {
			return err
		}
	}
	if idx.Building == 0 && k.sum.Violations == before {
		k.violation(Violation{What: "the entries of a declared index differ from the documents", Detail: "index " + idx.Name})
	}
	return nil
}

func (k *checker) danglingDeclared(idx *catalog.Index, r kv.Range) error {
	entries := bytes.Equal(r.Start, k.c.keys.DeclaredEntries(idx.Number).Start)
	return k.eachKey(r, func(key []byte, _ int64) error {
		var pk []byte
		var err error
		if entries {
			_, pk, err = k.c.keys.SplitDeclared(key, len(idx.Columns))
		} else {
			pk, err = k.c.keys.SplitOmitted(key)
		}
		if err != nil {
			k.violation(Violation{What: "a declared index's key is malformed", Key: bytes.Clone(key),
				Detail: fmt.Sprintf("index %s: %s", idx.Name, err),
				mend:   clears(key)})
			return nil
		}
		rec, ok, err := k.c.Get(k.r, pk).stored()
		if err != nil && !errors.Is(err, ErrCorrupt) {
			return err
		}
		var want [][]byte
		if ok {
			if want, err = k.declaredKeys(idx, pk, rec.Versioned); err != nil {
				return err
			}
		}
		if !slices.ContainsFunc(want, func(w []byte) bool { return bytes.Equal(w, key) }) {
			k.violation(Violation{What: "an entry of a declared index has no document", PK: bytes.Clone(pk),
				Key: bytes.Clone(key), Detail: "index " + idx.Name,
				mend: clears(key)})
		}
		return nil
	})
}

// declaredKeys are the keys that a document must have in a declared index.
func (k *checker) declaredKeys(idx *catalog.Index, pk []byte, d indexes.Versioned) (keys [][]byte, err error) {
	if _, former := k.c.def.FormerOf(d.Generation); former {
		return nil, nil
	}
	_, err = k.c.maintainer.All(k.ctx, pk, d, func(declared int64, key []byte) error {
		if declared == idx.Number {
			keys = append(keys, bytes.Clone(key))
		}
		return nil
	})
	return keys, err
}
