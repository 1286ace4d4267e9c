package clients

import (
	"context"
	"database/sql"
	"flag"
	"io"
	"net"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
)

var (
	clients = flag.Bool("clients", false, "run the clients, installing what they need into temporary folders")
	rewrite = flag.Bool("rewrite", false, "write what the clients print to testdata/want")
	at      = flag.String("at", "", "the address of another server to run them against, whose user root has no password")
)

const patience = 15 * time.Minute

// place is a server, and a database of a test's own.
type place struct {
	addr     string
	database string
	db       *sql.DB
}

// begin skips the test where clients are not asked for, and gives it a database.
func begin(t *testing.T) *place {
	t.Helper()
	if !*clients {
		t.Skip("clients are run with -clients, since they have to be installed")
	}
	p := &place{addr: *at, database: "c_" + strings.ToLower(strings.TrimPrefix(t.Name(), "Test"))}
	if p.addr == "" {
		p.addr = serve(t)
	}
	config := mysql.NewConfig()
	config.User, config.Net, config.Addr = "root", "tcp", p.addr
	connector, err := mysql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	p.db = sql.OpenDB(connector)
	t.Cleanup(func() { _ = p.db.Close() })
	p.exec(t, "DROP DATABASE IF EXISTS "+p.database, "CREATE DATABASE "+p.database)
	return p
}

// log shows what the server logs with the test.
type log struct{ t *testing.T }

func (l log) Write(p []byte) (int, error) {
	l.t.Logf("server: %s", p)
	return len(p), nil
}

func serve(t *testing.T) string {
	t.Helper()
	store, err := pebblekv.Open(filepath.Join(t.TempDir(), "store"), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	options := server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: log{t}}
	s, err := server.Start(context.Background(), store, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return s.Addr().String()
}

func (p *place) exec(t *testing.T, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := p.db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// environment tells a script where the server is, and which folder it may write to.
func (p *place) environment(t *testing.T) []string {
	host, port, err := net.SplitHostPort(p.addr)
	if err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), "HOST="+host, "PORT="+port, "DATABASE="+p.database, "WORK="+t.TempDir(),
		"DSN=root@tcp("+p.addr+")/"+p.database)
}

// run runs a script and compares what it prints with what is kept. Then every table is checked.
func (p *place) run(t *testing.T, name string, cmd *osexec.Cmd) {
	t.Helper()
	var out, errors strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errors
	if cmd.Env == nil {
		cmd.Env = p.environment(t)
	}
	began := time.Now()
	if err := within(cmd); err != nil {
		t.Errorf("%v: %v\n%s%.6000s", cmd.Args, err, out.String(), errors.String())
	}
	t.Logf("%s ran for %v", name, time.Since(began).Round(time.Millisecond))
	p.compare(t, name, out.String())
	p.checkAll(t)
}

// within runs a command that is ended when it takes too long.
func within(cmd *osexec.Cmd) error {
	timer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Wait()
}

// ofThisRun is what differs between two runs of a script: its folder, and addresses of Python's objects.
var ofThisRun = regexp.MustCompile(`/tmp/[^ "]*/|0x[0-9a-f]{6,}`)

func (p *place) compare(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "want", name+".txt")
	got = ofThisRun.ReplaceAllString(got, "...")
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a, b := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		line := func(of []string) string {
			if i < len(of) {
				return of[i]
			}
			return "(nothing)"
		}
		if line(a) != line(b) {
			t.Errorf("%s: line %d is\n%s\nwant\n%s", path, i+1, line(b), line(a))
		}
	}
}

