package tables_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// texts is the typing of a column n that was a number and is a text now: what is
// not a number or a text does not fit.
type texts struct{}

var keypathN = document.Keypath{{Name: "n"}}

func (texts) Upgrade(d document.Document, _ int64) (document.Document, error) {
	v, there := d.Lookup(keypathN)
	if !there || v.Type() != document.TypeNumber {
		return d, nil
	}
	text, err := document.StringValue(v.Text())
	if err != nil {
		return d, err
	}
	return d.With(keypathN, text)
}

func (texts) Misfits(d document.Document, visit func(tables.Misfit)) error {
	v, there := d.Lookup(keypathN)
	if there && v.Type() != document.TypeString && v.Type() != document.TypeNull {
		visit(tables.Misfit{Column: "n", Value: v})
	}
	return nil
}

// retype makes the column n of the fixture's table a text, documents being as they are.
func (f *fixture) retype() {
	f.t.Helper()
	def, err := f.cat.AlterTable(f.ctx, "d", "t", func(t *catalog.Table) error {
		i, there := t.Column("n")
		if !there {
			t.Columns = append(t.Columns, catalog.Column{Name: "n", Type: "int", Nullable: true, Class: catalog.ClassNumber})
			i = len(t.Columns) - 1
		}
		t.Retype(i, catalog.Column{Type: "text"})
		return nil
	})
	if err == nil {
		f.c, err = tables.OpenTyped(f.cat, def, texts{})
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// sound proves the collection and returns the number of misfits.
func (f *fixture) sound(when string) int64 {
	f.t.Helper()
	var sum tables.Summary
	f.read(func(r kv.Reader) {
		var err error
		sum, err = f.c.Check(f.ctx, r, func(v tables.Violation) {
			if v.Misfit == nil {
				f.t.Errorf("%s: %v", when, v)
			}
		})
		if err != nil {
			f.t.Fatal(err)
		}
	})
	return sum.Misfits
}

// text is a document as it is read.
func (f *fixture) text(id string) (text string) {
	f.t.Helper()
	pk, _ := f.parse(fmt.Sprintf(`{"_id":%q}`, id))
	f.read(func(r kv.Reader) {
		d, _, err := f.c.Get(r, pk).Get()
		if err != nil {
			f.t.Fatal(err)
		}
		text = d.Text()
	})
	return text
}

// header is the beginning of a document's first chunk.
func (f *fixture) header(id string) (head []byte) {
	f.t.Helper()
	pk, _ := f.parse(fmt.Sprintf(`{"_id":%q}`, id))
	f.read(func(r kv.Reader) {
		raw, err := r.Get(f.c.Keys().Document(pk, 0)).Get()
		if err != nil || len(raw) < 3 {
			f.t.Fatalf("first chunk of %s: %x, %v", id, raw, err)
		}
		head = bytes.Clone(raw[:3])
	})
	return head
}

func (f *fixture) upgrade(from []byte, documents int) (out tables.Upgraded) {
	f.t.Helper()
	f.must(func(tx *tables.Tx) (err error) {
		out, err = f.c.Upgrade(f.ctx, tx, from, tables.UpgradeBudget{Documents: documents})
		return err
	})
	return out
}

// TestUpgrade goes through a collection a document at a time while others
// write, for both layouts of documents.
func TestUpgrade(t *testing.T) {
	for _, scheme := range []string{"", catalog.KeySchemeField} {
		f := open(t, catalog.Options{KeyScheme: scheme})
		long := strings.Repeat("x", 250_000)
		f.must(func(tx *tables.Tx) error {
			for _, text := range []string{`{"_id":"a","n":1}`, `{"_id":"b","n":{"m":2}}`, `{"_id":"c","other":3}`,
				`{"_id":"d","n":4,"long":"` + long + `"}`, `{"_id":"e","n":5}`, `{"_id":"f","n":null}`, `{"_id":"g","n":7}`} {
				if err := f.insert(tx, text); err != nil {
					return err
				}
			}
			return nil
		})
		if scheme == "" && !bytes.Equal(f.header("a"), []byte{1, 1, '{'}) {
			t.Errorf("generation 0 is written as % x", f.header("a"))
		}
		f.retype()
		if n := f.sound("when the type has changed"); n != 1 {
			t.Errorf("%d misfits", n)
		}
		if got := f.text("a"); got != `{"_id":"a","n":"1"}` {
			t.Errorf("read as %s", got)
		}
		first := f.upgrade(nil, 2)
		if first.Documents != 2 || first.Converted != 2 || len(first.Misfits) != 1 || first.Next == nil {
			t.Errorf("the first step: %+v", first)
		}
		if scheme == "" && !bytes.Equal(f.header("a"), []byte{2, 1, 1}) {
			t.Errorf("generation 1 is written as % x", f.header("a"))
		}
		f.sound("after a step")
		// Writers before and behind the place where the walk is, and another change.
		f.must(func(tx *tables.Tx) error {
			return errors.Join(f.insert(tx, `{"_id":"aa","n":"new"}`), f.update(tx, `{"_id":"e","n":"five"}`), f.delete(tx, "g"),
				f.update(tx, `{"_id":"d","n":"4"}`))
		})
		f.sound("after writes")
		second := f.upgrade(first.Next, 1)
		if second.Documents != 1 || second.Converted != 0 {
			t.Errorf("a document without the column: %+v", second)
		}
		f.retype()
		f.sound("when the type has changed again")
		last := f.upgrade(nil, 100)
		if last.Next != nil || last.Documents != 7 || last.Converted != 6 {
			t.Errorf("the last step: %+v", last)
		}
		def, err := f.cat.AlterTable(f.ctx, "d", "t", func(t *catalog.Table) error {
			t.Settle(func(column string) bool { return len(last.Misfits) > 0 })
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if def.Upgrading() || !def.Columns[1].Misfits || def.Columns[1].FieldVersion != 2 {
			t.Errorf("settled: %+v", def.Columns[1])
		}
		if f.c, err = tables.Open(f.cat, def); err != nil {
			t.Fatal(err)
		}
		f.sound("in the end")
		if got := f.text("c"); got != `{"_id":"c","other":3}` {
			t.Errorf("a document of generation 0 is read as %s", got)
		}
	}
}

// TestUpgradeConflicts: a step and a writer of the same document don't both commit.
func TestUpgradeConflicts(t *testing.T) {
	f := open(t, catalog.Options{})
	f.must(func(tx *tables.Tx) error { return f.insert(tx, `{"_id":"a","n":1}`) })
	f.retype()
	for _, stepFirst := range []bool{true, false} {
		step, err := tables.Begin(f.ctx, f.store)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.c.Upgrade(f.ctx, step, nil, tables.UpgradeBudget{}); err != nil {
			t.Fatal(err)
		}
		writer, err := tables.Begin(f.ctx, f.store)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.update(writer, `{"_id":"a","n":"two"}`); err != nil {
			t.Fatal(err)
		}
		order := []*tables.Tx{writer, step}
		if stepFirst {
			order = []*tables.Tx{step, writer}
		}
		first, second := order[0].Commit(), order[1].Commit()
		if first != nil || !errors.Is(second, kv.ErrConflict) {
			t.Errorf("step first %t: %v, %v", stepFirst, first, second)
		}
		f.sound("after a conflict")
		f.retype()
	}
}

// TestUntyped: without SQL's types a collection whose types change is not read.
func TestUntyped(t *testing.T) {
	f := open(t, catalog.Options{})
	f.must(func(tx *tables.Tx) error { return f.insert(tx, `{"_id":"a","n":1}`) })
	f.retype()
	c, err := tables.Open(f.cat, f.c.Definition())
	if err != nil {
		t.Fatal(err)
	}
	f.read(func(r kv.Reader) {
		pk, _ := f.parse(`{"_id":"a"}`)
		if _, _, err := c.Get(r, pk).Get(); !errors.Is(err, tables.ErrUntyped) {
			t.Errorf("read: %v", err)
		}
	})
}
