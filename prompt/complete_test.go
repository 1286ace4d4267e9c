package prompt

import (
	"strings"
	"testing"
	"time"
)

func TestComplete(t *testing.T) {
	s := &shell{connection: &connection{database: "shop"}}
	s.names = names{
		read: time.Now(), of: "shop", databases: []string{"shop", "sqlfdb"},
		tables: []string{"orders", "products", "Order Lines"},
		columns: map[string][]string{
			"orders":   {"_id", "_doc", "status", "customer.name", "customer.address.city"},
			"products": {"_id", "name", "price", "stock.shop"},
		},
	}
	for _, c := range []struct{ before, line, after, head, list string }{
		{"", "SELECT * FROM ord", "", "SELECT * FROM ", "orders `Order Lines`"},
		{"", "SELECT * FROM `Or", "", "SELECT * FROM ", "`Order Lines`"},
		{"", "SELECT * FROM Or", "", "SELECT * FROM ", "orders `Order Lines`"},
		{"", "select sta", " from orders", "select ", "start status"},
		{"", "SELECT cust", " FROM orders", "SELECT ", "`customer.address.city` `customer.name`"},
		{"", "SELECT customer.n", " FROM orders", "SELECT ", "`customer.name`"},
		{"", "SELECT `customer.a", " FROM orders", "SELECT ", "`customer.address.city`"},
		{"", "SELECT p.pr", " FROM orders o JOIN products AS p", "SELECT ", "p.price"},
		{"", "SELECT p.", " FROM orders o, products p", "SELECT ", "p._id p.name p.price p.`stock.shop`"},
		{"SELECT *\nFROM products\n", "WHERE pri", "", "WHERE ", "price primary"},
		{"", "use s", "", "use ", "shop sqlfdb"},
		{"", "sel", "", "", "select"},
		{"", "SEL", "", "", "SELECT"},
		{"", `\d pr`, "", `\d `, "products"},
		{"", `\f js`, "", `\f `, "json"},
		{"", `\q`, "", "", `\q`},
	} {
		head, list := s.complete(t.Context(), c.before, c.line, c.after)
		have, want := strings.Join(list, " "), c.list
		if head != c.head || have != want {
			t.Errorf("%q: %q %q, want %q %q", c.line, head, have, c.head, want)
		}
	}
}
