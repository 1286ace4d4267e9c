package commands

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// keeper is a bucket in which servers keep all that they keep. Each server has a folder of its own, which is empty.
type keeper struct {
	address string
	env     []string
}

func (k keeper) call(t testing.TB) harness.Call {
	return harness.Call{Dir: t.TempDir(), Env: k.env,
		Args: []string{"serve", "--listen", "127.0.0.1:0", "--store", k.address}}
}

func (k keeper) serve(t testing.TB) (*harness.Process, *sql.DB) {
	t.Helper()
	p := harness.Spawn(t, k.call(t))
	return p, harness.Connect(t, p.Addr, "", "")
}

// s3 is a bucket of a server within the test that speaks Amazon's protocol, over a store of objects.
func s3(t testing.TB, objects store.Store) keeper {
	server := storetest.NewServer(t, "bucket", objects)
	return keeper{address: "s3://bucket/app?region=eu-central-1&endpoint=" + server.URL,
		env: []string{"AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret"}}
}

// refused requires MySQL's error of a number, whose text holds what is wanted.
func refused(t testing.TB, db *sql.DB, statement string, number uint16, want string) {
	t.Helper()
	_, err := db.Exec(statement)
	var is *mysql.MySQLError
	if !errors.As(err, &is) || is.Number != number || !strings.Contains(is.Message, want) {
		t.Errorf("%s: %v, want %d %s", statement, err, number, want)
	}
}

func text(t testing.TB, db *sql.DB, query string) string {
	t.Helper()
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return harness.Query(conn, query)
}

func buckets(t *testing.T, run func(t *testing.T, k keeper)) {
	t.Run("file", func(t *testing.T) { run(t, keeper{address: "file://" + t.TempDir() + "/app"}) })
	t.Run("s3", func(t *testing.T) { run(t, s3(t, store.NewMem())) })
	t.Run("gs", func(t *testing.T) {
		server := storetest.NewGoogle(t, "bucket", storetest.NewVersions())
		run(t, keeper{address: "gs://bucket/app", env: []string{"STORAGE_EMULATOR_HOST=" + server.URL}})
	})
	t.Run("azblob", func(t *testing.T) {
		server := storetest.NewAzure(t, "bucket", storetest.NewVersions())
		run(t, keeper{address: "azblob://bucket/app",
			env: []string{"AZURE_STORAGE_CONNECTION_STRING=" + server.ConnectionString()}})
	})
}

