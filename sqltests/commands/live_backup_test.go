package commands

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// work is one writer. Its k-th transaction follows from k alone, so a state of its documents is one number.
type work struct {
	number int
	done   atomic.Int64 // transactions that are acknowledged
}

const workers = 4

// transaction inserts one document, makes another one longer and shorter in turn, deletes every third that is old, and
// moves 1 from this worker's account to the next one's.
func (w *work) transaction(k int64) []string {
	next := (w.number + 1) % workers
	out := []string{
		fmt.Sprintf(`INSERT INTO open (_doc) VALUES ('{"_id": "w%d-%06d", "n": %d, "tags": ["t%d", {"x": %d}]}')`,
			w.number, k, k, k%7, k%5),
		fmt.Sprintf(`REPLACE INTO fields (_doc) VALUES ('{"_id": "w%d", "k": %d, "long": "%s"}')`, w.number, k,
			strings.Repeat("x", int(k%11)*20_000)),
		fmt.Sprintf("UPDATE accounts SET amount = amount - 1 WHERE id = %d", w.number),
		fmt.Sprintf("UPDATE accounts SET amount = amount + 1 WHERE id = %d", next),
		fmt.Sprintf("INSERT INTO closed (w, k, s) VALUES (%d, %d, 'é%d')", w.number, k, k),
	}
	if k > 5 && k%3 == 0 {
		out = append(out, fmt.Sprintf("DELETE FROM open WHERE _id = 'w%d-%06d'", w.number, k-5))
	}
	return out
}

// run writes until the context ends.
func (w *work) run(ctx context.Context, t *testing.T, db *sql.DB) {
	for k := int64(1); ctx.Err() == nil; {
		err := func() error {
			tx, err := db.Begin()
			if err != nil {
				return err
			}
			for _, s := range w.transaction(k) {
				if _, err := tx.Exec(s); err != nil {
					_ = tx.Rollback()
					return err
				}
			}
			return tx.Commit()
		}()
		switch {
		case err == nil:
			w.done.Store(k)
			k++
			time.Sleep(time.Millisecond)
		case !strings.Contains(err.Error(), "1213"):
			t.Errorf("worker %d: %v", w.number, err)
			return
		}
	}
}

// state proves that a store holds what the workers have written up to one transaction each, at one version, and gives
// these.
func state(t *testing.T, db *sql.DB) (upTo [workers]int64) {
	t.Helper()
	moved := [workers]int64{}
	for w := range workers {
		text := harness.Texts(t, db, fmt.Sprintf("SELECT COALESCE(MAX(k), 0), COUNT(*) FROM closed WHERE w = %d", w))[0]
		var n int64
		if _, err := fmt.Sscanf(text, "%d | %d", &upTo[w], &n); err != nil || n != upTo[w] {
			t.Fatalf("worker %d: %s: %v", w, text, err)
		}
		moved[w] -= upTo[w]
		moved[(w+1)%workers] += upTo[w]
		want := fmt.Sprintf("%d | %d", upTo[w], (upTo[w]%11)*20_000)
		id := fmt.Sprintf("w%d", w)
		if got := harness.Texts(t, db, "SELECT k, LENGTH(`long`) FROM fields WHERE _id = ?", id); upTo[w] > 0 &&
			(len(got) != 1 || got[0] != want) {
			t.Errorf("worker %d at %d: fields %v, want %s", w, upTo[w], got, want)
		}
		var ids []string
		for k := int64(1); k <= upTo[w]; k++ {
			if by := k + 5; by%3 != 0 || by > upTo[w] {
				ids = append(ids, fmt.Sprintf("w%d-%06d | %d | t%d", w, k, k, k%7))
			}
		}
		got := harness.Texts(t, db, "SELECT _id, n, JSON_UNQUOTE(tags->'$[0]') FROM open WHERE _id LIKE ? ORDER BY _id",
			fmt.Sprintf("w%d-%%", w))
		if strings.Join(got, "\n") != strings.Join(ids, "\n") {
			t.Errorf("worker %d at %d: %d documents of open, want %d", w, upTo[w], len(got), len(ids))
		}
		emitted := fmt.Sprintf("SELECT COUNT(*) FROM open__map__tags WHERE `key` = '\"t1\"' AND _id LIKE 'w%d-%%'", w)
		if got := harness.Texts(t, db, emitted); got[0] != fmt.Sprint(count(ids, "t1")) {
			t.Errorf("worker %d: %s rows of the map index, want %d", w, got[0], count(ids, "t1"))
		}
	}
	for w, m := range moved {
		if got := harness.Texts(t, db, fmt.Sprintf("SELECT amount FROM accounts WHERE id = %d", w)); len(got) != 1 ||
			got[0] != fmt.Sprint(m) {
			t.Errorf("account %d: %v, want %d", w, got, m)
		}
	}
	return upTo
}

