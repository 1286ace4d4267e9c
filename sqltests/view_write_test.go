package sqltests

import (
	"context"
	"database/sql"
	"io"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestViewWritePrivileges: a statement that writes to a view needs the rights for the view and for its table, sent as a
// text, again as a text, with others, and prepared.
func TestViewWritePrivileges(t *testing.T) {
	store := harness.NewStore(t)
	defer store.Close()
	s, err := server.Start(context.Background(), store,
		server.Options{Listen: "127.0.0.1:0", Output: io.Discard, RootPassword: "p"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close(context.Background()) }()
	open := func(user, options string) *sql.DB {
		db, err := sql.Open("mysql", user+"@tcp("+s.Addr().String()+")/"+options)
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		t.Cleanup(func() { db.Close() })
		return db
	}
	root := open("root:p", "")
	harness.MustExec(t, root, "CREATE DATABASE shop", "CREATE DATABASE mine",
		"CREATE TABLE shop.orders (id INT PRIMARY KEY, total INT)", "INSERT INTO shop.orders VALUES (1, 1), (2, 2), (3, 3)",
		"CREATE VIEW mine.v AS SELECT id, total FROM shop.orders",
		"CREATE USER reader IDENTIFIED BY 'x'", "GRANT SELECT ON shop.orders TO reader", "GRANT ALL ON mine.* TO reader",
		"CREATE USER base IDENTIFIED BY 'x'", "GRANT ALL ON shop.* TO base",
		"CREATE USER both IDENTIFIED BY 'x'", "GRANT ALL ON shop.* TO both", "GRANT ALL ON mine.* TO both")
	statements := []string{"UPDATE mine.v SET total = 9 WHERE id = ", "DELETE FROM mine.v WHERE id = ",
		"REPLACE INTO mine.v (total, id) SELECT 8, "}
	for _, user := range []struct{ name, number string }{{"both", ""}, {"reader", "1356"}, {"base", "1142"}} {
		plain, multi := open(user.name+":x", ""), open(user.name+":x", "?multiStatements=true")
		for _, q := range statements {
			for how, run := range map[string]func() error{
				"text":     func() error { _, err := plain.Exec(q + "1"); return err },
				"again":    func() error { _, err := plain.Exec(q + "2"); return err },
				"several":  func() error { _, err := multi.Exec("DO 1; " + q + "1"); return err },
				"prepared": func() error { _, err := plain.Exec(q+"?", 3); return err },
				"kept": func() error {
					st, err := plain.Prepare(q + "?")
					if err != nil {
						return err
					}
					defer st.Close()
					if _, err = st.Exec(3); err == nil {
						_, err = st.Exec(2)
					}
					return err
				},
			} {
				err := run()
				if user.number == "" && err != nil || user.number != "" &&
					(err == nil || !strings.Contains(err.Error(), "Error "+user.number)) {
					t.Errorf("%s, %s, %s: %v", user.name, how, q, err)
				}
			}
		}
		if n := harness.Number(t, root, "SELECT COUNT(*) FROM shop.orders WHERE total IN (8, 9)"); n != 3 {
			t.Errorf("%s: %d rows are as the statements of both left them", user.name, n)
		}
	}
	// A view that its maker may only read of is none to write to.
	reader := open("reader:x", "")
	harness.MustExec(t, reader, "CREATE VIEW mine.own AS SELECT id, total FROM shop.orders")
	if _, err := reader.Exec("DELETE FROM mine.own"); err == nil || !strings.Contains(err.Error(), "1356") {
		t.Errorf("rows of a table that may only be read: %v", err)
	}
	harness.Check(t, root, "shop.orders")
}
