package pebblekv_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

var repairRounds = flag.Int("repair-rounds", 40, "how many damaged stores TestRandomRepairs opens")

// stamped writes a key of its own, adds to one of all, and returns the version of the commit.
func stamped(t *testing.T, s kv.Store, i int) int64 {
	t.Helper()
	tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	tx.Set(fmt.Appendf(nil, "k%06d", i), bytes.Repeat([]byte{byte(i)}, 500))
	tx.Add([]byte("sum"), []byte{1, 0, 0, 0})
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	stamp, err := tx.Versionstamp()
	if err != nil {
		t.Fatal(err)
	}
	return int64(binary.BigEndian.Uint64(stamp[:8]))
}

// killed are the files of a store that was killed after some commits, and the version of each. The last commits stand
// in logs only, of which there are several then.
func killed(t *testing.T, commits, last int, rng *rand.Rand) (files, map[int]int64) {
	t.Helper()
	fs := vfs.NewCrashableMem()
	var stalled atomic.Bool
	goOn := make(chan struct{})
	s := open(t, "store", pebblekv.Options{MemTableBytes: 64 << 10,
		FS: errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
			if stalled.Load() && op.Kind == errorfs.OpCreate && strings.HasSuffix(op.Path, ".sst") {
				<-goOn
			}
			return nil
		}))})
	of := map[int]int64{}
	for i := range commits {
		if i == commits-last {
			stalled.Store(true)
		}
		of[i] = stamped(t, s, i)
	}
	all := filesOf(t, fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rng}))
	close(goOn)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return all, of
}

func newestLog(all files) (newest string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if strings.HasSuffix(name, ".log") && len(all[name]) > 0 {
			newest = name
		}
	}
	return newest
}

var acceptedLine = regexp.MustCompile(`accepted as lost".* first=(\d+) last=(\d+) next=(\d+)`)

// accepting opens a store with less, and returns the first and last version of each part that is told to be lost.
func accepting(fs vfs.FS) (s kv.Store, lost [][2]int64, err error) {
	var told bytes.Buffer
	s, err = pebblekv.Open("store", pebblekv.Options{FS: fs, AcceptLoss: true, MemTableBytes: 64 << 10,
		Logger: slog.New(slog.NewTextHandler(&told, nil))})
	for _, m := range acceptedLine.FindAllStringSubmatch(told.String(), -1) {
		first, _ := strconv.ParseInt(m[1], 10, 64)
		last, _ := strconv.ParseInt(m[2], 10, 64)
		lost = append(lost, [2]int64{first, last})
	}
	return s, lost, err
}

// TestAcceptedLossLasts: a store that was opened with less once is whole from then on, though nothing was written to
// it. No version is given twice, and the next loss is noticed.
func TestAcceptedLossLasts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for what, damage := range map[string]func([]byte) []byte{
		"cut":     func(b []byte) []byte { return b[:len(b)-3000] },
		"flipped": func(b []byte) []byte { b = bytes.Clone(b); b[len(b)/2] ^= 1; return b },
		"begins":  func(b []byte) []byte { b = bytes.Clone(b); b[9] ^= 1; return b },
	} {
		t.Run(what, func(t *testing.T) {
			all, of := killed(t, 20, 0, rng)
			highest := of[19]
			for loss := range 3 {
				log := newestLog(all)
				all[log] = damage(all[log])
				disk := all.disk(t).(*vfs.MemFS)
				refused(t, pebblekv.Options{FS: disk}, "store", fmt.Sprintf("commits up to %d were acknowledged", highest))
				s, lost, err := accepting(disk)
				if err != nil {
					t.Fatal(err)
				}
				if len(lost) != 1 || lost[0][1] != highest || lost[0][0] > highest {
					t.Errorf("loss %d: told to be lost: %v, of %d", loss, lost, highest)
				}
				kept, err := contents(s)
				if err := errors.Join(err, s.Close()); err != nil {
					t.Fatal(err)
				}
				for _, opts := range []pebblekv.Options{{ReadOnly: true}, {}, {}} {
					opts.FS = disk
					s := open(t, "store", opts)
					have, err := contents(s)
					if err := errors.Join(err, s.Close()); err != nil || !maps.Equal(have, kept) {
						t.Errorf("loss %d: opened again it has %d keys of %d, %v", loss, len(have), len(kept), err)
					}
				}
				fs := vfs.NewCrashableMem()
				if _, err := vfs.Clone(disk, fs, "store", "store", vfs.CloneSync); err != nil {
					t.Fatal(err)
				}
				s = open(t, "store", pebblekv.Options{FS: fs})
				for i := range 10 {
					version := stamped(t, s, 1000*(loss+1)+i)
					if version <= highest {
						t.Errorf("loss %d: a commit has version %d, up to %d were acknowledged", loss, version, highest)
					}
					highest = version
				}
				all = filesOf(t, fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rng}))
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestAcceptLossInterrupted: wherever a store that accepts a loss is killed, or power is lost, it is still known to
// lack commits or is whole already, and no version is given twice.
func TestAcceptLossInterrupted(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	all, of := killed(t, 40, 30, rng)
	log := newestLog(all)
	all[log] = all[log][:len(all[log])/2]
	fs := vfs.NewCrashableMem()
	if _, err := vfs.Clone(all.disk(t), fs, "store", "store", vfs.CloneSync); err != nil {
		t.Fatal(err)
	}
	root, err := fs.OpenDir("")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(root.Sync(), root.Close()); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var left []*vfs.MemFS
	s, _, err := accepting(errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
			mu.Lock()
			defer mu.Unlock()
			for _, percent := range []int{0, 100} {
				left = append(left, fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rng}))
			}
		}
		return nil
	})))
	if err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	disks := left
	mu.Unlock()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole := 0
	for i, disk := range disks {
		s, err := pebblekv.Open("store", pebblekv.Options{FS: disk})
		if errors.Is(err, kv.ErrIncomplete) {
			s, _, err = accepting(disk)
		} else if err == nil {
			whole++
		}
		if err != nil {
			t.Errorf("killed at %d of %d: %v", i, len(disks), err)
			continue
		}
		if version := stamped(t, s, 1000); version <= of[39] {
			t.Errorf("killed at %d of %d: the next commit has version %d, %d was acknowledged", i, len(disks), version, of[39])
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if whole == 0 || whole == len(disks) {
		t.Errorf("whole after %d of %d kills", whole, len(disks))
	}
	t.Logf("%d kills, %d of which left a whole store", len(disks), whole)
}

// TestRandomRepairs damages logs and tables of a store that was killed: it is refused, or is whole, or says which of
// its tables can't be read. Opened with less it has all commits but those that it names, and is a whole store from then
// on.
func TestRandomRepairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 2))
	t.Run("one log", func(t *testing.T) { randomRepairs(t, 0, rng) })
	t.Run("several logs", func(t *testing.T) { randomRepairs(t, 150, rng) })
}