func (p *place) checkAll(t *testing.T) {
	t.Helper()
	if *at != "" {
		return
	}
	tables := p.column(t, "SELECT CONCAT('`', table_schema, '`.`', table_name, '`') FROM information_schema.tables "+
		"WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('sqlfdb', 'mysql', 'performance_schema', 'sys')")
	for _, table := range tables {
		rows, err := p.db.Query("CHECK TABLE " + table)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var name, op, kind, text string
			if err := rows.Scan(&name, &op, &kind, &text); err != nil {
				t.Fatal(err)
			}
			if text != "OK" {
				t.Errorf("CHECK TABLE %s: %s: %s", name, kind, text)
			}
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// column is the first column of a result.
func (p *place) column(t *testing.T, query string) []string {
	t.Helper()
	rows, err := p.db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// found is the path of a program, or the test is skipped.
func found(t *testing.T, program, of string) string {
	t.Helper()
	path, err := osexec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not installed: %s", program, of)
	}
	return path
}

// modules is the folder of npm's packages, installed once.
var modules struct {
	once sync.Once
	dir  string
	err  string
}

// packages are npm's packages, installed once, and the program that runs scripts.
func packages(t *testing.T) (node, path string) {
	t.Helper()
	node = found(t, "node", "apt-get install nodejs npm")
	npm := found(t, "npm", "apt-get install npm")
	modules.once.Do(func() {
		dir, err := os.MkdirTemp("", "sqlfdb-clients")
		if err != nil {
			t.Fatal(err)
		}
		modules.dir = dir
		text, err := os.ReadFile(filepath.Join("testdata", "package.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "package.json"), text, 0o644); err != nil {
			t.Fatal(err)
		}
		install := osexec.Command(npm, "install", "--no-audit", "--no-fund", "--no-package-lock")
		install.Dir = dir
		if out, err := install.CombinedOutput(); err != nil {
			modules.err = string(out)
		}
	})
	if modules.err != "" {
		t.Skipf("npm installs nothing here: %.2000s", modules.err)
	}
	return node, filepath.Join(modules.dir, "node_modules")
}

func javaScript(t *testing.T, name string) {
	p := begin(t)
	node, path := packages(t)
	cmd := osexec.Command(node, filepath.Join("testdata", name, "run.js"))
	cmd.Env = append(p.environment(t), "NODE_PATH="+path)
	p.run(t, name, cmd)
}

func python(t *testing.T, name string, packages ...string) {
	p := begin(t)
	const debian = "/usr/bin/python3" // another Python does not see Debian's packages
	if _, err := os.Stat(debian); err != nil {
		t.Skipf("%s is not installed: apt-get install python3", debian)
	}
	for _, module := range packages {
		if err := osexec.Command(debian, "-c", "import "+module).Run(); err != nil {
			t.Skipf("Python's %s is not installed: apt-get install python3-%s", module, module)
		}
	}
	cmd := osexec.Command(debian, "-W", "ignore", filepath.Join("testdata", "python", name+".py"))
	cmd.Env = append(p.environment(t), "PYTHONDONTWRITEBYTECODE=1")
	p.run(t, name, cmd)
}

// golang runs a program of a module of its own, in a folder of testdata, whose dependencies are not ours.
func golang(t *testing.T, folder, name string) {
	p := begin(t)
	program := filepath.Join(t.TempDir(), "client")
	build := osexec.Command(found(t, "go", "https://go.dev/dl"), "build", "-o", program, ".")
	build.Dir = filepath.Join("testdata", folder)
	if out, err := build.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "dial tcp") || strings.Contains(string(out), "no such host") {
			t.Skipf("Go's modules can't be had here: %.2000s", out)
		}
		t.Fatalf("%s", out)
	}
	p.run(t, name, osexec.Command(program, name))
}

func TestPhpMyAdmin(t *testing.T) { browser(t, "phpmyadmin", "/usr/share/phpmyadmin") }
func TestAdminer(t *testing.T)    { browser(t, "adminer", "/usr/share/adminer") }

func TestKnex(t *testing.T)      { javaScript(t, "knex") }
func TestTypeORM(t *testing.T)   { javaScript(t, "typeorm") }
func TestSequelize(t *testing.T) { javaScript(t, "sequelize") }
func TestDrizzle(t *testing.T)   { javaScript(t, "drizzle") }
func TestDjango(t *testing.T)    { python(t, "django_shop", "django", "pymysql") }
func TestAlembic(t *testing.T)   { python(t, "alchemy", "sqlalchemy", "alembic", "pymysql") }
func TestGORM(t *testing.T)      { golang(t, "go", "gorm") }
func TestGoMigrate(t *testing.T) { golang(t, "go", "migrate") }

// TestPrograms runs the programs that come with MariaDB's client.
func TestPrograms(t *testing.T) {
	p := begin(t)
	for _, program := range []string{"mariadb", "mariadb-import", "mariadb-slap", "mariadb-admin"} {
		found(t, program, "apt-get install mariadb-client")
	}
	p.run(t, "programs", osexec.Command(found(t, "sh", "a shell"), filepath.Join("testdata", "programs", "run.sh")))
}

// TestJDBC calls all of DatabaseMetaData with Debian's driver.
func TestJDBC(t *testing.T) {
	const driver = "/usr/share/java/mariadb-java-client.jar"
	p := begin(t)
	if _, err := os.Stat(driver); err != nil {
		t.Skipf("%s is not there: apt-get install libmariadb-java", driver)
	}
	found(t, "javac", "apt-get install default-jdk-headless")
	java := found(t, "java", "apt-get install default-jdk-headless")
	p.run(t, "jdbc", osexec.Command(java, "-cp", driver, filepath.Join("testdata", "java", "Walk.java")))
}

// TestInProcess runs GORM and sqlx on the driver that opens a store in the program.
func TestInProcess(t *testing.T) { golang(t, "inprocess", "inprocess") }

// TestMain takes the installed packages away.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if modules.dir != "" {
		_ = os.RemoveAll(modules.dir)
	}
	os.Exit(code)
}
