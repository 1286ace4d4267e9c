package pebblekv

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A store's folder holds two files of our own, beside Pebble's. They identify the store,
// and list the files that must be in the folder. For Pebble treats a folder without its
// marker as empty, and does not notice missing logs. Docs:
// docs/rfcs/0014-what-a-store-holds.md.
const (
	inventoryName   = "SQLFDB-STORE" // replaced whole
	lastName        = "SQLFDB-LAST"  // overwritten in place by each group of commits
	inventoryFormat = 1
	inventoryTitle  = "sqlfdb store"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// holdings is the content of an inventory's file.
type holdings struct {
	id       string
	whole    bool  // false while the store is being made: nothing was ever acknowledged
	version  int64 // at least this was acknowledged
	manifest string
	size     int64  // of the manifest, at least
	sum      uint32 // of so many bytes of it
	logs     map[string]int64
	// logs has the version that was applied before each began, 0 for unknown.
}

// inventory keeps the two files of an open store.
type inventory struct {
	fs  vfs.FS
	dir string

	mu       sync.Mutex
	now      holdings
	floor    int64 // the acknowledged version when the store was opened
	quiet    bool  // nothing is written yet, or at all
	lossy    bool  // the loss of commits has been accepted
	manifest map[string]*manifestSum
	last     vfs.File
	failed   error // of the last file, reported once
}

// manifestSum is how much of a manifest is on disk, and its sum.
type manifestSum struct {
	written, synced int64
	sum, syncedSum  uint32
}

func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return fmt.Sprintf("%x", b)
}

// text is the file's text, closed by its sum.
func (h *holdings) text() []byte {
	var b bytes.Buffer
	state := "unfinished"
	if h.whole {
		state = "whole"
	}
	fmt.Fprintf(&b, "%s\nformat %d\nid %s\nstate %s\nversion %d\n", inventoryTitle, inventoryFormat, h.id, state,
		h.version)
	if h.manifest != "" {
		fmt.Fprintf(&b, "manifest %s %d %08x\n", h.manifest, h.size, h.sum)
	}
	for _, name := range slices.Sorted(maps.Keys(h.logs)) {
		fmt.Fprintf(&b, "log %s %d\n", name, h.logs[name])
	}
	fmt.Fprintf(&b, "sum %08x\n", crc32.Checksum(b.Bytes(), castagnoli))
	return b.Bytes()
}

var errDamaged = errors.New("is damaged")

// parseHoldings reads an inventory's text. A newer format is reported before the sum is checked.
func parseHoldings(text []byte) (h holdings, err error) {
	lines := strings.Split(string(text), "\n")
	var format int
	if len(lines) < 2 || lines[0] != inventoryTitle {
		return h, errDamaged
	}
	if _, err := fmt.Sscanf(lines[1], "format %d", &format); err != nil {
		return h, errDamaged
	}
	if format > inventoryFormat {
		return h, fmt.Errorf("has format %d, this program reads up to %d: a newer program has made it", format,
			inventoryFormat)
	}
	end := bytes.LastIndex(text, []byte("sum "))
	if end < 0 || string(text[end:]) != fmt.Sprintf("sum %08x\n", crc32.Checksum(text[:end], castagnoli)) {
		return h, errDamaged
	}
	h.logs = map[string]int64{}
	for _, line := range lines[2:] {
		word, rest, _ := strings.Cut(line, " ")
		var name string
		var after int64
		switch word {
		case "id":
			h.id = rest
		case "state":
			h.whole = rest == "whole"
		case "version":
			_, err = fmt.Sscan(rest, &h.version)
		case "manifest":
			_, err = fmt.Sscanf(rest, "%s %d %x", &h.manifest, &h.size, &h.sum)
		case "log":
			_, err = fmt.Sscan(rest, &name, &after)
			h.logs[name] = after
		}
		if err != nil {
			return h, errDamaged
		}
	}
	return h, nil
}

// write replaces the inventory's file; needs mu.
func (v *inventory) write() (err error) {
	if v.quiet {
		return nil
	}
	if m := v.manifest[v.now.manifest]; m != nil && m.synced > 0 {
		v.now.size, v.now.sum = m.synced, m.syncedSum
	}
	name := v.fs.PathJoin(v.dir, inventoryName)
	return replaceFile(v.fs, v.dir, name, v.now.text())
}

// replaceFile makes a file that is there whole or not at all, after all that its folder has got before.
func replaceFile(fs vfs.FS, dir, name string, text []byte) error {
	if err := writeFile(fs, name+".tmp", text); err != nil {
		return err
	}
	if err := syncDir(fs, dir); err != nil {
		return err
	}
	if err := fs.Rename(name+".tmp", name); err != nil {
		return err
	}
	return syncDir(fs, dir)
}