// TestStoreInBucket: a server keeps nothing where it runs; another one finds databases, tables, indexes, views and
// accounts, and servers that run at once see what each of them defines.
func TestStoreInBucket(t *testing.T) {
	buckets(t, func(t *testing.T, k keeper) {
		p, db := k.serve(t)
		harness.ExecAll(t, db, "CREATE DATABASE shop", "CREATE DATABASE `odd näme.x`",
			"CREATE TABLE shop.pets (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
			"CREATE TABLE `odd näme.x`.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE=BUCKET",
			"INSERT INTO shop.pets (_id, name, kind) VALUES ('a', 'Milo', 'dog'), ('b', 'Bella', 'cat')",
			"INSERT INTO `odd näme.x`.t (_id) VALUES ('odd')",
			"CREATE INDEX kind_1 ON shop.pets (kind)",
			"CREATE VIEW shop.dogs AS SELECT name FROM shop.pets WHERE kind = 'dog'",
			"CREATE USER ann IDENTIFIED BY 'secret'", "GRANT SELECT ON shop.* TO ann")
		for statement, want := range map[string]string{
			"CREATE TABLE shop.t (id INT PRIMARY KEY)":                                           "_doc JSON)",
			"CREATE TABLE shop.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE=SQLFDB":        "without ENGINE",
			"CREATE TABLE shop.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE=InnoDB":        "without ENGINE",
			"ALTER TABLE shop.pets ENGINE=SQLFDB":                                                "tables in buckets alone",
			"SELECT * FROM shop.pets__changes":                                                   "no feed of changes",
			"BACKUP STORE":                                                                       "copy the bucket",
			"CREATE TABLE shop.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON, UNIQUE KEY u (name))": "no unique indexes",
		} {
			refused(t, db, statement, 1235, want)
		}
		p.Stop()

		p, db = k.serve(t)
		if got := text(t, db, "EXPLAIN FORMAT=TREE SELECT name FROM shop.pets WHERE kind = 'dog'"); !strings.Contains(got,
			"index kind_1") {
			t.Errorf("the index: %s", got)
		}
		ann := harness.Connect(t, p.Addr, "shop", "")
		_ = ann.Close()
		ann, err := sql.Open("mysql", "ann:secret@tcp("+p.Addr.String()+")/shop")
		if err != nil {
			t.Fatal(err)
		}
		defer ann.Close()
		if got := text(t, ann, "SELECT * FROM dogs"); !strings.Contains(got, "Milo") || strings.Contains(got, "Bella") {
			t.Errorf("the view, for the account: %s", got)
		}
		refused(t, ann, "DELETE FROM pets", 1142, "DELETE")
		if got := text(t, db, "SELECT _id FROM `odd näme.x`.t"); !strings.Contains(got, "odd") {
			t.Errorf("a table of an odd database: %s", got)
		}

		other, db2 := k.serve(t)
		harness.ExecAll(t, db, "CREATE TABLE shop.made (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
			"INSERT INTO shop.made (_id, n) VALUES ('x', 1)")
		seen(t, db2, "SELECT n FROM shop.made", "1")
		harness.ExecAll(t, db2, "RENAME TABLE shop.made TO shop.renamed", "DROP USER ann")
		seen(t, db, "SELECT n FROM shop.renamed", "1")
		seen(t, db, "SELECT COUNT(*) FROM mysql.user WHERE User = 'ann'", "0")

		const each = 8
		var both sync.WaitGroup
		for n, db := range []*sql.DB{db, db2} {
			both.Go(func() {
				for i := range each {
					statement := fmt.Sprintf("CREATE TABLE shop.t%d_%d (_id VARCHAR(255) PRIMARY KEY, _doc JSON)", n, i)
					if _, err := db.Exec(statement); err != nil {
						t.Errorf("%s: %v", statement, err)
					}
				}
			})
		}
		both.Wait()
		for _, db := range []*sql.DB{db, db2} {
			seen(t, db, "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'shop' AND table_name LIKE 't%'",
				fmt.Sprint(2*each))
			harness.CheckAll(t, db)
		}
		p.Stop()
		other.Stop()
	})
}

// seen waits until a server sees what another has defined: that takes a second.
func seen(t *testing.T, db *sql.DB, query, want string) {
	t.Helper()
	got := ""
	for began := time.Now(); time.Since(began) < harness.Patience; time.Sleep(50 * time.Millisecond) {
		if got = text(t, db, query); strings.Contains(got, want) && !strings.Contains(got, "ERROR") {
			return
		}
	}
	t.Errorf("%s: %s, want %s", query, got, want)
}

// TestStoreInBucketFolders: a table gets a folder in which there is nothing, so that none finds the documents of one
// that was dropped or renamed.
func TestStoreInBucketFolders(t *testing.T) {
	p, db := s3(t, store.NewMem()).serve(t)
	const columns = " (_id VARCHAR(255) PRIMARY KEY, _doc JSON)"
	harness.ExecAll(t, db, "CREATE DATABASE d", "CREATE TABLE d.t"+columns, "INSERT INTO d.t (_id) VALUES ('first')",
		"RENAME TABLE d.t TO d.former", "CREATE TABLE d.t"+columns, "INSERT INTO d.t (_id) VALUES ('second')",
		"DROP TABLE d.t", "CREATE TABLE d.t"+columns)
	if got := text(t, db, "SELECT * FROM d.t"); strings.Contains(got, "first") || strings.Contains(got, "second") {
		t.Errorf("a new table has %s", got)
	}
	if got := text(t, db, "SELECT * FROM d.former"); !strings.Contains(got, "first") {
		t.Errorf("the renamed table has %s", got)
	}
	if got := text(t, db, "SHOW CREATE TABLE d.t"); !strings.Contains(got, "collection=t-3") {
		t.Errorf("where it is: %s", got)
	}
	refused(t, db, "DROP DATABASE nothing", 1008, "nothing")
	p.Stop()
}

