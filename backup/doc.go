// Package backup copies a whole store into a file and back: all keys at one version, in a format that knows no engine
// (docs/rfcs/0010-backup-files.md). It also copies the changes since such a copy
// (docs/rfcs/0025-copies-of-a-live-store.md).
//
// It writes no document itself: changes go through package tables. Keys that a restored store must not take over as
// they were are left to the packages that own them.
package backup
