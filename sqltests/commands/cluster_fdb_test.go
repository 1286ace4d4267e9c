//go:build fdb

package commands

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var clusterPause = flag.Duration("cluster-pause", 10*time.Second, "how long TestCluster takes the cluster away")

// clusterClient inserts rows, and adds one to its number with some of them, through one of the servers. It remembers
// what it was told.
type clusterClient struct {
	id int

	mu      sync.Mutex
	done    map[string]bool // rows that were acknowledged
	refused map[string]bool // rows that are not there, by what was said
	last    time.Time       // when something was last acknowledged
	said    map[string]int  // errors
}

// counts reports whether the client adds one to its number with its i-th row.
func counts(i int) bool { return i%3 == 0 }

// write writes until the context ends.
func (c *clusterClient) write(ctx context.Context, db *sql.DB) {
	for i := 0; ctx.Err() == nil; i++ {
		id := fmt.Sprintf("%d-%06d", c.id, i)
		err := c.transact(db, id, i)
		var told *mysql.MySQLError
		c.mu.Lock()
		switch {
		case err == nil:
			c.done[id], c.last = true, time.Now()
		case errors.As(err, &told) && told.Number != 1180: // that of a commit without an answer
			c.refused[id] = true
		}
		if err != nil {
			c.said[fmt.Sprintf("%.120s", err)]++
		}
		c.mu.Unlock()
		if err != nil {
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// transact inserts the i-th row.
func (c *clusterClient) transact(db *sql.DB, id string, i int) error {
	const insert = "INSERT INTO t VALUES (?, ?, ?)"
	if !counts(i) {
		_, err := db.Exec(insert, id, c.id, 0)
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err = tx.Exec(insert, id, c.id, 1); err == nil {
		_, err = tx.Exec("UPDATE n SET n = n + 1 WHERE id = ?", c.id)
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}

// TestCluster: while two servers are written to, their cluster is paused, killed, cut off and full, and one of them is
// paused. Nothing that was acknowledged is lost, nothing happens twice, nothing that was refused is there, and all
// clients go on by themselves when it is over.
func TestCluster(t *testing.T) {
	cluster, gate := harness.OwnCluster(t)
	var dbs []*sql.DB
	var servers []*harness.Process
	for range 2 {
		p := harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", "fdb:" + cluster.File, "--listen",
			"127.0.0.1:0"}})
		servers = append(servers, p)
		if len(dbs) == 0 {
			harness.ExecAll(t, harness.Connect(t, p.Addr, "", ""), "CREATE DATABASE d")
		}
		dbs = append(dbs, harness.Connect(t, p.Addr, "d", "?interpolateParams=true"))
	}
	harness.ExecAll(t, dbs[0], "CREATE TABLE t (id VARCHAR(20) PRIMARY KEY, c INT, counted INT)",
		"CREATE TABLE n (id INT PRIMARY KEY, n INT)")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var clients []*clusterClient
	var writing sync.WaitGroup
	for id := range 6 {
		harness.MustExec(t, dbs[0], fmt.Sprintf("INSERT INTO n VALUES (%d, 0)", id))
		c := &clusterClient{id: id, done: map[string]bool{}, refused: map[string]bool{}, said: map[string]int{}}
		clients = append(clients, c)
		writing.Go(func() { c.write(ctx, dbs[id%2]) })
	}
	defer writing.Wait()
	defer stop()
	goOn := func(what string) {
		t.Helper()
		since := time.Now()
		for _, c := range clients {
			harness.Eventually(t, func() string { return fmt.Sprintf("%s: client %d does not go on", what, c.id) },
				func() bool {
					c.mu.Lock()
					defer c.mu.Unlock()
					return c.last.After(since)
				})
		}
		t.Logf("%s: all go on after %v", what, time.Since(since).Round(time.Millisecond))
		for _, c := range clients {
			c.mu.Lock()
			if len(c.said) > 0 {
				t.Logf("client %d: %d acknowledged, told %v", c.id, len(c.done), c.said)
			}
			clear(c.said)
			c.mu.Unlock()
		}
	}
	goOn("before")
	for _, attack := range []struct {
		name       string
		begin, end func()
	}{
		{"paused", func() { must(cluster.Signal(syscall.SIGSTOP)) }, func() { must(cluster.Signal(syscall.SIGCONT)) }},
		{"killed", func() { must(cluster.Kill()) }, func() { must(cluster.Restart()) }},
		{"cut off", gate.Shut, gate.Open},
		{"full", func() { must(cluster.Kill()); must(cluster.Restart("--knob_min_available_space=1000000000000000")) },
			func() { must(cluster.Kill()); must(cluster.Restart()) }},
		{"one server paused", func() { must(servers[0].Cmd.Process.Signal(syscall.SIGSTOP)) },
			func() { must(servers[0].Cmd.Process.Signal(syscall.SIGCONT)) }},
	} {
		attack.begin()
		time.Sleep(*clusterPause)
		attack.end()
		goOn(attack.name)
	}
	stop()
	writing.Wait()
	for _, c := range clients {
		there, counted := map[string]bool{}, 0
		for _, row := range harness.Texts(t, dbs[1], "SELECT id, counted FROM t WHERE c = ?", c.id) {
			var id string
			var of int
			if _, err := fmt.Sscanf(row, "%s | %d", &id, &of); err != nil {
				t.Fatal(row, err)
			}
			there[id] = true
			counted += of
			if c.refused[id] {
				t.Errorf("client %d: %s was refused and is there", c.id, id)
			}
		}
		for id := range c.done {
			if !there[id] {
				t.Errorf("client %d: %s was acknowledged and is lost", c.id, id)
			}
		}
		n := harness.Number(t, dbs[1], fmt.Sprintf("SELECT n FROM n WHERE id = %d", c.id))
		if n != int64(counted) {
			t.Errorf("client %d: %d rows were counted, and there are %d", c.id, n, counted)
		}
		t.Logf("client %d: %d acknowledged, %d refused, %d there", c.id, len(c.done), len(c.refused), len(there))
	}
	harness.CheckAll(t, dbs[0])
	for _, p := range servers {
		p.Stop()
	}
}
