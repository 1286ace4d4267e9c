package commands

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var repairRounds = flag.Int("repair-rounds", 4, "how many damaged stores TestRepairRandom repairs")

// checked runs the command check on a store.
func checked(t *testing.T, dir string, flags ...string) harness.Outcome {
	t.Helper()
	return harness.Run(t, harness.Call{Args: append([]string{"check", "--store", "pebble:" + dir}, flags...)})
}

// insertSome inserts documents in statements of their own.
func insertSome(t *testing.T, p *harness.Process, from, to int) {
	t.Helper()
	db := harness.Connect(t, p.Addr, "d", "")
	for i := from; i < to; i++ {
		if _, err := db.Exec("INSERT INTO t (_doc) VALUES (?)", repairDocument(i)); err != nil {
			t.Fatal(err)
		}
	}
}

func repairDocument(i int) string {
	return fmt.Sprintf(`{"_id":"%06d","n":%d,"pad":"%s"}`, i, i%7, strings.Repeat(string(rune('a'+i%26)), 300))
}

// damageFile writes a file anew, damaged.
func damageFile(t *testing.T, path string, damage func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, damage(b), 0o600); err != nil {
		t.Fatal(err)
	}
}

func filesWith(t *testing.T, dir, ending string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*"+ending))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

var lastLost = regexp.MustCompile(`accepted as lost".* last=(\d+) next=(\d+)`)

// TestRepairLoss: a store whose log has lost commits is refused. The repair says which, and the store is whole, until
// it loses some more.
func TestRepairLoss(t *testing.T) {
	t.Parallel()
	for what, damage := range map[string]func([]byte) []byte{
		"cut":     func(b []byte) []byte { return b[:len(b)-3000] },
		"flipped": func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "store")
			serve := harness.Call{Args: []string{"serve", "--store", "pebble:" + dir, "--listen", "127.0.0.1:0"}}
			p := harness.Spawn(t, serve)
			harness.ExecAll(t, harness.Connect(t, p.Addr, "", ""), "CREATE DATABASE d",
				"CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
			// What is in tables can't be lost with the log.
			p.Stop()
			p = harness.Spawn(t, serve)
			sequence, known := int64(0), 0
			for loss := range 2 {
				insertSome(t, p, known, known+40)
				db := harness.Connect(t, p.Addr, "d", "")
				var newest int64
				if err := db.QueryRow("SELECT MAX(seq) FROM t__changes").Scan(&newest); err != nil || newest <= sequence {
					t.Errorf("the newest change is %d after %d, %v", newest, sequence, err)
				}
				sequence = newest
				_ = db.Close()
				p.Kill()
				logs := filesWith(t, dir, ".log")
				damageFile(t, logs[len(logs)-1], damage)
				if o := checked(t, dir); o.Exit == 0 || !strings.Contains(o.Stderr, "were acknowledged") {
					t.Errorf("check of loss %d: %+v", loss, o)
				}
				o := checked(t, dir, "--repair")
				if o.Exit != 0 || !lastLost.MatchString(o.Stderr) {
					t.Fatalf("repair of loss %d: %+v", loss, o)
				}
				if o := checked(t, dir); o.Exit != 0 || o.Stderr != "" {
					t.Errorf("check after repair of loss %d: %+v", loss, o)
				}
				p = harness.Spawn(t, serve)
				db = harness.Connect(t, p.Addr, "d", "")
				have := stored(t, db, "t")
				lost := known + 40 - len(have)
				if lost <= 0 || lost >= 40 {
					t.Errorf("loss %d: %d documents of %d are there", loss, len(have), known+40)
				}
				known = len(have)
				for i := range known {
					if have[fmt.Sprintf("%06d", i)] != repairDocument(i) {
						t.Errorf("loss %d: document %d is lost, but not the last of %d", loss, i, known)
					}
				}
				harness.Check(t, db, "d.t")
				_ = db.Close()
			}
		})
	}
}

// TestRepairRandom damages logs and tables of a store that was killed: check refuses it or finds nothing, and after a
// repair it is whole and served, or the repair says that it can't be done.
func TestRepairRandom(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 3))
	dir := filepath.Join(t.TempDir(), "store")
	serve := func(dir string) *harness.Process {
		return harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", "pebble:" + dir, "--listen",
			"127.0.0.1:0"}})
	}
	p := serve(dir)
	harness.ExecAll(t, harness.Connect(t, p.Addr, "", ""), "CREATE DATABASE d",
		"CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	insertSome(t, p, 0, 60)
	p.Stop()
	p = serve(dir)
	insertSome(t, p, 60, 120)
	p.Kill()
	unharmed, repaired, refused := 0, 0, 0
	for round := range *repairRounds {
		place := filepath.Join(t.TempDir(), "store")
		if err := os.CopyFS(place, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		logs := filesWith(t, place, ".log")
		victim, inTable := logs[len(logs)-1], false
		if sst := filesWith(t, place, ".sst"); round%2 == 1 {
			victim, inTable = sst[random.IntN(len(sst))], true
		}
		what := ""
		damageFile(t, victim, func(b []byte) []byte {
			at := random.IntN(len(b))
			what = fmt.Sprintf("%s of %d bytes at %d", filepath.Base(victim), len(b), at)
			switch random.IntN(3) {
			case 0:
				return b[:at]
			case 1:
				clear(b[at:min(len(b), at+1000)])
			default:
				b[at] ^= 1 << random.IntN(8)
			}
			return b
		})
		before := checked(t, place)
		o := checked(t, place, "--repair")
		if o.Exit != 0 {
			refused++
			if before.Exit == 0 || !inTable || !strings.Contains(o.Stderr, "can't be repaired") {
				t.Errorf("damaged: %s, check: %+v, repair: %+v", what, before, o)
			}
			continue
		}
		lossy := lastLost.MatchString(o.Stderr)
		switch {
		case before.Exit == 0 && !lossy:
			unharmed++
		case before.Exit != 0:
			repaired++
		default:
			t.Errorf("damaged: %s, check finds nothing, repair tells: %s", what, o.Stderr)
		}
		if o := checked(t, place); o.Exit != 0 {
			t.Errorf("damaged: %s, after the repair: %+v", what, o)
		}
		p := serve(place)
		db := harness.Connect(t, p.Addr, "d", "")
		have := stored(t, db, "t")
		for i, id := range slices.Sorted(maps.Keys(have)) {
			if have[id] != repairDocument(i) {
				t.Errorf("damaged: %s, the %d. document is %.50s", what, i, have[id])
			}
		}
		if len(have) < 60 || !lossy && len(have) < 120 {
			t.Errorf("damaged: %s, %d documents are there; lossy %v", what, len(have), lossy)
		}
		insertSome(t, p, 1000, 1003)
		harness.Check(t, db, "d.t")
		_ = db.Close()
		p.Kill()
	}
	t.Logf("%d stores unharmed, %d repaired, %d can't be repaired", unharmed, repaired, refused)
}
