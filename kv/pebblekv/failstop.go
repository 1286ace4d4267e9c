package pebblekv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// failStopFS stands between Pebble and the file system. Pebble panics on some errors with
// its locks half released, which no caller can recover from. On these it fails the store
// and holds Pebble's goroutine for good, as Pebble expects of Fatalf. These are errors of
// the write-ahead log's files and of syncing a directory. Errors that Pebble can take are
// passed on.
type failStopFS struct {
	vfs.FS
	s *store
}

func isLog(name string) bool { return strings.HasSuffix(name, ".log") }

func isManifest(fs vfs.FS, name string) bool {
	return strings.HasPrefix(fs.PathBase(name), "MANIFEST-")
}

// stop returns nil, or not at all.
func (f failStopFS) stop(doing, name string, err error) error {
	if err == nil {
		return nil
	}
	f.s.stopped(fmt.Errorf("%s %s: %w", doing, name, err))
	select {}
}

func (f failStopFS) Unwrap() vfs.FS { return f.FS }

func (f failStopFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := f.FS.Create(name, category)
	base := f.FS.PathBase(name)
	if err == nil && isManifest(f.FS, name) {
		if err := f.syncParent(name); err != nil {
			return nil, errors.Join(err, file.Close())
		}
		return manifestFile{file, f.s.inventory, f.s.inventory.manifestCreated(base)}, nil
	}
	if marked, ok := strings.CutPrefix(base, "marker.manifest."); ok && err == nil {
		_, manifest, _ := strings.Cut(marked, ".")
		f.s.inventory.manifestMarked(manifest)
	}
	if !isLog(name) {
		return file, err
	}
	if err == nil {
		err = f.s.inventory.logCreated(base, f.s.applied.Load())
	}
	if err := f.stop("create", name, err); err != nil {
		return nil, err
	}
	return failStopFile{file, f, name}, nil
}

// Remove takes a log off the inventory before it goes.
func (f failStopFS) Remove(name string) error {
	if isLog(name) {
		if err := f.s.inventory.logGoes(f.FS.PathBase(name)); err != nil {
			return err
		}
	}
	return f.FS.Remove(name)
}

// Lock implements vfs.FS: of a store that is read only, a folder that can't be written to.
func (f failStopFS) Lock(name string) (io.Closer, error) {
	lock, err := f.FS.Lock(name)
	var path *fs.PathError
	if !f.s.opts.ReadOnly || !errors.As(err, &path) && !errors.Is(err, syscall.EROFS) {
		return lock, err
	}
	return lockReading(name)
}

// syncParent makes a new manifest's name durable. Pebble syncs the directory only after it
// has named the manifest in its marker. A crash in between could keep the marker and lose
// the manifest, and the store with it.
func (f failStopFS) syncParent(name string) error {
	dir, err := f.OpenDir(f.FS.PathDir(name))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func (f failStopFS) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if isLog(old) {
		if err := f.stop("reuse", name, f.s.inventory.logGoes(f.FS.PathBase(old))); err != nil {
			return nil, err
		}
	}
	file, err := f.FS.ReuseForWrite(old, name, category)
	if !isLog(name) {
		return file, err
	}
	if err == nil {
		err = f.s.inventory.logCreated(f.FS.PathBase(name), f.s.applied.Load())
	}
	if err := f.stop("reuse", name, err); err != nil {
		return nil, err
	}
	return failStopFile{file, f, name}, nil
}

func (f failStopFS) OpenDir(name string) (vfs.File, error) {
	file, err := f.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return failStopFile{file, f, name}, nil
}

// manifestFile is a manifest, whose sum is kept.
type manifestFile struct {
	vfs.File
	inventory *inventory
	sum       *manifestSum
}

func (f manifestFile) Write(p []byte) (int, error) {
	written := bytes.Clone(p) // a file may change its argument, as the one in memory does under the race detector
	n, err := f.File.Write(p)
	f.inventory.manifestWrote(f.sum, written[:n])
	return n, err
}

func (f manifestFile) Sync() error {
	synced := f.inventory.manifestSyncs(f.sum)
	err := f.File.Sync()
	if err == nil {
		synced()
	}
	return err
}

// failStopFile is a log or a directory.
type failStopFile struct {
	vfs.File
	fs   failStopFS
	name string
}

func (f failStopFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	return n, f.fs.stop("write", f.name, err)
}

func (f failStopFile) Sync() error {
	return f.fs.stop("sync", f.name, f.File.Sync())
}

func (f failStopFile) SyncData() error {
	return f.fs.stop("sync", f.name, f.File.SyncData())
}

func (f failStopFile) SyncTo(length int64) (bool, error) {
	full, err := f.File.SyncTo(length)
	return full, f.fs.stop("sync", f.name, err)
}

func (f failStopFile) Close() error {
	err := f.File.Close()
	if isLog(f.name) {
		return f.fs.stop("close", f.name, err)
	}
	return err
}
