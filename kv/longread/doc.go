// Package longread reads longer than a read version lives: a transaction that
// only reads and that, where the store says that its version is too old, takes a
// newer one and goes on where it was.
//
// A range goes on behind the last key that it gave, so each key comes at most
// once, in order; a key that nobody writes meanwhile comes exactly as it would at one
// version. What belongs together in several keys may be read at two versions:
// whoever puts it together asks Of and Epoch whether that has happened, and
// reads it again. It decides nothing about what may be read in that way.
package longread
