// Package explain shows plans: EXPLAIN as a table, as a tree and as JSON, and EXPLAIN ANALYZE with what each node has
// done.
package explain
