package collection_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/document"
)

// spelled are the keypaths in their order, with their kinds.
func spelled(k collection.Keypaths) string {
	var parts []string
	for _, path := range k.Order {
		parts = append(parts, path+":"+strings.Join(k.Kinds[path], "/"))
	}
	return strings.Join(parts, " ")
}

// known fails unless each keypath of each document is noted, if that is what the collection says.
func known(t testing.TB, c *collection.Collection) {
	t.Helper()
	k := c.Keypaths()
	if !k.Complete {
		t.Error("the keypaths are not complete")
	}
	err := c.List(ctx, "", func(id string) error {
		docs, err := c.Get(ctx, []string{id})
		if err != nil || docs[0] == nil {
			return err
		}
		return document.Flatten(docs[0].Body, document.FlattenOptions{}, func(l document.Leaf) error {
			if !slices.Contains(k.Kinds[string(l.Path)], l.Kind.String()) {
				t.Errorf("%s: %s of the kind %s is not noted", id, l.Path, l.Kind)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestKeypaths(t *testing.T) {
	st := store.NewMem()
	count := store.NewCount(st)
	c := open(t, count, "pets", quick)
	write(t, c, "a", `{"_id":"a","name":"Milo","age":3}`)
	write(t, c, "b", `{"_id":"b","name":null,"owner":{"city":"Bern"},"tags":["x",1]}`)
	known(t, c)
	want := "_id:string name:null/string age:int53 owner:object owner.city:string tags:array tags[*]:int53/string"
	if got := spelled(c.Keypaths()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	before := count.Requests()
	write(t, c, "c", `{"_id":"c","name":"Otto","age":4}`)
	// The writer's object twice, and the document.
	if got := count.Requests().Minus(before); got.Puts != 3 {
		t.Errorf("a document without anything new took %+v", got)
	}
	other := open(t, st, "pets", quick)
	if got := spelled(other.Keypaths()); got != want {
		t.Errorf("another sees %s", got)
	}
	write(t, other, "d", `{"_id":"d","age":"old"}`)
	write(t, c, "e", `{"_id":"e","new":true}`)
	known(t, open(t, st, "pets", quick))
	clean(t, c)
}

// What Sengo wrote is noted once all documents are read.
func TestSengosKeypaths(t *testing.T) {
	st := store.NewMem()
	sengos(t, st)
	c := open(t, st, "tasks", quick)
	write(t, c, "id9", `{"_id":"id9","extra":1}`)
	if k := c.Keypaths(); k.Complete || spelled(k) != "_id:string extra:int53" {
		t.Errorf("%+v", k)
	}
	if err := c.CreateIndex(ctx, index(t, byName)); err != nil {
		t.Fatal(err)
	}
	known(t, c)
	pets := open(t, st, "pets", quick)
	clean(t, pets)
	known(t, pets)
}

// An index that Sengo made stays known when another server, which doesn't know it, has made one.
func TestSengosIndexStays(t *testing.T) {
	st := store.NewMem()
	early := open(t, st, "tasks", quick)
	sengos(t, st)
	late := open(t, st, "tasks", quick)
	if err := early.CreateIndex(ctx, index(t, byName)); err != nil {
		t.Fatal(err)
	}
	write(t, late, "id4", `{"_id":"id4","category":"work","status":"active","priority":0,"name":"x"}`)
	if got := ids(t, late, "category_1_priority_1", "work"); got != "id4 id3 id1 id2" {
		t.Errorf("work: %s", got)
	}
	if got := ids(t, late, "name_1", "x"); got != "id4" {
		t.Errorf("x: %s", got)
	}
	clean(t, late)
	if err := late.DropIndex(ctx, "category_1_priority_1"); err != nil {
		t.Fatal(err)
	}
	if _, ok := late.Index("category_1_priority_1"); ok {
		t.Error("it is still there")
	}
	clean(t, open(t, st, "tasks", quick))
}

// TestLearn: what another program has written is known after Learn, to whoever opens the collection next.
func TestLearn(t *testing.T) {
	ctx := context.Background()
	mem := store.NewMem()
	for key, body := range map[string]string{
		"pets/data/a.json":              `{"_id":"a","name":"Milo","age":3}`,
		"pets/data/b.json":              `{"_id":"b","name":"Bella","tags":["x"]}`,
		"pets/indices/name_1.json":      `{"name":"name_1","keys":[{"field":"name","order":1}]}`,
		"pets/indices/name_1/Milo.json": `["a"]`, "pets/indices/name_1/Bella.json": `["b"]`,
	} {
		if _, err := mem.Put(ctx, key, []byte(body), store.Condition{}); err != nil {
			t.Fatal(err)
		}
	}
	c, err := collection.Open(ctx, mem, "pets", collection.Options{})
	if err != nil || c.Keypaths().Complete {
		t.Fatal(c.Keypaths(), err)
	}
	if err := c.Learn(ctx); err != nil {
		t.Fatal(err)
	}
	again, err := collection.Open(ctx, mem, "pets", collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*collection.Collection{c, again} {
		k := c.Keypaths()
		if !k.Complete || !slices.Equal(k.Kinds["age"], []string{"int53"}) || len(k.Kinds["tags"]) == 0 {
			t.Errorf("%+v", k)
		}
		if x := c.Indexes(); len(x) != 1 || x[0].Name != "name_1" {
			t.Errorf("indexes %v", x)
		}
	}
}
