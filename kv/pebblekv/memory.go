package pebblekv

import "github.com/cockroachdb/pebble/v2/vfs"

// MemoryFS returns an empty file system in memory, for Options.FS: a store that needs no disk, for callers that don't
// name Pebble.
func MemoryFS() vfs.FS { return vfs.NewMem() }
