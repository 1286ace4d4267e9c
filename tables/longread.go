package tables

import (
	"context"
	"errors"
	"fmt"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
)

// A reader may read at one version after the other (kv/longread). Walks over keys go on by
// themselves; data from several keys is checked here. A document in several pieces is read
// again if it was read at two versions. A document that was fetched at a newer version than
// the entries that name it must still have them. So a row is always of one version. A
// document that nobody changes meanwhile is met as usual.

// errLeft ends the search for an entry among a document's.
var errLeft = errors.New("found")

// stands reports whether a document has an entry in each of the sets of ranges.
func (c *Collection) stands(pk []byte, rec record, sets [][]kv.Range) (bool, error) {
	for _, ranges := range sets {
		_, err := c.maintainer.Entries(context.Background(), pk, rec.Versioned, func(key []byte) error {
			for _, r := range ranges {
				if string(key) >= string(r.Start) && string(key) < string(r.End) {
					return errLeft
				}
			}
			return nil
		})
		if err == nil {
			return false, nil
		}
		if !errors.Is(err, errLeft) {
			return false, fmt.Errorf("tables: compare a document of %s with its entries: %w", c.def, err)
		}
	}
	return true, nil
}

// named waits for a document that entries name. They were read at the epoch or later. If
// there has been another epoch since, ok is false for a document that is gone, or has no
// entry left in one of the sets of ranges.
func (p *Pending) named(long *longread.Tx, epoch int64, sets func() [][]kv.Range) (d document.Document, ok bool,
	err error) {
	rec, there, err := p.stored()
	if err != nil {
		return d, false, err
	}
	if long.Epoch() != epoch {
		if there {
			there, err = p.c.stands(p.pk, rec, sets())
		}
		if err != nil || !there {
			return d, false, err
		}
	}
	if !there {
		return d, false, fmt.Errorf("tables: %w: an entry names the document %x, which is not there", ErrCorrupt, p.pk)
	}
	d, err = p.c.upgraded(rec.Versioned)
	return d, err == nil, err
}

// GetNamed reads the document that an entry names, which has that key and was read at the
// epoch (longread.Tx) of r. ok is false for a document that does not have the entry any more
// at a newer version.
func (c *Collection) GetNamed(r kv.Reader, epoch int64, pk, entry []byte) (d document.Document, ok bool, err error) {
	return c.fetch(r, pk).named(longread.Of(r), epoch, func() [][]kv.Range { return [][]kv.Range{{kv.PointRange(entry)}} })
}

// ranges are the keys of the entries of one part of a member.
func (c *Collection) ranges(p MemberPart) []kv.Range {
	var out []kv.Range
	for _, v := range p.Versions {
		for _, s := range v.Spans {
			out = append(out, c.keys.EntrySpan(p.Keypath, v.Version, s.Start, s.End))
		}
	}
	return out
}
