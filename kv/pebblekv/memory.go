package pebblekv

import "github.com/cockroachdb/pebble/v2/vfs"

// MemoryFS returns an empty file system in memory, for Options.FS: with it the
// tests of other packages open stores without a disk, and without naming Pebble.
func MemoryFS() vfs.FS { return vfs.NewMem() }