// TestStoreInBucketTemporary: temporary tables are in memory alone: they cost no request but for their number.
func TestStoreInBucketTemporary(t *testing.T) {
	objects := store.NewCount(store.NewMem())
	p, db := s3(t, objects).serve(t)
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	harness.ExecAll(t, db, "CREATE DATABASE d")
	if err := harness.ExecOn(conn, "USE d", "CREATE TEMPORARY TABLE t (id INT PRIMARY KEY, a VARCHAR(9), KEY (a))",
		"INSERT INTO t VALUES (0, 'first')"); err != nil {
		t.Fatal(err)
	}
	// The first INSERT has cleared the marker of the definition before it.
	before := objects.Requests().Puts
	for puts := int64(-1); before != puts; before = objects.Requests().Puts { // the sweep walks once
		puts = before
		time.Sleep(500 * time.Millisecond)
	}
	if err := harness.ExecOn(conn, "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'x')",
		"UPDATE t SET a = 'z' WHERE id = 2", "BEGIN", "DELETE FROM t WHERE id = 1", "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if got := harness.Query(conn, "SELECT id FROM t WHERE a = 'x'"); !strings.Contains(got, "3") ||
		strings.Contains(got, "1") {
		t.Errorf("the temporary table has %s", got)
	}
	harness.CheckTables(t, conn, "t")
	if puts := objects.Requests().Puts - before; puts != 0 {
		t.Errorf("%d PUTs", puts)
	}
	p.Stop()
}

// TestStoreInBucketIdle: a server that nobody asks anything makes no requests.
func TestStoreInBucketIdle(t *testing.T) {
	objects := store.NewCount(store.NewMem())
	k := s3(t, objects)
	p, db := k.serve(t)
	other, _ := k.serve(t)
	harness.ExecAll(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"INSERT INTO d.t (_id) VALUES ('a')")
	time.Sleep(3 * time.Second) // the writer's mark is taken away, the sweep has walked
	before := objects.Requests()
	time.Sleep(4 * time.Second)
	if r := objects.Requests().Minus(before); r.All() != 0 {
		t.Errorf("two idle servers have made %+v in 4 seconds", r)
	}
	p.Stop()
	other.Stop()
}

// TestStoreInBucketCrash kills a server in the middle of definitions: each is there whole or not at all, and those that
// were acknowledged are.
func TestStoreInBucketCrash(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 7))
	buckets(t, func(t *testing.T, k keeper) {
		acknowledged, tried := 0, 0
		for round := range 4 {
			p, db := k.serve(t)
			if round == 0 {
				harness.ExecAll(t, db, "CREATE DATABASE d")
			}
			go func() {
				time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
				_ = p.Cmd.Process.Kill()
			}()
			for {
				tried++
				_, err := db.Exec(fmt.Sprintf("CREATE TABLE d.t%d (_id VARCHAR(255) PRIMARY KEY, _doc JSON)", tried))
				if err != nil {
					break
				}
				acknowledged++
			}
			<-p.Ended
		}
		p, db := k.serve(t)
		var there int
		if err := db.QueryRow("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'd'").Scan(
			&there); err != nil {
			t.Fatal(err)
		}
		if there < acknowledged || there > tried {
			t.Errorf("%d tables, %d were acknowledged of %d", there, acknowledged, tried)
		}
		// CHECK TABLE would wait until the writers that were killed are taken for gone.
		for n := 1; n <= tried; n++ {
			name := fmt.Sprintf("d.t%d", n)
			got := text(t, db, "SELECT COUNT(*) FROM "+name)
			if !strings.Contains(got, "1146") && !strings.Contains(got, "\n0") && !strings.HasPrefix(got, "0") {
				t.Errorf("%s: %s", name, got)
			}
		}
		p.Stop()
	})
}

