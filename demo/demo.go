// Package demo makes the sample collections of `sqlfdb demo`: a shop's orders
// and products, the same ones every time.
//
// It stores nothing; whoever calls it does.
package demo

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/sqlfdb/sqlfdb/document"
)

// Database holds the sample collections.
const Database = "shop"

// Collection is one sample collection.
type Collection struct {
	Name      string
	Documents int
	make      func(r *rand.Rand, i int) []byte
}

// Collections lists the sample collections: 20,000 documents together.
func Collections() []Collection {
	return []Collection{
		{Name: "orders", Documents: 19_900, make: order},
		{Name: "products", Documents: len(products), make: product},
	}
}

// Document returns the i-th document of the collection, from 0.
func (c Collection) Document(i int) (document.Document, error) {
	// One generator a document: the i-th is the same in whatever order they are made.
	r := rand.New(rand.NewPCG(uint64(len(c.Name)), uint64(i)))
	return document.Parse(c.make(r, i), document.Limits{})
}

// Statements are worth trying on the sample collections, in this order.
func Statements() []Statement {
	return []Statement{
		{"What is in an order", "SELECT _doc FROM orders WHERE _id = 'o-00042'"},
		{"A nested equality: every keypath is indexed",
			"SELECT _id, `customer.name`, total FROM orders WHERE `customer.address.zipcode` = '8005' ORDER BY total " +
				"DESC LIMIT 5"},
		{"Why is that fast?",
			"EXPLAIN FORMAT=TREE SELECT _id, total FROM orders WHERE `customer.address.zipcode` = '8005' AND status = 'paid'"},
		{"A numeric range", "SELECT _id, placed, total FROM orders WHERE total BETWEEN 880 AND 890 ORDER BY total LIMIT 5"},
		{"JSON paths use the same entries",
			"SELECT _id, _doc->>'$.customer.name' AS customer FROM orders WHERE _doc->>'$.customer.address.city' = " +
				"'Zürich' LIMIT 5"},
		{"Group and join", "SELECT status, COUNT(*) AS orders, ROUND(SUM(total), 2) AS total FROM orders GROUP BY " +
			"status ORDER BY orders DESC"},
		{"A field that only some documents have", "SELECT _id, coupon FROM orders WHERE coupon IS NOT NULL LIMIT 3"},
		{"Change one path; the rest of the document stays",
			"UPDATE orders SET `customer.address.zipcode` = '8001' WHERE _id = 'o-00042'"},
		{"What changed last", "SELECT seq, _id, rev, deleted FROM orders__changes ORDER BY seq DESC LIMIT 3"},
		{"Prove it", "CHECK TABLE orders"},
	}
}

// Statement is a statement with what it shows.
type Statement struct {
	What, SQL string
}

type item struct {
	sku, name, category string
	cents               int
}

var products = makeProducts()