// tableDamaged reports whether a store can't be repaired as it says: damage of logs alone always can be.
func tableDamaged(what string, err error) bool {
	return errors.Is(err, kv.ErrDamaged) && strings.Contains(what, ".sst")
}

func randomRepairs(t *testing.T, last int, rng *rand.Rand) {
	whole, of := killed(t, 400, last, rng)
	var names []string
	for name := range whole {
		if strings.HasSuffix(name, ".log") || strings.HasSuffix(name, ".sst") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	unharmed, repaired, unreadable := 0, 0, 0
	for round := range *repairRounds {
		all, what := maps.Clone(whole), ""
		for range 1 + rng.IntN(2) {
			name := names[rng.IntN(len(names))]
			if round%2 == 0 {
				name = newestLog(whole)
			}
			b := bytes.Clone(all[name])
			if len(b) == 0 {
				continue
			}
			at := rng.IntN(len(b))
			switch rng.IntN(5) {
			case 0:
				b[at] ^= 1 << rng.IntN(8)
			case 1:
				b = b[:at]
			case 2:
				clear(b[at:min(len(b), at+1+rng.IntN(4000))])
			case 3:
				b = slices.Delete(b, at, min(len(b), at+1+rng.IntN(300)))
			case 4:
				delete(all, name)
				what += " (missing)"
			}
			if _, there := all[name]; there {
				all[name] = b
			}
			what += fmt.Sprintf(" %s from %d of %d,", name, at, len(whole[name]))
		}
		check := func(s kv.Store, lost [][2]int64) (map[string]string, error) {
			have, err := contents(s)
			if err != nil {
				return nil, err
			}
			for i, version := range of {
				gone := slices.ContainsFunc(lost, func(l [2]int64) bool { return l[0] <= version && version <= l[1] })
				if v, ok := have[fmt.Sprintf("k%06d", i)]; !gone && v != strings.Repeat(string([]byte{byte(i)}), 500) {
					t.Errorf("damaged in%s the commit of version %d is gone (%v), lost are %v", what, version, ok, lost)
				}
			}
			return have, nil
		}
		s, err := pebblekv.Open("store", pebblekv.Options{FS: all.disk(t), MemTableBytes: 64 << 10})
		if err == nil {
			_, err = check(s, nil)
			_ = s.Close()
		}
		if err == nil {
			unharmed++
			continue
		}
		disk := all.disk(t)
		s, lost, err := accepting(disk)
		if err != nil {
			if !tableDamaged(what, err) {
				t.Errorf("damaged in%s it is not opened with less: %v", what, err)
			}
			unreadable++
			continue
		}
		kept, err := check(s, lost)
		_ = s.Close()
		if err != nil {
			if !tableDamaged(what, err) {
				t.Errorf("damaged in%s it is opened with less: %v", what, err)
			}
			unreadable++
			continue
		}
		s, err = pebblekv.Open("store", pebblekv.Options{FS: disk, MemTableBytes: 64 << 10})
		if tableDamaged(what, err) { // where nobody has looked before
			unreadable++
			continue
		}
		repaired++
		if err != nil {
			t.Errorf("damaged in%s it was opened with less, and then: %v", what, err)
			continue
		}
		if have, err := check(s, lost); err != nil || !maps.Equal(have, kept) {
			t.Errorf("damaged in%s it has %d keys, then %d, %v", what, len(kept), len(have), err)
		}
		if version := stamped(t, s, 1000); version <= of[len(of)-1] {
			t.Errorf("damaged in%s the next commit has version %d, %d was acknowledged", what, version, of[len(of)-1])
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("logs and tables %v: %d stores unharmed, %d repaired, %d unreadable", names, unharmed, repaired, unreadable)
	if *repairRounds >= 40 && repaired == 0 {
		t.Error("no store was repaired")
	}
}