func count(rows []string, tag string) (n int) {
	for _, r := range rows {
		if strings.HasSuffix(r, " "+tag) {
			n++
		}
	}
	return n
}

// copied is a copy, and what was acknowledged before it and after it.
type copied struct {
	file          string
	before, after [workers]int64
}

// TestLiveBackup: copies of a store while clients write to it and change definitions are each of one version, full and
// incremental, and so is what is restored from them, into each engine; every acknowledged transaction of before is in
// them.
func TestLiveBackup(t *testing.T) {
	t.Parallel()
	harness.Embedded(t)
	for _, e := range harness.Engines {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			place := e.Place(t)
			steps := []time.Duration{kvopen.Step(place), time.Millisecond}
			if e.Shared {
				steps = steps[:1] // a store of many processes is never held at one version for long
			}
			for _, step := range steps {
				t.Run(fmt.Sprint("step ", step), func(t *testing.T) {
					t.Parallel()
					liveBackup(t, e, step)
				})
			}
		})
	}
}

func liveBackup(t *testing.T, e harness.Engine, step time.Duration) {
	folder := t.TempDir()
	store, err := kvopen.Open(e.Place(t), kvopen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Start(context.Background(), store, server.Options{Listen: "127.0.0.1:0", Output: io.Discard,
		Log: harness.TestLog{T: t}, CopyStep: step, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		_ = store.Close()
	}()
	setup := harness.Connect(t, s.Addr(), "", "")
	harness.ExecAll(t, setup, "CREATE DATABASE d", "USE d",
		"CREATE TABLE open (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		`CREATE TABLE fields (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE '{"key_scheme": "field"}'`,
		"CREATE TABLE accounts (id INT PRIMARY KEY, amount BIGINT NOT NULL)",
		"CREATE TABLE closed (id INT AUTO_INCREMENT PRIMARY KEY, w INT, k INT, s VARCHAR(20), UNIQUE (w, k))",
		"CREATE TABLE changing (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE MAP INDEX tags ON open AS 'function (doc) { emit(doc.tags[0], null); }' INTERACTIVE",
		"CREATE MAP INDEX behind ON open AS 'function (doc) { emit(doc.n, null); }'",
		"CREATE USER b IDENTIFIED BY 'p'", "GRANT BACKUP_ADMIN ON *.* TO b",
		"INSERT INTO accounts VALUES (0, 0), (1, 0), (2, 0), (3, 0)")
	ctx, stop := context.WithCancel(context.Background())
	var all [workers]*work
	var done sync.WaitGroup
	defer func() { // before the server ends
		stop()
		done.Wait()
	}()
	for i := range all {
		all[i] = &work{number: i}
		db := harness.Connect(t, s.Addr(), "d", "")
		done.Go(func() { all[i].run(ctx, t, db) })
	}
	done.Go(func() { // definitions change meanwhile
		db := harness.Connect(t, s.Addr(), "d", "")
		for i := 0; ctx.Err() == nil; i++ {
			for _, q := range []string{fmt.Sprintf(`REPLACE INTO changing (_doc) VALUES ('{"_id": "%d", "v": "%d"}')`, i%20, i),
				fmt.Sprintf("CREATE TABLE new%d (id INT PRIMARY KEY)", i), fmt.Sprintf("INSERT INTO new%d VALUES (%d)", i, i),
				fmt.Sprintf("ALTER TABLE changing ADD COLUMN c%d INT DEFAULT 7", i),
				fmt.Sprintf("CREATE INDEX i%d ON changing (v, c%d)", i, i),
				fmt.Sprintf("ALTER TABLE changing MODIFY c%d VARCHAR(9)", i),
				fmt.Sprintf("DROP INDEX i%d ON changing", i), fmt.Sprintf("ALTER TABLE changing DROP COLUMN c%d", i),
				fmt.Sprintf("DROP TABLE IF EXISTS new%d", max(0, i-2)), "TRUNCATE changing"} {
				if _, err := db.Exec(q); err != nil && !strings.Contains(err.Error(), "1213") {
					t.Errorf("%s: %v", q, err)
				}
				time.Sleep(40 * time.Millisecond)
			}
		}
	})
	acknowledged := func() (out [workers]int64) {
		for i, w := range all {
			out[i] = w.done.Load()
		}
		return out
	}
	harness.Eventually(t, func() string { return "nobody writes" }, func() bool { return acknowledged()[0] > 20 })
	dsn := "b:p@tcp(" + s.Addr().String() + ")/"
	var chain []copied
	var until string // behind the third copy, before the fourth one
	for i := range 5 {
		c := copied{file: filepath.Join(folder, fmt.Sprint("copy", i)), before: acknowledged()}
		args := []string{"backup", "--dsn", dsn, c.file}
		if i > 0 {
			args = append(args, "--since", chain[i-1].file)
		}
		if o := harness.Run(t, harness.Call{Args: args}); o.Exit != 0 || !strings.Contains(o.Stderr, "keys") {
			t.Fatalf("copy %d: %+v", i, o)
		}
		c.after = acknowledged()
		chain = append(chain, c)
		time.Sleep(200 * time.Millisecond)
		if i == 2 {
			until = harness.Texts(t, setup, "SELECT sqlfdb_last_seq('d.open')")[0]
			time.Sleep(200 * time.Millisecond)
		}
	}
	stop()
	done.Wait()
	var files []string
	for _, c := range chain {
		files = append(files, c.file)
	}
	for _, r := range []struct {
		name string
		args []string
		is   copied
	}{{"full", files[:1], chain[0]}, {"until", append([]string{"--until", until}, files...), chain[2]},
		{"all", files, chain[4]}} {
		if o := harness.Run(t, harness.Call{Args: append([]string{"restore", "--verify"}, r.args...)}); o.Exit != 0 ||
			!strings.Contains(o.Stderr, "are whole") {
			t.Fatalf("%s: %+v", r.name, o)
		}
		var first string
		for _, into := range harness.Engines {
			t.Run(r.name+" into "+into.Name, func(t *testing.T) {
				text := restored(t, into.Place(t), r.args, r.is)
				if first == "" {
					first = text
				}
				if text != first {
					t.Errorf("the tables differ from those of %s", harness.Engines[0].Name)
				}
			})
		}
	}
	wrongChains(t, folder, dsn, files)
}

// restored restores a chain into a place and proves its state, which is what was acknowledged before it and after it.
// It gives the text of all tables.
func restored(t *testing.T, to string, args []string, is copied) string {
	t.Helper()
	if o := harness.Run(t, harness.Call{Args: append([]string{"restore", "--store", to}, args...)}); o.Exit != 0 {
		t.Fatalf("%+v", o)
	}
	if o := harness.Run(t, harness.Call{Args: []string{"check", "--store", to}}); o.Exit != 0 {
		t.Errorf("%+v", o)
	}
	p := harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", to, "--listen", "127.0.0.1:0"}})
	db := harness.Connect(t, p.Addr, "d", "")
	for w, k := range state(t, db) {
		if k < is.before[w] || k > is.after[w]+1 {
			t.Errorf("%d transactions of worker %d; %d were acknowledged before it, %d after it", k, w, is.before[w],
				is.after[w])
		}
	}
	wait := "SELECT COUNT(*) FROM open__map__behind"
	if want := harness.Texts(t, db, "SELECT COUNT(*) FROM open"); harness.Texts(t, db, wait)[0] != want[0] {
		t.Errorf("%s: not %s", wait, want[0])
	}
	harness.CheckAll(t, db)
	if grants := harness.Texts(t, db, "SHOW GRANTS FOR b"); !strings.Contains(strings.Join(grants, " "), "BACKUP_ADMIN") {
		t.Errorf("accounts: %v", grants)
	}
	var all strings.Builder
	for _, table := range harness.Texts(t, db, "SHOW TABLES") {
		fmt.Fprintln(&all, table, harness.Texts(t, db, "SHOW CREATE TABLE `"+table+"`"))
		for _, row := range harness.Texts(t, db, "SELECT * FROM `"+table+"` ORDER BY 1") {
			fmt.Fprintln(&all, row)
		}
	}
	p.Stop()
	return all.String()
}

// wrongChains: what does not go on from what is before it is refused, and leaves nothing.
func wrongChains(t *testing.T, folder, dsn string, files []string) {
	t.Helper()
	damaged := filepath.Join(folder, "damaged")
	b, err := os.ReadFile(files[1])
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 4
	if err := os.WriteFile(damaged, b, 0o600); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		files []string
		want  string
	}{
		"no full copy":     {files[1:3], "begin with a full copy"},
		"one is missing":   {[]string{files[0], files[2]}, "goes on from version"},
		"wrong order":      {[]string{files[0], files[2], files[1]}, "goes on from version"},
		"two full copies":  {[]string{files[0], files[0]}, "it is a full copy"},
		"a damaged one":    {[]string{files[0], damaged}, "checksum"},
		"until before all": {[]string{"--until", strings.Repeat("0", 26), files[0]}, "holds changes behind it"},
	} {
		to := filepath.Join(folder, "refused")
		for _, call := range [][]string{{"--verify"}, {"--store", "pebble:" + to}} {
			o := harness.Run(t, harness.Call{Args: append(append([]string{"restore"}, call...), c.files...)})
			if o.Exit == 0 || !strings.Contains(o.Stderr, c.want) {
				t.Errorf("%s: %v: %+v", what, call, o)
			}
		}
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
	}
	another := harness.Spawn(t, harness.ServeCall(t, filepath.Join(folder, "another")))
	if o := harness.Run(t, harness.Call{Args: []string{"backup", "--dsn", another.DSN(), "--since", files[0],
		filepath.Join(folder, "x")}}); o.Exit == 0 || !strings.Contains(o.Stderr, "of another store") {
		t.Errorf("of another store: %+v", o)
	}
	another.Stop()
	if o := harness.Run(t, harness.Call{Args: []string{"backup", "--dsn", strings.Replace(dsn, "b:p", "b:q", 1),
		filepath.Join(folder, "x")}}); o.Exit == 0 || !strings.Contains(o.Stderr, "1045") {
		t.Errorf("a wrong password: %+v", o)
	}
}

// TestLiveBackupEnds: a copy that fails, as the server dies, the disk is full, or the right is missing, leaves no file,
// and a former one as it was; a rate is kept; a folder holds a chain.
func TestLiveBackupEnds(t *testing.T) {
	t.Parallel()
	harness.Embedded(t)
	work := t.TempDir()
	p := harness.Spawn(t, harness.ServeCall(t, filepath.Join(work, "store")))
	db := harness.Connect(t, p.Addr, "", "")
	harness.ExecAll(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE USER poor IDENTIFIED BY 'p'", "GRANT SELECT ON *.* TO poor")
	for i := range 30 {
		harness.MustExec(t, db, fmt.Sprintf(`INSERT INTO d.t (_doc) VALUES ('{"_id": "k%d", "s": "%s"}')`, i,
			strings.Repeat("y", 100_000)))
	}
	file := filepath.Join(work, "file")
	run := func(want string, args ...string) harness.Outcome {
		t.Helper()
		o := harness.Run(t, harness.Call{Args: append([]string{"backup", "--dsn", p.DSN()}, args...)})
		if (o.Exit == 0) != (want == "") || !strings.Contains(o.Stderr, want) {
			t.Errorf("%v: %+v", args, o)
		}
		return o
	}
	if o := harness.Run(t, harness.Call{Args: []string{"backup", "--dsn", "poor:p@tcp(" + p.Addr.String() + ")/",
		file}}); o.Exit == 0 || !strings.Contains(o.Stderr, "BACKUP_ADMIN") {
		t.Errorf("without the right: %+v", o)
	}
	chain := filepath.Join(work, "chain")
	if err := os.Mkdir(chain, 0o700); err != nil {
		t.Fatal(err)
	}
	run("", chain)
	run("", chain)
	run("", chain)
	seq := harness.Texts(t, db, "SELECT sqlfdb_last_seq('d.t')")[0]
	harness.MustExec(t, db, "DELETE FROM d.t WHERE _id < 'k2'")
	run("", chain)
	run("no such file", "--since", filepath.Join(work, "nothing"), file)
	run("--full is for a folder", "--full", file)
	restored := func(want string, args ...string) {
		t.Helper()
		to := filepath.Join(work, "to")
		call := append([]string{"restore", "--store", "pebble:" + to}, args...)
		if o := harness.Run(t, harness.Call{Args: call}); o.Exit != 0 {
			t.Fatalf("%+v", o)
		}
		q := harness.Spawn(t, harness.ServeCall(t, to))
		db := harness.Connect(t, q.Addr, "", "")
		if got := harness.Texts(t, db, "SELECT COUNT(*) FROM d.t")[0]; got != want {
			t.Errorf("%v: %s documents, want %s", args, got, want)
		}
		harness.CheckAll(t, db)
		q.Stop()
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
	}
	restored("18", chain)
	restored("30", "--until", seq, chain)
	dropped(t, p)
	all, err := filepath.Glob(filepath.Join(chain, "*.changes.backup"))
	if err != nil || len(all) != 3 {
		t.Fatalf("%v: %v", all, err)
	}
	// What is missing in a folder is told.
	if err := os.Rename(all[2], filepath.Join(work, "away")); err != nil {
		t.Fatal(err)
	}
	harness.MustExec(t, db, `INSERT INTO d.t (_id) VALUES ('more')`)
	run("", "--since", filepath.Join(work, "away"), filepath.Join(chain, "last.backup"))
	if o := harness.Run(t, harness.Call{Args: []string{"restore", "--verify", chain}}); o.Exit == 0 ||
		!strings.Contains(o.Stderr, "is missing behind") {
		t.Errorf("a chain with a gap: %+v", o)
	}
	began := time.Now()
	run("", "--rate", "1MiB", file)
	took := time.Since(began)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if least := time.Duration(len(whole)) * time.Second >> 20; took < least || least < time.Second {
		t.Errorf("a copy of %d bytes, at most 1 MiB a second, took %v", len(whole), took)
	}
	unchanged := func(what string) {
		t.Helper()
		if b, err := os.ReadFile(file); err != nil || string(b) != string(whole) {
			t.Errorf("%s: the former copy is another one: %v", what, err)
		}
		if _, err := os.Stat(file + ".partial"); err == nil {
			t.Errorf("%s: a part is left", what)
		}
	}
	limited := osexec.Command("sh", "-c", `trap "" XFSZ; ulimit -f 1000; exec "$0" "$@"`, harness.Command(t), "backup",
		"--dsn", p.DSN(), file)
	if out, err := limited.CombinedOutput(); err == nil || !strings.Contains(string(out), "file too large") {
		t.Errorf("a full disk: %v: %s", err, out)
	}
	unchanged("a full disk")
	dying := osexec.Command(harness.Command(t), "backup", "--dsn", p.DSN(), "--rate", "100KiB", file)
	if err := dying.Start(); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func() string { return "the copy does not begin" }, func() bool {
		_, err := os.Stat(file + ".partial")
		return err == nil
	})
	harness.Eventually(t, func() string { return "the server does not show the copy" }, func() bool {
		return strings.Contains(strings.Join(harness.Texts(t, db, "SHOW FULL PROCESSLIST"), "\n"), "BACKUP STORE RATE")
	})
	p.Kill()
	if err := dying.Wait(); err == nil {
		t.Error("the server is gone, and the copy is whole")
	}
	unchanged("a dead server")
}

// dropped: a table that is gone has no changes any more, and the copies behind that are still of a later state.
func dropped(t *testing.T, p *harness.Process) {
	t.Helper()
	work := t.TempDir()
	db := harness.Connect(t, p.Addr, "", "")
	chain := filepath.Join(work, "chain")
	if err := os.Mkdir(chain, 0o700); err != nil {
		t.Fatal(err)
	}
	take := func(flags ...string) (at string) {
		t.Helper()
		call := append([]string{"backup", "--dsn", p.DSN(), chain}, flags...)
		if o := harness.Run(t, harness.Call{Args: call}); o.Exit != 0 {
			t.Fatalf("%+v", o)
		}
		time.Sleep(2 * time.Millisecond)
		defer time.Sleep(2 * time.Millisecond)
		return time.Now().UTC().Format(time.RFC3339Nano)
	}
	tables := func(want string, args ...string) {
		t.Helper()
		to := filepath.Join(t.TempDir(), "to")
		call := append([]string{"restore", "--store", "pebble:" + to}, args...)
		if o := harness.Run(t, harness.Call{Args: call}); o.Exit != 0 {
			t.Errorf("%+v", o)
			return
		}
		q := harness.Spawn(t, harness.ServeCall(t, to))
		defer q.Stop()
		db := harness.Connect(t, q.Addr, "", "")
		if got := strings.Join(harness.Texts(t, db, "SHOW TABLES FROM u"), " "); got != want {
			t.Errorf("%v: tables %q, want %q", args, got, want)
		}
		harness.CheckAll(t, db)
	}
	harness.ExecAll(t, db, "CREATE DATABASE u", "CREATE TABLE u.kept (id INT PRIMARY KEY)",
		"CREATE TABLE u.gone (id INT PRIMARY KEY)", "INSERT INTO u.kept VALUES (1)")
	early := take()
	before := harness.Texts(t, db, "SELECT sqlfdb_last_seq('u.kept')")[0]
	harness.ExecAll(t, db, "INSERT INTO u.gone VALUES (1)", "CREATE TABLE u.more (id INT PRIMARY KEY)")
	late := take()
	harness.ExecAll(t, db, "DROP TABLE u.gone")
	take()
	take("--full")
	tables("kept more", chain)
	tables("gone kept", "--until", before, chain)
	tables("gone kept", "--until", early, chain)
	tables("gone kept more", "--until", late, chain)
	all, err := filepath.Glob(filepath.Join(chain, "*.backup"))
	if err != nil || len(all) != 4 {
		t.Fatalf("%v: %v", all, err)
	}
	tables("gone kept more", append([]string{"--until", late}, all[:3]...)...)
	tables("gone kept", append([]string{"--until", before}, all[:3]...)...)
	for until, want := range map[string]string{"2000-01-01T00:00:00Z": "no full copy is there",
		"yesterday": "or a time such"} {
		if o := harness.Run(t, harness.Call{Args: []string{"restore", "--verify", "--until", until, chain}}); o.Exit == 0 ||
			!strings.Contains(o.Stderr, want) {
			t.Errorf("--until %s: %+v", until, o)
		}
	}
	harness.MustExec(t, db, "DROP DATABASE u")
}
