package document_test

import (
	"testing"

	"github.com/sqlfdb/sqlfdb/document"
)

// sample is a document of 500 bytes with 20 scalars.
const sample = `{"_id":"0191e6a2-7c3b-7d5e-9f10-3b2a1c4d5e6f","name":"Morris Park Bake Shop","borough":"Bronx",` +
	`"cuisine":"Bakery and coffee",` +
	`"restaurant_id":"30075445","active":true,"closed":null,"rating":4.5,"reviews":1284,"price":1299,` +
	`"address":{"building":"1007","street":"Morris Park Avenue","zipcode":"10462","longitude":-73.856077,` +
	`"latitude":40.848447},` +
	`"owner":{"first":"Maria","last":"Fernandez-Lopez","email":"maria.fernandez@example.com","since":1393804800000},` +
	`"comment":"A neighbourhood bakery that has been there since 1958"}`

func TestSample(t *testing.T) {
	d, err := document.Parse([]byte(sample), document.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	scalars := 0
	count := func(l document.Leaf) error {
		if l.Kind != document.KindObject {
			scalars++
		}
		return nil
	}
	if err := document.Flatten(d, document.FlattenOptions{}, count); err != nil || scalars != 20 || len(sample) < 480 ||
		len(sample) > 580 {
		t.Fatalf("%d scalars, %d bytes, %v", scalars, len(sample), err)
	}
	allocs := testing.AllocsPerRun(100, func() {
		if err := document.Flatten(d, document.FlattenOptions{}, count); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 0 {
		t.Errorf("Flatten: %v allocations", allocs)
	}
	text := []byte(sample)
	if allocs := testing.AllocsPerRun(100, func() {
		if _, err := document.Parse(text, document.Limits{}); err != nil {
			t.Fatal(err)
		}
	}); allocs > 2 {
		t.Errorf("Parse: %v allocations", allocs)
	}
}

func BenchmarkParse(b *testing.B) {
	text := []byte(sample)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := document.Parse(text, document.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFlatten(b *testing.B) {
	d, err := document.Parse([]byte(sample), document.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(sample)))
	b.ReportAllocs()
	leaves := 0
	emit := func(document.Leaf) error { leaves++; return nil }
	for b.Loop() {
		if err := document.Flatten(d, document.FlattenOptions{}, emit); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseAndFlatten(b *testing.B) {
	text := []byte(sample)
	b.ReportAllocs()
	leaves := 0
	emit := func(document.Leaf) error { leaves++; return nil }
	for b.Loop() {
		d, err := document.Parse(text, document.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		if err := document.Flatten(d, document.FlattenOptions{}, emit); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMember(b *testing.B) {
	d, err := document.Parse([]byte(sample), document.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := d.Member("comment"); !ok {
			b.Fatal("no comment")
		}
	}
}

func BenchmarkCompareNumbers(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if document.CompareNumbers("40.848447", "40.8484471e0") >= 0 {
			b.Fatal("wrong")
		}
	}
}
