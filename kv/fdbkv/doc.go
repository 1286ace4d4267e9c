// Package fdbkv is the distributed engine of kv: a FoundationDB cluster, spoken to
// with FoundationDB's Go binding and client library. It is built under the tag fdb
// alone; without the tag the package is empty. It knows nothing of what the keys
// mean, and nothing of the binding shows above it.
//
// # Conflicts
//
// The binding's range reads conflict on all that was fetched, kv's on what the caller
// has walked over. So every read is a snapshot read; the transaction keeps the ranges it
// has read and adds them, joined, when it commits, and a transaction that only
// reads adds none. FoundationDB leaves out conflicts with what a transaction has written
// itself, if it sees its own writes; so such a transaction is committed by a second one
// (again.go).
//
// # Versions
//
// Begin asks for a read version. FoundationDB's client puts the questions of all transactions that begin within half of
// the time that an answer takes, 5 ms at most, into one, so sessions share versions without anything done here. Its
// cache of versions is not used: what a statement sees would then be older than the statement, and than a commit that
// another process has acknowledged before.
//
// # Waiting
//
// FoundationDB's client waits without end for a cluster that does not answer. Each
// transaction here has a life: 5 s, as long as a read version lives, and
// Options.Patience for an answer. What waits then fails: with kv.ErrUnavailable when
// it is the answer that did not come, with kv.ErrUnknownCommit in a commit. The client
// reconnects by itself.
//
// # Sizes
//
// The limit of 10 MB counts what is sent: for each write the key three times and the
// value, for they are in its mutation and its conflict range, and some 80 bytes. Size counts
// the same, so a transaction holds fewer keys here than in the embedded engine.
package fdbkv
