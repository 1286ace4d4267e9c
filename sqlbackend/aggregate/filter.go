package aggregate

import (
	"bytes"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// openFiltered collects the primary keys that the filter leads to, and starts a walk over the column's entries. Only
// entries with one of these keys count.
func (i *Rows) openFiltered(number int64, known bool, part *pushdown.Part) error {
	i.within = map[string]struct{}{}
	for n := range i.Path.filter.Parts {
		of := &i.Path.filter.Parts[n]
		number, known, err := i.number(of)
		if err == nil && known {
			err = i.collect(number, of, i.within)
		}
		if err != nil {
			return err
		}
	}
	i.left = int64(len(i.within))
	if !known {
		return i.giveUnmet()
	}
	i.walk = i.entries(number, part, tables.ScanOptions{Streaming: kv.StreamAll})
	return i.advance()
}

// advance moves the walk to the next entry whose document counts.
func (i *Rows) advance() error {
	for i.on = false; i.left > 0 && i.walk.Next(); {
		if i.seen++; i.seen%1024 == 0 && i.ctx.Err() != nil {
			return i.ctx.Err()
		}
		pk, err := i.walk.PK()
		if err != nil {
			return err
		}
		if _, i.on = i.within[string(pk)]; i.on {
			i.left--
			return nil
		}
	}
	if err := i.walk.Err(); err != nil {
		return err
	}
	return i.giveUnmet()
}

// giveUnmet gives a row for the documents without an entry of the column, which lack the keypath. With a candidate
// it gives none: these documents may have a value outside of the candidate's ranges, and don't count.
func (i *Rows) giveUnmet() error {
	unmet := i.left
	if i.left = 0; i.Path.Candidate != nil {
		return nil
	}
	return i.giveValue(document.Value{}, unmet)
}

// countFiltered counts the documents that have the current value, and goes on to the next.
func (i *Rows) countFiltered(tells table.Fidelity) (int64, error) {
	value := bytes.Clone(i.walk.Value())
	for count := int64(1); ; count++ {
		if err := i.advance(); err != nil || !i.on || tells == table.FidelityPartial || !bytes.Equal(i.walk.Value(), value) {
			return count, err
		}
	}
}
