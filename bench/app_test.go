package bench

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var appBeside = flag.String("app-beside", "",
	"run BenchmarkApp on the server at this DSN instead, to compare the two with benchstat")

// BenchmarkApp is what applications send: prepared once, prepared for each run as database/sql does, and as texts.
func BenchmarkApp(b *testing.B) {
	ctx := context.Background()
	var c *sql.Conn
	if *appBeside == "" {
		store, _ := emptyStore(b)
		var err error
		if c, err = serve(b, store).Conn(ctx); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { c.Close() })
	} else {
		db, err := sql.Open("mysql", *appBeside)
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		if c, err = db.Conn(ctx); err != nil {
			b.Fatal(err)
		}
	}
	fillShop(b, c)
	for _, s := range shopStatements {
		run := func(rows *sql.Rows, err error) {
			b.Helper()
			if err != nil {
				b.Fatal(err)
			}
			for rows.Next() { //nolint:revive // they are only read
			}
			if err := rows.Err(); err != nil {
				b.Fatal(err)
			}
			_ = rows.Close()
		}
		b.Run(s.name+"/prepared", func(b *testing.B) {
			stmt, err := c.PrepareContext(ctx, s.text)
			if err != nil {
				b.Fatal(err)
			}
			defer stmt.Close()
			for b.Loop() {
				run(stmt.QueryContext(ctx, s.args()...))
			}
		})
		b.Run(s.name+"/each", func(b *testing.B) {
			for b.Loop() {
				stmt, err := c.PrepareContext(ctx, s.text)
				if err != nil {
					b.Fatal(err)
				}
				run(stmt.QueryContext(ctx, s.args()...))
				stmt.Close()
			}
		})
		b.Run(s.name+"/text", func(b *testing.B) {
			for b.Loop() {
				text := s.text
				for _, v := range s.args() {
					literal := fmt.Sprint(v)
					if _, is := v.(string); is {
						literal = "'" + literal + "'"
					}
					text = strings.Replace(text, "?", literal, 1)
				}
				run(c.QueryContext(ctx, text))
			}
		})
	}
}

const shopUsers = 5000

