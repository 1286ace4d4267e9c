// Package fulldisk is a file system in memory that runs out of room when a test says so. It is given to the embedded
// engine in its options.
package fulldisk

import (
	"sync/atomic"
	"syscall"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// A Disk is a file system for pebblekv.Options.FS.
type Disk struct {
	vfs.FS // the file system that a store is opened in
	memory *vfs.MemFS
	full   atomic.Bool
	free   atomic.Uint64 // as it reports; 0: it reports nothing
}

// New returns an empty disk that has room.
func New() *Disk {
	d := &Disk{memory: vfs.NewCrashableMem()}
	d.FS = errorfs.Wrap(d.memory, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if d.full.Load() && op.Kind.ReadOrWrite() == errorfs.OpIsWrite && op.Kind != errorfs.OpFileClose {
			return syscall.ENOSPC
		}
		return nil
	}))
	return d
}

// Fill leaves no room.
func (d *Disk) Fill() { d.full.Store(true) }

// SetFree makes the disk report so many free bytes, of 100 GiB.
func (d *Disk) SetFree(free uint64) { d.free.Store(free) }

// GetDiskUsage implements vfs.FS.
func (d *Disk) GetDiskUsage(path string) (vfs.DiskUsage, error) {
	if free := d.free.Load(); free > 0 {
		return vfs.DiskUsage{AvailBytes: free, TotalBytes: 100 << 30}, nil
	}
	return d.FS.GetDiskUsage(path)
}

// Crash returns the file system as a crash would leave it now, with room again.
func (d *Disk) Crash() vfs.FS {
	defer d.full.Store(false)
	return d.memory.CrashClone(vfs.CrashCloneCfg{})
}
