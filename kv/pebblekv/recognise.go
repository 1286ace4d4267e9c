package pebblekv

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/sqlfdb/sqlfdb/kv"
)

// A folder is the folder where a store is to be opened, with its files.
type folder struct {
	fs   vfs.FS
	dir  string
	mine []string // our own files
	pebs []string // Pebble's
	rest []string // files that no store has made

	held     holdings
	last     int64  // acknowledged, by the file of the last commit
	manifest string // named by Pebble's marker

	gaps []versions // which the logs lack, except at the end
}

// versions are the versions of some commits, from the first to the last.
type versions struct{ first, last int64 }

var pebbleFile = regexp.MustCompile(
	`^(\d{6,}(-\d+)?\.(sst|log|blob|dbtmp)|MANIFEST-\d{6,}|OPTIONS-\d{6,` +
		`}|CURRENT(\..*)?|marker\..*|temporary\..*|REMOTE-OBJ-CATALOG.*)$`)

// lookAt sorts the files of a folder; a missing folder is empty.
func lookAt(fs vfs.FS, dir string) (*folder, error) {
	f := &folder{fs: fs, dir: dir}
	names, err := fs.List(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	slices.Sort(names)
	for _, name := range names {
		switch {
		case name == inventoryName || name == lastName:
			f.mine = append(f.mine, name)
		case name == "LOCK" || name == inventoryName+".tmp" || name == lastName+".tmp" || name == "lost+found":
		case pebbleFile.MatchString(name):
			f.pebs = append(f.pebs, name)
		default:
			f.rest = append(f.rest, name)
		}
	}
	return f, nil
}

func (f *folder) empty() bool { return len(f.mine) == 0 && len(f.pebs) == 0 }

func (f *folder) has(name string) bool {
	return slices.Contains(f.mine, name) || slices.Contains(f.pebs, name)
}

func (f *folder) first(prefix string) string {
	for _, name := range f.pebs {
		if strings.HasPrefix(name, prefix) {
			return name
		}
	}
	return ""
}

func lacks(format string, args ...any) error {
	return fmt.Errorf("%w: %s", kv.ErrIncomplete, fmt.Sprintf(format, args...))
}

// mayBeMade refuses to make a store in a folder that holds anything.
func (f *folder) mayBeMade() error {
	if len(f.rest) > 0 {
		return fmt.Errorf("no store is here, and none is made: the folder holds other files (%s)", few(f.rest))
	}
	return nil
}

func few(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, ", ")
}

// recognise proves that a folder with any part of a store in it holds a whole store, so
// that Pebble opens it and does not begin a new one. Its error names the missing or damaged
// file.
func (f *folder) recognise() error {
	if len(f.mine) > 0 {
		if done, err := f.readOwn(); done || err != nil {
			return err
		}
	}
	for _, marker := range []string{"marker.manifest.", "marker.format-version."} {
		if f.first(marker) == "" {
			return lacks("%s* is missing", marker)
		}
	}
	if err := f.findManifest(); err != nil {
		return err
	}
	if len(f.mine) == 0 {
		// A store of before there were files of our own.
		if f.first("OPTIONS-") == "" {
			return lacks("%s, %s and OPTIONS-* are missing", inventoryName, lastName)
		}
		return nil
	}
	return f.manifestHolds()
}

// readOwn reads our own files. A store whose making was interrupted is done with here.
func (f *folder) readOwn() (done bool, err error) {
	if !f.has(inventoryName) {
		return false, lacks("%s is missing", inventoryName)
	}
	text, err := readFile(f.fs, f.fs.PathJoin(f.dir, inventoryName))
	if err != nil {
		return false, err
	}
	if f.held, err = parseHoldings(text); err != nil {
		return false, lacks("%s %v", inventoryName, err)
	}
	if !f.has(lastName) && f.held.whole {
		return false, lacks("%s is missing", lastName)
	}
	if f.has(lastName) {
		text, err := readFile(f.fs, f.fs.PathJoin(f.dir, lastName))
		if err != nil {
			return false, err
		}
		id, last, err := parseLast(text)
		if err != nil {
			return false, lacks("%s %v", lastName, err)
		}
		if id != f.held.id {
			return false, lacks("%s and %s belong to different stores", inventoryName, lastName)
		}
		f.last = last
	}
	if f.held.whole {
		return false, nil
	}
	if f.last > 0 {
		return false, lacks("%s is older than the store", inventoryName)
	}
	if f.first("marker.manifest.") != "" {
		return true, f.findManifest() // without the format's marker Pebble insists that nothing is stored
	}
	// Pebble begins a new store, and would remove files that it doesn't know: there must be none.
	for _, name := range f.pebs {
		if strings.HasSuffix(name, ".sst") || strings.HasSuffix(name, ".blob") {
			return false, lacks("%s says that no store has been made yet, but %s is there", inventoryName, name)
		}
		if strings.HasSuffix(name, ".log") {
			if info, err := f.fs.Stat(f.fs.PathJoin(f.dir, name)); err != nil || info.Size() > 0 {
				return false, lacks("%s says that no store has been made yet, but %s is there", inventoryName, name)
			}
		}
	}
	return true, nil
}

// findManifest finds the manifest that Pebble's newest marker names.
func (f *folder) findManifest() error {
	newest := -1
	for _, name := range f.pebs {
		var number int
		var manifest string
		rest, ok := strings.CutPrefix(name, "marker.manifest.")
		if !ok {
			continue
		}
		if _, err := fmt.Sscanf(strings.Replace(rest, ".", " ", 1), "%d %s", &number, &manifest); err != nil {
			return lacks("%s is no marker", name)
		}
		if number > newest {
			newest, f.manifest = number, manifest
		}
	}
	if !f.has(f.manifest) {
		return lacks("%s is missing", f.manifest)
	}
	return nil
}

// manifestHolds proves that the manifest is not older than the inventory, and undamaged as far as that shows.
func (f *folder) manifestHolds() error {
	if f.held.manifest == "" {
		return nil
	}
	number := func(name string) (n int) {
		_, _ = fmt.Sscanf(name, "MANIFEST-%d", &n) // 0: older than any
		return n
	}
	if number(f.manifest) < number(f.held.manifest) {
		return lacks("the marker names %s, which is older than %s", f.manifest, f.held.manifest)
	}
	if f.manifest != f.held.manifest {
		return nil
	}
	text, err := readFile(f.fs, f.fs.PathJoin(f.dir, f.manifest))
	if err != nil {
		return err
	}
	if int64(len(text)) < f.held.size {
		return lacks("%s has %d bytes of %d", f.manifest, len(text), f.held.size)
	}
	if f.held.size > 0 && crc32.Checksum(text[:f.held.size], castagnoli) != f.held.sum {
		return lacks("%s is damaged", f.manifest)
	}
	return nil
}

// acknowledged is the newest version that either of our own files knows.
func (f *folder) acknowledged() int64 { return max(f.held.version, f.last) }

// errNoStore is the error of a folder that must hold a store and holds none.
var errNoStore = errors.New("no store is here")
