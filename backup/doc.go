// Package backup copies a whole store into a file and back: all keys at one
// version, in a format that knows no engine (docs/rfcs/0010-backup-files.md), and what has changed since such a copy
// (docs/rfcs/0025-copies-of-a-live-store.md).
//
// It writes no document itself: what has changed goes through package tables, and what a restored store must not take
// over as it was it leaves to the packages that own those keys.
package backup
