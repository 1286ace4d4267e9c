// Package fdbkv is the distributed engine of kv: a FoundationDB cluster, reached by FoundationDB's Go binding and
// client library. It is built under the tag fdb alone; without the tag the package is empty. It does not know the
// meaning of the keys, and nothing of the binding shows above it.
//
// # Conflicts
//
// The binding's range reads conflict on all fetched keys, kv's only on the keys that the caller has walked over. So
// every read is a snapshot read. The transaction keeps the ranges it has read and adds them, joined, when it commits;
// a transaction that only reads adds none. FoundationDB leaves out conflicts with a transaction's own writes, if it
// sees them. So such a transaction is committed by a second one (again.go).
//
// # Versions
//
// Begin asks for a read version. FoundationDB's client joins the questions of all transactions that begin within half
// of an answer's time, 5 ms at most. So sessions share versions without anything done here. Its cache of versions is
// not used: a statement would then see a state older than itself, and older than a commit that another process has
// acknowledged before.
//
// # Waiting
//
// FoundationDB's client waits without end for a cluster that does not answer. Each transaction here has a life: 5 s,
// as long as a read version lives, and Options.Patience for an answer. A wait then fails: with kv.ErrUnavailable when
// no answer came, with kv.ErrUnknownCommit in a commit. The client reconnects by itself.
//
// # Sizes
//
// The limit of 10 MB counts the bytes that are sent. For each write these are the key three times, in its mutation
// and its conflict range, the value, and some 80 bytes. Size counts the same, so a transaction holds fewer keys here
// than in the embedded engine.
package fdbkv
