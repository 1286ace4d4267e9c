// Package faultkv puts faults into a store at kv's interface, over any engine. They are
// conflicts, reads that are too old, stores that can't be reached, and commits without an
// answer, which happened, did not happen, or happen later.
//
// Every operation of every transaction is numbered, in the order of their beginnings, and a
// function of the caller's chooses the fault that each one meets. It is for tests.
package faultkv
