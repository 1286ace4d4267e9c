package clients

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/demo"
)

var screenshots = flag.String("screenshots", "", "a folder for pictures of the pages that browsers show")

// browser runs a page of PHP that Debian installs to a folder, in headless Chromium, on the samples of demo. What it
// exports is restored, and has the same documents.
func browser(t *testing.T, name, folder string) {
	p := begin(t)
	if *at != "" {
		t.Skip("its tables are open, which other servers don't have")
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("%s is not there: apt-get install %s", folder, name)
	}
	chromium := found(t, "chromium", "apt-get install chromium")
	found(t, "php", "apt-get install php-cli php-mysql")
	node, path := packages(t)
	p.samples(t)
	p.exec(t, "CREATE USER anna IDENTIFIED BY 'secret'", "GRANT ALL ON *.* TO anna")

	cmd := osexec.Command(node, filepath.Join("testdata", "browser", name+".js"))
	cmd.Env = append(p.environment(t), "NODE_PATH="+path, "CHROMIUM="+chromium, "USERNAME=anna", "PASSWORD=secret")
	if *screenshots != "" {
		pictures, err := filepath.Abs(*screenshots)
		if err == nil {
			err = os.MkdirAll(pictures, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(cmd.Env, "SCREENSHOTS="+pictures)
	}
	p.run(t, name, cmd)
	p.restore(t, filepath.Join(setIn(cmd.Env, "WORK"), "export.sql"))
}

// setIn is what a variable of an environment is set to.
func setIn(environment []string, name string) string {
	for _, e := range environment {
		if value, ok := strings.CutPrefix(e, name+"="); ok {
			return value
		}
	}
	return ""
}

// samples makes the collections of demo in the test's database.
func (p *place) samples(t *testing.T) {
	t.Helper()
	const batch = 500
	for _, c := range demo.Collections() {
		table := p.database + "." + c.Name
		p.exec(t, "CREATE TABLE "+table+" (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
		for from := 0; from < c.Documents; from += batch {
			var documents []any
			for i := from; i < min(from+batch, c.Documents); i++ {
				d, err := c.Document(i)
				if err != nil {
					t.Fatal(err)
				}
				documents = append(documents, d.Text())
			}
			rows := strings.TrimPrefix(strings.Repeat(", (?)", len(documents)), ", ")
			if _, err := p.db.Exec("INSERT INTO "+table+" (_doc) VALUES "+rows, documents...); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// restore runs a file of statements in another database, and compares the documents of products.
func (p *place) restore(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p.exec(t, "CREATE DATABASE copied")
	config := mysql.NewConfig()
	config.User, config.Net, config.Addr, config.DBName, config.MultiStatements = "root", "tcp", p.addr, "copied", true
	connector, err := mysql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	if _, err := db.Exec(string(text)); err != nil {
		t.Fatalf("restore %s: %v", file, err)
	}
	of := "SELECT _doc FROM %s.products ORDER BY _id"
	want, got := p.column(t, fmt.Sprintf(of, p.database)), p.column(t, fmt.Sprintf(of, "copied"))
	if strings.Join(got, "\n") != strings.Join(want, "\n") || len(got) == 0 {
		t.Errorf("%d documents were exported, and %d others restored", len(want), len(got))
	}
	if key := p.column(t, "SELECT column_name FROM information_schema.key_column_usage "+
		"WHERE table_schema = 'copied' AND table_name = 'products' AND constraint_name = 'PRIMARY'"); len(key) != 1 {
		t.Errorf("the primary key of what was restored is %v", key)
	}
	p.checkAll(t)
}