func writeFile(fs vfs.FS, name string, text []byte) error {
	f, err := fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = f.Write(bytes.Clone(text)) // which the file may change
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func syncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func readFile(fs vfs.FS, name string) ([]byte, error) {
	f, err := fs.Open(name)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(f)
	return b, errors.Join(err, f.Close())
}

// logCreated notes a log that is there now; versions up to applied are in earlier logs.
func (v *inventory) logCreated(name string, applied int64) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.now.logs[name] = applied
	return v.write()
}

// logGoes notes that a log is about to be removed or written over: from now on it may be missing, and so may the logs
// before it. Pebble gives up a log once its tables have the commits in it and in all earlier logs. It keeps some for
// their next use, not always the last ones.
func (v *inventory) logGoes(name string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	before := len(v.now.logs)
	maps.DeleteFunc(v.now.logs, func(log string, _ int64) bool { return logNumber(log) <= logNumber(name) })
	if len(v.now.logs) == before {
		return nil
	}
	return v.write()
}

// logNumber is the number of a log; Pebble's ascend.
func logNumber(name string) int64 {
	n, err := strconv.ParseInt(strings.TrimSuffix(name, ".log"), 10, 64)
	if err != nil {
		return math.MaxInt64 // no log: nothing is before it
	}
	return n
}

// manifestCreated begins the sum of a manifest.
func (v *inventory) manifestCreated(name string) *manifestSum {
	v.mu.Lock()
	defer v.mu.Unlock()
	m := &manifestSum{}
	v.manifest[name] = m
	return m
}

// manifestMarked notes which manifest Pebble's marker names now. The next write reports it.
func (v *inventory) manifestMarked(name string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.now.manifest, v.now.size, v.now.sum = name, 0, 0
}

func (v *inventory) manifestWrote(m *manifestSum, p []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	m.sum = crc32.Update(m.sum, castagnoli, p)
	m.written += int64(len(p))
}

// manifestSyncs returns a function to call once the bytes written by now are synced.
func (v *inventory) manifestSyncs(m *manifestSum) func() {
	v.mu.Lock()
	defer v.mu.Unlock()
	written, sum := m.written, m.sum
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		m.synced, m.syncedSum = written, sum
	}
}

// lossAccepted notes that the store's present content is accepted. Pebble has flushed the commits that it has read
// from the logs before the newest one. So those logs need not be compared with the acknowledged version any more.
func (v *inventory) lossAccepted() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lossy = true
	newest := int64(0)
	for log := range v.now.logs {
		newest = max(newest, logNumber(log))
	}
	maps.DeleteFunc(v.now.logs, func(log string, _ int64) bool { return logNumber(log) < newest })
}

// finish makes the files of a store that has been opened: from now on it is whole.
func (v *inventory) finish(version int64) (err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	name := v.fs.PathJoin(v.dir, lastName)
	if !v.now.whole {
		// Until the inventory says whole, it says that no commit was acknowledged.
		if err := replaceFile(v.fs, v.dir, name, lastText(v.now.id, 0)); err != nil {
			return err
		}
	}
	for log, applied := range v.now.logs {
		if applied == 0 {
			v.now.logs[log] = version
		}
	}
	v.quiet, v.now.whole, v.now.version = false, true, version
	if err := v.write(); err != nil {
		return err
	}
	if v.lossy { // its name may be another one, too
		if err := replaceFile(v.fs, v.dir, name, lastText(v.now.id, version)); err != nil {
			return err
		}
	}
	v.last, err = v.fs.OpenReadWrite(name, vfs.WriteCategoryUnspecified)
	return err
}

// acknowledged notes a version that is on disk. It is not waited for: after a kill it is exact, after a
// loss of power it is as old as the last second, and never too new.
func (v *inventory) acknowledged(version int64) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.now.version = version
	if v.last == nil || v.failed != nil {
		return nil
	}
	_, v.failed = v.last.WriteAt(lastText(v.now.id, version), 0)
	return v.failed
}

// sync makes the note of the acknowledged version durable; called every second.
func (v *inventory) sync() error {
	v.mu.Lock()
	last, failed := v.last, v.failed
	v.mu.Unlock()
	if last == nil || failed != nil {
		return nil
	}
	return last.SyncData()
}

// close writes both files for the last time.
func (v *inventory) close() error {
	err := v.sync()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.last == nil {
		return err
	}
	err = errors.Join(err, v.write(), v.last.Close())
	v.last = nil
	return err
}

// lastText is the text of the last file; it always has the same length.
func lastText(id string, version int64) []byte {
	b := fmt.Appendf(nil, "sqlfdb last id %s version %020d ", id, version)
	return fmt.Appendf(b, "sum %08x\n", crc32.Checksum(b, castagnoli))
}

func parseLast(text []byte) (id string, version int64, err error) {
	if _, err := fmt.Sscanf(string(text), "sqlfdb last id %s version %d ", &id, &version); err != nil {
		return "", 0, errDamaged
	}
	if !bytes.Equal(text, lastText(id, version)) {
		return "", 0, errDamaged
	}
	return id, version, nil
}