// TestStoreInBucketFaults: requests for the definitions fail, or lose their answers: what is acknowledged is there,
// once, and what is not is there whole or not at all.
func TestStoreInBucketFaults(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 8))
	objects := store.NewMem()
	broken := false
	k := s3(t, &storetest.Faulty{Store: objects, Choose: func(_ int, what, key string) storetest.Fault {
		if !broken || !strings.HasSuffix(key, ".sqlfdb/definitions") || random.IntN(3) > 0 {
			return storetest.Fine
		}
		if what == "put" && random.IntN(2) == 0 {
			return storetest.Lost
		}
		return storetest.Fails
	}})
	p, db := k.serve(t)
	harness.ExecAll(t, db, "CREATE DATABASE d")
	broken = true
	want := map[string]bool{}
	for i := range 12 {
		name := fmt.Sprintf("t%d", i)
		_, err := db.Exec("CREATE TABLE d." + name + " (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
		if err != nil {
			t.Logf("%s: %v", name, err)
		}
		want[name] = err == nil
	}
	broken = false
	p.Stop()
	p, db = k.serve(t)
	missing := 0
	for name, acknowledged := range want {
		got := text(t, db, "SELECT COUNT(*) FROM d."+name)
		if there := !strings.Contains(got, "1146"); acknowledged && !there {
			t.Errorf("%s was acknowledged and is not there: %s", name, got)
		} else if !acknowledged {
			missing++
		}
	}
	if missing == len(want) {
		t.Error("nothing was acknowledged")
	}
	harness.CheckAll(t, db)
	p.Stop()
}

// TestStoreInBucketCommands: check, export and import know the tables of a server's bucket, and folders; what can't
// be done with one is refused, with the reason.
func TestStoreInBucketCommands(t *testing.T) {
	dir := t.TempDir()
	address := "file://" + dir + "/app"
	p, db := keeper{address: address}.serve(t)
	const columns = " (_id VARCHAR(255) PRIMARY KEY, _doc JSON)"
	harness.ExecAll(t, db, "CREATE DATABASE shop", "CREATE TABLE shop.pets"+columns, "CREATE TABLE shop.empty"+columns,
		"CREATE TABLE shop.far"+columns+" ENGINE=BUCKET CONNECTION='file://"+dir+"/far'",
		"INSERT INTO shop.pets (_id) VALUES ('a')", "INSERT INTO shop.far (_id) VALUES ('b'), ('c')",
		"RENAME TABLE shop.pets TO shop.animals")
	p.Stop()
	for _, c := range []struct {
		args, stdin string
		exit        int
		want        []string
	}{
		{"check", "", 0, []string{"shop.animals: 1 documents", "shop.empty: 0 documents", "shop.far: 2 documents"}},
		{"check shop.animals", "", 0, []string{"shop.animals: 1 documents"}},
		{"check shop", "", 0, []string{"shop.far: 2 documents"}},
		{"check shop.pets", "", 1, []string{"unknown table shop.pets"}},
		{"check pets", "", 1, []string{"there is no collection pets"}},
		{"import --table shop.animals -", `{"_id": "d"}`, 0, nil},
		{"import --table shop.nothing -", `{"_id": "d"}`, 1, []string{"unknown table shop.nothing"}},
		{"export --table shop.animals", "", 0, []string{`{"_id":"a"}`, `{"_id":"d"}`}},
		{"export --table shop.far", "", 0, []string{`{"_id":"b"}`}},
		{"check --repair shop.animals", "", 0, []string{"shop.animals: 2 documents"}},
		{"backup copy", "", 1, []string{"copy the bucket itself"}},
		{"restore nothing", "", 1, nil},
		{"demo", "", 1, []string{"not for a bucket"}},
		{"serve --tls-auto --listen 127.0.0.1:0", "", 1, []string{"give --tls-cert"}},
	} {
		args := strings.Fields(c.args)
		args = append([]string{args[0], "--store", address}, args[1:]...)
		o := harness.Run(t, harness.Call{Dir: dir, Args: args, Stdin: c.stdin})
		for _, want := range c.want {
			if !strings.Contains(o.Stdout+o.Stderr, want) {
				t.Errorf("%s: %s%s, want %s", c.args, o.Stdout, o.Stderr, want)
			}
		}
		if o.Exit != c.exit {
			t.Errorf("%s ends with %d: %s%s", c.args, o.Exit, o.Stdout, o.Stderr)
		}
	}
}
