package pebblekv

import (
	"sync/atomic"
	"syscall"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// MemoryFS returns an empty file system in memory, for Options.FS: with it the
// tests of other packages open stores without a disk, and without naming Pebble.
func MemoryFS() vfs.FS { return vfs.NewMem() }

// A FullDisk is a file system in memory that can run out of room: for tests of other
// packages, as MemoryFS is.
type FullDisk struct {
	vfs.FS // what a store is opened in
	memory *vfs.MemFS
	full   atomic.Bool
	free   atomic.Uint64 // as it tells; 0: it doesn't
}

// NewFullDisk returns one that still has room.
func NewFullDisk() *FullDisk {
	d := &FullDisk{memory: vfs.NewCrashableMem()}
	d.FS = errorfs.Wrap(d.memory, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if d.full.Load() && op.Kind.ReadOrWrite() == errorfs.OpIsWrite && op.Kind != errorfs.OpFileClose {
			return syscall.ENOSPC
		}
		return nil
	}))
	return d
}

// Fill leaves no room.
func (d *FullDisk) Fill() { d.full.Store(true) }

// Tell makes it tell that so many bytes are free, of 100 GiB.
func (d *FullDisk) Tell(free uint64) { d.free.Store(free) }

// GetDiskUsage implements vfs.FS.
func (d *FullDisk) GetDiskUsage(path string) (vfs.DiskUsage, error) {
	if free := d.free.Load(); free > 0 {
		return vfs.DiskUsage{AvailBytes: free, TotalBytes: 100 << 30}, nil
	}
	return d.FS.GetDiskUsage(path)
}

// Crash is the file system as a crash would leave it now, with room again.
func (d *FullDisk) Crash() vfs.FS {
	defer d.full.Store(false)
	return d.memory.CrashClone(vfs.CrashCloneCfg{})
}
