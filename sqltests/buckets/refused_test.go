package buckets

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestRefused: what can't be a table in a bucket is refused in words that tell why, and leaves nothing behind.
func TestRefused(t *testing.T) {
	b := start(t, nil)
	const columns = " (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE=BUCKET"
	create := func(connection string) string { return "CREATE TABLE t" + columns + " CONNECTION='" + connection + "'" }
	b.fails("CREATE TABLE t"+columns, 1235, "without CONNECTION")
	b.fails(create("http://shelf/x"), 1432, "none of s3://")
	b.fails(create("s3://shelf/app?colour=red"), 1432, "no option")
	b.fails(create("gs://shelf/app?account=x"), 1432, "no option")
	b.fails(create("azblob://shelf/app"), 1432, "AZURE_STORAGE_ACCOUNT")
	b.fails(create("azblob://shelf/app?account=shelves&sig=hidden"), 1432, "no option")
	b.fails(create("%zz://"), 1432, "not a URL")
	b.fails(create(b.address("&cache=much")), 1432, "cache is a number")
	b.fails(create(strings.Replace(b.address(""), "shelf", "nowhere", 1)), 1429, "NoSuchBucket")
	b.fails("CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON) ENGINE=BUCKET CONNECTION='"+b.address("")+"'", 1235,
		"the primary key _id: CREATE TABLE")
	b.fails("CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, a INT) ENGINE=BUCKET CONNECTION='"+b.address("")+"'", 1235,
		"_doc JSON")
	b.fails("CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, a INT AS (1), _doc JSON) ENGINE=BUCKET CONNECTION='"+
		b.address("")+"'", 1235, "generated")
	b.fails("CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, n TEXT COLLATE utf8mb4_general_ci, _doc JSON) ENGINE=BUCKET "+
		"CONNECTION='"+b.address("")+"'", 1235, "by their bytes")
	b.fails("CREATE TEMPORARY TABLE t"+columns+" CONNECTION='"+b.address("")+"'", 1235, "temporary")
	b.is("SHOW TABLES", "")
	b.create("pets", "")
	b.run("CREATE TABLE plain (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	b.fails("SELECT * FROM pets__changes", 1235, "no feed of changes")
	b.fails("SELECT * FROM pets__tags", 1235, "JSON_TABLE")
	b.fails("INSERT INTO pets (_doc) VALUES ('{\"_id\": 5}')", 3146, "is a string")
	b.fails("INSERT INTO pets (_id) VALUES ('')", 1406, "no name of a file")
	b.run("BEGIN", "INSERT INTO plain (_id) VALUES ('x')")
	b.fails("INSERT INTO pets (_id) VALUES ('x')", 1235, "is a transaction by itself")
	b.run("COMMIT", "SET sqlfdb_full_scans = deny", "INSERT INTO pets (_id, n) VALUES ('x', 1)")
	b.fails("SELECT * FROM pets WHERE n = 1", 1175, "reads all of d.pets")
	b.is("SELECT n FROM pets WHERE _id = 'x'", "1")
	b.is("SELECT n FROM pets LIMIT 1", "1")
	b.fails("ALTER TABLE pets ADD COLUMN a INT", 1235, "bucket")
	b.fails("CREATE TABLE child (id INT PRIMARY KEY, p VARCHAR(255), FOREIGN KEY (p) REFERENCES pets (_id))", 1235,
		"bucket")
	b.fails("CREATE TABLE copy LIKE pets", 1235, "bucket")
	b.fails("SET sqlfdb_bucket_prices = 'free'", 1231, "")
}

// TestSecrets: credentials in an address are refused, and no answer repeats them.
func TestSecrets(t *testing.T) {
	b := start(t, nil)
	for _, address := range []string{"s3://AKIA:s3cr3t@shelf/app", "s3://shelf/app?secret_access_key=s3cr3t",
		"s3://shelf/app?collection=x&password=s3cr3t", "s3://:s3cr3t@%zz"} {
		statement := "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE=BUCKET CONNECTION='" + address + "'"
		_, err := b.conn.ExecContext(context.Background(), statement)
		if err == nil || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v", address, err)
		}
	}
	b.is("SHOW TABLES", "")
	t.Setenv("AWS_ACCESS_KEY_ID", "stranger")
	b.fails("CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE=BUCKET CONNECTION='"+b.address("")+"'", 1429,
		"AccessDenied")
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	b.run("CREATE USER alice", "GRANT ALL ON d.* TO alice")
	alice := b.as("alice")
	statement := "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE=BUCKET CONNECTION='" +
		b.address("") + "'"
	if _, err := alice.Exec(statement); harness.ErrorNumber(err) != 1227 {
		t.Errorf("without FILE: %v", err)
	}
	b.run("GRANT FILE ON *.* TO alice")
	if _, err := alice.Exec(statement); err != nil {
		t.Error(err)
	}
}

// as is a connection of an account.
func (b *bucket) as(account string) *sql.DB {
	b.t.Helper()
	db, err := sql.Open("mysql", account+"@tcp("+b.at+")/d")
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { db.Close() })
	return db
}
