// Package sqltests runs SQL scripts against a server, over the wire: a black box, once per storage engine. It holds no
// code but the tests. Kinds of tests that have a job of their own are packages below it; what all share is
// sqltests/harness.
//
// Tests whose time is waiting, for the clock or for commands that they run, run at once with each other (t.Parallel),
// behind all others: none that injects failures or crashes, looks at what other tests' servers share, or measures.
package sqltests