// fillShop makes users, four orders of each, and two items of each order, in a database of their own.
func fillShop(b *testing.B, c *sql.Conn) {
	b.Helper()
	exec := func(text string) {
		b.Helper()
		if err := execute(context.Background(), c, text); err != nil {
			b.Fatal(err)
		}
	}
	for _, text := range []string{"DROP DATABASE IF EXISTS shop", "CREATE DATABASE shop", "USE shop",
		"CREATE TABLE users (id INT PRIMARY KEY AUTO_INCREMENT, email VARCHAR(100) UNIQUE, name VARCHAR(100), " +
			"country VARCHAR(2), at DATETIME, gone DATETIME NULL, balance DECIMAL(10,2), KEY (country), KEY (at))",
		"CREATE TABLE orders (id INT PRIMARY KEY AUTO_INCREMENT, user INT, status VARCHAR(20), total DECIMAL(10,2), " +
			"at DATETIME, KEY (user), KEY (status), KEY (at))",
		"CREATE TABLE items (id INT PRIMARY KEY AUTO_INCREMENT, ord INT, product VARCHAR(50), qty INT, " +
			"price DECIMAL(10,2), KEY (ord), KEY (product))"} {
		exec(text)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	at := func() string {
		return fmt.Sprintf("'2024-%02d-%02d %02d:00:00'", rng.IntN(12)+1, rng.IntN(28)+1, rng.IntN(24))
	}
	for from := 1; from <= shopUsers; from += 500 {
		var users, orders, items []string
		for u := from; u < from+500; u++ {
			users = append(users, fmt.Sprintf("(%d,'u%d@example.com','Name %d','%s',%s,%s,%d.50)", u, u, u%1000,
				[]string{"de", "fr", "us", "jp"}[rng.IntN(4)], at(), []string{"NULL", at()}[u%10/9], u))
			for o := u*4 - 3; o <= u*4; o++ {
				orders = append(orders, fmt.Sprintf("(%d,%d,'%s',%d.25,%s)", o, u,
					[]string{"new", "paid", "sent", "done"}[rng.IntN(4)], rng.IntN(300), at()))
				for i := o*2 - 1; i <= o*2; i++ {
					items = append(items, fmt.Sprintf("(%d,%d,'product %d',%d,%d.10)", i, o, rng.IntN(100), rng.IntN(5)+1,
						rng.IntN(40)))
				}
			}
		}
		exec("INSERT INTO users VALUES " + strings.Join(users, ","))
		exec("INSERT INTO orders VALUES " + strings.Join(orders, ","))
		exec("INSERT INTO items VALUES " + strings.Join(items, ","))
	}
}

func user() any  { return rand.IntN(shopUsers) + 1 }
func order() any { return rand.IntN(shopUsers*4) + 1 }
func email() any { return fmt.Sprintf("u%d@example.com", user()) }

var shopStatements = []struct {
	name, text string
	args       func() []any
}{
	{"key", "SELECT * FROM users WHERE id = ?", func() []any { return []any{user()} }},
	{"unique", "SELECT id, name FROM users WHERE email = ? AND gone IS NULL LIMIT 1",
		func() []any { return []any{email()} }},
	{"lock", "SELECT * FROM users WHERE id = ? FOR UPDATE", func() []any { return []any{user()} }},
	{"computed", "SELECT id, UPPER(name), IFNULL(gone, at) FROM users WHERE id = ?",
		func() []any { return []any{user()} }},
	{"count", "SELECT COUNT(*) FROM orders WHERE user = ?", func() []any { return []any{user()} }},
	{"newest", "SELECT * FROM orders WHERE user = ? ORDER BY at DESC LIMIT 10", func() []any { return []any{user()} }},
	{"not", "SELECT * FROM orders WHERE user = ? AND status <> ?", func() []any { return []any{user(), "new"} }},
	{"page", "SELECT * FROM orders WHERE id > ? ORDER BY id LIMIT 20", func() []any { return []any{order()} }},
	{"since", "SELECT id FROM users WHERE country = ? AND at >= ? ORDER BY at LIMIT 20",
		func() []any { return []any{"de", "2024-06-01"} }},
	{"like", "SELECT id, name FROM users WHERE name LIKE ? LIMIT 10",
		func() []any { return []any{fmt.Sprintf("Name %d%%", rand.IntN(1000))} }},
	{"sum", "SELECT SUM(qty * price) FROM items WHERE ord = ?", func() []any { return []any{order()} }},
	{"groups", "SELECT status, COUNT(*) FROM orders WHERE user = ? GROUP BY status HAVING COUNT(*) > 0",
		func() []any { return []any{user()} }},
	{"time", "SELECT * FROM orders WHERE user = ? AND at > NOW() - INTERVAL 1 YEAR",
		func() []any { return []any{user()} }},
	{"join", "SELECT o.*, u.name FROM orders o JOIN users u ON u.id = o.user WHERE o.id = ?",
		func() []any { return []any{order()} }},
	{"left", "SELECT u.name, o.id FROM users u LEFT JOIN orders o ON o.user = u.id WHERE u.id = ?",
		func() []any { return []any{user()} }},
	{"exists", "SELECT EXISTS (SELECT 1 FROM orders WHERE user = ? AND status = 'paid')",
		func() []any { return []any{user()} }},
	{"scalar", "SELECT * FROM users WHERE id = (SELECT user FROM orders WHERE id = ?)",
		func() []any { return []any{order()} }},
	{"update", "UPDATE users SET balance = balance + ? WHERE id = ?", func() []any { return []any{1, user()} }},
	{"insert", "INSERT INTO items (ord, product, qty, price) VALUES (?, ?, ?, 3.5)",
		func() []any { return []any{order(), "new", 1} }},
	{"upsert", "INSERT INTO users (id, email, name) VALUES (?, ?, 'n') ON DUPLICATE KEY UPDATE name = VALUES(name)",
		func() []any { u := user(); return []any{u, fmt.Sprintf("u%d@example.com", u)} }},
	{"ignore", "INSERT IGNORE INTO users (id, email) VALUES (?, ?)", func() []any { return []any{user(), email()} }},
	{"replace", "REPLACE INTO items (id, ord, product, qty) VALUES (?, ?, 'p', 1)",
		func() []any { return []any{order(), order()} }},
}