func makeProducts() []item {
	kinds := []struct {
		category string
		names    []string
	}{
		{"coffee", []string{"Espresso beans", "Filter blend", "Decaf", "Cold brew", "Café crème"}},
		{"tea", []string{"Sencha", "Darjeeling", "Earl Grey", "Rooibos", "Maté"}},
		{"kitchen", []string{"Kettle", "Grinder", "French press", "Scales", "Thermos"}},
		{"books", []string{"Brewing by numbers", "The tea road", "Crème brûlée at home", "Über Kaffee", "Small kitchens"}},
	}
	sizes := []string{"small", "medium", "large", "gift", "refill"}
	var out []item
	for _, k := range kinds {
		for n, name := range k.names {
			for s, size := range sizes {
				out = append(out, item{
					sku:      fmt.Sprintf("%s-%d%d", k.category[:3], n+1, s+1),
					name:     name + ", " + size,
					category: k.category,
					cents:    450 + 175*n + 390*s + 1100*(len(k.category)%4),
				})
			}
		}
	}
	return out
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

var (
	firstNames = []string{"Ana", "Björn", "Chloé", "Dmitri", "Emma", "Farid", "Grace", "Hana", "Ívar", "José", "Kaisa",
		"Léa", "Mehmet", "Nina", "Óscar", "Priya", "Quentin", "Rosa", "Søren", "Tomás", "Uma", "Võ", "Wanda", "Ximena",
		"Yusuf", "Zoë"}
	lastNames = []string{"Ahmed", "Bianchi", "Çelik", "Dubois", "Eriksson", "Fernández", "García", "Hansen", "Ivanova",
		"Jansen", "Kowalska", "López", "Müller", "Novák", "O'Brien", "Patel", "Rossi", "Schmidt", "Tanaka", "Weiß"}
	places = []struct{ city, zip, country string }{
		{"Zürich", "8005", "CH"}, {"Genève", "1201", "CH"}, {"Malmö", "21115", "SE"}, {"København", "1050", "DK"},
		{"Berlin", "10115", "DE"}, {"Köln", "50667", "DE"}, {"Lyon", "69001", "FR"}, {"Paris", "75011", "FR"},
		{"Porto", "4000-001", "PT"}, {"Kraków", "30-001", "PL"}, {"Brno", "60200", "CZ"}, {"Tallinn", "10111", "EE"},
	}
	statuses = []string{"paid", "paid", "paid", "shipped", "shipped", "shipped", "delivered", "delivered", "pending",
		"cancelled"}
	tags    = []string{"gift", "express", "first-order", "fragile", "subscription", "wholesale"}
	coupons = []string{"SPRING", "WELCOME10", "FREESHIP"}
)

func order(r *rand.Rand, i int) []byte {
	place := pick(r, places)
	customer := r.IntN(2_000)
	// A customer's name follows from its number, so that it is the same in all orders.
	name := firstNames[customer%len(firstNames)] + " " + lastNames[customer/len(firstNames)%len(lastNames)]
	placed := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i)*40*time.Minute +
		time.Duration(r.IntN(2400))*time.Second)
	b := fmt.Appendf(nil, `{"_id":"o-%05d","status":%q,"placed":%q,`, i, pick(r, statuses), placed.Format(time.RFC3339))
	b = fmt.Appendf(b, `"customer":{"id":%d,"name":%q,"email":"c%d@example.com","address":{"street":"%d Main `+
		`Street","zipcode":%q,"city":%q,"country":%q}},`,
		customer, name, customer, 1+r.IntN(200), place.zip, place.city, place.country)
	b = append(b, `"items":[`...)
	total := 0
	for n := 1 + r.IntN(4); n > 0; n-- {
		p, quantity := pick(r, products), 1+r.IntN(5)
		total += p.cents * quantity
		b = fmt.Appendf(b, `{"sku":%q,"quantity":%d,"price":%s},`, p.sku, quantity, euros(p.cents))
	}
	b = append(b[:len(b)-1], `],"tags":[`...)
	first := true
	for _, t := range tags {
		if r.IntN(4) == 0 {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = strconv.AppendQuote(b, t)
		}
	}
	b = fmt.Appendf(b, `],"total":%s,"paid":%t`, euros(total), r.IntN(10) > 0)
	if r.IntN(20) == 0 {
		b = fmt.Appendf(b, `,"coupon":%q`, pick(r, coupons))
	}
	switch r.IntN(40) {
	case 0:
		b = append(b, `,"note":null`...)
	case 1:
		b = append(b, `,"note":"Please ring twice"`...)
	case 2:
		b = fmt.Appendf(b, `,"note":%d`, r.IntN(100))
	}
	return append(b, '}')
}

func product(r *rand.Rand, i int) []byte {
	p := products[i]
	b := fmt.Appendf(nil, `{"_id":%q,"name":%q,"category":%q,"price":%s,"stock":{"warehouse":%d,"shop":%d},"rating":`,
		p.sku, p.name, p.category, euros(p.cents), r.IntN(500), r.IntN(40))
	if r.IntN(5) == 0 {
		b = append(b, "null"...)
	} else {
		b = fmt.Appendf(b, "%d.%d", 2+r.IntN(3), r.IntN(10))
	}
	return append(b, '}')
}

// euros writes cents as a JSON number with two decimals.
func euros(cents int) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }
