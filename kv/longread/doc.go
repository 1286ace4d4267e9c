// Package longread reads longer than a read version lives. It has a transaction that only
// reads. When the store says that its version is too old, it takes a newer one and goes on
// where it was.
//
// A range goes on behind the last key that it gave, so each key comes at most once, in
// order. A key that nobody writes meanwhile comes exactly as it would at one version. Data
// that belongs together in several keys may be read at two versions: the caller asks Of and
// Epoch whether that has happened, and reads it again. The package does not decide which
// data may be read in that way.
package longread
