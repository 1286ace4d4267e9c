// Package collationtest gives the process of a test another version of sort keys, as a later program may have.
package collationtest

import "github.com/sqlfdb/sqlfdb/collation/internal/edition"

// Pretend gives this process another version until restore is called. Its keys are in the same order and in other
// bytes, which no key of the true version has.
func Pretend(version string) (restore func()) {
	former := edition.Other.Swap(&version)
	return func() { edition.Other.Store(former) }
}
