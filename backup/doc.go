// Package backup copies a whole store into a file and back: all keys at one
// version, in a format that knows no engine (docs/rfcs/0010-backup-files.md).
//
// It knows no document and no entry: what a restored store must not take over as it was,
// it leaves to the packages that own those keys.
package backup
